#!/bin/sh
# A stream of parallel tempering with quarks: each replica has the range of its rational functions.  It does not depend
# on where it stops, on threads or on ranks; a solve that does not converge is kept with its replica.
cd "${srcdir:-.}" || exit 99
. ./tests/facts.sh
. ./tests/ensemble/replica_stream.sh
. ./tests/ensemble/stream.sh

cat >run.yaml <<'END_OF_INPUT'
lattice: [4, 4, 4, 6]
random: { seed: 22 }
start: { from: hot, heatbath: { sweeps: 4 } }
monomials:
  - { kind: gauge, name: gauge, action: wilson, beta: 5.4 }
  - kind: wilson
    name: quarks
    determinants:
      - { flavors: 2, mass: 0.3, chronological: 2 }
      - { flavors: 1, mass: 0.6 }
    residuals: { refresh: 1e-9, action: 1e-9, force: 1e-8 }
    solver: double
tempering:
  replicas: 3
  factors: [ { c: 1 }, { c: 0.6 }, { c: 0 } ]
  defect: { direction: z, size: 1 }
hmc:
  trajectory_length: 0.4
  levels:
    - { integrator: leapfrog, steps: 2, monomials: [quarks] }
    - { integrator: omelyan, steps: 1, monomials: [gauge] }
  trajectories: 5
  thermalization: 1
output: { directory: unnamed, name: c, configuration_every: 2, checkpoint_every: 1 }
END_OF_INPUT

run whole --threads 1 --set output.configuration_every=1 || { cat said; exit 99; }
accepted=$(swaps_of whole | grep -o '"dS": [^,]*, "accepted": true' | wc -l)
holds "of the swaps of five trajectories $accepted are accepted" [ "$accepted" -gt 0 -a "$accepted" -lt 10 ]
holds "the record has the iterations of each replica" sh -c \
    'grep -c "\"iterations\": [1-9][0-9]*}, {\"dH\"" whole/run.jsonl'
holds "a checkpoint has the ranges of each replica" sh -c \
    'grep -a -q "\"replica.1.quarks.1\": \[" whole/c.checkpoint.000005.lime &&
     grep -a -q "\"replica.2.quarks.1\": \[" whole/c.checkpoint.000005.lime'
holds "the fields beside it are the links of the replicas alone" \
    [ "$(cd whole/c.fields.000005 && echo *)" = "fields.json replica.1.npy replica.2.npy" ]
holds "kiln audit finds it right" "$KILN_PROGRAM" audit whole
holds "kiln check takes quarks" sh -c '"$KILN_PROGRAM" check run.yaml | grep -q "^#   replicas  *3; each has the work"'
stopped_facts 1

# The replicas are updated from the last one on.
replay() {
    "$KILN_PROGRAM" replay "$@" --device "${KILN_DEVICE:-auto}" >said 2>&1
}
cp -r whole failed
holds "with few iterations the run ends with status 1" ends 1 run failed --set hmc.trajectories=6 \
    --set monomials.1.max_iterations=5
holds "and says in which replica" says "trajectory 6, [a-z]* of quarks, replica 2: .*did not converge"
holds "the folder of the failure has its number" grep -q '"replica": 2' failed/failure.000006/failure.json
holds "replayed, the step fails again" ends 1 replay failed/failure.000006
holds "for the same reason" says "fails: .*did not converge: after 5 of at most 5 iterations"
holds "to the last digit of its residual" [ "$(sed -n 's/.* failed: //p' said)" = "$(sed -n 's/.* fails: //p' said)" ]
holds "with more iterations it succeeds" ends 0 replay failed/failure.000006 --set monomials.1.max_iterations=2000
run more --set hmc.trajectories=6 || { cat said; exit 99; }
holds "the run goes on from its last checkpoint" run failed --set hmc.trajectories=6
holds "as if nothing had failed" same_stream_at_any_cadence more failed

facts_end
