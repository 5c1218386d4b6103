#!/bin/sh
# A stream with Wilson quarks, without or with a clover term, does not depend on where it stops or on threads; a
# trajectory that cannot go on is kept, and can be repeated.
cd "${srcdir:-.}" || exit 99
. ./tests/facts.sh
. ./tests/ensemble/stream.sh

cat >run.yaml <<'END_OF_INPUT'
lattice: [4, 4, 4, 4]
random: { seed: 15 }
start: { from: hot }
monomials:
  - { kind: gauge, name: gauge, action: wilson, beta: 5.6 }
  - kind: wilson
    name: quarks
    determinants:
      - { flavors: 2, mass: 0.1, hasenbusch: [ { mass: 0.5 } ], chronological: 2 }
    residuals: { refresh: 1e-9, action: 1e-9, force: 1e-6 }
    solver: double-single-half
hmc:
  trajectory_length: 0.5
  levels:
    - { integrator: omelyan, steps: 2, monomials: [quarks] }
    - { integrator: omelyan, steps: 1, monomials: [gauge] }
  trajectories: 6
  thermalization: 6
  reunitarize_every: 2
output: { directory: unnamed, name: c, configuration_every: 2, checkpoint_every: 1 }
END_OF_INPUT

run whole --threads 1 --set output.configuration_every=1 || { cat said; exit 99; }
none "stopped after any trajectory and continued with other threads, the stream is the uninterrupted one" "$(
    for n in 1 2 5; do
        case="after $n"
        must run stopped_$n --trajectories $n --threads 2
        must run stopped_$n --threads $((n % 3 + 1))
        must same_stream_at_any_cadence whole stopped_$n
    done)"

# A solve that does not converge.
holds "a solve that does not converge ends the run with status 1" ends 1 run short \
    --set monomials.1.max_iterations=3
holds "says which" says 'trajectory 1, refresh of quarks: factor 0: the solve of the denominator did not converge'
holds "and leaves all of it in a folder" test -d short/failure.000001
replay() {
    "$KILN_PROGRAM" replay "$@" --device "${KILN_DEVICE:-auto}" >said 2>&1
}
holds "kiln replay repeats it: it fails again" ends 1 replay short/failure.000001
holds "with more iterations it succeeds" ends 0 replay short/failure.000001 --set monomials.1.max_iterations=2000
none "the run goes on once it may iterate longer, and is the uninterrupted one" "$(
    case=continued
    must run short --set monomials.1.max_iterations=2000
    must same_stream_at_any_cadence whole short)"

# 2 + 1 flavors with a clover term; the third one has ranges of rational functions, which a state keeps.
sed -i.orig -e 's/^    name: quarks/&\n    c_sw: 1.3/' \
    -e 's/, chronological: 2 }/ }\n      - { flavors: 1, mass: 0.5 }/' run.yaml
run clover --threads 1 --set output.configuration_every=1 || { cat said; exit 99; }
none "the same for 2 + 1 flavors with a clover term" "$(
    for n in 1 3; do
        case="after $n"
        must run clover_$n --trajectories $n --threads 2
        must run clover_$n --threads 3
        must same_stream_at_any_cadence clover clover_$n
    done)"
holds "two ranks make this stream" run clover_ranks --ranks 2 --set output.configuration_every=1
holds "bit for bit" same_stream clover clover_ranks

facts_end
