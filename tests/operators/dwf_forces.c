/* dwf_forces.c - domain-wall and Wilson quarks for tests: actions of few lines, solved to the last digits, and their
 * forces. */
#include "tests/operators/dwf_forces.h"

#include "src/base/memory.h"
#include "src/lattice/rng.h"
#include "tests/gauge/momentum_array.h"
#include "tests/operators/link_fields.h"

#include <complex.h>
#include <string.h>

#define ACCURATE 1e-13
enum { TERMS = 6 };

quarks quarks_open(lattice *l, place where, int Ls)
{
    quarks q = { l, where, Ls, hop_links_create(l, where, PRECISION_DOUBLE, -1),
                 spinor_vec_create(l, ON_EVEN, where, PRECISION_DOUBLE, Ls), { NULL }, NULL, NULL };
    for (int i = 0; i < QUARKS_CAPACITY; i++)
        q.odd[i] = spinor_vec_create(l, ON_ODD, where, PRECISION_DOUBLE, Ls);
    q.space = cg_space_create_like(q.odd[0], 1);
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
    q.force = hop_force_create(u, Ls);
    gauge_free(u);
    return q;
}

void quarks_close(quarks *q)
{
    hop_force_free(q->force);
    cg_space_free(q->space);
    for (int i = 0; i < QUARKS_CAPACITY; i++)
        vec_free(q->odd[i]);
    vec_free(q->even);
    hop_links_free(q->links);
}

static void quarks_set_links(quarks *q, const gauge *u)
{
    failure why;
    require(hop_links_update(q->links, u, &why), "%s", why.why);
}

/* x <- (C^+C)^-1 b */
static void solve(quarks *q, const dwf_matrix *m, vec *x, const vec *b)
{
    vec *const odd[1][2] = { { q->odd[QUARKS_CAPACITY - 1], q->odd[QUARKS_CAPACITY - 2] } };
    dwf_op a = dwf_normal_operator(q->links, m, &q->even, odd, 1);
    vec_zero(x);
    require(cg_solve(&a.base, x, 0, b, (stop_rule){ ACCURATE, 5000 }, q->space).converged, "a solve did not converge");
}

/* phi^+ (C^+C)^-1 phi */
double quarks_two_flavors(quarks *q, const dwf_matrix *c, const dwf_matrix *v, vec *phi, hop_force *f)
{
    vec *x = q->odd[1], *y = q->odd[2];
    (void)v;
    solve(q, c, x, phi);
    if (f) {
        dwf_c(y, q->links, c, x, q->even);
        hop_force_add(f, q->links, c, (hop_force_terms){ .count = 1, .c = (double[]){ -1 }, .y = &y, .x = &x });
    }
    return vec_dot(phi, x).re;
}

/* phi^+ V (C^+C)^-1 V^+ phi */
double quarks_ratio(quarks *q, const dwf_matrix *c, const dwf_matrix *v, vec *phi, hop_force *f)
{
    vec *x = q->odd[1], *y = q->odd[2], *b = q->odd[3];
    dwf_c_dagger(b, q->links, v, phi, q->even, q->odd[4]);
    solve(q, c, x, b);
    if (f) {
        dwf_c(y, q->links, c, x, q->even);
        hop_force_add(f, q->links, v, (hop_force_terms){ .count = 1, .c = (double[]){ 1 }, .y = &phi, .x = &x });
        hop_force_add(f, q->links, c, (hop_force_terms){ .count = 1, .c = (double[]){ -1 }, .y = &y, .x = &x });
    }
    return vec_dot(b, x).re;
}

/* |C^-1 V phi|^2 */
double quarks_turned_ratio(quarks *q, const dwf_matrix *c, const dwf_matrix *v, vec *phi, hop_force *f)
{
    vec *x = q->odd[1], *z = q->odd[2], *b = q->odd[3];
    dwf_c(z, q->links, v, phi, q->even);
    dwf_c_dagger(b, q->links, c, z, q->even, q->odd[4]);
    solve(q, c, x, b);
    if (f) {
        solve(q, c, b, x);
        dwf_c(z, q->links, c, b, q->even);
        hop_force_add(f, q->links, v, (hop_force_terms){ .count = 1, .c = (double[]){ 1 }, .y = &z, .x = &phi });
        hop_force_add(f, q->links, c, (hop_force_terms){ .count = 1, .c = (double[]){ -1 }, .y = &z, .x = &x });
    }
    return vec_norm2(x);
}

