/* dense_dwf.c - H, M_E and C^+C of domain-wall quarks, column by column. */
#include "tests/actions/dense_dwf.h"

#include "tests/actions/dwf_input.h"
#include "tests/facts.h"
#include "tests/operators/fifth_dense.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_complex_math.h>
#include <gsl/gsl_linalg.h>
#include <math.h>

enum { SPINOR = 12, EVEN_AND_ODD = 2 };

static dwf_operator_params operator_of(const char *yaml)
{
    dwf_params p = dwf_from_text(yaml);
    dwf_operator_params op;
    failure f;
    require(dwf_parameters.read(&op, &p.of, &f), "%s", f.why);
    dwf_input_free(&p);
    return op;
}

dense_dwf dense_dwf_open(const gauge *u, const char *yaml)
{
    failure f;
    const dwf_operator_params op = operator_of(yaml);
    lattice *l = u->links.lattice;
    dense_dwf a = { u, l, op.weights, hop_links_create(l, u->links.where, PRECISION_DOUBLE, op.boundary),
                (size_t)lattice_volume(l), 0, 0 };
    a.four = a.sites * SPINOR;
    a.five = a.four * (size_t)a.w.Ls;
    require(hop_links_update(a.links, u, &f), "%s", f.why);
    return a;
}

vector *dense_numbers_of(const vec *v, size_t count)
{
    vector *x = gsl_vector_complex_alloc(count);
    vec_export(x->data, v);
    return x;
}

/* Numbers count slice, site, spin, color. */
static size_t slice_of(const dense_dwf *a, size_t i)
{
    return i / a->four;
}

static int chirality_of(size_t i)
{
    return (int)(i / 3 % 4 / 2);
}

/* ---- five dimensions */

static fifth_table diagonal(const dwf_weights *w, double power)
{
    fifth_table t = fifth_one(w->Ls, 1);
    for (int c = 0; c < 2; c++)
        for (int s = 0; s < w->Ls; s++)
            t.d[c][s] = pow(w->b[s], power);
    return t;
}

/* Y^-1, Y = b + c L: the X of other weights, with T = 1. */
static fifth_table y_inverse(const dwf_weights *w, double mass)
{
    dwf_weights other = { .Ls = w->Ls, .M5 = 3 };
    for (int s = 0; s < w->Ls; s++) {
        other.b[s] = w->b[s] - 1;
        other.c[s] = w->c[s] + 1;
    }
    return fifth_x_inverse(&other, mass, (fifth_corner){ 0, 0, 0 }, 1);
}

/* H(m) = Gamma b^-1/2 D5 Y^-1 b^1/2, b (1 + c L) being Y */
static matrix *dense_h(const dense_dwf *a, double mass)
{
    const dwf_matrix m = dwf_matrix_of(&a->w, mass, (fifth_corner){ 0, 0, 0 });
    const fifth_table root = diagonal(&a->w, 0.5), inverse_root = diagonal(&a->w, -0.5);
    const fifth_table inverse_y = y_inverse(&a->w, mass);
    const int Ls = a->w.Ls;
    spinor_field in = spinor_field_create(a->u, Ls), out = spinor_field_create(a->u, Ls);
    spinor_field spare = spinor_field_create(a->u, Ls);
    vec *parts[2][EVEN_AND_ODD] = { { in.even, in.odd }, { out.even, out.odd } };
    matrix *h = gsl_matrix_complex_alloc(a->five, a->five);
    vector *unit = gsl_vector_complex_alloc(a->five);
    for (size_t j = 0; j < a->five; j++) {
        gsl_vector_complex_set_basis(unit, j);
        for (int p = 0; p < EVEN_AND_ODD; p++) {
            vec_import(parts[0][p], unit->data);
            dwf_fifth(parts[0][p], &root, parts[0][p]);
            dwf_fifth(parts[0][p], &inverse_y, parts[0][p]);
        }
        dwf_apply(out, a->links, &m, false, in, spare);
        vector *column = gsl_vector_complex_calloc(a->five);
        for (int p = 0; p < EVEN_AND_ODD; p++) {
            dwf_fifth(parts[1][p], &inverse_root, parts[1][p]);
            vector *half = dense_numbers_of(parts[1][p], a->five);
            gsl_vector_complex_add(column, half);
            gsl_vector_complex_free(half);
        }
        for (size_t i = 0; i < a->five; i++) {
            size_t reflected = ((size_t)a->w.Ls - 1 - slice_of(a, i)) * a->four + i % a->four;
            double sign = chirality_of(i) == 0 ? 1 : -1;
            gsl_matrix_complex_set(h, i, j, gsl_complex_mul_real(gsl_vector_complex_get(column, reflected), sign));
        }
        gsl_vector_complex_free(column);
    }
    gsl_vector_complex_free(unit);
    spinor_field_free(in);
    spinor_field_free(out);
    spinor_field_free(spare);
    return h;
}

/* c of c_s = c b_s, w(m), k, v+-: as in exact_one_flavor.c */
static double ratio(const dense_dwf *a)
{
    return a->w.c[0] / a->w.b[0];
}

double dwf_weight(const dense_dwf *a, double mass)
{
    return 1 + mass * pow(-ratio(a), a->w.Ls);
}

