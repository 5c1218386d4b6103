#!/bin/sh
# Open boundaries in time from input to files: what is refused, what a configuration says, starts from periodic files.
cd "${srcdir:-.}" || exit 99
. ./tests/facts.sh
. ./tests/ensemble/stream.sh

OMP_NUM_THREADS=1
export OMP_NUM_THREADS
OPEN="--set boundary.time=open"

measured() {
    "$KILN_PROGRAM" measure --device cpu --json --what "$1" "$2" 2>said
}
member() {                              # of JSON on one line
    sed "s/.*\"$1\": \([-+0-9.e]*\).*/\1/"
}
close_to() {
    awk "BEGIN { d = $1 - $2; exit !(d < 1e-13 && d > -1e-13) }"
}

run periodic || { cat said; exit 99; }
holds "a stream with open boundaries" run open $OPEN
last=open/c.000006.lime
holds "kiln verify knows them" "$KILN_PROGRAM" verify $last
holds "kiln audit too" "$KILN_PROGRAM" audit open
record=$(tail -n 1 open/run.jsonl | sed 's/.*"plaquette": {"average": \([-+0-9.e]*\).*/\1/')
holds "kiln measure has the plaquette of the record, of active loops" \
    close_to "$(measured plaquette $last | member average)" "$record"
holds "which is not that of all links" \
    eval '"$KILN_PROGRAM" convert --format nersc $last converted.nersc >/dev/null 2>&1;
          measured plaquette converted.nersc | member average >all;
          [ -s all ] && ! close_to "$(cat all)" "$record"'
holds "and kiln verify holds the metadata against that of all links" eval \
    '"$KILN_PROGRAM" verify --json $last >verified &&
     close_to "$(sed "s/.*\"plaquette\": {\"measured\": \([^,]*\),.*/\1/" verified)" "$(cat all)"'
cat >about.yaml <<'END'
collaboration: C
project: p
ensemble: e1
grid: ldg
license: { uri: "https://l.org/by" }
participant: { name: N, institution: I }
machine: { name: m, institution: I, type: t }
code: { date: "2026-11-21T00:00:00Z" }
END
holds "and kiln publish states that one, as the file does" eval \
    '"$KILN_PROGRAM" publish open --about about.yaml --output package >said 2>&1 &&
     close_to "$(sed -n "s/.*<avePlaquette>\(.*\)<.*/\1/p" package/e1.000006.xml)" "$(cat all)"'
holds "a conversion that loses the boundary says so" eval \
    '"$KILN_PROGRAM" convert --format milc --precision 32 $last converted.milc 2>said | grep -q "lost  *the boundary:"'
holds "one to SciDAC does not" eval \
    '"$KILN_PROGRAM" convert --format scidac $last converted.scidac >told && ! grep "lost  *the boundary:" told'
holds "files for openQCD have a plaquette of 6 loops a site, and nothing is lost that they need" eval \
    '"$KILN_PROGRAM" convert --format openqcd $last converted.openqcd >told && ! grep "lost  *the boundary:" told &&
     close_to "$(od -A n -t f8 -j 16 -N 8 converted.openqcd)" "3 * $record * 11 / 12"'
zeros() {                               # the 64 links of the last slice in direction t are 0, and no others
    od -A n -v -t f8 -w144 -j 24 converted.openqcd | awk '{ s = 0; for (i = 1; i <= NF; i++) s += $i * $i; n += !s }
        END { print n; exit n != 64 }'
}
holds "zeros are the inactive links there" zeros
holds "a continuation has the same links" eval 'run parts $OPEN --set hmc.trajectories=3 && run parts $OPEN &&
    cmp parts/c.000006.lime $last'
holds "as has a stream on two ranks" eval 'run ranks $OPEN --ranks 2 && cmp ranks/c.000006.lime $last'

