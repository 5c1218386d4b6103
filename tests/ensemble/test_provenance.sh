#!/bin/sh
# kiln run checks what an audit relies on before it continues: what is missing or changed is refused, or written again
# where its bytes are certain; trajectories whose lines are lost are made again.  Nothing passes in silence.
cd "${srcdir:-.}" || exit 99
. ./tests/facts.sh
. ./tests/ensemble/stream.sh

audit() {
    "$KILN_PROGRAM" audit --device cpu "$@" >audited 2>&1 || { cat audited; return 1; }
}

sed -i 's/^lattice: .*/lattice: [2, 2, 2, 2]/' run.yaml

# Three trajectories, then others with shorter steps; `kept` is the folder `hurt` before anything happens to it.
new="--set hmc.levels.0.steps=4 --set hmc.trajectories=8"
run hurt --trajectories 3 && cp -R hurt first && run hurt $new --new-segment --trajectories 4 || { cat said; exit 99; }
mv hurt kept
cp -R kept hurt
run hurt $new || { cat said; exit 99; }
mv hurt whole
rm -f kept/run.log whole/run.log first/run.log

none "the log names the program of each run: version, commit, machine, device, ranks, flags" "$(
    case=program
    version=$("$KILN_PROGRAM" version)
    flags=$(echo "$version" | sed -n 's/^  flags  *//p')
    must run program --trajectories 1
    must run program --trajectories 0
    [ "$(grep -c 'Z program kiln ' program/run.log)" = 2 ] || cat program/run.log
    must grep -qF "Z program $(echo "$version" | head -n 1) on $(uname -n), " program/run.log
    must grep -qF "; flags: $flags; CPU kernels: " program/run.log
    must grep -q ' [0-9]* threads*, 1 rank on a grid of 1x1x1x1; compiler: ' program/run.log
    case="two ranks"
    must run ranks --ranks 2 --grid 1,1,1,2 --set lattice=[2,2,2,8] --trajectories 0
    must grep -q ' 2 ranks on a grid of 1x1x1x2; compiler: ' ranks/run.log)"

# hurt_by COMMAND...: a fresh copy, in which COMMAND runs.
hurt_by() {
    rm -rf hurt
    cp -R "${base:-kept}" hurt
    (cd hurt && "$@") || echo "$* fails"
    before=$(inventory hurt)
}

# refused PATTERN COMMAND...: after COMMAND in the folder the run says PATTERN and changes nothing.
refused() {
    pattern=$1
    shift
    hurt_by "$@"
    ends 1 run hurt $new $more && says "^error: hurt.*$pattern" || return 1
    rm -f hurt/run.log
    [ "$before" = "$(inventory hurt)" ] || { echo "the folder was changed"; return 1; }
}

none "segments.jsonl that is missing or changed is refused" "$(
    case=segments
    must refused 'segments.jsonl: is missing, so that the parameters of the trajectories are unknown' rm segments.jsonl
    must refused 'segments.jsonl: is missing' sh -c 'rm segments.jsonl && : >run.jsonl'
    must refused 'segments.jsonl: line 1: the digest does not agree with the line' \
        sed -i '1s/"chain": "0x./&0/' segments.jsonl
    must refused 'parameters.yaml: was changed' sed -i 2d segments.jsonl
    must refused 'segments.jsonl: is empty' sh -c ': >segments.jsonl'
    case="of one segment"
    base=first new=
    must refused 'segments.jsonl: is missing' rm segments.jsonl
    case="lost with everything else"
    base=kept
    must refused 'segments.jsonl has several segments, but states and record of their trajectories are missing' \
        rm -f run.jsonl c.000002.lime c.000004.lime c.000006.lime c.checkpoint.000005.lime c.checkpoint.000007.lime)"

none "a file of parameters that was edited is refused: seed, other physics, what is free to change" "$(
    for file in parameters.yaml parameters.000003.yaml; do
        case=$file
        must refused "$file: was changed: expected the input digest" \
            sed -i 's/seed: 11/seed: 12/' $file
        must refused "$file: was changed: expected the input digest" \
            sed -i 's/beta: 4.5/beta: 4.6/' $file
        must refused "$file: was changed, though not in its physics" \
            sed -i 's/configuration_every: 2/configuration_every: 4/' $file
    done
    must refused "parameters.000003.yaml: is missing, and the input differs from it" rm parameters.000003.yaml
    case="the edited file as the input"
    hurt_by sed -i 's/seed: 11/seed: 12/' parameters.yaml
    must ends 1 "$KILN_PROGRAM" run hurt/parameters.yaml --quiet --set output.directory=hurt 2>said)"

