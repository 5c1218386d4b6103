/* quark_sources.c - random sources of the propagators of quarks with spin, and means over sources. */
#include "src/measure/quark_sources.h"

#include "src/solvers/solve_advice.h"

#include <math.h>

void quark_noise_set(spinor_field source, int number, rng_key key)
{
    const uint32_t first_draw = (uint32_t)number * SOURCE_DRAWS;
    vec_set_gaussian(source.even, key, first_draw);
    vec_set_gaussian(source.odd, key, first_draw);
}

bool solve_totals_add(solve_totals *t, const dirac_solved *s, double mass, const dirac_goal *goal, failure *f)
{
    t->iterations += s->iterations;
    t->residual = fmax(t->residual, s->residual);
    return s->converged || fail(f, "mass %g: residual %.1e after %d iterations, requested %.1e (%s)", mass,
                                s->residual, s->iterations, goal->residual,
                                solve_advice_for(s->spent, s->residual).s);
}

source_mean source_mean_of(const double *values, int count)
{
    double sum = 0, squares = 0;
    for (int i = 0; i < count; i++)
        sum += values[i];
    source_mean m = { sum / count, NAN };
    for (int i = 0; i < count; i++)
        squares += (values[i] - m.value) * (values[i] - m.value);
    if (count > 1)
        m.error = sqrt(squares / (count - 1) / count);
    return m;
}

void source_mean_to_json(json *j, const char *name, const double *values, int count, bool with_values)
{
    const source_mean mean = source_mean_of(values, count);
    text key = { 0 };
    json_real(j, name, mean.value);
    text_add(&key, "%s_error", name);
    json_real(j, text_string(&key), mean.error);
    text_clear(&key);
    text_add(&key, "%s_sources", name);
    if (with_values)
        json_reals(j, text_string(&key), values, count);
    text_free(&key);
}

double plateau_mean(const double *values, int times, double plateau)
{
    double sum = 0;
    int count = 0;
    for (int t = 0; t < times; t++) {
        const int distance = t <= times - t ? t : times - t;
        if (distance >= plateau * times) {
            sum += values[t];
            count++;
        }
    }
    return sum / count;
}
