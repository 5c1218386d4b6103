/* stout.h - stout smearing of links, and its chain rule.
 *
 *     U' = exp(iQ) U,   iQ = [C U^+]_TA,   C_mu = rho sum_{nu != mu} (U_nu(x) U_mu(x+nu) U_nu(x+mu)^+
 *                                                              + U_nu(x-nu)^+ U_mu(x-nu) U_nu(x-nu+mu))
 * level after level (C. Morningstar and M. Peardon, hep-lat/0311018).  spatial_only: links in t are not smeared, and
 * staples of links in space contain no links in t.
 *
 * With open boundaries in t, C has no staples of plaquettes through inactive links (kernels/open_args.h); the weights
 * of the other staples do not change, and inactive links stay unit matrices.
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

/* For links like u.  Returns NULL if there are no levels; the functions below accept NULL and then do no smearing. */
stout *stout_create(const stout_params *params, const gauge *u);
void stout_free(stout *s);

/* The smeared links of u, borrowed.  They are computed again only if the version of u has changed, and then get a new
 * version themselves.  Without smearing: u itself. */
const gauge *stout_links(stout *s, const gauge *u);

/* A force on the links of the last call of stout_links.
 * reserve  allocates its memory in the workspace, after the first `before` bytes, which the caller uses at the same
 *          time; without it stout_force_begin allocates the memory
 * begin    returns a zeroed field, to which the caller adds the force on the smeared links, and cells for its size
 * chain    turns it into the force F on the links u; the caller may add more to it
 * add      P <- P + weight F; `size` as in actions/monomial.h */
typedef struct { momentum *force; sum_cells size; } stout_smeared_force;
void stout_force_reserve(stout *s, size_t before);
stout_smeared_force stout_force_begin(stout *s);
stout_smeared_force stout_force_chain(stout *s, const gauge *u);
void stout_force_add(const stout *s, momentum *p, double weight, sum_cells size);

/* Memory of the smeared links, and with_force also of a force; `shared`: its part in the workspace, without
 * `before`. */
memory_need stout_bytes(const stout_params *params, const lattice_shape *shape, precision p, bool with_force);

/* The work of the smearing and of its chain rule for one force, in double. */
work_count stout_force_work(const stout_params *params, const lattice_shape *shape);

#endif
