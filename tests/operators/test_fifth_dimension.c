/* test_fifth_dimension.c - matrices in the fifth dimension: closed forms against elimination, published digits. */
#include "src/lattice/rng.h"
#include "src/operators/fifth_dimension.h"
#include "tests/facts.h"
#include "tests/operators/fifth_dense.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_linalg.h>
#include <math.h>

enum { ELEMENTS = SLICES_MAX * SLICES_MAX };

static double random_in(double low, double high, uint64_t number)
{
    philox_words w = rng_words(rng_key_for(17, 0, 0, RNG_TEST), number, 0);
    return low + (high - low) * rng_uniform(w.v[0], w.v[1]);
}

/* |c| < b, as in all actions; one slice has r = 0. */
static dwf_weights random_weights(int Ls, uint64_t number)
{
    dwf_weights w = { .Ls = Ls, .M5 = random_in(1, 1.9, 1000 * number) };
    for (int s = 0; s < Ls; s++) {
        w.b[s] = random_in(0.2, 2, 1000 * number + 2 * (uint64_t)s + 1);
        w.c[s] = random_in(-0.3, 1, 1000 * number + 2 * (uint64_t)s + 2) * w.b[s];
    }
    w.c[Ls / 3] = 1 / (4 - w.M5);
    w.b[Ls / 3] = 1;
    return w;
}

/* L, Y, X and the corner as they are defined, written out. */
static gsl_matrix *dense_l(int Ls, double mass, int chirality)
{
    gsl_matrix *l = gsl_matrix_calloc((size_t)Ls, (size_t)Ls);
    for (int s = 0; s < Ls; s++) {
        int from = chirality == 0 ? s - 1 : s + 1;
        bool inside = from >= 0 && from < Ls;
        gsl_matrix_set(l, (size_t)s, (size_t)((from + Ls) % Ls), inside ? 1 : -mass);
    }
    return l;
}

static gsl_matrix *dense_y(const dwf_weights *w, double mass, int chirality)
{
    gsl_matrix *y = dense_l(w->Ls, mass, chirality);
    for (size_t s = 0; s < y->size1; s++)
        for (size_t t = 0; t < y->size2; t++)
            gsl_matrix_set(y, s, t, w->c[s] * gsl_matrix_get(y, s, t) + (s == t ? w->b[s] : 0));
    return y;
}

static gsl_matrix *dense_x(const dwf_weights *w, double mass, fifth_corner corner, int chirality)
{
    gsl_matrix *x = dense_y(w, mass, chirality), *l = dense_l(w->Ls, mass, chirality);
    gsl_matrix_scale(x, 4 - w->M5);
    gsl_matrix_sub(x, l);
    for (int s = 0; s < w->Ls; s++)
        *gsl_matrix_ptr(x, (size_t)s, (size_t)s) += 1;
    if (chirality == corner.chirality)
        for (int s = 0; s < w->Ls; s++)
            *gsl_matrix_ptr(x, (size_t)s, chirality == 0 ? (size_t)w->Ls - 1 : 0) +=
                corner.strength * pow(-corner.ratio, chirality == 0 ? s : w->Ls - 1 - s);
    gsl_matrix_free(l);
    return x;
}

static gsl_matrix *inverse(const gsl_matrix *m)
{
    gsl_matrix *lu = gsl_matrix_alloc(m->size1, m->size2), *result = gsl_matrix_alloc(m->size1, m->size2);
    gsl_permutation *order = gsl_permutation_alloc(m->size1);
    int sign;
    gsl_matrix_memcpy(lu, m);
    gsl_linalg_LU_decomp(lu, order, &sign);
    gsl_linalg_LU_invert(lu, order, result);
    gsl_permutation_free(order);
    gsl_matrix_free(lu);
    return result;
}

/* out <- K in, as kernels read the table */
static void apply(double *out, const fifth_table *k, int c, int Ls, const double *in)
{
    double w = 0, p = 0;
    for (int s = 0; s < Ls; s++)
        w += k->g[c][s] * in[s];
    for (int i = 0; i < Ls; i++) {
        int s = k->up[c] ? i : Ls - 1 - i;
        out[s] = k->d[c][s] * in[s] + k->e[c][s] * p + k->h[c][s] * w;
        p = k->a[c][s] * in[s] + k->r[c][s] * p;
    }
}

