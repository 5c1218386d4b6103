/* test_tune.c - what brackets at the ends of a trajectory say of dH with any other steps, for gluons and for HISQ
 * quarks; and inputs with steps badly chosen, tuned. */
#include "src/base/log.h"
#include "src/base/memory.h"
#include "src/tune/tune.h"
#include "src/tune/tune_report.h"
#include "tests/facts.h"
#include "tests/hmc/run_text.h"
#include "tests/on_every_backend.h"

#include <math.h>
#include <string.h>

static const char gluons[] =
    "lattice: [4, 4, 4, 4]\n"
    "random: { seed: 31 }\n"
    "start: { from: hot, heatbath: { sweeps: 30 } }\n"
    "monomials: [ { kind: gauge, name: gauge, action: symanzik_tree, beta: 4.5 } ]\n"
    "hmc:\n"
    "  trajectory_length: 1\n"
    "  levels: [ { integrator: omelyan, steps: %d, monomials: [gauge] } ]\n"
    "  trajectories: 100\n"
    "output: { directory: unused }\n";

static const char quarks[] =
    "lattice: [4, 4, 4, 4]\n"
    "random: { seed: 32 }\n"
    "start: { from: hot, heatbath: { sweeps: 30 } }\n"
    "monomials:\n"
    "  - { kind: gauge, name: gauge, action: symanzik_1loop, beta: 6.7, u0: 0.89, flavors: 2 }\n"
    "  - kind: staggered\n"
    "    name: quarks\n"
    "    action: hisq\n"
    "    determinants: [ { quarks: [ { mass: 0.2, flavors: 2 } ] } ]\n"
    "    residuals: { refresh: 1e-8, action: 1e-8, force: 1e-5 }\n"
    "hmc:\n"
    "  trajectory_length: 0.5\n"
    "  levels:\n"
    "    - { integrator: omelyan, steps: %d, monomials: [quarks] }\n"
    "    - { integrator: leapfrog, steps: 2, monomials: [gauge] }\n"
    "  trajectories: 100\n"
    "output: { directory: unused }\n";

/* An input that is learned from with `learn` outermost steps, and predicted with `other`. */
static const struct { const char *name, *input; int thermalization, starts, learn, other; } systems[] = {
    { "gluons", gluons, 2, 6, 8, 12 },
    { "HISQ quarks and gluons", quarks, 2, 3, 5, 4 },
};

static tune_setting setting_of(const run_params *p, int64_t steps)
{
    tune_setting s = { .count = p->hmc.levels.count };
    memcpy(s.level, p->hmc.levels.item, (size_t)s.count * sizeof *s.level);
    s.level[0].steps = steps;
    return s;
}

static double run(lab *l, const tune_setting *s)
{
    double dh = NAN;
    failure why;
    require(lab_run(l, s->level, s->count, &dh, &why), "%s", why.why);
    return dh;
}

static brackets measure(lab *l)
{
    brackets b;
    failure why;
    require(lab_brackets(l, &b, &why), "%s", why.why);
    return b;
}

static brackets change(const brackets *from, const brackets *to)
{
    brackets b;
    const double *x = (const double *)from, *y = (const double *)to;
    for (size_t i = 0; i < sizeof b / sizeof(double); i++)
        ((double *)&b)[i] = y[i] - x[i];
    return b;
}

static void thermalization(lab *l, gauge *u, const tune_setting *s, int trajectories)
{
    failure why;
    for (int i = 0; i < trajectories; i++) {
        require(lab_begin(l, &why), "%s", why.why);
        run(l, s);
        gauge_reunitarize(u);
    }
}

