/* test_remez.c - the best rational functions: Chebyshev's criterion, Zolotarev's errors, MILC's poles, exact cases. */
#include "src/rational/rational.h"
#include "src/rational/remez.h"
#include "tests/facts.h"
#include "tests/io/scratch.h"
#include "tests/rational/golden_rational.h"

#include <math.h>

static power_product power(double mass, int y, int z)
{
    return (power_product){ 1, { { mass, y, z } } };
}

/* On eigenvalues of K. */
static rational_goal on_24(const power_product *f, double error)
{
    return (rational_goal){ .f = f, .upper = 24, .error = error };
}

static double relative_difference(double a, double b)
{
    return fabs(a - b) / fabs(b);
}

/* The vertex of the parabola through three values at equal distances, the largest in the middle. */
static double vertex(double left, double middle, double right)
{
    const double slope = (right - left) / 2, curvature = left - 2 * middle + right;
    return curvature == 0 ? middle : middle - slope * slope / (2 * curvature);
}

/* The extrema of r/f - 1 that alternate in sign, on a grid much finer than they are; their sizes' range.  Those between
 * points of the grid are interpolated. */
static int alternating_extrema(const rational *r, double *least, double *largest)
{
    enum { GRID = 160000 };
    static double e[GRID];
    int count = 0;
    *least = INFINITY;
    *largest = 0;
    for (int i = 0; i < GRID; i++)
        e[i] = rational_error_at(r, rational_grid(&r->target, r->lower, r->upper, i, GRID));
    for (int i = 0, top = 0; i <= GRID; i++) {
        if (i < GRID && e[i] * e[top] >= 0) {
            top = fabs(e[i]) > fabs(e[top]) ? i : top;
            continue;
        }
        const bool inside = top > 0 && top < GRID - 1;
        const double size = fabs(inside ? vertex(e[top - 1], e[top], e[top + 1]) : e[top]);
        count++;
        *least = fmin(*least, size);
        *largest = fmax(*largest, size);
        top = i;
    }
    return count;
}

static void best(const power_product *f, int order)
{
    rational r;
    failure why = { .why = "" };
    text name = { 0 };
    double least, largest;
    power_product_describe(&name, f);
    bool made = fact(rational_make_order(&r, f, 0, 24, order, &why), "%s has a best approximation of order %d %s",
                     text_string(&name), order, why.why);
    if (made) {
        int count = alternating_extrema(&r, &least, &largest);
        fact(count == 2 * order + 2, "its error has 2n + 2 extrema of alternating sign (%d)", count);
        const double allowed = 1e-10 + (order > 0 ? rational_rounding(&r, r.lower, r.upper) / r.error : 0);
        fact_close(least / r.error, 1, allowed, "they are of equal size, but for the rounding of doubles: the least");
        fact_close(largest / r.error, 1, allowed, "they are of equal size: the largest");
        bool ascending = true;
        for (int k = 0; k < order; k++)
            ascending = ascending && r.pole[k] > (k ? r.pole[k - 1] : 0);
        fact(ascending, "its poles are positive and ascend");
    }
    text_free(&name);
}

static double agm(double a, double b)
{
    for (int i = 0; i < 60 && a != b; i++) {
        double mean = (a + b) / 2;
        b = sqrt(a * b);
        a = mean;
    }
    return a;
}

/* E. I. Zolotarev: y R(y^2) of degree 2n+1 for the sign of y on sqrt(epsilon) <= |y| <= 1 transforms elliptic functions
 * from modulus k = sqrt(epsilon) to l, K'(l)/K(l) = K'(k) / [(2n+1) K(k)]; error (1-l)/(1+l), and
 * l = prod_i [(1 - p^(2i-1)) / (1 + p^(2i-1))]^4, p = exp(-pi K(l)/K'(l)). */
