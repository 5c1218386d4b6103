/* static_potential.c - logarithms of ratios of mean loops, the force, and where r^2 F(r) reaches a level; with the
 * derivatives of all by the mean loops. */
#include "src/measure/static_potential.h"

#include "src/base/memory.h"
#include "src/base/json_members.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

const char *const force_distance_names[] = { "midpoint", "wilson", NULL };
enum { SET_TIME, SET_DISTANCE, SET_XI };

/* r^2 F(r) at r0 (R. Sommer, hep-lat/9310022) and at r1 (C. Bernard et al., hep-lat/0002028) */
static const struct { const char *key; double level; } scales[] = { { "r0", 1.65 }, { "r1", 1 } };
enum { SCALES = sizeof scales / sizeof *scales };

static void read_settings(double setting[TABLE_SETTINGS], yyjson_val *result)
{
    const char *distance = json_member_text(result, "distance");
    double t, xi;
    setting[SET_XI] = json_member_real(result, "xi", &xi) && xi > 0 ? xi : 1;
    setting[SET_TIME] = json_member_real(result, "t_potential", &t) && t >= 0 && t < INT_MAX ? t : 0;
    setting[SET_DISTANCE] = distance && strcmp(distance, force_distance_names[FORCE_AT_WILSON_TREE]) == 0;
}

int static_potential_time(int wanted, int t_max)
{
    const int t = wanted > 0 ? wanted : POTENTIAL_TIME < t_max ? POTENTIAL_TIME : t_max - 1;
    return t < t_max ? t : 0;
}

/* G(r-1) - G(r), the integral over the momentum in the direction of r done in closed form:
 *     integral dp/(2 pi) exp(ipr) / (4 sin^2(p/2) + A) = exp(-E r) / (2 sinh E),   cosh E = 1 + A/2
 * The other two by midpoints, by symmetry in 0 < k2 <= k1 < pi. */
static double propagator_difference(int r)
{
    enum { MOMENTA = 512 };
    double sum = 0;
    for (int i = 0; i < MOMENTA / 2; i++)
        for (int j = 0; j <= i; j++) {
            const double k1 = M_PI * (i + 0.5) / MOMENTA, k2 = M_PI * (j + 0.5) / MOMENTA;      /* half momenta */
            const double energy = acosh(1 + 2 * (sin(k1) * sin(k1) + sin(k2) * sin(k2)));
            sum += (i == j ? 4 : 8) * exp(-energy * (r - 1)) * (1 - exp(-energy)) / (2 * sinh(energy));
        }
    return sum / ((double)MOMENTA * MOMENTA);
}

double static_force_distance(force_distance d, int r)
{
    return d == FORCE_AT_MIDPOINT ? r - 0.5 : 1 / sqrt(4 * M_PI * propagator_difference(r));
}

/* The potential of a row in units of the spacing in space, NaN if the loops are not positive, and its derivatives by
 * the loops at t and t + 1. */
typedef struct { const table_mean *t; int time; double *gradient; double xi; } potential;

static double loop_at(const potential *p, int row, int t)
{
    return p->t->mean[row * p->t->columns + t - 1];
}

static double value_of(const potential *p, int row)
{
    const double now = loop_at(p, row, p->time), next = loop_at(p, row, p->time + 1);
    return now > 0 && next > 0 ? p->xi * log(now / next) : NAN;
}

static void add_gradient(const potential *p, int row, double weight)
{
    double *g = p->gradient + row * p->t->columns;
    g[p->time - 1] += weight * p->xi / loop_at(p, row, p->time);
    g[p->time] -= weight * p->xi / loop_at(p, row, p->time + 1);
}

static void clear_gradient(const potential *p)
{
    for (int k = 0; k < p->t->rows * p->t->columns; k++)
        p->gradient[k] = 0;
}

static double length_of(const int v[3])
{
    return sqrt((double)(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]));
}

/* "V(2)" on an axis, "V(2,2,0)" off them */
static void format_key(char *key, size_t size, const int v[3], int n)
{
    if (v[1] == 0)
        snprintf(key, size, "V(%d)", n);
    else
        snprintf(key, size, "V(%d,%d,%d)", n * v[0], n * v[1], n * v[2]);
}

static void report_points(const measured_table *of, const potential *p, table_listener *emit, void *out)
{
    for (int row = 0; row < p->t->rows; row++) {
        char key[48];
        const double v = value_of(p, row);
        if (!isfinite(v))
            continue;
        format_key(key, sizeof key, of->vector, row + 1);
        clear_gradient(p);
        add_gradient(p, row, 1);
        emit(out, &(table_number){ .key = key, .value = v, .gradient = p->gradient, .point = true, .unit = "1/a_s",
                                  .x = (row + 1) * length_of(of->vector) });
    }
}

/* F at distance[row] between the rows row - 1 and row, for rows from 1 on. */
typedef struct { const potential *p; const double *distance; } force;

static double force_at(const force *f, int row)
{
    return value_of(f->p, row) - value_of(f->p, row - 1);
}

typedef struct { double f1, f2; } force_law;               /* F = f1 + f2/r^2 */

/* The law through the forces of rows row - 1 and row. */
static force_law law_at(const force *f, int row)
{
    const double a = pow(f->distance[row - 1], -2), b = pow(f->distance[row], -2);
    const double f2 = (force_at(f, row - 1) - force_at(f, row)) / (a - b);
    return (force_law){ force_at(f, row) - f2 * b, f2 };
}

/* The integral of the force, V = c + f1 r - f2/r, over the three distances of the two forces; c fits the middle
 * one. */
