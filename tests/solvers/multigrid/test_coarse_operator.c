/* test_coarse_operator.c - P^+ P = 1, gamma5, and the even-odd form of M_c = P^+ M P, with P and M themselves. */
#include "src/base/memory.h"
#include "src/lattice/rng.h"
#include "src/lattice/vec_mixed.h"
#include "src/solvers/gcr.h"
#include "src/solvers/multigrid/coarse_operator.h"
#include "tests/facts.h"
#include "tests/lattice/vec_sums.h"
#include "tests/on_every_backend.h"
#include "tests/solvers/multigrid/coarse_system.h"

#include <math.h>
#include <stdio.h>

enum { VECTORS = 12, FEW = 6 };             /* two groups of columns; one, whose half ends within a record of hops */
#define DEPENDENT 1e-3                     /* part of a vector that is not along the one before */
static const int extents[4] = { 4, 4, 4, 8 }, blocks[2][4] = { { 2, 2, 2, 4 }, { 2, 2, 2, 2 } };   /* periodic, open */

static rng_key key_of(unsigned n)
{
    return rng_key_for(31, 0, n, RNG_TEST);
}

typedef struct {
    coarse_system s;
    aggregates *a;
    transfer *t;
    coarse_operator *c;
} workplace;

typedef struct { coarse_quarks quarks; bool open; precision p; int vectors; } task;

/* A basis of random vectors. */
static void begin(workplace *w, place where, const task *t)
{
    const precision p = t->p;
    failure why;
    coarse_system_create(&w->s, &(coarse_request){ .where = where, .extents = extents, .quarks = t->quarks,
                                                   .p = p, .mass = 0.2, .width = 0.4, .open = t->open });
    w->a = aggregates_create(w->s.l, where, blocks[t->open]);
    w->t = transfer_create(w->a, t->vectors, p);
    spinor_field random = { coarse_system_vec(&w->s, ON_EVEN, p),
                            coarse_system_vec(&w->s, ON_ODD, p) };
    for (int v = 0; v < t->vectors; v++) {
        vec_set_gaussian(random.even, key_of((unsigned)(100 + v)), 0);
        vec_set_gaussian(random.odd, key_of((unsigned)(100 + v)), 0);
        transfer_set_vector(w->t, v, random);
    }
    spinor_field_free(random);
    transfer_orthonormalize(w->t);
    w->c = coarse_operator_create(w->t);
    require(coarse_operator_update(w->c, w->s.links, &why), "%s", why.why);
}

static void end(workplace *w)
{
    coarse_operator_free(w->c);
    transfer_free(w->t);
    aggregates_free(w->a);
    coarse_system_free(&w->s);
}

static spinor_field fine_field(const workplace *w)
{
    return (spinor_field){ coarse_system_vec(&w->s, ON_EVEN, w->t->p), coarse_system_vec(&w->s, ON_ODD, w->t->p) };
}

static spinor_field random_coarse(const workplace *w, unsigned key)
{
    spinor_field f = transfer_coarse_field(w->t);
    vec_set_gaussian(f.even, key_of(key), 0);
    vec_set_gaussian(f.odd, key_of(key), 0);
    return f;
}

/* |a - b| / |b| */
static double distance(spinor_field a, spinor_field b)
{
    const double size = sqrt(spinor_field_norm2(b));
    spinor_field_axpy(a, -1, b);
    return sqrt(spinor_field_norm2(a)) / size;
}

static void restrict_both(spinor_field out, const workplace *w, spinor_field in)
{
    transfer_restrict(out, w->t, in.even, false);
    transfer_restrict(out, w->t, in.odd, true);
}

static void prolong_both(spinor_field out, const workplace *w, spinor_field in)
{
    transfer_prolong(out.even, w->t, in, false);
    transfer_prolong(out.odd, w->t, in, false);
}

