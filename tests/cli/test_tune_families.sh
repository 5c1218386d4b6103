#!/bin/sh
# kiln tune for all families of quarks: which keys it tries, and that it writes an input that kiln check accepts.
cd "${srcdir:-.}" || exit 99
. ./tests/facts.sh
. ./tests/ensemble/stream.sh

OMP_NUM_THREADS=1
export OMP_NUM_THREADS

# input NAME LEVEL: NAME.yaml with the monomials of standard input, whose names are LEVEL
input() {
    {
        echo "lattice: [4, 4, 4, 4]
random: { seed: 9 }
start: { from: hot, heatbath: { sweeps: 10 } }
monomials:
  - { kind: gauge, name: gauge, action: wilson, beta: 5.6 }"
        cat
        echo "hmc:
  trajectory_length: 0.4
  levels:
    - { integrator: omelyan, steps: 3, monomials: [$2] }
    - { integrator: omelyan, steps: 1, monomials: [gauge] }
  trajectories: 10
output: { directory: $1.out }"
    } >"$1.yaml"
}

input wilson light,twisted,heavy <<END
  - kind: wilson
    name: light
    c_sw: 1.1
    determinants:
      - { flavors: 2, kappa: 0.13, hasenbusch: [ { kappa: 0.128 }, { mass: 0.9 } ] }
      - { flavors: 1, mass: 0.3 }
    residuals: { refresh: 1e-7, action: 1e-7, force: 1e-5 }
  - kind: wilson
    name: twisted
    determinants:
      - { flavors: 2, kappa: 0.13, mu: 0.05, hasenbusch: [ { mu: 0.2 }, { rho: 0.7 } ] }
    residuals: { refresh: 1e-7, action: 1e-7, force: 1e-5 }
  - kind: wilson_doublet
    name: heavy
    kappa: 0.125
    mu_sigma: 0.2
    mu_delta: 0.1
    hasenbusch: [ { mu_sigma: 0.5 } ]
    residuals: { refresh: 1e-7, action: 1e-7, force: 1e-5 }
END
input walls walls <<END
  - kind: domain_wall
    name: walls
    action: mobius
    Ls: 4
    M5: 1.4
    b: 1.5
    c: 0.5
    determinants:
      - { flavors: 2, mass: 0.1, hasenbusch: [ { mass: 0.4 } ] }
      - { flavors: 1, mass: 0.4 }
    residuals: { refresh: 1e-7, action: 1e-7, force: 1e-5 }
END
input hisq hisq <<END
  - kind: staggered
    name: hisq
    action: hisq
    determinants:
      - quarks: [ { mass: 0.1, flavors: 2 } ]
        hasenbusch: [ { mass: 0.5 } ]
    residuals: { refresh: 1e-7, action: 1e-7, force: 1e-5 }
END

# tune NAME: NAME.json and NAME.tuned.yaml
tune() {
    "$KILN_PROGRAM" tune --device cpu --thermalization 1 --learn 2 --prove 0 --keep-solver --keep-integrator \
        --target 0.3 --quiet --json --output "$1.tuned.yaml" "$1.yaml" >"$1.json" 2>said
}
# tried NAME KEY: whether a value of the key was tried, and could be used
tried() {
    tr -d ' \n' <"$1.json" | tr '{' '\n' |
        grep -q "\"key\":\"monomials.$2\",\"value\":[-0-9.e]*,\"force\":[0-9].*\"seconds_per_accepted_unit\":[0-9]"
}
not_tried() {
    ! grep -q "\"monomials.$2\"" "$1.json"
}

for family in wilson walls hisq; do
    holds "$family: tuned" ends 0 tune $family
    holds "and the tuned input passes kiln check" "$KILN_PROGRAM" check $family.tuned.yaml
done
for key in 1.determinants.0.hasenbusch.0.kappa 1.determinants.0.hasenbusch.1.mass 1.determinants.1.fields \
    2.determinants.0.hasenbusch.0.mu 2.determinants.0.hasenbusch.1.rho 3.fields \
    3.hasenbusch.0.mu_sigma; do
    holds "wilson: $key is tried" tried wilson $key