run grown --trajectories 3 && run grown --set hmc.trajectories=9 --trajectories 1 &&
    run grown --set hmc.trajectories=10 --trajectories 1 || { cat said; exit 99; }
none "files of parameters that are missing after extensions: which values are needed, and which file is not" "$(
    case=newest
    cp -R grown lost
    rm lost/parameters.yaml
    must ends 1 run lost
    must says '^error: lost/parameters.yaml: is missing, and .*; .* input that has the values of segment 3:'
    must run lost --set hmc.trajectories=10 --trajectories 1
    must cmp grown/parameters.yaml lost/parameters.yaml
    must audit lost
    case=old
    rm lost/parameters.000003.yaml lost/parameters.000004.yaml
    must run lost --set hmc.trajectories=10 --trajectories 1
    must says '^warning: lost/parameters.000003.yaml: is missing; this run does not need the file'
    must grep -q 'parameters.000004.yaml: is missing; this run does not need the file' lost/run.log
    [ "$(wc -l <lost/run.jsonl)" = 7 ] || cat lost/run.log
    must ends 1 audit lost
    must grep -q 'parameters.000004.yaml' audited
    case="an old one that the input gives"
    must run lost --set hmc.trajectories=9 --trajectories 1
    must cmp grown/parameters.000004.yaml lost/parameters.000004.yaml)"

none "parameters.yaml that is missing is written again from the same input, with a warning" "$(
    case=restored
    new="$new --trajectories 1"
    run written --trajectories 3
    cp written/parameters.yaml original
    rm written/parameters.yaml
    must run written --trajectories 1
    must says '^warning: written/parameters.yaml: was missing; restored from the input'
    must grep -q 'parameters.yaml: was missing; restored from the input' written/run.log
    must cmp original written/parameters.yaml
    must audit written
    case="another input"
    rm written/parameters.yaml
    must ends 1 run written --set hmc.trajectories=9
    must says '^error: written/parameters.yaml: is missing, and the input differs from it'
    must ends 1 run written --set random.seed=12
    must says '^error: written/parameters.yaml: is missing, and '
    [ ! -e written/parameters.yaml ] || echo "it was written"
    case="no change of parameters"
    must ends 1 run written --new-segment
    must says '^error: written/parameters.yaml: is missing, and the input has the same parameters'
    [ ! -e written/parameters.yaml ] || echo "it was written"
    case="something else is refused, and it stays missing"
    new="--set hmc.levels.0.steps=4 --set hmc.trajectories=8"
    must refused 'c.000002.lime: expected the state after' sh -c 'rm parameters.yaml && cp c.000004.lime c.000002.lime'
    must refused 'run.jsonl: line 2: a changed line' \
        sh -c 'rm parameters.yaml && sed -i "2s/\"dH\": -/\"dH\": /" run.jsonl'
    case=edited
    sed 's/seed: 11/seed: 12/' original >written/parameters.yaml
    must ends 1 run written
    must says 'was changed: .*restore it from a copy, or remove it: kiln run then restores it from this input')"

swap() { sed -n "$2p" "$1" >l && sed -i -e "$3r l" -e "$2d" "$1" && rm l; }
none "lines of the record that were changed, removed, repeated or exchanged are refused" "$(
    case=record
    must refused 'run.jsonl: line 2: a changed line' sed -i '2s/"dH": -/"dH": /' run.jsonl
    must refused 'run.jsonl: line 7: a changed line' sed -i '7s/"seconds": 0/"seconds": 1/' run.jsonl
    must refused 'run.jsonl: line 5: an unreadable line' sed -i '5s/.*/{}/' run.jsonl
    must refused 'run.jsonl: line 3: a missing line: expected trajectory 3' sed -i 3d run.jsonl
    must refused 'run.jsonl: line 1: a missing line: expected trajectory 1' sed -i 1d run.jsonl
    must refused 'run.jsonl: line 4: a repeated line' sed -i 3p run.jsonl
    must refused 'run.jsonl: line 3: lines in the wrong order' swap run.jsonl 3 4
    must refused 'run.jsonl: line 4: a line without its digests' sed -i '4s/, "digest": "[^"]*"}$/}/' run.jsonl
    case="without the line and those behind it, as the message says"
    hurt_by sed -i '3,$d' run.jsonl
    must ends 1 run hurt $new                # trajectory 3 is of the first parameters
    must ends 1 run hurt
    must run hurt $new
    must audit hurt)"

