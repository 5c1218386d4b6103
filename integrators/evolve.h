/* evolve.h - molecular dynamics: the steps of a schedule, executed on fields. */
#ifndef KILN_INTEGRATORS_EVOLVE_H
#define KILN_INTEGRATORS_EVOLVE_H

#include "actions/monomial.h"
#include "integrators/schedule.h"
#include "src/base/clock.h"

/* A term of the action as the dynamics sees it. */
typedef struct {
    char name[48];
    monomial *m;
    int level;                       /* of the schedule, whose kicks apply its force */
} evolve_term;

/* The size of a term's force over a trajectory, per link: sqrt of mean and maximum of Tr F^+F. */
typedef struct { double rms, max; } force_size;

typedef struct evolver evolver;

/* Memory for executing `s` on fields like `u`; terms and schedule are borrowed and outlive it. */
evolver *evolver_create(const schedule *s, const evolve_term *terms, int count, const gauge *u);
void evolver_free(evolver *e);
size_t evolver_bytes(const schedule *s, const evolve_term *terms, int count, const lattice_shape *shape);

typedef enum { EVOLVE_DONE, EVOLVE_STOPPED, EVOLVE_FAILED } evolve_end;

/* Whose force could not be had, and why. */
typedef struct { int term; failure why; } evolve_failure;

/* Asked before every drift but the first of a call: all forces of the links as they are have been applied, and what
 * comes next is of other links.  True: the dynamics is to be left here. */
typedef struct { bool (*leave)(void *of); void *of; } evolve_watch;

/* Run the schedule on (u, p), from its first step; or go on where `evolve` was left, or `evolver_put` has put it.
 * `watch` may be NULL; where it says so, the end is EVOLVE_STOPPED.  At EVOLVE_FAILED, reported in `problem` (may be
 * NULL), u are the links whose force was wanted.  Times go into `clock`. */
evolve_end evolve(evolver *e, gauge *u, momentum *p, clock_tree *clock, const evolve_watch *watch,
                  evolve_failure *problem);
evolve_end evolve_go_on(evolver *e, gauge *u, momentum *p, clock_tree *clock, const evolve_watch *watch,
                        evolve_failure *problem);

/* The steps before which a whole run is watched: how many, and the number of one of them. */
int64_t evolver_points(const evolver *e);
int64_t evolver_point(const evolver *e, int64_t index);

/* Where a trajectory stands: the number of its next step; and the sizes of the forces so far, a sum and a maximum for
 * each of evolver_evaluations, on the host (the caller frees them), without which a trajectory that goes on elsewhere
 * would not know them.  evolver_put takes such an array; it is false where no drift follows. */
int64_t evolver_step(const evolver *e);
bool evolver_is_near_end(const evolver *e);          /* the next drift is the last one */
int evolver_evaluations(const evolver *e);
sum_array evolver_sizes(const evolver *e);
bool evolver_put(evolver *e, int64_t step, const sum_array *sizes);

/* After evolve: the force sizes of every term (count of them), read from the device in one copy. */
void evolver_force_sizes(evolver *e, force_size *sizes);

#endif
