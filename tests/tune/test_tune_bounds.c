/* test_tune_bounds.c - steps far longer than those with which dH was measured: the second order predicts that they are
 * good, trajectories show that they are not, and the tuner does not choose them. */
#include "integrators/stability.h"
#include "src/base/log.h"
#include "src/base/memory.h"
#include "src/tune/tune.h"
#include "src/tune/tune_bounds.h"
#include "src/tune/tune_report.h"
#include "tests/facts.h"
#include "tests/hmc/run_text.h"
#include "tests/integrators/toy.h"
#include "tests/on_every_backend.h"

#include <math.h>
#include <string.h>

#define TARGET 0.8

static tune_model m;                       /* large */

/* ---- stability of an oscillator */

/* The trace of omelyan is 2 - x^2 + c x^4 / 2 with x = omega dt, c = lambda (1 - 2 lambda): it is -2 for
 * x^2 = (1 - sqrt(1 - 8 c)) / c. */
static void stability(void)
{
    fact_close(scheme_stability(scheme_get(0), 0), 2, 0.011, "%s is stable up to omega dt = 2", scheme_names[0]);
    for (int i = 0; scheme_names[i]; i++)
        for (double l = 0.13; strcmp(scheme_names[i], "omelyan") == 0 && l < 0.24; l += 0.03) {
            const double c = l * (1 - 2 * l);
            fact_close(scheme_stability(scheme_get(i), l), sqrt((1 - sqrt(1 - 8 * c)) / c), 0.011,
                       "omelyan(%.2f) is stable up to the omega dt of its trace", l);
        }
}

/* ---- the bounds */

static tune_setting omelyan_setting(int64_t outer, int64_t inner)
{
    tune_setting s = { .count = 2 };
    s.level[0] = s.level[1] = (level_params){ .integrator = toy_scheme_index("omelyan"), .lambda = OMELYAN_LAMBDA };
    s.level[0].steps = outer;
    s.level[1].steps = inner;
    return s;
}

/* A model of two levels without trajectories. */
static void clear_model(void)
{
    memset(&m, 0, sizeof m);
    m.terms = 2;
    m.level[1] = 1;
    m.length = 1;
    m.times = (lab_times){ .force = { 30, 10 }, .drift = 0.1, .refresh = 1, .energy = 1 };
}

/* dH beyond second order of this size, with 4 outer steps. */
static void add_rest(int64_t inner, double size)
{
    const tune_setting s = omelyan_setting(4, inner);
    const brackets none = { .d = { 0 } };
    for (int i = 0; i < 8; i++)
        tune_add(&m, &s, &none, i % 2 ? size : -size);
}

static bool is_excluded(int64_t outer, int64_t inner, obstacle_kind kind)
{
    const tune_setting s = omelyan_setting(outer, inner);
    return step_obstacle_of(&m, &s, TARGET).kind == kind;
}

static void bounds(void)
{
    tune_setting s = omelyan_setting(4, 4);
    clear_model();
    add_rest(4, 0.1);
    const tune_prediction measured = tune_predict(&m, &s);
    fact(step_count(&s, 1) == 32 && is_excluded(4, 4, OBSTACLE_NONE) && is_excluded(4, 8, OBSTACLE_NONE)
         && measured.largest < measured.variance * (1 + 1e-9),
         "the measured 4 x 4 steps and finer inner ones are allowed");
    fact(is_excluded(4, 3, OBSTACLE_NONE) && is_excluded(4, 2, OBSTACLE_REST),
         "0.1 of dH beyond second order: 4 x 3 are allowed, 4 x 2 are not");
    s = omelyan_setting(4, 3);
    fact_close(tune_predict(&m, &s).largest, 0.01 * pow(4 / 3., 8), 1e-9,
               "if all of it comes from the inner level, its square grows by (4/3)^8");
    fact(is_excluded(4, 1, OBSTACLE_GROWTH) && is_excluded(1, 16, OBSTACLE_GROWTH),
         "steps four times as long are not allowed, nor are outer ones");
    add_rest(2, 0.12);
    fact(is_excluded(4, 2, OBSTACLE_NONE) && is_excluded(4, 1, OBSTACLE_REST), "measured, 4 x 2 are allowed");

    clear_model();
    add_rest(4, 0.1);
    add_rest(2, 3);
    s = omelyan_setting(4, 4);
    fact(is_excluded(4, 2, OBSTACLE_REST), "with a large dH they are not");
    fact(tune_predict(&m, &s).variance < 0.03, "which says nothing of the finer steps that were measured (<dH^2> %g)",
         tune_predict(&m, &s).variance);
    s = omelyan_setting(4, 1);
    fact(is_excluded(4, 1, OBSTACLE_GROWTH), "a large dH allows no longer steps");
    tune_add_lost(&m, &s);
    fact(is_excluded(4, 1, OBSTACLE_LOST) && is_excluded(5, 1, OBSTACLE_GROWTH), "nor does a lost trajectory");

    clear_model();
    add_rest(4, 1e-4);
    fact(is_excluded(4, 2, OBSTACLE_NONE), "a dH of second order alone: 4 x 2 are allowed");
    m.omega2[1] = 40 * 40;
    fact(is_excluded(4, 2, OBSTACLE_STABILITY) && is_excluded(4, 4, OBSTACLE_NONE),
         "with omega = 40 they are not, for omega dt = 2.5; 4 x 4 were measured");
}

