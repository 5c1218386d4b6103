/* dense_doublet.h - a doublet of twisted-mass quarks and a light quark on 2^3x4 as inverses of dense matrices, and
 * two-point functions of operators that are written out: for tests of the measurement "wilson_doublet". */
#ifndef KILN_TESTS_MEASURE_DENSE_DOUBLET_H
#define KILN_TESTS_MEASURE_DENSE_DOUBLET_H

#include "tests/measure/dense_wilson.h"
#include "tests/measure/measured.h"

enum { TIMES = 4 };
enum { C, S, FLAVORS, HEAVY_OPERATORS = 2 * FLAVORS };      /* chi = (chi_c, chi_s) */

typedef struct { double c_sw; clover_kind kind; double theta[3], mass, mu_sigma, mu_delta, light, mu; } dense_quarks;

/* [flavor][t][z][y][x][spin][color].  (M + i mu_sigma gamma5 tau1 + mu_delta tau3)^-1, and (M - i mu gamma5)^-1 of
 * the light antiquark. */
gsl_matrix_complex *dense_doublet_inverse(const gauge *u, const dense_quarks *q);
gsl_matrix_complex *dense_light_inverse(const gauge *u, const dense_quarks *q);

/* Operators sum over g, f of qbar_g V_gf chi_f: V is diagonal, a number for each chirality. */
typedef struct { double complex v[FLAVORS][FLAVORS][2]; } dense_vertex;

/* In the order of the results, for 1 or FLAVORS flavors of antiquarks. */
dense_vertex dense_operator_at(int index, int antiquarks);

/* psibar gamma5 psi_f of a light antiquark with twisted mass of sign s, and psibar_g gamma5 psi_f, at maximal twist. */
dense_vertex dense_light_meson(int f, double s);
dense_vertex dense_heavy_meson(int g, int f);

/* The propagator of the quarks, that of the antiquarks with `antiquarks` flavors, the site of the source, and the
 * momentum in units of 2 pi / L. */
typedef struct {
    const gsl_matrix_complex *quark, *antiquark;
    int antiquarks, origin, momentum[3];
} dense_propagators;

/* - Re sum over x of cos(p.x) Tr V_j S(x, 0) Vbar_k S_q(0, x), x and t counted from the source */
void dense_correlate(double c[TIMES], const dense_propagators *p, const dense_vertex *sink, const dense_vertex *source);

/* The measurement of these quarks, with a second light quark before q->light, and these further keys (measured.h). */
yaml_node *measured_doublet(const gauge *u, const dense_quarks *q, const char *more);

/* C_jk(t) of the second light quark, or of the doublet. */
double measured_doublet_item(const yaml_node *tree, bool heavy, int j, int k, int t);

/* Without mu_delta (chi_c +- chi_s)/sqrt 2 are quarks of twisted mass +- mu_sigma: the correlator at time t of their
 * mesons, pseudoscalar or scalar, from a matrix [j][k][t] of light antiquarks. */
double dense_pair_item(const yaml_node *matrix, bool scalar, int sign, int t);

/* The largest relative difference between these correlators and those of the first two pairs, of twisted masses
 * +mu_sigma and -mu_sigma, of a result of kind wilson; `member` (NULL: the pair itself) of a pair has them. */
double dense_pair_deviation(const yaml_node *matrix, const yaml_node *wilson, const char *member);

/* The largest difference between a matrix [j][k][t], or a list [t] of a meson, and the correlators of dense
 * propagators, relative to (C_jj C_kk)^1/2 of momentum 0; NaN where there is none. */
double dense_matrix_deviation(const yaml_node *matrix, const dense_propagators *p);
double dense_meson_deviation(const yaml_node *list, const dense_propagators *p, dense_vertex meson);

#endif
