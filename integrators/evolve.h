/* evolve.h - molecular dynamics: execute the steps of a schedule on fields. */
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

/* The term whose force failed, and the reason. */
typedef struct { int term; failure why; } evolve_failure;

/* leave(of) is called before every drift, unless the drift is the first step of the call of evolve or evolve_go_on: all
 * forces of the present links have been applied.  If it returns true, the dynamics ends there. */
typedef struct { bool (*leave)(void *of); void *of; } evolve_watch;

/* Run the schedule on (u, p).  evolve: from its first step; evolve_go_on: from the step where the dynamics was stopped,
 * or where evolver_put has put it.  EVOLVE_STOPPED: `watch` (may be NULL) has stopped it.  EVOLVE_FAILED: *problem (may
 * be NULL) has the reason, and u are the links whose force failed.  Times are added to `clock`. */
evolve_end evolve(evolver *e, gauge *u, momentum *p, clock_tree *clock, const evolve_watch *watch,
                  evolve_failure *problem);
evolve_end evolve_go_on(evolver *e, gauge *u, momentum *p, clock_tree *clock, const evolve_watch *watch,
                        evolve_failure *problem);

/* The steps before which `watch` is called in a whole run: how many, and the number of one of them. */
int64_t evolver_points(const evolver *e);
int64_t evolver_point(const evolver *e, int64_t index);

/* Number of drifts (updates of the links): done in this trajectory so far; in the whole trajectory. */
typedef struct { int64_t done, all; } evolver_drifts;
evolver_drifts evolver_progress(const evolver *e);

/* The position in a trajectory: the number of the next step; and the sizes of the forces so far, a sum and a maximum
 * for each of evolver_evaluations, on the host (the caller frees them).  evolver_put restores both in another process;
 * false if the step is not a drift. */
int64_t evolver_step(const evolver *e);
bool evolver_is_near_end(const evolver *e);          /* the next drift is the last one */
int evolver_evaluations(const evolver *e);
sum_array evolver_sizes(const evolver *e);
bool evolver_put(evolver *e, int64_t step, const sum_array *sizes);

/* After evolve: the force sizes of every term (count of them), read from the device in one copy. */
void evolver_force_sizes(evolver *e, force_size *sizes);

#endif
