#!/bin/sh
# `solver: adaptive` after a refresh of few iterations: action and force are solved in double, although the table has
# another kind for the lattice; and a trajectory that is killed on its way remembers this.
cd "${srcdir:-.}" || exit 99
. ./tests/facts.sh
. ./tests/ensemble/stream.sh

# The smallest lattice on which the table has another kind than double: for forces.
cat >run.yaml <<'END'
lattice: [16, 16, 16, 8]
random: { seed: 3 }
start: { from: cold }
monomials:
  - { kind: gauge, name: gauge, action: wilson, beta: 5.6 }
  - kind: staggered
    name: quarks
    action: naive
    determinants: [ { quarks: [ { mass: 0.3, flavors: 2 } ] } ]
    residuals: { refresh: 1e-8, action: 1e-8, force: 1e-5 }
    solver: adaptive
hmc:
  trajectory_length: 0.2
  levels: [ { integrator: leapfrog, steps: 6, monomials: [quarks, gauge] } ]
  trajectories: 1
  thermalization: 1
output: { directory: unnamed, name: a, configuration_every: 1 }
END

run whole || { cat said; exit 99; }
run double --set monomials.1.solver=double || { cat said; exit 99; }
run single --set monomials.1.solver=double-single || { cat said; exit 99; }
mixed_solves() {
    grep -c '"mixed_precision": ' "$1/run.jsonl"
}
chain_of() {
    sed 's/.*"chain": "\([0-9a-fx]*\)".*/\1/' "$1/run.jsonl"
}
dh_of() {
    sed 's/.*"dH": \([-+.e0-9]*\),.*/\1/' "$1/run.jsonl"
}
"$KILN_PROGRAM" check run.yaml >checked
holds "the table has another kind for forces" grep -q 'solver adaptive: .*force double-single' checked
holds "check says when it is not used" \
    grep -q 'double for action and force after a refresh of fewer than 4578 iterations' checked
holds "after a short refresh no solve is in mixed precision" [ "$(mixed_solves whole)" = 0 ]
holds "the trajectory is the one of solver: double" [ "$(dh_of whole)" = "$(dh_of double)" ]
holds "which differs from the one of the table's kind" [ "$(dh_of whole)" != "$(dh_of single)" ]

is_within() {
    ls killed 2>/dev/null | grep -E -q '^midtrajectory\.000001\.[0-9]+$'
}
killed_within() {
    rm -rf killed
    start killed --checkpoint-minutes 0
    while kill -0 $process 2>/dev/null && ! is_within; do
        sleep 0.05
    done
    kill -KILL $process
    wait $process 2>/dev/null
    is_within && [ "$(wc -l <killed/run.jsonl)" = 0 ]
}
holds "a run is killed within its trajectory" killed_within
goes_on() {
    run killed && grep 'continuing within trajectory 1, at step' killed/run.log
}
holds "the same command goes on within it" goes_on
holds "with the same stream" [ "$(chain_of killed)" = "$(chain_of whole)" ]
facts_end