holds "a stream with a weight of boundary loops" run ends $OPEN --set monomials.0.c_G=1.5
probed() {                              # FILE OPTIONS...
    "$KILN_PROGRAM" probe energy --device cpu --action symanzik_tree --beta 4.5 "$@" 2>said
}
term() { probed ends/c.000006.lime --c-G "$1" | member gauge; }
same_term() { awk "BEGIN { d = $1 / ($2) - 1; exit !(d < 1e-13 && d > -1e-13) }"; }
recorded=$(tail -n 1 ends/run.jsonl | sed 's/.*"energy_after": {[^}]*"gauge": \([-+0-9.e]*\).*/\1/')
holds "kiln probe energy with --c-G is that of the record" same_term "$(term 1.5)" "$recorded"
holds "linear in this weight" same_term "$(term -2)" "$(term 0) - 2 * ($(term 1) - $(term 0))"
holds "1 is its default" eval 'probed ends/c.000006.lime >told &&
    says "boundaries in t are open; c_G = 1, the default" &&
    grep -q "\"boundary_time\": \"open\".*\"c_G\": 1," told && same_term "$(member gauge <told)" "$(term 1)"'
holds "kiln probe gauge-force has it too" eval 'for of in "gauge-force --action symanzik_tree --beta 4.5 --c-G 1.5" \
    "force --input run.yaml --monomial gauge $OPEN --set monomials.0.c_G=1.5"; do
        "$KILN_PROGRAM" probe $of --device cpu ends/c.000006.lime ${of%% *}.npy >told 2>said || exit
    done; cmp gauge-force.npy force.npy'
holds "and says so" eval '"$KILN_PROGRAM" probe gauge-force --action symanzik_tree --beta 4.5 --c-G 1.5 --device cpu \
    ends/c.000006.lime again.npy 2>said && says "boundaries in t are open; c_G = 1.5"'
holds "periodic links have none: status 2" ends 2 probed periodic/c.000006.lime --c-G 1.5
holds "with the reason" says 'c-G: the weight of boundary loops is given, but the file does not say that its boundaries'
holds "and neither boundary nor weight in JSON" eval 'probed periodic/c.000006.lime >told && ! grep -q "c_G\|open" told'
holds "nor has an input: status 2" ends 2 "$KILN_PROGRAM" probe energy --input run.yaml --c-G 1.5 ends/c.000006.lime

holds "a start from periodic links" run from $OPEN --set start.from=file --set start.file=periodic/c.000006.lime
holds "and from open ones" run again $OPEN --set start.from=file --set start.file=$last
holds "a start from the file for openQCD is the same" eval \
    'run qcd $OPEN --set start.from=file --set start.file=converted.openqcd &&
     cmp qcd/c.000006.lime again/c.000006.lime'
holds "kiln verify knows it by its zeros" eval '"$KILN_PROGRAM" verify converted.openqcd >told &&
    grep -q "boundary  *open in t" told &&
    "$KILN_PROGRAM" verify --json converted.openqcd | grep -q "boundary_time.*open"'
holds "and kiln convert, which says what other formats lose" eval \
    '"$KILN_PROGRAM" convert --format ildg converted.openqcd from_openqcd.lime >told &&
     grep -q "lost  *the boundary:" told && "$KILN_PROGRAM" verify from_openqcd.lime'
exchange() {                            # FROM TO: matrix FROM of openQCD's file in place of matrix TO, 144 bytes each
    dd if=converted.openqcd of=exchanged.openqcd bs=24 skip=$((1 + 6 * $1)) seek=$((1 + 6 * $2)) count=6 conv=notrunc
}
holds "the plaquette of its header shows two exchanged links" eval 'cp converted.openqcd exchanged.openqcd &&
    exchange 2 4 2>said && exchange 4 2 2>said && ends 1 "$KILN_PROGRAM" verify exchanged.openqcd >told &&
    grep -q "failed: .*the metadata say plaquette" told'
holds "there and back the file is the same" eval \
    '"$KILN_PROGRAM" convert --format openqcd converted.openqcd again.openqcd && cmp converted.openqcd again.openqcd'
holds "a start from the converted file is the same" eval \
    'run ildg $OPEN --set start.from=file --set start.file=from_openqcd.lime &&
     cmp ildg/c.000006.lime again/c.000006.lime'
