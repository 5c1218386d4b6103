/* test_bicg_short.c - short cycles of BiCGstab in half: the scalars and vectors are those of the definition, the cycles
 * of the long form give the same residuals, a run that stops and continues has the bits of one without a stop, and sums
 * that allow no step stop a system. */
#include "src/base/memory.h"
#include "src/kernels/bicg_short_steps.h"
#include "src/lattice/vec_mixed.h"
#include "src/solvers/bicg_mixed.h"
#include "tests/facts.h"
#include "tests/on_every_backend.h"
#include "tests/solvers/square_system.h"

#include <float.h>
#include <math.h>

enum { MOST = 12 };

/* A system C x = b with C and vectors in half.  `x_in` decides which form of the cycle is possible. */
typedef struct {
    square_system s;
    linop *half;
    krylov *k;
    bicg_vectors v;
    vec *b, *work[1][DIRAC_WORK_VECTORS];
    double bb;
} half_system;

static void half_create(half_system *h, place where, square_kind kind, precision x_in)
{
    const vec_storage in = solver_storages[STORED_HALF];
    square_create(&h->s, &(square_request){ .where = where, .kind = kind,
                                             .spec = square_spec(SOLVER_DOUBLE_HALF, 1, 1) });
    dirac_operator *d = h->s.d;
    for (int i = 0; i < d->kind->work_vectors; i++)
        h->work[0][i] = dirac_vec_create(d, d->kind->work[i], in);
    h->half = d->kind->square(d, in, h->s.m, false, (vec *const (*)[DIRAC_WORK_VECTORS])h->work, 1);
    h->k = krylov_create(h->s.l, where, FINISH_IN_KERNEL);
    h->b = dirac_vec_create(d, ON_ODD, in);
    vec_convert(h->b, h->s.b);
    h->v = (bicg_vectors){ .x = vec_create_native(h->b, x_in), .unit = 1, .shadow = vec_create_like(h->b) };
    for (int j = 0; j < 2; j++) {
        h->v.r[j] = vec_create_like(h->b);
        h->v.u[j] = vec_create_like(h->b);
        vec_zero(h->v.u[j]);
    }
    vec_zero(h->v.x);
    vec_copy(h->v.r[0], h->b);
    vec_copy(h->v.shadow, h->b);
    h->bb = vec_norm2(h->b);
    krylov_begin(h->k, 0, 0, h->bb, h->bb, 0);
    bicg_begin(h->k, 0, 1);
}

static void half_free(half_system *h)
{
    for (int j = 0; j < 2; j++) {
        vec_free(h->v.r[j]);
        vec_free(h->v.u[j]);
    }
    vec_free(h->v.shadow);
    vec_free(h->v.x);
    vec_free(h->b);
    krylov_free(h->k);
    memory_free(h->half);
    for (int i = 0; i < DIRAC_WORK_VECTORS; i++)
        vec_free(h->work[0][i]);
    square_free(&h->s);
    *h = (half_system){ .bb = 0 };
}

/* Continues until `upto` iterations have been made. */
static krylov_system *run_to(half_system *h, int upto)
{
    const int number = 0;
    krylov_system *s = krylov_system_of(h->k, 0);
    s->most = upto;
    s->status = SYSTEM_GOING;
    bicg_run(h->k, h->half, 1, &number, &h->v, 1);
    return s;
}

static vec *in_double(const vec *v)
{
    vec *copy = vec_create_native(v, PRECISION_DOUBLE);
    vec_convert(copy, v);
    return copy;
}

/* |b - C x - r_0| / |b|, with C in double */
static double distance_of_residual(half_system *h)
{
    vec *x = in_double(h->v.x), *r = in_double(h->v.r[0]), *b = in_double(h->b), *cx = vec_create_like(r);
    dirac_solver_apply(cx, h->s.w, h->s.m, false, x);
    vec_axpy(r, 1, cx);
    vec_axpy(r, -1, b);
    const double distance = sqrt(vec_norm2(r) / h->bb);
    vec_free(cx);
    vec_free(b);
    vec_free(r);
    vec_free(x);
    return distance;
}

