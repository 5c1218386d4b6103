/* stability.c - the trace of one cycle of a scheme, applied to harmonic oscillators of growing frequency. */
#include "integrators/stability.h"

#include <math.h>

#define RESOLUTION 0.01
#define MOST 10.0                          /* no scheme is stable up to here */
#define ROUNDING 1e-6

/* Runs one cycle with steps of length 1 on z = (q, p) of a harmonic oscillator of frequency w, whose force belongs to
 * `level`. */
static void run_cycle(double z[2], const md_step *cycle, int factors, int level, double w)
{
    const double w2 = w * w;
    for (int i = 0; i < factors; i++) {
        const md_step *step = &cycle[i];
        if (step->what == MD_DRIFT)
            z[0] += step->dt * z[1];
        else if (step->level == level)
            z[1] -= step->dt * w2 * z[0] * (1 - step->displacement * w2);
    }
}

double scheme_stability(const scheme *s, double lambda)
{
    md_step cycle[SCHEME_FACTORS];
    const int factors = scheme_cycle(cycle, s, lambda), level = s->gauge_kicks > 0 ? 1 : 0;
    double w = RESOLUTION;
    for (; w < MOST; w += RESOLUTION) {
        double a[2] = { 1, 0 }, b[2] = { 0, 1 };
        run_cycle(a, cycle, factors, level, w);
        run_cycle(b, cycle, factors, level, w);
        if (fabs(a[0] + b[1]) > 2 + ROUNDING)
            break;
    }
    return w - RESOLUTION;
}

void longest_steps(double *longest, const level_params *levels, int count)
{
    double outside = 1;
    for (int e = 0; e < count; e++) {
        md_step cycle[SCHEME_FACTORS];
        const int factors = scheme_cycle(cycle, scheme_get(levels[e].integrator), levels[e].lambda);
        double drift = 0;
        longest[e] = outside / (double)levels[e].steps;
        for (int i = 0; i < factors; i++)
            if (cycle[i].what == MD_DRIFT)
                drift = fmax(drift, fabs(cycle[i].dt));
        outside = longest[e] * drift;
    }
}
