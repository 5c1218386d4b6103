/* dense_dwf.h - one flavor of domain-wall quarks as dense matrices on a tiny lattice.
 *
 * M_E is built from its definition (actions/exact_matrix.h), H(m) from D5(m) applied to unit vectors. */
#ifndef KILN_TESTS_ACTIONS_DENSE_DWF_H
#define KILN_TESTS_ACTIONS_DENSE_DWF_H

#include "src/operators/dwf.h"
#include "tests/operators/hermitian.h"

#define LIGHT 0.1               /* m, and M of D5(M) */
#define HEAVY 1.0

typedef gsl_matrix_complex matrix;
typedef gsl_vector_complex vector;

/* Fields as arrays [slice][site][spin][color], as vec_import and vec_export have them. */
typedef struct {
    const gauge *u;
    lattice *l;
    dwf_weights w;
    hop_links *links;
    size_t sites, four, five;               /* numbers of a spinor field in four dimensions, and in five */
} dense_dwf;

/* Of the links u, with the weights of parameters in YAML; release a.links with hop_links_free. */
dense_dwf dense_dwf_open(const gauge *u, const char *yaml);

/* w(m) */
double dwf_weight(const dense_dwf *a, double mass);

/* M_E of LIGHT and HEAVY, after facts about H. */
matrix *dense_me(const dense_dwf *a, const char *name);

/* C^+C(m) on odd sites */
hermitian spectrum_of_c(const dense_dwf *a, double mass);

/* log |det D5(m)| = log |det X| of all sites + log |det C| */
double log_det_d5(const dense_dwf *a, const hermitian *c, double mass);

/* The numbers of v on all sites, zero where v has no site; the numbers on odd sites alone: half as many. */
vector *dense_numbers_of(const vec *v, size_t count);
vector *odd_of(const dense_dwf *a, const vector *x);

#endif
