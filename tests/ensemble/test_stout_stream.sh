#!/bin/sh
# A stream with quarks on stout links does not depend on where it stops, on threads or on ranks; its measurements smear
# as its action does; smearing is a parameter that a stream keeps.
cd "${srcdir:-.}" || exit 99
. ./tests/facts.sh
. ./tests/ensemble/stream.sh

cat >run.yaml <<'END_OF_INPUT'
lattice: [4, 4, 4, 8]
random: { seed: 19 }
start: { from: hot }
monomials:
  - { kind: gauge, name: gauge, action: symanzik_tree, beta: 4.2 }
  - kind: domain_wall
    name: quarks
    Ls: 4
    stout: { levels: 2, rho: 0.1 }
    determinants:
      - { flavors: 2, mass: 0.3, hasenbusch: [ { mass: 0.7 } ], chronological: 2 }
    residuals: { refresh: 1e-9, action: 1e-9, force: 1e-6 }
    solver: double-single-half
hmc:
  trajectory_length: 0.3
  levels:
    - { integrator: omelyan, steps: 1, monomials: [quarks] }
    - { integrator: omelyan, steps: 1, monomials: [gauge] }
  trajectories: 4
  thermalization: 4
  reunitarize_every: 2
measurements:
  - { kind: domain_wall, every: 2, Ls: 4, stout: { levels: 2, rho: 0.1 }, masses: [ { mass: 0.3 } ],
      random_sources: 1, correlators: false }
output: { directory: unnamed, name: c, configuration_every: 2, checkpoint_every: 1 }
END_OF_INPUT

run whole --threads 1 --set output.configuration_every=1 || { cat said; exit 99; }
none "stopped after any trajectory and continued with other threads, the stream is the uninterrupted one" "$(
    for n in 1 3; do
        case="after $n"
        must run stopped_$n --trajectories $n --threads 2
        must run stopped_$n --threads $((n % 3 + 1))
        must same_stream_at_any_cadence whole stopped_$n
    done)"
holds "two ranks make this stream" run ranks --ranks 2 --grid 1,1,1,2 --set output.configuration_every=1
holds "bit for bit" same_stream whole ranks
audit() {
    "$KILN_PROGRAM" audit whole >said 2>&1
}
holds "kiln audit finds it complete" audit

# Smearing is part of the action.
holds "another rho is refused where the stream goes on" ends 1 run stopped_1 --set monomials.1.stout.rho=0.12
holds "with the key" says 'monomials.1.stout.rho'
holds "links without smearing make another stream" run thin --set monomials.1.stout='{}' --set measurements='[]'
holds "from the first trajectory on" different_links whole thin

# A solve that does not converge leaves a folder that replay repeats, smearing included.
holds "a solve that does not converge ends the run" ends 1 run short --set monomials.1.max_iterations=3
replay() {
    "$KILN_PROGRAM" replay "$@" --device "${KILN_DEVICE:-auto}" >said 2>&1
}
holds "kiln replay repeats it: it fails again" ends 1 replay short/failure.000001
holds "with more iterations it succeeds" ends 0 replay short/failure.000001 --set monomials.1.max_iterations=2000

# 2 + 1 flavors with a clover term, on spatially smeared links.
sed -i.orig -e '/^measurements:/,/random_sources/d' -e 's/kind: domain_wall/kind: wilson/' \
    -e 's/^    Ls: 4/    c_sw: 1.3/' -e 's/rho: 0.1 }/rho: 0.14, spatial_only: true }/' \
    -e 's/, chronological: 2 }/ }\n      - { flavors: 1, mass: 0.5 }/' run.yaml
run clover --threads 1 --set output.configuration_every=1 || { cat said; exit 99; }
holds "two ranks make the stream with a clover term" run clover_ranks --ranks 2 --set output.configuration_every=1
holds "bit for bit" same_stream clover clover_ranks

facts_end
