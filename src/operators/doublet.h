/* doublet.h - a non-degenerate doublet of twisted-mass quarks, as strange and charm: without and with a clover term
 * (R. Frezzotti and G. C. Rossi, hep-lat/0311008).
 *
 *     D = M + i mu_sigma gamma5 tau3 + mu_delta tau1,   M = T + hop of clover.h on each flavor
 *
 * which tmLQCD multiplies by 2 kappa: 2KappaMubar = 2 kappa mu_sigma, 2KappaEpsbar = 2 kappa mu_delta.  Since
 *     Im psi^+ gamma5 tau3 D psi = psi^+ (mu_sigma + mu_delta gamma5 tau2) psi,
 * |D psi| >= (mu_sigma - |mu_delta|) |psi|.  So with |mu_delta| < mu_sigma D has no zero mode, and det D is positive.
 *
 * Vectors have two slices, one for each flavor, in a basis where all is real in flavor:  psi = V psi',
 * V = (1 - i tau1) / sqrt 2,
 *     V^+ D V = M + A,   A = i mu_sigma gamma5 tau2 + mu_delta tau1
 *     A = ( 0  mu_delta + mu_sigma ; mu_delta - mu_sigma  0 )  where gamma5 = 1, its transpose where gamma5 = -1
 *     gamma5 tau1 (M + A) gamma5 tau1 = (M + A)^+
 * E = T + A is diagonal in the sites, and A^2 = mu_delta^2 - mu_sigma^2 = -mu^2:
 *     E^-1 = (T - A) S,   S = (T^2 + mu^2)^-1,   log det E = -log det S = 2 log |det (T + i mu gamma5)|
 * so that a clover_term of the twisted mass mu has T S and -mu S.  With |mu_delta| > mu_sigma mu is imaginary
 * (clover_term.h), and the determinant, which is real, may be negative.
 *
 *     clover  C = E_o - hop_oe E_e^-1 hop_eo,             det D = det E_e det C
 *     plain   C = 1 - E_o^-1 hop_oe E_e^-1 hop_eo,        det D = det E_e det E_o det C, the first two are constants
 * on odd sites, plain where T = 4 + m: that is C of domain-wall quarks (dwf.h) with K = E^-1 in two slices. */
#ifndef KILN_OPERATORS_DOUBLET_H
#define KILN_OPERATORS_DOUBLET_H

#include "src/kernels/doublet_args.h"
#include "src/operators/clover.h"
#include "src/operators/dwf.h"

typedef struct { double sigma, delta; } doublet_mus;
/* sqrt |mu_sigma^2 - mu_delta^2|.  It must not be 0 unless both are 0: E^-1 is computed with A / mu. */
double doublet_mu(doublet_mus mus);

/* C of plain quarks, with K = E^-1 */
dwf_matrix doublet_plain_matrix(double mass, doublet_mus mus);

/* Links, and a term with the twist mu, in one precision; borrowed.  plain: where the term is a number, else NULL. */
typedef struct {
    const hop_links *links;
    const clover_term *term;
    doublet_mus mus;
    const dwf_matrix *plain;
} doublet_links;

/* out <- B in + a y on the sites of `out`: `which` selects B = E or E^-1, or its adjoint, as in clover_multiply.  y may
 * be NULL; `out` may be `in` or y. */
void doublet_multiply(vec *out, doublet_links l, int which, const vec *in, double a, const vec *y);

/* out <- (M + A) in, or its adjoint, on all sites */
void doublet_apply(spinor_field out, doublet_links l, bool dagger, spinor_field in);

/* out <- C in, or C^+ in, on odd sites; `even` and `odd` are scratch, and `out` is not `in`. */
void doublet_c(vec *out, doublet_links l, bool dagger, const vec *in, vec *even, vec *odd);

/* even <- factor E_e^-1 hop odd, or with the adjoints of both */
void doublet_hop_even(vec *even, doublet_links l, double factor, bool dagger, const vec *odd);

/* With a clover term, for solvers: C^+C, or C or C^+ (`dagger`).  Scratch vectors are borrowed: for each system one on
 * even sites, and for C^+C one on odd sites.  For `max_rhs` systems at a time. */
typedef struct {
    linop base;
    doublet_links links;
    bool dagger;
    vec *even[BATCH_MAX_RHS], *odd[BATCH_MAX_RHS];
} doublet_op;
doublet_op doublet_normal(doublet_links l, vec *const *even, vec *const *odd, int max_rhs);
doublet_op doublet_square(doublet_links l, bool dagger, vec *const *even, int max_rhs);

/* Bytes and flops of one C^+C v with a clover term.  Flops of a site: in each of C and C^+ two hops, E with one block
 * and E^-1 with two for each flavor; each product counts the spinors and blocks that it reads or writes once. */
work_count doublet_normal_work(const lattice_shape *shape, vector_format f, precision p);

/* To solve (M + A) x = v on all sites.  doublet_prepare: the right-hand side of C x_o = rhs; `even` is scratch.
 * doublet_reconstruct: x from the solution x_o; x.odd may be `solution`. */
void doublet_prepare(vec *rhs, doublet_links l, spinor_field v, vec *even);
void doublet_reconstruct(spinor_field x, doublet_links l, spinor_field v, const vec *solution);

#endif
