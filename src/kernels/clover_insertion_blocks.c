/* clover_insertion_blocks.c - insertions of hermitian blocks:  W_k = the trace of B pauli_k over spins. */
#include "src/kernels/clover_insertion.h"
#include "src/site/clover_block.h"
#include "src/site/site.h"

/* A matrix with the hermitian part of W_k, times a number. */
SITE_FN su3 pauli_trace(clover_block b, int k, real a)
{
    su3 w = su3_zero();
    for (int i = 0; i < 3; i++) {
        w.e[i][i].re = k == 2 ? a * (b.d[i] - b.d[3 + i]) : w.e[i][i].re;
        for (int j = 0; j < 3; j++) {
            const cplx lower_left = b.below[block_at(3 + i, j)];             /* its adjoint is at the upper right */
            if (k != 2) {
                w.e[i][j].re = (a + a) * (k == 0 ? lower_left.re : lower_left.im);
                w.e[i][j].im = (a + a) * (k == 0 ? lower_left.im : -lower_left.re);
            } else if (j < i) {
                const cplx first = b.below[block_at(i, j)], second = b.below[block_at(3 + i, 3 + j)];
                w.e[i][j].re = (a + a) * (first.re - second.re);
                w.e[i][j].im = (a + a) * (first.im - second.im);
            }
        }
    }
    return w;
}

SITE_MAP(clover_insertion_blocks, clover_insertion_blocks_args, a, x)
{
    const real factor = spread((scalar)a->a);
    const clover_block upper = load_clover_block(&a->blocks, x, 0), lower = load_clover_block(&a->blocks, x, 1);
    add_pauli_insertion(&a->out, x, 0, pauli_trace(upper, 0, factor), pauli_trace(lower, 0, factor));
    add_pauli_insertion(&a->out, x, 1, pauli_trace(upper, 1, factor), pauli_trace(lower, 1, factor));
    add_pauli_insertion(&a->out, x, 2, pauli_trace(upper, 2, factor), pauli_trace(lower, 2, factor));
}