/* Trajectories of second order alone, with 8 x 4 steps; then lost ones with 4 x 4. */
static void lost_trajectories(void)
{
    static char *name = "gluons";
    const brackets some = { .d = { 20, 20 } };
    tune_setting s = omelyan_setting(8, 4);
    tune_prediction p;
    for (int e = 0; e < s.count; e++)
        s.level[e].monomials = (text_list){ 1, &name };
    clear_model();
    for (int i = 0; i < 8; i++)
        tune_add(&m, &s, &some, tune_predict_dh(&m, &s, &some) + (i % 2 ? 0.01 : -0.01));
    m.times.force[0] = 3000;
    const double before = tune_predict(&m, &s).variance;
    s.level[0].steps = 4;
    fact(is_excluded(4, 4, OBSTACLE_NONE), "4 x 4 steps are predicted to be good");
    for (int i = 0; i < 8; i++)
        if (i % 2)
            tune_add_lost(&m, &s);
        else
            tune_add(&m, &s, &some, 50);
    fact(is_excluded(4, 4, OBSTACLE_LOST) && is_excluded(3, 4, OBSTACLE_LOST) && is_excluded(4, 2, OBSTACLE_LOST),
         "after a lost trajectory with them, neither they nor longer ones are allowed");
    fact(is_excluded(5, 4, OBSTACLE_NONE), "shorter ones are");
    for (observed_bounds b = BOUND_ALL; b < BOUND_NONE; b++) {
        const tune_setting found = tune_find_within(&m, b, &s, TARGET, false, &p);
        fact(step_count(&found, 0) > 4 || step_count(&found, 1) > 32, "the search leaves them out (%d x %d)",
             (int)found.level[0].steps, (int)found.level[1].steps);
    }
    s.level[0].steps = 8;
    fact(tune_measured(&m) == 8, "eight trajectories were not lost");
    fact_close(tune_predict(&m, &s).variance, before, 1e-12, "the prediction for the measured steps is as before");
}

/* ---- gluons */

static const char gluons[] =
    "lattice: [4, 4, 4, 4]\n"
    "random: { seed: 31 }\n"
    "start: { from: %s }\n"
    "monomials:\n"
    "  - { kind: gauge, name: weak, action: wilson, beta: 0.2 }\n"
    "  - { kind: gauge, name: strong, action: wilson, beta: 8 }\n"
    "hmc:\n"
    "  trajectory_length: 1\n"
    "  levels:\n"
    "    - { integrator: omelyan, steps: 4, monomials: [weak] }\n"
    "    - { integrator: omelyan, steps: 4, monomials: [strong] }\n"
    "  trajectories: 100\n"
    "output: { directory: unused }\n";

typedef struct { run_input in; lattice *l; gauge *u; latest_links at; lab *b; } bench;

static void bench_create(bench *x, place where, const char *start)
{
    failure why;
    run_from_text(&x->in, gluons, start);
    x->l = lattice_create_single(x->in.p.extents);
    x->u = gauge_create(x->l, where, PRECISION_DOUBLE);
    require(latest_links_load(&x->at, x->u, &x->in.p, NULL, NULL, &why), "%s", why.why);
    x->b = lab_create(&x->in.p, x->u, NULL);
}

