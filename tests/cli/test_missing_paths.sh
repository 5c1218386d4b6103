#!/bin/sh
# A file or folder named on a command line that does not exist: every command has status 2, says what it expected, what
# it found and what to do, and makes nothing.  What is there, but cannot be read, is a failure: status 1.
cd "${srcdir:-.}" || exit 99
. ./tests/facts.sh
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT
tests=$(pwd)/tests/cli
cd "$scratch" || exit 99

# Files that exist suffice: no command reads one before it knows all paths.
: >in.yaml
: >there
: >ear.npy
mkdir folder
ls >before

# refused WORD...: the command is refused, with the name that is absent or the folder that is.
nothing="absent.*: expected .*, found nothing with this name.*; check the path"
no_folder="absent.*: expected .*, found no folder absent/; .*check the path"
refused() {
    "$KILN_PROGRAM" "$@" >out 2>said </dev/null
    [ $? = 2 ] && [ ! -s out ] && grep -q "$nothing\|$no_folder" said && grep -q "^See kiln .* --help\.$" said
}

cat >rows <<'EOF'
run absent.yaml
submit absent.yaml
submit in.yaml --output absent/job.sh
check absent.yaml
plan absent.yaml
plan in.yaml --from absent.lime
tune absent.yaml
tune in.yaml --from absent.lime
tune in.yaml --output absent/tuned.yaml
tune in.yaml --against absent.yaml --streams folder
status absent
status there/absent
watch absent --once
watch folder --picture absent/page.svg
report absent
report folder --output absent/page.html
report folder --picture absent/page.svg
audit absent
audit folder absent
replay absent
measure absent.lime
measure absent.lime absent/c.lime
measure absent*.lime
measure there --input absent.yaml
measure there --results absent/r.jsonl
verify absent.lime
verify absent.?
convert absent.lime out.lime --format ildg
convert there absent/out.lime --format ildg
gaugefix absent.lime out.lime --gauge landau
gaugefix there absent/out.lime --gauge landau
publish absent --about there
publish folder --about absent.yaml
publish folder --about there --output absent/ildg
export absent --output out.h5
export folder absent --output out.h5
export folder --output absent/out.h5
new --family quenched --spacing 0.1 --output absent/new.yaml
rational --read absent
rational --quarks 0.1 --write absent/rational
bench solver history --config absent.lime
bench solver history --lattice 4,4,4,4 --out absent/columns
bench solver history --lattice 4,4,4,4 --svg absent/plot.svg
probe links absent.lime out.npy
probe links there absent/out.npy
probe apply --operator wilson --mass 0 --source absent.npy there out.npy
probe apply --operator wilson --mass 0 --source ear.npy absent.lime out.npy
probe solve --operator hisq --mass 0.1 --residual 1e-9 --source ear.npy there absent/out.npy
probe gauge-force --action wilson --beta 6 absent.lime out.npy
probe force --input absent.yaml --monomial quarks there out.npy
probe force --input in.yaml --monomial quarks --pseudofermion absent.npy there out.npy
probe energy --action wilson --beta 6 absent.lime
probe energy --action wilson --beta 6 --momenta absent.npy there
probe trajectory --input in.yaml --momenta ear.npy --final-momenta absent/p.npy there out.npy
probe trajectory --input in.yaml --momenta ear.npy absent.lime out.npy
EOF
while read -r words; do
    set -f
    # shellcheck disable=SC2086
    set -- $words
    set +f
    holds "kiln $words: status 2, and what to do" refused "$@" || sed 's/^/# /' said
done <rows
rm -f out said rows
none "nothing was made" "$(ls | diff before - | grep '^[<>]' | grep -v before)"

# Commands whose usage has an operand that is a path are in the table.
none "all commands with paths are tried" "$(
    "$KILN_PROGRAM" --help=names | while read -r _ words; do
        # shellcheck disable=SC2086
        "$KILN_PROGRAM" $words --help | grep '^usage: ' |
            grep -q 'CONFIG\|INPUT.yaml\|DIR\|SOURCE\|FOLDER\| IN ' || continue
        grep -q "^$(echo "$words" | sed 's/ --operator.*//') " "$tests/test_missing_paths.sh" || echo "$words"
    done)"

# Other reasons are those of the command, and not "does not exist".
ends() { wanted=$1; shift; "$KILN_PROGRAM" "$@" >out 2>said </dev/null; [ $? = "$wanted" ]; }
long=$(printf %0300d 1)
holds "a name that is too long is a failure" ends 1 status "$long"
holds "for this reason" grep -q 'File name too long' said
holds "an empty name is wrong usage" ends 2 status ""
holds "and is seen" grep -q '^kiln status: "": expected the folder of an ensemble' said
holds "a dash is standard output, but never standard input" ends 2 publish folder --about -

# Of a list of configurations, those that exist are measured, and a missing one is reported in its place.
echo "no links" >there
holds "a file that is there, but holds no configuration, is a failure" ends 1 measure there
holds "so it is for kiln verify" ends 1 verify there
holds "a file that is missing among others is a failure" ends 1 verify there absent.lime
holds "and named" grep -q 'absent.lime: cannot be opened: No such file' out
holds "a folder without an ensemble is a failure" ends 1 status folder
holds "what is expected is said" grep -q 'folder: has neither .* expected the folder of an ensemble, which is' said
mkdir several several/notes several/log
for name in f e d c b a; do
    mkdir several/$name && : >several/$name/run.jsonl
done
mv several/f/run.jsonl several/f/parameters.yaml
mkdir several/_failure.000012                   # of an ensemble
: >several/_failure.000012/parameters.yaml
: >several/_failure.000012/failure.json
some="several: has neither parameters.yaml nor run.jsonl, but contains 6 ensembles: several/a, several/b, several/c, \
several/d and 2 more; choose one: kiln"
for words in status report "watch --once"; do
    # shellcheck disable=SC2086
    holds "kiln $words: folders in it that hold ensembles are named" ends 1 $words several
    holds "and the command for one" grep -qx "error: $some ${words%% *} 'several/a'" said
done
holds "a slash behind the name is no second one" ends 1 status several/
holds "in the command" grep -q " kiln status 'several/a'\$" said
holds "so does kiln audit" ends 1 audit several
holds "with its command" grep -q "to do *this folder contains 6 ensembles: .* 'several/a'\$" out
rm -r several/[b-f]                             # not _failure.000012
holds "of a single ensemble" ends 1 status several
holds "its name is the command" grep -q "contains 1 ensemble: several/a; choose one: kiln status 'several/a'\$" said
none "an input in place of its ensemble is a failure, with what is expected" "$(
    echo "lattice: [4, 4, 4, 4]" >input.yaml
    for words in status report "watch --once"; do
        # shellcheck disable=SC2086
        ends 1 $words input.yaml && grep -q "not a folder; .*the output.directory of its input" said || echo "$words"
    done)"
"$KILN_PROGRAM" export input.yaml --output e.h5 2>said
holds "for kiln export as well, where there is HDF5" grep -q "HDF5\|the folder of an ensemble, its run.jsonl, or" said
facts_end
