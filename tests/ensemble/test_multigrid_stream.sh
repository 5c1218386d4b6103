#!/bin/sh
# `method: multigrid` in a stream: the trajectory of conjugate gradients up to the residuals, the same bits after a kill
# within a trajectory and on two ranks, also with open boundaries in time, and clear faults where it is not possible.
cd "${srcdir:-.}" || exit 99
. ./tests/facts.sh
. ./tests/ensemble/stream.sh

cat >run.yaml <<'INPUT'
lattice: [4, 4, 4, 16]
random: { seed: 5 }
start: { from: cold }
monomials:
  - { kind: gauge, name: gauge, action: wilson, beta: 5.8 }
  - kind: wilson
    name: quarks
    c_sw: 1.2
    determinants: [ { flavors: 2, mass: 0.1, hasenbusch: [ { mass: 0.4 } ] } ]
    residuals: { refresh: 1e-11, action: 1e-11, force: 1e-9 }
    method: multigrid
hmc:
  trajectory_length: 0.3
  levels: [ { integrator: leapfrog, steps: 2, monomials: [quarks, gauge] } ]
  trajectories: 2
  thermalization: 2
output: { directory: unnamed, name: a, configuration_every: 1 }
INPUT

run whole || { cat said; exit 99; }
run plain --set monomials.1.method=cg || { cat said; exit 99; }
chain_of() {
    tail -n 1 "$1/run.jsonl" | sed 's/.*"chain": "\([0-9a-fx]*\)".*/\1/'
}
member_of() {                            # of the last trajectory: NAME FOLDER
    tail -n 1 "$2/run.jsonl" | grep -o "\"$1\": [-0-9.e]*" | head -n 1 | cut -d ' ' -f 2
}
close_dh() {
    awk -v a="$(member_of dH whole)" -v b="$(member_of dH plain)" 'BEGIN { exit !(a != b && (a - b)^2 < 1e-12) }'
}
holds "dH is that of conjugate gradients up to the residuals, from other solves" close_dh
holds "the record says that multigrid made the solves" \
    grep -q '"method": {"name": "multigrid", "kept": 0, "refined": [1-9][0-9]*, "rebuilt": 1, "cycles": [1-9]' \
    whole/run.jsonl
