/* wilson_launch.h - the hop between even and odd sites that Wilson, clover and twisted quarks share, with the product
 * by a clover term in the same kernel.
 *
 * One of four sums (kernels/wilson_args.h, S = -2 hop):
 *     out <- scale S in + a y + shift z                  without a factor
 *     out <- by (scale S in)                             factor `by` of the hop, no y
 *     out <- by (scale S in) + a y + shift z             factor `by` of the hop, and y
 *     out <- by y + scale S in + shift z                 factor `by` of y
 * The links are in the format that goes with the format of the vectors: hop_links_format. */
#ifndef KILN_OPERATORS_WILSON_LAUNCH_H
#define KILN_OPERATORS_WILSON_LAUNCH_H

#include "src/kernels/clover_args.h"
#include "src/operators/hop_links.h"
#include "src/operators/linop.h"

/* Whether this factor needs the kernels named twisted_* (kernels/clover_args.h). */
bool clover_factor_is_twisted(const clover_factor *by);

/* All pointers are borrowed. */
typedef struct {
    double scale;
    bool dagger;                           /* the adjoint of S */
    const vec *in;                         /* on the other parity than the result */
    const clover_factor *by;               /* NULL: without a factor */
    bool of_y;                             /* whether it is the factor of y */
    double a, shift;                       /* a: not with a factor of y */
    const vec *y, *z;                      /* on the parity of the result, not the result; NULL: no such term */
} wilson_hop_terms;
void wilson_hop_with(vec *out, const hop_links *l, const wilson_hop_terms *t);

/* The same for the systems of a batch, with shift_n shifted_n from the state of the batch; y and shifted may be
 * NULL. */
typedef struct {
    vec *const *out, *const *in, *const *y, *const *shifted;
    double scale, a;
    bool dagger, of_y;
    const clover_factor *by;
} wilson_batch_hops;
void wilson_add_batch_hop(loop *l, const krylov_batch *b, const hop_links *links, const wilson_batch_hops *h);

#endif
