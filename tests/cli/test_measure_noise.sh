#!/bin/sh
# test_measure_noise.sh - kiln measure --input gives every configuration its own noise, also one of another code, whose
# file has no number of a trajectory.
#
# The condensate of quarks with a large mass is |eta|^2 / (m V) up to 1/m^2: the noise alone.
. "$(dirname "$0")/../facts.sh"
. "$(dirname "$0")/../ensemble/stream.sh"

"$KILN_PROGRAM" run run.yaml --quiet --device cpu --set output.directory=e --set output.configuration_every=1 \
    --set hmc.trajectories=3 --set lattice=[4,4,4,8] 2>said || { cat said; exit 99; }
convert() { "$KILN_PROGRAM" convert "$@" >converted || cat converted; }
for n in 1 2 3; do
    convert e/c.00000$n.lime o.$n --format openqcd
done
convert o.1 n.1 --format nersc
convert e/c.000001.lime s.1 --format scidac --precision 32
convert e/c.000001.lime m.1 --format milc --precision 32
convert m.1 i.1 --format ildg

cat >measure.yaml <<'END'
lattice: [4, 4, 4, 8]
random: { seed: 11 }
monomials: [ { kind: gauge, action: symanzik_tree, beta: 4.5 } ]
hmc: { trajectories: 1, levels: [ { integrator: omelyan, steps: 3, monomials: [gauge] } ] }
output: { directory: unused }
measurements: [ { kind: condensate, name: heavy, sources: 1, masses: [ { mass: 100 } ] } ]
END
measure() { "$KILN_PROGRAM" measure --device cpu --what plaquette "$@" --input measure.yaml 2>said; }
condensates() { measure --json "$@" | grep -o '"condensate": [^,]*'; }
close() {
    condensates "$@" | awk '{ v[NR] = $2 } END { d = v[1] / v[2] - 1; exit !(NR == 2 && d < 1e-4 && d > -1e-4) }'
}
differ() {
    condensates "$@" | awk '{ v[NR] = $2 } END { d = v[1] / v[2] - 1; exit !(NR == 2 && (d > 1e-3 || d < -1e-3)) }'
}
same() { condensates "$@" | uniq | wc -l | grep -qx 1; }
has_random() { measure --json "$1" | grep -q "\"random\": {\"seed\": \"0x000000000000000b\", \"stream\": 0, $2}"; }

holds "a file without a number of a trajectory has the noise of its links" differ o.1 o.2
holds "so that each of several files has its own" differ o.2 o.3
holds "also the first and the third" differ o.1 o.3
holds "the same links in another format have the same" same o.1 n.1
holds "also links of 32 bits" same m.1 i.1
holds "the results name the digest of the links" has_random o.2 '"trajectory": 0, "links": "0x[0-9a-f]*"'
holds "a file of a run has the noise of its trajectory" differ e/c.000002.lime o.2
holds "also if its links are rounded" close e/c.000001.lime s.1
holds "the results name the trajectory" has_random e/c.000002.lime '"trajectory": 2'

condensates o.1 o.2 >of_one
condensates o.1 o.2 --ranks 2 >of_two
digits() { sed 's/\(0\.00[0-9]\{10\}\).*/\1/' "$1"; }
holds "two ranks have the same noise" test -s of_one -a "$(digits of_one)" = "$(digits of_two)"

holds "results of two files" measure --quiet --results r.jsonl o.1 o.2
# The digests that a line has as "links", and in "random".
digests() {
    sed 's/.*, "links": "\(0x[0-9a-f]*\)", "settings.*"random": {[^}]*"links": "\(0x[0-9a-f]*\)".*/\1 \2/' r.jsonl
}
holds "have the digest of each" sh -c "echo '$(digests)' |
    awk '\$1 != \$2 || NF != 2 { bad = 1 } END { exit bad || NR != 2 }'"
holds "the same command finds both again" sh -c "'$KILN_PROGRAM' measure --device cpu --what plaquette --quiet \
    --results r.jsonl o.1 o.2 --input measure.yaml | grep -q '0 measured, 2 done before'"
facts_end
