#!/bin/sh
# Ensembles of published papers (validation/): inputs and published values belong together, quantities of records that
# are written by hand are right, and the documents show the results that are there.
cd "${srcdir:-.}" || exit 99
. ./tests/facts.sh
if [ ! -e validation/reproduce ]; then
    skip "ensembles of published papers" "the source tree is not here"
    facts_end
fi
source_tree=$(pwd)
. ./tests/python/interpreter.sh
. ./tests/ensemble/stream.sh
use_numpy "$scratch/python"
PYTHONDONTWRITEBYTECODE=1
export PYTHONDONTWRITEBYTECODE
cd "$source_tree" || exit 99

for input in validation/rows/*.yaml; do
    name=$(basename "$input" .yaml)
    said=$("$KILN_PROGRAM" check "$input" 2>&1 >/dev/null)
    holds "$name passes kiln check: ${said:-no warning}" test $? = 0 -a -z "$said"
    holds "$name writes to its own folder" grep -q "^  directory: \.\./\.\./ensembles/validation/$name\$" "$input"
    holds "$name has published values" test -e "validation/rows/$name.json"
done
if [ -n "$no_numpy" ]; then
    skip "results, and quantities of records that are written by hand" "$no_numpy"
    facts_end
fi
holds "reproduce --help says what each command does" sh -c \
    "python3 validation/reproduce --help | grep -q 'reproduce compare ROW'"
python3 validation/reproduce wrong >/dev/null 2>&1
holds "another command is wrong usage" test $? = 2
none "a row that is not there is named" "$(
    python3 validation/reproduce compare nothing 2>&1 |
        grep -v '^reproduce: nothing is no row; reproduce list shows them$')"
holds "reproduce list shows every row" test "$(python3 validation/reproduce list | grep -c '^[a-z]')" = \
    "$(ls validation/rows/*.json | wc -l)"
holds "and says what Kiln found for every quantity" test \
    "$(python3 validation/reproduce list | grep -c '^        Kiln: ')" = \
    "$(python3 validation/reproduce table | grep -c '^| .*(`')"
none "docs/validation.md has the table of the results" "$(
    python3 validation/reproduce table >"$scratch/table" 2>&1
    grep -vxFf docs/validation.md "$scratch/table")"
# A run of a row on a small lattice, and once more; its record is then not that of the row.
KILN_VALIDATION=$scratch/ensembles
KILN=$KILN_PROGRAM
export KILN_VALIDATION KILN
reproduce_small() {
    python3 validation/reproduce run transition_4 --device cpu --set lattice=[4,4,4,4] --set start.heatbath.sweeps=1 \
        --set hmc.trajectories=2 --set hmc.thermalization=0 "$@" >"$scratch/said" 2>&1
}
holds "reproduce run makes the ensemble of a row" reproduce_small
holds "in its folder" test "$(wc -l <"$KILN_VALIDATION/transition_4/run.jsonl")" -ge 2
holds "a second run continues it" reproduce_small
holds "programs of both runs are beside the ensemble" test \
    "$(grep -c '"commit"' "$KILN_VALIDATION/transition_4.programs.jsonl")" = 2
none "reproduce compare refuses an ensemble with other parameters" "$(
    python3 validation/reproduce compare transition_4 2>&1 |
        grep -v "/run.jsonl: lattice differs from that of rows/transition_4.yaml: \
it has \[4, 4, 4, 4], the row \[24, 24, 24, 4]. So this ensemble is not that of the row")"
none "reproduce run --stream wants a number" "$(
    python3 validation/reproduce run transition_4 --stream 0 2>&1 |
        grep -v '^reproduce: run --stream: a number from 1')"
KILN_VALIDATION=$scratch/streams
holds "reproduce run takes --stream at any place" reproduce_small --stream 1
holds "and makes the stream in its folder" grep -q 'stream: 1$' "$KILN_VALIDATION/transition_4.1/parameters.yaml"
none "reproduce keep names the streams to choose from" "$(
    python3 validation/reproduce keep transition_4 2>&1 |
        grep -v 'transition_4, but there are other streams; name the folder to keep: .*/transition_4\.1$')"
python3 validation/reproduce run transition_4 --stream 1 --wrong >/dev/null 2>&1
holds "a command with a wrong option is wrong usage" test $? = 2
holds "and leaves no note of a program" test "$(grep -c commit "$KILN_VALIDATION/transition_4.1.programs.jsonl")" = 1
KILN_VALIDATION=$scratch/refused
python3 validation/reproduce run transition_4 --set lattice=[3,3,3,3] >/dev/null 2>&1
holds "a first run that is refused" test $? = 2
holds "leaves no file of programs" test -z "$(ls "$KILN_VALIDATION")"
holds "a reader that has enough ends reproduce silently" eval \
    'python3 validation/reproduce table 2>"$scratch/said" | : && [ ! -s "$scratch/said" ]'
mkdir "$scratch/part" && cp -R validation python "$scratch/part" && # a link, which an archive may have resolved
    ln -sf ../../VERSION "$scratch/part/python/kiln/VERSION"
none "without the source tree around them, the scripts say what is missing" "$(
    for command in compare keep; do
        python3 "$scratch/part/validation/reproduce" $command transition_4 2>&1 |
            grep -v '/part/python/kiln/VERSION is a link .* need the whole source tree, or a copy'
    done)"
KILN_VALIDATION=$scratch/nowhere
mkdir "$scratch/tree" && cp -RL validation python "$scratch/tree"
none "results of kept streams are those of their records" "$(
    for file in validation/streams/*.0.jsonl.xz; do
        name=$(basename "$file" .0.jsonl.xz)
        python3 "$scratch/tree/validation/reproduce" compare "$name" >"$scratch/said" 2>&1 || cat "$scratch/said"
        python3 - "validation/results/$name.json" "$scratch/tree/validation/results/$name.json" <<'END'
import json, math, sys
was, now = (json.load(open(path))["quantities"] for path in sys.argv[1:])
for a, b in zip(was, now):
    for key, near in (("value", 1e-6), ("error", 1e-4)):    # NumPy 1.24 and 2.4 differ by 2e-5
        if not math.isclose(a[key], b[key], rel_tol=near):
            print("%s: %s %r, in the results %r" % (b["quantity"], key, b[key], a[key]))
END
    done)"
holds "quantities of records that are written by hand" sh -c \
    "python3 validation/test_quantities.py >'$scratch/quantities' 2>&1 || { cat '$scratch/quantities'; false; }"
facts_end
