/* test_tune_model.c - the model of the tuner against numbers that it does not supply: acceptance by integration, the
 * calls of a nested schedule counted by hand, and dH of harmonic oscillators, whose trajectories are linear maps.
 *
 * For an oscillator S = w^2 q^2 / 2 in equilibrium (q = x / w, p = y with normal x and y) dH is a quadratic form in
 * x and y.  Starts at equal angles on the circle x^2 + y^2 = sqrt(8) have the thermal mean of every homogeneous
 * polynomial of fourth order, <dH^2> included: (x^2 + y^2)^2 has the mean 8. */
#include "src/tune/tune.h"
#include "tests/facts.h"
#include "tests/integrators/toy.h"

#include <math.h>
#include <string.h>

enum { STARTS = 8 };

/* ---- acceptance */

/* The mean of min(1, exp(-dH)) over a normal distribution of mean variance/2, by Simpson's rule. */
static double acceptance_by_integration(double variance)
{
    enum { INTERVALS = 20000 };
    const double sigma = sqrt(variance), from = variance / 2 - 12 * sigma, h = 24 * sigma / INTERVALS;
    double sum = 0;
    for (int i = 0; i <= INTERVALS; i++) {
        const double dh = from + i * h, t = (dh - variance / 2) / sigma;
        sum += (i == 0 || i == INTERVALS ? 1 : i % 2 ? 4 : 2) * fmin(1, exp(-dh)) * exp(-t * t / 2);
    }
    return sum * h / 3 / (sigma * sqrt(2 * M_PI));
}

static void acceptance(void)
{
    for (double variance = 0.01; variance < 20; variance *= 3)
        fact_close(tune_acceptance(variance), acceptance_by_integration(variance), 1e-6,
                   "acceptance for <dH^2> = %g is the mean of min(1, exp(-dH))", variance);
    fact_close(tune_acceptance(2), 0.47950012218695346, 1e-14, "erfc(1/2)");
    fact_close(tune_acceptance(8), 0.15729920705028513, 1e-14, "erfc(1)");
}

/* ---- the number of samples */

static tune_setting setting_of(int count, const char *const integrators[], const int steps[])
{
    tune_setting s = { .count = count };
    level_params levels[TOY_TERMS];
    toy_levels(levels, count, integrators, steps);
    memcpy(s.level, levels, (size_t)count * sizeof *levels);
    return s;
}

static void samples(void)
{
    static tune_model m;
    const tune_setting s = setting_of(1, (const char *const[]){ "leapfrog" }, (const int[]){ 2 });
    const brackets none = { .d = { 0 } };
    int added = 0;
    memset(&m, 0, sizeof m);
    m.terms = 1;
    m.length = 1;
    while (added < TUNE_SAMPLES && tune_add(&m, &s, &none, 0.1) == &m.sample[added])
        added++;
    fact(added == TUNE_SAMPLES && !tune_add(&m, &s, &none, 0.2) && m.samples == TUNE_SAMPLES
             && m.sample[TUNE_SAMPLES - 1].dh == 0.1, "after %d trajectories, one more is ignored", added);
}

/* ---- seconds */

