/* audit.h - whether a folder holds one stream, whole: no gap, fork or repeated seed, no change that nobody wrote down.
 *
 * What is held together (chain.h, strata.h, run_state.h):
 *     strata.jsonl   names the files of parameters, and the value that the chain begins with;
 *     run.jsonl      line n has the digest of the parameters of n, and the chain of n from that of n - 1;
 *     *.lime         the state n has the same digest and chain, and its plaquette; a configuration names the links
 *                    of the one before it.
 * Read in this order, the first thing that does not fit is the fault.  Nothing is written. */
#ifndef KILN_HMC_AUDIT_H
#define KILN_HMC_AUDIT_H

#include "src/hmc/ensemble_files.h"
#include "src/hmc/record_line.h"
#include "src/hmc/strata.h"
#include "src/lattice/lattice.h"

/* What does not fit: where (file, line or record), what it is, what was expected and what was found, what to do. */
typedef struct { text where, what, expected, found, advice; } audit_fault;

typedef struct {
    const char *directory;
    run_params params;                  /* of the newest stratum; borrowed from `input` */
    run_input input;
    strata strata;
    int64_t *warm_up;                   /* of each stratum: its trajectories up to this one are not tested */
    state_files files;                  /* newest first */
    int64_t newest;                     /* trajectory of the newest state; -1 without any */
    int64_t trajectories;               /* lines that fit: those of trajectories 1 .. */
    record_line *line;
    int64_t configurations, checkpoints;          /* that fit */
    bool known, faulty;                 /* seed and stream could be read; there is a fault */
    audit_fault fault;
    text notes;                         /* a line each: what is no fault, and worth knowing */
} audit;

/* Look at everything; the links of files are measured at `where`.  Release with audit_free. */
void audit_stream(audit *a, const char *directory, place where);
void audit_free(audit *a);

/* Whether two streams have nothing in common that they should not: the same random numbers, or a past. */
bool audit_pair(audit_fault *fault, const audit *a, const audit *b);
void audit_fault_free(audit_fault *fault);

/* For the parts of the audit: false, with the fault.  `words` makes the texts of one. */
typedef struct { char s[1200]; } audit_words;
audit_words words(const char *format, ...) PRINTF_LIKE(1, 2);
bool audit_found(audit *a, const char *where, const char *what, const char *expected, const char *found,
                 const char *advice);
void audit_note(audit *a, const char *format, ...) PRINTF_LIKE(2, 3);

bool audit_parameters(audit *a);        /* strata and their files */
bool audit_record(audit *a);            /* the lines, up to the newest state */
bool audit_states(audit *a, place where);
bool audit_other_files(audit *a);

#endif
