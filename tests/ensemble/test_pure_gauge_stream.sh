#!/bin/sh
# Quenched ensembles live like others: stopped and continued they are the same, and what does not go together is told.
cd "${srcdir:-.}" || exit 99
. ./tests/facts.sh
. ./tests/ensemble/stream.sh

cp run.yaml hmc.yaml
cat >quenched.yaml <<'END'
lattice: [4, 4, 4, 6]
random: { seed: 11 }
start: { from: hot, heatbath: { sweeps: 2 } }
monomials:
  - { kind: gauge, action: symanzik_tree, beta: 4.5 }
heatbath: { sweeps: 2, overrelaxation: 1 }
hmc: { trajectories: 6, thermalization: 2, reunitarize_every: 2 }
output: { directory: unnamed, name: c, configuration_every: 2, checkpoint_every: 1 }
END
cp quenched.yaml run.yaml

probe() {
    "$KILN_PROGRAM" probe "$@" >/dev/null 2>said
}

run whole --threads 1 --set output.configuration_every=1 || { cat said; exit 99; }
none "stopped after any compound sweep and continued with other threads, the stream is the uninterrupted one" "$(
    for n in 0 1 3 5; do
        case="after $n"
        must run stopped_$n --trajectories $n --threads 3
        must run stopped_$n
        must same_stream_at_any_cadence whole stopped_$n
    done)"
holds "every line is accepted, says how it was made, and has the action before and after" \
    [ "$(grep -c '"accepted": true, "thermalization": [a-z]*, "update": "heatbath".*"energy_after": {"kinetic": 0, ' \
        whole/run.jsonl)" = 6 ]
holds "the log has no dH: sweeps have no Metropolis test" \
    [ "$(grep -c 'trajectory [1-6]/6  swept  *plaquette' whole/run.log):$(grep -c 'dH' whole/run.log)" = 6:0 ]
none "the memory has no links for a rejection, but those that sdc_check needs" "$(
    must sh -c '! "$KILN_PROGRAM" check run.yaml | grep "links kept for"'
    must sh -c '"$KILN_PROGRAM" check run.yaml --set sdc_check.rate=0.5 | grep "links kept for sdc_check"')"
holds "kiln status reads it" "$KILN_PROGRAM" status whole
holds "kiln audit finds it whole" "$KILN_PROGRAM" audit whole
probe force whole/c.000002.lime force.npy --input run.yaml --monomial gauge --device cpu
holds "a probe of molecular dynamics is refused: there is none" ends 2 probe trajectory whole/c.000002.lime out.npy \
    --input run.yaml --momenta force.npy --device cpu

run again --set heatbath.overrelaxation=3
run other --set start.heatbath.sweeps=3
holds "other sweeps make other links" different_links again whole
holds "and so do other sweeps over the start" different_links other whole
cold="--set start.from=cold --set start.heatbath.sweeps=0 --set hmc.trajectories=2"
run stream_0 $cold
run stream_1 $cold --set random.stream=1
run seed_upper $cold --set random.seed=4294967307
holds "another stream has other links" different_links stream_0 stream_1
holds "so has a seed that differs in its upper 32 bits only" different_links stream_0 seed_upper
none "what the sweeps are cannot change on the way" "$(
    case=again
    must ends 1 run again --set heatbath.overrelaxation=4
    must says overrelaxation
    case=other
    must ends 1 run other --set start.heatbath.sweeps=4
    must says 'sweeps: 4'
    case=settled
    settled="--trajectories 1 --set start.heatbath.sweeps=3 --set start.heatbath.beta=7"
    must run settled $settled --set start.heatbath.settle=1
    must ends 1 run settled $settled --set start.heatbath.settle=2
    must says 'settle: 2'
    must ends 1 run settled $settled --set start.heatbath.settle=2 --new-segment
    must says 'cannot change start')"

# planned WORDS OPTIONS...: kiln plan times trajectories on links that it describes in these words.
planned() {
    words=$1
    shift
    "$KILN_PROGRAM" plan run.yaml --device cpu --probe 0.1 "$@" >planned 2>said
    grep -q "time, from a probe of .* on $words, plaquette" planned || { cat planned said; return 1; }
}
none "kiln plan says which links its probe begins with, and counts all sweeps over them" "$(
    case=plan
    beta="--set output.directory=planned_only --set start.heatbath.beta=7"
    must planned "a hot start with 5 heat-bath sweeps" $beta --set start.heatbath.sweeps=3 \
        --set start.heatbath.settle=2
    must planned "a cold start with 1 heat-bath sweep" $beta --set start.from=cold --set start.heatbath.sweeps=1
    must planned "a cold start" --set output.directory=planned_only --set start.from=cold \
        --set start.heatbath.sweeps=0)"

bad() {
    ends 2 run bad "$@" || return 1
    [ ! -e bad ] || { echo "something was created"; return 1; }
}
two='[{ kind: gauge, action: wilson, beta: 5 }, { kind: gauge, name: b, action: wilson, beta: 1 }]'
none "what does not go together is refused, with the reason" "$(
    case=heatbath
    must bad --set 'hmc.levels=[{ integrator: omelyan, steps: 4, monomials: [gauge] }]'
    must says 'run.yaml:6:11: heatbath: with a heat bath there is no molecular dynamics: remove hmc.levels'
    must bad --set hmc.trajectory_length=0.5
    must says 'remove hmc.trajectory_length'
    must bad --set heatbath.sweeps=0
    must says 'missing required key "levels"'
    must bad --set heatbath.sweeps=20000
    must bad --set 'lattice=[4, 4, 4, 2]'
    must says 'a rectangle around an extent of 2 contains a link twice'
    must bad --set "monomials=$two"
    must says 'exactly one gauge action, but the monomials have 2'
    must bad --set 'monomials.1={ kind: staggered, action: naive, name: quarks, determinants: [] }'
    must bad --set start.heatbath.sweeps=0 --set start.heatbath.beta=5
    must says 'start.heatbath: "beta" is the coupling of the sweeps, but "sweeps" is 0'
    must bad --set start.heatbath.settle=3
    must says 'start.heatbath: "settle" is the number of sweeps after'
    cp hmc.yaml run.yaml
    case=hmc
    must bad --set heatbath.overrelaxation=1
    must says 'overrelaxation alone does not change the action'
    must bad --set 'hmc.levels=[]'
    must says 'missing required key "levels"'
    must bad --set "monomials=$two" --set start.heatbath.sweeps=1 --set 'hmc.levels.0.monomials=[gauge, b]'
    must says 'start.heatbath: the heat bath needs exactly one gauge action')"

facts_end
