#!/bin/sh
# Lines of the record after the newest state: intact ones are what a kill leaves; those of another run, repeated or
# changed ones are faults until the next run generates their trajectories again.
cd "${srcdir:-.}" || exit 99
. ./tests/facts.sh
. ./tests/ensemble/stream.sh

audit() {
    "$KILN_PROGRAM" audit --device cpu "$@" >audited 2>said
}

# Eight trajectories, and the same ones whose newest state is that of trajectory 4; others that start elsewhere.
from="--set start.from=file --set start.file"
run other_seed --trajectories 8 --set random.seed=12 --set monomials.0.beta=5 &&
    run whole $from=other_seed/c.000002.lime --trajectories 8 &&
    run other_start $from=other_seed/c.000004.lime --trajectories 8 ||
    { cat said; exit 99; }
cp -R whole killed
rm killed/c.checkpoint.00000[5-9].lime killed/c.000006.lime killed/c.000008.lime

# Each case changes the lines of `hurt`, a copy of `killed`, with these commands.
lines_of() { sed -n "$2p" "$1/run.jsonl"; }
replace() { lines_of killed 1,4 >hurt/run.jsonl && lines_of "$1" 5,8 >>hurt/run.jsonl; }
repeat() { lines_of "$1" 1,4 >>hurt/run.jsonl; }
edit() { sed -i "$1" hurt/run.jsonl; }
hurt() {
    rm -rf hurt
    cp -R killed hurt
    "$@" || echo "$* fails"
}

# finds FAULT LINE COMMAND...: the only fault; the record counts up to the newest state.
finds() {
    fault=$1
    line=$2
    shift 2
    hurt "$@"
    audit hurt
    [ $? = 1 ] && grep -q "^  fault  *$fault\$" audited && [ "$(grep -c '^  fault' audited)" = 1 ] &&
        grep -q "^  where  *hurt/run.jsonl: line $line\$" audited && grep -q '^  verified  *4 traj' audited &&
        grep -q '^  to do  *kiln run removes the lines after the newest state (trajectory 4), this' audited ||
        { echo "not \"$fault\" at line $line, but"; cat audited; return 1; }
}

holds "intact lines after the newest state are no fault" audit killed
holds "they are noted" grep -q 'note .*the record has 4 lines after the newest state (trajectory 4)' audited
printf '{"trajectory": 9, "acc' >>killed/run.jsonl
holds "nor is an incomplete one behind them" audit killed
sed -i '$d' killed/run.jsonl

none "faulty ones are found: another run's, repeated, changed, missing, exchanged" "$(
    case=found
    must finds 'other parameters' 5 replace other_seed
    must finds 'a line that does not follow from the one before' 5 replace other_start
    must finds 'a repeated line' 9 repeat killed
    must finds 'a repeated line' 9 repeat other_seed
    must finds 'a changed line' 7 edit '7s/"plaquette": {"average": 0./&9/'
    must finds 'a missing line' 6 edit 6d
    must finds 'an unreadable line' 8 edit '8s/.*/{}/')"

# shows NUMBER KIND COMMAND...: the means are those of the lines up to the state; NUMBER lines are left out.
plaquette_of() { sed 's/.*"plaquette": {"value": \([^,]*\), "error": \([^,]*\),.*/\1 \2/'; }
means() { "$KILN_PROGRAM" status "$1" --json 2>/dev/null; }
cp -R killed short
lines_of killed 1,4 >short/run.jsonl
shows() {
    number=$1
    kind=$2
    shift 2
    hurt "$@"
    means hurt >json
    [ "$(plaquette_of <json)" = "$(means short | plaquette_of)" ] ||
        { echo "plaquette $(plaquette_of <json), not $(means short | plaquette_of)"; return 1; }
    grep -q "\"left_out_lines\": $number}" json && grep -q "{\"kind\": \"$kind\", \"count\": $number, " json &&
        grep -q '"trajectories": 4, ' json || { cat json; return 1; }
    for command in 'status hurt' 'watch hurt --once' 'report hurt --output -'; do
        COLUMNS=200 "$KILN_PROGRAM" $command 2>/dev/null | tr -s '\n ' ' ' |
            grep -q "$number lines of the record are left out of all means; the first is line [59]: " ||
            { echo "$command does not say it"; return 1; }
    done
}
repeat_twice() { repeat killed && repeat other_seed && sed -n 5,8p hurt/run.jsonl | cmp - later &&
    lines_of killed 1,4 >first && lines_of hurt 9,16 >>first && cp first hurt/run.jsonl; }
lines_of killed 5,8 >later
none "status, watch and report leave them out of all means, and say so" "$(
    case=means
    must shows 4 'other parameters' replace other_seed
    must shows 4 'another past' replace other_start
    must shows 8 'repeated lines' repeat_twice)"
means killed >json
holds "intact ones are in the means" grep -q '"trajectories": 8, .*"warnings": \[.*"left_out_lines": 0}' json
hurt edit '3s/"plaquette": {"average": 0./&9/'
sed -i 's/seed: 11/seed: 12/' hurt/parameters.yaml
means hurt >json
holds "so are those of a folder with another seed, and those behind a changed line" \
    grep -q '"trajectories": 7, .*"left_out_lines": 0}' json

# A faulty record: kiln run continues from the newest state.
repaired() {
    hurt "$@"
    run hurt $from=other_seed/c.000002.lime --trajectories 4 || { cat said; return 1; }
    same_stream whole hurt && audit hurt || { cat audited; return 1; }
}
none "the next run removes them and generates their trajectories again" "$(
    case=run
    must repaired replace other_seed
    must repaired replace other_start
    must repaired repeat killed
    must repaired repeat other_seed
    must repaired edit '7s/"plaquette": {"average": 0./&9/')"

hurt rm hurt/c.000002.lime hurt/c.000004.lime
edit 3d
audit hurt
none "without any state, the record is checked as well" "$(
    case=states
    must grep -q '^  fault  *no state' audited
    must grep -q '^  where  *hurt/run.jsonl: line 3' audited)"

facts_end
