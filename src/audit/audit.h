/* audit.h - whether a folder holds one stream, whole: no gap, fork or repeated seed, no change that nobody wrote down.
 *
 * What is held together (chain.h, strata.h, run_state.h):
 *     strata.jsonl   names the files of parameters, and the value that the chain begins with;
 *     run.jsonl      line n has the digest of the parameters of n, and the chain of n from that of n - 1;
 *     *.lime         the state n has the same digest and chain, and its plaquette; a configuration names the links
 *                    of the one before it.
 * Read in this order, the first thing that does not fit is the fault.  Nothing is written. */
#ifndef KILN_AUDIT_AUDIT_H
#define KILN_AUDIT_AUDIT_H

#include "src/ensemble/ensemble_files.h"
#include "src/ensemble/record_check.h"
#include "src/lattice/lattice.h"

typedef struct {
    const char *directory;
    run_params params;                  /* of the newest stratum; borrowed from `input` */
    run_input input;
    strata strata;
    int64_t *warm_up;                   /* of each stratum: its trajectories up to this one are not tested */
    record_check record;                /* the lines that fit: up to the newest state */
    state_files files;                  /* newest first */
    int64_t newest;                     /* trajectory of the newest state; -1 without any */
    int64_t configurations, checkpoints;          /* that fit */
    bool known, faulty;                 /* seed and stream could be read; there is a fault */
    bool gaps;                          /* configurations may be missing */
    stream_fault fault;
    text notes;                         /* a line each: what is no fault, and worth knowing */
} audit;

/* Look at everything; the links of files are measured at `where`.  With `gaps` a configuration that is not there is a
 * note, not a fault: what is left is checked.  Release with audit_free. */
void audit_stream(audit *a, const char *directory, bool gaps, place where);
void audit_free(audit *a);

/* Only parameters and record, without reading links. */
void audit_tables(audit *a, const char *directory);

/* Whether two streams have nothing in common that they should not: the same random numbers, or a past.  True for two
 * names of one folder, which are one stream. */
bool audit_pair(stream_fault *fault, const audit *a, const audit *b);
bool audit_same_folder(const audit *a, const audit *b);

/* What the lines and states must agree with, once audit_parameters has read it. */
record_rules audit_rules(const audit *a);

/* For the parts of the audit: false, with the fault. */
bool audit_found(audit *a, const char *where, const char *what, const char *expected, const char *found,
                 const char *advice);
void audit_note(audit *a, const char *format, ...) PRINTF_LIKE(2, 3);

bool audit_parameters(audit *a);        /* strata and their files */
bool audit_record(audit *a);            /* the lines, up to the newest state */
bool audit_states(audit *a, place where);
bool audit_other_files(audit *a);

#endif
