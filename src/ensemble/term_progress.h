/* term_progress.h - the numbers that the terms have collected in a trajectory so far (monomial_progress), in JSON:
 *
 *     "progress": { "TERM": [ 1, 1830, ... ], ... }
 *
 * Later results depend on some of these numbers: iterations of the refresh decide the precision of later solves. */
#ifndef KILN_ENSEMBLE_TERM_PROGRESS_H
#define KILN_ENSEMBLE_TERM_PROGRESS_H

#include "src/base/json_members.h"
#include "src/base/number_row.h"
#include "src/hmc/hmc.h"

void term_progress_to_json(json *j, const hmc *h);

/* Set the numbers from the member "progress" of an object; false with the reason, and nothing set, if it is missing or
 * is not of these terms. */
bool term_progress_from_json(const hmc *h, const members *object);

/* The numbers as they are now; to set them again; to release them. */
typedef struct { number_row of[HMC_TERMS]; } term_progress;
term_progress term_progress_now(const hmc *h);
void term_progress_put(const hmc *h, term_progress *p);
void term_progress_free(const hmc *h, term_progress *p);

#endif
