/* test_hmc_plan.c - a plan before anything is made, and what a run then takes: memory to the byte, parts of a
 * trajectory. */
#include "src/base/log.h"
#include "src/lattice/place_memory.h"
#include "src/tune/plan.h"
#include "tests/facts.h"
#include "tests/hmc/run_text.h"
#include "tests/on_every_backend.h"

#include <math.h>
#include <string.h>

#define HEAD "lattice: [4, 4, 2, 4]\nrandom: { seed: 3 }\n"
#define TAIL "  trajectories: 100\noutput: { directory: unused, configuration_every: 20 }\n"
#define GAUGE "  - { kind: gauge, name: gauge, action: wilson, beta: 5.6 }\n"

/* bound: the range of a spectrum, and with it the poles that need memory, is only known when it has been measured. */
typedef struct { const char *name, *input; bool bound; } planned_input;

static const planned_input sweeps = {
    "gluons by heat bath", HEAD "monomials:\n" GAUGE "heatbath: { sweeps: 1 }\nhmc:\n" TAIL, false
};
static const planned_input inputs[] = {
    { "gluons, force gradient, a flow",
      HEAD "monomials:\n" GAUGE
      "hmc:\n  levels: [ { integrator: force_gradient, steps: 2, monomials: [gauge] } ]\n" TAIL
      "measurements: [ { kind: flow, name: flow, t_max: 0.04 } ]\n", false },
    { "two flavors of domain-wall quarks",
      HEAD "monomials:\n" GAUGE
      "  - kind: domain_wall\n    name: quarks\n    Ls: 4\n    solver: double-single\n"
      "    determinants: [ { flavors: 2, mass: 0.3, hasenbusch: [ { mass: 0.6 } ] } ]\n"
      "    residuals: { refresh: 1e-6, action: 1e-6, force: 1e-5 }\n"
      "hmc:\n  trajectory_length: 0.1\n  levels: [ { integrator: omelyan, steps: 1, monomials: [quarks, gauge] } ]\n"
      TAIL, false },
    { "HISQ quarks on stout links",
      HEAD "monomials:\n" GAUGE
      "  - kind: staggered\n    name: quarks\n    action: hisq\n    stout: { levels: 2, rho: 0.1 }\n"
      "    solver: double-single-half\n"
      "    determinants: [ { quarks: [ { mass: 0.2, flavors: 2 } ], hasenbusch: [ { mass: 0.6 } ] } ]\n"
      "    residuals: { refresh: 1e-6, action: 1e-6, force: 1e-5 }\n"
      "hmc:\n  trajectory_length: 0.1\n  levels: [ { integrator: omelyan, steps: 1, monomials: [quarks, gauge] } ]\n"
      TAIL, false },
    { "2 + 1 flavors of HISQ quarks, the Schwinger-Dyson identity",
      HEAD "monomials:\n" GAUGE
      "  - kind: staggered\n    name: quarks\n    action: hisq\n    solver: double-single-half\n"
      "    determinants: [ { quarks: [ { mass: 0.2, flavors: 2 }, { mass: 0.4, flavors: 1 } ], hasenbusch: "
      "[ { mass: 0.6 } ] } ]\n"
      "    residuals: { refresh: 1e-6, action: 1e-6, force: 1e-5 }\n"
      "hmc:\n  trajectory_length: 0.1\n  levels: [ { integrator: omelyan, steps: 1, monomials: [quarks, gauge] } ]\n"
      TAIL "measurements: [ { kind: schwinger_dyson } ]\n", false },
    { "one flavor of domain-wall quarks",
      HEAD "monomials:\n" GAUGE
      "  - kind: domain_wall\n    name: quarks\n    Ls: 4\n"
      "    determinants: [ { flavors: 1, mass: 0.5 } ]\n"
      "    residuals: { refresh: 1e-6, action: 1e-6, force: 1e-5 }\n"
      "hmc:\n  trajectory_length: 0.1\n  levels: [ { integrator: omelyan, steps: 1, monomials: [quarks, gauge] } ]\n"
      TAIL, true },
};

