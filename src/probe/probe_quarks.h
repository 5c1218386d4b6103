/* probe_quarks.h - the Dirac operators of kiln probe apply and kiln probe solve: one table row per family.
 *
 * A family is a file with its row, a declaration here, and a line in probe_quarks.c; families of spinors share
 * probe_spinors.h. */
#ifndef KILN_PROBE_PROBE_QUARKS_H
#define KILN_PROBE_PROBE_QUARKS_H

#include "src/probe/probe.h"
#include "src/solvers/mixed_rule.h"
#include "src/solvers/solver_kinds.h"

/* A vector as one piece on all sites, as one piece on one parity (zero on the other), or as two pieces, one on each
 * parity.  NULL: no second piece. */
enum { PROBE_PIECES = 2 };
typedef struct { vec *piece[PROBE_PIECES]; } probe_vector;
double probe_vector_norm2(probe_vector v);

typedef struct {
    bool converged;
    int64_t iterations;
    double residual;                        /* the true one */
    int solves;
    int updates, restarts;                  /* reliable updates; restarts of BiCGstab after breakdowns */
    mixed_failure fallback;                 /* why conjugate gradients replaced BiCGstab; 0: they did not */
    int64_t fallback_at;                    /* iterations before that */
} probe_solution;

/* --updates: when a method with reliable updates computes its true residual.  probe_rule_of: the rule of the options;
 * with --history solvers record residuals in h, which probe_rule_end frees. */
typedef enum { UPDATES_DELTA, UPDATES_ESTIMATE, UPDATES_DEFECT } probe_updates;
extern const char *const probe_updates_names[];
mixed_rule probe_rule_of(const probe_options *o, residual_history *h);
void probe_rule_end(residual_history *h);

typedef struct probe_quarks probe_quarks;
typedef struct {
    const char *const *names;               /* of --operator; NULL at the end */
    const usage *apply_usage, *solve_usage;
    probe_array array;                      /* of its vectors in files */
    int hops;                               /* sites that its kernels reach (grid.h) */
    /* Whether the options fit links with these boundaries in t; NULL: they must be periodic. */
    bool (*fits)(const probe_options *o, const lattice_shape *shape, failure *f);
    void (*defaults)(probe_options *o);     /* before the options are read; or NULL */
    /* The operator that the options of apply or solve describe, without links; NULL with the reason. */
    probe_quarks *(*choose)(const probe_options *o, bool solves, failure *f);
    void (*free)(probe_quarks *q);
    bool smears;                            /* the operator itself smears the links: `open` gets thin ones */
    /* Make the operator's links from u, which outlives them; false with the reason if u is unsuitable. */
    bool (*open)(probe_quarks *q, const gauge *u, failure *f);
    void (*apply)(probe_quarks *q, probe_vector out, probe_vector in);
    probe_solution (*solve)(probe_quarks *q, probe_vector x, probe_vector b);      /* x is zero */
    void (*describe)(json *j, const probe_quarks *q);                               /* "operator" and its parameters */
    const char *(*solver)(const probe_quarks *q);                                   /* its name; NULL: not printed */
    residual_history *(*history)(const probe_quarks *q);                            /* of --history; or NULL */
} probe_family;

/* An operator of a command line; the struct of its family begins with it. */
struct probe_quarks {
    const probe_family *family;
    const probe_options *options;
    bool open_in_time;                      /* the links, before `open` */
    int slabs;                              /* of its vectors */
    int pieces;                             /* of its vectors; on[i]: the sites of piece i */
    parity_set on[PROBE_PIECES];
};

extern const probe_family probe_staggered, probe_dwf, probe_wilson, probe_clover, probe_doublet, probe_overlap;

/* kiln probe apply or solve: reads the command line, opens CONFIG and the source, sets `out` to zero, calls `work`, and
 * writes `out`.  `work` adds to the printed JSON and returns an exit status. */
typedef struct {
    const char *name, *about;               /* for --help without --operator */
    bool solves;
    int (*work)(json *j, probe_quarks *q, probe_vector out, probe_vector in);
} probe_command;
int probe_command_run(const probe_command *c, int argc, char **argv);

/* Options of all families. */
#define QUARKS_OPTIONS STOUT_OPTIONS, PROBE_OPTIONS
#define OPERATOR_OPTION(words)                                                                                         \
    { .name = "operator", .value = "OP", .doc = "the Dirac operator", .type = OPTION_CHOICE,                           \
      .offset = offsetof(probe_options, family), .choices = words, .required = true }
#define SOLVE_OPTIONS                                                                                                  \
    { .name = "residual", .value = "R", .doc = "solve until the true residual is at most R", .type = OPTION_REAL,      \
      .offset = offsetof(probe_options, residual), .required = true, .min = 1e-16, .max = 1 },                         \
    { .name = "max-iterations", .value = "N", .doc = "give up after N (default 100000)", .type = OPTION_INT,           \
      .offset = offsetof(probe_options, max_iterations), .min = 1, .max = 1e9 }

#define METHOD_OPTIONS                                                                                                 \
    { .name = "method", .value = "M", .doc = "conjugate gradients with the normal operator (cg, default),\n"           \
      "BiCGstab(l), l = 1, 2 or 4, or for --operator wilson and clover\n"                                              \
      "multigrid; if that fails, cg", .type = OPTION_CHOICE,                                                           \
      .offset = offsetof(probe_options, method), .choices = solver_kind_names },                                     \
    { .name = "updates", .value = "U", .doc = "when a solver other than double CG computes the true\n"                 \
      "residual: |r| has fallen by --delta (delta, default); its\n"                                                    \
      "rounding errors are estimated to be large (estimate); |r|\n"                                                    \
      "has fallen by --inner, then it restarts (defect)", .type = OPTION_CHOICE,                                       \
      .offset = offsetof(probe_options, updates), .choices = probe_updates_names },                                    \
    { .name = "delta", .value = "D", .doc = "of --updates delta (default 0.1)", .type = OPTION_REAL,                   \
      .offset = offsetof(probe_options, delta), .min = 1e-15, .max = 1 },                                              \
    { .name = "inner", .value = "D", .doc = "of --updates defect (default 0.1)", .type = OPTION_REAL,                  \
      .offset = offsetof(probe_options, inner), .min = 1e-15, .max = 1 },                                              \
    { .name = "history", .doc = "print the residual of each iteration", .type = OPTION_FLAG,                           \
      .offset = offsetof(probe_options, history) }

#endif