/* From the same starts: dH with other steps, as it is and as the brackets say. */
static void predictions(place where, size_t which)
{
    run_input in;
    failure why;
    run_from_text(&in, systems[which].input, 16);
    lattice *l = lattice_create_single(in.p.extents);
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
    latest_links at;
    require(latest_links_load(&at, u, &in.p, NULL, NULL, &why), "%s", why.why);
    lab *b = lab_create(&in.p, u, NULL);
    const tune_setting learn = setting_of(&in.p, systems[which].learn), other = setting_of(&in.p, systems[which].other);
    static tune_model m;
    memset(&m, 0, sizeof m);
    m.terms = hmc_term_count(lab_hmc(b));
    m.length = in.p.hmc.length;
    for (int t = 0; t < m.terms; t++)
        m.level[t] = hmc_terms(lab_hmc(b))[t].level;
    thermalization(b, u, &learn, systems[which].thermalization);

    double off = 0, mean2 = 0;
    for (int i = 0; i < systems[which].starts; i++) {
        require(lab_begin(b, &why), "%s", why.why);
        const brackets start = measure(b);
        const double dh = run(b, &learn);
        const brackets end = measure(b), moved = change(&start, &end);
        tune_add(&m, &learn, &moved, dh);
        lab_return(b);
        const double direct = run(b, &other), predicted = tune_predict_dh(&m, &other, &moved);
        note("dH with %d steps %+.5f; with %d %+.5f, %+.5f to second order", systems[which].learn, dh,
             systems[which].other, direct, predicted);
        off += pow(direct - predicted, 2);
        mean2 += direct * direct / systems[which].starts;
        lab_accept(b, direct);
    }
    const tune_prediction p = tune_predict(&m, &other);
    fact(off < 0.25 * 0.25 * mean2 * systems[which].starts, "%s, %s: brackets give dH of each trajectory with other "
         "steps (off by %.2f of its size)", place_name(where), systems[which].name,
         sqrt(off / (mean2 * systems[which].starts)));
    fact_close(p.variance / mean2, 1, 0.15, "%s, %s: <dH^2> with %d steps, predicted from trajectories with %d",
               place_name(where), systems[which].name, systems[which].other, systems[which].learn);
    lab_free(b);
    gauge_free(u);
    lattice_free(l);
    text_free(&at.origin);
    run_input_free(&in);
}

/* Omelyan steps K D K D K, whose ends are shared: 2 n + 1 forces of 4 s, 2 n drifts of 1 s; a refresh of 2 s, two
 * energies of 2 s, the rest 1 s. */
static double seconds_by_hand(int64_t steps)
{
    return 4. * (2. * (double)steps + 1) + 2. * (double)steps + 2 + 2 * 2 + 1;
}

/* Steps badly chosen. */
static void tuned(place where, int steps)
{
    run_input in;
    failure why;
    tune_result r;
    latest_links at;
    const lab_times given = { .force = { 4 }, .drift = 1, .refresh = 2, .energy = 2, .rest = 1 };
    const tune_request w = { .target = 0.8, .thermalization = 2, .learn = 12, .prove = 12, .lambdas = true,
                          .times = &given };
    run_from_text(&in, gluons, steps);
    lattice *l = lattice_create_single(in.p.extents);
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
    require(latest_links_load(&at, u, &in.p, NULL, NULL, &why), "%s", why.why);
    const tune_source none = { .path = "" };
    const tune_task task = { .in = &in, .source = &none, .u = u, .memory = &at.memory, .request = &w };
    const bool done = tune_run(&r, &task, &why);
    if (fact(done && r.reached, "%s: an input with %d steps is tuned %s", place_name(where), steps,
             done ? "" : why.why)) {
        const tune_proof *p = &r.proof[r.proofs - 1];
        note("%d steps to %d, acceptance %.3f to %.3f, <dH^2> %.3g +- %.2g, predicted %.3g +- %.2g", steps,
             (int)r.after.level[0].steps, r.now.acceptance, r.then.acceptance, p->variance, p->variance_error,
             p->predicted.variance, p->predicted.error);
        const double n = p->trajectories, chance = 2 * sqrt(w.target * (1 - w.target) / n);
        fact(p->accepted >= w.target - chance, "%.2f of its %d trajectories are accepted, %g asked for (+- %.2f)",
             p->accepted, p->trajectories, w.target, chance);
        fact(seconds_by_hand(steps) == r.now.seconds && seconds_by_hand(r.after.level[0].steps) == r.then.seconds,
             "its seconds are those of the calls, counted by hand (%g, then %g)", r.now.seconds, r.then.seconds);
        fact(p->agrees, "trajectories with it have the variance of dH that was predicted, within errors");
        if (steps > 20)
            fact(r.after.level[0].steps < 0.25 * steps, "many steps too many: less than a quarter of them is left");
        else
            fact(r.now.acceptance < 0.6 && r.after.level[0].steps > steps, "steps too few: more are taken");
    }
    gauge_free(u);
    lattice_free(l);
    text_free(&at.origin);
    run_input_free(&in);
}

