#!/bin/sh
# New pseudofermions have S = |eta|^2: how far they are from it is in the record of every trajectory, and where that is
# too much the input, the run and its status warn.
cd "${srcdir:-.}" || exit 99
. ./tests/facts.sh
. ./tests/ensemble/stream.sh

cat >run.yaml <<'END_OF_INPUT'
lattice: [4, 4, 4, 4]
random: { seed: 9 }
start: { from: hot }
monomials:
  - { kind: gauge, name: gauge, action: wilson, beta: 5.6 }
  - kind: staggered
    name: staggered
    determinants:
      - { quarks: [ { mass: 0.1, flavors: 2 } ], hasenbusch: [ { mass: 0.5 } ] }
    residuals: { refresh: 1e-9, action: 1e-9, force: 1e-5 }
  - kind: domain_wall
    name: walls
    Ls: 4
    determinants:
      - { flavors: 2, mass: 0.2 }
      - { flavors: 1, mass: 0.3 }
    residuals: { refresh: 1e-9, action: 1e-9, force: 1e-5 }
hmc:
  trajectory_length: 0.1
  levels: [ { integrator: leapfrog, steps: 1, monomials: [gauge, staggered, walls] } ]
  trajectories: 2
  thermalization: 2
output: { directory: unnamed, name: c }
END_OF_INPUT
loose="--set monomials.1.residuals.action=0.1 --set monomials.1.residuals.refresh=0.1"
warning="differs from |eta|^2"

# errors_of FOLDER: of every trajectory and monomial with pseudofermions.
errors_of() {
    sed 's/"refresh_error"/\n&/g' "$1/run.jsonl" | sed -n 's/^"refresh_error": \([-+.e0-9]*\).*/\1/p'
}
# sizes_are FOLDER CONDITION: of awk's x, the size of each; of all
sizes_are() {
    errors_of "$1" | awk "{ x = \$1 < 0 ? -\$1 : \$1; if (!($2)) bad = 1; n++ } END { exit bad || n == 0 }"
}

run tight || { cat said; exit 99; }
holds "each monomial with pseudofermions has a refresh_error in each line, the gauge action none" \
    [ "$(errors_of tight | wc -l)" = 4 ]
holds "with tight residuals they are small, but not 0" sizes_are tight 'x > 0 && x < 1e-5'
none "and nobody warns" "$(grep -F "$warning" tight/run.log; "$KILN_PROGRAM" status tight 2>&1 | grep -F "$warning")"

run loose $loose || { cat said; exit 99; }
holds "with residuals of 0.1 the run starts with a warning for each key" [ "$(grep -c \
    'warning: staggered: residuals.[a-z_]*: 0.1 may cause an error of dH up to' loose/run.log)" = 2 ]
holds "says once when it is so" [ "$(grep -c "trajectory 1, staggered: .*$warning" loose/run.log)" = 1 ]
holds "and so does its status" sh -c "'$KILN_PROGRAM' status loose | grep -qF '$warning'"
"$KILN_PROGRAM" check run.yaml --json >check.json 2>&1
holds "kiln check has no warnings for the tight input" grep -q '"warnings": \[\]' check.json
"$KILN_PROGRAM" check run.yaml $loose --json >check.json 2>&1
holds "and two for the loose one" grep -q \
    '"warnings": \["staggered: residuals.refresh: .*", "staggered: residuals.action: ' check.json
holds "its estimates have the names of the keys" [ "$("$KILN_PROGRAM" check run.yaml |
    grep -c '^#   error of dH, about at most: refresh [0-9].*, action [0-9]')" = 2 ]
"$KILN_PROGRAM" check run.yaml --set monomials.1.errors.action=0.001 --json >check.json 2>&1
holds "errors of rational functions count as well" \
    grep -q '"warnings": \["staggered: errors.action: 0.001 may cause an error of dH' check.json
facts_end
