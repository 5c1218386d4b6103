/* stout.h - stout smearing of links, and its chain rule.
 *
 *     U' = exp(iQ) U,   iQ = [C U^+]_TA,   C_mu = rho sum_{nu != mu} (U_nu(x) U_mu(x+nu) U_nu(x+mu)^+
 *                                                              + U_nu(x-nu)^+ U_mu(x-nu) U_nu(x-nu+mu))
 * level after level (C. Morningstar and M. Peardon, hep-lat/0311018).  spatial_only: links in t stay as they are, and
 * the staples of the others have no links in t.
 *
 * With open boundaries in t, staples of plaquettes through inactive links (kernels/open_args.h) are absent from C, with
 * no other weights in exchange, and inactive links stay unit matrices.
 *
 * The links of each level are kept for the chain rule.  It takes forces as momenta: the force F of links U is
 * antihermitian and traceless, dS = Re Tr sum dU U^+ F, so that operators need not know of the smearing
 * (dirac_operator.h).  exp(iQ) and its derivative (site/algebra_chain.h) hold for all Q. */
#ifndef KILN_OPERATORS_STOUT_H
#define KILN_OPERATORS_STOUT_H

#include "src/gauge/gauge.h"
#include "src/operators/linop.h"
#include "src/site/exact_sum.h"

enum { STOUT_LEVELS_MAX = 16 };

typedef struct {
    int64_t levels;                      /* 0: no smearing */
    double rho;
    bool spatial_only;
} stout_params;

typedef struct stout stout;

/* For links like u; NULL if there are no levels, which all functions below take for no smearing. */
stout *stout_create(const stout_params *params, const gauge *u);
void stout_free(stout *s);

/* The smeared links of u, borrowed: the same ones, with the same version, while the version of u is the same.  Without
 * smearing u itself. */
const gauge *stout_links(stout *s, const gauge *u);

/* A force on the links of the last call of stout_links.  stout_force_reserve: allocates its memory, in the workspace
 * behind the first `before` bytes, which others use at the same time; stout_force_begin does so if it is not called.
 * begin: returns the zeroed field to which the force on the smeared links is to be added, and cells for its size.
 * chain: turns it into the force F on the links u, to which more may be added.  add: P <- P + weight F; `size` as in
 * actions/monomial.h. */
typedef struct { momentum *force; sum_cells size; } stout_smeared_force;
void stout_force_reserve(stout *s, size_t before);
stout_smeared_force stout_force_begin(stout *s);
stout_smeared_force stout_force_chain(stout *s, const gauge *u);
void stout_force_add(const stout *s, momentum *p, double weight, sum_cells size);

/* Without and with a force; `shared`: of a force, without the bytes before it. */
memory_need stout_bytes(const stout_params *params, const lattice_shape *shape, precision p, bool with_force);

/* Smeared links, and the way of a force back through them, in double. */
work_count stout_force_work(const stout_params *params, const lattice_shape *shape);

#endif
