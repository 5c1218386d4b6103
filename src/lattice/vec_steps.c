/* vec_steps.c - the kernels of steps on single vectors. */
#include "src/lattice/vec_steps.h"

#include "src/lattice/kernels.h"

#include <assert.h>

MAP_KERNEL_FORMATS(vector_multishift_update);
SUM_KERNEL_FORMATS(vector_residual, 2, 0);

residual_sums vec_residual_update(vec *r, double a, const vec *q, double guess)
{
    const field *f = &r->f;
    vector_args args = { vec_view(r), vec_view(q), a };
    const sum_launch sum = { .where = f->where, .precision = f->precision, .args = &args, .range = vec_sites(r) };
    double bound = sum_bound_guessed(guess), sums[2];
    assert(vec_are_alike(r, q));
    bool fits = run_sum_once(&vector_residual[r->format], f->lattice, &sum, bound, sums);
    if (fits && sum_is_fine(sums[0], bound))
        return (residual_sums){ sums[0], sums[1] };
    return (residual_sums){ vec_norm2(r), a * vec_dot(r, q).re };        /* r - previous r = a q up to rounding */
}

void vec_multishift_update(const vec_shift_step *s, const vec *r)
{
    multishift_args args = { .count = s->count, .r = vec_view(r) };
    assert(s->count <= SHIFTS_MAX);
    for (int k = 0; k < s->count; k++) {
        assert(vec_are_alike(s->x[k], r) && vec_are_alike(s->p[k], r));
        args.x[k] = vec_view(s->x[k]);
        args.p[k] = vec_view(s->p[k]);
        args.a[k] = s->a[k];
        args.b[k] = s->b[k];
        args.z[k] = s->z[k];
    }
    run_map(&vector_multishift_update[r->format], r->f.where, r->f.precision, &args, vec_sites(r));
}