static void seconds_and_cost(void)
{
    static tune_model m;
    const tune_setting s = setting_of(2, (const char *const[]){ "leapfrog", "omelyan" }, (const int[]){ 2, 3 });
    const brackets none = { .d = { 0 } };
    memset(&m, 0, sizeof m);
    m.terms = 3;
    m.level[1] = m.level[2] = 1;
    m.length = 1.5;
    m.times = (lab_times){ .force = { 1, 100, 10000 }, .drift = 0.01, .refresh = 1e6, .energy = 1e7, .rest = 1e8 };
    tune_add(&m, &s, &none, sqrt(2));
    tune_add(&m, &s, &none, -sqrt(2));

    /* Outside: 2 leapfrog steps, 3 kicks.  In each of its 2 drifts 3 omelyan steps K D K D K, whose ends are shared,
     * also with those of the next drift: 2 x 6 + 1 kicks, 2 x 6 drifts. */
    tune_prediction p = tune_predict(&m, &s);
    fact_close(p.seconds, 1e8 + 2e7 + 1e6 + 0.12 + 3 + 13 * 100 + 13 * 10000, 1e-6,
               "2 leapfrog steps around 3 omelyan steps: two energies, 3 outer and 13 inner forces, 12 drifts");
    fact_close(p.variance, 2, 1e-12, "dH of +-sqrt(2) has the variance 2");
    fact_close(p.acceptance, 0.47950012218695346, 1e-12, "so erfc(1/2) of the trajectories are accepted");
    fact_close(p.error, 2, 1e-12, "two equal dH^2 have no scatter: the error is that of two normally distributed dH");
    fact_close(p.acceptance_error, (1 - 0.31731050786291415) / 2, 1e-12, "the acceptance: erfc(1/sqrt 2) to 1");
    fact(p.margin == 0 && tune_reaches(&p, 0.479), "and the settings for a target are chosen without it");
    fact_close(p.cost * 0.47950012218695346 * 1.5 / p.seconds, 1, 1e-12,
               "the cost is seconds over accepted length: rejected trajectories cost too");

    tune_setting twice = s;
    twice.level[0].steps = 4;
    p = tune_predict(&m, &twice);
    fact_close(p.seconds, 1e8 + 2e7 + 1e6 + 0.24 + 5 + 25 * 100 + 25 * 10000, 1e-6,
               "twice the outer steps: 5 outer and 25 inner forces, 24 drifts");
    fact_close(p.variance, 2. / 256, 1e-12, "a dH without brackets is of fourth order: its variance falls by 2^8");
}

/* ---- oscillators */

/* Two terms on one coordinate: S_k = w2[k] q^2 / 2. */
static const double w2[2] = { 1.5, 4.5 };

static void oscillator_force(double f[TOY_REALS], int term, const double q[TOY_REALS])
{
    if (term < 2)
        f[0] -= w2[term] * q[0];
}

static void oscillator_drift(double q[TOY_REALS], double dt, const double p[TOY_REALS])
{
    q[0] += dt * p[0];
}

static toy_state oscillator_start(int sample)
{
    const double radius = pow(8, 0.25), angle = 2 * M_PI * sample / STARTS + 0.1;
    return (toy_state){ .q = { radius * cos(angle) / sqrt(w2[0] + w2[1]) }, .p = { radius * sin(angle) } };
}

static double oscillator_energy(const toy_state *z)
{
    return (z->p[0] * z->p[0] + (w2[0] + w2[1]) * z->q[0] * z->q[0]) / 2;
}

static const toy oscillator = { "oscillator", oscillator_start, oscillator_force, oscillator_drift,
                                oscillator_energy };

/* F_k = -w2 q, and d^2 S_k / dtau^2 with p fixed is w2 p^2. */
static brackets brackets_change(int terms, const toy_state *start, const toy_state *end)
{
    const double q2 = end->q[0] * end->q[0] - start->q[0] * start->q[0];
    const double p2 = end->p[0] * end->p[0] - start->p[0] * start->p[0];
    const double all = w2[0] + w2[1], of[2] = { terms == 1 ? all : w2[0], w2[1] };
    brackets b = { .d = { 0 } };
    for (int s = 0; s < terms; s++) {
        b.d[s] = of[s] * p2;
        for (int t = 0; t < terms; t++)
            b.ff[s][t] = of[s] * of[t] * q2;
    }
    return b;
}

