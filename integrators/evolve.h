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
    int level;                       /* index into schedule.level: kicks of this level apply its force */
} evolve_term;

/* The force of a term in a trajectory: rms = sqrt(mean of Tr F^+F), max = sqrt(largest Tr F^+F), over links and force
 * evaluations; F = dP/dtau of one link. */
typedef struct { double rms, max; } force_size;

typedef struct evolver evolver;

/* Memory to execute `s` on fields with the lattice, place and precision of `u`.  The evolver borrows terms and
 * schedule, which must outlive it.  evolver_bytes: an estimate for fields in double precision. */
evolver *evolver_create(const schedule *s, const evolve_term *terms, int count, const gauge *u);
void evolver_free(evolver *e);
size_t evolver_bytes(const schedule *s, const evolve_term *terms, int count, const lattice_shape *shape);

typedef enum { EVOLVE_DONE, EVOLVE_STOPPED, EVOLVE_FAILED } evolve_end;

/* The term whose force failed, and the reason. */
typedef struct { int term; failure why; } evolve_failure;

/* The dynamics calls leave(of) before every drift, except a drift that is the first step of a call of evolve or
 * evolve_go_on.  At this point all forces of the current links have been applied.  If leave returns true, the dynamics
 * stops there. */
typedef struct { bool (*leave)(void *of); void *of; } evolve_watch;

/* Run the schedule on (u, p).  evolve starts at the first step; evolve_go_on continues at the step where `watch`
 * stopped the dynamics, or at the step that evolver_put has set.  EVOLVE_STOPPED: `watch` (may be NULL) stopped it.
 * EVOLVE_FAILED: *problem (may be NULL) has the reason, and u holds the links whose force failed.  Adds times to
 * `clock`. */
evolve_end evolve(evolver *e, gauge *u, momentum *p, clock_tree *clock, const evolve_watch *watch,
                  evolve_failure *problem);
evolve_end evolve_go_on(evolver *e, gauge *u, momentum *p, clock_tree *clock, const evolve_watch *watch,
                        evolve_failure *problem);

/* The steps before which one call of evolve, from first to last step, calls `watch`: their number, and the index into
 * schedule.step of one of them. */
int64_t evolver_points(const evolver *e);
int64_t evolver_point(const evolver *e, int64_t index);

/* Number of drifts (updates of the links): done in this trajectory so far; in the whole trajectory. */
typedef struct { int64_t done, all; } evolver_drifts;
evolver_drifts evolver_progress(const evolver *e);

/* The position in a trajectory: the index of the next step, and the sizes of the forces so far.  evolver_sizes: a sum
 * and a maximum of Tr F^+F over links for each of evolver_evaluations force evaluations, in host memory (the caller
 * frees it with sums_host_free).  evolver_put restores both, also in another process; false if the step is not a
 * drift. */
int64_t evolver_step(const evolver *e);
bool evolver_is_near_end(const evolver *e);          /* the next drift is the last one */
int evolver_evaluations(const evolver *e);
sum_array evolver_sizes(const evolver *e);
bool evolver_put(evolver *e, int64_t step, const sum_array *sizes);

/* After evolve: sizes[t] <- the force size of term t; one copy from the device. */
void evolver_force_sizes(evolver *e, force_size *sizes);

#endif
