/* test_clover_force.c - the force of clover quarks: numbers of another implementation, derivatives and symmetries,
 * links in single precision, and the same bits on CPU and GPU and on grids of ranks (threads of this process). */
#include "src/base/checksum.h"
#include "src/base/memory.h"
#include "src/lattice/rng.h"
#include "src/operators/clover_force.h"
#include "src/solvers/solver.h"
#include "tests/analytic_field.h"
#include "tests/facts.h"
#include "tests/gauge/momentum_array.h"
#include "tests/lattice/grid_digests.h"
#include "tests/on_every_backend.h"
#include "tests/operators/dwf_forces.h"
#include "tests/operators/golden_clover.h"
#include "tests/operators/link_fields.h"

#include <math.h>
#include <string.h>

#define MASS 0.1
#define C_SW 1.7
enum { CAPACITY = 4, TERMS = 6 };                         /* terms: more than one launch has */

typedef struct {
    lattice *l;
    place where;
    double mass;
    hop_links *thin;
    clover_term *term, *odd_term;             /* odd_term: in `links` during actions of the symmetric form */
    clover_links links;
    vec *even, *phi, *odd[CAPACITY], *y[TERMS], *x[TERMS];
    cg_space *space;
} quark;

static vec *random_vec(lattice *l, parity_set on, place where, int number)
{
    vec *v = spinor_vec_create(l, on, where, PRECISION_DOUBLE, 1);
    vec_set_gaussian(v, rng_key_for(18, 0, (uint64_t)number, RNG_TEST), 0);
    return v;
}

static quark begin(lattice *l, place where, double mass, double c_sw)
{
    quark q = { .l = l, .where = where, .mass = mass, .thin = hop_links_create(l, where, PRECISION_DOUBLE, -1),
                .term = clover_term_create(l, where, PRECISION_DOUBLE, CLOVER_LINEAR, c_sw),
                .even = random_vec(l, ON_EVEN, where, 0), .phi = random_vec(l, ON_ODD, where, 1) };
    q.links = (clover_links){ .links = q.thin, .term = q.term };
    q.odd_term = clover_term_create_odd(q.term);
    for (int n = 0; n < CAPACITY; n++)
        q.odd[n] = random_vec(l, ON_ODD, where, 2 + n);
    for (int n = 0; n < TERMS; n++) {
        q.y[n] = random_vec(l, ON_ODD, where, 20 + n);
        q.x[n] = random_vec(l, ON_ODD, where, 40 + n);
    }
    q.space = cg_space_create_like(q.phi, 1);
    return q;
}

static void end(quark *q)
{
    cg_space_free(q->space);
    for (int n = 0; n < TERMS; n++) {
        vec_free(q->x[n]);
        vec_free(q->y[n]);
    }
    for (int n = 0; n < CAPACITY; n++)
        vec_free(q->odd[n]);
    vec_free(q->phi);
    vec_free(q->even);
    clover_term_free(q->odd_term);
    clover_term_free(q->term);
    hop_links_free(q->thin);
}

/* ---- actions: a value on the links of q; where f is not NULL, its terms are added */

/* sum_n 2 c_n Re y_n^+ Mhat x_n */
static double products(quark *q, clover_force *f)
{
    double c[TERMS], sum = 0;
    for (int n = 0; n < TERMS; n++) {
        c[n] = 1 - 0.35 * n;
        clover_mhat(q->odd[0], q->links, false, q->x[n], q->even);
        sum += 2 * c[n] * vec_dot(q->y[n], q->odd[0]).re;
    }
    if (f)
        clover_force_add(f, q->links, (hop_force_terms){ .count = TERMS, .c = c, .y = q->y, .x = q->x });
    return sum;
}

static double log_det(quark *q, clover_force *f)
{
    if (f)
        clover_force_add_log_det(f, q->term, -2);
    if (f && q->links.odd)
        clover_force_add_log_det(f, q->odd_term, -2);
    return -2 * (q->term->log_det + (q->links.odd ? q->odd_term->log_det : 0));
}

