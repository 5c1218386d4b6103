/* autocorrelation.c - the Gamma method, for series with gaps. */
#include "src/measure/autocorrelation.h"

#include "src/base/memory.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

#define LEAST_OF_VARIANCE 0.1          /* C(W) / Gamma(0) */
#define SIGMAS_BELOW_HALF 3            /* values are anticorrelated if tau is below 1/2 by this number of errors */

const char *const series_verdict_names[] = { "none", "constant", "too short", "short", "good" };

/* Sums over existing values. */
typedef struct { int64_t count, length, shortest; double mean, least, most; } series_facts;

static series_facts inspect_series(chain c)
{
    series_facts s = { .least = INFINITY, .most = -INFINITY, .shortest = INT64_MAX };
    double sum = 0, rest = 0;
    for (int r = 0; r < c.replicas; r++) {
        s.length += c.length[r];
        s.shortest = c.length[r] < s.shortest ? c.length[r] : s.shortest;
    }
    for (int64_t i = 0; i < s.length; i++)
        if (!isnan(c.value[i])) {
            s.count++;
            sum += c.value[i];
            s.least = fmin(s.least, c.value[i]);
            s.most = fmax(s.most, c.value[i]);
        }
    s.mean = s.count > 0 ? sum / (double)s.count : NAN;
    for (int64_t i = 0; i < s.length; i++)                  /* correct the rounding of the mean */
        rest += isnan(c.value[i]) ? 0 : c.value[i] - s.mean;
    s.mean += s.count > 0 ? rest / (double)s.count : 0;
    return s;
}

typedef struct { double value; int64_t pairs; } covariance;

static covariance gamma_at(chain c, double mean, int64_t t)
{
    covariance g = { 0, 0 };
    const double *a = c.value;
    for (int r = 0; r < c.replicas; a += c.length[r++])
        for (int64_t i = 0; i + t < c.length[r]; i++) {
            double product = (a[i] - mean) * (a[i + t] - mean);
            if (!isnan(product)) {
                g.value += product;
                g.pairs++;
            }
        }
    g.value = g.pairs > 0 ? g.value / (double)g.pairs : 0;
    return g;
}

/* The weight of Gamma(t) in the variance of the mean: 1, or less if values are missing. */
static double weight_of(const covariance *g, const series_facts *s, chain c, int64_t t)
{
    double all = (double)s->length - (double)c.replicas * (double)t;
    return (double)g->pairs * (double)s->length / (all * (double)s->count);
}

/* Sums up to the window: of Gamma(t) / Gamma(0), of weight Gamma(t) / Gamma(0), and of weights. */
typedef struct { double sum, weighted, weights; int64_t window; bool found; } window_sums;

/* Wolff's criterion, eqs. 50 to 52: g(W) = exp(-W / tau_exp) - tau_exp / sqrt(W N) turns negative. */
static window_sums find_window(chain c, const series_facts *s, double variance, double factor)
{
    window_sums w = { 0 };
    const int64_t most = s->shortest / 2;
    for (int64_t t = 1; t <= most && !w.found; t++) {
        covariance g = gamma_at(c, s->mean, t);
        double rho = g.value / variance, weight = weight_of(&g, s, c, t);
        w.sum += rho;
        w.weighted += weight * rho;
        w.weights += weight;
        w.window = t;
        double memory = w.sum > 0 ? factor / log((w.sum + 1) / w.sum) : 0;
        double gain = memory > 0 ? exp(-(double)t / memory) : 0;
        w.found = gain < memory / sqrt((double)t * (double)s->count) || memory == 0;
    }
    return w;
}

/* chi^2 of the replicas' means about the mean of all. */
static double replica_probability(chain c, const series_facts *s, double c_of_w)
{
    if (c.replicas < 2)
        return NAN;
    const double *a = c.value;
    double chi2 = 0;
    for (int r = 0; r < c.replicas; a += c.length[r++]) {
        double sum = 0;
        int64_t n = 0;
        for (int64_t i = 0; i < c.length[r]; i++)
            if (!isnan(a[i])) {
                sum += a[i] - s->mean;
                n++;
            }
        chi2 += n > 0 ? sum * sum / (double)n / c_of_w : 0;
    }
    return gsl_cdf_chisq_Q(chi2, c.replicas - 1);
}

