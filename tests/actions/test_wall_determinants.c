/* test_wall_determinants.c - one flavour of domain-wall quarks against dense linear algebra on a tiny lattice: what its
 * actions and heat baths are, and that they, and two flavours, stand for one determinant.
 *
 * M_E is built from its definition (actions/exact_matrix.h), H(m) from D5(m) applied to unit vectors. */
#include "src/base/memory.h"
#include "src/lattice/rng.h"
#include "tests/actions/derivative.h"
#include "tests/actions/wall_input.h"
#include "tests/analytic_field.h"
#include "tests/facts.h"
#include "tests/on_every_backend.h"
#include "tests/operators/hermitian.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_complex_math.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define ROUGHNESS 1.0           /* of the links, as in analytic_field.h */
#define LIGHT 0.1
#define HEAVY 1.0
enum { SPINOR = 12, EVEN_AND_ODD = 2 };

#define TIGHT "residuals: { heat_bath: 1e-14, action: 1e-14 }\nslices: 4\n"
#define ONE(method) "determinants: [ { flavors: 1, mass: 0.1, method: " #method ", errors: { heat_bath: 1e-14, " \
    "action: 1e-14 } } ]"
static const struct { const char *name, *yaml; } weights[] = {
    { "Shamir", TIGHT },
    { "Moebius", TIGHT "action: mobius\n" },
    { "optimal and symmetric", TIGHT "action: optimal_symmetric\nlambda_min: 0.3\nlambda_max: 6\n" },
};
enum { ROWS = sizeof weights / sizeof weights[0] };

typedef gsl_matrix_complex matrix;
typedef gsl_vector_complex vector;

/* Fields as arrays [slice][site][spin][colour], as vec_import and vec_export have them. */
typedef struct {
    const gauge *u;
    lattice *l;
    wall_weights w;
    wall_links *links;
    size_t sites, four, five;               /* numbers of a spinor field in four dimensions, and in five */
} walls;

static wall_plan plan_of(const char *yaml)
{
    wall_params p = wall_from_text(yaml);
    wall_plan plan;
    failure f;
    require(wall_plan_make(&plan, &p, &f), "%s", f.why);
    wall_input_free(&p);
    return plan;
}

static walls walls_open(const gauge *u, const char *yaml)
{
    failure f;
    wall_plan plan = plan_of(yaml);
    lattice *l = u->links.lattice;
    walls a = { u, l, plan.weights, wall_links_create(l, u->links.where, PRECISION_DOUBLE, plan.boundary),
                (size_t)lattice_volume(l), 0, 0 };
    a.four = a.sites * SPINOR;
    a.five = a.four * (size_t)a.w.slices;
    require(wall_links_update(a.links, u, &f), "%s", f.why);
    return a;
}

/* A vector of the sites that v lives on, others zero. */
static vector *numbers_of(const vec *v, size_t count)
{
    vector *x = gsl_vector_complex_alloc(count);
    vec_export(x->data, v);
    return x;
}

/* Numbers count slice, site, spin, colour. */
static size_t slice_of(const walls *a, size_t i)
{
    return i / a->four;
}

static int chirality_of(size_t i)
{
    return (int)(i / 3 % 4 / 2);
}

/* ---- five dimensions */

static fifth_table diagonal(const wall_weights *w, double power)
{
    fifth_table t = fifth_one(w->slices, 1);
    for (int c = 0; c < 2; c++)
        for (int s = 0; s < w->slices; s++)
            t.d[c][s] = pow(w->b[s], power);
    return t;
}

