/* clover.h - Wilson quarks, without and with a clover term, a twisted mass or both: the operator M on all sites, and
 * its even-odd form Mhat on the odd sites.
 *
 *     M = T + i mu gamma5 + hop,   hop = -S/2 (kernels/dwf_args.h),   kappa = 1 / (2 (4 + m)),
 *     Mhat = T_o + i (mu + rho) gamma5 - hop_oe (T_e + i mu gamma5)^-1 hop_eo on odd sites
 *     det M = det (T_e + i mu gamma5) det Mhat   at rho = 0
 *
 * with T of clover_term.h and the bare mass m (K. G. Wilson, in: New Phenomena in Subnuclear Physics (1977);
 * T. A. DeGrand, Comput. Phys. Commun. 52 (1988) 161).  The indices e and o are the parities of sites.
 *     gamma5 M(mu) gamma5 = M(-mu)^+,   gamma5 Mhat(mu, rho) gamma5 = Mhat(-mu, -rho)^+
 * rho is a twist on odd sites alone: with mu = 0
 *     Mhat^+ Mhat (rho) = Mhat^+ Mhat (0) + rho^2
 * (M. Luescher, S. Schaefer, arXiv:1206.2809).  Links, hops and vectors are those of domain-wall quarks with one slice.
 *
 * The symmetric form divides Mhat by its site-diagonal block on odd sites, including rho:
 *     Mhat = 1 - (T_o + i (mu + rho) gamma5)^-1 hop_oe (T_e + i mu gamma5)^-1 hop_eo
 *     det M = det (T_e + i mu gamma5) det (T_o + i (mu + rho) gamma5) det Mhat   for every rho of M
 * In this form neither the gamma5 identity of Mhat nor the one with rho^2 holds.  Each function below computes the form
 * that its clover_links select.
 *
 * Plain Wilson quarks have T = 4 + m, a number, and no twist:
 *     Mhat = 4 + m - hop_oe hop_eo / (4 + m),   det M = (4 + m)^(12 V/2) det Mhat
 * They have a kernel of their own.  A clover_term that is a number (clover_term_create_number) gives the same Mhat with
 * other rounding errors. */
#ifndef KILN_OPERATORS_CLOVER_H
#define KILN_OPERATORS_CLOVER_H

#include "src/operators/clover_term.h"
#include "src/operators/hop_links.h"
#include "src/operators/spinor_field.h"

/* hop = HOP_SCALE S */
#define HOP_SCALE (-0.5)

/* The form of Mhat. */
typedef enum { CLOVER_ASYMMETRIC, CLOVER_SYMMETRIC } clover_form;
extern const char *const clover_form_names[];              /* "asymmetric", "symmetric" */

/* Links and clover terms of one matrix, in one precision; borrowed. */
typedef struct {
    const hop_links *links;
    const clover_term *term;               /* T, mu, and the inverse on even sites; NULL: plain quarks, and rho is 0 */
    const clover_term *odd;                /* symmetric form: inverse of T_o + i (mu + rho) gamma5; NULL: asymmetric */
    double rho;
    double mass;                           /* of plain quarks */
} clover_links;
clover_links clover_plain_links(const hop_links *links, double mass);

/* out <- B in + a y on the sites of `out`, where `which` selects B: CLOVER_T, T + i mu gamma5; CLOVER_INVERSE, its
 * inverse, on the sites on which t has it; plus CLOVER_ADJOINT, the adjoint.  y may be NULL; `out` may be `in` or y. */
enum { CLOVER_T = 0, CLOVER_INVERSE = 1, CLOVER_ADJOINT = 2 };
void clover_multiply(vec *out, const clover_term *t, int which, const vec *in, double a, const vec *y);

/* With a term:  out <- (T + i mu gamma5) in on even sites, (T + i (mu + rho) gamma5) in on odd ones: M without hops */
void clover_diagonal(vec *out, clover_links l, const vec *in);

/* With a term:  even <- factor (T_e + i mu gamma5)^-1 hop odd, or with the adjoints of both */
void clover_hop_even(vec *even, clover_links l, double factor, bool dagger, const vec *odd);

/* out <- M in, or M^+ in, on all sites; on odd sites M includes i rho gamma5 */
void clover_apply(spinor_field out, clover_links l, bool dagger, spinor_field in);

/* With a term, symmetric:  odd <- factor (T_o + i (mu + rho) gamma5)^-1 hop even */
void clover_hop_odd(vec *odd, clover_links l, double factor, const vec *even);

/* out <- Mhat in, or Mhat^+ in, on odd sites; `even` is scratch on even sites, and `out` is not `in`. */
void clover_mhat(vec *out, clover_links l, bool dagger, const vec *in, vec *even);

/* A = Mhat^+ Mhat for solvers.  Scratch vectors are borrowed: for each system one on even and one on odd sites. */
typedef struct {
    linop base;
    clover_links links;
    bool dagger;                           /* of clover_mhat_operator */
    vec *even[BATCH_MAX_RHS], *odd[BATCH_MAX_RHS];
} clover_op;
/* For `max_rhs` systems at a time: even[max_rhs] and odd[max_rhs] are read from the arrays. */
clover_op clover_normal_operator(clover_links l, vec *const *even, vec *const *odd, int max_rhs);

/* A = Mhat, or Mhat^+, for solvers of systems that are not hermitian; `odd` is not used. */
clover_op clover_mhat_operator(clover_links l, bool dagger, vec *const *even, int max_rhs);

/* Flops and bytes of one Mhat^+ Mhat v.  Bytes: every spinor and block that a hop or product reads or writes counts
 * once.
 *     plain      2 (2 x 1320 + 48) flops a site
 *     normal     with a clover term: 2 (2 x 552 + 48) flops a site more, for the blocks of T_o and T_e^-1
 *     twisted    with a twisted mass: 48 flops more for each of the four products with T or an inverse, and further
 *                blocks (-mu S) for each inverse; without `blocks`, T is a number
 *     symmetric  multiplies by the inverse of T_o instead of T_o; in Mhat^+ as a separate product of spinors */
work_count clover_plain_work(const lattice_shape *shape, vector_format f, precision p);
work_count clover_normal_work(const lattice_shape *shape, vector_format f, precision p);
work_count clover_twisted_work(const lattice_shape *shape, vector_format f, precision p, bool blocks);
work_count clover_symmetric_work(const lattice_shape *shape, vector_format f, precision p, bool blocks, bool twisted);

/* To solve M x = v on all sites.  clover_prepare: the right-hand side of Mhat x_o = rhs; `even` is scratch.
 * clover_reconstruct: x from the solution x_o; x.odd may be `solution`. */
void clover_prepare(vec *rhs, clover_links l, spinor_field v, vec *even);
void clover_reconstruct(spinor_field x, clover_links l, spinor_field v, const vec *solution);

#endif
