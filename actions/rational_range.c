/* rational_range.c - ranges and powers for quarks of one flavor. */
#include "actions/rational_range.h"

#include "src/base/log.h"

#include <math.h>

/* A measured range is replaced when an end of the spectrum is closer to an end of the range than this factor. */
#define RANGE_NEAR 1.02

/* Number of trajectories between two measurements. */
enum { MEASURE_EVERY = 10 };

rational_range rational_range_of(const quark_factor_plan *p)
{
    const bool given = p->given.smallest && p->given.largest;
    return given ? (rational_range){ p->smallest, p->largest, .given = true } : (rational_range){ 0 };
}

static void forget(rational_range *r)
{
    r->smallest = r->largest = 0;
    r->provisional = false;
}

bool rational_range_begin(rational_range *r, int64_t number)
{
    if (r->provisional)
        forget(r);
    r->renewed = false;
    r->found_smallest = r->found_largest = 0;
    return r->largest == 0 || r->due || number == 1 || number % MEASURE_EVERY == 0;
}

/* x rounded by `whole` (floor or ceil) to a mantissa of four bits. */
static double rounded(double x, double (*whole)(double))
{
    int exponent;
    double mantissa = frexp(x, &exponent);
    return ldexp(whole(16 * mantissa), exponent - 4);
}

bool rational_range_found(rational_range *r, bool *changed, const spectrum_ends *ends, const ranged_kind *kind,
                          failure *why)
{
    const char *matrix = kind->matrix;
    const double smallest = ends->smallest, largest = ends->largest;
    *changed = false;
    if (!(smallest > 0 && isfinite(smallest) && largest > 0 && isfinite(largest)))
        return fail(why, "the measured spectrum of %s is %g to %g, but its ends must be positive numbers", matrix,
                    smallest, largest);
    r->found_smallest = smallest;
    r->found_largest = largest;
    r->due = false;
    if (r->given) {
        if (smallest < r->smallest)
            return fail(why, "the smallest eigenvalue of %s is %.4g, below %.4g, the lower end of the range of the "
                             "rational functions: reduce smallest_eigenvalue", matrix, smallest, r->smallest);
        if (largest > r->largest)
            return fail(why, "the largest eigenvalue of %s is %.4g, above %.4g, the end of the range of the rational "
                             "functions: raise largest_eigenvalue", matrix, largest, r->largest);
        return true;
    }
    if (largest * RANGE_NEAR <= r->largest && smallest >= r->smallest * RANGE_NEAR)
        return true;
    *changed = true;
    r->renewed = r->largest > 0;
    if (r->renewed)
        log_line(LOG_WARNING, "eigenvalues of %s from %.4g to %.4g: computing new rational functions", matrix,
                 smallest, largest);
    r->smallest = rounded(smallest * kind->below, floor);
    r->largest = rounded(largest * kind->above, ceil);
    r->provisional = ends->number == 0;
    return true;
}

int rational_range_get_memory(const rational_range *r, double values[2])
{
    values[0] = r->provisional ? 0 : r->smallest;
    values[1] = r->provisional ? 0 : r->largest;
    return 2;
}

bool rational_range_set_memory(rational_range *r, const double *values, int count)
{
    if (count < 2)
        return false;
    r->provisional = false;
    if (values[0] == r->smallest && values[1] == r->largest)
        return false;
    r->due = true;
    if (r->given)                                 /* the input takes precedence over the state */
        return false;
    r->due = values[1] == 0;
    r->smallest = values[0];
    r->largest = values[1];
    return true;
}

void rational_range_report(const rational_range *r, json *j)
{
    json_open(j, "spectrum", '{');
    if (r->found_largest > 0) {
        json_real(j, "smallest_eigenvalue", r->found_smallest);
        json_real(j, "largest_eigenvalue", r->found_largest);
    }
    json_real(j, "range_begin", r->smallest);
    json_real(j, "range_end", r->largest);
    if (r->renewed)
        json_bool(j, "range_renewed", true);
    json_close(j);
}

void rational_range_row(rational_range *r, number_row *row)
{
    number_row_real(row, &r->found_smallest);
    number_row_real(row, &r->found_largest);
    number_row_bool(row, &r->renewed);
    number_row_bool(row, &r->due);
}

bool ranged_fail_ends(const quark_factor *x, const quark_context *q, int matrix, spectral_range found,
                      monomial_call *c)
{
    text mass = { 0 };
    q->plan->kind->describe(&mass, q->plan, matrix);
    fail(&c->failure, "factor %d: the measured spectrum of C^+C for m = %s is %g to %g, but its ends must be positive "
                      "numbers", x->index, text_string(&mass), found.smallest, found.largest);
    text_free(&mass);
    return false;
}

