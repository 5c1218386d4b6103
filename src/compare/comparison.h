/* comparison.h - the cost of an independent configuration of several inputs, from a short stream of each.
 *
 *     DIRECTORY/start.lime        the links with which all streams begin (comparison_start.h)
 *     DIRECTORY/thermalization    the ensemble that made them, unless they were at hand
 *     DIRECTORY/LABEL             the stream of a candidate, an ensemble (ensemble.h): length_0.5, input, against
 *
 * Streams have the same molecular dynamics time and advance in turns, so that all have about the same length when the
 * time is over.  A comparison that was stopped or killed continues with the same request; the bits of its streams are
 * those without the interruption, as for every ensemble. */
#ifndef KILN_COMPARE_COMPARISON_H
#define KILN_COMPARE_COMPARISON_H

#include "src/compare/candidates.h"
#include "src/lattice/lattice.h"

typedef struct {
    int count;
    candidate candidate[COMPARED_STREAMS];
    compared_stream stream[COMPARED_STREAMS];
    compared_choice choice;
    bool complete;                         /* all streams have their trajectories */
} comparison;

/* False with the reason if a stream fails; also at a signal, or if the time is over before the streams begin: then
 * `stopped` of r->limits is true.  If the time is over later, the streams are compared at their present lengths.
 * Release with comparison_free in either case. */
bool comparison_run(comparison *c, const comparison_request *r, const run_params *p, place where, failure *f);
void comparison_free(comparison *c);

#endif
