/* probe_quarks.h - the Dirac operators of kiln probe apply and kiln probe solve: a row for each family.
 *
 * A family is a file with its row, a declaration here, and a line in probe_quarks.c; families of spinors share
 * probe_spinors.h. */
#ifndef KILN_CLI_PROBE_PROBE_QUARKS_H
#define KILN_CLI_PROBE_PROBE_QUARKS_H

#include "src/cli/probe/probe.h"

/* A vector in pieces: on all sites; on one parity, and zero on the other; or on each of both.  NULL: no such piece. */
enum { PROBE_PIECES = 2 };
typedef struct { vec *piece[PROBE_PIECES]; } probe_vector;
double probe_vector_norm2(probe_vector v);

typedef struct {
    bool converged;
    int64_t iterations;
    double residual;                        /* the true one */
    int solves;
} probe_solution;

typedef struct probe_quarks probe_quarks;
typedef struct {
    const char *const *names;               /* of --operator; NULL at the end */
    const usage *apply_usage, *solve_usage;
    probe_array array;                      /* of its vectors in files */
    void (*defaults)(probe_options *o);     /* before the options are read; or NULL */
    /* What the options of apply or solve amount to, without links; NULL with what is wrong about them. */
    probe_quarks *(*choose)(const probe_options *o, bool solves, failure *f);
    void (*free)(probe_quarks *q);
    /* The links of u, which outlives them; false where u is not what the operator needs. */
    bool (*open)(probe_quarks *q, const gauge *u, failure *f);
    void (*apply)(probe_quarks *q, probe_vector out, probe_vector in);
    probe_solution (*solve)(probe_quarks *q, probe_vector x, probe_vector b);      /* x is zero */
    void (*describe)(json *j, const probe_quarks *q);                               /* "operator" and its parameters */
    const char *(*solver)(const probe_quarks *q);                                   /* its name; NULL: not told */
} probe_family;

/* An operator of a command line; the family's own struct begins with it. */
struct probe_quarks {
    const probe_family *family;
    const probe_options *options;
    int slabs;                              /* of its vectors */
    int pieces;                             /* of its vectors, and where these live */
    parity_set on[PROBE_PIECES];
};

extern const probe_family probe_staggered, probe_dwf, probe_wilson;

/* kiln probe apply or solve: reads the command line, opens CONFIG and the source, calls `work`, and writes `out`, which
 * begins as zero.  work adds to the JSON that is printed, and returns an exit status. */
typedef struct {
    const char *name, *about;               /* for --help where --operator is not given */
    bool solves;
    int (*work)(json *j, probe_quarks *q, probe_vector out, probe_vector in);
} probe_command;
int probe_command_run(const probe_command *c, int argc, char **argv);

/* Options of all families. */
#define OPERATOR_OPTION(words)                                                                                         \
    { .name = "operator", .value = "OP", .doc = "the operator", .type = OPTION_CHOICE,                                 \
      .offset = offsetof(probe_options, family), .choices = words, .required = true }
#define SOLVE_OPTIONS                                                                                                  \
    { .name = "residual", .value = "R", .doc = "solve until the true residual is at most R", .type = OPTION_REAL,      \
      .offset = offsetof(probe_options, residual), .required = true, .min = 1e-16, .max = 1 },                         \
    { .name = "max-iterations", .value = "N", .doc = "give up after N (default 100000)", .type = OPTION_INT,           \
      .offset = offsetof(probe_options, max_iterations), .min = 1, .max = 1e9 }

#endif
