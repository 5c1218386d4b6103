#!/bin/sh
# A stream of parallel tempering: the links of all replicas are part of its state.  It does not depend on where it
# stops, on threads or on ranks; a damaged replica is not taken for a state.
cd "${srcdir:-.}" || exit 99
. ./tests/facts.sh
. ./tests/ensemble/replica_stream.sh
. ./tests/ensemble/stream.sh

cat >run.yaml <<'END_OF_INPUT'
lattice: [4, 4, 4, 8]
random: { seed: 21 }
start: { from: hot, heatbath: { sweeps: 4 } }
monomials:
  - { kind: gauge, name: gauge, action: iwasaki, beta: 2.4 }
heatbath: { sweeps: 1, overrelaxation: 1 }
tempering:
  replicas: 4
  factors: [ { c: 1 }, { c: 0.7 }, { c: 0.4 }, { c: 0 } ]
  defect: { direction: z, size: 1 }
hmc:
  trajectories: 8
  thermalization: 2
output: { directory: unnamed, name: c, configuration_every: 2, checkpoint_every: 1 }
END_OF_INPUT

run whole --threads 1 --set output.configuration_every=1 || { cat said; exit 99; }
accepted=$(swaps_of whole | grep -o '"dS": [^,]*, "accepted": true' | wc -l)
rejected=$(swaps_of whole | grep -o '"dS": [^,]*, "accepted": false' | wc -l)
holds "the record has $accepted accepted and $rejected rejected swaps of three pairs in eight trajectories" \
    [ $((accepted + rejected)) = 24 ]
holds "some are accepted, some are rejected" [ "$accepted" -gt 0 -a "$rejected" -gt 0 ]
holds "it says where the links of each replica began" \
    grep -q '"tempering": {"origins": \[[0-3], [0-3], [0-3], [0-3]\]' whole/run.jsonl
holds "a checkpoint has the links of the other replicas" [ "$(ls whole/c.fields.000008 | tr '\n' ' ')" = \
    "fields.json replica.1.npy replica.2.npy replica.3.npy " ]
holds "and says in which replicas they are" grep -a -q '"replica.3": \[' whole/c.checkpoint.000008.lime
holds "a configuration says that it lacks them" grep -a -q '"lacks_fields": true' whole/c.000004.lime
holds "kiln audit finds it right" "$KILN_PROGRAM" audit whole
holds "kiln status shows the acceptance of each pair" sh -c \
    '"$KILN_PROGRAM" status whole | grep -q "replicas  *4, swaps accepted by pair: [01][.0-9]* [01][.0-9]* [01]"'
holds "and kiln status --json" sh -c '"$KILN_PROGRAM" status whole --json | grep -q "\"round_trips\": 0"'
cp -R whole closer
run closer --new-segment --trajectories 3 --set output.configuration_every=1 --set tempering.factors.1.c=0.8 || cat said
holds "after a change of the factors it counts the swaps of the new ones" sh -c \
    '"$KILN_PROGRAM" status closer --json | grep -q "\"swaps\": \[{\"tried\": 3, "'
rm -r closer
holds "kiln check tells the number of replicas" sh -c \
    '"$KILN_PROGRAM" check run.yaml | grep -q "^#   replicas  *4; each has the work below"'
holds "and their memory" sh -c '"$KILN_PROGRAM" check run.yaml | grep -q "^#   replicas of the links"'

stopped_facts 2
killed_facts 61 --set hmc.trajectories=3 --set output.checkpoint_every=2

cp -r whole missing
rm -r missing/c.fields.000008
holds "without its replicas, a state is not continued" ends 1 run missing --set hmc.trajectories=9
holds "the reason names what is missing" says 'missing/c.fields.000008: the replicas of checkpoint 8 are missing'

damaged_facts replica c.fields.000008/replica.2.npy

