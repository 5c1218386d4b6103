#!/bin/sh
# The overlap operator on 4^4 against dense matrices that NumPy makes and diagonalizes, on periodic copies of random
# links: sign(H) v and D(m) v to 1e-12, with both approximations.
cd "${srcdir:-.}" || exit 99
. ./tests/facts.sh

questions=$(pwd)/tests/overlap/dense_sign.py
. ./tests/python/interpreter.sh
if [ -n "$no_numpy" ]; then
    skip "the overlap operator on 4^4 against dense matrices" "$no_numpy"
    facts_end
fi
PYTHONDONTWRITEBYTECODE=1 OPENBLAS_NUM_THREADS=1
export PYTHONDONTWRITEBYTECODE OPENBLAS_NUM_THREADS
. ./tests/ensemble/stream.sh
use_numpy "$scratch/python"
dense() { python3 "$questions" "$@"; }

cat >run.yaml <<'END'
lattice: [2, 2, 4, 4]
random: { seed: 7 }
start: { from: hot }
monomials:
  - { kind: gauge, name: gauge, action: wilson, beta: 7 }
hmc:
  trajectory_length: 1
  levels: [ { integrator: omelyan, steps: 10, monomials: [gauge] } ]
  trajectories: 12
output: { directory: cell, name: c, configuration_every: 12 }
END
{
    "$KILN_PROGRAM" run run.yaml --quiet --device cpu &&
        "$KILN_PROGRAM" run run.yaml --quiet --device cpu --trajectories 0 --set 'lattice=[4,4,4,4]' \
            --set 'start={from: file, file: cell/c.000012.lime, copies: [2,2,1,1]}' --set output.directory=copies &&
        dense write_source v.npy 4 4 4 4 &&
        dense write_dense dense.npy copies/c.checkpoint.000000.lime v.npy 1.4 >least
} >said 2>&1 || { cat said; exit 99; }

# apply PART OPTIONS...
apply() {
    part=$1
    shift
    "$KILN_PROGRAM" probe apply --operator overlap copies/c.checkpoint.000000.lime out.npy --source v.npy --mass 0.2 \
        --part "$part" --device "${KILN_DEVICE:-cpu}" "$@" >printed 2>said || { cat said; return 1; }
}
sign() { apply sign "$@" && dense same out.npy dense.npy 1e-12; }
holds "sign(H) v of all eigenvectors of H, smallest |eigenvalue| $(cat least)" sign
holds "by polynomials" sign --sign chebyshev
holds "with one mode" sign --modes 1
rough() { apply sign --accuracy 1e-6 && dense same out.npy dense.npy 1e-6 && ! dense same out.npy dense.npy 1e-12; }
holds "with less accuracy, as asked for" rough
matrix() { apply D && dense operator out.npy v.npy dense.npy 1.4 0.2 1e-12; }
holds "D(m) v" matrix
holds "the smallest mode is that of the dense matrices" dense smallest printed "$(cat least)" 1e-9
facts_end