void ranged_begin(ranged_factor *r, const ranged_kind *kind, const quark_factor_plan *p)
{
    failure f;
    r->kind = kind;
    r->range = rational_range_of(p);
    if (r->range.largest > 0)
        require(kind->make(r, &f), "%s", f.why);
}

static bool measure(quark_factor *x, const quark_context *q, int64_t number, monomial_call *c)
{
    ranged_factor *r = x->data;
    const ranged_kind *kind = r->kind;
    spectrum_ends ends = { .number = number };
    bool changed;
    failure why;
    monomial_time_begin(c, "spectrum");
    bool found = kind->ends(&ends, x, q, c);
    monomial_time_end(c);
    if (!found)
        return false;
    if (!rational_range_found(&r->range, &changed, &ends, kind, &why)
        || (changed && !kind->make(r, &why)))
        return fail(&c->failure, "factor %d: %s", x->index, why.why);
    return true;
}

bool ranged_ready(quark_factor *x, const quark_context *q, monomial_call *c)
{
    const ranged_factor *r = x->data;
    return r->range.largest > 0 || measure(x, q, 0, c);
}

bool ranged_prepare(quark_factor *x, const quark_context *q, int64_t number, monomial_call *c)
{
    ranged_factor *r = x->data;
    return !rational_range_begin(&r->range, number) || measure(x, q, number, c);
}

int ranged_get_memory(const void *data, double values[QUARK_FACTOR_MEMORY])
{
    const ranged_factor *r = data;
    return rational_range_get_memory(&r->range, values);
}

int ranged_set_memory(void *data, const double *values, int count)
{
    ranged_factor *r = data;
    failure f;
    if (rational_range_set_memory(&r->range, values, count) && r->range.largest > 0)
        require(r->kind->make(r, &f), "%s", f.why);
    return count < 2 ? count : 2;
}

void ranged_report(const ranged_factor *r, json *j)
{
    rational_range_report(&r->range, j);
    quark_start_report(&r->start, j);
}

void ranged_progress(void *data, number_row *row)
{
    ranged_factor *r = data;
    rational_range_row(&r->range, row);
    quark_start_row(&r->start, row);
}

bool rational_power(rational *r, int y, int z, const rational_range *range, double error, failure *why)
{
    const power_product f = { 1, { { 0, y, z } } };
    text cache = { 0 };
    const char *folder = rational_cache_folder(&cache) ? text_string(&cache) : NULL;
    failure reason;
    const rational_goal goal = { .f = &f, .lower = range->smallest, .upper = range->largest, .error = error };
    bool ok = rational_cached(r, folder, goal, &reason)
              || fail(why, "x^(%d/%d) between the eigenvalues %g and %g with an error of %g: %s", y, z, range->smallest,
                      range->largest, error, reason.why);
    text_free(&cache);
    return ok;
}

/* With n poles the error is about 4 |sin(pi y/z)| exp(-pi^2 (2n+1) / ln(16 largest/smallest)).  For y/z = +-1/2 this is
 * the asymptotic law of E. I. Zolotarev's approximation; for other powers it agrees with the errors of the best
 * approximations within 5 %. */
int rational_power_poles(int y, int z, const rational_range *range, double error)
{
    const double pi = 3.14159265358979324;
    double period = log(16 * range->largest / range->smallest) / (pi * pi);
    return (int)ceil((period * log(4 * fabs(sin(pi * y / z)) / error) - 1) / 2);
}

bool rational_power_check(const planned_power *power, const quark_factor_plan *p, failure *why)
{
    const int y = power->y, z = power->z, most = power->most, role = power->role;
    if (p->given.smallest != p->given.largest || (p->given.smallest && p->smallest > p->largest))
        return fail(why, "give both smallest_eigenvalue and largest_eigenvalue, with smallest_eigenvalue <= "
                         "largest_eigenvalue, or neither: Kiln then measures both");
    const rational_range given = rational_range_of(p), *range = given.given ? &given : power->expected;
    int poles = rational_power_poles(y, z, range, p->error.of[role]);
    return poles <= most
           || fail(why, "%s: x^(%d/%d) with an error of %g for eigenvalues from %g to %g needs %d poles, but at most "
                        "%d are allowed", role_names[role], y, z, p->error.of[role], range->smallest, range->largest,
                   poles, most);
}
