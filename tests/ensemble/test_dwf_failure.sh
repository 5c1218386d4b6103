#!/bin/sh
# A solve of domain-wall quarks that does not converge: all of it is kept with all slices of its fields, and can be
# repeated.
cd "${srcdir:-.}" || exit 99
. ./tests/facts.sh
. ./tests/ensemble/stream.sh

# The refresh's solve is of the heavy mass and short, those of action and force are longer, the force's the longest.
cat >run.yaml <<'END_OF_INPUT'
lattice: [4, 2, 4, 6]
random: { seed: 5 }
monomials:
  - { kind: gauge, name: gauge, action: iwasaki, beta: 2.4 }
  - kind: domain_wall
    name: quarks
    action: mobius
    Ls: 6
    determinants:
      - { flavors: 2, mass: 0.1 }
    residuals: { refresh: 1e-6, action: 1e-6, force: 1e-12 }
hmc:
  trajectory_length: 0.2
  levels: [ { integrator: leapfrog, steps: 2, monomials: [gauge, quarks] } ]
  trajectories: 1
  thermalization: 1
output: { directory: unnamed, name: c }
END_OF_INPUT

replay() {
    "$KILN_PROGRAM" replay "$@" --device "${KILN_DEVICE:-auto}" >said 2>&1
}
shape_of() {                                     # as the head of a file of NumPy has it
    head -c 128 "$1" | tail -c +11 | sed -n "s/.*'shape': (\([0-9, ]*\)).*/\1/p"
}
# stopped_at ITERATIONS STEP: the run ends there, and what it leaves repeats the failure.
stopped_at() {
    folder=most_$1/failure.000001
    holds "with at most $1 iterations the run ends with status 1" ends 1 run most_$1 \
        --set monomials.1.max_iterations=$1
    holds "and says where: $2" says "trajectory 1, $2 of quarks: .*did not converge"
    holds "pseudofermions are kept as [slice][t][z][y][x][spin][reals]" [ \
        "$(shape_of $folder/quarks.pf0.npy)" = "6, 6, 4, 2, 4, 4, 6" ]
    holds "replayed, the $2 fails again" ends 1 replay $folder
    holds "for the same reason" says "fails: .*did not converge: after $1 of at most $1 iterations"
    holds "with more iterations it succeeds" ends 0 replay $folder --set monomials.1.max_iterations=2000
}
stopped_at 3 'refresh'
stopped_at 30 force

facts_end