/* Plain Wilson quarks with the mass of a matrix */
static clover_links plain(const quarks *q, const dwf_matrix *m)
{
    return clover_plain_links(q->links, m->mass);
}

/* x <- (Mhat^+Mhat)^-1 b */
static void solve_wilson(quarks *q, double mass, vec *x, const vec *b)
{
    clover_op a = clover_normal_operator(clover_plain_links(q->links, mass), &q->even, &q->odd[QUARKS_CAPACITY - 1], 1);
    vec_zero(x);
    require(cg_solve(&a.base, x, 0, b, (stop_rule){ ACCURATE, 5000 }, q->space).converged, "a solve did not converge");
}

/* phi^+ (Mhat^+Mhat)^-1 phi */
double quarks_wilson(quarks *q, const dwf_matrix *c, const dwf_matrix *v, vec *phi, hop_force *f)
{
    vec *x = q->odd[1], *y = q->odd[2];
    (void)v;
    solve_wilson(q, c->mass, x, phi);
    if (f) {
        clover_mhat(y, plain(q, c), false, x, q->even);
        clover_plain_force_add(f, plain(q, c),
                               (hop_force_terms){ .count = 1, .c = (double[]){ -1 }, .y = &y, .x = &x });
    }
    return vec_dot(phi, x).re;
}

/* |Mhat^-1 W phi|^2 */
double quarks_wilson_ratio(quarks *q, const dwf_matrix *c, const dwf_matrix *v, vec *phi, hop_force *f)
{
    vec *x = q->odd[1], *z = q->odd[2], *b = q->odd[3];
    clover_mhat(z, plain(q, v), false, phi, q->even);
    clover_mhat(b, plain(q, c), true, z, q->even);
    solve_wilson(q, c->mass, x, b);
    if (f) {
        solve_wilson(q, c->mass, b, x);
        clover_mhat(z, plain(q, c), false, b, q->even);
        clover_plain_force_add(f, plain(q, v),
                               (hop_force_terms){ .count = 1, .c = (double[]){ 1 }, .y = &z, .x = &phi });
        clover_plain_force_add(f, plain(q, c),
                               (hop_force_terms){ .count = 1, .c = (double[]){ -1 }, .y = &z, .x = &x });
    }
    return vec_norm2(x);
}

vec *quarks_vec(const quarks *q, parity_set on, int number)
{
    vec *v = spinor_vec_create(q->l, on, q->where, PRECISION_DOUBLE, q->Ls);
    vec_set_gaussian(v, rng_key_for(18, 0, (uint64_t)number, RNG_TEST), 0);
    return v;
}

void quarks_rotate(vec *v, const gauge_rotation *g)
{
    size_t sites = (size_t)lattice_volume(v->f.lattice), spinors = sites * (size_t)v->f.slabs;
    double complex (*m)[3][3] = memory_alloc(sites * sizeof *m, "a gauge rotation");
    double complex (*x)[3] = memory_alloc(spinors * sizeof *x, "a vector");
    field_export((double *)m, &g->f);
    vec_export((double *)x, v);
    for (size_t n = 0; n < spinors; n++) {
        double complex (*matrix)[3] = m[n / 4 % sites], in[3];
        memcpy(in, x[n], sizeof in);
        for (int i = 0; i < 3; i++)
            x[n][i] = matrix[i][0] * in[0] + matrix[i][1] * in[1] + matrix[i][2] * in[2];
    }
    vec_import(v, (double *)x);
    memory_free(x);
    memory_free(m);
}

static void random_terms(const quarks *q, double *c, vec **y, vec **x)
{
    for (int n = 0; n < TERMS; n++) {
        c[n] = 1 - 0.35 * n;
        y[n] = quarks_vec(q, ON_ODD, 2 * n + 1);
        x[n] = quarks_vec(q, ON_ODD, 2 * n + 2);
    }
}

typedef void apply_fn(vec *out, quarks *q, const dwf_matrix *c, const vec *in);
typedef void add_fn(hop_force *f, const quarks *q, const dwf_matrix *m, const double *c, vec *const *y,
                    vec *const *x);

