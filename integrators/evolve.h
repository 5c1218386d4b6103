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

typedef enum { EVOLVE_DONE, EVOLVE_STOPPED, EVOLVE_TROUBLE } evolve_end;

/* Whose force could not be had, and why. */
typedef struct { int term; failure why; } evolve_trouble;

/* Run the schedule on (u, p).  Between steps `*stop` (may be NULL) is looked at; if it is set, the end is
 * EVOLVE_STOPPED, with u and p somewhere on the way.  At EVOLVE_TROUBLE, told in `trouble` (may be NULL), u are
 * the links whose force was wanted.  Times go into `clock`. */
evolve_end evolve(evolver *e, gauge *u, momentum *p, clock_tree *clock, const volatile sig_atomic_t *stop,
                  evolve_trouble *trouble);

/* After evolve: the force sizes of every term (count of them), read from the device in one copy. */
void evolver_force_sizes(evolver *e, force_size *sizes);

#endif
