/* effective_mass.c - m(t) of a mean correlator, and its derivatives by C(t-s), C(t) and C(t+s). */
#include "src/measure/effective_mass.h"

#include "src/base/memory.h"
#include "src/measure/baryons.h"
#include "src/measure/meson_mass.h"

#include <math.h>
#include <stdio.h>

/* With x = (C(t-s) + C(t+s)) / (2 C(t)) and slope = dm/dx / (2 C(t)) = 1 / [2 C(t) s (x^2 - 1)^1/2]:
 * dm = slope [dC(t-s) + dC(t+s) - 2 x dC(t)]. */
static void report_effective_mass(const measured_table *of, const table_mean *t, int now, double *gradient,
                                  table_listener *emit,
                      void *out)
{
    const int times = t->rows, step = of->step % times;
    const int before = (now - step + times) % times, after = (now + step) % times;
    const double x = (t->mean[before] + t->mean[after]) / (2 * t->mean[now]);
    const double mass = acosh(x) / of->step, slope = 1 / (2 * t->mean[now] * of->step * sqrt(x * x - 1));
    char key[32];
    if (!(x > 1) || !isfinite(mass) || !isfinite(slope))
        return;
    snprintf(key, sizeof key, "%s_m_eff(%d)", of->prefix, now);
    for (int k = 0; k < times; k++)
        gradient[k] = 0;
    gradient[before] += slope;
    gradient[after] += slope;
    gradient[now] -= 2 * x * slope;
    emit(out, &(table_number){ .key = key, .value = mass, .gradient = gradient, .point = true, .x = now,
                                .unit = "1/a_t" });
}

static void report_effective_masses(const measured_table *of, const table_mean *t, table_listener *emit, void *out)
{
    if (t->columns != 1)
        return;
    double *gradient = memory_alloc((size_t)t->rows * sizeof *gradient, "effective masses");
    for (int now = 0; now < t->rows; now++)
        report_effective_mass(of, t, now, gradient, emit, out);
    memory_free(gradient);
}

/* dm = dC(t)/C(t) - dC(t+1)/C(t+1) */
static void report_baryon_mass(const measured_table *of, const table_mean *t, int now, double *gradient,
                               table_listener *emit, void *out)
{
    const double here = t->mean[now], next = t->mean[now + 1];
    char key[32];
    if (!(here > 0) || !(next > 0))
        return;
    snprintf(key, sizeof key, "%s_m_eff(%d)", of->prefix, now);
    for (int k = 0; k < t->rows; k++)
        gradient[k] = 0;
    gradient[now] = 1 / here;
    gradient[now + 1] = -1 / next;
    emit(out, &(table_number){ .key = key, .value = log(here / next), .gradient = gradient, .point = true, .x = now,
                                .unit = "1/a_t" });
}

static void report_baryon_masses(const measured_table *of, const table_mean *t, table_listener *emit, void *out)
{
    if (t->columns != 1)
        return;
    double *gradient = memory_alloc((size_t)t->rows * sizeof *gradient, "effective masses");
    for (int now = 0; now + 1 <= t->rows / 2 && now + 1 < t->rows; now++)
        report_baryon_mass(of, t, now, gradient, emit, out);
    memory_free(gradient);
}

/* The times of baryon_mass: the effective masses from the first to the one before the last. */
static void range_of_baryon_mass(double *from, double *to, int times)
{
    int first, last;
    baryon_mass_times(&first, &last, times);
    *from = first;
    *to = last - 1;
}

/* The times of meson_mass, the mass that a run reports. */
static void range_of_mass(double *from, double *to, int times)
{
    const int middle = times / 2, d = meson_mass_distance(times);
    *from = middle - d;
    *to = middle + d;
}

#define EFFECTIVE_MASS(of, p, s, ...)                                                                                  \
    { .title = "effective mass", .x_label = "t/a_t", .y_label = "a_t m(t)", .name = of, .prefix = p, .many = true,     \
      .step = s, .report_numbers = report_effective_masses, __VA_ARGS__ }
#define BARYON_MASS(of, ...)                                                                                           \
    { .title = "effective mass", .x_label = "t/a_t", .y_label = "a_t m(t)", .name = of, .prefix = of, .many = true,    \
      .step = 1, .report_numbers = report_baryon_masses, __VA_ARGS__ }
const measured_table effective_mass_of_nucleon = BARYON_MASS("nucleon", .plateau = { "nucleon_mass",
                                                                                     range_of_baryon_mass });
const measured_table effective_mass_of_delta = BARYON_MASS("delta", .plateau = { NULL, NULL });
const measured_table effective_mass_of_sigma = BARYON_MASS("sigma", .plateau = { "sigma_mass", range_of_baryon_mass });
const measured_table effective_mass_of_xi = BARYON_MASS("xi", .plateau = { "xi_mass", range_of_baryon_mass });
const measured_table effective_mass_of_lambda = BARYON_MASS("lambda", .plateau = { "lambda_mass",
                                                                                   range_of_baryon_mass });
const measured_table effective_mass_of_pion = EFFECTIVE_MASS("pion", "pion", 1, .plateau = { "pion_mass",
                                                                                         range_of_mass });
const measured_table effective_mass_of_pair = EFFECTIVE_MASS("pair", "pion", 1, .plateau = { NULL, NULL });
const measured_table effective_mass_of_vector = EFFECTIVE_MASS("vector", "vector", 1, .plateau = { NULL, NULL });
const measured_table effective_mass_of_kaon = EFFECTIVE_MASS("kaon", "kaon", 1, .plateau = { NULL, NULL });
const measured_table effective_mass_of_d_meson = EFFECTIVE_MASS("d_meson", "d_meson", 1, .plateau = { NULL, NULL });
const measured_table effective_mass_of_d_s_meson = EFFECTIVE_MASS("d_s_meson", "d_s_meson", 1,
                                                                  .plateau = { NULL, NULL });
const measured_table effective_mass_of_staggered_pair = EFFECTIVE_MASS("pair", "pion", 2, .plateau = { NULL, NULL });