/* The model that has seen trajectories of length 1 from every start, a term on each level. */
static void learn(tune_model *m, const tune_setting *s)
{
    schedule *plan = schedule_create(s->level, s->count, 1);
    memset(m, 0, sizeof *m);
    m->terms = s->count;
    for (int t = 0; t < m->terms; t++)
        m->level[t] = t;
    m->length = 1;
    m->times = (lab_times){ .force = { 4, 1 }, .drift = 0.5, .refresh = 3, .energy = 2, .rest = 1 };
    for (int i = 0; i < STARTS; i++) {
        const toy_state start = oscillator.start(i), end = toy_run(&oscillator, plan, start);
        const brackets change = brackets_change(m->terms, &start, &end);
        tune_add(m, s, &change, oscillator.energy(&end) - oscillator.energy(&start));
    }
    schedule_free(plan);
}

/* <dH^2> of trajectories of length 1, in equilibrium. */
static double thermal_variance(const tune_setting *s)
{
    schedule *plan = schedule_create(s->level, s->count, 1);
    double sum = 0;
    for (int i = 0; i < STARTS; i++) {
        const toy_state start = oscillator.start(i), end = toy_run(&oscillator, plan, start);
        sum += pow(oscillator.energy(&end) - oscillator.energy(&start), 2);
    }
    schedule_free(plan);
    return sum / STARTS;
}

/* Leapfrog of step e conserves p^2/2 + w^2 (1 - w^2 e^2 / 4) q^2 / 2 and turns by the angle t, cos t = 1 - w^2 e^2 / 2,
 * in each of n steps: dH = w^2 e^2 / 8 [(c x + s y)^2 - x^2], c = cos(n t), s = sin(n t) / sqrt(1 - w^2 e^2 / 4). */
static double leapfrog_variance(int n)
{
    const double a2 = (w2[0] + w2[1]) / n / n, t = acos(1 - a2 / 2);
    const double c = cos(n * t), s = sin(n * t) / sqrt(1 - a2 / 4);
    const double xx = c * c - 1, yy = s * s, xy = 2 * c * s;
    return pow(a2 / 8, 2) * (3 * xx * xx + 3 * yy * yy + xy * xy + 2 * xx * yy);
}

static const struct { int count; const char *integrators[2]; int learn[2], other[2]; } systems[] = {
    { 1, { "leapfrog" }, { 10 }, { 8 } },
    { 1, { "leapfrog" }, { 10 }, { 15 } },
    { 2, { "leapfrog", "leapfrog" }, { 10, 2 }, { 12, 1 } },
    { 2, { "leapfrog", "omelyan" }, { 10, 1 }, { 8, 3 } },
    { 2, { "omelyan", "leapfrog" }, { 6, 3 }, { 8, 1 } },
};

/* Learned with some steps, <dH^2> with others: what is left are higher orders, which trajectories twice as fine reduce
 * by four. */
static double off_by(size_t which, int refine)
{
    static tune_model m;
    tune_setting made = setting_of(systems[which].count, systems[which].integrators, systems[which].learn);
    tune_setting other = setting_of(systems[which].count, systems[which].integrators, systems[which].other);
    made.level[0].steps *= refine;
    other.level[0].steps *= refine;
    learn(&m, &made);
    return tune_predict(&m, &other).variance / thermal_variance(&other) - 1;
}

static void other_steps(size_t which)
{
    const double rough = off_by(which, 1), fine = off_by(which, 2);
    const bool nested = systems[which].count > 1;
    fact(fabs(rough) < 0.02 && fabs(fine) < 0.3 * fabs(rough),
         "%s%s%s, %d and %d steps from %d and %d: <dH^2> of oscillators in equilibrium (off by %.2g, with twice as "
         "many by %.2g)", systems[which].integrators[0], nested ? " around " : "",
         nested ? systems[which].integrators[1] : "", systems[which].other[0], systems[which].other[1],
         systems[which].learn[0], systems[which].learn[1], rough, fine);
}

static void closed_form(void)
{
    for (int n = 3; n < 12; n += 4) {
        const tune_setting s = setting_of(1, (const char *const[]){ "leapfrog" }, &n);
        fact_close(thermal_variance(&s) / leapfrog_variance(n), 1, 1e-12,
                   "leapfrog, %d steps: <dH^2> of an oscillator is as in closed form", n);
    }
}

