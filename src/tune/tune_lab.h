/* tune_lab.h - trajectories from which a tuning learns: with any steps, from the same start, and nothing on disk.  They
 * measure dH, times, and "brackets": the Poisson brackets of the shadow Hamiltonian (integrators/shadow.h).
 *
 * Their random numbers belong to trajectory numbers that no ensemble reaches. */
#ifndef KILN_TUNE_TUNE_LAB_H
#define KILN_TUNE_TUNE_LAB_H

#include "integrators/shadow.h"
#include "src/ensemble/run_limits.h"
#include "src/hmc/hmc.h"

enum { LAB_TERMS = 8 };

/* The brackets of all terms t of the action at (U, P): ff[s][t] = (F_s, F_t), d[t] = d^2 S_t / dtau^2
 * (integrators/shadow.h). */
typedef struct { double ff[LAB_TERMS][LAB_TERMS], d[LAB_TERMS]; } brackets;

/* Seconds of one call of each part of a trajectory: the median over this lab; for forces and drifts the median of their
 * means per trajectory.  alone: of forces that are computed for brackets, one at a time.  spared is no time: of the two
 * energies of a trajectory, the mean number that needs no solves (hmc.start_action_every). */
typedef struct { double force[LAB_TERMS], alone[LAB_TERMS], drift, refresh, energy, rest, spared; } lab_times;

typedef struct lab lab;

/* A lab for the terms of `p` (at most LAB_TERMS), of which it uses lab_params.h; it changes the links.  Both are
 * borrowed.  A signal of the limits (may be NULL) ends its work. */
lab *lab_create(const run_params *p, gauge *u, const run_limits *limits);
void lab_free(lab *l);

/* Bytes of a lab at the place of the links, without the links. */
size_t lab_bytes(const run_params *p);

lab_times lab_times_of(const lab *l);
hmc *lab_hmc(lab *l);

/* Use the random numbers of this trajectory number and the following ones. */
void lab_number(lab *l, int64_t number);

/* The start: new momenta and pseudofermions on the present links.  These functions return false with the reason if a
 * term fails or at a signal. */
bool lab_begin(lab *l, failure *f);

/* The brackets at the present links and momenta. */
bool lab_brackets(lab *l, brackets *b, failure *f);

/* Means of the brackets over a few refreshes on the present links, with the same random numbers in every lab and call:
 * for comparisons of inputs. */
bool lab_mean_brackets(lab *l, brackets *mean, failure *f);

/* The largest omega^2 of small oscillations in each term at the present links: the largest eigenvalue of the second
 * derivatives of the term, a lower bound from a few steps of power iteration that begin with the present momenta. */
bool lab_frequencies(lab *l, double omega2[LAB_TERMS], failure *f);

/* One energy and one force of a term, for their times. */
bool lab_time_term(lab *l, int term, failure *f);

/* A trajectory with these levels from the start: dH (NaN if not finite), and the links and momenta at its end. */
bool lab_run(lab *l, const level_params *levels, int count, double *dh, failure *f);

void lab_return(lab *l);                           /* to the start */
bool lab_accept(lab *l, double dh);                /* Metropolis' test; else lab_return */

#endif
