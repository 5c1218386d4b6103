/* test_dwf_weights.c - weights of domain-wall actions: Zolotarev's optimum, published digits, what is refused. */
#include "src/operators/dwf_weights.h"
#include "tests/facts.h"
#include "tests/operators/fifth_dense.h"

#include <math.h>
#include <string.h>

enum { GRID = 40000 };

static dwf_weights_params optimal(int kind, int Ls, double lambda_min, double lambda_max)
{
    return (dwf_weights_params){ .kind = kind, .Ls = Ls, .M5 = 1.8, .lambda_min = lambda_min,
                                  .lambda_max = lambda_max };
}

static dwf_weights made(dwf_weights_params p)
{
    dwf_weights w;
    failure why = { .why = "" };
    if (!dwf_weights_make(&w, &p, &why))
        fact(false, "there are weights of kind %s: %s", dwf_kind_names[p.kind], why.why);
    return w;
}

/* 1 - S for an eigenvalue of gamma5 Dw, of weights b = c; exact however small. */
static double shortfall(const dwf_weights *w, double eigenvalue)
{
    double product = 1;
    for (int s = 0; s < w->Ls; s++)
        product *= (1 - w->b[s] * eigenvalue) / (1 + w->b[s] * eigenvalue);
    return 2 * product / (1 + product);
}

static double grid_point(double lower, double upper, double i)
{
    return i >= GRID ? upper : lower * pow(upper / lower, i / GRID);
}

/* The extremum of 1 - S of which point i of the grid is the nearest: between its neighbors, by thirds. */
static double extremum_near(const dwf_weights *w, double lower, double upper, int i)
{
    double left = fmax(i - 1, 0), right = fmin(i + 1, GRID);
    while (right - left > 1e-6) {
        const double third = (right - left) / 3;
        const double a = fabs(shortfall(w, grid_point(lower, upper, left + third)));
        const double b = fabs(shortfall(w, grid_point(lower, upper, right - third)));
        *(a < b ? &left : &right) += a < b ? third : -third;
    }
    const double between = shortfall(w, grid_point(lower, upper, (left + right) / 2));
    const double here = shortfall(w, grid_point(lower, upper, i));
    return fabs(between) > fabs(here) ? between : here;
}

/* Extrema of 1 - S of alternating sign: how many, the least and the largest. */
typedef struct { int count; double least, largest; } extrema;

static extrema alternating(const dwf_weights *w, double lower, double upper)
{
    extrema e = { 0, INFINITY, 0 };
    double top = 0;
    for (int i = 0, at = 0; i <= GRID + 1; i++) {
        double value = i <= GRID ? shortfall(w, grid_point(lower, upper, i)) : -top;
        if (value * top < 0 || i > GRID) {
            const double size = fabs(extremum_near(w, lower, upper, at));
            e.count++;
            e.least = fmin(e.least, size);
            e.largest = worse(e.largest, size);
            top = 0;
        }
        if (fabs(value) > fabs(top)) {
            top = value;
            at = i;
        }
    }
    return e;
}

static void largest_and_least(const dwf_weights *w, double lower, double upper, double *least, double *largest)
{
    double values[GRID + 1];
    int at = 0;
    *least = INFINITY;
    for (int i = 0; i <= GRID; i++) {
        values[i] = shortfall(w, grid_point(lower, upper, i));
        at = values[i] > values[at] ? i : at;
        *least = fmin(*least, values[i]);
    }
    *largest = extremum_near(w, lower, upper, at);
}

static void zolotarev(int Ls, double lower, double upper)
{
    dwf_weights w = made(optimal(DWF_OPTIMAL, Ls, lower, upper));
    double deviation = dwf_zolotarev_deviation(Ls, lower, upper), worst = INFINITY;
    extrema e = alternating(&w, lower, upper);
    fact(e.count == Ls + 1, "%d slices on [%g, %g]: 1 - S has Ls + 1 extrema of alternating sign (%d)", Ls,
         lower, upper, e.count);
    fact_close(e.least / deviation, 1, 1e-12, "the least of them has the size of the known deviation");
    fact_close(e.largest / deviation, 1, 1e-12, "and so has the largest");
    fact_close(shortfall(&w, lower) / deviation, 1, 1e-12, "at the lower end as well");
    fact_close(fabs(shortfall(&w, upper)) / deviation, 1, 1e-12, "and at the upper end");

    for (int s = 0; s < Ls; s++)
        for (int sign = -1; sign <= 1; sign += 2) {
            dwf_weights other = w;
            other.b[s] *= 1 + 0.01 * sign;
            worst = fmin(worst, alternating(&other, lower, upper).largest / deviation);
        }
    fact(worst > 1.001, "another value of any weight makes the deviation larger (by %g at least)", worst - 1);
    dwf_weights constant = made((dwf_weights_params){ .kind = DWF_MOBIUS, .Ls = Ls, .M5 = 1.8,
                                                        .b = 1 / sqrt(lower * upper), .c = 1 / sqrt(lower * upper) });
    fact(alternating(&constant, lower, upper).largest > deviation, "and so does the best constant weight");
}

