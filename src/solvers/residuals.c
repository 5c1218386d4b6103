/* residuals.c - true residuals of several systems at once. */
#include "src/solvers/residuals.h"

#include "src/lattice/vec_mixed.h"

#include <assert.h>

void residuals_compute(krylov *k, const linop *a, true_residual *of, int count)
{
    vec *r[BATCH_MAX] = { NULL }, *x[BATCH_MAX] = { NULL };
    double shift[BATCH_MAX] = { 0 }, guess[BATCH_MAX] = { 0 }, norm2[BATCH_MAX];
    assert(count <= BATCH_MAX);
    for (int i = 0; i < count; i++) {
        r[i] = of[i].r;
        x[i] = of[i].x;
        shift[i] = of[i].shift;
        guess[i] = of[i].guess;
    }
    krylov_apply(k, a, r, shift, x, count);
    for (int i = 0; i < count; i++) {
        vec_xpay(r[i], of[i].b, -1);
        if (of[i].scale != 1)
            vec_combine(r[i], of[i].scale, r[i], NULL, NULL, 0);
    }
    vec_norms2(norm2, r, guess, count);
    for (int i = 0; i < count; i++)
        of[i].norm2 = norm2[i];
}
