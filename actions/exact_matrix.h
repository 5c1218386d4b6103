/* exact_matrix.h - M_E of the exact one-flavour action of domain-wall quarks, and its linear systems.
 *
 * Y.-C. Chen and T.-W. Chiu, arXiv:1403.1683; C. Jung et al., arXiv:1706.05843.  With c_s = c b_s, b_s = b_{Ls-1-s},
 * R: s -> Ls-1-s and Gamma = gamma5 R,
 *     H(m) = Gamma [Dw + b^-1/2 (1 - L) (1 + c L)^-1 b^-1/2] is hermitian,   D5 = b^1/2 Gamma H b^1/2 (1 + c L),
 *     H(M) = H(m) + Delta+ - Delta-,   Delta+- = k v+- v+-^T P+-,   k = (1 + c) (M - m) / (w(m) w(M)),
 *     v+_s = b_s^-1/2 (-c)^(Ls-1-s),   v-_s = b_s^-1/2 (-c)^s,   w(m) = 1 + m (-c)^Ls,
 *     M_E = 1 - k P- v-^T H(m)^-1 v- P- + k P+ v+^T [H(M) - Delta+]^-1 v+ P+,   det M_E = det H(M) / det H(m)
 * on spinors in four dimensions.  M_E is hermitian and positive, and mixes no chiralities.
 *
 * [H + t Delta+-] y = v+- phi is a system with D5: y = b^-1/2 Y x, (D5 + corner) x = +-e phi with e_s = (-c)^s for +
 * and (-c)^(Ls-1-s) for -, and v+-^T y = w x at the wall of its chirality.  So with the solutions x+, x- for e phi
 *     M_E phi = phi + k w(m) P- x-_0 + k w(M) P+ x+_(Ls-1). */
#ifndef KILN_ACTIONS_EXACT_MATRIX_H
#define KILN_ACTIONS_EXACT_MATRIX_H

#include "actions/quark_factor.h"
#include "actions/start_vectors.h"
#include "src/operators/dwf_operator.h"

/* Chirality 0 is +, with the mass M; 1 is -, with m. */
enum { PLUS, MINUS, CHIRALITIES };

/* The systems of the refresh differ in t only: start vectors use at most so many of the latest solutions.  (Iterations
 * for 11 poles on 8^4 with 8 slices: 5127 from the latest one as it is; 4080 with 4, 3728 with 6, 3392 with 10; with
 * the ends first, and what lies between them later, 4502 with 4, 4018 with 6.) */
enum { EXACT_KEPT = 6 };

typedef struct {
    dwf_weights weights;
    double c, k, mass[CHIRALITIES], wall[CHIRALITIES];      /* m or M, and its w */
    vec *work[2];                                           /* a spinor in four dimensions, on even and odd sites */
} exact_matrix;

/* Whether the action exists for these weights and masses, else the reason; create for the masses m and M of these
 * indices, with memory like the vectors of d. */
bool exact_matrix_check(const dwf_weights *w, double mass, double heavy, failure *f);
exact_matrix exact_matrix_create(const dirac_operator *d, int light, int heavy);
void exact_matrix_free(exact_matrix *m);
vec *exact_spinor_create(const dirac_operator *d, parity_set on);

/* A solve: its factor, its role (ROLES: the spectrum, which is not counted), its goal; solutions of similar systems for
 * start vectors, or NULL. */
typedef struct {
    const exact_matrix *m;
    quark_factor *factor;
    const quark_context *q;
    monomial_call *call;
    int role;
    double residual;
    start_vectors *past;
} exact_solves;

/* Vectors of the solver with a fifth dimension.  A field on both parities that is free after a solve, until the next
 * one; solutions that are kept, on odd sites.  exact_scratch, exact_spare: the number of scratch and spare vectors. */
spinor_field exact_free_field(const quark_context *q);
vec *exact_kept(const quark_context *q, int i);
int exact_scratch(void);
int exact_spare(void);

/* Solve for x with the source e psi, with H + t Delta of a chirality; x is borrowed until the next solve.
 * out <- out + a k w P x, at the wall of the chirality.  False if a solve did not converge. */
bool exact_solve(spinor_field *x, const exact_solves *s, int chirality, double t, vec *const psi[2]);
bool exact_add_at_wall(vec *const out[2], double a, const exact_solves *s, int chirality, double t, vec *const psi[2]);

/* M_E, and its inverse 1 + k P- v-^T [H(m) - Delta-]^-1 v- P- - k P+ v+^T H(M)^-1 v+ P+: sign, and t of either
 * chirality.  out <- M_E psi, or its inverse. */
typedef struct { double sign, t[CHIRALITIES]; } exact_way;
extern const exact_way exact_onwards, exact_backwards;
bool exact_apply(vec *const out[2], exact_way way, const exact_solves *s, vec *const psi[2]);

#endif
