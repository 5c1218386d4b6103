/* wilson_launch.h - the hop between even and odd sites that Wilson, clover and twisted quarks share, with the product
 * by a clover term in the same kernel.
 *
 * One of three sums (kernels/wilson_args.h, S = -2 hop):
 *     out <- scale S in + a y + shift z                  without a factor
 *     out <- by (scale S in)                             factor `by`, no y
 *     out <- by y + scale S in + shift z                 factor `by`, and y
 * The links are in the format that goes with the format of the vectors: wilson_links_format. */
#ifndef KILN_OPERATORS_WILSON_LAUNCH_H
#define KILN_OPERATORS_WILSON_LAUNCH_H

#include "src/kernels/clover_args.h"
#include "src/operators/dwf.h"

/* 12 numbers in the precision of the arithmetic for native vectors, and in fixed point of 16 bits for half and int20,
 * of 32 bits for int30. */
link_format wilson_links_format(vector_format f);

/* What a field is multiplied by on a way around the lattice:
 *     psi(x + L_t e_t) = t psi(x), t = 1 or -1,   psi(x + L_k e_k) = exp(i pi theta_k) psi(x) in x, y, z.
 * The operator multiplies links in t across the boundary by t, and all links in direction k by exp(i pi theta_k / L_k)
 * (kernels/hop_phases.h), L_k the extent of the whole lattice. */
typedef struct { double t, theta[3]; } quark_boundary;
/* From an input, in units of pi: in t 1 (antiperiodic) or 0; theta. */
quark_boundary quark_boundary_of(int64_t in_t, const double theta[3]);

/* Links for vectors of a storage; and their bytes.  dwf_links_free. */
dwf_links *wilson_links_create(lattice *l, place where, vec_storage in, quark_boundary boundary);
size_t wilson_links_bytes(const lattice_shape *shape, vec_storage in);

/* Whether it takes the kernels named twisted_* (kernels/clover_args.h). */
bool clover_factor_is_twisted(const clover_factor *by);

/* All pointers are borrowed. */
typedef struct {
    double scale;
    bool dagger;                           /* the adjoint of S */
    const vec *in;                         /* on the other parity than the result */
    const clover_factor *by;               /* NULL: without a factor */
    double a, shift;                       /* a: without a factor */
    const vec *y, *z;                      /* on the parity of the result, not the result; NULL: no such term */
} wilson_hop_terms;
void wilson_hop_with(vec *out, const dwf_links *l, const wilson_hop_terms *t);

/* The same for the systems of a batch, with shift_n shifted_n from the state of the batch; y and shifted may be
 * NULL. */
typedef struct {
    vec *const *out, *const *in, *const *y, *const *shifted;
    double scale, a;
    bool dagger;
    const clover_factor *by;
} wilson_batch_hops;
void wilson_add_batch_hop(loop *l, const krylov_batch *b, const dwf_links *links, const wilson_batch_hops *h);

#endif
