/* solve_advice.c - advice about a solve that did not converge. */
#include "src/solvers/solve_advice.h"

#include <math.h>
#include <stdio.h>

/* The advised residual is larger than the residual at which a solve stalled by this factor, because the latter varies
 * with source and links. */
#define STALL_MARGIN 2

/* The next larger number with one digit: 4.1e-11 gives 5e-11. */
static double rounded_up(double x)
{
    const double unit = pow(10, floor(log10(x)));
    return ceil(x / unit) * unit;
}

solve_advice solve_advice_for(bool spent, double residual)
{
    solve_advice a = { "raise max_iterations" };
    if (!spent && residual > 0 && isfinite(residual))
        snprintf(a.s, sizeof a.s, "iterations are left, but the residual no longer falls: double precision reaches no "
                 "smaller one here, so more iterations do not help; request a residual of %.0e or more",
                 rounded_up(STALL_MARGIN * residual));
    return a;
}
