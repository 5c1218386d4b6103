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
 * arXiv:1111.5059).  To first order in d it adds d (F grad) F = (d/2) grad |F|^2, the
 * commutator term.  In this unit, where F is an acceleration, d is positive and has the unit of time
 * squared; a code with another kinetic term has another factor there.
 *
 * Every step is undone by the same step of opposite time, and every scheme is its own mirror image.  So
 * reversibility is: flip the sign of P and run the same list. */
#ifndef KILN_INTEGRATORS_INTEGRATOR_H
#define KILN_INTEGRATORS_INTEGRATOR_H

#include <stdbool.h>

typedef enum { MD_KICK = 1, MD_DRIFT, MD_FORCE_GRADIENT } md_what;   /* 0: none, the end of a row of schemes */

typedef struct {
    md_what what;
    int level;             /* of the force: 0 is the outermost; 0 for a drift, too */
    double dt;             /* molecular-dynamics time */
    double displacement;   /* FORCE_GRADIENT only: time squared */
} md_step;

/* A factor of a scheme.  Its time is constant + per_lambda * lambda, in steps; its displacement in steps squared. */
typedef struct {
    md_what what;
    int level;                       /* 0: the scheme's own level; 1: the gauge level of a two-level scheme */
    double constant, per_lambda;
    double displacement;
} scheme_factor;

enum { SCHEME_HALF = 16, SCHEME_FACTORS = 2 * SCHEME_HALF };

/* A symmetric splitting of one cycle.  Its factors are written up to and including the middle one; the
 * mirror image follows. */
typedef struct {
    const char *name;
    int order;                       /* p: dH of a trajectory of fixed length falls as dt^p */
    int steps;                       /* in a cycle: 1, or 2 for the two-level schemes */
    int gauge_kicks;                 /* n of a two-level scheme, which kicks the gauge level n times a step; else 0 */
    const char *citation;
    scheme_factor half[SCHEME_HALF];
} scheme;

/* The free parameter of the second-order minimum-norm scheme; this value minimizes its error:
 * 1/2 - x/12 + 1/(6x) with x = (36 + 2 sqrt(326))^(1/3). */
#define OMELYAN_LAMBDA 0.1931833275037836

/* The names, NULL at the end, in the order of scheme_get; as the choices of an input. */
extern const char *const scheme_names[];

const scheme *scheme_get(int index);            /* an index into scheme_names */
bool scheme_has_lambda(const scheme *s);

/* The factors of one whole cycle, in order; their number.  The unit of time is one step. */
int scheme_cycle(md_step out[SCHEME_FACTORS], const scheme *s, double lambda);

#endif
