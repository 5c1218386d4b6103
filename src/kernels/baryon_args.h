/* baryon_args.h - arguments of baryon_sites and hyperon_sites: contractions of three propagators, of one quark or of
 * two, site by site.
 *
 * The column 3 s' + a' of the propagator S is the quark at x from spin s' and color a' of the source.  A term adds
 *     Re sum over c, c' of Tr Q_k [direct Tr(M) S3^(cc') + exchange S3^(cc') M],   k = 0, 1, to out[2 channel + k](x)
 *     M = sum eps_abc eps_a'b'c' (left S2^(bb') right)^T S1^(aa')
 * with spin matrices S^(aa') of two colors (measure/baryons.h).  S1, S2, S3 are the propagators of the three quarks.
 * flavor[i] is the index of S_(i+1) in the columns of hyperon_args, and 0 in baryon_args. */
#ifndef KILN_KERNELS_BARYON_ARGS_H
#define KILN_KERNELS_BARYON_ARGS_H

#include "src/kernels/args.h"
#include "src/kernels/spin_matrix.h"

typedef struct {
    spin_matrix left, right, project[2];
    double direct, exchange;
    int channel;
    signed char flavor[3];
} baryon_term;

enum { BARYON_COLUMNS = 12, BARYON_TERMS_MAX = 16, BARYON_CHANNELS = 2, BARYON_REALS = 2 * BARYON_CHANNELS };
enum { HYPERON_TERMS_MAX = 8, HYPERON_CHANNELS = 3, HYPERON_REALS = 2 * HYPERON_CHANNELS };

/* out: real[tile][BARYON_REALS][SITE_TILE]; overwritten.  Columns: vectors of spinors on one parity. */
typedef struct {
    void *out;
    vector_view column[BARYON_COLUMNS];
    baryon_term term[BARYON_TERMS_MAX];
    int terms;
} baryon_args;

/* The same with HYPERON_REALS, and the columns of both quarks. */
typedef struct {
    void *out;
    vector_view column[2][BARYON_COLUMNS];
    baryon_term term[HYPERON_TERMS_MAX];
    int terms;
} hyperon_args;

#endif
