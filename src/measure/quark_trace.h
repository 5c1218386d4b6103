/* quark_trace.h - stochastic estimates of Tr M^-1 for the staggered M = 2m + D, and propagators M^-1 eta, many masses
 * at once.
 *
 *     <eta^+ M^-1 eta> = Tr M^-1   for eta of weight exp(-|eta|^2);   M^-1 = M^+ (M^+M)^-1,   M^+ = 2m - D,
 *
 * and M^+M = 4m^2 + K does not mix parities: with y = (4m^2 + K)^-1 eta, each parity solved by itself and all masses
 * in one Krylov space,
 *     eta_e^+ psi_e = 2m eta_e^+ y_e - eta_e^+ D y_o = 2m eta_e^+ y_e + (D eta_e)^+ y_o,   psi = M^-1 eta.
 * The second term has mean zero, and its real part drops out of the sum of both parities.  Without another solve,
 *     Re eta^+ M^-2 eta = 8m^2 |y|^2 - Re eta^+ y,            M^-2 = (2m - D)^2 (4m^2 + K)^-2,  D^2 = 4m^2 - (4m^2 + K)
 *     Im eta^+ M^-1 (dM/dmu) eta = Re y^+ D (i dM/dmu) eta     (operators/quark_current.h)
 * for the trace over both parities, without the terms between different parities, whose mean is zero.  For an imaginary
 * mu, dM/dmu is hermitian and Tr M^-1 (dM/dmu) imaginary.
 *
 * Low modes x_i of K on even sites deflate both parities: the modes on odd sites are D x_i / lambda_i^1/2.  The part of
 * eta along the modes is solved separately, the rest in the common Krylov space; conjugate gradients then correct for
 * the residuals of the modes. */
#ifndef KILN_MEASURE_QUARK_TRACE_H
#define KILN_MEASURE_QUARK_TRACE_H

#include "src/operators/staggered.h"
#include "src/solvers/deflation.h"
#include "src/solvers/solver.h"

enum { TRACE_MASSES = 16 };

typedef struct {
    complex_number parity[2];       /* eta^+ M^-1 eta over even, over odd sites, times 2/V */
    double square;                  /* Re eta^+ M^-2 eta over all sites, times 1/V */
    double current;                 /* Im eta^+ M^-1 (dM/dmu) eta over all sites, times 1/V; 0 without a current */
    double residual;                /* the larger of |eta - (4m^2 + K) y| / |eta| of the two parities */
} quark_trace;

typedef struct quark_tracer quark_tracer;

/* Memory for up to `masses` (at most TRACE_MASSES) masses at once. */
quark_tracer *quark_tracer_create(lattice *l, place where, precision p, int masses);
void quark_tracer_free(quark_tracer *t);
memory_need quark_tracer_bytes(const lattice_shape *shape, precision p, int masses);

/* Memory for deflation, which a task with modes needs: vectors on one parity. */
enum { TRACE_DEFLATION_VECTORS = 3 };
void quark_tracer_reserve_deflation(quark_tracer *t);

/* K on even sites with these links; valid until the next call with the tracer. */
staggered_normal_op quark_tracer_operator(quark_tracer *t, staggered_terms links);

/* One source; everything is borrowed. */
typedef struct {
    staggered_terms links;
    vec *const *eta;                /* [0] on even, [1] on odd sites */
    const staggered_terms *current; /* links of i dM/dmu (operators/quark_current.h); NULL: not requested */
    const double *mass;             /* in lattice units, `count` of them */
    int count;
    stop_rule stop;                 /* of each parity's solve */
    const deflation *modes;         /* of K on even sites; NULL: none */
} quark_trace_task;

/* Write task->count traces, and add the iterations to *iterations.  False with the reason if a solve does not
 * converge. */
bool quark_tracer_run(quark_trace *traces, quark_tracer *t, const quark_trace_task *task, int64_t *iterations,
                      failure *f);

/* The propagators, quark[parity][k] <- M^-1 eta of mass k: vectors of the caller on even and on odd sites.  A parity
 * without source is not solved.  residual[k] <- the largest of residual[k] and the residuals of the solves. */
bool quark_tracer_quarks(vec *const *quark[2], double *residual, quark_tracer *t, const quark_trace_task *task,
                         int64_t *iterations, failure *f);

#endif
