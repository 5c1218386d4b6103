/* clover_term.h - T of Wilson quarks on all sites, and the inverse of T + i mu gamma5 on the sites of one parity.
 *
 *     T = 4 + m + c_sw A,                        A of kernels/clover_args.h
 *     T = (4 + m) exp(c_sw A / (4 + m)),         the exponential clover term (A. Francis, P. Fritzsch, M. Luescher,
 *                                                A. Rago, arXiv:1911.04533):  det T = (4 + m)^12 at each site,
 *                                                because Tr A = 0
 *     T = 4 + m,                                 a number: no clover term
 * On anisotropic lattices, F in A has other factors in planes of space than in planes with t (clover_planes).
 *
 * With open boundaries in t (kernels/open_args.h), A is 0 in slices 0 and T - 1, whose sites have no hops; T of the
 * linear kind has c_F - 1 more in slices 1 and T - 2 (M. Luescher, S. Schaefer, arXiv:1206.2809).
 *
 * T commutes with gamma5.  With a twisted mass mu (R. Frezzotti, P. A. Grassi, S. Sint, P. Weisz, hep-lat/0101001)
 *     (T + i mu gamma5)^-1 = R - i mu gamma5 S,   R = T S,   S = (T^2 + mu^2)^-1
 *     |det (T + i mu gamma5)|^2 = det S^-1
 * where R and S are hermitian: the inverse is kept as R and -mu S, both in the form of T.
 *
 * An imaginary mu = i nu occurs only for a doublet of quarks (doublet.h), which multiplies by T and S, not by
 * T + i mu gamma5.  Then mu^2 = -nu^2 in R and S, and the term keeps R, -nu S and log |det S^-1| / 2. */
#ifndef KILN_OPERATORS_CLOVER_TERM_H
#define KILN_OPERATORS_CLOVER_TERM_H

#include "src/gauge/gauge.h"
#include "src/kernels/clover_args.h"
#include "src/operators/linop.h"

/* c_sw A of a gauge field on all sites, for vectors of one storage. */
typedef struct {
    vec_storage in;
    field f;                               /* real[tile][chirality][36][SITE_TILE] (site/clover_block.h); for half, as
                                              all blocks of its terms, in 16 bits (site/block_storage.h) */
    double beside_ends;                    /* open boundaries in t: c_F - 1, part of A in slices 1 and T - 2 */
    clover_planes planes;
    uint64_t version;                      /* of the gauge field; 0: none yet */
} clover_field;

/* c_sw A and the inverse on the sites of one parity for one mass and mu, in one precision; of the exponential kind also
 * T.  Terms for several masses share c_sw A. */
typedef enum { CLOVER_LINEAR, CLOVER_EXPONENTIAL } clover_kind;
extern const char *const clover_kind_names[];             /* "linear", "exponential" */
typedef struct clover_term {
    clover_kind kind;
    const struct clover_term *beside;      /* the term whose `blocks` this one borrows; NULL: it owns them */
    lattice *lattice;
    parity_set on;                         /* of the inverse: ON_EVEN, or ON_ODD */
    clover_field *blocks;                  /* NULL: T is a number, and there are no fields */
    field inverse;                         /* R; without twisted mass T^-1 */
    field twisted;                         /* -mu S; no memory without twisted mass */
    field exponential;                     /* T, exponential kind: on all sites if `on` is ON_EVEN, else on odd sites */
    double c_sw, mass, mu;                 /* imaginary: mu is nu */
    bool imaginary;
    double log_det;                        /* log |det (T + i mu gamma5)| on the sites of the inverse */
    uint64_t version;                      /* of the gauge field of the inverse; 0: none yet */
} clover_term;

/* create: native, in the precision p; create_for: for vectors of a storage.  In both, all planes have factor 1.
 * create_beside: for another mass or mu, with the blocks of t, which must outlive it; create_odd: the same with the
 * inverse, and T of the exponential kind, on odd sites; the others have the inverse on even sites.  create_number:
 * T = 4 + m.  Free all with clover_term_free. */
clover_term *clover_term_create(lattice *l, place where, precision p, clover_kind kind, double c_sw);
clover_term *clover_term_create_for(lattice *l, place where, vec_storage in, clover_kind kind, double c_sw);
clover_term *clover_term_create_beside(const clover_term *t);
clover_term *clover_term_create_odd(const clover_term *t);
clover_term *clover_term_create_number(lattice *l);
void clover_term_free(clover_term *t);

/* Whether vectors of a storage have blocks in 16 bits; and whether the blocks of a term are those for a vector. */
bool clover_blocks_are_packed(vec_storage in);
bool clover_term_fits(const clover_term *t, const vec *v);

/* Bytes for vectors of a storage: of one block at each site of `on`; of `masses` terms with the inverse on even sites,
 * which share c_sw A; of one term on odd sites, which borrows c_sw A. */
size_t clover_blocks_bytes(const lattice_shape *shape, vec_storage in, parity_set on);
size_t clover_term_bytes(const lattice_shape *shape, vec_storage in, clover_kind kind, int masses);
size_t clover_term_odd_bytes(const lattice_shape *shape, vec_storage in, clover_kind kind);

/* Give a new term its twisted mass, mu or i nu.  If that is not 0 and T is not a number, they allocate `twisted`. */
void clover_term_twist(clover_term *t, double mu);
void clover_term_twist_imaginary(clover_term *t, double nu);
size_t clover_term_twist_bytes(const lattice_shape *shape, vec_storage in);

/* Computes native blocks from u, which has their precision, and the inverse for this mass; does nothing if the term has
 * both already.  False with the reason if T + i mu gamma5 has no inverse: a pivot of T, or of S^-1 with a twisted mass,
 * is below 1e-10, or 4 + m of the exponential kind is. */
bool clover_term_update(clover_term *t, const gauge *u, double mass, failure *why);

/* Updates a term of another storage: rounds the numbers of `from` that have changed.  If t is for half, `from` must be
 * in double. */
void clover_term_convert(clover_term *t, const clover_term *from);

/* Arguments of kernels: T + i (mu + rho) gamma5 on all sites, and (T + i mu gamma5)^-1 on the sites of the inverse.
 * They are views, valid until the next update. */
clover_factor clover_term_factor(const clover_term *t, double rho);
clover_factor clover_term_inverse(const clover_term *t);

#endif
