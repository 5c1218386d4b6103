/* vector_args.h - arguments of the kernels on color vectors.  All views of a launch have the same sites. */
#ifndef KILN_KERNELS_VECTOR_ARGS_H
#define KILN_KERNELS_VECTOR_ARGS_H

#include "src/kernels/args.h"
#include "src/site/formats.h"

#include <stdbool.h>

/* vector_norms: |x|^2;  vector_products: Re and Im of x^+ y;  both also the largest term;  vector_axpy_sites:
 * y <- y + a x;  vector_axpy_norm2: the same, and |y|^2;  vector_xpay: y <- x + a y */
typedef struct { vector_view y, x; double a; } vector_args;

/* site_norms: the largest |x|^2 of a site, summed over all slabs of x */
typedef struct { vector_view x; int slabs; } site_norms_args;

enum { SHIFTS_MAX = 40 };                       /* systems of one multi-shift solve, poles of one approximation */

/* x_k <- x_k + a_k p_k, then p_k <- z_k r + b_k p_k */
typedef struct {
    int count;
    vector_view r, x[SHIFTS_MAX], p[SHIFTS_MAX];
    double a[SHIFTS_MAX], b[SHIFTS_MAX], z[SHIFTS_MAX];
} multishift_args;

/* y <- a x + sum_k c_k v_k */
typedef struct {
    vector_view y, x;
    double a;
    int count;
    vector_view v[SHIFTS_MAX];
    double c[SHIFTS_MAX];
} combine_args;

/* vector_repack: from one format to another, native or of the kernel's precision; the native side may be in the other
 * precision */
typedef struct { vector_view to, from; vector_format to_format, from_format; bool native_is_other; } repack_args;

/* links_pack: stores `factor` times the links in a format of the kernel's precision;  links_unpack: `factor` times the
 * stored links.  The native side may be in the other precision. */
typedef struct { gauge_view to, from; link_format format; double factor; bool native_is_other; } links_pack_args;

/* links_deviation: the largest |(U^+U - 1)_ij|, for special links also |det U - 1|;  links_deviations: the same for
 * each link, real[tile][4][SITE_TILE] */
typedef struct { gauge_view u; void *out; bool special; } links_deviation_args;

/* complex normal components, weight exp(-|eta|^2); draws first_draw .. first_draw + 2 of each site */
enum { VECTOR_DRAWS = 3 };
typedef struct { lattice_view l; vector_view v; rng_key key; uint32_t first_draw; } gaussian_vector_args;

#endif