/* out <- P^+ M P c, or with M^+ */
static void coarse_apply(spinor_field out, workplace *w, bool dagger, spinor_field c)
{
    spinor_field fine = fine_field(w), image = fine_field(w);
    prolong_both(fine, w, c);
    clover_apply(image, w->s.links, dagger, fine);
    restrict_both(out, w, image);
    spinor_field_free(fine);
    spinor_field_free(image);
}

/* gamma5 of coarse vectors */
static void multiply_gamma5(spinor_field f)
{
    vec *parts[2] = { f.even, f.odd };
    for (int parity = 0; parity < 2; parity++) {
        const int half = parts[parity]->f.slabs / 2;
        for (int slab = half; slab < 2 * half; slab++) {
            vec one = *parts[parity];
            one.f = field_slab(&parts[parity]->f, slab);
            vec_combine(&one, -1, &one, NULL, NULL, 0);
        }
    }
}

static void products(const char *where, workplace *w, const char *quarks)
{
    spinor_field c = random_coarse(w, 1), got = transfer_coarse_field(w->t), fine = fine_field(w);
    prolong_both(fine, w, c);
    fact_close(spinor_field_norm2(fine) / spinor_field_norm2(c), 1, 1e-13, "%s, %s: |P c| = |c|", where, quarks);
    restrict_both(got, w, fine);
    fact_close(distance(got, c), 0, 1e-13, "%s, %s: P^+ P = 1", where, quarks);
    /* <b, gamma5 M_c c> and <c, gamma5 M_c b>^* */
    spinor_field b = random_coarse(w, 2);
    coarse_apply(got, w, false, c);
    multiply_gamma5(got);
    const complex_number left = spinor_field_dot(b, got);
    coarse_apply(got, w, false, b);
    multiply_gamma5(got);
    const complex_number right = spinor_field_dot(c, got);
    const double apart = hypot(left.re - right.re, left.im + right.im) / hypot(left.re, left.im);
    if (w->s.links.term->mu == 0 && w->s.links.rho == 0)
        fact_close(apart, 0, 1e-12, "%s, %s: gamma5 M_c is hermitian", where, quarks);
    else
        fact(apart > 1e-3, "%s, %s: gamma5 M_c is not hermitian where there is a twist (%.2g)", where, quarks, apart);
    spinor_field_free(b);
    spinor_field_free(c);
    spinor_field_free(got);
    spinor_field_free(fine);
}

/* Each near-null vector is nearly that before it, in single precision. */
static void dependent_vectors(place where)
{
    coarse_system s;
    coarse_system_create(&s, &(coarse_request){ .where = where, .extents = extents, .p = PRECISION_SINGLE });
    aggregates *a = aggregates_create(s.l, where, blocks[0]);
    transfer *t = transfer_create(a, VECTORS, PRECISION_SINGLE);
    spinor_field last = { coarse_system_vec(&s, ON_EVEN, PRECISION_SINGLE), coarse_system_vec(&s, ON_ODD,
                                                                                               PRECISION_SINGLE) },
                 other = { coarse_system_vec(&s, ON_EVEN, PRECISION_SINGLE), coarse_system_vec(&s, ON_ODD,
                                                                                               PRECISION_SINGLE) };
    for (int v = 0; v < VECTORS; v++) {
        vec_set_gaussian(other.even, key_of((unsigned)(50 + v)), 0);
        vec_set_gaussian(other.odd, key_of((unsigned)(50 + v)), 0);
        spinor_field_axpy(last, v == 0 ? 1 : DEPENDENT, other);
        transfer_set_vector(t, v, last);
    }
    transfer_orthonormalize(t);
    spinor_field c = transfer_coarse_field(t), back = transfer_coarse_field(t);
    vec_set_gaussian(c.even, key_of(4), 0);
    vec_set_gaussian(c.odd, key_of(4), 0);
    transfer_prolong(last.even, t, c, false);
    transfer_prolong(last.odd, t, c, false);
    transfer_restrict(back, t, last.even, false);
    transfer_restrict(back, t, last.odd, true);
    fact_close(distance(back, c), 0, 1e-5, "%s: P^+ P = 1 from vectors that are nearly dependent", place_name(where));
    spinor_field_free(back);
    spinor_field_free(c);
    spinor_field_free(other);
    spinor_field_free(last);
    transfer_free(t);
    aggregates_free(a);
    coarse_system_free(&s);
}