# The same parameters and seed from other links: only the chain tells.
run from_2 --set start.from=file --set start.file=first/c.000002.lime --trajectories 4
run from_start --trajectories 4
run other_seed --trajectories 4 --set random.seed=12
run other_lattice --trajectories 4 --set lattice=[4,2,2,2]
none "states that are another stream's, or of another past, are refused, old ones, too" "$(
    case=states
    must refused 'c.000004.lime: expected seed 11, stream 0, found seed 12, stream 0' \
        cp ../other_seed/c.000004.lime .
    must refused 'c.000002.lime: a state with other parameters' cp ../from_2/c.000002.lime .
    must refused 'c.checkpoint.000007.lime: belongs to another stream' \
        cp ../from_start/c.checkpoint.000003.lime c.checkpoint.000007.lime
    case="and of another trajectory"
    must refused 'c.000002.lime: expected seed 11, .*found seed 12' \
        cp ../other_seed/c.000004.lime c.000002.lime
    must refused 'c.000002.lime: expected a lattice of 2x2x2x2, found 4x2x2x2' \
        cp ../other_lattice/c.000004.lime c.000002.lime
    must refused 'c.000002.lime: expected the state after trajectory 2, found the one after trajectory 4' \
        cp c.000004.lime c.000002.lime
    case="unreadable: a warning"
    hurt_by truncate -s 100 c.000002.lime
    must run hurt $new
    must says '^warning: hurt/c.000002.lime.*; this run does not need the file; see kiln audit'
    case=past
    base=from_2
    rm -f from_2/run.log
    new="--set start.from=file --set start.file=first/c.000002.lime"
    run twin_2 --set start.from=file --set start.file=from_start/c.000004.lime --trajectories 4
    must refused 'c.000004.lime: a state with another past: expected chain' cp ../twin_2/c.000004.lime .)"
none "a configuration that is missing is a warning: the run does not need it" "$(
    case=missing
    hurt_by rm c.000004.lime
    must run hurt $new
    must says '^warning: hurt: 1 configuration of the record is missing, beginning with trajectory 4'
    cp whole/c.000004.lime hurt
    must same_stream whole hurt
    must audit hurt)"

# The record loses its end, the states do not.
run complete || { cat said; exit 99; }
cp -R complete six
rm -f six/run.log
size=$(stat -c %s six/run.jsonl)
# cut_to BYTES: what is made again is what was there, file by file, and nothing is set aside.
cut_to() {
    base=six
    hurt_by truncate -s "$1" run.jsonl
    states=$(inventory hurt | grep '^c\.00')
    must run hurt
    must says '^warning: hurt/run.jsonl: ends with trajectory [0-9], but there are states up to trajectory 6'
    must same_stream complete hurt
    must nothing_set_aside hurt
    [ "$states" = "$(inventory hurt | grep '^c\.00')" ] || echo "$case: configurations were written anew"
    must audit hurt
}
none "a record cut anywhere, states being later: trajectories without a line are made again, and the audit passes" "$(
    case="in the middle of the last line"
    cut_to $((size - 100))
    case="before the end of the last line"
    cut_to $((size - 1))
    # The ends of all lines but one.
    for end in $(LC_ALL=C awk '{ n += length($0) + 1; print n }' six/run.jsonl | sed '$d'); do
        case="at the end of a line, byte $end"
        cut_to "$end"
        case="within a line, byte $end"
        cut_to $((end - 500))
    done
    case="to nothing"
    cut_to 0
    case="removed"
    base=six
    hurt_by rm run.jsonl
    must ends 1 run hurt
    must says "hurt/run.jsonl: is missing, but there are states up to trajectory 6; restore it from a copy, or create"
    must test ! -e hurt/run.jsonl
    : >hurt/run.jsonl
    must run hurt
    must same_stream complete hurt
    must audit hurt)"
none "stopped on the way and continued it is the same" "$(
    case=stopped
    base=six
    hurt_by truncate -s 3000 run.jsonl
    for n in 1 2 3 4 5; do must run hurt --trajectories 1; done
    must run hurt
    must same_stream complete hurt
    must audit hurt)"
