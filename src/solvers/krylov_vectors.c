/* krylov_vectors.c - the vectors that an iteration reads and writes. */
#include "src/solvers/krylov_vectors.h"

vec *krylov_direction_of(const krylov_vectors *v, int pass)
{
    if (v->ring)
        return v->ring[pass % KRYLOV_RING];
    return v->residuals && pass % KRYLOV_RING != 0 ? v->alternate[pass % 2] : v->p[0];
}

vec *krylov_residual_of(const krylov_vectors *v, int pass)
{
    return v->residuals ? v->residuals[pass % KRYLOV_RING] : v->r;
}

shift_vectors krylov_shifts_of(int number, const krylov_vectors *v)
{
    return (shift_vectors){ .number = number, .count = v->count, .x = v->x, .p = v->p };
}

void krylov_apply_group(krylov *k, int number, const krylov_vectors *v)
{
    loop_clear(k->loop);
    vec_shifts_step_group(k->loop, k->there, krylov_shifts_of(number, v), v->residuals, true);
    loop_run_once(k->loop);
}