static void bench_free(bench *x)
{
    lab_free(x->b);
    gauge_free(x->u);
    lattice_free(x->l);
    text_free(&x->at.origin);
    run_input_free(&x->in);
}

/* On unit links gluons are free: S = (beta/6) sum |curl A|^2, omega^2 = (beta/3) sum 4 sin^2(k/2) <= 16 beta/3. */
static void free_gluons(place where)
{
    static const double beta[2] = { 0.2, 8 };
    bench x;
    failure why;
    double omega2[LAB_TERMS];
    bench_create(&x, where, "cold");
    require(lab_begin(x.b, &why) && lab_frequencies(x.b, omega2, &why), "%s", why.why);
    for (int t = 0; t < 2; t++)
        fact(omega2[t] < 1.001 * 16 * beta[t] / 3 && omega2[t] > 0.75 * 16 * beta[t] / 3,
             "%s: omega^2 of free gluons of beta %g is at most 16 beta/3 (%.3f of it)", place_name(where), beta[t],
             omega2[t] / (16 * beta[t] / 3));
    bench_free(&x);
}

static double run(lab *l, const tune_setting *s)
{
    double dh = NAN;
    failure why;
    require(lab_run(l, s->level, s->count, &dh, &why), "%s", why.why);
    return dh;
}

static void learn(bench *x, const tune_setting *s, int trajectories)
{
    failure why;
    for (int i = 0; i < trajectories; i++) {
        brackets start, end;
        require(lab_begin(x->b, &why) && lab_brackets(x->b, &start, &why), "%s", why.why);
        if (i == 0)
            require(lab_frequencies(x->b, m.omega2, &why), "%s", why.why);
        const double dh = run(x->b, s);
        require(lab_brackets(x->b, &end, &why), "%s", why.why);
        for (size_t k = 0; k < sizeof end / sizeof(double); k++)
            ((double *)&end)[k] -= ((double *)&start)[k];
        tune_add(&m, s, &end, dh);
        lab_accept(x->b, dh);
    }
}

static double measured_variance(bench *x, const tune_setting *s, int trajectories)
{
    double sum = 0;
    failure why;
    for (int i = 0; i < trajectories; i++) {
        require(lab_begin(x->b, &why), "%s", why.why);
        const double dh = run(x->b, s);
        sum += isfinite(dh) ? dh * dh : TUNE_DH_LOST * TUNE_DH_LOST;
        lab_accept(x->b, dh);
    }
    return sum / trajectories;
}

/* Links in equilibrium, with steps that are good enough for that. */
static void thermalize(bench *x, tune_setting s)
{
    enum { TRAJECTORIES = 12 };
    failure why;
    s.level[1].steps = 1;
    for (int i = 0; i < TRAJECTORIES; i++) {
        require(lab_begin(x->b, &why), "%s", why.why);
        run(x->b, &s);
        gauge_reunitarize(x->u);
    }
}

enum { LEARN = 4, PROVE = 6 };

static void too_long_steps(bench *x, const tune_setting *given, const char *here)
{
    tune_prediction p;
    clear_model();
    learn(x, given, LEARN);
    tune_setting s = tune_find_within(&m, BOUND_NONE, given, TARGET, true, &p);
    const step_obstacle o = step_obstacle_of(&m, &s, TARGET);
    double found = measured_variance(x, &s, PROVE);
    fact(p.acceptance > TARGET && found > 5 * p.variance && tune_acceptance(found) < TARGET,
         "%s: without bounds %d steps and %d in their drifts are chosen in place of 4 and 4, for <dH^2> %.3g: it is "
         "%.3g",
         here, (int)s.level[0].steps, (int)s.level[1].steps, p.variance, found);
    fact(o.kind != OBSTACLE_NONE, "a bound excludes them (%d)", (int)o.kind);
    s = tune_find(&m, given, TARGET, true, &p);
    found = measured_variance(x, &s, PROVE);
    fact(tune_acceptance(found) > TARGET && p.acceptance > TARGET,
         "with bounds %d and %d are, for <dH^2> %.3g, at most %.3g: it is %.3g", (int)s.level[0].steps,
         (int)s.level[1].steps, p.variance, p.largest, found);
}

