#!/bin/sh
# Parameters that change on the way: what may, from when on, and that no kill leaves the folder between the two.
cd "${srcdir:-.}" || exit 99
. ./tests/facts.sh
. ./tests/ensemble/stream.sh

audit() {
    "$KILN_PROGRAM" audit --device cpu "$@" >audited 2>said || { cat audited; return 1; }
}

# Three trajectories, then five with shorter steps.
new="--set hmc.levels.0.steps=4 --set monomials.0.beta=4.6 --set hmc.trajectories=8 --set hmc.thermalization=5"
change() {
    run "$1" $new --new-segment --reason 'steps were "too" long' $2
}
run three --trajectories 3 || { cat said; exit 99; }
run whole || { cat said; exit 99; }
cp -R three kept
before=$(inventory kept)

refused() {         # PATTERN OPTIONS...
    pattern=$1
    shift
    ends 1 run kept --new-segment "$@" && says "^error: kept: .*$pattern"
}
none "what a stream is cannot change, and the reason is told" "$(
    case=stream
    must refused 'cannot change lattice: .*extents' --set 'lattice=[4, 4, 6, 4]'
    must refused 'cannot change random.seed: ' --set random.seed=12
    must refused 'cannot change random.stream: ' --set random.stream=1
    must refused 'cannot change start: ' --set start.from=cold
    must refused 'cannot change start: ' --set start.heatbath.sweeps=1
    must refused 'cannot change output.name: ' --set output.name=d
    case="with a change that would be possible"
    must refused 'cannot change random.seed: ' --set random.seed=12 $new)"
none "without a change, or where it changes nothing that is fixed, there is no new segment" "$(
    case=none
    must refused 'the input has the parameters of the ensemble'
    must refused 'the input has the parameters of the ensemble' --set hmc.trajectories=9)"
holds "nothing is touched by that" [ "$before" = "$(inventory kept)" ]
none "a folder without an ensemble has nothing to change; a reason belongs to a change" "$(
    case=fresh
    must ends 1 run fresh --new-segment
    must says 'there is no ensemble yet'
    [ ! -e fresh/parameters.yaml ] || ls fresh
    must ends 2 run kept --reason because)"
holds "without being asked for, a change is refused, and how to ask is told" ends 1 run kept $new
holds "that is said" says "new-segment"

cp -R three changed
change changed || cat said
none "the changed parameters hold from the next trajectory on, and the record says so" "$(
    case=changed
    must cmp three/parameters.yaml changed/parameters.000003.yaml
    must grep -q 'steps: 4' changed/parameters.yaml
    [ "$(wc -l <changed/segments.jsonl)" = 2 ] || cat changed/segments.jsonl
    must grep -q '"segment": 2, "first_trajectory": 4, .*"reason": "steps were \\"too\\" long", .*steps: 3.*steps: 4' \
        changed/segments.jsonl
    must grep -q 'new segment begins with trajectory 4, reason: steps were' changed/run.log
    digests=$(sed -n 's/.*"input_digest": "\(0x[0-9a-f]*\)".*/\1/p' changed/run.jsonl |
        uniq -c | tr -s ' ' | cut -d ' ' -f 2)
    [ "$(echo $digests)" = "3 5" ] || echo "lines with one digest: $digests"
    must cmp whole/c.000002.lime changed/c.000002.lime
    for n in 4 6 8; do
        digest=$(tail -n 1 changed/segments.jsonl | sed 's/.*"input_digest": "\([^"]*\)".*/\1/')
        must grep -qa "\"input_digest\": \"$digest\"" changed/c.00000$n.lime
    done
    must audit changed)"
holds "the same change twice is refused" ends 1 change changed
holds "the same command without it goes on" run changed $new

none "a stream with a change does not depend on where it stops" "$(
    for n in 4 5 8; do
        case="after $n"
        cp -R three stopped_$n
        must change stopped_$n "--trajectories $((n - 3))"
        must run stopped_$n $new
        must same_stream changed stopped_$n
        must audit stopped_$n
    done)"

# A change is there or not, whenever it is killed.
cp -R three counted
if count_calls 31 counted $new --new-segment; then
    none "killed before one of the first calls that change files, a change is finished, or can be asked for again" "$(
        for k in $(seq 6 "$(step_of 1)" 27); do
            rm -rf killed
            cp -R three killed
            name=$(with_mishap "signal 9 $k" killed $new --new-segment)
            case="killed before call $k ($name)"
            asked=
            [ "$(wc -l <killed/segments.jsonl)" = 2 ] || asked=--new-segment
            must run killed $new $asked
            must same_stream changed killed
            must audit killed
            ! ls killed | grep next
        done)"
    # A trajectory that was under way, and is then to be another one.
    cp -R three within
    cp -R three counted_within
    count_calls 100 counted_within --checkpoint-minutes 0 --trajectories 1
    name=$(with_mishap "signal 9 $((calls / 2))" within --checkpoint-minutes 0)
    none "a trajectory under way with the old parameters is given up, which is said" "$(
        case="killed before $name"
        must sh -c 'ls within | grep -q "^midtrajectory.000004.[0-9]*$"'
        must change within "--trajectories 1"
        must grep -q 'that trajectory restarts: its mid-trajectory checkpoint has the old parameters' within/run.log
        ! ls within | grep -e midtrajectory -e corrupt
        must run within $new
        must same_stream changed within)"
    none "or dropped, as long as it is not there" "$(
        for k in $(seq 8 4 27); do
            rm -rf dropped
            cp -R three dropped
            name=$(with_mishap "signal 9 $k" dropped $new --new-segment)
            case="killed before call $k ($name)"
            [ "$(wc -l <dropped/segments.jsonl)" = 2 ] && break
            must run dropped
            must same_stream whole dropped
            must audit dropped
        done)"