/* The residual to which a system is solved, and the error of P^+ M P x = v then: of single precision with hops in 16
 * bits, or of double. */
typedef struct { double residual, error; } accuracy;
static const accuracy of_double = { 1e-13, 1e-11 }, of_single = { 1e-5, 1e-5 };

static void even_odd_form(const char *where, workplace *w, const char *quarks, bool dagger)
{
    const accuracy to = w->t->p == PRECISION_DOUBLE ? of_double : of_single;
    spinor_field v = random_coarse(w, 3), x = transfer_coarse_field(w->t), back = transfer_coarse_field(w->t);
    vec *rhs = transfer_coarse_vec(w->t, ON_ODD);
    const coarse_mhat mhat = coarse_operator_mhat(w->c, dagger);
    const char *name = dagger ? "Mhat_c^+" : "Mhat_c";
    gcr_space *space = gcr_space_create(rhs, 20);
    coarse_operator_prepare(rhs, w->c, dagger, v);
    const gcr_result r = gcr_solve(space, x.odd, &mhat.base, rhs,
                                   &(gcr_request){ .residual = to.residual, .max_iterations = 500, .restart = 20 });
    coarse_operator_reconstruct(x.even, w->c, dagger, v, x.odd);
    coarse_apply(back, w, dagger, x);
    fact(r.converged, "%s, %s: GCR solves a system of %s in %d iterations", where, quarks, name, r.iterations);
    fact_close(distance(back, v), 0, to.error, "%s, %s: and x_e from x_o solves P^+ M P x = v", where, quarks);
    vec_zero(rhs);
    const gcr_result none = gcr_solve(space, x.odd, &mhat.base, rhs,
                                      &(gcr_request){ .residual = 1e-13, .max_iterations = 500, .restart = 20 });
    fact(none.converged && none.iterations == 0 && vec_norm2(x.odd) == 0,
         "%s, %s: b = 0 has the solution 0 from any start", where, quarks);
    gcr_space_free(space);
    vec_free(rhs);
    spinor_field_free(v);
    spinor_field_free(x);
    spinor_field_free(back);
}

/* x + u (b - Mhat_c x) by two hops, and by the product */
static void relaxed(const char *where, workplace *w, const char *quarks, bool dagger)
{
    const complex_number u = { 0.7, -0.2 };
    const double off = w->t->p == PRECISION_DOUBLE ? 1e-14 : 1e-6;
    spinor_field x = random_coarse(w, 6), b = random_coarse(w, 7);
    vec *q = transfer_coarse_vec(w->t, ON_ODD), *y = transfer_coarse_vec(w->t, ON_ODD);
    const coarse_mhat mhat = coarse_operator_mhat(w->c, dagger);
    vec_copy(y, x.odd);
    mhat.base.apply(&mhat.base, q, 0, y);
    vec_relax(y, u, b.odd, q);
    coarse_operator_relax(&mhat.base, x.odd, u, b.odd);
    vec_axpy(y, -1, x.odd);
    fact(vec_norm2(y) <= off * off * vec_norm2(x.odd), "%s, %s: x + u (b - Mhat_c%s x) in two hops (%.1e)", where,
         quarks, dagger ? "^+" : "", sqrt(vec_norm2(y) / vec_norm2(x.odd)));
    vec_free(q);
    vec_free(y);
    spinor_field_free(x);
    spinor_field_free(b);
}

