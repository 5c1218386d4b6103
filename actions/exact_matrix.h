/* exact_matrix.h - M_E of the exact one-flavor action of domain-wall quarks, and its linear systems.
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

/* Chirality 0 is + and has the mass M, chirality 1 is - and has m. */
enum { PLUS, MINUS, CHIRALITIES };

/* The systems of the refresh differ only in t.  So a solve starts from the best combination (start_vectors.h) of the
 * EXACT_KEPT latest solutions.  Iterations for 11 poles on 8^4 with Ls = 8: 5127 with the latest solution alone, 4080
 * with 4 solutions, 3728 with 6, 3392 with 10. */
enum { EXACT_KEPT = 6 };

typedef struct {
    dwf_weights weights;
    double c, k, mass[CHIRALITIES], wall[CHIRALITIES];      /* of each chirality: M or m, and w(M) or w(m) */
    vec *work[2];                                           /* a 4D spinor, on even and odd sites */
} exact_matrix;

/* check: whether the action exists for these weights and masses; false with the reason.  create: for the masses m
 * (light) and M (heavy), given by their indices in the list of d.  exact_spinor_create: a 4D spinor on one parity in
 * double precision, where d is. */
bool exact_matrix_check(const dwf_weights *w, double mass, double heavy, failure *f);
exact_matrix exact_matrix_create(const dirac_operator *d, int light, int heavy);
void exact_matrix_free(exact_matrix *m);
vec *exact_spinor_create(const dirac_operator *d, parity_set on);

/* The context of solves; all borrowed. */
typedef struct {
    const exact_matrix *m;
    quark_factor *factor;                   /* counts the solves */
    const quark_context *q;
    monomial_call *call;
    int role;                               /* ROLES: measures the spectrum; these solves are not counted */
    double residual;                        /* at which solves stop */
    start_vectors *past;                    /* solutions of similar systems; NULL: solves start from zero */
} exact_solves;

/* Vectors with a fifth dimension, borrowed from the solver.  exact_free_field: on all sites; the caller may use it
 * between two solves.  exact_kept: vector i for start_vectors, on odd sites.  exact_scratch and exact_spare: the
 * numbers of scratch and spare vectors that the solver must have. */
spinor_field exact_free_field(const quark_context *q);
vec *exact_kept(const quark_context *q, int i);
int exact_scratch(void);
int exact_spare(void);

/* exact_solve: *x <- the solution with H + t Delta of a chirality for the source e psi; borrowed until the next solve.
 * exact_add_at_wall: the same, then out <- out + a k w P x_s, s the boundary of its chirality (+: Ls-1, -: 0).  psi and
 * out: 4D, on even and odd sites.  False with the reason in s->call if a solve did not converge. */
bool exact_solve(spinor_field *x, const exact_solves *s, int chirality, double t, vec *const psi[2]);
bool exact_add_at_wall(vec *const out[2], double a, const exact_solves *s, int chirality, double t, vec *const psi[2]);

/* exact_onwards: M_E; exact_backwards: its inverse 1 + k P- v-^T [H(m) - Delta-]^-1 v- P- - k P+ v+^T H(M)^-1 v+ P+.
 * sign: of the correction of psi; t: of each chirality.  exact_apply: out <- M_E psi, or M_E^-1 psi. */
typedef struct { double sign, t[CHIRALITIES]; } exact_way;
extern const exact_way exact_onwards, exact_backwards;
bool exact_apply(vec *const out[2], exact_way way, const exact_solves *s, vec *const psi[2]);

#endif