static void set_estimate(correlated_mean *m, chain c, const series_facts *s, double variance, const window_sums *w)
{
    const double n = (double)s->count;
    /* The mean comes from the same data, so every Gamma(t) is too small by C / N on average: eq. 49. */
    double naive_c = variance * (1 + 2 * w->weighted);
    double lift = naive_c / n / variance;
    double corrected = variance * (1 + lift), c_of_w = variance * (1 + lift + 2 * (w->weighted + lift * w->weights));
    double tau = 0.5 + (w->sum + (double)w->window * lift) / (1 + lift);
    m->deviation = sqrt(corrected);
    m->window = w->window;
    m->tau = fmax(tau, 0);
    m->tau_error = 2 * m->tau * sqrt(fmax((double)w->window + 0.5 - m->tau, 0) / n);
    m->error = sqrt(fmax(c_of_w, 0) / n);
    m->error_error = m->error * sqrt(((double)w->window + 0.5) / n);
    m->replica_q = replica_probability(c, s, c_of_w);
    const double error_at_half = sqrt((double)w->window / n);          /* eq. 42 at tau = 1/2 */
    if (c_of_w < LEAST_OF_VARIANCE * variance) {                       /* alternating values */
        m->tau = 0.5;
        m->tau_error = m->error_error = NAN;
        m->error = m->deviation / sqrt(n);
        m->window = 0;
    } else if (tau < 0.5 && 0.5 - tau < SIGMAS_BELOW_HALF * error_at_half) {
        m->tau = 0.5;
        m->tau_error = error_at_half;
        m->error = m->deviation / sqrt(n);
        m->error_error = m->error * sqrt(((double)w->window + 0.5) / n);
    }
    const double taus = (double)s->length / fmax(m->tau, 0.5);
    m->verdict = !w->found || taus < SERIES_LEAST ? SERIES_TOO_SHORT : taus < SERIES_TAUS ? SERIES_SHORT : SERIES_LONG;
}

correlated_mean correlated_mean_of(chain c, double s_of_window)
{
    series_facts s = inspect_series(c);
    correlated_mean m = { .count = s.count, .mean = s.mean, .error = NAN, .error_error = NAN, .deviation = NAN,
                          .tau = NAN, .tau_error = NAN, .replica_q = NAN };
    if (s.count < 2 || s.least == s.most) {
        m.verdict = s.count == 0 ? SERIES_EMPTY : s.count == 1 ? SERIES_TOO_SHORT : SERIES_CONSTANT;
        if (s.count > 1)
            m.error = m.deviation = 0;
        return m;
    }
    double variance = gamma_at(c, s.mean, 0).value;
    if (s.count < SERIES_LEAST || s.shortest < 4) {
        m.verdict = SERIES_TOO_SHORT;
        m.deviation = sqrt(variance * (double)s.count / (double)(s.count - 1));
        m.error = m.deviation / sqrt((double)s.count);
        return m;
    }
    window_sums w = find_window(c, &s, variance, s_of_window);
    set_estimate(&m, c, &s, variance, &w);
    return m;
}

/* Sum over k >= 1 of [rho(k + t) + rho(k - t) - 2 rho(k) rho(t)]^2 / N, with the known values of rho. */
static double rho_error(const double *rho, int64_t n, int64_t t, int64_t count)
{
    double sum = 0;
    for (int64_t k = 1; k + t < n; k++) {
        double d = rho[k + t] + rho[k > t ? k - t : t - k] - 2 * rho[k] * rho[t];
        sum += d * d;
    }
    return sqrt(sum / (double)count);
}

int64_t autocorrelation_function(double *rho, double *error, int64_t most, chain c)
{
    series_facts s = inspect_series(c);
    if (s.count < SERIES_LEAST || s.least == s.most)
        return 0;
    int64_t n = s.shortest / 2 < most ? s.shortest / 2 : most;
    int64_t twice = 2 * n < s.shortest ? 2 * n : s.shortest;
    double *all = memory_alloc((size_t)(twice + 1) * sizeof *all, "an autocorrelation function");
    double variance = gamma_at(c, s.mean, 0).value;
    for (int64_t t = 0; t < twice; t++)
        all[t] = gamma_at(c, s.mean, t).value / variance;
    for (int64_t t = 0; t < n; t++) {
        rho[t] = all[t];
        if (error)
            error[t] = t == 0 ? 0 : rho_error(all, twice, t, s.count);
    }
    memory_free(all);
    return n;
}

int64_t equilibrium_begin(const double *value, int64_t length)
{
    double sum = 0, squares = 0, n = 0, shift = 0, best = INFINITY;
    int64_t begin = 0;
    /* From the end to the beginning, with sums of differences from the last value, which are small in equilibrium. */
    for (int64_t i = length - 1; i >= 0; i--) {
        if (isnan(value[i]))
            continue;
        shift = n == 0 ? value[i] : shift;
        n++;
        sum += value[i] - shift;
        squares += (value[i] - shift) * (value[i] - shift);
        double standard = (squares - sum * sum / n) / (n * n);
        if (i <= length / 2 && standard <= best) {
            best = standard;
            begin = i;
        }
    }
    return begin;
}