/* dH = p (1/n)^2 + q (1/n)^4 with p and q given.  Leapfrog has H2 = (1/12 D - 1/24 |F|^2) / n^2, so that brackets whose
 * D changes by -12 p give p / n^2. */
static void two_orders(void)
{
    static const struct { double p, q; } of[] = { { 1, -9 }, { 3, -20 }, { -2, 11 } };
    static tune_model m;
    const tune_setting made = setting_of(1, (const char *const[]){ "leapfrog" }, (const int[]){ 3 });
    memset(&m, 0, sizeof m);
    m.terms = 1;
    m.length = 1;
    for (int i = 0; i < 3; i++) {
        const brackets change = { .d = { -12 * of[i].p } };
        tune_add(&m, &made, &change, of[i].p / 9 + of[i].q / 81);
        fact_close(m.sample[i].predicted, of[i].p / 9, 1e-12, "brackets give dH of second order");
    }
    for (int n = 2; n < 7; n++) {
        tune_setting other = made;
        double variance = 0;
        other.level[0].steps = n;
        for (int i = 0; i < 3; i++)
            variance += pow(of[i].p / pow(n, 2) + of[i].q / pow(n, 4), 2) / 3;
        fact_close(tune_predict(&m, &other).variance / variance, 1, 1e-12,
                   "%d steps: both orders of dH add up before they are squared", n);
    }
    tune_setting relative = made;
    relative.level[0].lambda /= 2;
    fact_close(tune_predict(&m, &relative).variance, (1 + 9 + 4) / 3. / 81 + (81 + 400 + 121) / 3. / 6561, 1e-12,
               "with another lambda they do not cancel");
}

/* The cheapest number of leapfrog steps, from <dH^2> in closed form and calls counted by hand. */
static void cheapest(double target)
{
    static tune_model m;
    tune_setting from = setting_of(1, (const char *const[]){ "leapfrog" }, (const int[]){ 5 });
    tune_prediction found;
    learn(&m, &from);
    int best = 0;
    double least = INFINITY;
    for (int n = 2; n < 60; n++) {
        const double accepted = acceptance_by_integration(leapfrog_variance(n));
        const double cost = (3 + 2 * 2 + 1 + 0.5 * n + 4 * (n + 1)) / accepted;
        if (accepted >= target && cost < least) {
            best = n;
            least = cost;
        }
    }
    const tune_setting s = tune_find(&m, &from, target, false, &found);
    fact(s.level[0].steps >= best && s.level[0].steps <= best + 1,
         "target %g: the cheapest is %d steps, or one more for the error of the prediction (%d are chosen)", target,
         best, (int)s.level[0].steps);
    fact_close(found.cost / least, 1, 0.05, "target %g: at its cost", target);
}

/* ---- what trajectories have shown */

static void reached(void)
{
    tune_proof p = { .trajectories = 50, .variance = 2, .variance_error = 0.2 };
    fact(tune_is_reached(&p, 0.49), "<dH^2> = 2.0(2): an acceptance of 0.49 is within its error (erfc(1/2) = 0.4795)");
    fact(!tune_is_reached(&p, 0.51), "0.51 is not: for 1.8 it would be 0.502");
    p = (tune_proof){ .trajectories = 50, .variance = 0.1, .variance_error = 0.2 };
    fact(tune_is_reached(&p, 0.999), "a variance that may be zero reaches any acceptance");
}

int main(void)
{
    acceptance();
    samples();
    seconds_and_cost();
    two_orders();
    closed_form();
    for (size_t i = 0; i < sizeof systems / sizeof *systems; i++)
        other_steps(i);
    cheapest(0.1);
    cheapest(0.97);
    cheapest(0.998);
    reached();
    return facts_end();
}