/* A tuning measures longer steps before it chooses them, because a force costs much here. */
static void tuned(bench *x, const tune_setting *given, const char *here)
{
    const tune_request w = { .target = TARGET, .learn = LEARN, .lambdas = true, .times = &m.times };
    const tune_source none = { .path = "" };
    tune_result *r = memory_alloc(sizeof *r, "the result of a tuning");
    failure why;
    const tune_task task = { .in = &x->in, .source = &none, .u = x->u, .memory = &x->at.memory, .request = &w,
                             .thermalized = true };
    require(tune_run(r, &task, &why), "%s", why.why);
    tune_setting learned = *given;
    learned.level[0].steps = r->order_steps[0];
    const double chosen = step_count(&r->after, 1), first = step_count(&learned, 1);
    double longest = first;
    bool by_growth = r->longer_count > 0;
    for (int i = 0; i < r->longer_count; i++) {
        const double steps = step_count(&r->longer[i].setting, 1);
        by_growth &= steps * TUNE_GROWTH * (1 + 1e-9) >= longest;
        longest = fmin(longest, steps);
    }
    fact(by_growth && chosen * TUNE_GROWTH * (1 + 1e-9) >= longest && r->then.cost < 0.6 * r->now.cost,
         "%s: steps are made longer by measured ones: from %g in a trajectory by %d trials, the last %g, to %g", here,
         first, r->longer_count, longest, chosen);
    const double found = measured_variance(x, &r->after, PROVE);
    fact(tune_acceptance(found) > TARGET - 0.15, "with %d and %d steps <dH^2> is %.3g, %.3g +- %.2g predicted",
         (int)r->after.level[0].steps, (int)r->after.level[1].steps, found, r->then.variance, r->then.error);
    memory_free(r);
}

/* ---- the report */

static text report_of(step_obstacle why)
{
    tune_result *r = memory_alloc(sizeof *r, "the result of a tuning");
    text out = { 0 };
    r->excluded = (tune_excluded){ .setting = omelyan_setting(3, 1), .why = why, .terms = "gauge" };
    bounds_to_text(&out, r, "# ");
    memory_free(r);
    return out;
}

static void reports(void)
{
    static const struct { step_obstacle why; const char *what; } of[] = {
        { { .kind = OBSTACLE_STABILITY, .level = 1, .steps = 12, .omega_dt = 2, .limit = 1.5 }, "12 steps in a "
          "trajectory: omega dt = 2 for the highest frequency of\n#   the forces on this level and inner ones, at most "
          "1.5 is chosen: the scheme is unstable above 2.5\n" },
        { { .kind = OBSTACLE_GROWTH, .level = 1, .steps = 12, .measured = 48 }, "12 steps in a trajectory, 4 times as "
          "long as measured ones (48 steps);\n#   steps more than 2.5 times as long as measured ones are not "
          "chosen\n" },
        { { .kind = OBSTACLE_REST, .level = 1, .steps = 12, .measured = 24, .variance = 7 },
          "12 steps in a trajectory, 2 times as long as measured ones (24 steps);\n"
          "#   the part of dH beyond second order may grow as the fourth power of this step: <dH^2> up to 7\n" },
        { { .kind = OBSTACLE_LOST, .level = 1, .steps = 12 }, "12 steps in a trajectory:\n#   a trajectory with such "
          "steps or shorter ones had |dH| of 10 or more\n" },
    };
    text out = report_of((step_obstacle){ .kind = OBSTACLE_NONE });
    fact(out.length == 0, "where no bound decides, the report has no line of it");
    text_free(&out);
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        out = report_of(of[i].why);
        fact(strstr(text_string(&out), of[i].why.kind == OBSTACLE_LOST ? "not chosen: 3 x omelyan"
                                       : "not chosen, because its steps are too far from measured ones: 3 x omelyan")
             && strstr(text_string(&out), "level 1 (gauge) would have ") && strstr(text_string(&out), of[i].what),
             "it says which bound decided: %s", of[i].what);
        text_free(&out);
    }
}

int main(void)
{
    log_set_quiet(true);
    stability();
    bounds();
    lost_trajectories();
    reports();
    FOR_EVERY_PLACE(where) {
        bench x;
        tune_setting given = { .count = 2 };
        free_gluons(where);
        bench_create(&x, where, "hot");
        memcpy(given.level, x.in.p.hmc.levels.item, 2 * sizeof *given.level);
        thermalize(&x, given);
        too_long_steps(&x, &given, place_name(where));
        tuned(&x, &given, place_name(where));
        bench_free(&x);
    }
    return facts_end();
}
