/* solver_bench.h - kiln bench solver: the options and the reports of its studies. */
#ifndef KILN_CLI_BENCH_SOLVER_BENCH_H
#define KILN_CLI_BENCH_SOLVER_BENCH_H

#include "src/base/text.h"
#include "src/bench/solver_study.h"
#include "src/cli/device_choice.h"
#include "src/cli/probe/probe_operator.h"
#include "src/report/plot_svg.h"

typedef struct { int count; double of[SHIFTS_MAX]; } number_list;

enum { SIZE_MASSES = 3 };                    /* sizes: masses of HISQ, domain-wall, clover quarks */

typedef enum { BENCH_STAGGERED, BENCH_WILSON } bench_quarks;
extern const char *const bench_quarks_names[];

typedef struct {
    const char *config;
    int extents[4];                          /* 0: not given */
    double beta;
    int64_t trajectories;                    /* below 0: not given */
    operator_choice quarks;
    number_list tolerance, masses;
    int64_t flavors, poles, max_iterations;  /* 0: not given */
    number_list deltas, inners;              /* masses: of reliable updates, of defect correction */
    int family;                              /* masses, methods: a bench_quarks, */
    double c_sw;                             /* of Wilson quarks, */
    int method;                              /* a solver_method; below 0: not given */
    const char *columns, *svg;
    bool json;
    device_choice device;
} bench_solver_options;

/* The state of a study.  A study adds to all three reports, and its curves to the picture. */
typedef struct {
    const bench_solver_options *o;
    place where;
    const staggered_links_params *params;
    const gauge *u;                          /* NULL, as the next two: the study makes its own */
    staggered_links *links;
    solver_study *solves;
    double largest;                          /* of the spectrum of K */
    json j;                                  /* within the top-level object */
    text table, columns;
    plot picture;
    int owned;
    double *numbers[2 * PLOT_SERIES];
} solver_bench;

/* Numbers for a curve, kept as long as the study. */
double *solver_bench_numbers(solver_bench *b, int count);

stop_rule solver_bench_stop(const bench_solver_options *o);

/* Of a solve that its method has not finished: the failure, or the method that has; else "". */
const char *solver_bench_failure(const study_solve *s);

/* Add the members that all solves share to the open object of the JSON. */
void solver_bench_solve_to_json(json *j, const study_solve *s);

#endif
