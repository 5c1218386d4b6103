/* shadow.h - the leading error of an integrator: its trajectories conserve a shadow Hamiltonian instead of H.
 *
 * A symmetric list of kicks and drifts conserves H~ = H + H2 + ..., with H2 of second order in the steps:
 *
 *     H2 = sum_ij a_ij (F_i, F_j) + sum_i b_i D_i,        D_i = d^2 S_i / dtau^2  along  dU/dtau = P U, P fixed
 *
 * with (A, B) = sum over links of Re Tr A^+ B, and S_i and F_i the action and the force of level i.  (F_i, F_j) and D_i
 * are the Poisson brackets {{T, S_j}, S_i} and {{S_i, T}, T}.  Up to higher orders, dH is H2 at the start of a
 * trajectory minus H2 at its end.
 *
 * A. D. Kennedy, P. J. Silva, M. A. Clark, arXiv:1210.6600; M. A. Clark, B. Joo, A. D. Kennedy, P. J. Silva,
 * arXiv:1108.1828. */
#ifndef KILN_INTEGRATORS_SHADOW_H
#define KILN_INTEGRATORS_SHADOW_H

#include "integrators/schedule.h"

enum { SHADOW_LEVELS = 12 };

/* a_ij and b_i, in molecular-dynamics time squared, for i, j < levels.  a is symmetric; for a scheme of fourth order
 * all are zero up to rounding. */
typedef struct { int levels; double a[SHADOW_LEVELS][SHADOW_LEVELS], b[SHADOW_LEVELS]; } shadow;

/* For any schemes, levels and steps; s->levels is at most SHADOW_LEVELS. */
shadow shadow_of(const schedule *s);

#endif
