/* toy.h - small Hamiltonian systems for tests of schedules, and measurements on them.
 *
 * The potential has three terms, slowest first.  On a schedule of n levels term k is on level k, the last
 * level has all the terms that remain. */
#ifndef KILN_TESTS_INTEGRATORS_TOY_H
#define KILN_TESTS_INTEGRATORS_TOY_H

#include "integrators/schedule.h"

enum { TOY_REALS = 18, TOY_TERMS = 3 };
typedef struct { double q[TOY_REALS], p[TOY_REALS]; } toy_state;

typedef struct {
    const char *name;
    toy_state (*start)(int sample);
    void   (*add_force)(double f[TOY_REALS], int term, const double q[TOY_REALS]);
    void   (*drift)(double q[TOY_REALS], double dt, const double p[TOY_REALS]);
    double (*energy)(const toy_state *z);
} toy;

extern const toy anharmonic;    /* three coupled oscillators: flat coordinates */
extern const toy su3_matrix;    /* one SU(3) link in an external field: drifts do not commute */

/* The index of the scheme of this name, which must exist, and the scheme. */
int toy_scheme_index(const char *name);
const scheme *toy_scheme(const char *name);

/* The lists of an input, with names for the toy's terms: `integrators` and `steps`, outermost first, and the
 * parameter lambda of all of them.  `levels` has room for TOY_TERMS. */
int toy_levels(level_params levels[], int count, const char *const integrators[], const int steps[]);

toy_state toy_run(const toy *t, const schedule *s, toy_state z);
double toy_distance(const toy_state *a, const toy_state *b);    /* largest difference of a coordinate or momentum */

/* Trajectories of length 1 in the given levels, with all steps of the outermost multiplied by `refine`. */
schedule *toy_schedule(int count, const char *const integrators[], const int steps[], int refine);

/* Root mean square of dH over some starting points; and what it falls by when steps are halved, as a power of two:
 * of dH and of the end point. */
double toy_rms_dh(const toy *t, int count, const char *const integrators[], const int steps[], int refine);
double toy_order_of_dh(const toy *t, int count, const char *const integrators[], const int steps[]);
double toy_order_of_end(const toy *t, int count, const char *const integrators[], const int steps[]);

/* The distance from the start after a trajectory, a reversal of the momenta, and the same trajectory again. */
double toy_irreversibility(const toy *t, int count, const char *const integrators[], const int steps[]);

#endif