/* H(m) = Gamma b^-1/2 D5 Y^-1 b^1/2, b (1 + c L) being Y */
static matrix *dense_h(const walls *a, double mass)
{
    const wall_matrix m = wall_matrix_of(&a->w, mass, (fifth_corner){ 0, 0, 0 });
    const fifth_table root = diagonal(&a->w, 0.5), inverse_root = diagonal(&a->w, -0.5);
    const fifth_table inverse_y = fifth_y_inverse(&a->w, mass, 1);
    const int slices = a->w.slices;
    wall_field in = wall_field_create(a->u, slices), out = wall_field_create(a->u, slices);
    wall_field room = wall_field_create(a->u, slices);
    vec *parts[2][EVEN_AND_ODD] = { { in.even, in.odd }, { out.even, out.odd } };
    matrix *h = gsl_matrix_complex_alloc(a->five, a->five);
    vector *unit = gsl_vector_complex_alloc(a->five);
    for (size_t j = 0; j < a->five; j++) {
        gsl_vector_complex_set_basis(unit, j);
        for (int p = 0; p < EVEN_AND_ODD; p++) {
            vec_import(parts[0][p], unit->data);
            wall_fifth(parts[0][p], &root, parts[0][p]);
            wall_fifth(parts[0][p], &inverse_y, parts[0][p]);
        }
        wall_apply(out, a->links, &m, false, in, room);
        vector *column = gsl_vector_complex_calloc(a->five);
        for (int p = 0; p < EVEN_AND_ODD; p++) {
            wall_fifth(parts[1][p], &inverse_root, parts[1][p]);
            vector *half = numbers_of(parts[1][p], a->five);
            gsl_vector_complex_add(column, half);
            gsl_vector_complex_free(half);
        }
        for (size_t i = 0; i < a->five; i++) {
            size_t reflected = ((size_t)a->w.slices - 1 - slice_of(a, i)) * a->four + i % a->four;
            double sign = chirality_of(i) == 0 ? 1 : -1;
            gsl_matrix_complex_set(h, i, j, gsl_complex_mul_real(gsl_vector_complex_get(column, reflected), sign));
        }
        gsl_vector_complex_free(column);
    }
    gsl_vector_complex_free(unit);
    wall_field_free(in);
    wall_field_free(out);
    wall_field_free(room);
    return h;
}

/* c of c_s = c b_s, w(m), k, v+-: as in wall_exact.c */
static double ratio(const walls *a)
{
    return a->w.c[0] / a->w.b[0];
}

static double wall_weight(const walls *a, double mass)
{
    return 1 + mass * pow(-ratio(a), a->w.slices);
}

static double strength(const walls *a)
{
    return (1 + ratio(a)) * (HEAVY - LIGHT) / (wall_weight(a, LIGHT) * wall_weight(a, HEAVY));
}

static double leg(const walls *a, int chirality, size_t slice)
{
    double power = chirality == 0 ? a->w.slices - 1 - (double)slice : (double)slice;
    return pow(a->w.b[slice], -0.5) * (power == 0 ? 1 : pow(-ratio(a), power));
}

/* h <- h + factor k v v^T P of a chirality */
static void add_delta(matrix *h, const walls *a, int chirality, double factor)
{
    for (size_t i = 0; i < a->five; i++)
        for (size_t s = 0; s < (size_t)a->w.slices && chirality_of(i) == chirality; s++) {
            size_t j = s * a->four + i % a->four;
            double d = factor * strength(a) * leg(a, chirality, slice_of(a, i)) * leg(a, chirality, s);
            gsl_complex *at = gsl_matrix_complex_ptr(h, i, j);
            *at = gsl_complex_add_real(*at, d);
        }
}

/* me <- me + factor P v^T h^-1 v P; h is destroyed. */
static void add_inverse(matrix *me, matrix *h, const walls *a, int chirality, double factor)
{
    int sign;
    gsl_permutation *order = gsl_permutation_alloc(a->five);
    vector *x = gsl_vector_complex_alloc(a->five);
    gsl_linalg_complex_LU_decomp(h, order, &sign);
    for (size_t j = 0; j < a->four; j++) {
        if (chirality_of(j) != chirality)
            continue;
        gsl_vector_complex_set_zero(x);
        for (size_t s = 0; s < (size_t)a->w.slices; s++)
            gsl_vector_complex_set(x, s * a->four + j, gsl_complex_rect(leg(a, chirality, s), 0));
        gsl_linalg_complex_LU_svx(h, order, x);
        for (size_t i = 0; i < a->five; i++)
            if (chirality_of(i) == chirality) {
                gsl_complex *at = gsl_matrix_complex_ptr(me, i % a->four, j);
                double d = factor * leg(a, chirality, slice_of(a, i));
                *at = gsl_complex_add(*at, gsl_complex_mul_real(gsl_vector_complex_get(x, i), d));
            }
    }
    gsl_vector_complex_free(x);
    gsl_permutation_free(order);
}

/* M_E, after facts about H */
static matrix *dense_me(const walls *a, const char *name)
{
    matrix *me = gsl_matrix_complex_alloc(a->four, a->four), *light = dense_h(a, LIGHT), *heavy = dense_h(a, HEAVY);
    matrix *moved = gsl_matrix_complex_alloc(a->five, a->five);
    gsl_matrix_complex_set_identity(me);
    fact_close(fmax(asymmetry(light), asymmetry(heavy)), 0, 1e-13, "%s: H is hermitian", name);
    gsl_matrix_complex_memcpy(moved, light);
    add_delta(moved, a, 0, 1);
    add_delta(moved, a, 1, -1);
    gsl_matrix_complex_sub(moved, heavy);
    double apart = 0;
    for (size_t i = 0; i < a->five * a->five; i++)
        apart = fmax(apart, fmax(fabs(moved->data[2 * i]), fabs(moved->data[2 * i + 1])));
    fact_close(apart, 0, 1e-12, "%s: H(M) = H(m) + Delta+ - Delta-", name);

    gsl_matrix_complex_memcpy(moved, heavy);
    add_delta(moved, a, 0, -1);
    add_inverse(me, moved, a, 0, strength(a));
    add_inverse(me, light, a, 1, -strength(a));
    gsl_matrix_complex_free(moved);
    gsl_matrix_complex_free(heavy);
    gsl_matrix_complex_free(light);
    return me;
}