/* The largest difference of K and factor m, in units of m's largest element: by its dense form and by its action. */
static double difference(const fifth_table *k, int chirality, const gsl_matrix *m, double factor)
{
    int Ls = (int)m->size1;
    double dense[ELEMENTS], in[SLICES_MAX] = { 0 }, out[SLICES_MAX], most = 0, scale = 0;
    fifth_dense(dense, k, chirality, Ls);
    for (int t = 0; t < Ls; t++) {
        in[t] = 1;
        apply(out, k, chirality, Ls, in);
        in[t] = 0;
        for (int s = 0; s < Ls; s++) {
            double want = factor * gsl_matrix_get(m, (size_t)s, (size_t)t);
            most = worse(most, worse(fabs(dense[s * Ls + t] - want), fabs(out[s] - want)));
            scale = fmax(scale, fabs(want));
        }
    }
    return most / scale;
}

enum { Y, X, X_INVERSE, K, K_SCALED, MATRICES };
static const char *const matrix_names[MATRICES] = { "Y", "X", "(X + corner)^-1", "Y (X + corner)^-1",
                                                    "b^-1/2 Y (X + corner)^-1 b^1/2" };

static fifth_table table_of(int which, const dwf_weights *w, double mass, fifth_corner corner, double factor)
{
    switch (which) {
    case Y:         return fifth_y(w, mass, factor);
    case X:         return fifth_x(w, mass, factor);
    case X_INVERSE: return fifth_x_inverse(w, mass, corner, factor);
    case K:         return fifth_k(w, mass, corner, factor);
    default:        return fifth_k_scaled(w, mass, corner, factor);
    }
}

static gsl_matrix *dense_of(int which, const dwf_weights *w, double mass, fifth_corner corner, int chirality)
{
    static const fifth_corner none = { 0, 0, 0 };
    gsl_matrix *y = dense_y(w, mass, chirality);
    if (which == Y)
        return y;
    gsl_matrix *x = dense_x(w, mass, which == X ? none : corner, chirality);
    gsl_matrix *result = which == X ? x : inverse(x);
    if (which == K || which == K_SCALED) {
        gsl_matrix *product = gsl_matrix_alloc(y->size1, y->size2);
        gsl_blas_dgemm(CblasNoTrans, CblasNoTrans, 1, y, result, 0, product);
        gsl_matrix_free(result);
        result = product;
    }
    if (which == K_SCALED)
        for (size_t s = 0; s < y->size1; s++)
            for (size_t t = 0; t < y->size2; t++)
                *gsl_matrix_ptr(result, s, t) *= sqrt(w->b[t] / w->b[s]);
    gsl_matrix_free(y);
    if (result != x)
        gsl_matrix_free(x);
    return result;
}

/* The largest differences over both chiralities: of the matrix, and of its transpose. */
typedef struct { double matrix[MATRICES], transposed[MATRICES]; } differences;

static void compare(differences *d, const dwf_weights *w, double mass, fifth_corner corner)
{
    for (int which = 0; which < MATRICES; which++) {
        fifth_table k = table_of(which, w, mass, corner, -0.7), transposed = fifth_transposed(&k, w->Ls);
        for (int c = 0; c < 2; c++) {
            gsl_matrix *m = dense_of(which, w, mass, corner, c);
            d->matrix[which] = worse(d->matrix[which], difference(&k, c, m, -0.7));
            gsl_matrix_transpose(m);
            d->transposed[which] = worse(d->transposed[which], difference(&transposed, c, m, -0.7));
            gsl_matrix_free(m);
        }
    }
}

static void closed_forms(const char *where, const double *masses, int count, fifth_corner corner)
{
    differences d = { { 0 }, { 0 } };
    for (int Ls = 2; Ls <= 32; Ls++)
        for (int i = 0; i < count; i++) {
            dwf_weights w = random_weights(Ls, (uint64_t)(Ls * count + i));
            compare(&d, &w, masses[i], corner);
        }
    for (int which = 0; which < MATRICES; which++) {
        fact_close(d.matrix[which], 0, 1e-12, "%s: %s is that of elimination, 2 to 32 slices", where,
                   matrix_names[which]);
        fact_close(d.transposed[which], 0, 1e-12, "%s: so is the transpose of %s", where, matrix_names[which]);
    }
}

static void elimination(void)
{
    static const double light_and_heavy[] = { 0.003, 0.1, -0.2, 0.7 }, one[] = { 1 }, zero[] = { 0 };
    closed_forms("masses 0.003 to 0.7", light_and_heavy, 4, (fifth_corner){ 0, 0, 0 });
    closed_forms("mass 1", one, 1, (fifth_corner){ 0, 0, 0 });
    closed_forms("mass 0", zero, 1, (fifth_corner){ 0, 0, 0 });
    closed_forms("a corner in chirality 0", light_and_heavy, 4, (fifth_corner){ 0, 0.8, 0.4 });
    closed_forms("a corner in chirality 1", light_and_heavy, 4, (fifth_corner){ 1, -0.3, 0.9 });
    closed_forms("a corner of Shamir's action", light_and_heavy, 4, (fifth_corner){ 1, 0.4, 0 });
}

