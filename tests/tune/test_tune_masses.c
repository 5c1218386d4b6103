/* test_tune_masses.c - how masses are compared: in every lab with the same random numbers, on the same links, and with
 * the model of the trajectories that were seen, rescaled for another mass. */
#include "src/base/log.h"
#include "src/lattice/rng.h"
#include "src/tune/tune_model.h"
#include "tests/facts.h"
#include "tests/hmc/run_text.h"
#include "tests/on_every_backend.h"

#include <math.h>
#include <string.h>

static const char input[] =
    "lattice: [4, 4, 4, 4]\n"
    "random: { seed: 33 }\n"
    "monomials:\n"
    "  - { kind: gauge, name: gauge, action: wilson, beta: %g }\n"
    "  - kind: staggered\n"
    "    name: quarks\n"
    "    action: naive\n"
    "    determinants: [ { quarks: [ { mass: 0.5, flavors: 4 } ] } ]\n"
    "    residuals: { refresh: 1e-10, action: 1e-10, force: 1e-10 }\n"
    "hmc:\n"
    "  levels: [ { integrator: omelyan, steps: 4, monomials: [gauge, quarks] } ]\n"
    "  trajectories: 1\n"
    "output: { directory: unused }\n";

typedef struct { run_input in; lab *l; } learner;

static void learner_create(learner *a, gauge *u, double beta)
{
    run_from_text(&a->in, input, beta);
    a->l = lab_create(&a->in.p, u, NULL);
}

static void learner_free(learner *a)
{
    lab_free(a->l);
    run_input_free(&a->in);
}

static brackets mean_of(lab *l)
{
    brackets b;
    failure why;
    require(lab_mean_brackets(l, &b, &why), "%s", why.why);
    return b;
}

/* beta as large again doubles the gauge action: its force and its second derivative are twice as large, at the same
 * momenta, and the quarks know nothing of it, if their random numbers are the same. */
static void same_random_numbers(place where)
{
    enum { GAUGE, QUARKS };
    lattice *l = lattice_create_single((const int[]){ 4, 4, 4, 4 });
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
    gauge_set_random(u, rng_key_for(17, 0, 0, RNG_TEST));
    learner one, two;
    failure why;
    learner_create(&one, u, 5.5);
    learner_create(&two, u, 11);
    for (int i = 0; i < 4; i++)
        require(lab_begin(one.l, &why), "%s", why.why);
    const brackets first = mean_of(one.l), again = mean_of(one.l), twice = mean_of(two.l);
    fact(memcmp(&first, &again, sizeof first) == 0,
         "%s: means of brackets on the same links are the same bits, whatever trajectories were before",
         place_name(where));
    fact_close(twice.d[QUARKS] / first.d[QUARKS], 1, 1e-9,
               "%s: in another lab, too: the second derivative of a term that is the same", place_name(where));
    fact_close(twice.ff[QUARKS][QUARKS] / first.ff[QUARKS][QUARKS], 1, 1e-9, "and its force");
    fact_close(twice.d[GAUGE] / first.d[GAUGE], 2, 1e-6, "%s: that of a term that is doubled is doubled",
               place_name(where));
    fact_close(twice.ff[GAUGE][GAUGE] / first.ff[GAUGE][GAUGE], 4, 1e-9,
               "and its squared force is four times as large");
    fact_close(twice.ff[GAUGE][QUARKS] / first.ff[GAUGE][QUARKS], 2, 1e-9, "and the product of both forces doubled");
    learner_free(&two);
    learner_free(&one);
    gauge_free(u);
    lattice_free(l);
}

