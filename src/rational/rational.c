/* rational.c - rational approximations: choose order and precision; functions that need no approximation. */
#include "src/rational/rational.h"

#include "src/rational/remez.h"

#include <math.h>
#include <stdlib.h>

#define RN MPFR_RNDN

/* The number of bits is doubled until poles and residues agree with those of half as many bits to AGREED_BITS, more
 * than the 53 bits of a double. */
enum { FIRST_BITS = 192, LAST_BITS = 1536, AGREED_BITS = 60 };

/* ---- f with integer powers, which is itself a sum of partial fractions */

static bool whole_powers(const power_product *f)
{
    for (int j = 0; j < f->count; j++)
        if (f->factor[j].z != 1)
            return false;
    return true;
}

static void four_mass_squared(mpfr_t y, double mass)
{
    mpfr_set_d(y, mass, RN);
    mpfr_sqr(y, y, RN);
    mpfr_mul_ui(y, y, 4, RN);
}

/* prod_(j != k) (4 m_j^2 - 4 m_k^2)^(y_j) */
static double exact_residue(const power_product *f, int k)
{
    mpfr_t product, at, term;
    mpfr_inits2(FIRST_BITS, product, at, term, (mpfr_ptr)NULL);
    mpfr_set_ui(product, 1, RN);
    four_mass_squared(at, f->factor[k].mass);
    for (int j = 0; j < f->count; j++) {
        if (j == k)
            continue;
        four_mass_squared(term, f->factor[j].mass);
        mpfr_sub(term, term, at, RN);
        mpfr_pow_si(term, term, f->factor[j].y, RN);
        mpfr_mul(product, product, term, RN);
    }
    double residue = mpfr_get_d(product, RN);
    mpfr_clears(product, at, term, (mpfr_ptr)NULL);
    return residue;
}

static int by_mass(const void *a, const void *b)
{
    double m = ((const mass_power *)a)->mass, n = ((const mass_power *)b)->mass;
    return (m > n) - (m < n);
}

/* The number of poles of f; -1 with the reason if it is not a constant plus simple poles. */
static int exact_poles(const power_product *f, failure *why)
{
    int above = 0, below = 0;
    for (int j = 0; j < f->count; j++) {
        int y = f->factor[j].y;
        if (y < -1) {
            fail(why, "(x + 4*%g^2)^(%d) has a multiple pole, and is no sum of simple poles: use more pseudofermions, "
                      "each with a smaller power", f->factor[j].mass, y);
            return -1;
        }
        *(y > 0 ? &above : &below) += abs(y);
    }
    if (above > below) {
        fail(why, "the function grows like x^%d, but a constant plus simple poles is bounded: use more pseudofermions, "
                  "each with a smaller power", above - below);
        return -1;
    }
    return below;
}

static void set_exact(rational *r, const power_product *f)
{
    power_product sorted = *f;
    int sum = 0;
    qsort(sorted.factor, (size_t)sorted.count, sizeof *sorted.factor, by_mass);
    r->order = 0;
    r->error = 0;
    for (int j = 0; j < sorted.count; j++) {
        sum += sorted.factor[j].y;
        if (sorted.factor[j].y > 0)
            continue;
        r->residue[r->order] = exact_residue(&sorted, j);
        r->pole[r->order++] = 4 * sorted.factor[j].mass * sorted.factor[j].mass;
    }
    r->constant = sum == 0;
}

/* ---- the best approximation of a given order */

static bool agree(const mpfr_t a, const mpfr_t b)
{
    mpfr_t off;
    mpfr_init2(off, FIRST_BITS);
    mpfr_sub(off, a, b, RN);
    mpfr_div(off, off, b, RN);
    bool same = fabs(mpfr_get_d(off, RN)) <= ldexp(1, -AGREED_BITS);
    mpfr_clear(off);
    return same;
}