holds "kiln measure takes openQCD's file for a periodic one" ends 1 eval \
    '"$KILN_PROGRAM" measure --device cpu converted.openqcd >told 2>said'
holds "and says that it looks open" says 'links in direction t of the last time slice are 0, .* boundary.time: open'
holds "a stream cannot change its boundaries" ends 1 run open
holds "nor with a new segment" ends 1 run open --new-segment
holds "with the reason" says 'a new segment cannot change boundary.time: the links have these boundaries'
holds "open links are no start of periodic ones" ends 1 run none --set start.from=file --set start.file=$last
holds "with the reason" says 'says that its boundaries in t are open, but boundary.time is periodic; set boundary.time'
holds "no copies in t begin open ones: status 2" ends 2 run none $OPEN --set lattice=[4,4,4,12] \
    --set start.from=file --set start.file=periodic/c.000006.lime --set start.copies=[1,1,1,2]
holds "with the reason" says 'start: copies: open boundaries in time allow 1 in t'
holds "two time slices: status 2" ends 2 run none $OPEN --set lattice=[4,4,4,2]
holds "with the reason" says 'open boundaries in time need T of 4 or more'
holds "means over time slices: status 2" ends 2 run none $OPEN --set "measurements=[ { kind: gauge } ]"
holds "with the reason" says 'observables: energy and charge average over time slices; with open boundaries use'
holds "other observables of links are measured" run loops $OPEN --trajectories 1 \
    --set "measurements=[ { kind: gauge, observables: [plaquette, rectangle] } ]"
measured_as() {                         # BOUNDARY FILE
    "$KILN_PROGRAM" measure --device cpu --what plaquette --input run.yaml --set boundary.time="$1" \
        --set "measurements=[ { kind: gauge, observables: [plaquette] } ]" "$2" >said 2>&1
}
holds "kiln measure refuses links of a periodic stream for an open input: status 1" ends 1 measured_as open \
    periodic/c.000006.lime
holds "with the reason" says 'boundaries in t are periodic, but those of the input are open (boundary.time); change the'
holds "and open links for a periodic input: status 1" ends 1 measured_as periodic $last
holds "with the reason" says 'boundaries in t are open, but those of the input are periodic (boundary.time); change the'
holds "kiln measure warns of energy and charge in the same words, and of the Polyakov loop" eval \
    'measured energy,polyakov $last >told &&
     says "boundaries in t are open: energy and charge average over time slices" &&
     says "kind: flow, which has a plateau; the Polyakov loop in t is 0" &&
     grep -q "\"boundary_time\": \"open\"" told'
holds "of all observables by default, in text too" eval '"$KILN_PROGRAM" measure --device cpu $last 2>said >told &&
    says "energy and charge average over time slices" && says "the Polyakov loop in t is 0"'
holds "of one of them alone" eval 'measured polyakov_directions $last >told &&
    says "open: the Polyakov loop in t is 0" && ! says "charge" >told && measured charge $last >told &&
    says "energy and charge average" && ! says "Polyakov" >told'
holds "with --results too" eval '"$KILN_PROGRAM" measure --device cpu --what charge --results r.jsonl $last 2>said \
    >told && says "energy and charge average over time slices"'
holds "but not of other observables, nor of periodic links" eval 'measured plaquette,rectangle $last >told &&
    ! says "boundaries in t" >told && measured charge,polyakov periodic/c.000006.lime >told &&
    ! says "boundaries in t" >told'
holds "each with its own input is measured" eval 'measured_as open $last && measured_as periodic periodic/c.000006.lime'
holds "and a file that does not say, with any" eval 'measured_as open converted.nersc &&
    measured_as periodic converted.nersc'