holds "and none went on with conjugate gradients" [ "$(grep -c '"fallback' whole/run.jsonl)" = 0 ]

holds "a run is killed within its second trajectory" killed_within 2 killed
holds "the same command goes on within it" goes_on_within 2 killed
holds "with the same stream: the near-null vectors are in the checkpoint" [ "$(chain_of killed)" = "$(chain_of whole)" ]
same_record() {
    record_of "$1" >record.1
    record_of "$2" >record.2
    diff record.1 record.2
}
holds "and the same record: cycles are those of one trajectory, before and after the kill" same_record killed whole

holds "two ranks run it" run ranks --ranks 2
holds "with the same stream" [ "$(chain_of ranks)" = "$(chain_of whole)" ]

refused() {                              # WORDS OPTION...
    words=$1
    shift
    ! "$KILN_PROGRAM" check run.yaml "$@" >checked 2>&1 && grep -F "$words" checked
}
holds "a lattice without an even number of blocks is refused" \
    refused 'quarks: method multigrid: blocks of 3x3x3x3: at least one extent must be even' --set lattice=[6,6,6,6]
holds "so is a number of vectors that no kernel has" \
    refused 'quarks: method multigrid: 13 near-null vectors: their number must be a multiple of 6, at most 48' \
    --set monomials.1.multigrid.vectors=13
holds "so are blocks that do not cut the lattice" \
    refused 'quarks: method multigrid: blocks of 4x2x2x4 do not cut lattice 4x4x4x16' \
    --set monomials.1.multigrid.block=[4,2,2,4]
holds "so is the symmetric form, and the fault names the other one" \
    refused 'quarks: method multigrid is for the asymmetric form of clover quarks: give them even_odd: asymmetric, or' \
    --set monomials.1.even_odd=symmetric
refused_grid() {
    ! run grid --ranks 4 --grid 1,1,1,4 && grep -F 'choose a grid with fewer processes in direction t' said
}
holds "so is a grid that cuts blocks" refused_grid

# Other settings: other bits, the same physics up to the residuals.
holds "the input chooses blocks, vectors and the cycle" run chosen --set hmc.trajectories=1 \
    --set monomials.1.multigrid.block=[2,2,2,2] --set monomials.1.multigrid.vectors=12 \
    --set monomials.1.multigrid.setup_iterations=20 --set monomials.1.multigrid.setup_passes=1 \
    --set monomials.1.multigrid.pre_smooth=2 --set monomials.1.multigrid.post_smooth=4 \
    --set monomials.1.multigrid.coarse_residual=0.05 --set monomials.1.multigrid.coarse_iterations=40
holds "which are in its record of parameters" grep -q 'block: \[2, 2, 2, 2\]' chosen/parameters.yaml
first_dh() {
    head -n 1 "$1/run.jsonl" | grep -o '"dH": [-0-9.e]*' | head -n 1 | cut -d ' ' -f 2
}
close_first_dh() {
    awk -v a="$(first_dh whole)" -v b="$(first_dh chosen)" 'BEGIN { exit !(a != b && (a - b)^2 < 1e-12) }'
}
holds "dH is the same up to the residuals" close_first_dh
holds "and an ensemble goes on with the settings of another one" run chosen --set hmc.trajectories=2
holds "a run with other settings is killed within its second trajectory" killed_within 2 later
holds "and goes on with fewer vectors" run later --set monomials.1.multigrid.vectors=12

# Without smoothing the cycle is not enough.
cp run.yaml smoothed.yaml
sed 's/method: multigrid/&\n    multigrid: { post_smooth: 0 }/' smoothed.yaml >run.yaml
holds "where multigrid fails, conjugate gradients make the solves" run unsmoothed
holds "a warning says so" grep -q \
    'trajectory 1, quarks: conjugate gradients took the place of multigrid [1-9][0-9]* times; use method' said
holds "and the record how often" grep -q '"name": "multigrid".*"fallbacks": [1-9]' unsmoothed/run.jsonl
holds "such a run is killed within its second trajectory" killed_within 2 unsmoothed_killed
holds "goes on within it" goes_on_within 2 unsmoothed_killed
holds "and counts what came before the kill" same_record unsmoothed_killed unsmoothed
mv smoothed.yaml run.yaml

holds "Wilson quarks without a clover term run, too" run wilson --set monomials.1.c_sw=0 --set hmc.trajectories=1

# Open boundaries in time.
sed -e 's/^lattice:.*/lattice: [4, 4, 4, 8]/' -e 's/^random:/boundary: { time: open }\n&/' \
    -e 's/c_sw: 1.2/&\n    c_F: 1.1/' \
    -e 's/method: multigrid/&\n    multigrid: { block: [2, 2, 2, 2], vectors: 12 }/' run.yaml >open.yaml
mv open.yaml run.yaml
run open || { cat said; exit 99; }
run open_plain --set monomials.1.method=cg || { cat said; exit 99; }
close_open_dh() {
    awk -v a="$(member_of dH open)" -v b="$(member_of dH open_plain)" 'BEGIN { exit !(a != b && (a - b)^2 < 1e-12) }'
}
holds "open boundaries: dH is that of conjugate gradients up to the residuals" close_open_dh
holds "multigrid made the solves" grep -q '"method": {"name": "multigrid", .*"cycles": [1-9]' open/run.jsonl
holds "and no others" [ "$(grep -c '"fallback' open/run.jsonl)" = 0 ]
holds "a run with open boundaries is killed within its second trajectory" killed_within 2 open_killed
holds "goes on within it" goes_on_within 2 open_killed
holds "with the same stream" [ "$(chain_of open_killed)" = "$(chain_of open)" ]
holds "and the same record" same_record open_killed open
holds "as have two ranks" eval 'run open_ranks --ranks 2 && [ "$(chain_of open_ranks)" = "$(chain_of open)" ]'

# A refresh without solves, S at the start from its random numbers, and a drift before the first force: the first solve
# of a trajectory, which makes the vectors, comes late.
cat >run.yaml <<'INPUT'
lattice: [4, 4, 4, 8]
random: { seed: 5 }
start: { from: cold }
monomials:
  - { kind: gauge, name: gauge, action: wilson, beta: 5.8 }
  - kind: wilson
    name: quarks
    determinants: [ { flavors: 2, mass: 0.1 } ]
    residuals: { refresh: 1e-11, action: 1e-11, force: 1e-9 }
    method: multigrid
    multigrid: { block: [2, 2, 2, 2], vectors: 12 }
hmc:
  trajectory_length: 0.3
  start_action_every: 4
  levels: [ { integrator: omelyan_position, steps: 1, monomials: [quarks] },
            { integrator: omelyan, steps: 250, monomials: [gauge] } ]
  trajectories: 4
  thermalization: 4
output: { directory: unnamed, name: a, configuration_every: 4 }
INPUT
run late_solves || { cat said; exit 99; }
killed_early() {
    killed_within 2 late_killed
    [ "$(ls late_killed | sed -n 's/^midtrajectory[.]000002[.]0*\([0-9]*\)$/\1/p' | tail -n 1)" -lt 250 ]
}
holds "a run is killed within its second trajectory, before its first solve" killed_early
holds "goes on within it" goes_on_within 2 late_killed
holds "makes new vectors, as without the kill" [ "$(chain_of late_killed)" = "$(chain_of late_solves)" ]
holds "and has the same record" same_record late_killed late_solves
holds "evaluations that are made twice agree, also before the first solve" run late_twice --set sdc_check.rate=1
holds "and do not change the stream" [ "$(chain_of late_twice)" = "$(chain_of late_solves)" ]
facts_end