static void multiples(void)
{
    enum { SLICES = 7 };
    double left[SLICES], right[SLICES], worst = 0, dense[ELEMENTS], scaled[ELEMENTS];
    for (int s = 0; s < SLICES; s++) {
        left[s] = random_in(-1, 1, 90000 + 2 * (uint64_t)s);
        right[s] = random_in(-1, 1, 90001 + 2 * (uint64_t)s);
    }
    dwf_weights w = random_weights(SLICES, 91);
    fifth_table k = fifth_k(&w, 0.1, (fifth_corner){ 1, 0.5, 0.3 }, 1), one = fifth_one(SLICES, -2.5);
    fifth_table both = fifth_scaled(&k, left, right, SLICES);
    for (int c = 0; c < 2; c++) {
        fifth_dense(dense, &k, c, SLICES);
        fifth_dense(scaled, &both, c, SLICES);
        for (int i = 0; i < SLICES * SLICES; i++)
            worst = worse(worst, fabs(scaled[i] - left[i / SLICES] * dense[i] * right[i % SLICES]));
    }
    fact_close(worst, 0, 1e-15, "scaling multiplies rows by the left and columns by the right numbers");
    worst = 0;
    for (int c = 0; c < 2; c++) {
        fifth_dense(dense, &one, c, SLICES);
        for (int i = 0; i < SLICES * SLICES; i++)
            worst = worse(worst, fabs(dense[i] - (i / SLICES == i % SLICES ? -2.5 : 0)));
    }
    fact_close(worst, 0, 0, "a multiple of one is diagonal");
}

/* Digits of an elimination in another language. */
static void published_digits(void)
{
    enum { SLICES = 4 };
    static const double column[SLICES] = { 0.348837345349, 0.108166573364, -0.002515501706, 0.00005850004 };
    static const double row[SLICES] = { 0.348837345349, -0.000005850004, 0.000251550171, -0.010816657336 };
    static const double varied[SLICES][SLICES] = {
        { 0.32968883481, -0.000434798585, 0.009130770279, -0.018112920629 },
        { 0.202658559853, 0.23831442119, -0.004602844985, 0.009130770279 },
        { -0.009650407612, 0.226746932324, 0.23831442119, -0.000434798585 },
        { 0.000410723824, -0.009650407612, 0.202658559853, 0.32968883481 },
    };
    static const double first[SLICES] = { 0.274712629547, 0.000460284499, -0.009665974469, 0.01237716243 };
    static const double last[SLICES] = { -0.00028066128, 0.010216070577, -0.214537482122, 0.274712629547 };
    const fifth_corner none = { 0, 0, 0 };
    dwf_weights moebius = { SLICES, 1.8, { 1.5, 1.5, 1.5, 1.5 }, { 0.5, 0.5, 0.5, 0.5 } };
    dwf_weights mirrored = { SLICES, 1.8, { 1.2, 0.5, 0.5, 1.2 }, { 1.2, 0.5, 0.5, 1.2 } };
    fifth_table k = fifth_k_scaled(&moebius, 0.1, none, 1), k_mirrored = fifth_k_scaled(&mirrored, 0.1, none, 1);
    fifth_table inverse_x = fifth_x_inverse(&mirrored, 0.1, none, 1);
    double m[ELEMENTS], constant = 0, changing = 0, rows = 0;
    fifth_dense(m, &k, 0, SLICES);
    for (int s = 0; s < SLICES; s++)
        constant = worse(constant, worse(fabs(m[s * SLICES] - column[s]), fabs(m[s] - row[s])));
    fifth_dense(m, &k_mirrored, 0, SLICES);
    for (int s = 0; s < SLICES; s++)
        for (int t = 0; t < SLICES; t++)
            changing = worse(changing, fabs(m[s * SLICES + t] - varied[s][t]));
    fifth_dense(m, &inverse_x, 0, SLICES);
    for (int s = 0; s < SLICES; s++)
        rows = worse(rows, worse(fabs(m[s] - first[s]), fabs(m[(SLICES - 1) * SLICES + s] - last[s])));
    fact_close(constant, 0, 1e-12, "b^-1/2 Y X^-1 b^1/2 with b = 3/2, c = 1/2 has the known first row and column");
    fact_close(changing, 0, 1e-12, "b^-1/2 Y X^-1 b^1/2 with b = c = 1.2, 0.5, 0.5, 1.2 has the known elements");
    fact_close(rows, 0, 1e-12, "X^-1 with these has the known first and last row");
}

int main(void)
{
    published_digits();
    elimination();
    multiples();
    return facts_end();
}