static double zolotarev(int n, double epsilon)
{
    double k = sqrt(epsilon), ratio = agm(1, k) / agm(1, sqrt(1 - epsilon));      /* K(k) / K'(k) */
    double p = exp(-M_PI * (2 * n + 1) * ratio), log_l = 0;
    for (int i = 1; i < 40; i++)
        log_l += 4 * (log1p(-pow(p, 2 * i - 1)) - log1p(pow(p, 2 * i - 1)));
    return tanh(-log_l / 2);
}

static void inverse_root(void)
{
    static const struct { int order; double epsilon; } all[] = {
        { 1, 0.1 }, { 3, 1e-2 }, { 6, 1e-4 }, { 12, 1e-6 }, { 20, 1e-7 }, { 35, 1e-8 }, { 40, 1e-8 } };
    power_product f = power(0, -1, 2);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        rational r;
        double truth = zolotarev(all[i].order, all[i].epsilon);
        bool made = rational_make_order(&r, &f, all[i].epsilon, 1, all[i].order, NULL);
        fact_close(made ? r.error / truth : NAN, 1, 1e-11,
                   "x^(-1/2) on [%g, 1], order %d: the error is Zolotarev's %.3e", all[i].epsilon, all[i].order, truth);
    }
}

static void like_milc(const rational *milc, const char *name)
{
    rational r;
    double off = 0;
    if (!fact(rational_make_order(&r, &milc->target, milc->lower, milc->upper, milc->order, NULL), "%s: is made", name))
        return;
    for (int k = 0; k < r.order; k++)
        off = worse(off, worse(relative_difference(r.pole[k], milc->pole[k]),
                              relative_difference(r.residue[k], milc->residue[k])));
    fact_close(relative_difference(r.constant, milc->constant), 0, 1e-12, "%s: MILC's constant", name);
    fact_close(off, 0, 1e-12, "%s: MILC's poles and residues", name);
    fact_close(r.error / milc->error, 1, 1e-6, "%s: MILC's error", name);
    rational searched;
    const rational_goal goal = { .f = &milc->target, .lower = milc->lower, .upper = milc->upper,
                                 .error = 1.001 * milc->error };
    bool found = rational_make(&searched, goal, NULL);
    fact(found && searched.order == milc->order, "%s: MILC's order is the least for its error", name);
}

/* Doubles do not change with digits, where poles and residues are as they are in 1024 bits. */
static void digits(const power_product *f, int order, const char *name)
{
    rational r;
    int off = 0;
    remez *fine = remez_create(f, 0, 24, order, 1024);
    bool made = rational_make_order(&r, f, 0, 24, order, NULL) && remez_exchange(fine, 1e-40, NULL)
                && remez_partial_fractions(fine, NULL);
    for (int k = 0; made && k < order; k++)
        off += r.pole[k] != mpfr_get_d(fine->pole[k], MPFR_RNDN)
               || r.residue[k] != mpfr_get_d(fine->residue[k], MPFR_RNDN);
    fact(made && off == 0 && r.constant == mpfr_get_d(*fine->constant, MPFR_RNDN),
         "%s, order %d: 1024 bits give the same doubles (%d differ)", name, order, off);
    remez_free(fine);
    mpfr_free_cache();
}

