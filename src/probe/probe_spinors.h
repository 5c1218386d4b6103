/* probe_spinors.h - for domain-wall, Wilson, clover and doublet quarks in kiln probe apply and kiln probe solve.
 *
 * Parts of an operator act on all sites (M or D5, their adjoints, the hop, the clover term), or on odd sites (C, C^+
 * and C^+C); operators/dirac_operator.h has all of them but hop and term.  To solve M x = b on all sites, Kiln solves
 * C^+C x' = C^+ rhs by conjugate gradients, or C x' = rhs by BiCGstab.  The residual of x' differs from that of x: Kiln
 * requests a smaller one, and refines x if that is not enough. */
#ifndef KILN_PROBE_PROBE_SPINORS_H
#define KILN_PROBE_PROBE_SPINORS_H

#include "src/operators/dwf.h"
#include "src/probe/probe_quarks.h"
#include "src/solvers/dirac_solver.h"

typedef enum { PART_ALL_SITES, PART_C, PART_NORMAL, PART_HOP, PART_TERM } part_kind;
typedef struct { part_kind kind; bool dagger; } spinor_part;

/* The struct of such a family begins with it. */
typedef struct {
    probe_quarks base;
    dirac_plan plan;                                /* its list has one matrix */
    /* Of PART_HOP and PART_TERM, on all sites; NULL: no option has this part. */
    void (*hop)(spinor_field out, const dirac_operator *d, spinor_field in);
    void (*term)(spinor_field out, const dirac_operator *d, const dirac_matrix *m, spinor_field in);
    spinor_part part;
    solver_precision precision;
    mixed_rule rule;
    residual_history history;                       /* of --history */
    dirac_operator *d;                              /* from open on */
    dirac_matrix *m;
    dirac_solver *solver;
} probe_spinors;

/* Set sites and slabs for the part, and the smearing of the options, after the family has set its plan. */
void probe_spinors_begin(probe_spinors *q, const probe_family *family, const probe_options *o, spinor_part part);

/* Functions of a probe_family; free frees q itself. */
void probe_spinors_free(probe_quarks *q);
bool probe_spinors_open(probe_quarks *q, const gauge *u, failure *f);
void probe_spinors_apply(probe_quarks *q, probe_vector out, probe_vector in);
probe_solution probe_spinors_solve(probe_quarks *q, probe_vector x, probe_vector b);
const char *probe_spinors_solver(const probe_quarks *q);
residual_history *probe_spinors_history(const probe_quarks *q);

#define PROBE_SPINORS                                                                                                  \
    .smears = true, .free = probe_spinors_free, .open = probe_spinors_open, .apply = probe_spinors_apply,              \
    .solve = probe_spinors_solve, .solver = probe_spinors_solver, .history = probe_spinors_history

/* Their options. */
#define PART_OPTION(names, words)                                                                                      \
    { .name = "part", .value = "P", .doc = words, .type = OPTION_CHOICE, .offset = offsetof(probe_options, part),      \
      .choices = names }
#define SOLVER_OPTION                                                                                                  \
    { .name = "solver", .value = "S", .doc = "precisions of the solver, as in an input (default double)",              \
      .type = OPTION_CHOICE, .offset = offsetof(probe_options, solver), .choices = solver_names },                     \
    METHOD_OPTIONS
#define BOUNDARY_OPTION(member)                                                                                        \
    { .name = "boundary", .value = "B", .doc = "phase of the boundary in t, in units of pi:\n"                         \
      "1 antiperiodic (default), 0 periodic", .type = OPTION_INT, .offset = offsetof(probe_options, member), .max = 1 }

#endif
