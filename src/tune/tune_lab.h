/* tune_lab.h - trajectories made to learn from: any steps, brackets at both ends, back to the start, and nothing on
 * disk.
 *
 * Their random numbers are those of trajectories that no ensemble reaches. */
#ifndef KILN_TUNE_TUNE_LAB_H
#define KILN_TUNE_TUNE_LAB_H

#include "integrators/shadow.h"
#include "src/hmc/hmc.h"

#include <signal.h>

enum { LAB_TERMS = 8 };

/* Of every term t of the action at a point (U, P): ff[s][t] = (F_s, F_t), d[t] = d^2 S_t / dtau^2
 * (integrators/shadow.h). */
typedef struct { double ff[LAB_TERMS][LAB_TERMS], d[LAB_TERMS]; } brackets;

/* Seconds of one call of the parts of a trajectory: the median of those that this lab has made, of forces and drifts
 * that of their means in a trajectory; `alone`: of forces for brackets, each by itself. */
typedef struct { double force[LAB_TERMS], alone[LAB_TERMS], drift, refresh, energy, rest; } lab_times;

typedef struct lab lab;

/* For the terms of `p` (at most LAB_TERMS), on links that it changes; both are borrowed.  `stop` may be NULL. */
lab *lab_create(const run_params *p, gauge *u, const volatile sig_atomic_t *stop);
void lab_free(lab *l);

/* What it takes at the place of the links, without them. */
size_t lab_bytes(const run_params *p);

int lab_terms(const lab *l);
lab_times lab_times_of(const lab *l);
hmc *lab_hmc(lab *l);

/* Random numbers from now on are those of this number, and the next ones. */
void lab_number(lab *l, int64_t number);

/* New momenta and pseudofermions on the links as they are: the start.  All of these are false, with the
 * reason, where a term could not go on or `*stop` was set. */
bool lab_begin(lab *l, failure *f);

/* At the links and momenta as they are. */
bool lab_brackets(lab *l, brackets *b, failure *f);

/* One energy and one force of a term, for their times. */
bool lab_time_term(lab *l, int term, failure *f);

/* A trajectory of these levels from the start; dH, and links and momenta at its end.  Whatever is not finite is NaN. */
bool lab_run(lab *l, const level_params *levels, int count, double *dh, failure *f);

void lab_return(lab *l);                           /* to the start */
bool lab_accept(lab *l, double dh);                /* Metropolis' test; else lab_return */

#endif
