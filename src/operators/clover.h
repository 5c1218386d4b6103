/* clover.h - Wilson quarks with a clover term: the operator on all sites, and on those of one parity.
 *
 *     M = 4 + m + c_sw A + hop,   Mhat = T_o - hop_oe T_e^-1 hop_eo on odd sites,   T = 4 + m + c_sw A
 *     det M = det T_e det Mhat
 *
 * with A of kernels/clover_args.h and the hop of wilson.h; gamma5 M gamma5 = M^+, also of Mhat.  Links, hops and
 * vectors are those of wilson.h.  The exponential clover term (A. Francis, P. Fritzsch, M. Luescher, A. Rago,
 * arXiv:1911.04533) is
 *
 *     T = (4 + m) exp(c_sw A / (4 + m)),   T^-1 = exp(-c_sw A / (4 + m)) / (4 + m),   det T = (4 + m)^12 at each site,
 *
 * because Tr A = 0. */
#ifndef KILN_OPERATORS_CLOVER_H
#define KILN_OPERATORS_CLOVER_H

#include "src/operators/wilson.h"

/* c_sw A of a gauge field on all sites, in one precision. */
typedef struct {
    field f;                               /* real[tile][chirality][36][SITE_TILE] (site/clover_block.h) */
    uint64_t version;                      /* of the gauge field; 0: none yet */
} clover_field;

/* c_sw A and T_e^-1 for one mass, in one precision; of the exponential kind also T.  Terms for several masses share
 * c_sw A. */
typedef enum { CLOVER_LINEAR, CLOVER_EXPONENTIAL } clover_kind;
extern const char *const clover_kind_names[];             /* "linear", "exponential" */
typedef struct clover_term {
    clover_kind kind;
    const struct clover_term *beside;      /* has the same blocks, and frees them; NULL: this one */
    clover_field *blocks;
    field inverse;                         /* of T on even sites, in the form of blocks */
    field exponential;                     /* T on all sites; linear: no memory */
    double c_sw, mass;
    double log_det;                        /* log |det T_e| */
    uint64_t version;                      /* of the gauge field of the inverse; 0: none yet */
} clover_term;

/* In the precision p; and for another mass, with the blocks of a term that outlives it.  Free them with
 * clover_term_free. */
clover_term *clover_term_create(lattice *l, place where, precision p, clover_kind kind, double c_sw);
clover_term *clover_term_create_beside(const clover_term *t);
void clover_term_free(clover_term *t);
size_t clover_term_bytes(const lattice_shape *shape, precision p, clover_kind kind, int masses);

/* Computes the blocks from u, which is in double, and the inverse for a mass; nothing where both are there.  False with
 * the reason if T_e has no inverse: a pivot is smaller than 1e-10, or 4 + m of an exponential. */
bool clover_term_update(clover_term *t, const gauge *u, double mass, failure *why);

/* The same in another precision: rounded numbers of `from`, where they are not there. */
void clover_term_convert(clover_term *t, const clover_term *from);

/* Links and clover term, in one precision; borrowed. */
typedef struct { const dwf_links *links; const clover_term *term; } clover_links;

/* out <- T in + a y, or T_e^-1 in if `inverse`, on the sites of `out`; y may be NULL, and `out` may be `in` or y. */
void clover_multiply(vec *out, const clover_term *t, bool inverse, const vec *in, double a, const vec *y);

/* out <- M in, or M^+ in, on all sites */
void clover_apply(dwf_field out, clover_links l, bool dagger, dwf_field in);

/* out <- Mhat in, or Mhat^+ in, on odd sites; `even` is scratch on even sites. */
void clover_mhat(vec *out, clover_links l, bool dagger, const vec *in, vec *even);

/* A = Mhat^+ Mhat for solvers.  Scratch vectors are borrowed: for each system one on even and one on odd sites. */
typedef struct {
    linop base;
    clover_links links;
    bool dagger;                           /* of clover_mhat_operator */
    vec *even[BATCH_MAX_RHS], *odd[BATCH_MAX_RHS];
} clover_op;
/* For `max_rhs` systems at a time: even[max_rhs] and odd[max_rhs] are read from the arrays. */
clover_op clover_operator(clover_links l, vec *const *even, vec *const *odd, int max_rhs);

/* A = Mhat, or Mhat^+, for solvers of systems that are not hermitian; `odd` is not used. */
clover_op clover_mhat_operator(clover_links l, bool dagger, vec *const *even, int max_rhs);

/* Bytes and flops of one A v: 2 (2 x 1320 + 2 x 552 + 48) flops a site, and each block once for each use. */
work_count clover_normal_work(const lattice_shape *shape, vector_format f, precision p);

/* To solve M x = v on all sites.  clover_prepare: the right-hand side of Mhat x_o = rhs; `even` is scratch.
 * clover_reconstruct: x from the solution x_o; x.odd may be `solution`. */
void clover_prepare(vec *rhs, clover_links l, dwf_field v, vec *even);
void clover_reconstruct(dwf_field x, clover_links l, dwf_field v, const vec *solution);

#endif