/* sum_n 2 c_n Re y_n^+ C x_n */
static double products(quarks *q, const dwf_matrix *c, hop_force *f, apply_fn *apply, add_fn *add)
{
    double factor[TERMS], sum = 0;
    vec *y[TERMS], *x[TERMS];
    random_terms(q, factor, y, x);
    if (f)
        add(f, q, c, factor, y, x);
    for (int n = 0; n < TERMS; n++) {
        apply(q->odd[1], q, c, x[n]);
        sum += 2 * factor[n] * vec_dot(y[n], q->odd[1]).re;
        vec_free(y[n]);
        vec_free(x[n]);
    }
    return sum;
}

static void apply_dwf(vec *out, quarks *q, const dwf_matrix *c, const vec *in)
{
    dwf_c(out, q->links, c, in, q->even);
}

static void add_dwf(hop_force *f, const quarks *q, const dwf_matrix *m, const double *c, vec *const *y,
                     vec *const *x)
{
    hop_force_add(f, q->links, m, (hop_force_terms){ .count = TERMS, .c = c, .y = y, .x = x });
}

double quarks_products(quarks *q, const dwf_matrix *c, const dwf_matrix *v, vec *phi, hop_force *f)
{
    (void)v, (void)phi;
    return products(q, c, f, apply_dwf, add_dwf);
}

static void apply_wilson(vec *out, quarks *q, const dwf_matrix *c, const vec *in)
{
    clover_mhat(out, plain(q, c), false, in, q->even);
}

static void add_wilson(hop_force *f, const quarks *q, const dwf_matrix *m, const double *c, vec *const *y,
                       vec *const *x)
{
    clover_plain_force_add(f, plain(q, m), (hop_force_terms){ .count = TERMS, .c = c, .y = y, .x = x });
}

double quarks_wilson_products(quarks *q, const dwf_matrix *c, const dwf_matrix *v, vec *phi, hop_force *f)
{
    (void)v, (void)phi;
    return products(q, c, f, apply_wilson, add_wilson);
}

/* 0.7 Re left^+ hop right on all sites */
double quarks_hops(quarks *q, const dwf_matrix *c, const dwf_matrix *v, vec *phi, hop_force *f)
{
    spinor_field left = { quarks_vec(q, ON_EVEN, 1), quarks_vec(q, ON_ODD, 2) };
    spinor_field right = { quarks_vec(q, ON_EVEN, 3), quarks_vec(q, ON_ODD, 4) };
    (void)c, (void)v, (void)phi;
    if (f)
        hop_force_add_hop(f, q->links, 0.7, left, right);
    dwf_hop(q->even, q->links, false, right.odd);
    dwf_hop(q->odd[1], q->links, false, right.even);
    double value = 0.7 * (vec_dot(left.even, q->even).re + vec_dot(left.odd, q->odd[1]).re);
    vec_free(left.even);
    vec_free(left.odd);
    vec_free(right.even);
    vec_free(right.odd);
    return value;
}

double quarks_value(quarks *q, const quark_action *a, const gauge *u, vec *phi, hop_force *f)
{
    dwf_matrix c = dwf_matrix_of(&a->weights, a->mass, a->corner);
    dwf_matrix v = dwf_matrix_of(&a->weights, a->heavy, (fifth_corner){ 0 });
    quarks_set_links(q, u);
    return a->value(q, &c, &v, phi, f);
}

void quarks_finish(quarks *q, const gauge *u, momentum *p, double weight, momentum_size *size)
{
    sum_array there = sums_create(q->l, q->where, 1, 1);
    sum_cell sum;
    max_cell largest;
    hop_force_finish(q->force, u, p, weight, there.cells);
    sums_read((sum_cells){ &sum, &largest }, &there);
    if (size)
        *size = (momentum_size){ sum_cell_value(&sum, SUM_BOUND), max_cell_value(&largest) };
    sums_free(&there);
}

double quarks_begin_force(quarks *q, const quark_action *a, const gauge *u, vec *phi)
{
    hop_force_begin(q->force);
    return quarks_value(q, a, u, phi, q->force);
}

momentum *quarks_force(quarks *q, const quark_action *a, const gauge *u, vec *phi, momentum_size *size)
{
    momentum *f = momentum_create(q->l, q->where, PRECISION_DOUBLE);
    quarks_begin_force(q, a, u, phi);
    quarks_finish(q, u, f, 1, size);
    return f;
}

double *momentum_matrices(const momentum *p)
{
    double *m = memory_alloc(link_numbers(p->f.lattice) * sizeof *m, "matrices");
    momentum_export(m, p);
    return m;
}