static void exact(void)
{
    rational r;
    power_product one = { 0 }, none = power(0.1, 0, 4), inverse = power(0.1, -1, 1);
    fact(rational_make(&r, on_24(&one, 1e-10), NULL) && r.order == 0 && r.constant == 1 && r.error == 0,
         "without factors the function is 1");
    fact(rational_make(&r, on_24(&none, 1e-10), NULL) && r.order == 0 && r.constant == 1 && r.error == 0,
         "power 0 is no factor");
    fact(rational_make(&r, on_24(&inverse, 1e-10), NULL) && r.order == 1 && r.constant == 0 && r.residue[0] == 1
         && r.pole[0] == 4 * 0.1 * 0.1, "1/(x + 4 m^2) is its own partial fraction");
    power_product halves = { 2, { { 0.1, -2, 4 }, { 0.1, -1, 2 } } };
    fact(rational_make(&r, on_24(&halves, 1e-10), NULL) && r.order == 1 && r.error == 0 && r.residue[0] == 1,
         "powers of one mass add up");
    power_product ratio = { 2, { { 0.5, 1, 1 }, { 0.25, -1, 1 } } };
    fact(rational_make(&r, on_24(&ratio, 1e-10), NULL) && r.order == 1 && r.constant == 1 && r.residue[0] == 0.75
         && r.pole[0] == 0.25, "(x + 1) / (x + 1/4) = 1 + (3/4) / (x + 1/4)");
    power_product two = { 2, { { 1, -1, 1 }, { 0.5, -1, 1 } } };
    fact(rational_make(&r, on_24(&two, 1e-10), NULL) && r.order == 2 && r.constant == 0 && r.pole[0] == 1
         && r.pole[1] == 4 && relative_difference(r.residue[0], 1.0 / 3) < 1e-15
         && relative_difference(r.residue[1], -1.0 / 3) < 1e-15, "1/((x + 1)(x + 4)) = (1/3)/(x + 1) - (1/3)/(x + 4)");
    fact(rational_make_order(&r, &two, 0, 24, 1, NULL) && r.order == 1 && r.error > 1e-3,
         "with one pole, that is approximated");
}

static void refused(const power_product *f, double lower, double upper, double error, const char *reason)
{
    rational r;
    failure why = { .why = "" };
    const rational_goal goal = { .f = f, .lower = lower, .upper = upper, .error = error };
    bool made = rational_make(&r, goal, &why);
    fact(!made && strstr(why.why, reason), "refused: %s", why.why);
}

/* Masses of the denominator between those of the numerator: best approximations are missing at some orders. */
static void between(void)
{
    static const power_product all[] = {
        { 4, { { 0.000765, -2, 8 }, { 0.0082, -2, 8 }, { 0.153, -1, 8 }, { 0.0123, 5, 8 } } },
        { 3, { { 0.00255, -1, 16 }, { 0.257, -2, 16 }, { 0.00296, 3, 16 } } },
        { 3, { { 0.01, -2, 4 }, { 0.05, -1, 4 }, { 0.02, 3, 4 } } } };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        for (double wanted = 1e-4; wanted > 1e-13; wanted *= 0.03) {
            rational r;
            failure why = { .why = "" };
            bool made = rational_make(&r, on_24(&all[i], wanted), &why);
            fact(made && rational_error_seen(&r, 0, 24) <= 1.001 * wanted,
                 "a mass that divides between others, error %.1e %s", wanted, why.why);
        }
}

static void refusals(void)
{
    power_product line = power(0.1, 1, 1), square = power(0.1, -2, 1), growing = power(0.1, 5, 4);
    power_product light = power(1e-6, -1, 2), half = power(0.1, -1, 2);
    power_product bad = power(0.1, 1, 0), negative = power(-1, 1, 2);
    power_product massless = power(0, -1, 2);
    power_product cancelling = { 3, { { 0.0006, 1, 4 }, { 0.002, 2, 4 }, { 0.005, 1, 4 } } };
    refused(&line, 0, 24, 1e-10, "grows like x^1");
    refused(&square, 0, 24, 1e-10, "multiple pole");
    refused(&growing, 0, 24, 1e-10, "real and below the range");
    refused(&cancelling, 0, 80, 1e-10, "residues cancel");
    refused(&light, 0, 24, 1e-15, "40 poles reach an error of");
    refused(&half, 24, 24, 1e-10, "is not a valid range");
    refused(&half, -1, 24, 1e-10, "is not a valid range");
    refused(&half, 0, 24, 1e-16, "error of a rational function");
    refused(&bad, 0, 24, 1e-10, "is not a valid power");
    refused(&negative, 0, 24, 1e-10, "is not a valid mass");
    refused(&massless, 0, 24, 1e-10, "singular at x = 0");
}

