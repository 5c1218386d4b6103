/* meson_args.h - arguments of meson_sites: traces of a quark and an antiquark with products of gamma matrices, site by
 * site.
 *
 * The column 3 s' + a' is the quark S, or Q of the antiquark, at x from spin s' and color a' of the source.  Term n:
 *     out[n](x) = Re sum over colors of Tr L S R Q^+ = Re sum over r, s' of L_r S_(to r, from s') R_s' conj(Q_(r s'))
 * with spin matrices L (rows r) and R, which is given by its columns s' (measure/bilinears.h). */
#ifndef KILN_KERNELS_MESON_ARGS_H
#define KILN_KERNELS_MESON_ARGS_H

#include "src/kernels/args.h"
#include "src/kernels/spin_matrix.h"

typedef struct { spin_matrix left, right; } meson_term;

enum { MESON_COLUMNS = 12, MESON_TERMS_MAX = 16 };

/* out: real[tile][terms][SITE_TILE]; overwritten.  Columns: vectors of spinors on one parity. */
typedef struct {
    void *out;
    vector_view quark[MESON_COLUMNS], antiquark[MESON_COLUMNS];
    meson_term term[MESON_TERMS_MAX];
    int terms;
} meson_args;

#endif