done
for key in 1.determinants.0.fields 2.determinants.0.hasenbusch.0.mass 2.determinants.0.hasenbusch.0.kappa; do
    holds "wilson: $key, which the input has not, is not tried" not_tried wilson $key
done
for key in 1.determinants.0.hasenbusch.0.mass 1.determinants.1.fields; do
    holds "walls: $key is tried" tried walls $key
done
holds "walls: there are no fields of two flavors" not_tried walls 1.determinants.0.fields
for key in 1.determinants.0.hasenbusch.0.mass 1.determinants.0.fields 1.determinants.0.hasenbusch.0.fields; do
    holds "hisq: $key is tried" tried hisq $key
done

input methods light <<END
  - kind: wilson
    name: light
    determinants: [ { flavors: 2, mass: 0.1 } ]
    residuals: { refresh: 1e-7, action: 1e-7, force: 1e-5 }
END
holds "solvers and methods of Wilson quarks are timed" ends 0 "$KILN_PROGRAM" tune --device cpu --thermalization 1 \
    --learn 2 --prove 0 --keep-masses --keep-integrator --target 0.3 --quiet --output methods.tuned.yaml methods.yaml
for method in bicgstab bicgstab2 bicgstab4; do
    holds "$method is tried" grep -q "^#   $method .* [0-9]" methods.tuned.yaml
done
holds "double is tried" grep -q "^#   double  .* [0-9]" methods.tuned.yaml
holds "and the tuned input passes kiln check" "$KILN_PROGRAM" check methods.tuned.yaml

holds "residuals of forces are chosen" ends 0 "$KILN_PROGRAM" tune --device cpu --thermalization 1 --learn 2 --prove 0 \
    --keep-masses --keep-integrator --keep-solver --residuals --target 0.3 --quiet --output residuals.tuned.yaml \
    --set monomials.1.residuals.force=1e-7 --set monomials.1.solver=double \
    methods.yaml
holds "and written" grep -q "force: 1e-0[56]" residuals.tuned.yaml
holds "and the tuned input passes kiln check" "$KILN_PROGRAM" check residuals.tuned.yaml

cat >gluons.yaml <<END
lattice: [4, 4, 4, 4]
random: { seed: 31 }
start: { from: hot, heatbath: { sweeps: 30 } }
monomials: [ { kind: gauge, name: gauge, action: symanzik_tree, beta: 4.5 } ]
hmc:
  levels: [ { integrator: leapfrog, steps: 12, monomials: [gauge] } ]
  trajectories: 10
output: { directory: gluons.out }
END
# Which one is the cheapest depends on times; what is written must be what the report says.
holds "integrators are tried" eval 'ends 0 "$KILN_PROGRAM" tune --device cpu --learn 16 --prove 0 --quiet \
    --output gluons.tuned.yaml gluons.yaml >gluons.report 2>said && grep -q "x 4mn4fp .* from 16, was " gluons.report'
sed '/^ *#/d' gluons.tuned.yaml | grep -o 'integrator: *[a-z0-9_]*' | sed 's/.*: *//' >written
holds "the input has one integrator" [ "$(wc -l <written)" = 1 ]
sed -n 's/.* x \([a-z0-9_]*\).*<- chosen$/\1/p' gluons.report >chosen
[ -s chosen ] || echo leapfrog >chosen
holds "the one that the report marks as chosen, or its own" cmp written chosen
holds "and the tuned input passes kiln check" "$KILN_PROGRAM" check gluons.tuned.yaml

"$KILN_PROGRAM" tune --device cpu --thermalization 3 --learn 2 --prove 4 --keep-integrator --residuals gluons.yaml \
    >gluons.report 2>said
holds "after its first trajectory it logs how long it will take" \
    says 'for 3 trajectories of thermalization, 4 to learn from and 4 to verify; without trials of masses, solvers'
holds "as an estimate, before the line of that trajectory" \
    sh -c 'grep "^estimate\|^thermalization 1" said | head -n 1 | grep "^estimate from the first trajectory, .* s: "'
facts_end
