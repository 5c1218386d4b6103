#!/bin/sh
# The site of the documents: every page, word, link and heading of the Markdown is in it, and the search finds them.
cd "${srcdir:-.}" || exit 99
. ./tests/facts.sh

top=$(pwd)
builder=$top/python/site/build_site.py
if [ ! -e CONTRIBUTING.md ]; then
    skip "the site and its links between documents" "the source tree is not here"
    facts_end
fi
if ! command -v python3 >/dev/null 2>&1; then
    skip "the site of the documents" "there is no python3 with NumPy, nor without"
    facts_end
fi
PYTHONDONTWRITEBYTECODE=1
export PYTHONDONTWRITEBYTECODE
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
site=$work/site

facts_about() { python3 "$top/tests/python/site_facts.py" "$1" "$site" "$top" 2>&1; }

none "headings, tables, lists and code of a fragment become the HTML that they stand for" "$(facts_about fragment)"
none "numbers that docs/seeds.md copies are in the sections that it names" "$(facts_about copies)"
holds "the site is built without a network and without mkdocs" python3 "$builder" --with plain "$site"
none "its pages are well-formed HTML" "$(facts_about well_formed)"
none "all links lead to files and headings of the site" "$(facts_about links)"
none "every word of a document is in its page, in order" "$(facts_about words)"
none "headings, rows of tables and items of lists are as many as in the document" "$(facts_about structure)"
none "every heading is in the search index" "$(facts_about index)"
none "nothing comes from elsewhere" "$(
    grep -nE '(src|href)="(https?:)?//[^"]*\.(js|css|svg|png|woff2?)"' "$site"/*.html)"
holds "the site replaces an older one" python3 "$builder" --with plain "$site"
mkdir "$work/mine"
echo mine >"$work/mine/file"
python3 "$builder" --with plain "$work/mine" >/dev/null 2>"$work/said"
holds "but no other folder" sh -c '[ $1 != 0 ] && grep -q "is not empty" "$2" && [ "$(cat "$3")" = mine ]' - $? \
    "$work/said" "$work/mine/file"

# The pages of mkdocs, where it is installed: those of the plain site, with links that lead somewhere.  Scripts in js/
# are of its theme, and some packages of it lack them.
if command -v mkdocs >/dev/null 2>&1; then
    site=$work/mkdocs
    holds "mkdocs makes a site of the same documents" python3 "$builder" --with mkdocs "$site"
    none "whose links lead to files and headings" "$(facts_about links | grep -v -e '^404.html' -e ' \(\./\)*js/')"
    site=$work/site
fi

# The search itself, where a JavaScript interpreter is installed.
if command -v node >/dev/null 2>&1; then
    cat "$site/search_index.js" "$site/search.js" - >"$work/search_facts.js" <<'END'
for (const [query, address] of [["thermalization", "input.html#hmc"], ["tune integrator", "operations.html"],
                                ["TRAJECTORY_LENGTH", "input.html"], ["hasenb mass", "physics.html#hasenbusch-masses"]])
    if (!search(SECTIONS, query).some(section => section[0].startsWith(address)))
        console.log(query + ": " + address + " is not found: " + search(SECTIONS, query).map(s => s[0]).join(" "));
for (const section of SECTIONS)
    if (wordsOf(section[2]).length > 0 && scoreOf(section, wordsOf(section[2])) === 0)
        console.log(section[0] + " is not found by its heading");
if (search(SECTIONS, "xyzzyx").length > 0 || search(SECTIONS, " ").length > 0)
    console.log("sections are found for a word that is nowhere");
END
    none "the search finds headings, keys and beginnings of words, and nothing else" "$(
        node "$work/search_facts.js" 2>&1)"
fi
facts_end