static table_fit potential_of(const force *f, int row)
{
    const force_law law = law_at(f, row);
    const double middle = row;
    return (table_fit){ .from = row - 1, .to = row + 1,
                        .c = { value_of(f->p, row - 1) - law.f1 * middle + law.f2 / middle, law.f1, -law.f2 } };
}

/* F = f1 + f2/r^2 through rows row - 1 and row; r = sqrt[(level - f2)/f1], with its derivatives by both forces. */
static double crossing_at(const force *f, int row, double level)
{
    const double a = pow(f->distance[row - 1], -2), b = pow(f->distance[row], -2);
    const double f1 = law_at(f, row).f1, f2 = law_at(f, row).f2, r = sqrt((level - f2) / f1);
    const double by_f1 = -r / (2 * f1), by_f2 = -1 / (2 * r * f1) - b * by_f1;      /* f1 at fixed force of row */
    const double by_before = by_f2 / (a - b), by_row = by_f1 - by_f2 / (a - b);
    clear_gradient(f->p);
    add_gradient(f->p, row - 2, -by_before);
    add_gradient(f->p, row - 1, by_before - by_row);
    add_gradient(f->p, row, by_row);
    return r;
}

static void report_no_scale(const char *key, const char *why, table_listener *emit, void *out)
{
    emit(out, &(table_number){ .key = key, .value = NAN, .x = NAN, .why = why, .unit = "a_s" });
}

static void report_scale(const char *key, double level, const force *f, int rows, table_listener *emit, void *out)
{
    char why[200];
    const int extent = f->p->t->extent;
    double most = NAN, at = NAN, first = NAN;
    for (int row = 1; row < rows; row++) {
        const double square = f->distance[row] * f->distance[row] * force_at(f, row);
        const double before = row > 1 ? f->distance[row - 1] * f->distance[row - 1] * force_at(f, row - 1) : NAN;
        if (before < level && square >= level) {
            const double r = crossing_at(f, row, level);
            emit(out, &(table_number){ .key = key, .value = r, .gradient = f->p->gradient, .x = NAN, .unit = "a_s",
                                       .fit = potential_of(f, row) });
            return;
        }
        first = row == 1 ? square : first;
        if (isfinite(square) && !(square <= most)) {
            most = square;
            at = f->distance[row];
        }
    }
    if (!isfinite(most))
        snprintf(why, sizeof why, "no two neighboring distances have positive loops");
    else if (first >= level)
        snprintf(why, sizeof why, "r^2 F(r) begins above %g, at r = %.3g", level, f->distance[1]);
    else if (most >= level)
        snprintf(why, sizeof why, "r^2 F(r) is above %g at r = %.3g, but loops at smaller distances are not positive: "
                                  "measure more configurations, or smaller t_potential", level, at);
    else
        snprintf(why, sizeof why, "r^2 F(r) stays below %g: its largest value is %.3g, at r = %.3g; %s", level, most,
                 at, extent > 0 && 2 * rows >= extent ? "distances beyond half of the extent do not help: use a larger "
                                                    "lattice" : "measure larger r_max");
    report_no_scale(key, why, emit, out);
}

/* The time of the potential; 0 if the table has no loops for it. */
static int time_of(const table_mean *t)
{
    return static_potential_time((int)t->setting[SET_TIME], t->columns);
}

static void report_too_short(const table_mean *t, table_listener *emit, void *out)
{
    char why[160];
    const int time = (int)t->setting[SET_TIME];
    snprintf(why, sizeof why, "t_potential %d needs loops up to t = %d, but some configurations have none above t = %d",
             time, time + 1, t->columns);
    for (int s = 0; s < SCALES; s++)
        report_no_scale(scales[s].key, why, emit, out);
}

static void report_on_axis(const measured_table *of, const table_mean *t, table_listener *emit, void *out)
{
    const int time = time_of(t);
    if (time == 0 && t->setting[SET_TIME] > 0)
        report_too_short(t, emit, out);
    if (time == 0)
        return;
    double *memory = memory_alloc((size_t)(t->rows * (t->columns + 1)) * sizeof *memory, "a static potential");
    double *distance = memory + t->rows * t->columns;
    const potential p = { t, time, memory, t->setting[SET_XI] };
    report_points(of, &p, emit, out);
    for (int row = 1; row < t->rows; row++)
        distance[row] = static_force_distance((force_distance)t->setting[SET_DISTANCE], row + 1);
    const force f = { &p, distance };
    for (int s = 0; s < SCALES; s++)
        report_scale(scales[s].key, scales[s].level, &f, t->rows, emit, out);
    memory_free(memory);
}

static void report_off_axis(const measured_table *of, const table_mean *t, table_listener *emit, void *out)
{
    const int time = time_of(t);
    if (time == 0)
        return;
    double *gradient = memory_alloc((size_t)(t->rows * t->columns) * sizeof *gradient, "a static potential");
    report_points(of, &(potential){ t, time, gradient, t->setting[SET_XI] }, emit, out);
    memory_free(gradient);
}

#define POTENTIAL(of, x, y, z, emit)                                                                                   \
    { .title = "static potential", .x_label = "r/a_s", .y_label = "a_s V(r)", .name = of, .vector = { x, y, z },       \
      .read_settings = read_settings, .report_numbers = emit }
const measured_table static_potential_on_axis = POTENTIAL("on the axes", 1, 0, 0, report_on_axis);
const measured_table static_potential_110 = POTENTIAL("(1,1,0)", 1, 1, 0, report_off_axis);
const measured_table static_potential_111 = POTENTIAL("(1,1,1)", 1, 1, 1, report_off_axis);
const measured_table static_potential_210 = POTENTIAL("(2,1,0)", 2, 1, 0, report_off_axis);
