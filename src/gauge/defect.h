/* defect.h - a defect of the boundary: links with a factor c in every loop of the action.
 *
 *     S = sum over loops of w_loop (3 - K Re Tr W),   K = product over the links of the loop of K_mu(x),
 *     K_mu(x) = c on the links that cross the defect, else 1
 *
 * M. Hasenbusch, Phys. Rev. D 96 (2017) 054504, arXiv:1706.04443; C. Bonanno, C. Bonati, M. D'Elia, JHEP 03 (2021) 111,
 * arXiv:2012.14000.  With c = 1 boundaries are periodic, with c = 0 open at the defect.
 *
 * K Re Tr W of links U is Re Tr W of links K U.  So kernels of loops, staples and updates need not know of a defect:
 * they work on weighted links K U.  The force is -[K U A(K U)]_TA, because dU/dtau = P U holds for K U, too. */
#ifndef KILN_GAUGE_DEFECT_H
#define KILN_GAUGE_DEFECT_H

#include "src/gauge/gauge.h"
#include "src/kernels/defect_args.h"

typedef struct { defect_box box; double factor; } link_defect;     /* factor: c, from 0 to 1 */

/* False with the reason if the cube of the defect is larger than the lattice (extents: global). */
bool defect_is_possible(const defect_box *box, const int extents[4], failure *f);

/* U <- K U.  Nothing changes if c is 1. */
void defect_weight_links(gauge *u, const link_defect *d);

/* The inverse of defect_weight_links; updates in between must keep the weighted links K times SU(3) matrices.  With
 * c = 0 the action does not depend on the links of the defect, so these are drawn from the Haar measure with `key`:
 * this is their heat bath. */
void defect_restore_links(gauge *u, const link_defect *d, rng_key key);

#endif
