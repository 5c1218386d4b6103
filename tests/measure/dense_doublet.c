/* dense_doublet.c - a doublet of twisted-mass quarks and a light quark as inverses of dense matrices. */
#include "tests/measure/dense_doublet.h"

#include "tests/facts.h"
#include "tests/operators/dense_operator.h"

#include <gsl/gsl_complex_math.h>
#include <math.h>
#include <stdio.h>

/* ---- dense matrices, [flavor][t][z][y][x][spin][color] */

static void add(gsl_matrix_complex *m, int row, int column, double complex z)
{
    const double complex sum = dense_at(m, row, column) + z;
    gsl_matrix_complex_set(m, (size_t)row, (size_t)column, gsl_complex_rect(creal(sum), cimag(sum)));
}

static double gamma5_of(int component)
{
    return component % SPINOR < SPINOR / 2 ? 1 : -1;
}

/* M of one flavor, without twisted mass */
static gsl_matrix_complex *wilson_matrix(const gauge *u, const dense_quarks *q, double mass)
{
    clover_operator_params params = { .boundary = quark_boundary_of(1, q->theta), .c_sw = q->c_sw, .kind = q->kind };
    clover_operator_add_mass(&params, mass);
    return dense_wilson_matrix(u, &params);
}

static gsl_matrix_complex *inverse_of(gsl_matrix_complex *m)
{
    gsl_matrix_complex *inverse = dense_invert(m);
    gsl_matrix_complex_free(m);
    return inverse;
}

/* (M + i mu_sigma gamma5 tau1 + mu_delta tau3)^-1 */
gsl_matrix_complex *dense_doublet_inverse(const gauge *u, const dense_quarks *q)
{
    gsl_matrix_complex *one = wilson_matrix(u, q, q->mass), *d = gsl_matrix_complex_calloc(2 * DENSE, 2 * DENSE);
    for (int i = 0; i < DENSE; i++) {
        for (int j = 0; j < DENSE; j++) {
            add(d, i, j, dense_at(one, i, j));
            add(d, DENSE + i, DENSE + j, dense_at(one, i, j));
        }
        add(d, i, DENSE + i, I * q->mu_sigma * gamma5_of(i));
        add(d, DENSE + i, i, I * q->mu_sigma * gamma5_of(i));
        add(d, i, i, q->mu_delta);
        add(d, DENSE + i, DENSE + i, -q->mu_delta);
    }
    gsl_matrix_complex_free(one);
    return inverse_of(d);
}

/* (M - i mu gamma5)^-1 of the light antiquark */
gsl_matrix_complex *dense_light_inverse(const gauge *u, const dense_quarks *q)
{
    gsl_matrix_complex *m = wilson_matrix(u, q, q->light);
    for (int i = 0; i < DENSE; i++)
        add(m, i, i, -I * q->mu * gamma5_of(i));
    return inverse_of(m);
}

/* ---- operators sum over g, f of qbar_g V_gf chi_f: V is diagonal, a number for each chirality */

static dense_vertex operator_of(bool scalar, int g, int f)
{
    dense_vertex o = { 0 };
    o.v[g][f][0] = scalar ? I : 1;
    o.v[g][f][1] = scalar ? I : -1;
    return o;
}

/* psi = (1 + i gamma5 tau1)/sqrt 2 chi, psibar = chibar (1 + i gamma5 tau1)/sqrt 2; flavors g and f */
static double complex twist(int g, int f, int chirality)
{
    return (g == f ? 1 : chirality == 0 ? I : -I) / sqrt(2);
}

/* psibar gamma5 psi_f of a light antiquark with twisted mass of sign s, and psibar_g gamma5 psi_f */
dense_vertex dense_light_meson(int f, double s)
{
    dense_vertex o = { 0 };
    for (int c = 0; c < 2; c++)
        for (int k = 0; k < FLAVORS; k++)
            o.v[0][k][c] = (c == 0 ? 1 : -1) * (1 + I * s * (c == 0 ? 1 : -1)) / sqrt(2) * twist(f, k, c);
    return o;
}

dense_vertex dense_heavy_meson(int g, int f)
{
    dense_vertex o = { 0 };
    for (int c = 0; c < 2; c++)
        for (int n = 0; n < FLAVORS * FLAVORS; n++)
            o.v[n / FLAVORS][n % FLAVORS][c] = (c == 0 ? 1 : -1) * twist(n / FLAVORS, g, c) * twist(f, n % FLAVORS, c);
    return o;
}

/* - Re Tr V_j S(x, 0) Vbar_k S_q(0, x) of a component at the sink and one at the source; gamma_t exchanges the
 * chiralities in Vbar = gamma_t V^+ gamma_t */
static double trace(const dense_propagators *p, const dense_vertex *sink, const dense_vertex *source, int x, int y)
{
    const int a = x % SPINOR / 6, b = y % SPINOR / 6;
    double complex sum = 0;
    for (int n = 0; n < FLAVORS * FLAVORS; n++)
        for (int m = 0; m < p->antiquarks * p->antiquarks; m++) {
            const int f = n / FLAVORS, f0 = n % FLAVORS, g = m / p->antiquarks, g0 = m % p->antiquarks;
            const double complex product = sink->v[g][f][a] * conj(source->v[g0][f0][1 - b]);
            if (product != 0)
                sum -= product * dense_at(p->quark, DENSE * f + x, DENSE * f0 + y)
                       * dense_at(p->antiquark, DENSE * g0 + y, DENSE * g + x);
        }
    return creal(sum);
}