static bool same(const rational *a, const rational *b)
{
    bool equal = a->order == b->order && a->constant == b->constant && a->lower == b->lower && a->upper == b->upper
                 && a->error == b->error && power_products_cancel(&a->target, 1, &b->target, -1);
    for (int k = 0; k < a->order; k++)
        equal = equal && a->pole[k] == b->pole[k] && a->residue[k] == b->residue[k];
    return equal;
}

static void kept(void)
{
    scratch s = scratch_create();
    power_product f = { 3, { { 0.01, -2, 4 }, { 0.05, -1, 4 }, { 0.2, 3, 4 } } };
    const rational_goal wider = { .f = &f, .upper = 25, .error = 1e-9 };
    rational made, first, second;
    fact(rational_make(&made, on_24(&f, 1e-9), NULL) && rational_cached(&first, s.folder, on_24(&f, 1e-9), NULL)
         && scratch_count(&s) == 1, "a function is kept in a file");
    fact(rational_cached(&second, s.folder, on_24(&f, 1e-9), NULL) && same(&made, &first)
         && same(&made, &second), "taken from there it is the same, bit for bit");
    char path[600] = "";
    DIR *d = opendir(s.folder);
    for (struct dirent *e = readdir(d); e; e = readdir(d))
        if (e->d_name[0] != '.')
            snprintf(path, sizeof path, "%s", scratch_path(&s, e->d_name));
    closedir(d);
    blob whole = blob_read(path);
    int wrong = 0;
    for (size_t i = 0; i < whole.n; i += 29) {
        blob damaged = blob_read(path);
        damaged.bytes[i] ^= 1;
        blob_write(path, damaged.bytes, damaged.n);
        wrong += !rational_cached(&second, s.folder, on_24(&f, 1e-9), NULL) || !same(&made, &second);
        free(damaged.bytes);
    }
    blob_write(path, whole.bytes, whole.n / 2);
    wrong += !rational_cached(&second, s.folder, on_24(&f, 1e-9), NULL) || !same(&made, &second);
    fact(wrong == 0, "a damaged file is not believed, whatever byte it is");
    blob mended = blob_read(path);
    fact(mended.n == whole.n && memcmp(mended.bytes, whole.bytes, whole.n) == 0, "but made anew");
    free(whole.bytes);
    free(mended.bytes);
    fact(rational_cached(&second, "/dev/null/nowhere", on_24(&f, 1e-9), NULL)
         && same(&made, &second), "a folder that cannot be made is no obstacle");
    fact(rational_cached(&second, s.folder, wider, NULL) && !same(&made, &second)
         && scratch_count(&s) == 2, "another range is another file");
    scratch_remove(&s);
}

int main(void)
{
    power_product ratio = { 3, { { 0.0005, -2, 4 }, { 0.05, -1, 4 }, { 0.2, 3, 4 } } };
    power_product light = power(0.0005, -1, 2), quarter = power(0.0005, 1, 4), eighth = power(0.02, 1, 32);
    power_product five = power(0.1, -5, 4), sixteen = power(0.3, -1, 64), heavy = power(10, -1, 4);
    best(&light, 12);
    best(&quarter, 20);
    best(&ratio, 10);
    best(&golden_force.target, 9);
    best(&eighth, 7);
    best(&sixteen, 5);
    best(&five, 6);
    best(&light, 0);
    best(&heavy, 2);
    inverse_root();
    like_milc(&golden_force, "the force of two light quarks and a strange one over three heavy ones");
    like_milc(&golden_heatbath, "their refresh");
    like_milc(&golden_strange, "the force of a strange quark");
    digits(&ratio, 27, "a ratio");
    digits(&light, 36, "a light quark's");
    digits(&heavy, 12, "a heavy quark's");
    exact();
    between();
    refusals();
    kept();
    return facts_end();
}
