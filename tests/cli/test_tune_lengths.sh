#!/bin/sh
# kiln tune --lengths and --against: streams of several trajectory lengths, compared by the cost of an independent
# configuration.  Their bits do not depend on ranks or on where the comparison was killed, and few values are no reason
# for a choice.
cd "${srcdir:-.}" || exit 99
. ./tests/facts.sh
. ./tests/ensemble/stream.sh

OMP_NUM_THREADS=1
export OMP_NUM_THREADS

cat >gluons.yaml <<END
# gluons
lattice: [4, 4, 4, 4]
random: { seed: 31 }
start: { from: hot, heatbath: { sweeps: 10 } }
monomials: [ { kind: gauge, name: gauge, action: symanzik_tree, beta: 4.5 } ]
hmc:
  trajectory_length: 0.2           # short
  levels: [ { integrator: omelyan, steps: 3, monomials: [gauge] } ]
  trajectories: 10
measurements:
  - { kind: wilson_loops }
  - { kind: flow, every: 5, t_max: 0.1, eps: 0.05, measure_every: 1 }
output: { directory: gluons.out }
END

# lengths FOLDER OPTIONS...: FOLDER.json, without the name of the folder
lengths() {
    into=$1
    shift
    $clock "$KILN_PROGRAM" tune --device "${KILN_DEVICE:-auto}" --share-gpu --lengths 0.1,0.2,0.5 --cost work --json \
        --quiet --streams "$into" --units "${units:-4}" "$@" gluons.yaml >out 2>said
    ended=$?
    sed "s|$into|STREAMS|g" out >"$into.json"
    return $ended
}

# value KEY FILE: of the first such key
value() {
    tr -d ' \n' <"$2" | sed "s/.*\"$1\":\([^,}]*\).*/\1/"
}

holds "three lengths are compared" ends 0 lengths whole
holds "in streams of the same molecular dynamics time" \
    [ "$(wc -l <whole/length_0.1/run.jsonl) $(wc -l <whole/length_0.2/run.jsonl) $(wc -l <whole/length_0.5/run.jsonl)" \
    = "40 20 8" ]
holds "with steps of the same size" eval 'grep -q "\"steps\": 2}" whole.json && grep -q "\"steps\": 3}" whole.json &&
    grep -q "\"steps\": 8}" whole.json'
holds "which begin with the links of the thermalization" eval \
    '[ "$(wc -l <whole/thermalization/run.jsonl)" = 10 ] && [ -s whole/start.lime ]'
holds "and measure the flow after each trajectory, and nothing else" eval \
    '[ "$(grep -c "\"flow\": {\"kind\"" whole/length_0.1/run.jsonl)" = 40 ] &&
    ! grep -q wilson_loops whole/length_0.1/run.jsonl'
holds "so few values are no reason for another length" eval \
    '[ "$(value changed whole.json)" = false ] && grep -q "\"why\": \".*50 are needed" whole.json'
holds "kiln status shows a stream" eval '"$KILN_PROGRAM" status whole/length_0.5 | grep -q "flow.charge"'
holds "with --output the input keeps its length" eval \
    'cp -r whole kept && ends 0 lengths kept --output kept.yaml &&
    grep -q "trajectory_length: 0.2 .*# short" kept.yaml &&
    grep -q "^#.*kept: stream 0" kept.yaml && "$KILN_PROGRAM" check kept.yaml >/dev/null'

same_streams() {
    for length in 0.1 0.2 0.5; do
        same_stream "$1/length_$length" "$2/length_$length" || return 1
    done
    cmp "$1/start.lime" "$2/start.lime" && cmp "$1.json" "$2.json"
}
for options in "--ranks 2" "--grid 1,1,2,2"; do
    rm -rf ranks
    holds "$options: the same streams, costs and choice" eval \
        'ends 0 lengths ranks $options && same_streams whole ranks'
done