/* Three terms, of which the second becomes so many times as large: what its brackets are then. */
static void rescaled(double factor)
{
    enum { TERMS = 3, SAMPLES = 4, TERM = 1 };
    static tune_model m;
    const brackets from = { .ff = { { 2, 1, 3 }, { 1, 5, -1 }, { 3, -1, 7 } }, .d = { 3, 4, 5 } };
    const brackets to = { .ff = { { 2, factor, 3 }, { factor, 5 * factor * factor, -factor }, { 3, -factor, 7 } },
                          .d = { 3, 4 * factor, 5 } };
    memset(&m, 0, sizeof m);
    m.terms = TERMS;
    m.samples = SAMPLES;
    for (int i = 0; i < SAMPLES; i++)
        for (int s = 0; s < TERMS; s++) {
            m.sample[i].change.d[s] = 1 + i - 2 * s;
            for (int t = 0; t < TERMS; t++)
                m.sample[i].change.ff[s][t] = 3 - i + s + t;
        }
    tune_rescale(&m, TERM, &to, &from);
    double worst = 0;
    for (int i = 0; i < SAMPLES; i++)
        for (int s = 0; s < TERMS; s++) {
            worst = worse(worst, fabs(m.sample[i].change.d[s] - (1 + i - 2 * s) * (s == TERM ? factor : 1)));
            for (int t = 0; t < TERMS; t++)
                worst = worse(worst, fabs(m.sample[i].change.ff[s][t] - (3 - i + s + t) * (s == TERM ? factor : 1)
                                                                            * (t == TERM ? factor : 1)));
        }
    fact(worst < 1e-12, "a term that is %g times as large: its forces and its second derivative in every trajectory "
         "grow by %g, and nothing else changes (off by %g)", factor, factor, worst);
}

/* A force that takes three times as long, and refreshes that take 1.5 times as long. */
static void rescaled_times(void)
{
    enum { TERM = 1 };
    lab_times model = { .force = { 1, 2, 4 }, .drift = 5, .refresh = 6, .energy = 7, .rest = 8 };
    const lab_times from = { .alone = { 1, 10, 1 }, .refresh = 4 }, to = { .alone = { 3, 30, 3 }, .refresh = 6 };
    tune_rescale_times(&model, TERM, &to, &from);
    fact(fabs(model.force[TERM] - 6) < 1e-12 && fabs(model.refresh - 9) < 1e-12,
         "what takes longer in a lab takes longer in the model: a force of %g s, refreshes of %g s", model.force[TERM],
         model.refresh);
    fact(model.force[0] == 1 && model.force[2] == 4 && model.drift == 5 && model.energy == 7 && model.rest == 8,
         "other forces and parts take as long as before");
}

/* A factor changes the distance of a bare mass from that of the determinant, of a kappa the same, a twist itself. */
static void wilson_values(void)
{
    static const char wilson[] =
        "lattice: [4, 4, 4, 4]\n"
        "random: { seed: 1 }\n"
        "monomials:\n"
        "  - kind: wilson\n"
        "    determinants:\n"
        "      - { flavors: 2, mass: 0.1 }\n"
        "      - { flavors: 2, mass: -0.5, hasenbusch: [ { mass: -0.3 }, { kappa: 0.125 } ] }\n"
        "      - { flavors: 2, mass: -0.5, hasenbusch: [ { rho: 0.4 } ] }\n"
        "hmc:\n"
        "  levels: [ { integrator: omelyan, steps: 4, monomials: [quarks] } ]\n"
        "  trajectories: 1\n"
        "output: { directory: unused%d }\n";
    run_input in;
    run_from_text(&in, wilson, 0);
    const void *p = run_monomial_params(&in.p, 0);
    const monomial_kind *k = run_monomial_kind(&in.p, 0);
    fact_close(k->tuned_value(p, "determinants.1.hasenbusch.0.mass", -0.3, 2), -0.1, 1e-12,
               "a bare mass of -0.3, by a factor 2 from a determinant of -0.5");
    fact_close(k->tuned_value(p, "determinants.1.hasenbusch.1.kappa", 0.125, 0.5), 1 / (2 * (4 - 0.25)), 1e-12,
               "kappa 0.125, which is 0, half as far from it");
    fact_close(k->tuned_value(p, "determinants.2.hasenbusch.0.rho", 0.4, 0.5), 0.2, 1e-12, "half of a twist");
    run_input_free(&in);
}

int main(void)
{
    log_set_quiet(true);
    rescaled(0.25);
    rescaled(3);
    rescaled_times();
    wilson_values();
    FOR_EVERY_PLACE(where)
        same_random_numbers(where);
    return facts_end();
}