static bool all_agree(const remez *a, const remez *b)
{
    bool same = agree(*a->constant, *b->constant);
    for (int k = 0; k < b->order; k++)
        same = same && agree(a->pole[k], b->pole[k]) && agree(a->residue[k], b->residue[k]);
    return same;
}

static void copy_remez(rational *r, const remez *from)
{
    r->order = from->order;
    r->error = remez_error(from);
    r->constant = mpfr_get_d(*from->constant, RN);
    for (int k = 0; k < r->order; k++) {
        r->pole[k] = mpfr_get_d(from->pole[k], RN);
        r->residue[k] = mpfr_get_d(from->residue[k], RN);
    }
}

static bool minimax(rational *r, const power_product *f, int order, failure *why)
{
    const double spread = 1e-22;      /* relative, of the extrema; poles and residues are off by ten times it */
    remez *coarse = NULL, *fine = NULL;
    bool done = false, refused = false;
    for (int bits = FIRST_BITS; !done && !refused && bits <= LAST_BITS; bits *= 2) {
        fine = remez_create(f, r->lower, r->upper, order, bits);
        if (coarse)
            remez_copy_points(fine, coarse);
        bool solved = remez_exchange(fine, spread, why) && remez_partial_fractions(fine, why);
        /* It failed although its error is far above rounding: more bits would not help. */
        refused = !solved && remez_error(fine) > ldexp(1, -bits / 4);
        if (solved && coarse && all_agree(fine, coarse)) {
            done = remez_verify(fine, why);
            refused = !done;
        } else if (solved) {
            fail(why, "poles and residues have not converged with %d bits", bits);
        }
        remez_free(coarse);
        coarse = solved && !done ? fine : NULL;
        if (done)
            copy_remez(r, fine);
        if (fine != coarse)
            remez_free(fine);
    }
    remez_free(coarse);
    return done;
}

/* The same; also checks the result after rounding to doubles, at many more points. */
static bool minimax_in_doubles(rational *r, const power_product *f, int order, failure *why)
{
    const double slack = 1.001, useless = 1e-7;
    if (!minimax(r, f, order, why))
        return false;
    double rounding = rational_rounding(r, r->lower, r->upper), seen = rational_error_seen(r, r->lower, r->upper);
    if (!(rounding < useless))
        return fail(why, "constant and residues cancel, so that rounding causes an error of %.1g: use more fields, "
                         "each with a smaller power", rounding);
    if (!(seen <= slack * r->error + rounding))
        return fail(why, "with %d poles the exchange ended at an error of %.3g, but its maximum is %.3g", order,
                    r->error, seen);
    return true;
}

/* The discontinuity of f across its branch cut may change its sign (masses in numerator and denominator).  Then an
 * order may fail although the next one succeeds. */
static bool minimax_for_error(rational *r, const power_product *f, int order, double wanted, failure *why)
{
    enum { TRIES = 8 };
    for (int i = 0; i < TRIES && order + i <= RATIONAL_POLES; i++)
        if (minimax_in_doubles(r, f, order + i, why)) {
            if (r->error <= wanted)
                return true;
            fail(why, "%d poles reach an error of %.6g, but the goal is %g", order + i, r->error, wanted);
        }
    return false;
}

/* ---- the order for a given error */

/* The error at `order`, to one part in a thousand; infinite if there is no approximation. */
static double error_of_order(const rational *r, const power_product *f, int order, failure *why)
{
    const double spread = 1e-3;
    remez *rough = remez_create(f, r->lower, r->upper, order, FIRST_BITS);
    double error = remez_exchange(rough, spread, why) ? remez_error(rough) : INFINITY;
    remez_free(rough);
    return error;
}

/* The lowest order with an error of at most `wanted`, -1 if there is none.  The error falls by about the same factor
 * from order to order.  This predicts the next order to try, between one that does not suffice and one that does.  If
 * the discontinuity of f changes its sign, every second order may have no approximation. */