/* phi^+ (Mhat^+Mhat)^-1 phi - 2 log det T_e, or T_e and T_o */
static double two_flavors(quark *q, clover_force *f)
{
    vec *x = q->odd[0], *y = q->odd[1];
    clover_op a = clover_normal_operator(q->links, &q->even, &q->odd[2], 1);
    vec_zero(x);
    require(cg_solve(&a.base, x, 0, q->phi, (stop_rule){ 1e-14, 5000 }, q->space).converged, "no solution");
    if (f) {
        clover_mhat(y, q->links, false, x, q->even);
        clover_force_add(f, q->links, (hop_force_terms){ .count = 1, .c = (double[]){ -1 }, .y = &y, .x = &x });
    }
    return vec_dot(q->phi, x).re + log_det(q, f);
}

typedef struct { const char *name; double (*value)(quark *q, clover_force *f); clover_form form; } action;
static const action actions[] = {
    { "products", products, CLOVER_ASYMMETRIC }, { "log det", log_det, CLOVER_ASYMMETRIC },
    { "two flavors", two_flavors, CLOVER_ASYMMETRIC }, { "products, symmetric", products, CLOVER_SYMMETRIC },
    { "log det, symmetric", log_det, CLOVER_SYMMETRIC }, { "two flavors, symmetric", two_flavors, CLOVER_SYMMETRIC },
};
enum { ACTIONS = sizeof actions / sizeof *actions };

static double value_on(quark *q, const action *a, const gauge *u, clover_force *f)
{
    failure why;
    require(hop_links_update(q->thin, u, &why), "%s", why.why);
    require(clover_term_update(q->term, u, q->mass, &why), "%s", why.why);
    q->links.odd = a->form == CLOVER_SYMMETRIC ? q->odd_term : NULL;
    require(clover_term_update(q->odd_term, u, q->mass, &why), "%s", why.why);
    return a->value(q, f);
}

/* P <- P + weight F, F of an action on the links u, P on links like `like`; first for those `before`, if any. */
typedef struct { const gauge *u, *like, *before; momentum *p; double weight; momentum_size size; } kick;

static double add_force(quark *q, const action *a, kick *k)
{
    clover_force *f = clover_force_create(k->like, a->form);
    sum_array there = sums_create(q->l, q->where, 1, 1);
    sum_cell sum;
    max_cell largest;
    clover_force_begin(f);
    value_on(q, a, k->u, f);
    if (k->before)
        clover_force_finish(f, k->before, k->p, 0, there.cells);
    clover_force_begin(f);                            /* forgets what was added */
    const double value = value_on(q, a, k->u, f);
    clover_force_finish(f, k->like, k->p, k->weight, there.cells);
    sums_read((sum_cells){ &sum, &largest }, &there);
    k->size = (momentum_size){ sum_cell_value(&sum, SUM_BOUND), max_cell_value(&largest) };
    sums_free(&there);
    clover_force_free(f);
    return value;
}

/* F as matrices; memory_free */
static double *force_of(quark *q, const action *a, const gauge *u)
{
    momentum *p = momentum_create(q->l, q->where, PRECISION_DOUBLE);
    kick k = { .u = u, .like = u, .p = p, .weight = 1 };
    add_force(q, a, &k);
    double *m = momentum_matrices(p);
    momentum_free(p);
    return m;
}

static void golden(place where, int n)
{
    static const int extents[4] = { 4, 4, 6, 8 };
    double *links = analytic_links(extents, golden_clovers[n].width);
    lattice *l = lattice_create_single(extents);
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
    momentum *p = momentum_create(l, where, PRECISION_DOUBLE);
    quark q = begin(l, where, GOLDEN_CLOVER_MASS, GOLDEN_CLOVER_C_SW);
    kick k = { .u = u, .like = u, .p = p, .weight = 1 };
    gauge_import(u, links);
    golden_vector(q.phi);
    const double value = add_force(&q, &actions[2], &k);
    golden_force_compare(p, k.size, value, &golden_clover_forces[n], golden_clovers[n].name);
    end(&q);
    momentum_free(p);
    gauge_free(u);
    lattice_free(l);
    memory_free(links);
}

/* ---- derivatives: of what is known, the action and its force on u */

typedef struct { quark *q; const action *a; const gauge *u; const double *force; } known;