typedef struct { run_input in; lattice *l; gauge *u; } system_at;

static system_at start(const planned_input *x, place where)
{
    system_at s;
    run_from_text(&s.in, "%s", x->input);
    s.l = lattice_create_single(s.in.p.extents);
    s.u = gauge_create(s.l, where, PRECISION_DOUBLE);
    gauge_set_unit(s.u);
    return s;
}

static void end(system_at *s)
{
    gauge_free(s->u);
    lattice_free(s->l);
    run_input_free(&s->in);
}

/* The most so far is that of the latest one: they come in the order of their size, but for one that is a bound. */
static void memory(const planned_input *x, place where)
{
    const size_t before = place_bytes_now(where);
    system_at s = start(x, where);
    const size_t planned = hmc_memory_needed(&s.in.p, PLACE_CPU, true, false);
    hmc *h = hmc_create(&s.in.p, s.u);
    measurements *m = measurements_create(run_measurements(&s.in.p), s.u);
    clock_tree clock = { 0 };
    json results = { 0 };
    for (int64_t n = 1; n <= 2; n++) {
        hmc_outcome o = hmc_trajectory(h, s.u, n, &clock, NULL);
        require(o.failure.step == STEP_NONE, "%s", o.failure.why.why);
        json_open(&results, NULL, '{');
        measurements_run(m, true, s.u, &(measurement_point){ 1, 0, n }, &results, &clock);
        json_close(&results);
        json_free(&results);
        results = (json){ 0 };
    }
    const size_t taken = place_bytes_peak(where) - before;
    fact(x->bound ? taken <= planned : taken == planned,
         "%s, %s: trajectories and measurements take %zu bytes of memory, %zu were planned%s", place_name(where),
         x->name, taken, planned, x->bound ? " at most" : "");
    measurements_free(m);
    hmc_free(h);
    end(&s);
    fact(place_bytes_now(where) == before, "and give them back");
}

/* Those of a trajectory: two energies, at its start and its end; and the forces and drifts of its schedule, counted by
 * hand: 2 steps K D G D K of force_gradient with shared ends, where G takes two forces, or K D K D K of omelyan. */
static void calls(const plan_time *t, size_t which)
{
    static const struct { const char *name; double gradient, omelyan; } parts[] = {
        { "prepare", 1, 1 }, { "refresh", 1, 1 }, { "energy", 2, 2 }, { "drift", 4, 2 }, { "accept", 1, 1 },
        { "force of gauge", 3 + 2 * 2, 3 }, { "force of quarks", 0, 3 }, { "flow", 1, 0 }, { "schwinger_dyson", 0, 1 },
    };
    double most = 0;
    int named = 0;
    for (int i = 0; i < t->parts; i++)
        for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
            if (strcmp(t->part[i].name, parts[k].name) == 0) {
                most = worse(most, fabs(t->part[i].calls - (which == 0 ? parts[k].gradient : parts[k].omelyan)));
                named++;
            }
    fact(named == t->parts && most == 0, "%s: its parts are called as often as a trajectory does (off by %g)",
         inputs[which].name, most);
}

/* 3 calls of 2.0(1) s, 4 of 5.0(2) s, 10 of 0.1 s timed once, 7 of unknown time, none of 100(50) s. */
static void sum_by_hand(void)
{
    static plan_time t;
    t = (plan_time){ .by_probe = true, .parts = 5, .part = {
        { "a", 3, 9, 2, 0.1 }, { "b", 4, 9, 5, 0.2 }, { "c", 10, 1, 0.1, NAN }, { "d", 7, 0, NAN, NAN },
        { "e", 0, 9, 100, 50 } } };
    const plan_sum sum = plan_time_sum(&t);
    fact_close(sum.seconds, 27, 1e-12, "a trajectory takes calls times seconds of its parts: 3 x 2 + 4 x 5 + 10 x 0.1");
    fact_close(sum.error, sqrt(0.3 * 0.3 + 0.8 * 0.8), 1e-12,
               "all calls of a part share its error: 3 x 0.1 and 4 x 0.2, added in squares");
    fact(sum.unknown == 1 && sum.once == 1, "a part without a time is counted, and one that was timed once");
}