/* The verdict of a proof takes in all that was measured: <exp(-dH)> = 1 as well. */
static void verdicts(void)
{
    const tune_proof good = { .trajectories = 100, .predicted = { .variance = 0.1, .error = 0.01, .acceptance = 0.87,
                              .acceptance_error = 0.01 }, .variance = 0.11, .variance_error = 0.015, .accepted = 0.86,
                              .exp_minus_dh = 0.95, .exp_error = 0.03 };
    tune_proof p = good;
    tune_judge(&p);
    fact(p.agrees && p.variance_agrees && p.acceptance_agrees && p.exp_agrees, "what is within errors agrees");
    p = good;
    p.exp_minus_dh = 0.9;
    tune_judge(&p);
    fact(!p.agrees && !p.exp_agrees && p.variance_agrees && p.acceptance_agrees,
         "<exp(-dH)> 0.900(30) does not, whatever else does");
    p = good;
    p.exp_minus_dh = 1.1;
    tune_judge(&p);
    fact(!p.agrees && !p.exp_agrees, "nor does 1.100(30)");
    p = good;
    p.variance = 0.2;
    tune_judge(&p);
    fact(!p.agrees && !p.variance_agrees && p.exp_agrees, "another variance of dH does not");
    p = good;
    p.accepted = 0.5;
    tune_judge(&p);
    fact(!p.agrees && !p.acceptance_agrees && p.exp_agrees, "another acceptance does not");
}

/* The lines of a proof in the report, with a given number of trajectories. */
static text report_of(tune_proof p, int trajectories)
{
    tune_result *r = memory_alloc(sizeof *r, "the result of a tuning");
    const tune_request w = { .target = 0.8 };
    text out = { 0 };
    p.trajectories = trajectories;
    tune_judge(&p);
    r->proofs = 1;
    r->proof[0] = p;
    r->order = NAN;
    tune_to_text(&out, r, &w, "");
    memory_free(r);
    return out;
}

/* A tuned setting that costs more than that of the input: the report says why. */
static void dearer(const char *why, double margin, bool verified)
{
    tune_result *r = memory_alloc(sizeof *r, "the result of a tuning");
    const tune_request w = { .target = 0.8 };
    text out = { 0 };
    r->order = NAN;
    r->before.count = r->after.count = 1;
    r->before.level[0] = (level_params){ .steps = 5, .lambda = 0.2 };
    r->after.level[0] = (level_params){ .steps = 6, .lambda = 0.2 };
    r->now = (tune_prediction){ .acceptance = 0.85, .margin = margin, .seconds = 1, .cost = 1 };
    r->then = (tune_prediction){ .acceptance = 0.9, .seconds = 1.2, .cost = 1.1 };
    r->proofs = verified;
    r->proof[0] = (tune_proof){ .setting = r->before, .trajectories = 12, .variance = 2, .variance_error = 0.1 };
    tune_to_text(&out, r, &w, "");
    fact(strstr(text_string(&out), why), "%s", why);
    r->now.cost = 1.2;
    out.length = 0;
    tune_to_text(&out, r, &w, "");
    fact(!strstr(text_string(&out), why), "not if the tuned setting costs less");
    text_free(&out);
    memory_free(r);
}

