#!/bin/sh
# Anisotropic lattices from input to files: what is refused, ranks and continuations, the probes.
cd "${srcdir:-.}" || exit 99
. ./tests/facts.sh
. ./tests/ensemble/stream.sh

OMP_NUM_THREADS=1
export OMP_NUM_THREADS
XI="--set monomials.0.xi_0=2.5"
TADPOLES="--set monomials.0.action=symanzik_anisotropic --set monomials.0.u_s=0.85 --set monomials.0.u_t=1"

for action in "$XI" "$XI $TADPOLES"; do
    holds "a stream with $action" run one $action
    holds "a stream on two ranks has the same links" eval 'run two $action --ranks 2 &&
        cmp two/c.000006.lime one/c.000006.lime'
    holds "as has a continuation" eval 'run three $action --set hmc.trajectories=3 && run three $action &&
        cmp three/c.000006.lime one/c.000006.lime'
    holds "kiln audit repeats it" "$KILN_PROGRAM" audit one
    rm -r one two three
done
holds "an isotropic stream" run plain
holds "its states say nothing of an anisotropy" eval '! grep -aq "\"xi_0\"" plain/c.000006.lime'
holds "an anisotropic one" run skewed $XI
measured() {
    file=$1
    shift
    "$KILN_PROGRAM" measure --device cpu --what plaquette --json "$file" --input run.yaml "$@" >told 2>said
}
FLOW="measurements=[ { kind: flow, t_max: 0.1"
holds "its configurations say so" eval '"$KILN_PROGRAM" verify --json skewed/c.000006.lime >told 2>said &&
    grep -q "\"xi_0\": 2.5" told'
holds "kiln measure with an isotropic input refuses them: status 1" ends 1 measured skewed/c.000006.lime \
    --set "$FLOW } ]"
holds "with the reason" says "its action is anisotropic, with xi_0: 2.5, but that of the input is isotropic"
holds "and with another anisotropy: status 1" ends 1 measured skewed/c.000006.lime --set monomials.0.xi_0=2 \
    --set "$FLOW, xi: 2 } ]"
holds "with the reason" says "its action has xi_0: 2.5, but that of the input has xi_0: 2"
holds "it measures them with their own" measured skewed/c.000006.lime $XI --set "$FLOW, xi: 2.4 } ]"
holds "kiln measure warns of the energy without an input" eval '
    "$KILN_PROGRAM" measure --device cpu --what energy skewed/c.000006.lime >told 2>said &&
    says "the action has xi_0: 2.5: energy adds planes in space and with t as on an isotropic lattice"'
holds "not of other observables, nor with an isotropic action" eval '
    "$KILN_PROGRAM" measure --device cpu --what plaquette skewed/c.000006.lime >told 2>said && ! grep -q xi_0: said &&
    "$KILN_PROGRAM" measure --device cpu --what energy plain/c.000006.lime >told 2>said && ! grep -q warning said'
holds "files that say nothing may have any" measured plain/c.000006.lime $XI --set "$FLOW, xi: 2.4 } ]"
fixed() {
    rm -f fixed.lime
    "$KILN_PROGRAM" gaugefix --device cpu --quality 1e-3 --gauge "$1" "$2" fixed.lime >told 2>said
}
holds "kiln gaugefix refuses Landau's gauge: status 1" ends 1 fixed landau skewed/c.000006.lime
holds "with the reason" says "xi_0: 2.5; Landau's gauge needs an isotropic action; use --gauge coulomb"
holds "and writes nothing" [ ! -e fixed.lime ]
holds "it serves Coulomb's" fixed coulomb skewed/c.000006.lime
holds "and Landau's on isotropic lattices" fixed landau plain/c.000006.lime
holds "xi_0: 1 has the same links" eval 'run unit --set monomials.0.xi_0=1 && links() {
        "$KILN_PROGRAM" probe links --device cpu $1/c.000006.lime $1.npy && cksum <$1.npy; } 2>said &&
    [ "$(links unit)" = "$(links plain)" ]'

