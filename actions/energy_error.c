/* energy_error.c - sum errors of S over solves and rational functions; warn if they are too large. */
#include "actions/energy_error.h"

#include <math.h>

void energy_errors_add(energy_errors *e, int role, double freedom, double gain, double residual, bool variational)
{
    energy_error *x = &e->of[role];
    const double second = freedom * gain * gain, first2 = variational ? 0 : 2 * second;
    x->residual = fmax(x->residual, residual);
    x->first2 += first2 * residual * residual;
    x->second += second * residual * residual;
    x->first2_of_1 += first2;
    x->second_of_1 += second;
}

void energy_errors_add_function(energy_errors *e, int role, double freedom, double error)
{
    e->of[role].functions += 2 * freedom * error;
    e->of[role].error = fmax(e->of[role].error, error);
}

double energy_error_of_solves(const energy_errors *e, int role)
{
    return sqrt(e->of[role].first2) + e->of[role].second;
}

double energy_error_of_functions(const energy_errors *e, int role)
{
    return e->of[role].functions;
}

/* The positive solution r of a r + b r^2 = most. */
double energy_error_residual(const energy_errors *e, int role, double most)
{
    const double a = sqrt(e->of[role].first2_of_1), b = e->of[role].second_of_1;
    return 2 * most / (a + sqrt(a * a + 4 * b * most));
}

int energy_errors_advise(text *lines, const energy_errors *e, const char *name)
{
    static const int roles[] = { ROLE_REFRESH, ROLE_ACTION };
    int count = 0;
    for (int i = 0; i < 2; i++) {
        const int role = roles[i];
        const double solves = energy_error_of_solves(e, role), functions = energy_error_of_functions(e, role);
        if (solves > ENERGY_ERROR_MAX) {
            text_add(lines, "%s: residuals.%s: %g may cause an error of dH up to %.2g on this lattice; use at most "
                     "%.1e for an error below %g\n", name, role_keys[role], e->of[role].residual, solves,
                     energy_error_residual(e, role, ENERGY_ERROR_MAX), ENERGY_ERROR_MAX);
            count++;
        }
        if (functions > ENERGY_ERROR_MAX) {
            text_add(lines, "%s: errors.%s: %g may cause an error of dH up to %.2g on this lattice; use at most %.1e "
                     "for an error below %g\n", name, role_keys[role], e->of[role].error, functions,
                     e->of[role].error * ENERGY_ERROR_MAX / functions, ENERGY_ERROR_MAX);
            count++;
        }
    }
    return count;
}