/* x_e of x_o in the last time slice of coarse sites alone: hops lead to the first one, but not over open ends. */
static void hops_over_ends(const char *where, workplace *w, const char *quarks, bool open)
{
    spinor_field zero = transfer_coarse_field(w->t), x = random_coarse(w, 5);
    const int *n = lattice_global(w->a->coarse);
    const size_t count = vec_count(x.odd), all = count / (size_t)(x.odd->f.slabs / SLAB_GROUP);
    const size_t times = (size_t)n[3];
    double *v = memory_alloc(count * sizeof *v, "a coarse vector"), first = 0, before = 0;
    vec_export(v, x.odd);
    for (size_t i = 0; i < count; i++)
        v[i] *= i % all / (all / times) == times - 1;
    vec_import(x.odd, v);
    coarse_operator_reconstruct(x.even, w->c, false, zero, x.odd);
    vec_export(v, x.even);
    for (size_t i = 0; i < count; i++) {
        const size_t t = i % all / (all / times);
        first += t == 0 ? v[i] * v[i] : 0;
        before += t == times - 2 ? v[i] * v[i] : 0;
    }
    fact(before > 0 && (first == 0) == open, "%s, %s: M_c %s from the last coarse slice to the first (%.2g)", where,
         quarks, open ? "does not hop" : "hops", first);
    memory_free(v);
    spinor_field_free(zero);
    spinor_field_free(x);
}

static void possible(void)
{
    static const struct { int extents[4], block[4]; bool possible, open; } cases[] = {
        { { 8, 8, 8, 16 }, { 4, 4, 4, 4 }, true, false },     { { 8, 8, 8, 8 }, { 2, 2, 2, 1 }, true, false },
        { { 8, 8, 8, 8 }, { 8, 2, 2, 2 }, false, false },     { { 12, 12, 12, 12 }, { 4, 4, 4, 4 }, false, false },
        { { 12, 12, 12, 12 }, { 3, 3, 3, 3 }, false, false }, { { 12, 12, 12, 12 }, { 3, 3, 3, 2 }, true, false },
        { { 8, 8, 8, 8 }, { 0, 2, 2, 2 }, false, false },     { { 10, 8, 8, 8 }, { 4, 4, 4, 4 }, false, false },
        { { 8, 8, 8, 8 }, { 2, 2, 2, 1 }, false, true }, { { 8, 8, 8, 8 }, { 2, 2, 2, 2 }, true, true },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        lattice_shape shape = lattice_shape_single(cases[i].extents);
        shape.open_in_time = cases[i].open;
        failure why = { .why = "" };
        const bool is = aggregates_are_possible(&shape, cases[i].block, &why);
        fact(is == cases[i].possible && (is || why.why[0]), "case %d: blocks are %spossible", (int)i,
             cases[i].possible ? "" : "not ");
    }
}

static void with_quarks(const char *where, workplace *w, const char *name)
{
    for (int dagger = 0; dagger < 2; dagger++) {
        even_odd_form(where, w, name, dagger);
        relaxed(where, w, name, dagger);
    }
}

int main(void)
{
    possible();
    FOR_EVERY_PLACE(where) {
        dependent_vectors(where);
        for (int i = 0; i < 2 * QUARKS; i++) {
            const coarse_quarks quarks = (coarse_quarks)(i / 2);
            const bool open = i % 2;
            char name[80];
            workplace w;
            snprintf(name, sizeof name, "%s, %s", coarse_quarks_names[quarks], open ? "open" : "periodic");
            begin(&w, where, &(task){ quarks, open, PRECISION_SINGLE, open ? FEW : VECTORS });
            with_quarks(place_name(where), &w, name);
            end(&w);
            begin(&w, where, &(task){ quarks, open, PRECISION_DOUBLE, open ? VECTORS : FEW });
            products(place_name(where), &w, name);
            with_quarks(place_name(where), &w, name);
            hops_over_ends(place_name(where), &w, name, open);
            end(&w);
        }
    }
    return facts_end();
}
