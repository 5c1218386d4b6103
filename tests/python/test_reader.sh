#!/bin/sh
# The Python package reads what Kiln writes: records, configurations, probes; and sees a byte that changed.
cd "${srcdir:-.}" || exit 99
. ./tests/facts.sh

package=$(pwd)/python
facts=$(pwd)/tests/python/reader.py
if ! python3 -c 'import numpy' >/dev/null 2>&1; then
    skip "the Python package reads what Kiln writes" "there is no python3 with NumPy"
    facts_end
fi
PYTHONPATH=$package PYTHONDONTWRITEBYTECODE=1
export PYTHONPATH PYTHONDONTWRITEBYTECODE

scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' INT TERM
cd "$scratch" || exit 99

cat >run.yaml <<'END'
lattice: [4, 4, 4, 6]
random: { seed: 11 }
start: { from: hot }
monomials:
  - { kind: gauge, action: symanzik_tree, beta: 4.5 }
hmc:
  trajectory_length: 0.5
  levels:
    - { integrator: omelyan, steps: 3, monomials: [gauge] }
  trajectories: 6
  thermalization: 2
output: { directory: run, name: c, configuration_every: 2, checkpoint_every: 1 }
END
reader() { python3 "$facts" "$@"; }

{
    "$KILN_PROGRAM" run run.yaml --quiet --device cpu &&
        "$KILN_PROGRAM" run run.yaml --quiet --device cpu --set hmc.trajectories=10 --set hmc.levels.0.steps=4 \
            --new-stratum --reason finer &&
        "$KILN_PROGRAM" convert run/c.000010.lime c.scidac --format scidac --precision 32 &&
        "$KILN_PROGRAM" probe links run/c.000010.lime links.npy &&
        "$KILN_PROGRAM" probe gauge-force --action wilson --beta 6 run/c.000010.lime force.npy
} >said 2>&1 || { cat said; exit 99; }

holds "its own tests" python3 -m unittest discover -s "$package/tests"
holds "the record: numbers, warm-up, strata" reader record run
holds "a torn last line is told, and nothing else is lost" reader torn run
holds "configurations have the plaquettes that the record says" reader plaquettes run
holds "SciDAC in 32 bits: the same links, rounded" reader same_links run/c.000010.lime c.scidac 32
holds "links and forces of kiln probe" reader probe run/c.000010.lime links.npy force.npy
holds "a byte that changed is seen" reader flipped run/c.000010.lime
facts_end