# with_mishap_of "count | signal NUMBER K" FOLDER: the same comparison while test_mishaps watches; its last line.
with_mishap_of() {
    mishaps $1 "$KILN_PROGRAM" tune --device "${KILN_DEVICE:-auto}" --share-gpu --lengths 0.1,0.2,0.5 --cost work \
        --json --quiet --streams "$2" --units 4 gluons.yaml >mishap.out 2>said
    watched=$?
    tail -n 1 mishap.out
    return $watched
}
calls=$(with_mishap_of count counted)
if [ $? = 77 ]; then
    skip "a comparison that is killed and continued" "no process may watch another's calls here"
else
    holds "a comparison makes many calls that change files ($calls)" [ "$calls" -ge 200 ]
    for part in 1 3 5 7; do
        rm -rf killed
        at=$((calls * part / 8))
        with_mishap_of "signal 9 $at" killed >/dev/null
        holds "killed before call $at (status $?) and continued: the same streams, costs and choice" eval \
            'ends 0 lengths killed && same_streams whole killed'
    done
fi

# ---- another start, more units, another input

cp -r whole more
holds "with more units the same command makes the streams longer" eval 'units=6 ends 0 lengths more &&
    [ "$(wc -l <more/length_0.1/run.jsonl) $(wc -l <more/length_0.5/run.jsonl)" = "60 12" ] &&
    record_of whole/length_0.1 >before && record_of more/length_0.1 | head -n 40 | cmp - before'

"$KILN_PROGRAM" run --device cpu --quiet --set hmc.trajectories=3 gluons.yaml
holds "streams begin with the newest state of the ensemble, if it is thermalized" eval \
    'units=0.5 ends 0 lengths newest && [ ! -e newest/thermalization ] && "$KILN_PROGRAM" verify newest/start.lime'
holds "or with the links of the heat bath" eval 'units=0.5 ends 0 lengths heatbath --thermalization 0 &&
    [ "$(cat heatbath/thermalization/run.jsonl | wc -l)" = 0 ] && [ -s heatbath/start.lime ]'
holds "or with a file" eval 'units=0.5 ends 0 lengths file --from whole/start.lime && [ ! -e file/thermalization ]'

holds "which continues with the same file" eval 'units=0.5 ends 0 lengths file --from whole/start.lime'
holds "and not with other links" eval 'units=0.5 ends 1 lengths file --from newest/start.lime &&
    says "file/start.lime: the streams began with other links than those of --from newest/start.lime"'

sed "s/steps: 3/steps: 6/" gluons.yaml >finer.yaml
holds "two inputs are compared" ends 0 eval '"$KILN_PROGRAM" tune --device cpu --quiet --against finer.yaml \
    --cost work --streams both --units 8 --from whole/start.lime gluons.yaml >both.text 2>said'
holds "without a warning: their action is one" eval '! says "its action may differ"'
sed "s/beta: 4.5/beta: 4.7/" gluons.yaml >hotter.yaml
holds "two actions are compared, too" ends 0 eval '"$KILN_PROGRAM" tune --device cpu --quiet --against hotter.yaml \
    --cost work --streams actions --units 1 --from whole/start.lime gluons.yaml >actions.text 2>said'
holds "with a warning that names the key" says \
    "hotter.yaml: its action may differ from that of gluons.yaml: monomials.0.beta differs; if so, tau"
# seconds RANKS LENGTHS: into devices.text
seconds() {
    "$KILN_PROGRAM" tune --device cpu --quiet --lengths "$2" --ranks "$1" --streams devices --units 1 \
        --from whole/start.lime gluons.yaml >devices.text 2>said
}
holds "seconds on one device compare" eval 'seconds 1 0.4 && grep -q "per accepted unit relative" devices.text &&
    ! grep -q "different devices" devices.text'
holds "those of a length that is added on two ranks do not" eval 'seconds 2 0.4,0.1 &&
    grep -q "kept: .*different devices do not compare (CPU, 1 thread, 1 rank and CPU, .*, 2 ranks)" devices.text &&
    ! grep -q "relative to stream 0" devices.text'