refused() {
    what=$1
    reason=$2
    shift 2
    holds "$what: status 2" ends 2 run none "$@"
    holds "with the reason" says "$reason"
}
refused "tadpole factors of another action" "u_s is for action symanzik_anisotropic" $XI --set monomials.0.u_s=0.8
refused "no tadpole factors" "needs xi_0, the bare anisotropy" $XI --set monomials.0.action=symanzik_anisotropic
refused "xi_0 of an isotropic action" "action symanzik_1loop is isotropic" $XI \
    --set monomials.0.action=symanzik_1loop --set monomials.0.u0=0.9
refused "xi_0: 0" "xi_0" --set monomials.0.xi_0=0
refused "staggered measurements" "kind condensate need an isotropic action, but monomial .gauge. has xi_0: 2.5" $XI \
    --set "measurements=[ { kind: condensate, masses: [ { mass: 0.1 } ] } ]"

refused "the energy of links without flow" \
    "measurements.0.observables: energy adds planes .* as on an isotropic lattice; use kind: flow.* has xi_0: 2.5" $XI \
    --set "measurements=[ { kind: gauge, observables: [plaquette, energy] } ]"
holds "other observables are not" "$KILN_PROGRAM" check run.yaml $XI \
    --set "measurements=[ { kind: gauge, observables: [plaquette, rectangle, polyakov_directions, charge] } ]"
refused "a flow without xi" "flow: on an anisotropic lattice the flow needs the key xi.* has xi_0: 2.5" $XI \
    --set "measurements=[ { kind: flow, t_max: 0.1 } ]"
holds "a flow with xi" run flow $XI --trajectories 1 --set "measurements=[ { kind: flow, t_max: 0.1, xi: 2.5 } ]"
holds "the record has xi" grep -q '"flow": {.*"xi": 2.5' flow/run.jsonl
holds "and both parts of the energy" grep -q '"t2E_space": .*"t2E_time"' flow/run.jsonl

refused "a flow with xi on an isotropic lattice" "0.xi: 2 is given, but the action is isotropic" \
    --set "measurements=[ { kind: flow, t_max: 0.1, xi: 2 } ]"
refused "Wilson loops with xi on an isotropic lattice" "0.xi: 2 is given, but the action is isotropic" \
    --set "measurements=[ { kind: wilson_loops, xi: 2 } ]"
holds "xi: 1 is possible there" "$KILN_PROGRAM" check run.yaml \
    --set "measurements=[ { kind: wilson_loops, xi: 1 } ]"

refused "Wilson loops without xi" "wilson_loops: on an anisotropic lattice the static potential needs the key xi" $XI \
    --set "measurements=[ { kind: wilson_loops } ]"
refused "distances of the isotropic action" "distance wilson is that of the isotropic action, but xi is given" $XI \
    --set "measurements=[ { kind: wilson_loops, distance: wilson, xi: 2.5 } ]"
holds "Wilson loops with xi, and Coulomb's gauge" run loops $XI --trajectories 1 \
    --set "measurements=[ { kind: wilson_loops, xi: 2.5 }, { kind: gauge_fixing, gauge: coulomb, quality: 1e-4 } ]"
holds "the record has xi" grep -q '"distance": "midpoint", "xi": 2.5' loops/run.jsonl
refused "Landau's gauge" "Landau's gauge needs an isotropic action; use gauge: coulomb" $XI \
    --set "measurements=[ { kind: gauge_fixing } ]"
refused "a flow between open boundaries" "flow needs periodic boundaries in time, but boundary.time" $XI \
    --set boundary.time=open \
    --set "measurements=[ { kind: flow, t_max: 0.1, xi: 2.5, plateau_first: 2, plateau_last: 3 } ]"
refused "tadpole factors at xi_0: 1" "is anisotropic at xi_0 = 1, too" $TADPOLES --set monomials.0.xi_0=1