# Files of a twin (the same parameters, another past) at trajectories whose lines are lost.
none "later states are compared where the run writes no file of that kind or none at all" "$(
    base=from_2
    new="--set start.from=file --set start.file=first/c.000002.lime --trajectories 5"
    sparse="--set output.configuration_every=4 --set output.checkpoint_every=100"
    one=$(head -n 1 from_2/run.jsonl | wc -c)
    for file in c.000002.lime c.checkpoint.000003.lime; do
        case="$file of another past"
        hurt_by sh -c 'truncate -s $1 run.jsonl && cp ../twin_2/$2 .' sh $one $file
        must ends 1 run hurt $new $sparse
        must says "^error: hurt/$file: exists already with other links or another state; Kiln does not overwrite it"
    done
    case="a checkpoint beside a configuration"
    hurt_by sh -c 'truncate -s $1 run.jsonl && cp ../twin_2/c.000004.lime c.checkpoint.000004.lime' sh $one
    must ends 1 run hurt $new
    must says "^error: hurt/c.checkpoint.000004.lime: exists already with other links or another state"
    case="the stream's own, at any cadence"
    hurt_by truncate -s $one run.jsonl
    must run hurt $new $sparse
    must nothing_set_aside hurt
    [ "$(grep -c 'exists already, with these links' hurt/run.log)" = 3 ] || cat hurt/run.log
    must run hurt $new
    must audit hurt)"
none "a record that is longer than the states is cut to them" "$(
    case=longer
    base=six
    hurt_by rm c.000006.lime c.checkpoint.000005.lime
    must run hurt
    must same_stream complete hurt
    must audit hurt)"
none "parameters do not change while lines are lost; without the start links an empty record is refused" "$(
    case=change
    base=six
    more="--new-segment --set hmc.levels.0.steps=5"
    hurt_by truncate -s 3000 run.jsonl
    must ends 1 run hurt $more
    must says '^error: hurt/run.jsonl: lines of trajectories up to 6 are lost'
    case=start
    mkdir from && cp first/c.000002.lime from
    file="--set start.from=file --set start.file=from/c.000002.lime"
    run from_file $file --trajectories 2
    : >from_file/run.jsonl
    cp first/c.checkpoint.000003.lime from/c.000002.lime
    must ends 1 run from_file $file
    must says '^error: from_file/run.jsonl: has no line for the trajectory of any state file, and the start links')"

# Folders of others.
# left_alone PATTERN OPTIONS...: a run in the folder `others` says PATTERN, and the files there stay as they are.
left_alone() {
    pattern=$1
    shift
    before=$(inventory others)
    ends 1 run others "$@" && says "^error: others.*$pattern" || return 1
    [ "$before" = "$(inventory others)" ] || { echo "the folder was changed"; return 1; }
}
# others_have COMMAND...: COMMAND in a new folder `others`.
others_have() {
    rm -rf others
    mkdir others
    (cd others && "$@") || echo "$* fails"
}
none "an ensemble does not begin among other files, whatever else is there" "$(
    case=others
    others_have touch notes
    must left_alone 'holds no ensemble, but other files (notes)'
    [ "$(ls others)" = notes ] || ls others
    for file in run.yaml first/parameters.yaml first/segments.jsonl; do
        case="beside $file"
        others_have sh -c 'touch notes run.jsonl && cp "../$1" .' sh $file
        [ $file != run.yaml ] || mv others/run.yaml others/parameters.yaml
        must left_alone 'holds no ensemble, but other files (notes)'
    done
    case="an ensemble of another name"
    others_have cp ../first/parameters.yaml ../first/c.000002.lime .
    must left_alone 'other files (c.000002.lime)' --set output.name=d
    case="an empty folder, and one that was left before the first state"
    mkdir empty begun again && touch begun/lock begun/run.log begun/run.jsonl begun/parameters.yaml.partial-1
    cp first/parameters.yaml first/segments.jsonl again
    must run empty --trajectories 1
    must run begun --trajectories 1
    must run again --trajectories 1 --set hmc.trajectories=9)"
none "a parameters.yaml that a user has written is not overwritten, as the input or not" "$(
    case=own
    others_have cp ../run.yaml parameters.yaml
    must left_alone 'parameters.yaml: was not written by kiln run'
    sed -i 's/directory: unnamed/directory: ./' others/parameters.yaml
    before=$(inventory others)
    must ends 1 "$KILN_PROGRAM" run others/parameters.yaml --quiet --device cpu 2>said
    [ "$before" = "$(inventory others)" ] || echo "the folder was changed"
    case=garbage
    others_have sh -c 'echo garbage >parameters.yaml'
    must left_alone 'parameters.yaml: was not written by kiln run')"
none "segments.jsonl that is damaged is not overwritten where states and record are gone, with any seed" "$(
    for damage in 'echo garbage >segments.jsonl' ': >segments.jsonl' 'sed -i s/chain/Chain/ segments.jsonl'; do
        case=$damage
        others_have sh -c 'cp ../first/*.yaml ../first/segments.jsonl . && '"$damage"
        must left_alone 'segments.jsonl: '
        must left_alone 'segments.jsonl: ' --set random.seed=12
    done)"

facts_end
