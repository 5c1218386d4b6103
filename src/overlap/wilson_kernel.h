/* wilson_kernel.h - the hermitian Wilson operator with a negative mass, on all sites: the kernel of overlap quarks.
 *
 *     H = gamma5 D_w,   D_w = hop + 4 - M0,   hop as in operators/clover.h,   H^2 = D_w^+ D_w
 *
 * The norm of H is at most 8 - M0 on any links.  Vectors are pairs (operators/spinor_pair.h) in the precision of the
 * scratch pair. */
#ifndef KILN_OVERLAP_WILSON_KERNEL_H
#define KILN_OVERLAP_WILSON_KERNEL_H

#include "src/operators/hop_links.h"
#include "src/operators/linop.h"
#include "src/operators/spinor_pair.h"

/* H^2 for solvers, one system at a time; the scratch pair is borrowed. */
typedef struct {
    linop base;
    const hop_links *links;                /* borrowed */
    double M0;
    vec *work;
} wilson_kernel;
wilson_kernel wilson_kernel_of(const hop_links *links, double M0, vec *work);

/* out <- D_w in, or D_w^+ in;  out <- H in (overwrites the scratch pair).  out and in must differ. */
void wilson_kernel_apply(vec *out, const wilson_kernel *k, bool dagger, const vec *in);
void wilson_kernel_hermitian(vec *out, const wilson_kernel *k, const vec *in);

/* Flops and bytes of one H^2 v. */
work_count wilson_kernel_work(const lattice_shape *shape, precision in);

#endif