else
    skip "a change that is killed" "the system lets no process listen to another's calls"
fi

none "a change that has made nothing is replaced by the next one" "$(
    case=replaced
    cp -R three replaced
    must run replaced --new-segment --trajectories 0 --set hmc.levels.0.steps=7
    must change replaced
    [ "$(wc -l <replaced/segments.jsonl)" = 2 ] || cat replaced/segments.jsonl
    must same_stream changed replaced
    must audit replaced
    case="back to the first parameters"
    must run replaced --new-segment --set hmc.trajectories=9
    [ "$(wc -l <replaced/segments.jsonl)" = 3 ] || cat replaced/segments.jsonl
    must grep -q 'beta: 4.6' replaced/parameters.000008.yaml
    must audit replaced)"

none "a change that has made nothing leaves its keys, its reason and its measurements to the next one" "$(
    case=joined
    cp -R three joined
    must run joined --new-segment --trajectories 0 --reason action --set monomials.0.beta=4.6
    must run joined --new-segment --set monomials.0.beta=4.6 --set hmc.levels.0.steps=4 --trajectories 0 \
        --set 'measurements=[{kind: polyakov}]' --set hmc.trajectories=8
    must run joined --new-segment --reason steps --set monomials.0.beta=4.6 --set hmc.levels.0.steps=5 \
        --set 'measurements=[{kind: polyakov}]' --set hmc.trajectories=8 --set hmc.thermalization=0
    [ "$(wc -l <joined/segments.jsonl)" = 2 ] || cat joined/segments.jsonl
    for change in '"reason": "action; steps", ' 'ensemble: monomials.0.beta: 4.5", "input: *monomials.0.beta: 4.6"' \
        'input: *hmc.levels.0.steps: 5"' '"measurement polyakov: added"' 'hmc.trajectories: 8 (before: 6)'; do
        must grep -q "\"segment\": 2, .*$change" joined/segments.jsonl
    done
    must has joined 'the means include segments with different actions: new ones begin at trajectory 4'
    must sh -c '! grep "steps: 4" joined/segments.jsonl'
    must audit joined
    case="back to the parameters before"
    cp -R three undone
    must run undone --new-segment --trajectories 0 --set monomials.0.beta=4.6
    must run undone --new-segment --set hmc.thermalization=0
    must sh -c '! "$KILN_PROGRAM" status undone | grep "different actions"'
    must audit undone)"

# States of the older segment are places to continue from, with the parameters of their trajectories.
cp -R changed back
rm back/c.00000[468].lime back/c.checkpoint.*.lime
none "where only states of an older segment are left, its parameters make what is missing, and no more" "$(
    case=new
    must ends 1 run back $new
    must says "trajectory 3 belongs to a segment with other parameters; to generate it, use back/parameters.000003.yaml"
    case=change
    must ends 1 run back --new-segment --set hmc.levels.0.steps=9
    must says "trajectories 3 to 3 of an earlier segment are missing"
    case=old
    must ends 1 run back
    must says "trajectories from 4 on belong to the next segment, which has other parameters"
    case=go_on
    must run back $new
    must same_stream changed back
    must audit back)"

# Hasenbusch masses and the length of trajectories change neither action nor means, but the unit of tau.
hasenbusch() {          # KAPPA
    echo "monomials=[{kind: gauge, name: g, action: wilson, beta: 4.5}, {kind: wilson, name: q, determinants:" \
         "[{kappa: 0.12, hasenbusch: [{kappa: $1}]}]}]"
}
quarks() {              # KAPPA OPTIONS...
    kappa=$1
    shift
    run quarks --set "$(hasenbusch "$kappa")" --set 'hmc.levels=[{integrator: omelyan, steps: 2, monomials: [g, q]}]' \
        --set hmc.thermalization=1 "$@"
}
units() {               # of accepted trajectories after thermalization: seconds of all of them by the time of each
    sed -n 's/.*"accepted": \([a-z]*\), "thermalization": false.*"wall_seconds": \([^,]*\),.*/\1 \2/p' \
        quarks/run.jsonl | awk '{ seconds += $2; length = NR > 2 ? 1 : 0.5; units += $1 == "true" ? length : 0 }
            END { printf "%.3g device hours per accepted unit", seconds / units / 3600 }'
}
none "segments that differ in Hasenbusch masses are one ensemble; one with longer trajectories has its own unit" "$(
    case=begin
    must quarks 0.11 --set hmc.trajectory_length=0.5 --trajectories 3
    case=change
    must quarks 0.1 --set hmc.trajectory_length=1 --new-segment --trajectories 3
    must sh -c '! "$KILN_PROGRAM" status quarks | grep "different actions"'
    must has quarks 'hmc.trajectory_length is 1 from trajectory 4 on; .* use --from 4 for the tau of this'
    must has quarks "$(units)"
    must sh -c '! "$KILN_PROGRAM" status quarks --from 4 | grep "different lengths"'
    must sh -c '! "$KILN_PROGRAM" status quarks | grep "hmc.thermalization is 1, but"'
    case="a later end of thermalization"
    must quarks 0.1 --set hmc.trajectory_length=1 --set hmc.thermalization=4 --new-segment --trajectories 1
    must has quarks 'hmc.thermalization is 4, but trajectory 2 was made before .*begin them later with --from 5'
    must sh -c '! "$KILN_PROGRAM" status quarks --from 5 | grep "hmc.thermalization is 4, but"')"

facts_end
