#!/bin/sh
# `solver: adaptive` after a refresh of few iterations: action and force are solved in double, although the table has
# another kind for the lattice; and a trajectory that is killed on its way remembers this.
cd "${srcdir:-.}" || exit 99
. ./tests/facts.sh
. ./tests/ensemble/stream.sh

# The smallest lattice on which the table has other kinds than double for all roles.
cat >run.yaml <<'END'
lattice: [16, 16, 16, 16]
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
  levels: [ { integrator: leapfrog, steps: 4, monomials: [quarks, gauge] } ]
  trajectories: 1
  thermalization: 1
output: { directory: unnamed, name: a, configuration_every: 1 }
END

run whole || { cat said; exit 99; }
run single --set monomials.1.solver=double-single || { cat said; exit 99; }
chain_of() {
    sed 's/.*"chain": "\([0-9a-fx]*\)".*/\1/' "$1/run.jsonl"
}
"$KILN_PROGRAM" check run.yaml >checked
holds "the table has other kinds for action and force" \
    grep -q 'solver adaptive: .*action double-int30-int20, force double-single' checked
holds "check says when it is not used" \
    grep -q 'double for action and force after a refresh of fewer than 2289 iterations' checked
mixed_roles() {
    grep -o '"mixed_precision": {.*' "$1/run.jsonl" | grep -o '"[a-z]*": {"low_iterations": [1-9]' | cut -d '"' -f 2 |
        tr '\n' ' '
}
roles=$(mixed_roles whole)
holds "after a short refresh no solve is in mixed precision: $roles" [ -z "$roles" ]
roles=$(mixed_roles single)
holds "a fixed kind keeps its precision: $roles" [ "$roles" = "refresh action force " ]

holds "a run is killed within its trajectory" killed_within 1 killed
holds "the same command goes on within it" goes_on_within 1 killed
holds "with the same stream" [ "$(chain_of killed)" = "$(chain_of whole)" ]
facts_end