/* The formula of a wide interval and many slices. */
static void asymptotics(void)
{
    for (int Ls = 8; Ls <= 48; Ls += 20) {
        double wanted = 4 * exp(-M_PI * M_PI * Ls / (2 * log(4 / 1e-3)));
        fact_close(dwf_zolotarev_deviation(Ls, 0.006, 6) / wanted, 1, 1e-3,
                   "the deviation of %d slices is near 4 exp(-pi^2 Ls / (2 ln(4 lambda_max / lambda_min)))", Ls);
    }
}

static void symmetric(int Ls, double lower, double upper)
{
    dwf_weights w = made(optimal(DWF_OPTIMAL_SYMMETRIC, Ls, lower, upper));
    double d = dwf_zolotarev_deviation(Ls, lower, upper), least, largest, lopsided = 0;
    for (int s = 0; s < Ls; s++)
        lopsided = worse(lopsided, fabs(w.b[s] - w.b[Ls - 1 - s]));
    fact_close(lopsided, 0, 0, "%d Ls: weights of kind optimal_symmetric are their own mirror image", Ls);
    largest_and_least(&w, lower, upper, &least, &largest);
    fact(least >= 0, "S does not exceed 1 with them");
    fact_close(largest / (2 * d / (1 + d)), 1, 1e-12, "1 - S reaches 2 d / (1 + d), d the deviation of kind optimal");
}

/* The largest element of R K R - K^T, R the reflection of the fifth dimension. */
static double reflection_asymmetry(const dwf_weights *w)
{
    double k[SLICES_MAX * SLICES_MAX], most = 0;
    int n = w->Ls;
    fifth_table table = fifth_k_scaled(w, 0.07, (fifth_corner){ 0, 0, 0 }, 1);
    for (int c = 0; c < 2; c++) {
        fifth_dense(k, &table, c, n);
        for (int s = 0; s < n; s++)
            for (int t = 0; t < n; t++)
                most = worse(most, fabs(k[(n - 1 - s) * n + n - 1 - t] - k[t * n + s]));
    }
    return most;
}

static void reflections(void)
{
    dwf_weights mirrored = made(optimal(DWF_OPTIMAL_SYMMETRIC, 8, 0.05, 6.2));
    dwf_weights ordered = made(optimal(DWF_OPTIMAL, 8, 0.05, 6.2));
    dwf_weights constant = made((dwf_weights_params){ .kind = DWF_SCALED_SHAMIR, .Ls = 7, .M5 = 1.8,
                                                        .scale = 2 });
    fact_close(reflection_asymmetry(&mirrored), 0, 1e-14, "mirrored weights: K reflected is K transposed");
    fact_close(reflection_asymmetry(&constant), 0, 1e-14, "constant weights: K reflected is K transposed");
    fact(reflection_asymmetry(&ordered) > 1e-2, "weights of kind optimal: it is not");
}

static void published_digits(void)
{
    static const double omega[8] = { 18.578342, 11.390855, 5.6307397, 2.6403284,
                                     1.2217444, 0.57289212, 0.28319266, 0.17363263 };
    static const double half[4] = { 15.193715, 3.8665743, 0.83428022, 0.21231189 };
    dwf_weights w = made(optimal(DWF_OPTIMAL, 8, 0.05, 6.2)), m = made(optimal(DWF_OPTIMAL_SYMMETRIC, 8, 0.05, 6.2));
    double off = 0, off_half = 0, unequal = 0;
    for (int s = 0; s < 8; s++) {
        off = worse(off, fabs(w.b[s] / omega[s] - 1));
        off_half = worse(off_half, fabs(m.b[s] / half[s < 4 ? s : 7 - s] - 1));
        unequal = worse(unequal, fabs(w.b[s] - w.c[s]) + fabs(m.b[s] - m.c[s]));
    }
    fact_close(off, 0, 3e-8, "eight weights of kind optimal on [0.05, 6.2] are the known ones");
    fact_close(off_half, 0, 3e-8, "and so are those of kind optimal_symmetric");
    fact_close(unequal, 0, 0, "b = c with them");
    fact_close(dwf_zolotarev_deviation(8, 0.05, 6.2), 6.91215e-3, 5e-9, "the deviation of 8 slices");
    fact_close(dwf_zolotarev_deviation(16, 0.05, 6.2), 1.19447e-5, 5e-11, "the deviation of 16 slices");
}

