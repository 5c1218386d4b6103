/* candidates.h - the inputs of a comparison: one input with several trajectory lengths, or two inputs.
 *
 * The outermost number of steps grows in proportion to the length, rounded up to what the integrator allows, so that
 * step size and acceptance hardly change.  Every stream starts from the same links, has a different random.stream, and
 * makes the measurements of kind `flow` of its input after each trajectory, and no others. */
#ifndef KILN_COMPARE_CANDIDATES_H
#define KILN_COMPARE_CANDIDATES_H

#include "src/compare/comparison_choice.h"
#include "src/config/text_refs.h"
#include "src/ensemble/run_limits.h"
#include "src/hmc/run_input.h"
#include "src/tune/tune_model.h"

typedef struct {
    const char *input;                     /* path */
    const text_refs *sets;                 /* its values of --set */
    const char *against;                   /* another input; NULL: lengths */
    int lengths;
    double length[COMPARED_STREAMS];       /* without that of the input */
    const char *directory;                 /* of the streams */
    const char *from;                      /* start links; NULL: the newest state of the ensemble, else made */
    double units;                          /* molecular dynamics time of each stream */
    int64_t thermalization;                /* trajectories, if there are no thermalized links */
    bool work;                             /* costs are counted work (stream_costs.h), not seconds */
    int observables;                       /* 0: plaquette, and t0 and charges of the flows (stream_costs.c) */
    char observable[COMPARED_OBSERVABLES][64];                 /* titles as in `kiln status` */
    bool quiet;
    const run_limits *limits;              /* of the whole comparison; the same request continues it */
} comparison_request;

typedef struct {
    char label[40];                        /* "length_1.4142"; the name of its folder */
    int64_t trajectories;                  /* wanted */
    run_input in;
    char *text;                            /* of the values of --set */
} candidate;

/* "hmc.trajectory_length=2" and the number of outermost steps, as values of --set. */
enum { LENGTH_SETS = 2, LENGTH_SET_BYTES = 96 };
typedef struct { char set[LENGTH_SETS][LENGTH_SET_BYTES]; } length_sets;
length_sets candidate_length_sets(const run_params *p, double length);

/* Whether an input can be compared; false with the reason. */
bool candidate_check(const run_params *p, failure *f);

/* Candidate `index` of a request for the input `p`; 0 is the input itself.  False with the reason; release with
 * candidate_free. */
bool candidate_make(candidate *c, const comparison_request *r, const run_params *p, int index, failure *f);
void candidate_free(candidate *c);
int candidates_count(const comparison_request *r);

/* The input of the ensemble DIRECTORY/thermalization: trajectories accepted unconditionally, no measurements. */
bool candidate_make_thermalization(candidate *c, const comparison_request *r, failure *f);

#endif