static void scalars_are_those_of_vectors(place where, square_kind kind)
{
    half_system h = { .bb = 0 };
    double norm = 0, product = 0, residual = 0;
    bool going = true;
    half_create(&h, where, kind, PRECISION_SINGLE);
    fact(vec_bicg_is_short(h.b, h.v.x, 1) && !vec_bicg_is_short(h.b, h.v.x, 2) && !vec_bicg_is_short(h.v.x, h.v.x, 1),
         "%s, %s: cycles are short for l = 1 and half", place_name(where), square_names[kind]);
    for (int n = 1; n <= MOST; n++) {
        const krylov_system *s = run_to(&h, n);
        const bicg_system *b = &h.k->state->bicg[0];
        const complex_number rho = vec_dot(h.v.shadow, h.v.r[0]);
        const double rr = vec_norm2(h.v.r[0]);
        going &= s->status == SYSTEM_SPENT && s->steps == n;
        norm = worse(norm, fabs(s->rr / rr - 1));
        product = worse(product, hypot(b->rho.re - rho.re, b->rho.im - rho.im) / sqrt(b->shadow2 * h.bb));
        residual = worse(residual, distance_of_residual(&h));
    }
    fact(going, "and make the iterations that are asked for");
    fact_close(norm, 0, 5e-6, "|r|^2 from the sums before the last step is that of r");
    fact_close(product, 0, 1e-6, "(s, r) from them is that of s and r, of |s| |b|");
    fact_close(residual, 0, 5e-4, "r is b - C x, of |b|");
    fact(krylov_system_of(h.k, 0)->rr < 1e-6 * h.bb, "and |r| has fallen to %.1e |b|",
         sqrt(krylov_system_of(h.k, 0)->rr / h.bb));
    half_free(&h);
}

/* |a - b| / |b| of vectors of two systems, which have lattices of their own. */
static double distance(const vec *a, const vec *b)
{
    vec *first = in_double(a), *second = in_double(b), *here = vec_create_like(second);
    double *numbers = memory_alloc((size_t)lattice_volume(a->f.lattice) * VEC_REALS * (size_t)a->f.slabs
                                   * sizeof *numbers, "a vector");
    vec_export(numbers, first);
    vec_import(here, numbers);
    const double relative = square_distance(here, second);
    memory_free(numbers);
    vec_free(here);
    vec_free(second);
    vec_free(first);
    return relative;
}

/* x in double has the long form. */
static void long_cycles_have_the_same_residuals(place where, square_kind kind)
{
    enum { COMPARED = 3 };
    half_system of[2] = { { .bb = 0 } };
    double apart = 0;
    half_create(&of[0], where, kind, PRECISION_SINGLE);
    half_create(&of[1], where, kind, PRECISION_DOUBLE);
    fact(!vec_bicg_is_short(of[1].b, of[1].v.x, 1), "%s, %s: with x in double, cycles are long", place_name(where),
         square_names[kind]);
    for (int n = 1; n <= COMPARED; n++)
        apart = worse(apart, fabs(run_to(&of[0], n)->rr / run_to(&of[1], n)->rr - 1));
    fact_close(apart, 0, 1e-2, "|r|^2 of short and long cycles agree for %d iterations", COMPARED);
    fact_close(distance(of[0].v.x, of[1].v.x), 0, 1e-3, "and x");
    half_free(&of[1]);
    half_free(&of[0]);
}