/* The time was too short: what was left out, and how to continue. */
static void too_short(void)
{
    tune_result *r = memory_alloc(sizeof *r, "the result of a tuning");
    tune_request w = { .target = 0.8, .checkpoint = "here" };
    text out = { 0 };
    r->order = NAN;
    left_out_add(&r->left_out, "solvers", "monomials.1.solver", "double");
    left_out_add(&r->left_out, "solvers", "monomials.1.solver", "double-single");
    left_out_add(&r->left_out, "solvers", "monomials.1.method", "cg");
    left_out_add(&r->left_out, "verification", "", "2 of 12 trajectories");
    tune_to_text(&out, r, &w, "");
    fact(strstr(text_string(&out), "; the same command continues (--checkpoint)\n"), "a checkpoint continues");
    out.length = 0;
    left_out_to_text(&out, &r->left_out, "# ");
    fact(strcmp(text_string(&out), "#   solvers: monomials.1.solver: double, double-single\n"
                                   "#   solvers: monomials.1.method: cg\n"
                                   "#   verification: 2 of 12 trajectories\n") == 0,
         "one line for each key has all its trials: %s", text_string(&out));
    while (r->left_out.count < LEFT_OUT_MOST + 3)
        left_out_add(&r->left_out, "solvers", "monomials.1.method", "bicgstab");
    out.length = 0;
    left_out_to_text(&out, &r->left_out, "");
    fact(strstr(text_string(&out), "bicgstab\n  and 3 others\n"), "trials beyond the list are counted");
    text_free(&out);
    memory_free(r);
}

/* As for a record: fewer than ten values are no test, whatever they say. */
static void few_trajectories(void)
{
    const tune_proof vague = { .predicted = { .variance = 0.04, .error = 0.01, .acceptance = 0.92,
                               .acceptance_error = 0.01 }, .variance = 4.98, .variance_error = 4.1, .accepted = 0.92,
                               .exp_minus_dh = 0.5, .exp_error = 0.1 };
    text out = report_of(vague, 3);
    fact(!strstr(text_string(&out), "agree") && !strstr(text_string(&out), "AGREE")
         && strstr(text_string(&out), "predicted 0.04 +- 0.01: too few trajectories for a test"),
         "three trajectories neither agree nor disagree (%s)", text_string(&out));
    fact(strstr(text_string(&out), "target acceptance 0.80: not decided: 3 trajectories")
         && !strstr(text_string(&out), "REACHED") && !strstr(text_string(&out), "reached,"),
         "nor is the target reached");
    text_free(&out);
    out = report_of(vague, 9);
    fact(!strstr(text_string(&out), "gree") && !strstr(text_string(&out), "AGREE"), "nor do nine");
    text_free(&out);
    out = report_of(vague, 12);
    fact(strstr(text_string(&out), "4.98 +- 4.1, predicted 0.04 +- 0.01: unclear")
         && strstr(text_string(&out), "THEY DO NOT AGREE"), "4.98 +- 4.1 is no agreement with 0.04, 5 sigma of "
                                      "twelve are "
         "a disagreement");
    text_free(&out);
    tune_proof good = vague;
    good.variance = 0.05;
    good.variance_error = 0.02;
    good.exp_minus_dh = 1;
    out = report_of(good, 12);
    fact(strstr(text_string(&out), "0.05 +- 0.02, predicted 0.04 +- 0.01: they agree"), "0.05 +- 0.02 is one");
    text_free(&out);
}

int main(void)
{
    log_set_quiet(true);
    verdicts();
    too_short();
    dearer("their acceptance is not above the target beyond errors", 0.06, false);
    dearer("the steps before cost less, but were verified, and missed the target", 0.04, true);
    dearer("the verification shows that the steps before cost less: keep them", 0.04, false);
    few_trajectories();
    FOR_EVERY_PLACE(where) {
        for (size_t i = 0; i < sizeof systems / sizeof *systems; i++)
            predictions(where, i);
        tuned(where, 60);
        tuned(where, 2);
    }
    return facts_end();
}
