#!/bin/sh
# The gallery of the site: a report for each family of actions, from runs that the build of the site makes.
cd "${srcdir:-.}" || exit 99
. ./tests/facts.sh

top=$(pwd)
builder=$top/python/site/build_site.py
if [ ! -e CONTRIBUTING.md ] || [ ! -e "$builder" ]; then
    skip "the gallery of the site" "the source tree is not here"
    facts_end
fi
if ! command -v python3 >/dev/null 2>&1; then
    skip "the gallery of the site" "there is no python3 with NumPy, nor without"
    facts_end
fi
PYTHONDONTWRITEBYTECODE=1
OMP_NUM_THREADS=${OMP_NUM_THREADS:-1}
export PYTHONDONTWRITEBYTECODE OMP_NUM_THREADS
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
site=$work/site
program=$(command -v "$KILN_PROGRAM")

facts_about() { python3 "$top/tests/python/site_facts.py" "$1" "$site" "$top" 2>&1; }

holds "the site is built with a gallery" python3 "$builder" --with plain --program "$program" "$site"
none "pages are well-formed HTML" "$(facts_about well_formed)"
none "links lead to files, those of the gallery to its reports" "$(facts_about links)"
holds "the navigation of a page has the gallery" grep -q '<a href="gallery.html">Gallery of reports</a>' \
    "$site/index.html"

# name, trajectories of the run, words that only the report of this action has
families='quenched 100 overrelaxation
hisq 24 hisq
domain_wall 14 domain_wall
clover 24 c_sw'
none "each family has a report of its run, which the page names" "$(
    echo "$families" | while read -r name trajectories words; do
        report=$site/gallery/$name.html
        grep -q "href=\"gallery/$name.html\"" "$site/gallery.html" || echo "gallery.html: no link to $name"
        grep -q "$trajectories of $trajectories" "$report" || echo "$name: not $trajectories trajectories"
        grep -q "$words" "$report" || echo "$name: no word $words"
        grep -q '<svg' "$report" || echo "$name: no plot"
    done)"
holds "and there are no others" [ "$(ls "$site/gallery" | wc -l)" = 4 ]

printf '#!/bin/sh\necho "no such device" >&2\nexit 1\n' >"$work/broken"
chmod +x "$work/broken"
python3 "$builder" --with plain --program "$work/broken" "$work/none" >/dev/null 2>"$work/said"
holds "a run that fails ends the build and is reported" sh -c '[ $1 = 1 ] && grep -q "no such device" "$2"' - $? \
    "$work/said"
facts_end