static void stops_change_nothing(place where, square_kind kind)
{
    half_system of[2] = { { .bb = 0 } };
    half_create(&of[0], where, kind, PRECISION_SINGLE);
    half_create(&of[1], where, kind, PRECISION_SINGLE);
    run_to(&of[0], MOST);
    for (int n = 1; n <= MOST; n += n % 3 + 1)               /* 1, 3, 4, 6, .. 12 */
        run_to(&of[1], n);
    const bicg_vectors *a = &of[0].v, *b = &of[1].v;
    fact(distance(a->x, b->x) == 0 && distance(a->r[0], b->r[0]) == 0
             && distance(a->u[0], b->u[0]) == 0
             && krylov_system_of(of[0].k, 0)->rr == krylov_system_of(of[1].k, 0)->rr,
         "%s, %s: a run that stops and continues has the bits of one without a stop", place_name(where),
         square_names[kind]);
    half_free(&of[1]);
    half_free(&of[0]);
}

/* A system after the first step of a cycle, with r_0 of length 1, takes the sums of the second. */
typedef struct { krylov_system s; bicg_system b; } ended;

static ended end_with(bicg_minimum_sums of, system_status status)
{
    ended e = { .s = { .status = status, .stepped = 1, .rr = 2, .most = MOST },
                .b = { .order = 1, .shadow2 = 1, .rho = { 1, 0 }, .alpha = { 1, 0 } } };
    bicg_set_minimum(&e.s, &e.b, of);
    return e;
}

/* Numbers that are exact in binary. */
static void sums_of_a_cycle(void)
{
    const bicg_minimum_sums fine = { { 1, 0.5 }, { 0.25, -0.5 }, 2, 1 };
    const ended e = end_with(fine, SYSTEM_GOING);
    fact(e.s.status == SYSTEM_GOING && e.s.stepped && e.s.steps == 1 && e.s.rr == 0.375 && e.b.g[0].re == 0.5
             && e.b.g[0].im == 0.25 && e.b.rho.re == -0.25 && e.b.rho.im == 0.1875,
         "g, |r|^2 and (s, r) of a short cycle are those of its sums");

    bicg_minimum_sums none = fine;
    none.power2 = 0;
    const ended broken = end_with(none, SYSTEM_GOING);
    fact(broken.s.status == SYSTEM_BROKEN && !broken.s.stepped && broken.s.steps == 0 && broken.s.rr == 2,
         "without r_1 the system is broken, and no step is made");

    bool stopped = true;
    for (int i = 0; i < 6; i++) {
        bicg_minimum_sums bad = fine;
        double *const number[] = { &bad.across.re, &bad.across.im, &bad.shadow.re, &bad.shadow.im, &bad.power2,
                                   &bad.norm2 };
        *number[i] = i % 2 ? INFINITY : NAN;
        const ended not_finite = end_with(bad, SYSTEM_GOING);
        stopped = stopped && not_finite.s.status == SYSTEM_NOT_FINITE && !not_finite.s.stepped
                  && not_finite.s.steps == 0 && not_finite.s.rr == 2;
    }
    fact(stopped, "with a sum that is not finite the system stops, and no step is made");

    const ended before = end_with(fine, SYSTEM_BROKEN);
    fact(before.s.status == SYSTEM_BROKEN && !before.s.stepped && before.s.rr == 2,
         "a system that the first step has stopped makes no second one");

    bool bounded = true;
    for (int i = 0; i < 2; i++) {                            /* the difference is zero, or negative by rounding */
        bicg_minimum_sums all = { { 1, 0 }, { 0.25, 0 }, 1, 1 };
        all.across.re += i * DBL_EPSILON;
        const ended least = end_with(all, SYSTEM_GOING);
        bounded = bounded && least.s.status == SYSTEM_GOING && least.s.stepped && least.s.rr == BICG_LEAST_LEFT;
    }
    fact(bounded, "where r_1 removes all of r_0, |r|^2 is the rounding of half");
}

int main(void)
{
    sums_of_a_cycle();
    static const square_kind kinds[] = { SQUARE_CLOVER, SQUARE_DWF };
    FOR_EVERY_PLACE(where)
        for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
            scalars_are_those_of_vectors(where, kinds[i]);
            long_cycles_have_the_same_residuals(where, kinds[i]);
            stops_change_nothing(where, kinds[i]);
        }
    return facts_end();
}
