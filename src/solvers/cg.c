/* cg.c - conjugate gradients for (A + shift) x = b, A hermitian >= 0.
 *
 *     q = (A + shift) p;  alpha = |r|^2 / <p, q>;  r' = r - alpha q;  beta = |r'|^2 / |r|^2;
 *     x <- x + alpha p;  p <- r' + beta p;  r <- r'
 *
 * |r|^2 is iterated (krylov.h).  When it reaches the tolerance, the true residual is computed from x; if that is
 * larger, the iteration restarts from x. */
#include "src/solvers/cg_space.h"

#include "src/base/memory.h"

#include <assert.h>
#include <math.h>

/* If a restart reduces |r|^2 by less than this factor, the residual has reached rounding errors. */
#define STAGNATION 0.25

static cg_space *create_space(lattice *l, parity_set on, place where, precision p, int slabs, int slots)
{
    cg_space *w = memory_alloc(sizeof *w, "the vectors of a solver");
    assert(slots > 0 && slots <= BATCH_MAX_RHS);
    w->slots = slots;
    for (int n = 0; n < slots; n++) {
        w->r[n] = vec_create_slabs(l, on, where, p, slabs);
        w->more[n] = vec_create_slabs(l, on, where, p, slabs);
    }
    w->v[0] = w->r[0];
    w->v[2] = w->more[0];
    w->engine = krylov_create(l, where, FINISH_IN_KERNEL);
    return w;
}

void cg_space_complete(cg_space *w)
{
    if (!w->v[1])
        w->v[1] = vec_create_native(w->v[0], w->v[0]->f.precision);
}

cg_space *cg_space_create_batch(lattice *l, parity_set on, place where, precision p, int slots)
{
    cg_space *w = create_space(l, on, where, p, 1, slots);
    cg_space_complete(w);
    return w;
}

cg_space *cg_space_create_refining(const vec *like, int slots)
{
    const field *f = &like->f;
    return create_space(f->lattice, f->on, f->where, f->precision, f->slabs, slots);
}

cg_space *cg_space_create_like(const vec *like, int slots)
{
    cg_space *w = cg_space_create_refining(like, slots);
    cg_space_complete(w);
    return w;
}

cg_space *cg_space_create(lattice *l, parity_set on, place where, precision p)
{
    return cg_space_create_batch(l, on, where, p, 1);
}

void cg_space_widen(cg_space *w)
{
    const vec *like = w->v[0];
    if (w->wide)
        return;
    w->wide = true;
    for (int n = 0; n < w->slots; n++) {
        for (int i = 0; i < KRYLOV_RING - 1; i++)
            w->residuals[n][i] = vec_create_native(like, like->f.precision);
        w->residuals[n][KRYLOV_RING - 1] = w->r[n];
        for (int i = 0; i < 2; i++)
            w->alternate[n][i] = vec_create_native(like, like->f.precision);
    }
}

void cg_space_free(cg_space *w)
{
    if (!w)
        return;
    for (int n = 0; w->wide && n < w->slots; n++) {
        for (int i = 0; i < KRYLOV_RING - 1; i++)
            vec_free(w->residuals[n][i]);
        for (int i = 0; i < 2; i++)
            vec_free(w->alternate[n][i]);
    }
    vec_free(w->v[1]);
    for (int n = 0; n < w->slots; n++) {
        vec_free(w->r[n]);
        vec_free(w->more[n]);
    }
    krylov_free(w->engine);
    memory_free(w);
}

memory_need cg_space_refining_bytes(const lattice_shape *shape, precision p, parity_set on, int slabs, int slots)
{
    return (memory_need){ .lasting = (size_t)(2 * slots * slabs) * vec_bytes(shape, p, on), .cells = krylov_bytes() };
}

memory_need cg_space_bytes(const lattice_shape *shape, precision p, parity_set on, int slabs, int slots)
{
    memory_need need = cg_space_refining_bytes(shape, p, on, slabs, slots);
    need.lasting += (size_t)slabs * vec_bytes(shape, p, on);
    return need;
}

/* A system and its target; pointers are borrowed, x is written. */
typedef struct {
    const linop *a;
    vec *x;
    double shift;
    const vec *b;
    double bb, target;               /* |b|^2; |r|^2 at which to stop */
} cg_system;

/* r <- b - (A + shift) x; |r|^2 */
static double true_residual(vec *r, const cg_system *s)
{
    s->a->apply(s->a, r, s->shift, s->x);
    vec_xpay(r, s->b, -1);
    return vec_norm2(r);
}

/* Iterates from r = b - (A + shift) x with |r|^2 = rr until the iterated |r|^2 is at most the target.  Adds the steps
 * to *iterations, up to max_iterations.  False if no iterations are left, or if the operator is not positive. */
static bool iterate_to_target(const cg_system *s, double rr, int max_iterations, int *iterations, cg_space *w)
{
    const int system = 0;
    vec *x = s->x, *p = w->v[1];
    krylov_vectors v = { .r = w->v[0], .q = w->v[2], .count = 1, .x = &x, .p = &p };
    krylov_system *state = krylov_begin(w->engine, system, s->shift, s->bb, rr, s->target);
    state->most = max_iterations - *iterations;
    vec_copy(p, v.r);
    if (state->most > 0)
        krylov_run(w->engine, s->a, &system, &v, 1);
    *iterations += state->steps;
    return state->status == SYSTEM_DONE;
}

solve_result cg_solve(const linop *a, vec *x, double shift, const vec *b, stop_rule stop, cg_space *w)
{
    solve_result result = { 0 };
    const double bb = vec_norm2(b);
    const cg_system s = { .a = a, .x = x, .shift = shift, .b = b, .bb = bb,
                          .target = stop.tolerance * stop.tolerance * bb };
    if (bb == 0) {
        vec_zero(x);
        result.converged = true;
        return result;
    }
    double rr = true_residual(w->v[0], &s), before = INFINITY;
    bool going = true;
    while (going && isfinite(rr) && rr > s.target && rr <= STAGNATION * before) {
        if (before < INFINITY)
            result.restarts++;
        before = rr;
        going = iterate_to_target(&s, rr, stop.max_iterations, &result.iterations, w);
        rr = true_residual(w->v[0], &s);
    }
    result.residual = sqrt(rr / bb);
    result.converged = rr <= s.target;
    result.spent = !result.converged && result.iterations >= stop.max_iterations;
    return result;
}
