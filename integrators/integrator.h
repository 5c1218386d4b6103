/* integrator.h - steps of molecular dynamics, and the schemes they come from.
 *
 * The equations of motion of H = T + S, T = (1/2) sum Tr(P^+ P), are
 *     dU/dtau = P U,        dP/dtau = F        with dS/dtau = -sum Re Tr(P^+ F) along the flow,
 * which is q' = p, p' = -grad S with unit mass in a basis orthonormal under Re Tr(A^+ B).  An integrator
 * splits the flow into kicks (only P changes) and drifts (only U changes).  Every scheme, with any number
 * of levels, becomes one flat list of md_step:
 *
 *     KICK             P <- P + dt F_level(U)
 *     DRIFT            U <- exp(dt P) U
 *     FORCE_GRADIENT   P <- P + dt F_level(exp(d F_level(U)) U),   d the displacement; two forces; U does not change
 *
 * The last one is the kick of a force-gradient integrator without second derivatives (Yin and Mawhinney,
 * arXiv:1111.5059).  To first order in d it adds d (F grad) F = (d/2) grad |F|^2 to the force, the commutator term.
 * With T as above F is an acceleration, so d is positive and has the unit of time squared; with another normalization
 * of the kinetic term d has another factor.
 *
 * The same step with -dt is the inverse of a step, and every scheme is symmetric.  Therefore the same list of steps,
 * run with -P, leads back to the start: the integrator is reversible. */
#ifndef KILN_INTEGRATORS_INTEGRATOR_H
#define KILN_INTEGRATORS_INTEGRATOR_H

#include <stdbool.h>

typedef enum { MD_KICK = 1, MD_DRIFT, MD_FORCE_GRADIENT } md_what;   /* 0: none, the end of a row of schemes */

typedef struct {
    md_what what;
    int level;             /* of the force: 0 is the outermost; drifts have 0, too */
    double dt;             /* molecular-dynamics time */
    double displacement;   /* FORCE_GRADIENT only: d above, in time squared */
} md_step;

/* A factor of a scheme.  Its time is constant + per_lambda * lambda, in steps; its displacement in steps squared. */
typedef struct {
    md_what what;
    int level;                       /* 0: the scheme's own level; 1: the gauge level of a two-level scheme */
    double constant, per_lambda;
    double displacement;
} scheme_factor;

enum { SCHEME_HALF = 16, SCHEME_FACTORS = 2 * SCHEME_HALF };

/* A symmetric splitting of one cycle.  `half` has its factors up to and including the middle one; the others follow by
 * symmetry. */
typedef struct {
    const char *name;
    int order;                       /* p: dH of a trajectory of fixed length falls as dt^p */
    int steps;                       /* in a cycle: 1, or 2 for the two-level schemes */
    int gauge_kicks;                 /* two-level scheme nG1F: n, the kicks of the gauge level in a step; else 0 */
    const char *citation;
    scheme_factor half[SCHEME_HALF];
} scheme;

/* The free parameter of the second-order minimum-norm scheme; this value minimizes its error:
 * 1/2 - x/12 + 1/(6x) with x = (36 + 2 sqrt(326))^(1/3). */
#define OMELYAN_LAMBDA 0.1931833275037836

/* The names in the order of scheme_get, with NULL at the end: the choices of the input key. */
extern const char *const scheme_names[];

const scheme *scheme_get(int index);            /* index into scheme_names; the scheme is a constant, not to be freed */
bool scheme_has_lambda(const scheme *s);

/* out <- the factors of one whole cycle, in order, with times in units of one step.  Returns their number. */
int scheme_cycle(md_step out[SCHEME_FACTORS], const scheme *s, double lambda);

#endif