into_results() {                        # FILE AND OPTIONS...
    "$KILN_PROGRAM" measure --device cpu --quiet --what plaquette --results both.jsonl "$@" >told 2>said
}
holds "results of a file that does not say" into_results converted.nersc
holds "are those of periodic links" eval '! grep -q boundary_time both.jsonl'
holds "the same links of the stream are measured, too" eval 'into_results $last && grep -q " 1 measured, 0 done" told'
holds "with open boundaries" eval 'tail -n 1 both.jsonl | grep -q "\"boundary_time\": \"open\"" &&
    close_to "$(tail -n 1 both.jsonl | member average)" "$record"'
holds "by which a file that does not say is known under an open input" eval 'into_results converted.nersc \
    --input run.yaml $OPEN --set "measurements=[ { kind: gauge, observables: [plaquette] } ]" &&
    tail -n 1 both.jsonl | grep -q "\"keys\": {\"gauge\": .*\"boundary_time\": \"open\"" &&
    ! tail -n 1 both.jsonl | grep -q "\"plaquette\": \"0x"'
holds "and under a periodic one measured again" eval 'into_results converted.nersc \
    --input run.yaml --set "measurements=[ { kind: gauge, observables: [plaquette] } ]" &&
    grep -q " 1 measured, 0 done" told'
holds "once" eval 'into_results converted.nersc && into_results $last && grep -q " 0 measured, 1 done" told'
holds "gauges are not fixed: status 1" ends 1 "$KILN_PROGRAM" gaugefix --device cpu --gauge landau $last fixed.lime

cat >quarks.yaml <<'END'
lattice: [4, 4, 4, 6]
boundary: { time: open }
random: { seed: 11 }
monomials:
  - { kind: gauge, action: wilson, beta: 5.5 }
  - { kind: staggered, name: q, action: naive, determinants: [ { quarks: [ { mass: 0.1, flavors: 4 } ] } ] }
  - { kind: domain_wall, name: w, Ls: 4, determinants: [ { flavors: 2, mass: 0.1 } ] }
hmc:
  trajectories: 1
  levels: [ { integrator: omelyan, steps: 3, monomials: [gauge, q, w] } ]
measurements:
  - { kind: wilson_loops, name: loops }
  - { kind: flow, t_max: 1 }
output: { directory: none }
END
holds "kiln check refuses what needs periodic boundaries: status 2" ends 2 "$KILN_PROGRAM" check quarks.yaml
"$KILN_PROGRAM" check quarks.yaml >said 2>&1
for kind in staggered domain_wall; do
    holds "$kind quarks, with the line" says "quarks.yaml:[0-9]*:.*kind $kind need periodic boundaries in time"
done
holds "Wilson loops" says "loops: measurements of kind wilson_loops need periodic boundaries in time, but"
holds "a flow without a plateau" says "flow: open boundaries in time need plateau_first and plateau_last"
"$KILN_PROGRAM" check quarks.yaml --set "measurements.1={ kind: flow, t_max: 1, plateau_first: 4, plateau_last: 2 }" \
    >said 2>&1
holds "a plateau that ends before it begins" says "plateau_first: 4 is larger than plateau_last, 2"
holds "c_G without open boundaries: status 2" ends 2 run none --set monomials.0.c_G=1.2
holds "with the reason" says 'c_G: the weight of boundary loops'

cat >wilson.yaml <<'END'
lattice: [4, 4, 4, 6]
boundary: { time: open }
random: { seed: 11 }
monomials:
  - { kind: gauge, action: wilson, beta: 5.5 }
  - { kind: wilson, name: q, c_sw: 1.2, c_F: 1.1, determinants: [ { mass: 0.3 } ] }
hmc:
  trajectories: 1
  thermalization: 1
  levels: [ { integrator: omelyan, steps: 4, monomials: [gauge, q] } ]
output: { directory: quarks, configuration_every: 1 }
END
holds "a stream with Wilson quarks" "$KILN_PROGRAM" run wilson.yaml --quiet --device cpu
for change in "lattice=[4,4,4,2]" \
    monomials.1.clover=exponential boundary.time=periodic \
    "measurements=[ { kind: wilson, masses: [ { mass: 0 } ] } ]"; do
    holds "which is refused with $change: status 2" ends 2 "$KILN_PROGRAM" check wilson.yaml --set "$change"