static void constants(void)
{
    static const struct { dwf_weights_params p; double b, c; } cases[] = {
        { { .kind = DWF_SHAMIR }, 1, 0 },
        { { .kind = DWF_BORICI }, 1, 1 },
        { { .kind = DWF_MOBIUS, .b = 1.75, .c = 0.5 }, 1.75, 0.5 },
        { { .kind = DWF_SCALED_SHAMIR, .scale = 2 }, 1.5, 0.5 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        dwf_weights_params p = cases[i].p;
        p.Ls = 5;
        p.M5 = 1.5;
        dwf_weights w = made(p);
        bool same = w.Ls == 5 && w.M5 == 1.5;
        for (int s = 0; s < 5; s++)
            same = same && w.b[s] == cases[i].b && w.c[s] == cases[i].c;
        fact(same, "kind %s: b = %g, c = %g on every slice", dwf_kind_names[p.kind], cases[i].b, cases[i].c);
    }
    fact(dwf_kind_names[DWF_KINDS] == NULL, "every kind has a name");
    fact_close(dwf_mass_of_chiu(0.036, 1.8), 0.01, 1e-16, "m = m_q / (2 M5)");
    fact_close(dwf_mass_of_chiu(2 * 1.3, 1.3), 1, 0, "the Pauli-Villars mass, m_q = 2 M5, is m = 1");
    fact_close(dwf_chiu_mass_of(dwf_mass_of_chiu(0.05, 1.3), 1.3), 0.05, 1e-16, "and back");
}

static void refusals(void)
{
    static const struct { const char *what, *word; dwf_weights_params p; } cases[] = {
        { "one slice", "Ls", { DWF_SHAMIR, 1, 1.8, 0, 0, 0, 0, 0 } },
        { "too many slices", "Ls", { DWF_SHAMIR, SLICES_MAX + 1, 1.8, 0, 0, 0, 0, 0 } },
        { "M5 = 0", "M5", { DWF_SHAMIR, 8, 0, 0, 0, 0, 0, 0 } },
        { "M5 = 2", "M5", { DWF_BORICI, 8, 2, 0, 0, 0, 0, 0 } },
        { "M5 that is NaN", "M5", { DWF_BORICI, 8, NAN, 0, 0, 0, 0, 0 } },
        { "1 + (4 - M5) b = 0", "(4 - M5) b", { DWF_MOBIUS, 8, 1.5, -0.4, 1, 0, 0, 0 } },
        { "b + c = 0", "b + c", { DWF_MOBIUS, 8, 1.8, 0.5, -0.5, 0, 0, 0 } },
        { "b that is infinite", "b + c", { DWF_MOBIUS, 8, 1.8, INFINITY, 0, 0, 0, 0 } },
        { "scale 0", "b + c", { DWF_SCALED_SHAMIR, 8, 1.8, 0, 0, 0, 0, 0 } },
        { "lambda_min = 0", "0 < lambda_min", { DWF_OPTIMAL, 8, 1.8, 0, 0, 0, 0, 6 } },
        { "an infinite interval", "finite", { DWF_OPTIMAL, 8, 1.8, 0, 0, 0, 0.1, INFINITY } },
        { "an empty interval", "lambda_min < lambda_max", { DWF_OPTIMAL, 8, 1.8, 0, 0, 0, 6, 6 } },
        { "too wide an interval", "lambda_min >=", { DWF_OPTIMAL, 8, 1.8, 0, 0, 0, 1e-13, 6 } },
        { "mirrored weights of odd number", "even", { DWF_OPTIMAL_SYMMETRIC, 7, 1.8, 0, 0, 0, 0.1, 6 } },
        { "an unknown kind", "kind", { DWF_KINDS, 8, 1.8, 0, 0, 0, 0.1, 6 } },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        dwf_weights w;
        failure why = { .why = "" };
        bool made_it = dwf_weights_make(&w, &cases[i].p, &why);
        fact(!made_it && strstr(why.why, cases[i].word), "refused: %s (%s)", cases[i].what, why.why);
    }
}

int main(void)
{
    published_digits();
    for (int Ls = 2; Ls <= 9; Ls++)
        zolotarev(Ls, 0.05, 6.2);
    zolotarev(16, 0.001, 6.2);
    zolotarev(12, 1, 2);
    zolotarev(24, 1e-6, 1);
    asymptotics();
    for (int Ls = 2; Ls <= 16; Ls += 2)
        symmetric(Ls, 0.03, 6.2);
    reflections();
    constants();
    refusals();
    return facts_end();
}
