/* independent_cost.c - 2 tau trajectories, with an error. */
#include "src/report/independent_cost.h"

#include <math.h>

independent_cost independent_cost_of(const correlated_mean *of, const correlated_mean *trajectory)
{
    const double value = 2 * of->tau * trajectory->mean;
    if (!isfinite(value))
        return (independent_cost){ NAN, NAN, false };
    const double error = value * hypot(of->tau_error / of->tau, trajectory->error / trajectory->mean);
    return (independent_cost){ value, error, of->verdict == SERIES_TOO_SHORT };
}

void independent_cost_add(text *out, const independent_cost *c)
{
    if (!isfinite(c->value))
        text_add(out, "-");
    else if (c->bound || !isfinite(c->error))
        text_add(out, c->bound ? "> %.2g" : "%.2g", c->value);
    else
        text_add(out, "%.3g +- %.2g", c->value, c->error);
}