/* ---- even-odd */

static bool is_odd(const walls *a, size_t i)
{
    const int *n = lattice_global(a->l);
    size_t x = i % a->four / SPINOR, sum = 0;
    for (int mu = 0; mu < 4; mu++) {
        sum += x % (size_t)n[mu];
        x /= (size_t)n[mu];
    }
    return sum % 2 == 1;
}

/* The numbers on odd sites alone: half as many. */
static vector *odd_of(const walls *a, const vector *x)
{
    vector *odd = gsl_vector_complex_alloc(x->size / 2);
    for (size_t i = 0, j = 0; i < x->size; i++)
        if (is_odd(a, i))
            gsl_vector_complex_set(odd, j++, gsl_vector_complex_get(x, i));
    return odd;
}

/* C^+C(m) on odd sites */
static hermitian spectrum_of_c(const walls *a, double mass)
{
    const wall_matrix m = wall_matrix_of(&a->w, mass, (fifth_corner){ 0, 0, 0 });
    const int slices = a->w.slices;
    wall_field in = wall_field_create(a->u, slices), out = wall_field_create(a->u, slices);
    wall_field room = wall_field_create(a->u, slices);
    vec *const odd[1][2] = { { out.odd, room.odd } };
    vec *result = wall_vec_create(a->l, ON_ODD, a->u->links.where, PRECISION_DOUBLE, a->w.slices);
    wall_op op = wall_operator(a->links, &m, &in.even, odd, 1);
    matrix *c = gsl_matrix_complex_alloc(a->five / 2, a->five / 2);
    vector *unit = gsl_vector_complex_alloc(a->five);
    for (size_t i = 0, j = 0; i < a->five; i++) {
        if (!is_odd(a, i))
            continue;
        gsl_vector_complex_set_basis(unit, i);
        vec_import(in.odd, unit->data);
        op.base.apply(&op.base, result, 0, in.odd);
        vector *all = numbers_of(result, a->five), *column = odd_of(a, all);
        gsl_matrix_complex_set_col(c, j++, column);
        gsl_vector_complex_free(column);
        gsl_vector_complex_free(all);
    }
    hermitian s = hermitian_of(c);
    gsl_matrix_complex_free(c);
    gsl_vector_complex_free(unit);
    vec_free(result);
    wall_field_free(in);
    wall_field_free(out);
    wall_field_free(room);
    return s;
}

/* log |det D5(m)| = log |det X| of all sites + log |det C| */
static double log_det_d5(const walls *a, const hermitian *c, double mass)
{
    const fifth_corner none = { 0, 0, 0 };
    double x = fifth_log_det_x(&a->w, mass, none, 0) + fifth_log_det_x(&a->w, mass, none, 1);
    return (double)a->four / 2 * x + hermitian_log_det(c) / 2;
}

/* ---- what is to be as in dense algebra */

static monomial *quarks_of(const walls *a, const char *of_weights, const char *determinants)
{
    char yaml[1024];
    snprintf(yaml, sizeof yaml, "%s%s", of_weights, determinants);
    wall_params p = wall_from_text(yaml);
    monomial *m = monomial_create(&wall_monomial, &p, a->u);
    wall_input_free(&p);
    return m;
}

/* The fields of a monomial: those of the two parities added up; in five dimensions, on odd sites. */
static vector *fields_of(const walls *a, monomial *m, size_t count)
{
    vector *sum = gsl_vector_complex_calloc(count);
    for (int i = 0; monomial_field(m, i, NULL); i++) {
        vector *x = numbers_of((const vec *)monomial_field(m, i, NULL), count);
        gsl_vector_complex_add(sum, x);
        gsl_vector_complex_free(x);
    }
    if (count == a->four)
        return sum;
    vector *odd = odd_of(a, sum);
    gsl_vector_complex_free(sum);
    return odd;
}

static void set_fields(monomial *m, rng_key key)
{
    for (int i = 0; monomial_field(m, i, NULL); i++)
        vec_set_gaussian((vec *)monomial_field(m, i, NULL), key, 0);
}