static int find_order(const rational *r, const power_product *f, double wanted, failure *why)
{
    int too_low = -1, enough = RATIONAL_POLES + 1, next = 4;
    double error[RATIONAL_POLES + 2] = { 0 };
    while (enough - too_low > 1) {
        error[next] = error_of_order(r, f, next, why);
        *(error[next] <= wanted ? &enough : &too_low) = next;
        int guess = next + 1;
        if (isfinite(error[next])) {
            double slope = log(1 / error[next]) / (next + 1);
            if (too_low >= 0 && enough <= RATIONAL_POLES && isfinite(error[too_low]))
                slope = log(error[too_low] / error[enough]) / (enough - too_low);
            guess = next + (int)ceil(log(error[next] / wanted) / fmax(slope, 0.1));
        }
        next = guess <= too_low ? too_low + 1 : guess >= enough ? enough - 1 : guess;
    }
    if (enough > RATIONAL_POLES) {
        if (isfinite(error[RATIONAL_POLES]))
            fail(why, "%d poles reach an error of %.2g, but the goal is %g", RATIONAL_POLES, error[RATIONAL_POLES],
                 wanted);
        return -1;
    }
    while (enough > 1 && isinf(error[enough - 1]) && error_of_order(r, f, enough - 2, why) <= wanted)
        enough -= 2;
    return enough;
}

/* ---- exported functions */

static bool start_exchange(rational *r, power_product *collected, rational_goal goal, failure *why)
{
    const double lower = goal.lower, upper = goal.upper;
    *r = (rational){ .target = *goal.f, .lower = lower, .upper = upper, .constant = 1 };
    if (!power_product_collect(collected, goal.f, why))
        return false;
    if (!(lower >= 0) || !(upper > lower) || !isfinite(upper))
        return fail(why, "[%g, %g] is not a valid range", lower, upper);
    for (int j = 0; j < collected->count; j++)
        if (!(lower + 4 * collected->factor[j].mass * collected->factor[j].mass > 0))
            return fail(why, "with mass %g it is singular at x = 0", collected->factor[j].mass);
    return true;
}

/* Adds the function and its range to the reason. */
static bool report_reason(failure *why, const failure *reason, rational_goal goal)
{
    text what = { 0 };
    power_product_describe(&what, goal.f);
    fail(why, "no rational function for %.400s on [%g, %g]: %.500s", text_string(&what), goal.lower, goal.upper,
         reason->why);
    text_free(&what);
    return false;
}

/* With `order` poles; if `order` is negative, with as many as the error needs. */
static bool make_function(rational *r, rational_goal goal, int order, failure *why)
{
    power_product g;
    failure reason = { .why = "" };
    bool ok = start_exchange(r, &g, goal, &reason);
    int exact = ok && whole_powers(&g) ? exact_poles(&g, &reason) : RATIONAL_POLES + 1;
    if (exact < 0) {
        ok = false;
    } else if (ok && (exact <= order || (order < 0 && exact <= RATIONAL_POLES))) {
        set_exact(r, &g);
    } else if (ok && order >= 0) {
        ok = minimax_in_doubles(r, &g, order, &reason);
    } else if (ok) {
        order = find_order(r, &g, goal.error, &reason);
        ok = order >= 0 && minimax_for_error(r, &g, order, goal.error, &reason);
    }
    mpfr_free_cache();
    return ok || report_reason(why, &reason, goal);
}

bool rational_make_order(rational *r, const power_product *f, double lower, double upper, int order, failure *why)
{
    if (order < 0 || order > RATIONAL_POLES)
        return fail(why, "a rational function with %d poles; allowed are 0 to %d", order, RATIONAL_POLES);
    return make_function(r, (rational_goal){ .f = f, .lower = lower, .upper = upper }, order, why);
}

bool rational_make(rational *r, rational_goal goal, failure *why)
{
    if (!(goal.error >= RATIONAL_LEAST_ERROR) || !(goal.error < 1))
        return fail(why, "the error of a rational function must be from %g to below 1, not %g", RATIONAL_LEAST_ERROR,
                    goal.error);
    return make_function(r, goal, -1, why);
}