/* cos(p.(x - origin)) at a site of 2^3 */
static double wave(const dense_propagators *p, int site)
{
    double phase = 0;
    for (int i = 0; i < 3; i++)
        phase += M_PI * p->momentum[i] * ((site >> i & 1) - (p->origin >> i & 1));
    return cos(phase);
}

void dense_correlate(double c[TIMES], const dense_propagators *p, const dense_vertex *sink, const dense_vertex *source)
{
    for (int t = 0; t < TIMES; t++) {
        const int slice = (p->origin / SITES_OF_TIME + t) % TIMES;
        c[t] = 0;
        for (int x = slice * SITES_OF_TIME * SPINOR; x < (slice + 1) * SITES_OF_TIME * SPINOR; x++)
            for (int y = p->origin * SPINOR; y < (p->origin + 1) * SPINOR; y++)
                c[t] += wave(p, x / SPINOR) * trace(p, sink, source, x, y);
    }
}

/* The order of operators in the results. */
dense_vertex dense_operator_at(int index, int antiquarks)
{
    const int flavors = FLAVORS * antiquarks;
    const int g = antiquarks == 1 ? 0 : index / FLAVORS % FLAVORS == 0 ? S : C, f = index % FLAVORS == 0 ? S : C;
    return operator_of(index >= flavors, g, f);
}

/* ---- measured numbers */

yaml_node *measured_doublet(const gauge *u, const dense_quarks *q, const char *more)
{
    char keys[1024];
    snprintf(keys, sizeof keys,
             "kind: wilson_doublet, residual: 1e-14, max_rhs: 5, c_sw: %g, clover: %s, theta: [%g, %g, %g], mass: %g, "
             "mu_sigma: %g, mu_delta: %g, masses: [ { mass: 1.7 }, { mass: %g, mu: %g } ], %s",
             q->c_sw, clover_kind_names[q->kind], q->theta[0], q->theta[1], q->theta[2], q->mass, q->mu_sigma,
             q->mu_delta, q->light, q->mu, more);
    return measured(u, keys);
}

static double item_of(const yaml_node *matrix, int j, int k, int t)
{
    return matrix ? measured_number(matrix->item[j]->item[k]->item[t]) : NAN;
}

double measured_doublet_item(const yaml_node *tree, bool heavy, int j, int k, int t)
{
    return item_of(heavy ? yaml_get(measured_member(tree, "doublet"), "heavy_heavy")
                         : measured_of_mass(tree, 1, "heavy_light"), j, k, t);
}

static dense_propagators at_rest(const dense_propagators *p)
{
    return (dense_propagators){ p->quark, p->antiquark, p->antiquarks, p->origin, { 0 } };
}

double dense_matrix_deviation(const yaml_node *matrix, const dense_propagators *p)
{
    const dense_propagators rest = at_rest(p);
    const int operators = 2 * FLAVORS * p->antiquarks;
    double worst = 0;
    for (int j = 0; j < operators; j++)
        for (int k = 0; k < operators; k++) {
            const dense_vertex sink = dense_operator_at(j, p->antiquarks), source = dense_operator_at(k, p->antiquarks);
            double c[TIMES], own[TIMES], other[TIMES];
            dense_correlate(c, p, &sink, &source);
            dense_correlate(own, &rest, &sink, &sink);
            dense_correlate(other, &rest, &source, &source);
            for (int t = 0; t < TIMES; t++)
                worst = worse(worst, fabs(item_of(matrix, j, k, t) - c[t]) / sqrt(fabs(own[t] * other[t])));
        }
    return worst;
}

double dense_pair_item(const yaml_node *matrix, bool scalar, int sign, int t)
{
    const int first = scalar ? FLAVORS : 0, second = first + 1;
    return (item_of(matrix, first, first, t) + item_of(matrix, second, second, t)
            + sign * (item_of(matrix, first, second, t) + item_of(matrix, second, first, t))) / 2;
}

static double pair_item(const yaml_node *wilson, int pair, const char *member, bool scalar, int t)
{
    const yaml_node *of = measured_member(wilson, "pairs")->item[pair];
    of = member ? yaml_get(of, member) : of;
    return measured_number((scalar ? yaml_get(yaml_get(of, "bilinears"), "scalar") : yaml_get(of, "pion"))->item[t]);
}

double dense_pair_deviation(const yaml_node *matrix, const yaml_node *wilson, const char *member)
{
    double worst = matrix ? 0 : NAN;
    for (int n = 0; matrix && n < 4 * TIMES; n++) {
        const bool scalar = n / 2 % 2;
        const int pair = n % 2, t = n / 4;
        worst = worse(worst, fabs(dense_pair_item(matrix, scalar, pair ? -1 : 1, t)
                                  / pair_item(wilson, pair, member, scalar, t) - 1));
    }
    return worst;
}

double dense_meson_deviation(const yaml_node *list, const dense_propagators *p, dense_vertex meson)
{
    const dense_propagators rest = at_rest(p);
    double c[TIMES], own[TIMES], worst = list ? 0 : NAN;
    dense_correlate(c, p, &meson, &meson);
    dense_correlate(own, &rest, &meson, &meson);
    for (int t = 0; list && t < TIMES; t++)
        worst = worse(worst, fabs((measured_number(list->item[t]) - c[t]) / own[t]));
    return worst;
}