holds "a trajectory with twice the steps has 13 forces, not 7" eval \
    'grep -q ", 7 (constant) work each" both.text && grep -q ", 13 (constant) work each" both.text'

# A trajectory of one step of length 0.2 takes 3 forces, one of three steps 7: worth it where tau of the charge is 4.
sed "s/4, 4, 4, 4/2, 2, 2, 2/; s/, heatbath: { sweeps: 10 }//; s/symanzik_tree, beta: 4.5/wilson, beta: 5/
    s/steps: 3/steps: 1/" gluons.yaml >small.yaml
# charges UNITS: small.json and longer.UNITS.yaml
charges() {
    "$KILN_PROGRAM" tune --device cpu --quiet --lengths 0.6 --cost work --observables flow.charge --json \
        --streams small --units "$1" --output "longer.$1.yaml" small.yaml >small.json 2>said
}
# follows_rule LENGTH: what small.json says of the second stream follows from both costs and their errors, and a length
# is chosen only if it costs less; LENGTH is then 0.6, else 0.2.
follows_rule() {
    tr -d '\n' <small.json | sed 's/"verdict": "\([^"]*\)"/\n\1\n/g; s/"per_independent_configuration[a-z_]*": /\n/g' |
        awk '{ sub(/,.*/, "") } /^[0-9.e+-]+$/ { cost[++n] = $0 + 0 } /^[a-z]/ { said = $0 }
            END { apart = cost[1] - cost[3]; error = sqrt(cost[2] ^ 2 + cost[4] ^ 2)
                  rule = apart ^ 2 <= 4 * error ^ 2 ? "within errors" : apart < 0 ? "more" : \
                         cost[3] < 0.95 * cost[1] ? "less" : "within errors"
                  print n, said, rule, cost[1], cost[2], cost[3], cost[4]
                  exit !(n == 4 && said == rule && (said == "less" ? 0.6 : 0.2) == '"$1"') }' >rule
}
chosen_length() {
    sed -n 's/.*trajectory_length: \([0-9.]*\) .*# short/\1/p' "$1"
}
holds "a length is chosen if it costs less, and not if it does within errors" eval 'ends 0 charges 100 &&
    follows_rule "$(chosen_length longer.100.yaml)"'
echo "# $(cat rule)"
holds "also with more trajectories" eval 'ends 0 charges 200 && follows_rule "$(chosen_length longer.200.yaml)"'
echo "# $(cat rule)"
holds "a chosen length has steps of the same size" eval '"$KILN_PROGRAM" check longer.200.yaml >/dev/null &&
    if [ "$(chosen_length longer.200.yaml)" = 0.6 ]; then grep -q "steps: 3" longer.200.yaml
    else grep -q "steps: 1" longer.200.yaml; fi'

# ---- what is refused

refuses() {
    wanted=$1
    words=$2
    shift 2
    ends "$wanted" attempt "$@" && says "$words"
}
attempt() {
    "$KILN_PROGRAM" tune --device cpu --quiet "$@" >out 2>said
}
holds "--lengths needs a folder" refuses 2 'need --streams' --lengths 1 gluons.yaml
holds "a length is a number" refuses 1 '"long" is not a number' --lengths 1,long --streams none gluons.yaml
holds "a list may be too long" refuses 1 "at most [0-9]* numbers of at most 31 characters" \
    --lengths "$(seq -s , 1 100)" --streams none gluons.yaml
holds "the length of the input alone is no comparison" refuses 1 "at least one other" --lengths 0.2 --streams none \
    gluons.yaml
holds "an input without a flow has no slow observables" refuses 1 "add a measurement of kind flow" --lengths 1 \
    --streams none --set 'measurements=[]' gluons.yaml
holds "streams of another input are not continued" refuses 1 "monomials.0.beta" --lengths 0.1,0.2,0.5 \
    --streams whole --set monomials.0.beta=4.6 gluons.yaml
holds "nothing was made" [ ! -e none ]

facts_end