/* dS/dtau along dU/dtau = w U from values at +-h */
static double difference(const known *k, const momentum *w, double h)
{
    double s[2];
    gauge *moved = gauge_create(k->q->l, k->q->where, PRECISION_DOUBLE);
    for (int n = 0; n < 2; n++) {
        gauge_copy(moved, k->u);
        gauge_drift(moved, n ? h : -h, w);
        s[n] = value_on(k->q, k->a, moved, NULL);
    }
    gauge_free(moved);
    return (s[1] - s[0]) / (2 * h);
}

/* Differences at h and h/10 are off by 100 to 1, and to fourth order not at all. */
static void derivative(const known *k, const momentum *w, double h, const char *along)
{
    lattice *l = k->q->l;
    double *direction = momentum_matrices(w), want = -links_product(l, direction, k->force);
    const double coarse = difference(k, w, h), fine = difference(k, w, h / 10),
                 scale = sqrt(links_product(l, direction, direction) * links_product(l, k->force, k->force));
    memory_free(direction);
    fact_close((coarse - want) / (fine - want), 100, 2, "%s, %s: %s: symmetric differences of the action are off its "
               "force by O(h^2)", place_name(k->q->where), k->a->name, along);
    fact_close(((100 * fine - coarse) / 99 - want) / scale, 0, 1e-9, "%s, %s: %s: extrapolated they are the force",
               place_name(k->q->where), k->a->name, along);
}

/* i lambda_2 / 2 on one link in a direction, at the upper end in t */
static momentum *one_link(const quark *q, int mu)
{
    const int *n = lattice_global(q->l);
    momentum *w = momentum_create(q->l, q->where, PRECISION_DOUBLE);
    double *m = memory_alloc(link_numbers(q->l) * sizeof *m, "matrices");
    const size_t site = 1 + (size_t)n[0] * (1 + (size_t)n[1] * (2 + (size_t)n[2] * (size_t)(n[3] - 1)));
    double *link = m + 18 * (4 * site + (size_t)mu);
    link[2] = 0.5;
    link[6] = -0.5;
    momentum_import(w, m);
    memory_free(m);
    return w;
}

static void derivatives(quark *q, const action *a, const gauge *u)
{
    static const char *const link[] = { "a link in x", "a link in y", "a link in z", "a link over the boundary" };
    double *force = force_of(q, a, u);
    const known k = { q, a, u, force };
    momentum *w = momentum_create(q->l, q->where, PRECISION_DOUBLE);
    momentum_set_gaussian(w, rng_key_for(9, 0, 0, RNG_MOMENTA));
    derivative(&k, w, 5e-3, "all links");
    momentum_free(w);
    for (int mu = 0; mu < 4; mu++) {
        w = one_link(q, mu);
        derivative(&k, w, 0.1, link[mu]);
        momentum_free(w);
    }
    memory_free(force);
}

static void rotate_all(quark *q, const gauge_rotation *g)
{
    quarks_rotate(q->phi, g);
    for (int n = 0; n < TERMS; n++) {
        quarks_rotate(q->y[n], g);
        quarks_rotate(q->x[n], g);
    }
}

static void covariance(quark *q, const action *a, const gauge *u)
{
    gauge_rotation *g = gauge_rotation_create(q->l, q->where, PRECISION_DOUBLE, rng_key_for(4, 0, 0, RNG_TEST));
    gauge *turned = gauge_create(q->l, q->where, PRECISION_DOUBLE);
    momentum *p = momentum_create(q->l, q->where, PRECISION_DOUBLE);
    double *before = force_of(q, a, u);
    momentum_import(p, before);
    momentum_rotate(p, g);
    gauge_copy(turned, u);
    gauge_rotate(turned, g);
    rotate_all(q, g);
    double *want = momentum_matrices(p), *found = force_of(q, a, turned);
    fact_close(links_apart(q->l, found, want), 0, 1e-12, "%s, %s turns with links", place_name(q->where), a->name);
    memory_free(before);
    memory_free(want);
    memory_free(found);
    momentum_free(p);
    gauge_free(turned);
    gauge_rotation_free(g);
}

