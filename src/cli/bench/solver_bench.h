/* solver_bench.h - kiln bench solver: the options and the reports of its studies. */
#ifndef KILN_CLI_BENCH_SOLVER_BENCH_H
#define KILN_CLI_BENCH_SOLVER_BENCH_H

#include "src/base/text.h"
#include "src/bench/solver_study.h"
#include "src/bench/study_plan.h"
#include "src/cli/bench/bench_values.h"
#include "src/options/device_choice.h"
#include "src/options/multigrid_options.h"
#include "src/probe/probe_operator.h"
#include "src/report/plot_svg.h"

enum { SIZE_MASSES = STUDY_QUARKS };         /* sizes: masses of HISQ, domain-wall, clover quarks */

/* The vertical axis of the picture of masses or methods. */
typedef enum { PLOT_ITERATIONS, PLOT_SECONDS } bench_plot;
extern const char *const bench_plot_names[];

typedef struct {
    const char *config;
    int extents[4];                          /* 0: not given */
    double beta;
    int64_t trajectories, heatbath;          /* below 0: not given */
    operator_choice quarks;
    number_list tolerance, masses, kappas;
    int64_t flavors, poles, max_iterations;  /* 0: not given */
    number_list deltas, inners;              /* masses: of reliable updates, of defect correction */
    int family;                              /* a study_quarks; below 0: not given */
    wilson_operator_input wilson;
    bool c_sw_given;
    int64_t Ls;                              /* of domain-wall quarks; 0: not given */
    int method;                              /* a solver_kind_index; below 0: not given */
    multigrid_params multigrid;
    multigrid_given multigrid_given;
    unsigned precisions;                     /* bench_values.h; 0: not given */
    int plotted;                             /* a bench_plot; below 0: not given */
    number_list extents_t;                   /* speeds */
    int64_t iterations, repeats;             /* speeds; 0: not given */
    int64_t sources;                         /* sizes: right-hand sides at once; 0: not given */
    number_list modes;                       /* sign */
    double accuracy;                         /* sign; 0: not given */
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
    size_t printed;                          /* characters of the table */
    plot picture;
    int owned;
    double *numbers[2 * PLOT_SERIES];
} solver_bench;

/* The operator of the options, with a mass. */
study_operator solver_bench_operator(const bench_solver_options *o, double mass);

/* Add the keys of the operator of Wilson quarks to the open object of the JSON; and to a text, ", xi_0 = 2, nu = 1" or
 * nothing. */
void solver_bench_wilson_to_json(json *j, const bench_solver_options *o);
void solver_bench_add_anisotropy(text *t, const bench_solver_options *o);

/* Whether a precision is among --precisions. */
bool solver_bench_has(const bench_solver_options *o, stored_as in);

/* Numbers for a curve, kept as long as the study. */
double *solver_bench_numbers(solver_bench *b, int count);

/* A curve of the picture that gets its points one by one, at most `count`. */
typedef struct { double *x, *y; plot_series *of; } bench_curve;
bench_curve solver_bench_curve_begin(solver_bench *b, const char *name, plot_style style, int color, int count);
void solver_bench_curve_add(bench_curve *c, double x, double y);

stop_rule solver_bench_stop(const bench_solver_options *o);

/* Print the rows that were added to the table since the last call, unless --json is given, so that a long study that is
 * interrupted has printed its rows. */
void solver_bench_print(solver_bench *b);

/* For a solve that its method did not finish: the failure, or the method that finished it; else "". */
const char *solver_bench_failure(const study_solve *s);

/* Add the members that all solves share to the open object of the JSON. */
void solver_bench_solve_to_json(json *j, const study_solve *s);

#endif