# Other factors: a segment begins with copies of the periodic replica.
cp -r whole changed
holds "a segment begins with other factors" run changed --new-segment --set tempering.factors.2.c=0.5 \
    --set hmc.trajectories=10
holds "kiln audit finds it right" "$KILN_PROGRAM" audit changed

# What cannot be tempered.
refused() {
    name=$1 pattern=$2
    shift 2
    holds "$name: status 2" ends 2 run none "$@"
    holds "with the reason" says "$pattern"
}
refused "open boundaries" 'tempering: tempering works with periodic boundaries: remove boundary.time' \
    --set boundary.time=open
refused "checks for silent data corruption" 'tempering: sdc_check.rate is 0.1, but trajectories of several replicas' \
    --set sdc_check.rate=0.1
refused "a cube that does not fit" 'tempering: defect: a cube of 5^3 sites does not fit: the lattice has 4 sites in x' \
    --set tempering.defect.size=5
refused "factors that increase" 'tempering: factors: 0.8 follows 0.7, but factors must decrease' \
    --set tempering.factors.2.c=0.8
refused "a first factor below 1" 'tempering: factors: the first is 0.9, but the first replica is periodic' \
    --set tempering.factors.0.c=0.9
refused "a factor of almost 0" 'tempering: factors: 0.0001 is neither 0 nor at least 0.001' \
    --set tempering.factors.3.c=0.0001
refused "another number of factors" 'tempering: factors: a list of 4, but there are 3 replicas' \
    --set tempering.replicas=3
sed 's/^  replicas: 4$//' run.yaml >run.yaml.new && mv run.yaml.new run.yaml
refused "factors without the number of replicas" 'run.yaml:[0-9:]* tempering: factors needs the key replicas, which is'
holds "and what to do" says 'add it (an integer from 2 to 32), or remove factors'
sed '/^  factors/d' run.yaml >run.yaml.new && mv run.yaml.new run.yaml
refused "a defect without the number of replicas" 'tempering: defect needs the key replicas, which is missing'
sed '/^tempering/,/^  defect/d; /^heatbath/d' run.yaml >plain.yaml
cp run.yaml defect.yaml
for key in 'swap_every: 1' 'translate: true' 'defect: { direction: x, size: 2 }'; do
    { cat plain.yaml && echo "tempering: { $key }" && echo 'heatbath: { sweeps: 1 }'; } >run.yaml
    refused "its default alone, $key" "tempering: ${key%%:*} needs the key replicas, which is missing"
done
{ cat plain.yaml && echo 'heatbath: { sweeps: 1 }'; } >run.yaml
holds "without tempering, kiln check prints no key of it" sh -c \
    '"$KILN_PROGRAM" check run.yaml >said && grep -q "^tempering: {}" said'
sed '/^# memory/,$d' said >again.yaml
holds "and reads what it printed" "$KILN_PROGRAM" check again.yaml
mv defect.yaml run.yaml
cat >>plain.yaml <<'END_OF_INPUT'
tempering: { replicas: 2 }
END_OF_INPUT
sed 's/^hmc:/hmc:\n  levels: [ { integrator: leapfrog, steps: 2, monomials: [gauge] } ]/' plain.yaml >run.yaml
"$KILN_PROGRAM" tune run.yaml >said 2>&1
holds "kiln tune refuses replicas: status 1" [ $? = 1 ]
holds "with the reason" says 'kiln tune does not tune replicas: tune the input without "tempering"'
refused "stochastic molecular dynamics" 'tempering: stochastic molecular dynamics cannot be tempered' \
    --set smd.gamma=1
sed 's/^  - { kind: gauge.*/  - { kind: wilson, name: gauge, determinants: [ { flavors: 2, mass: 1 } ] }/' \
    run.yaml >quarks.yaml &&
    mv quarks.yaml run.yaml
refused "quarks without a gauge action" 'tempering: there is no monomial of kind gauge, but only gauge actions can have'

facts_end