done
holds "with multigrid kiln check accepts it" "$KILN_PROGRAM" check wilson.yaml --set monomials.1.method=multigrid
holds "but not with blocks of one time slice: status 2" ends 2 "$KILN_PROGRAM" check wilson.yaml \
    --set monomials.1.method=multigrid --set monomials.1.multigrid.block=[2,2,2,1]
"$KILN_PROGRAM" check wilson.yaml --set monomials.1.method=multigrid --set monomials.1.multigrid.block=[2,2,2,1] \
    >said 2>&1
holds "with the reason" says 'blocks of 2x2x2x1: with open boundaries in time they need 2 time slices or more'
holds "with stout links kiln check accepts it" "$KILN_PROGRAM" check wilson.yaml \
    --set "monomials.1.stout={ levels: 2, rho: 0.1 }"
# The first links as an array of the shape $2, of $3 numbers.
array() {
    printf '\223NUMPY\001\000\166\000%-117s\n' "{'descr': '<f8', 'fortran_order': False, 'shape': ($2), }" >"$1"
    tail -c +129 thin.npy | head -c $((8 * $3)) >>"$1"
}
"$KILN_PROGRAM" probe links --device cpu quarks/cfg.000001.lime thin.npy >said 2>&1
array spinors.npy "6, 4, 4, 4, 4, 3, 2" $((24 * 384))
array colors.npy "6, 4, 4, 4, 3, 2" $((6 * 384))
solve() {
    "$KILN_PROGRAM" probe solve --device cpu --mass 0.3 --residual 1e-10 "$@" quarks/cfg.000001.lime x.npy 2>said
}
holds "kiln probe solves with these quarks" ends 0 solve --operator clover --source spinors.npy --c-sw 1.2 --c-F 1.1
holds "and names c_F and the boundaries, but no phase in t" eval \
    'solve --operator clover --source spinors.npy --c-sw 1.2 --c-F 1.1 >told && ! grep "\"boundary\":" told &&
     grep -q "\"boundary_time\": \"open\".*\"c_F\": 1.1000000000000001," told'
holds "which other links have" eval '"$KILN_PROGRAM" probe apply --operator clover --source spinors.npy --c-sw 1.2 \
    --mass 0.3 --device cpu periodic/c.000006.lime x.npy 2>said >told && grep -q "\"boundary\": 1, " told'
holds "and in half precision" ends 0 solve --operator clover --source spinors.npy --c-sw 1.2 --solver double-half
holds "and by multigrid" ends 0 solve --operator clover --source spinors.npy --c-sw 1.2 --c-F 1.1 --method multigrid
holds "and on stout links" ends 0 solve --operator clover --source spinors.npy --c-sw 1.2 --stout-levels 2 \
    --stout-rho 0.1
holds "which kiln probe links writes" ends 0 "$KILN_PROGRAM" probe links --device cpu --level stout --stout-levels 2 \
    --stout-rho 0.1 quarks/cfg.000001.lime stout.npy
holds "but not fat ones: status 2" ends 2 "$KILN_PROGRAM" probe links --device cpu --level fat7 \
    quarks/cfg.000001.lime fat.npy
holds "but not with staggered ones: status 2" ends 2 solve --operator naive --source colors.npy
holds "with the reason" says 'boundaries in t are open; operator naive needs periodic ones'
holds "mesons refuse c_F with periodic boundaries" ends 2 run none \
    --set "measurements=[ { kind: wilson, c_F: 1.2, masses: [ { mass: 0 } ] } ]"
holds "with the reason" says 'c_F: the boundary coefficient is given, but the lattice is periodic in t'
holds "reweighting refuses c_F with periodic boundaries" ends 2 run none \
    --set "measurements=[ { kind: wilson_reweighting, c_F: 1.2, masses: [ { mass: 0, rho: 0.1 } ] } ]"
holds "with the reason" says 'c_F: the boundary coefficient is given, but the lattice is periodic in t'
facts_end