static void probe(size_t which, place where)
{
    system_at s = start(&inputs[which], where);
    static plan_time t;
    failure why;
    const state_memory none = { 0 };
    const plan_probe of = { .params = &s.in.p, .u = s.u, .memory = &none, .seconds = 0.05 };
    const bool done = plan_time_probe(&t, &of, &why);
    if (fact(done, "%s, %s: a probe of a trajectory %s", place_name(where), inputs[which].name, done ? "" : why.why)) {
        bool all = true;
        for (int i = 0; i < t.parts; i++)
            all = all && t.part[i].timed > 0 && t.part[i].seconds > 0;
        fact(all && plan_time_sum(&t).unknown == 0, "every part is timed");
        calls(&t, which);
        fact(t.copy > 0 && t.plaquette[0] == 1 && t.plaquette[1] < 1, "copies are timed, and the links have moved");
    }
    json_free(&t.solves);
    end(&s);
}

/* A probe that would take far longer. */
static void limited(place where)
{
    const state_memory none = { 0 };
    for (int by_signal = 0; by_signal < 2; by_signal++) {
        static const volatile sig_atomic_t signals[] = { 0, SIGTERM };
        static plan_time t;
        system_at s = start(&inputs[0], where);
        bool stopped = false;
        failure why = { .why = "" };
        const run_limits limits = { .stop = &signals[by_signal], .stopped = &stopped,
                                    .time = walltime_begin(by_signal ? INFINITY : 0.2) };
        const plan_probe of = { .params = &s.in.p, .u = s.u, .memory = &none, .seconds = 20, .limits = &limits };
        const bool done = plan_time_probe(&t, &of, &why);
        fact(!done && stopped && strcmp(why.why, "stopped in the probe") == 0, "%s: %s ends the probe",
             place_name(where), by_signal ? "a signal" : "the end of the time");
        json_free(&t.solves);
        end(&s);
    }
}

static double seconds_of_part(const plan_time *t, const char *name)
{
    for (int i = 0; i < t->parts; i++)
        if (strcmp(t->part[i].name, name) == 0)
            return t->part[i].seconds;
    return NAN;
}

/* Seconds of an energy in a few trajectories of sweeps; each has one before and one after the sweeps. */
static double seconds_of_energy(const system_at *s)
{
    enum { SWEPT = 20 };
    hmc *h = hmc_create(&s->in.p, s->u);
    clock_tree clock = { 0 };
    for (int64_t n = 1; n <= SWEPT; n++)
        hmc_trajectory(h, s->u, n, &clock, NULL);
    hmc_free(h);
    return clock_seconds(&clock, "energy") / (2 * SWEPT);
}

/* All rounds of the probe but the first, which warms up, take no longer than the probe.  An energy takes as long in the
 * probe as in trajectories; the machine may be busy with something else during one of the two. */