cat >two.yaml <<'END'
lattice: [4, 4, 4, 6]
random: { seed: 11 }
monomials:
  - { kind: gauge, name: a, action: wilson, beta: 5.5, xi_0: 3 }
  - { kind: gauge, name: b, action: wilson, beta: 0.5, xi_0: 2 }
  - { kind: domain_wall, name: w, Ls: 4, determinants: [ { flavors: 2, mass: 0.1 } ] }
hmc:
  trajectories: 1
  levels: [ { integrator: omelyan, steps: 3, monomials: [a, b, w] } ]
output: { directory: none }
END
"$KILN_PROGRAM" check two.yaml >said 2>&1
holds "two anisotropies in one action" says "two.yaml:5:.*bare anisotropy xi_0 is 2 here and 3 in monomial .a."
holds "domain-wall quarks" says "kind domain_wall need an isotropic action, but monomial .a. has xi_0: 3"

sed '/name: b/d; s/kind: domain_wall, name: w, Ls: 4/kind: wilson, name: w, xi_0: 1, nu: 0.9/; s/, b, w/, w/
     s/, xi_0: 3//' two.yaml >nu.yaml
"$KILN_PROGRAM" check nu.yaml >said 2>&1
holds "nu on an isotropic lattice" says "nu: with xi_0: 1 the lattice is isotropic, and nu is 1"

cat >quarks.yaml <<'END'
lattice: [4, 4, 4, 8]
random: { seed: 12 }
start: { from: hot, heatbath: { sweeps: 4 } }
monomials:
  - { kind: gauge, name: gauge, action: wilson, beta: 5.6, xi_0: 2.5 }
  - { kind: wilson, name: quarks, xi_0: 2.5, nu: 1.1, method: multigrid, determinants: [ { mass: 0.2 } ] }
hmc:
  trajectories: 1
  trajectory_length: 0.3
  levels: [ { integrator: omelyan, steps: 4, monomials: [gauge, quarks] } ]
output: { directory: quarks }
END
of_quarks() {
    "$KILN_PROGRAM" "$@" >said 2>&1
}
QUARKS="kind: wilson, name: mesons, nu: 1.1, masses: [ { mass: 0.2 } ], plateau: 0.5"
holds "quarks with multigrid, and their mesons" of_quarks run quarks.yaml \
    --set "measurements=[ { $QUARKS, xi_0: 2.5 } ]"
holds "multigrid makes all solves: vectors of the first links, and cycles" \
    grep -q '"name": "multigrid", "kept": 0, "refined": [1-9][0-9]*, "rebuilt": 1, "cycles": [1-9]' quarks/run.jsonl
holds "the record has the PCAC mass" grep -q '"pcac_mass": [0-9.]*,' quarks/run.jsonl
of_check() {
    what=$1
    reason=$2
    shift 2
    holds "$what: status 2" ends 2 of_quarks check quarks.yaml "$@"
    holds "with the reason" says "$reason"
}
of_check "mesons of isotropic quarks" "mesons: the measured quarks are isotropic, but monomial .gauge. has xi_0: 2.5" \
    --set "measurements=[ { kind: wilson, name: mesons, masses: [ { mass: 0.2 } ] } ]"
of_check "mesons of another anisotropy" "mesons: the measured quarks have xi_0: 2, but monomial .gauge. has xi_0: 2.5" \
    --set "measurements=[ { $QUARKS, xi_0: 2 } ]"
of_check "a diagonal below 0" "masses.0: the diagonal of M, m + 1 + 3 nu/xi_0, is -0.68" \
    --set "measurements=[ { kind: wilson, xi_0: 2.5, nu: 1.1, masses: [ { mass: -3 } ] } ]"
holds "mesons of another nu" of_quarks check quarks.yaml --set \
    "measurements=[ { kind: wilson, name: mesons, xi_0: 2.5, nu: 1, masses: [ { mass: 0.2 } ] } ]"
