/* evolve.h - molecular dynamics: the steps of a schedule, executed on fields. */
#ifndef KILN_INTEGRATORS_EVOLVE_H
#define KILN_INTEGRATORS_EVOLVE_H

#include "actions/monomial.h"
#include "integrators/schedule.h"
#include "src/base/clock.h"

#include <signal.h>

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
size_t evolver_bytes(const schedule *s, const evolve_term *terms, int count, const int extents[4]);

/* Run the schedule on (u, p).  Between steps `*stop` is looked at; if it is set, returns false at once,
 * with u and p somewhere on the way.  Times go into `clock`. */
bool evolve(evolver *e, gauge *u, momentum *p, clock_tree *clock, const volatile sig_atomic_t *stop);

/* After evolve: the force sizes of every term (count of them), read from the device in one copy. */
void evolver_force_sizes(evolver *e, force_size *sizes);

#endif
