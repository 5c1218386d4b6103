#!/bin/sh
# The line on a terminal that says what a run or a measurement is doing: there on terminals, nowhere else.  And names
# of measurements on the page of kiln watch, whole.
cd "${srcdir:-.}" || exit 99
. ./tests/facts.sh

OMP_NUM_THREADS=1
KILN_PROGRESS_PAUSE=0                    # a line for each tick, whatever the speed of the machine
export OMP_NUM_THREADS KILN_PROGRESS_PAUSE
folder=$(mktemp -d) || exit 99
trap 'rm -rf "$folder"' EXIT
short='--device cpu --set lattice=[4,4,4,8] --set hmc.trajectories=2 --set hmc.thermalization=1
    --set hmc.levels.0.steps=4 --set measurements.0.every=1 --set measurements.0.sources=20
    --set output.configuration_every=1'
program=$(command -v "$KILN_PROGRAM")

# on_terminal COMMAND...: what a terminal of 100 columns receives, a line for each that is drawn; the status is that of
# the command.
on_terminal() {
    printf '#!/bin/sh\nstty cols 100\nexec' >"$folder/command"
    printf " '%s'" "$@" >>"$folder/command"
    TERM=xterm script -qec "sh $folder/command" "$folder/typescript" </dev/null >/dev/null || return 1
    tr '\r' '\n' <"$folder/typescript" | sed 's/\x1b\[K//g' >"$folder/drawn"
}
has() {
    grep -E -q "$1" "$2" || { echo "no $1 in:"; tail -n 30 "$2"; return 1; }
}

if ! command -v script >/dev/null 2>&1; then
    skip "progress on a terminal" "there is no program script"
    facts_end
fi

holds "a run on a terminal ends well" \
    on_terminal "$program" run input/quickstart.yaml $short --set "output.directory=$folder/seen"
holds "it says which force of which term is being computed, and how many drifts are done" \
    has '^trajectory 1/2: dynamics [0-9]+/32: force: [a-z]+' "$folder/drawn"
holds "it says which measurement is being made, and which of its sources" \
    has '^trajectory [12]/2: measure: condensate: solves [0-9]+/20   [0-9]+ s' "$folder/drawn"
holds "in the second trajectory it knows the time of the first" \
    has '^trajectory 2/2: .* s of about [0-9]+ s' "$folder/drawn"
holds "the results of each trajectory remain" \
    [ "$(grep -c '^trajectory [12]/2  [a-z]* *dH .* s$' "$folder/drawn")" = 2 ]
too_long() {
    awk 'length($0) > 99 && /^trajectory [0-9]+\/2: /' "$folder/drawn"
}
none "no such line is wider than the terminal" "$(too_long)"
none "the log file has none of these lines" "$(grep ': dynamics' "$folder/seen/run.log")"

holds "a measurement on a terminal ends well" \
    on_terminal "$program" measure "$folder/seen" --input "$folder/seen/parameters.yaml" --device cpu --results \
    "$folder/results.jsonl"
holds "it says which file and which measurement" has '^[a-z0-9_.]+: condensate(: solves( [0-9]+/20)?)?   [0-9]+ s' \
    "$folder/drawn"
on_terminal "$program" measure "$folder/seen" --input "$folder/seen/parameters.yaml" --device cpu
# What remains of each line: what follows the last return that erased it.
sed 's/.*\r\x1b\[K//; s/\r$//' "$folder/typescript" >"$folder/remains"
holds "the line was there before the results" has '^[a-z0-9_.]+: condensate' "$folder/drawn"
holds "and is gone when they are printed: the first of them begins a line" \
    has "^$folder/seen/[^ ]*: 4x4x4x8, " "$folder/remains"

"$KILN_PROGRAM" run input/quickstart.yaml $short --set "output.directory=$folder/unseen" 2>"$folder/errors"
none "without a terminal there are no such lines" "$(grep ': dynamics' "$folder/errors")"
same_results() {
    tail -n 1 "$folder/seen/run.jsonl" | sed 's/.*"chain": "\([0-9a-fx]*\)".*/\1/' >"$folder/chain"
    tail -n 1 "$folder/unseen/run.jsonl" | sed 's/.*"chain": "\([0-9a-fx]*\)".*/\1/' | cmp - "$folder/chain"
}
holds "the stream is the same" same_results

# ---- long names on the page of kiln watch
# wider_than WIDTH FILE: its lines of more characters than that; in UTF-8 each has one byte that is not 0x80 to 0xbf.
wider_than() {
    LC_ALL=C tr -d '\200-\277' <"$2" | LC_ALL=C awk -v most="$1" 'length($0) > most'
}
"$KILN_PROGRAM" run input/quickstart.yaml $short --set "output.directory=$folder/long" \
    --set 'measurements.0.name=condensate_of_light_and_strange' 2>"$folder/errors"
for width in 60 80 120; do
    COLUMNS=$width LINES=40 "$KILN_PROGRAM" watch "$folder/long" --once >"$folder/page"
    for mass in 0.05 0.1; do
        holds "$width columns: the name of the condensate at mass $mass is whole" \
            grep -F "condensate_of_light_and_strange.condensate($mass)" "$folder/page"
    done
    none "$width columns: no line is wider" "$(wider_than $width "$folder/page")"
done

"$KILN_PROGRAM" run input/quickstart.yaml $short --set "output.directory=$folder/mixed" --set 'measurements=[
    {kind: condensate, name: condensate_of_light_and_strange, every: 1, masses: [{mass: 0.05}], sources: 1},
    {kind: condensate, name: short, every: 1, masses: [{mass: 0.05}], sources: 1}]' 2>"$folder/errors"
COLUMNS=80 LINES=40 "$KILN_PROGRAM" watch "$folder/mixed" --once --ascii >"$folder/page"
holds "a short name keeps its history beside a long one" \
    has '^short\.[^ ]+ +[_.,=+*#-]{8,} +-?[0-9.]+, mean ' "$folder/page"
holds "a long name has a line of its own" \
    has '^condensate_of_light_and_strange\.condensate\(0\.05\) *$' "$folder/page"
holds "its history and numbers are on the next line, below those of the others" \
    has '^ {23}[_.,=+*#-]{8,} +-?[0-9.]+, mean ' "$folder/page"
none "and no line is wider than 80" "$(wider_than 80 "$folder/page")"
facts_end