holds "a warning" says "measurements.0.nu: mesons measures quarks with nu 1, but those of the action have nu 1.1"
of_check "c_sw with xi_0" "monomials.1.c_sw: on anisotropic lattices the clover term has the coefficients c_s and c_t" \
    --set monomials.1.c_sw=1
of_check "three coefficients" "monomials.1.c_sw: c_s and c_t are the coefficients of the clover term; remove c_sw" \
    --set monomials.1.c_sw=1 --set monomials.1.c_s=1 --set monomials.1.c_t=1
of_check "c_s alone" "c_s is given, but c_t is not; give both coefficients" --set monomials.1.c_s=1
holds "kiln check with both" of_quarks check quarks.yaml --set monomials.1.c_s=1.5 --set monomials.1.c_t=0.9
holds "has the factors" says "clover term 0.6 A_s + 0.9 A_t: c_s/xi_0 in planes of space, c_t in planes with t"
holds "mesons of other coefficients" of_quarks check quarks.yaml --set monomials.1.c_s=1.5 --set monomials.1.c_t=0.9 \
    --set "measurements=[ { $QUARKS, xi_0: 2.5, c_s: 1.5, c_t: 1 } ]"
holds "a warning" says "measurements.0.c_t: mesons measures quarks with c_t 1, but those of the action have c_t 0.9"

clover_of() {
    sed "/kind: gauge/s/xi_0: 2.5/xi_0: $3/; s/xi_0: 2.5, nu: 1.1, method: multigrid/$2/
         s/directory: quarks/directory: $1/" quarks.yaml >"$1.yaml"
    of_quarks run "$1.yaml" &&
        sed -n 's/.*"dH": \([^,]*\),.*"plaquette": {"average": \([^,]*\),.*/\1 \2/p' "$1/run.jsonl"
}
holds "xi_0: 1 and c_s = c_t: the stream of c_sw" eval 'a=$(clover_of equal "xi_0: 1, c_s: 1.2, c_t: 1.2" 1) &&
    b=$(clover_of isotropic "c_sw: 1.2" 1) && [ -n "$a" ] && [ "$a" = "$b" ]'
holds "multigrid with a clover term has the trajectory of conjugate gradients" eval \
    'a=$(clover_of mg "xi_0: 2.5, c_s: 1.5, c_t: 0.9, method: multigrid, residuals: { force: 1e-10 }" 2.5) &&
     b=$(clover_of cg "xi_0: 2.5, c_s: 1.5, c_t: 0.9, residuals: { force: 1e-10 }" 2.5) && [ "$a" != "$b" ] &&
     echo "$a $b" | awk "{ exit !((\$1 - \$3)^2 < 1e-12 && (\$2 - \$4)^2 < 1e-18) }"'

sed '/kind: gauge/s/, xi_0: 2.5//; s/ xi_0: 2.5, nu: 1.1,//' quarks.yaml >isotropic.yaml
holds "anisotropic quarks on isotropic links: status 2" ends 2 of_quarks check isotropic.yaml \
    --set "measurements=[ { $QUARKS, xi_0: 2.5 } ]"
holds "with the reason" says "the measured quarks have xi_0: 2.5, but the action is isotropic"

energy() {
    "$KILN_PROGRAM" probe energy --device cpu --action "$@" plain/c.000006.lime 2>said |
        sed -n 's/.*"gauge": \([-+0-9.e]*\).*/\1/p'
}
holds "kiln probe energy: the actions at xi_0 = 2 and 1/2 add up to 5/2 of the isotropic one" eval \
    'a=$(energy wilson --beta 6 --xi-0 2) b=$(energy wilson --beta 6 --xi-0 0.5) c=$(energy wilson --beta 6) &&
     awk "BEGIN { d = ($a + $b) / (2.5 * $c) - 1; exit !(d < 1e-13 && d > -1e-13) }"'
holds "it refuses u_s: status 2" ends 2 "$KILN_PROGRAM" probe energy --action wilson --beta 6 --u-s 0.8 \
    plain/c.000006.lime
facts_end
