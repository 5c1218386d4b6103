#!/bin/sh
# Keys that may change while a stream grows: the folder has their present values, and says since when.
cd "${srcdir:-.}" || exit 99
. ./tests/facts.sh
. ./tests/ensemble/stream.sh

cat >run.yaml <<'END_OF_INPUT'
lattice: [4, 4, 4, 4]
random: { seed: 16 }
start: { from: hot, heatbath: { sweeps: 4 } }
monomials:
  - { kind: gauge, name: gauge, action: wilson, beta: 5.6 }
  - kind: staggered
    name: quarks
    action: naive
    determinants: [ { quarks: [ { mass: 0.4, flavors: 4 } ] } ]
    solver: double
hmc:
  trajectory_length: 0.4
  levels:
    - { integrator: leapfrog, steps: 1, monomials: [quarks] }
    - { integrator: omelyan, steps: 1, monomials: [gauge] }
  trajectories: 12
output: { directory: unnamed, name: c, configuration_every: 2, checkpoint_every: 4, bits: 32 }
END_OF_INPUT

mixed="--set monomials.1.solver=double-half"
audit() {
    "$KILN_PROGRAM" audit --device cpu "$1" >audited 2>&1 || { cat audited; return 1; }
}
continue_folder() {
    "$KILN_PROGRAM" run "$1/parameters.yaml" --quiet --device "${KILN_DEVICE:-auto}" --share-gpu 2>said
}
segments_in() {
    wc -l <"$1/segments.jsonl" | tr -d ' '
}

run four --trajectories 4 || { cat said; exit 99; }
cp -R four changed
run changed $mixed --set output.lfn=lfn://kiln/test --trajectories 3 || { cat said; exit 99; }
none "a run with other values begins a segment, and the log has a line for each key" "$(
    case=changed
    must cmp four/parameters.yaml changed/parameters.000004.yaml
    must grep -q 'solver: double-half' changed/parameters.yaml
    must grep -q 'from trajectory 5 on: monomials.1.solver: double-half (before: double)$' changed/run.log
    must grep -q 'from trajectory 5 on: output.lfn: "lfn://kiln/test" (before: "")$' changed/run.log
    must grep -q '"segment": 2, "first_trajectory": 5, .*"reason": "other values of keys that may change", ' \
        changed/segments.jsonl
    must grep -q '"monomials.1.solver: double-half (before: double)", "output.lfn: .*(before: ' changed/segments.jsonl
    [ "$(grep -c 'from trajectory' changed/run.log)" = 2 ] || cat changed/run.log
    [ "$(sed 's/.*"input_digest": "\([^"]*\)".*/\1/' changed/segments.jsonl | uniq | wc -l)" = 1 ] ||
        cat changed/segments.jsonl
    must audit changed
    must grep -q 'segment *other values of keys that may change, from trajectory 5 on' audited
    case="the same again"
    cp -R changed again
    must run again $mixed --set output.lfn=lfn://kiln/test
    [ "$(segments_in again)" = 2 ] || cat again/segments.jsonl)"

# As after SIGKILL: the newest state is that of trajectory 4, and configuration 6 of 32 bits is no state.
rm changed/c.checkpoint.000007.lime
cp -R changed killed
none "the command of kiln status continues with the values of the trajectories that it generates again" "$(
    case=killed
    "$KILN_PROGRAM" status killed >page
    must continue_folder killed
    must grep -q 'c.000006.lime exists already, with these links' killed/run.log
    must grep -q '"trajectory": 12,' killed/run.jsonl
    must audit killed)"

cp -R changed other
none "other values that contradict a configuration: the message promises no bits, and says what to do" "$(
    case=other
    must ends 1 run other
    must says '^error: other/c.000006.lime: exists already with other links or .*with the parameters (parameters'
    must says '(trajectories 5 to 6 are lost, and will be generated again): to go on with other links, move this file'
    ! grep 'same bits' said
    must grep -q 'from trajectory 5 on: monomials.1.solver: double (before: double-half)$' other/run.log
    case="the keys that made the file"
    cp -R other back
    must run back $mixed
    must audit back
    case="the file moved"
    mkdir elsewhere
    mv other/c.000006.lime elsewhere
    must run other
    must audit other)"

none "trajectories of an earlier segment that are generated again with another solver: a warning" "$(
    case=earlier
    cp -R again earlier
    rm earlier/c.*.lime
    cp four/c.checkpoint.000000.lime earlier
    : >earlier/run.jsonl
    run earlier $mixed --set output.lfn=lfn://kiln/test
    must says '^warning: trajectories 1 to 4 are generated again, .*: monomials.1.solver: double-half (before: double)'
    ! grep 'rounding: output.lfn' said)"

none "a segment without trajectories keeps its line: reason and changes are added" "$(
    case=first
    must run first --trajectories 0
    must run first --set hmc.trajectories=3
    [ "$(segments_in first)" = 1 ] || cat first/segments.jsonl
    must grep -q '"segment": 1, .*"chain": "0x[0-9a-f]*", .*hmc.trajectories: 3 (before: 12)' first/segments.jsonl
    [ ! -e first/parameters.000000.yaml ] || ls first
    must audit first
    case=new
    cp -R first new
    must run new --new-segment --reason finer --set hmc.levels.0.steps=2 --trajectories 0 --set hmc.trajectories=9
    must run new --set hmc.levels.0.steps=2 --set hmc.trajectories=5 --set output.bits=64
    [ "$(segments_in new)" = 2 ] || cat new/segments.jsonl
    must grep -q '"reason": "finer; other values of keys that may change", .*steps: 2.*trajectories: 9 (before: 3)' \
        new/segments.jsonl
    must grep -q 'hmc.trajectories: 5 (before: 9)", "output.bits: 64 (before: 32)' new/segments.jsonl
    must grep -q 'trajectories: 5' new/parameters.yaml
    must audit new)"

none "a change of measurements has the other keys in its segment" "$(
    case=measurements
    cp -R first measured
    must run measured --set 'measurements=[{kind: polyakov}]' --set hmc.trajectories=4
    [ "$(segments_in measured)" = 2 ] || cat measured/segments.jsonl
    must grep -q '"measurement polyakov: added", "hmc.trajectories: 4 (before: 3)"' measured/segments.jsonl
    must grep -q 'hmc.trajectories: 4 (before: 3)' measured/run.log)"

facts_end