static void weights_and_sizes(quark *q, const gauge *u)
{
    momentum *p = momentum_create(q->l, q->where, PRECISION_DOUBLE);
    double *force = force_of(q, &actions[2], u);
    momentum_import(p, force);
    const momentum_size size = momentum_measure(p);
    momentum_set_gaussian(p, rng_key_for(10, 0, 0, RNG_MOMENTA));
    double *start = momentum_matrices(p), *want = links_sum(q->l, start, -0.5, force);
    kick k = { .u = u, .like = u, .p = p, .weight = -0.5 };
    add_force(q, &actions[2], &k);
    double *found = momentum_matrices(p);
    fact_close(links_apart(q->l, found, want), 0, 1e-15, "%s: a force with a weight", place_name(q->where));
    fact_close(k.size.sum_norm2 / size.sum_norm2, 1, 1e-14, "%s: its size: the sum", place_name(q->where));
    fact_close(k.size.max_norm2 / size.max_norm2, 1, 1e-14, "%s: and the maximum", place_name(q->where));
    memory_free(found);
    memory_free(want);
    memory_free(start);
    memory_free(force);
    momentum_free(p);
}

/* Links and momenta in single precision, the term and all that is solved in double. */
static double *single_force_of(quark *q, const gauge *u)
{
    momentum *p = momentum_create(q->l, q->where, PRECISION_SINGLE);
    gauge *rough = gauge_create(q->l, q->where, PRECISION_SINGLE);
    gauge *unit = gauge_create(q->l, q->where, PRECISION_SINGLE);
    gauge_set_unit(unit);
    field_convert(&rough->links, &u->links);
    kick k = { .u = u, .like = rough, .before = unit, .p = p, .weight = 1 };
    add_force(q, &actions[2], &k);
    double *found = momentum_matrices(p);
    gauge_free(unit);
    gauge_free(rough);
    momentum_free(p);
    return found;
}

static void single_links(quark *q, const gauge *u)
{
    double *found = single_force_of(q, u), *want = force_of(q, &actions[2], u);
    fact_close(links_apart(q->l, found, want), 0, 1e-6, "%s: the force on single links", place_name(q->where));
    memory_free(found);
    memory_free(want);
}

/* The force with its numbers kept in `first`, or compared with them. */
static void bits(quark *q, const action *a, const gauge *u, double **first)
{
    double *m = force_of(q, a, u);
    if (!*first) {
        *first = m;
        return;
    }
    fact(memcmp(m, *first, link_numbers(q->l) * sizeof *m) == 0, "the force of %s, bit for bit as on the CPU", a->name);
    memory_free(m);
}

/* A number of the forces of all actions, also on single links. */
static uint64_t digest_forces(lattice *l, place where)
{
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
    gauge_set_random(u, rng_key_for(3, 0, 0, RNG_START_LINKS));
    quark q = begin(l, where, MASS, C_SW);
    uint64_t digest = DIGEST64_START;
    for (int n = 0; n <= ACTIONS; n++) {
        double *m = n < ACTIONS ? force_of(&q, &actions[n], u) : single_force_of(&q, u);
        digest = digest64(digest, m, link_numbers(l) * sizeof *m);
        memory_free(m);
    }
    end(&q);
    gauge_free(u);
    return digest;
}

int main(void)
{
    double *first[ACTIONS] = { NULL };
    FOR_EVERY_PLACE(where) {
        for (int n = 0; n < GOLDEN_CLOVERS; n++)
            golden(where, n);
        lattice *l = lattice_create_single((int[]){ 4, 2, 6, 6 });
        gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
        gauge_set_random(u, rng_key_for(3, 0, 0, RNG_START_LINKS));
        quark q = begin(l, where, MASS, C_SW);
        for (int n = 0; n < ACTIONS; n++) {
            derivatives(&q, &actions[n], u);
            bits(&q, &actions[n], u, &first[n]);
        }
        weights_and_sizes(&q, u);
        single_links(&q, u);
        covariance(&q, &actions[0], u);
        covariance(&q, &actions[2], u);
        covariance(&q, &actions[3], u);
        covariance(&q, &actions[5], u);
        same_on_grids(where, (const int[]){ 4, 4, 4, 8 }, digest_forces, "forces");
        end(&q);
        gauge_free(u);
        lattice_free(l);
    }
    for (int n = 0; n < ACTIONS; n++)
        memory_free(first[n]);
    return facts_end();
}
