#!/bin/sh
# A stream of stochastic molecular dynamics: momenta and pseudofermions are part of its state.  It does not depend on
# where it stops, on threads or on ranks; damaged or missing fields are not taken for a state.
cd "${srcdir:-.}" || exit 99
. ./tests/facts.sh
. ./tests/ensemble/fields_stream.sh
. ./tests/ensemble/stream.sh

cat >run.yaml <<'END_OF_INPUT'
lattice: [4, 4, 4, 8]
random: { seed: 15 }
start: { from: hot, heatbath: { sweeps: 4 } }
monomials:
  - { kind: gauge, name: gauge, action: wilson, beta: 5.6 }
  - kind: staggered
    name: quarks
    action: naive
    determinants: [ { quarks: [ { mass: 0.4, flavors: 2 } ], hasenbusch: [ { mass: 1 } ] } ]
    residuals: { refresh: 1e-9, action: 1e-9, force: 1e-8 }
    solver: double
hmc:
  trajectory_length: 0.4
  levels:
    - { integrator: leapfrog, steps: 1, monomials: [quarks] }
    - { integrator: omelyan, steps: 1, monomials: [gauge] }
  trajectories: 5
  thermalization: 1
smd: { gamma: 0.5 }
output: { directory: unnamed, name: c, configuration_every: 2, checkpoint_every: 1 }
END_OF_INPUT

# Each checkpoint has its fields, and no fields are left without one.
fields_of_checkpoints() {
    ls "$1" | sed -n 's/^c\.checkpoint\.\([0-9]*\)\.lime$/\1/p' | grep -v 000000 >checkpoints.1
    ls "$1" | sed -n 's/^c\.fields\.\([0-9]*\)$/\1/p' >checkpoints.2
    diff checkpoints.1 checkpoints.2
}
same_rest() {
    fields_of_checkpoints "$2"
}

run whole --threads 1 --set output.configuration_every=1 || { cat said; exit 99; }
rejections=$(grep -c '"accepted": false' whole/run.jsonl)
holds "a stream with $rejections rejected trajectories has fields beside its checkpoints" fields_of_checkpoints whole
holds "some are rejected" [ "$rejections" -gt 0 ]
holds "a checkpoint names its fields" grep -a -q '"fields": "0x' whole/c.checkpoint.000005.lime
holds "a configuration says that it lacks them" grep -a -q '"lacks_fields": true' whole/c.000004.lime
holds "kiln audit finds it right" "$KILN_PROGRAM" audit whole

holds "kiln status names the algorithm" sh -c \
    '"$KILN_PROGRAM" status whole | grep -q "stochastic molecular dynamics, gamma 0.5, steps of 0.4"'
holds "kiln check says what a trajectory takes over" sh -c \
    '"$KILN_PROGRAM" check run.yaml | grep -q "part of momenta kept *0.818731"'
stopped_facts 1
if killed_facts 97 --checkpoint-minutes 0 --set hmc.trajectories=3 --set output.checkpoint_every=2; then
    holds "some of them within a trajectory" test -s within
fi

# Fields that are damaged or missing.
damaged_facts field c.fields.000005/quarks.pf1.npy

cp -r whole missing
rm -r missing/c.fields.000005
inventory missing >before
holds "without the folder of its fields, a state is not continued" ends 1 run missing --set hmc.trajectories=6
holds "the reason names what is missing" \
    says 'missing/c.fields.000005: the momenta and pseudofermions of checkpoint 5 are missing; restore'
inventory missing >after
holds "and nothing else was touched" sh -c 'grep -v run.log before >b; grep -v run.log after | cmp -s b -' 

# A checkpoint with another past is refused; the fields beside it stay as they are.
cp -r whole other
rm other/c.00000[1-5].lime
head -n 4 whole/run.jsonl >other/run.jsonl
printf x | dd of=other/c.fields.000005/quarks.pf1.npy bs=1 seek=900 conv=notrunc 2>dd
inventory other/c.fields.000005 >before
holds "a run does not overwrite a checkpoint with another past" ends 1 run other --set output.configuration_every=5 \
    --set monomials.1.solver=double-half
holds "the reason names it" says 'c.checkpoint.000005.lime: exists already with other links or another state'
inventory other/c.fields.000005 >after
holds "its fields are those from before" cmp before after
holds "none are set aside" nothing_set_aside other
holds "and no others are left" nothing_half_written other

holds "with gamma * trajectory_length of almost 0: status 2" ends 2 run none --set smd.gamma=1e-8
holds "with the reason" says 'smd: gamma: gamma \* hmc.trajectory_length is 4e-09; momenta are practically never'
holds "a name that marks fields: status 2" ends 2 run none --set output.name=a.fields.b
holds "with the reason" says 'contains ".fields.", which marks momenta and pseudofermions of checkpoints'

# Other parameters: fields of the distribution before are not taken over.
cp -r whole changed
holds "a segment begins with another gamma" run changed --new-segment --set smd.gamma=2 --set hmc.trajectories=7
is_drawn() {
    sed -n "$1p" changed/run.jsonl | grep -q '"refresh_error"'
}
holds "its first trajectory draws momenta and pseudofermions anew" is_drawn 6
not() {
    ! "$@"
}
holds "the second one mixes them" not is_drawn 7
holds "kiln audit finds it right" "$KILN_PROGRAM" audit changed

facts_end
