/* shadow.h - the leading error of an integrator: its trajectories conserve a shadow Hamiltonian instead of H.
 *
 * A symmetric list of kicks and drifts conserves H~ = H + H2 + ..., and of second order in the steps
 *
 *     H2 = sum_ij a_ij (F_i, F_j) + sum_i b_i D_i,        D_i = d^2 S_i / dtau^2  along  dU/dtau = P U, P fixed
 *
 * with (A, B) = sum over links of Re Tr A^+ B, F_i the force of level i: the Poisson brackets {{T, S_j}, S_i} and
 * {{S_i, T}, T}.  Hence dH = H2 at the start - H2 at the end of a trajectory, but for higher orders.
 *
 * A. D. Kennedy, P. J. Silva, M. A. Clark, arXiv:1210.6600; M. A. Clark, B. Joo, A. D. Kennedy, P. J. Silva,
 * arXiv:1108.1828. */
#ifndef KILN_INTEGRATORS_SHADOW_H
#define KILN_INTEGRATORS_SHADOW_H

#include "integrators/schedule.h"

enum { SHADOW_LEVELS = 12 };

/* a is symmetric; for a scheme of fourth order all are zero up to rounding. */
typedef struct { int levels; double a[SHADOW_LEVELS][SHADOW_LEVELS], b[SHADOW_LEVELS]; } shadow;

/* For any schemes, levels and steps; s->levels is at most SHADOW_LEVELS. */
shadow shadow_of(const schedule *s);

#endif