/* x <- M^-1/2 x and M x, for S = phi^+ M phi; of which matrices */
typedef void power_of(const hermitian *const s[2], vector *x);

static void exact_half(const hermitian *const s[2], vector *x)
{
    hermitian_power(s[0], -0.5, x);
}

static void exact_whole(const hermitian *const s[2], vector *x)
{
    hermitian_power(s[0], 1, x);
}

static void rational_half(const hermitian *const s[2], vector *x)
{
    hermitian_power(s[0], 0.25, x);
    hermitian_power(s[1], -0.25, x);
}

static void rational_whole(const hermitian *const s[2], vector *x)
{
    hermitian_power(s[1], 0.25, x);
    hermitian_power(s[0], -0.5, x);
    hermitian_power(s[1], 0.25, x);
}

static void heat_bath_and_action(const walls *a, monomial *m, size_t count, const hermitian *const s[2], power_of *half,
                                 power_of *whole, const char *name)
{
    const rng_key key = rng_key_for(81, 0, 1, RNG_PSEUDOFERMION), other = rng_key_for(82, 0, 1, RNG_PSEUDOFERMION);
    monomial_call call = { .clock = NULL };
    set_fields(m, key);
    vector *want = fields_of(a, m, count);
    half(s, want);
    require(monomial_refresh(m, a->u, key, &call), "%s", call.trouble.why);
    vector *phi = fields_of(a, m, count);
    fact_close(dense_distance(phi, want), 0, 1e-11, "%s: the heat bath, relative", name);
    action_of(m, a->u);
    set_fields(m, other);
    gsl_vector_complex_free(phi);
    phi = fields_of(a, m, count);
    gsl_vector_complex_memcpy(want, phi);
    whole(s, want);
    gsl_complex product;
    gsl_blas_zdotc(phi, want, &product);
    fact_close(action_of(m, a->u) / GSL_REAL(product), 1, 1e-11, "%s: the action of any fields, relative", name);
    gsl_vector_complex_free(phi);
    gsl_vector_complex_free(want);
}

static void on_weights(const gauge *u, int row)
{
    char name[96], yaml[512];
    snprintf(yaml, sizeof yaml, "%s%s", weights[row].yaml, ONE(exact));
    walls a = walls_open(u, yaml);
    snprintf(name, sizeof name, "%s: %s", place_name(u->links.where), weights[row].name);
    matrix *me = dense_me(&a, name);
    fact_close(asymmetry(me), 0, 1e-13, "%s: M_E is hermitian", name);
    hermitian of_me = hermitian_of(me), light = spectrum_of_c(&a, LIGHT), heavy = spectrum_of_c(&a, HEAVY);
    fact(gsl_vector_min(of_me.eigenvalue) > 0, "%s: and positive: from %g to %g", name,
         gsl_vector_min(of_me.eigenvalue), gsl_vector_max(of_me.eigenvalue));
    double two_flavors = log_det_d5(&a, &heavy, HEAVY) - log_det_d5(&a, &light, LIGHT);
    double of_y = (double)a.four * (log(wall_weight(&a, LIGHT)) - log(wall_weight(&a, HEAVY)));
    fact_close(hermitian_log_det(&of_me) - of_y, two_flavors, 1e-10,
               "%s: log det M_E is that of D5(M) / D5(m), even-odd as two flavours have it", name);

    snprintf(name, sizeof name, "%s: %s, exact", place_name(u->links.where), weights[row].name);
    monomial *m = quarks_of(&a, weights[row].yaml, ONE(exact));
    heat_bath_and_action(&a, m, a.four, (const hermitian *[]){ &of_me, NULL }, exact_half, exact_whole, name);
    monomial_free(m);
    snprintf(name, sizeof name, "%s: %s, rational", place_name(u->links.where), weights[row].name);
    m = quarks_of(&a, weights[row].yaml, ONE(rational));
    heat_bath_and_action(&a, m, a.five, (const hermitian *[]){ &light, &heavy }, rational_half, rational_whole, name);
    monomial_free(m);

    hermitian_free(&heavy);
    hermitian_free(&light);
    hermitian_free(&of_me);
    gsl_matrix_complex_free(me);
    wall_links_free(a.links);
}

int main(void)
{
    const int extents[4] = { 2, 2, 2, 2 };
    FOR_EVERY_PLACE(where) {
        lattice *l = lattice_create_single(extents);
        gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
        double *numbers = analytic_links(extents, ROUGHNESS);
        gauge_import(u, numbers);
        memory_free(numbers);
        for (int row = 0; row < (where == PLACE_CPU ? ROWS : 1); row++)
            on_weights(u, row);
        gauge_free(u);
        lattice_free(l);
    }
    return facts_end();
}