static double strength(const dense_dwf *a)
{
    return (1 + ratio(a)) * (HEAVY - LIGHT) / (dwf_weight(a, LIGHT) * dwf_weight(a, HEAVY));
}

static double leg(const dense_dwf *a, int chirality, size_t slice)
{
    double power = chirality == 0 ? a->w.Ls - 1 - (double)slice : (double)slice;
    return pow(a->w.b[slice], -0.5) * (power == 0 ? 1 : pow(-ratio(a), power));
}

/* h <- h + factor k v v^T P of a chirality */
static void add_delta(matrix *h, const dense_dwf *a, int chirality, double factor)
{
    for (size_t i = 0; i < a->five; i++)
        for (size_t s = 0; s < (size_t)a->w.Ls && chirality_of(i) == chirality; s++) {
            size_t j = s * a->four + i % a->four;
            double d = factor * strength(a) * leg(a, chirality, slice_of(a, i)) * leg(a, chirality, s);
            gsl_complex *at = gsl_matrix_complex_ptr(h, i, j);
            *at = gsl_complex_add_real(*at, d);
        }
}

/* me <- me + factor P v^T h^-1 v P; h is destroyed. */
static void add_inverse(matrix *me, matrix *h, const dense_dwf *a, int chirality, double factor)
{
    int sign;
    gsl_permutation *order = gsl_permutation_alloc(a->five);
    vector *x = gsl_vector_complex_alloc(a->five);
    gsl_linalg_complex_LU_decomp(h, order, &sign);
    for (size_t j = 0; j < a->four; j++) {
        if (chirality_of(j) != chirality)
            continue;
        gsl_vector_complex_set_zero(x);
        for (size_t s = 0; s < (size_t)a->w.Ls; s++)
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

matrix *dense_me(const dense_dwf *a, const char *name)
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
        apart = worse(apart, worse(fabs(moved->data[2 * i]), fabs(moved->data[2 * i + 1])));
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

static bool is_odd(const dense_dwf *a, size_t i)
{
    const int *n = lattice_global(a->l);
    size_t x = i % a->four / SPINOR, sum = 0;
    for (int mu = 0; mu < 4; mu++) {
        sum += x % (size_t)n[mu];
        x /= (size_t)n[mu];
    }
    return sum % 2 == 1;
}

vector *odd_of(const dense_dwf *a, const vector *x)
{
    vector *odd = gsl_vector_complex_alloc(x->size / 2);
    for (size_t i = 0, j = 0; i < x->size; i++)
        if (is_odd(a, i))
            gsl_vector_complex_set(odd, j++, gsl_vector_complex_get(x, i));
    return odd;
}

hermitian spectrum_of_c(const dense_dwf *a, double mass)
{
    const dwf_matrix m = dwf_matrix_of(&a->w, mass, (fifth_corner){ 0, 0, 0 });
    const int Ls = a->w.Ls;
    spinor_field in = spinor_field_create(a->u, Ls), out = spinor_field_create(a->u, Ls);
    spinor_field spare = spinor_field_create(a->u, Ls);
    vec *const odd[1][2] = { { out.odd, spare.odd } };
    vec *result = spinor_vec_create(a->l, ON_ODD, a->u->links.where, PRECISION_DOUBLE, a->w.Ls);
    dwf_op op = dwf_normal_operator(a->links, &m, &in.even, odd, 1);
    matrix *c = gsl_matrix_complex_alloc(a->five / 2, a->five / 2);
    vector *unit = gsl_vector_complex_alloc(a->five);
    for (size_t i = 0, j = 0; i < a->five; i++) {
        if (!is_odd(a, i))
            continue;
        gsl_vector_complex_set_basis(unit, i);
        vec_import(in.odd, unit->data);
        op.base.apply(&op.base, result, 0, in.odd);
        vector *all = dense_numbers_of(result, a->five), *column = odd_of(a, all);
        gsl_matrix_complex_set_col(c, j++, column);
        gsl_vector_complex_free(column);
        gsl_vector_complex_free(all);
    }
    hermitian s = hermitian_of(c);
    gsl_matrix_complex_free(c);
    gsl_vector_complex_free(unit);
    vec_free(result);
    spinor_field_free(in);
    spinor_field_free(out);
    spinor_field_free(spare);
    return s;
}

/* log |det X| of one chirality. */
static double log_det_x(const dwf_weights *w, double mass, int chirality)
{
    const fifth_table x = fifth_x(w, mass, 1);
    const size_t n = (size_t)w->Ls;
    double dense[SLICES_MAX * SLICES_MAX];
    int sign;
    fifth_dense(dense, &x, chirality, w->Ls);
    gsl_matrix_view m = gsl_matrix_view_array(dense, n, n);
    gsl_permutation *order = gsl_permutation_alloc(n);
    gsl_linalg_LU_decomp(&m.matrix, order, &sign);
    gsl_permutation_free(order);
    return gsl_linalg_LU_lndet(&m.matrix);
}

double log_det_d5(const dense_dwf *a, const hermitian *c, double mass)
{
    double x = log_det_x(&a->w, mass, 0) + log_det_x(&a->w, mass, 1);
    return (double)a->four / 2 * x + hermitian_log_det(c) / 2;
}
