/* rational_set.c - the three functions of a pseudofermion: compute them for given masses, check them. */
#include "src/rational/rational.h"

#include <stdlib.h>

static int common_divisor(int a, int b)
{
    return b == 0 ? abs(a) : common_divisor(b, a % b);
}

/* The product over quarks of (x + 4 m^2)^(sign flavors / taste_roots). */
static power_product powers(const mass_flavors *quarks, int count, int sign, int taste_roots)
{
    power_product f = { .count = count };
    for (int j = 0; j < count; j++)
        f.factor[j] = (mass_power){ quarks[j].mass, sign * quarks[j].flavors, taste_roots };
    return f;
}

rational_targets rational_set_targets(const mass_flavors *quarks, int count, int roots)
{
    enum { TASTES = 4 };
    int all = roots;
    for (int j = 0; j < count; j++)
        all = common_divisor(all, quarks[j].flavors);
    mass_flavors share[RATIONAL_FACTORS];
    for (int j = 0; j < count; j++)
        share[j] = (mass_flavors){ quarks[j].mass, quarks[j].flavors / all };
    roots /= all;
    return (rational_targets){ .force = powers(share, count, -1, TASTES * roots),
                               .refresh = powers(share, count, 1, 2 * TASTES * roots),
                               .action = powers(share, count, -1, 2 * TASTES * roots) };
}

static bool make_one(rational *r, const power_product *f, double error, const rational_set_goal *goal,
                     const char *name, failure *why)
{
    failure reason;
    return rational_cached(r, goal->cache, (rational_goal){ .f = f, .upper = goal->upper, .error = error }, &reason)
           || fail(why, "%s: %s", name, reason.why);
}

bool rational_set_make(rational_set *set, const rational_set_goal *goal, failure *why)
{
    const int count = goal->count, roots = goal->roots;
    if (count < 0 || count > RATIONAL_FACTORS)
        return fail(why, "%d masses in a pseudofermion, but at most %d are allowed", count, RATIONAL_FACTORS);
    if (roots < 1)
        return fail(why, "%d equal pseudofermions: at least 1 is required", roots);
    rational_targets target = rational_set_targets(goal->quark, count, roots);
    *set = (rational_set){ 0 };
    return make_one(&set->force, &target.force, goal->error->force, goal, "force", why)
           && make_one(&set->refresh, &target.refresh, goal->error->refresh, goal, "refresh", why)
           && make_one(&set->action, &target.action, goal->error->action, goal, "action", why);
}

static bool agrees(const rational *r, double lower, double upper, double tolerance, const char *name, failure *why)
{
    power_product collected;
    text what = { 0 };
    bool ok = power_product_collect(&collected, &r->target, why);
    power_product_describe(&what, &r->target);
    for (int k = 0; ok && k < r->order; k++)
        if (!(r->pole[k] > -lower))
            ok = fail(why, "the function of the %s is singular on [%g, %g]: pole %d is %g", name, lower, upper, k + 1,
                      r->pole[k]);
    double seen = ok ? rational_error_seen(r, lower, upper) : 0;
    if (ok && !(seen <= tolerance + rational_rounding(r, lower, upper)))
        ok = fail(why, "the poles of the %s do not belong to its masses and powers: the relative difference from "
                       "%.400s is %.3g on [%g, %g]; allowed is %.3g", name, text_string(&what), seen, lower, upper,
                  tolerance);
    text_free(&what);
    return ok;
}

bool rational_set_check(const rational_set *set, double lower, double upper, const rational_errors *tolerances,
                        failure *why)
{
    if (!(lower >= 0) || !(upper > lower))
        return fail(why, "[%g, %g] is not a valid range", lower, upper);
    if (!agrees(&set->force, lower, upper, tolerances->force, "force", why)
        || !agrees(&set->refresh, lower, upper, tolerances->refresh, "refresh", why)
        || !agrees(&set->action, lower, upper, tolerances->action, "action", why))
        return false;
    if (!power_products_cancel(&set->action.target, 1, &set->refresh.target, 1))
        return fail(why, "the powers of the action are not the negative powers of the refresh");
    if (!power_products_cancel(&set->force.target, 1, &set->refresh.target, 2))
        return fail(why, "the powers of the force are not -2 times the powers of the refresh");
    return true;
}
