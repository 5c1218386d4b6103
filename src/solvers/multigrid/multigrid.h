/* multigrid.h - adaptive multigrid for Wilson, clover and twisted quarks, as a preconditioner of Mhat (clover.h).
 *
 * R. Babich et al., Phys. Rev. Lett. 105 (2010) 201602 (arXiv:1005.3043); A. Frommer et al., SIAM J. Sci. Comput. 36
 * (2014) A1581 (arXiv:1303.1377).  Because M x = (0, b) has x_o = Mhat^-1 b, the cycle for Mhat works on odd sites:
 *     smooth;  x += (P M_c^-1 P^+ (0, r))_o with a solve of M_c to `coarse_residual`;  smooth
 * A smoothing step is one of the minimal residual method: x += a r, r -= a A r, a = <A r, r> / |A r|^2.
 * The near-null vectors begin with random numbers that are keyed by (key; vector, global site), and are smoothed by
 * GCR for Mhat x = 0.  Everything is in the precision of the links that it gets.  It depends on settings, links and key
 * alone: not on devices, threads or the process grid. */
#ifndef KILN_SOLVERS_MULTIGRID_MULTIGRID_H
#define KILN_SOLVERS_MULTIGRID_MULTIGRID_H

#include "src/operators/clover.h"
#include "src/solvers/gcr.h"
#include "src/solvers/multigrid/coarse_operator.h"

typedef struct {
    int block[4];                          /* extents of aggregates */
    int vectors;                           /* a multiple of MG_VECTORS_STEP */
    int setup_iterations;                  /* of GCR for each vector */
    int setup_passes;                      /* then so many times: each vector through the cycle, by the M_c so far */
    int pre_smooth, post_smooth;           /* steps */
    double coarse_residual;
    int coarse_iterations;                 /* at most, of GCR for M_c */
} multigrid_settings;
extern const multigrid_settings multigrid_default;

/* Whether a lattice can have it. */
bool multigrid_is_possible(const lattice_shape *shape, const multigrid_settings *s, failure *f);

typedef struct multigrid multigrid;

/* For vectors of precision p at a place. */
multigrid *multigrid_create(lattice *l, place where, precision p, const multigrid_settings *s);
void multigrid_free(multigrid *m);
size_t multigrid_bytes(const lattice_shape *shape, precision p, const multigrid_settings *s);

/* Make the near-null vectors and M_c of an operator, whose links and term have precision p; they are borrowed until the
 * next update. */
bool multigrid_update(multigrid *m, clover_links l, rng_key key, failure *why);

/* The cycle: out <- about Mhat^-1 in; vectors of precision p on odd sites.  What it has done since the last update. */
void multigrid_apply(multigrid *m, vec *out, const vec *in);
typedef struct { int64_t cycles, coarse_iterations; double setup_seconds; } multigrid_report;
multigrid_report multigrid_report_of(const multigrid *m);

/* The preconditioner of GCR for vectors of precision p or in double: in double it rounds `in` and widens `out`. */
preconditioner multigrid_preconditioner(multigrid *m);

/* The parts, for tests; borrowed. */
const transfer *multigrid_transfer(const multigrid *m);
const coarse_operator *multigrid_coarse(const multigrid *m);

#endif
