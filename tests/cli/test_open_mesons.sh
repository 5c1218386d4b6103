#!/bin/sh
# Correlators of Wilson quarks on stout links with open boundaries in time: against the solutions of kiln probe, slice
# by slice; on ranks; and what is refused.
cd "${srcdir:-.}" || exit 99
. ./tests/facts.sh
questions=$(pwd)/tests/cli/open_mesons.py
PYTHONPATH=$(pwd)/python PYTHONDONTWRITEBYTECODE=1
export PYTHONPATH PYTHONDONTWRITEBYTECODE
. ./tests/python/interpreter.sh
. ./tests/ensemble/stream.sh
use_numpy "$scratch/python"

cat >open.yaml <<'END'
lattice: [4, 4, 4, 8]
boundary: { time: open }
random: { seed: 5 }
start: { from: hot, heatbath: { sweeps: 20 } }
monomials:
  - { kind: gauge, action: wilson, beta: 5.8 }
heatbath: { sweeps: 1 }
hmc: { trajectories: 2, thermalization: 0 }
measurements:
  - kind: wilson
    name: quarks
    every: 2
    c_sw: 1.4
    c_F: 1.2
    stout: { levels: 2, rho: 0.1 }
    masses: [ { mass: 0.1 } ]
    source: [1, 2, 3, 2]
    random_sources: 0
    spectrum: false
    bilinears: all
    plateau_first: 4
    plateau_last: 5
    residual: 1e-13
  - kind: wilson_doublet
    name: doublet
    every: 2
    c_sw: 1.4
    stout: { levels: 2, rho: 0.1 }
    mass: 0.2
    mu_sigma: 0.3
    mu_delta: 0.2
    masses: [ { mass: 0.2, mu: 0.1 } ]
    source: [1, 2, 3, 2]
    heavy: true
    residual: 1e-10
output: { directory: open, name: c, configuration_every: 2, checkpoint_every: 2 }
END
refused() {                             # SENTENCE KEY=VALUE WORDS
    none "refused: $1" "$("$KILN_PROGRAM" check open.yaml --set "$2" 2>&1 | grep -q "$3" ||
        "$KILN_PROGRAM" check open.yaml --set "$2" 2>&1)"
}
holds "a run measures them" "$KILN_PROGRAM" run open.yaml --device cpu --quiet
if [ -n "$no_numpy" ]; then
    skip "correlators are those of the solutions of kiln probe" "$no_numpy"
else
    for column in 0 1 2 3 4 5 6 7 8 9 10 11; do
        python3 "$questions" source $column source.npy &&
            "$KILN_PROGRAM" probe solve --operator clover --source source.npy --residual 1e-13 --c-sw 1.4 --c-F 1.2 \
                --stout-levels 2 --stout-rho 0.1 --mass 0.1 \
                --device cpu open/c.000002.lime quark.$column.npy >said 2>&1 || cat said
    done
    none "correlators and PCAC masses are those of the solutions of kiln probe" \
        "$(python3 "$questions" compare open/run.jsonl quark.*.npy 2>&1)"
fi
results() { sed -n 's/.*"measurements": \(.*\), "energy_before.*/\1/p' "$1"; }
"$KILN_PROGRAM" run open.yaml --device cpu --quiet --ranks 4 --set output.directory=divided >said 2>&1 || cat said
results open/run.jsonl >one
results divided/run.jsonl >four
holds "four ranks measure the same, with every digit" eval '[ -s one ] && cmp one four'

refused "a source in the first slice" 'measurements.0.source=[0,0,0,0]' "source: time slice 0; with open boundaries"
refused "that of a doublet in the last slice" 'measurements.1.source=[0,0,0,7]' "source: time slice 7; with open bound"
refused "walls of Coulomb's gauge for a doublet" measurements.1.source_type=wall "source_type is point or z2_wall"
refused "baryons" measurements.0.baryons=true "baryons and hyperons need periodic boundaries"
refused "walls of Coulomb's gauge" measurements.0.source_type=wall "source_type is point or z2_wall"
refused "a condensate" measurements.0.random_sources=2 "random_sources must be 0"
refused "files of propagators" 'measurements.0.propagators={save: p}' "files need periodic boundaries"
refused "a plateau that reaches the last slice" measurements.0.plateau_last=7 "is not between the first and the last"
refused "a plateau beside the source" measurements.0.plateau_first=3 "or a neighbor of"
refused "c_F with periodic boundaries" boundary.time=periodic "c_F: the boundary coefficient is given"
none "plateau, which has no effect: a warning" "$("$KILN_PROGRAM" check open.yaml --set measurements.0.plateau=0.3 \
    >told 2>&1; grep -q "measurements.0.plateau: 0.3 has no effect with open boundaries in time" told || cat told)"
none "so has the momentum 0 of both measurements" "$(for n in 0 1; do
    "$KILN_PROGRAM" check open.yaml --set measurements.$n.momenta='[ { x: 1 }, { x: 0 } ]' >told 2>&1
    grep -q "measurements.$n.momenta.1 is 0, whose correlators the members without momenta have" told || cat told
done)"
none "and none without it" "$("$KILN_PROGRAM" check open.yaml 2>&1 | grep "has no effect\|is 0, whose")"
sed -i '/c_F/d' open.yaml
refused "a plateau with periodic boundaries" boundary.time=periodic "plateau_last belong to open boundaries"
facts_end