static void probe_of_sweeps(place where)
{
    enum { TRIALS = 20 };
    static plan_time t;
    failure why;
    const state_memory none = { 0 };
    system_at s;
    run_from_text(&s.in, "lattice: [8, 8, 8, 8]\nrandom: { seed: 3 }\nmonomials:\n" GAUGE "heatbath: { sweeps: 1 }\n"
                         "hmc:\n" TAIL);
    s.l = lattice_create_single(s.in.p.extents);
    s.u = gauge_create(s.l, where, PRECISION_DOUBLE);
    gauge_set_unit(s.u);
    const plan_probe of = { .params = &s.in.p, .u = s.u, .memory = &none, .seconds = 0.3 };
    bool within = true;
    double energy = NAN;
    for (int i = 0; i < TRIALS && !(energy > 0.7 && energy < 1.4); i++) {
        require(plan_time_probe(&t, &of, &why), "%s", why.why);
        int64_t rounds = 0;
        for (int k = 0; k < t.parts; k++)
            rounds = t.part[k].timed > rounds ? t.part[k].timed : rounds;
        within = within && rounds > 1 && plan_time_sum(&t).seconds * (double)(rounds - 1) <= t.took;
        energy = seconds_of_part(&t, "energy") / seconds_of_energy(&s);
        json_free(&t.solves);
        t.solves = (json){ 0 };
    }
    fact(within, "%s: trajectories of sweeps take no longer than the probe that has made them", place_name(where));
    fact(energy > 0.7 && energy < 1.4, "%s: an energy takes as long in the probe as in a run (%.2f times)",
         place_name(where), energy);
    end(&s);
}

static void rates(size_t which)
{
    run_input in;
    static plan_time one, two;
    run_from_text(&in, "%s", inputs[which].input);
    plan_time_from_rate(&one, &in.p, 1e9, 100);
    calls(&one, which);
    plan_time_from_rate(&two, &in.p, 2e9, 100);
    const plan_sum slow = plan_time_sum(&one), fast = plan_time_sum(&two);
    fact(slow.seconds > 0 && fabs(slow.seconds / fast.seconds - 2) < 1e-12 && slow.unknown > 0,
         "%s: at twice the rate half the time, and what is left out is counted", inputs[which].name);
    plan_time_from_rate(&two, &in.p, 1e9, 200);
    fact((plan_time_sum(&two).seconds > slow.seconds) == (run_monomial_count(&in.p) > 1),
         "more iterations take longer where there are quarks");
    run_input_free(&in);
}

/* Of one sample there is no error; the sum tells how much of it has one. */
static void errors(void)
{
    static plan_time t = { .parts = 3, .by_probe = true,
                           .part = { { .calls = 2, .seconds = 3, .error = 0.3 },
                                     { .calls = 1, .seconds = 4, .error = NAN },
                                     { .calls = 0, .seconds = 9, .error = 1 } } };
    plan_sum sum = plan_time_sum(&t);
    fact(sum.seconds == 10 && fabs(sum.error - 0.6) < 1e-15 && sum.covered == 6 && sum.once == 1,
         "the error of a sum is that of the parts that have one, and it is known what they take");
    t.part[0].error = NAN;
    sum = plan_time_sum(&t);
    fact(sum.seconds == 10 && isnan(sum.error) && sum.covered == 0 && sum.once == 2,
         "where none has one, the sum has none");
}

static void disk(void)
{
    run_input in;
    plan_disk d;
    const double links = 4 * 4 * 2 * 4 * 72 * 8;
    run_from_text(&in, "%s", inputs[0].input);
    plan_disk_make(&d, &in.p);
    fact(d.trajectories == 100 && d.configurations == 5, "100 trajectories, every 20th kept: 5 configurations");
    fact(d.configuration >= links && d.configuration < links + 10000, "a configuration is its links and some words");
    fact(d.available > 0 && d.total > 5 * links, "the file system of a folder that is not there yet is the one above");
    text_free(&d.folder);
    in.p.start.trajectory = 35;
    plan_disk_make(&d, &in.p);
    fact(d.trajectories == 100 && d.configurations == 5, "trajectories 36 to 135: configurations 40, 60, ... 120");
    text_free(&d.folder);
    run_input_free(&in);
}

int main(void)
{
    log_set_quiet(true);
    FOR_EVERY_PLACE(where) {
        memory(&sweeps, where);
        for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++)
            memory(&inputs[i], where);
        for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++)
            probe(i, where);
        probe_of_sweeps(where);
        limited(where);
    }
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++)
        rates(i);
    sum_by_hand();
    errors();
    disk();
    return facts_end();
}
