/* plan_time.c - the time of a trajectory from the times of its parts. */
#include "src/tune/plan.h"

#include "src/base/memory.h"
#include "src/bench/bench.h"
#include "src/comm/energy_meter.h"
#include "src/hmc/replica_groups.h"
#include "src/lattice/rng.h"
#include "src/tune/shared_clock.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The parts that precede the forces of the terms. */
enum { PREPARE, REFRESH, ENERGY, DRIFT, ACCEPT, FIRST_FORCE };

/* Forces and drifts in one round of the probe; they dominate a trajectory. */
enum { REPEATS = 3, SAMPLES = 512, COPIES = 5 };

/* Smallest copied field in bytes, larger than caches. */
#define COPY_BYTES (256.0 * 1024 * 1024)

typedef struct { int64_t count; double at[SAMPLES]; } samples;

typedef struct {
    plan_time *t;
    const run_params *p;
    gauge *u;
    hmc *h;
    momentum *momenta;             /* those of h */
    measurements *m;
    sum_array size;
    double dt, began, seconds;
    int64_t number;                /* of the trajectory whose random numbers are drawn */
    samples *of;                   /* of each part */
    const run_limits *limits;
    bool stopped;                  /* by these limits */
    failure *f;
} probe;

/* ---- the parts of a trajectory */

static plan_part *add_part(plan_time *t, double calls, const char *name)
{
    plan_part *part = &t->part[t->parts++];
    *part = (plan_part){ .calls = calls, .seconds = NAN, .error = NAN };
    snprintf(part->name, sizeof part->name, "%s", name);
    return part;
}

static bool has_quarks(const run_params *p)
{
    bool has = false;
    for (int n = 0; n < run_monomial_count(p); n++)
        has = has || run_monomial_kind(p, n)->iteration_work;
    return has;
}

/* With tempering, a group of ranks updates its replicas one after the other.  A sample of sweeps, or of their energies,
 * counts all these replicas; other samples count one.  A swap needs four energies: with quarks, of the gauge actions
 * only, whose time is small compared with that of solves. */
static void add_parts(plan_time *t, const run_params *p)
{
    evolve_term terms[HMC_TERMS];
    schedule *s = hmc_plan(p, terms);
    const bool sweeps = run_is_pure_gauge(p);
    const double all = run_is_tempered(p) ? (double)p->tempering.replicas : 1;
    const double replicas = replica_groups_most((int)all), repeated = sweeps ? 1 : replicas;
    const double swaps = run_is_tempered(p) && !has_quarks(p)
                         ? replicas * (all - 1) / all / (double)p->tempering.swap_every : 0;
    const double dynamics = sweeps ? 0 : replicas;
    add_part(t, dynamics, "prepare");
    add_part(t, dynamics, "refresh");
    add_part(t, ((sweeps ? 2 : run_solved_energies(p)) + 4 * swaps / replicas) * repeated, "energy");
    add_part(t, sweeps ? 1 : (double)s->drifts * dynamics, sweeps ? "sweeps" : "drift");
    add_part(t, dynamics, "accept");
    for (int n = 0; n < run_monomial_count(p); n++) {
        text name = { 0 };
        text_add(&name, "force of %s", run_monomial_name(p, n));
        add_part(t, dynamics * (double)s->level[terms[n].level].force_evaluations, text_string(&name));
        text_free(&name);
    }
    const kind_item *item = p->measurements.item;
    for (int n = 0; n < p->measurements.count; n++) {
        const measurement_params *m = item[n].params;
        add_part(t, 1 / (double)m->every, m->name);
    }
    schedule_free(s);
}

plan_sum plan_time_sum(const plan_time *t)
{
    plan_sum sum = { .seconds = 0 };
    double error2 = 0;
    for (int i = 0; i < t->parts; i++) {
        const plan_part *part = &t->part[i];
        if (part->calls == 0)
            continue;
        if (isnan(part->seconds)) {
            sum.unknown++;
            continue;
        }
        sum.seconds += part->calls * part->seconds;
        if (isnan(part->error)) {
            sum.once += t->by_probe;
            continue;
        }
        sum.covered += part->calls * part->seconds;
        error2 += part->calls * part->error * part->calls * part->error;
    }
    sum.error = sum.covered > 0 ? sqrt(error2) : NAN;
    return sum;
}

double plan_time_joules(const plan_time *t)
{
    return t->watts > 0 ? t->watts * plan_time_sum(t).seconds : NAN;
}

/* ---- rates */

void plan_time_from_rate(plan_time *t, const run_params *p, double bytes_a_second, double iterations)
{
    *t = (plan_time){ .copy = bytes_a_second };
    add_parts(t, p);
    const lattice_shape shape = run_shape(p);
    const double links = (double)field_bytes(&shape, PRECISION_DOUBLE, GAUGE_REALS);
    const double momenta = (double)momentum_bytes(&shape, PRECISION_DOUBLE);
    t->part[DRIFT].seconds = run_is_pure_gauge(p) ? NAN : (2 * links + momenta) / bytes_a_second;
    for (int n = 0; n < run_monomial_count(p); n++) {
        const monomial_kind *kind = run_monomial_kind(p, n);
        const void *params = run_monomial_params(p, n);
        double bytes = kind->force_work(kind, params, &shape).bytes;
        if (kind->iteration_work)
            bytes += iterations * kind->iteration_work(kind, params, &shape).bytes;
        t->part[FIRST_FORCE + n].seconds = bytes / bytes_a_second;
    }
}

/* ---- the probe */

static void add_time(probe *b, int part, double since)
{
    samples *s = &b->of[part];
    double seconds = shared_clock_now() - since;
    if (s->count < SAMPLES)
        s->at[s->count] = seconds;
    s->count++;
}

static bool has_time(const probe *b)
{
    return shared_clock_now() - b->began < b->seconds;
}

static bool stopped(probe *b)
{
    b->stopped = b->stopped || (b->limits && run_limits_reached(b->limits));
    return b->stopped;
}

static bool failed(const probe *b, int term, const monomial_call *c)
{
    fail(b->f, "%s: %s", hmc_terms(b->h)[term].name, c->failure.why);
    return false;
}

static bool prepare_terms(probe *b)
{
    double since = shared_clock_now();
    hmc_begin_past(b->h, b->u, &(hmc_past){ .traffic = { 0, 0 } });
    b->momenta = hmc_momenta(b->h);
    for (int n = 0; n < hmc_term_count(b->h); n++) {
        monomial_call c = { .clock = NULL };
        if (!monomial_prepare(hmc_terms(b->h)[n].m, b->u, b->number, &c))
            return failed(b, n, &c);
    }
    add_time(b, PREPARE, since);
    return true;
}

static rng_key key_of(const probe *b, unsigned purpose)
{
    return rng_key_for((uint64_t)b->p->random.seed, (uint32_t)b->p->random.stream, (uint64_t)b->number, purpose);
}

static bool refresh(probe *b)
{
    double since = shared_clock_now();
    momentum_set_gaussian(b->momenta, key_of(b, RNG_MOMENTA));
    for (int n = 0; n < hmc_term_count(b->h); n++) {
        monomial_call c = { .clock = NULL };
        if (!monomial_refresh(hmc_terms(b->h)[n].m, b->u, key_of(b, RNG_PSEUDOFERMION + (unsigned)n), &c))
            return failed(b, n, &c);
    }
    add_time(b, REFRESH, since);
    return true;
}

static bool energy(probe *b)
{
    hmc_energies e;
    hmc_failure problem;
    double since = shared_clock_now();
    if (!hmc_hamiltonian(&e, b->h, b->u, b->momenta, NULL, &problem))
        return fail(b->f, "%s: %s", hmc_terms(b->h)[problem.term].name, problem.why.why);
    add_time(b, ENERGY, since);
    return true;
}

/* A kick of length `kick`, then a drift of length dt. */
static bool forces_and_drift(probe *b, double kick)
{
    for (int n = 0; n < hmc_term_count(b->h); n++) {
        monomial_call c = { .clock = NULL };
        sums_zero(&b->size);
        double since = shared_clock_now();
        if (!monomial_add_force(hmc_terms(b->h)[n].m, b->u, b->momenta, kick, b->size.cells, &c))
            return failed(b, n, &c);
        add_time(b, FIRST_FORCE + n, since);
    }
    double since = shared_clock_now();
    gauge_drift(b->u, b->dt, b->momenta);
    add_time(b, DRIFT, since);
    return true;
}

static void time_acceptance(probe *b)
{
    double since = shared_clock_now();
    gauge_link_quality(b->u);
    gauge_reunitarize(b->u);
    add_time(b, ACCEPT, since);
}

static void measure_parts(probe *b)
{
    const int first = FIRST_FORCE + hmc_term_count(b->h), count = b->p->measurements.count;
    clock_tree clock = { 0 };
    json results = { 0 };
    measurement_point point = { (uint64_t)b->p->random.seed, (uint32_t)b->p->random.stream, b->number };
    json_open(&results, NULL, '{');
    measurements_run(b->m, true, b->u, &point, &results, &clock);
    json_close(&results);
    json_free(&results);
    for (int n = 0; n < count; n++) {
        samples *s = &b->of[first + n];
        const double seconds = clock_seconds(&clock, measurement_name(&b->p->measurements, n));
        if (s->count < SAMPLES)
            s->at[s->count] = shared_clock_seconds(seconds);
        s->count++;
    }
}

/* Leapfrog steps without their last kick, which the next refresh of the momenta would undo.  The first kick is half a
 * step: a whole one would double the force on the links in a step of dt, as if the coupling were weaker, and the probe
 * would time solves on links that are too smooth. */
static bool round_of_dynamics(probe *b)
{
    if (!prepare_terms(b) || !refresh(b))
        return false;
    for (int i = 0; i < (b->number > 1 ? REPEATS : 1) && !stopped(b); i++)
        if (!forces_and_drift(b, i == 0 ? b->dt / 2 : b->dt))
            return false;
    if (stopped(b) || !energy(b))
        return false;
    time_acceptance(b);
    return true;
}

static bool round_of_sweeps(probe *b)
{
    clock_tree clock = { 0 };
    hmc_outcome o = hmc_trajectory(b->h, b->u, b->number, &clock, NULL);
    (void)o;
    samples *sweeps = &b->of[DRIFT], *energies = &b->of[ENERGY];
    if (sweeps->count < SAMPLES && energies->count < SAMPLES) {
        sweeps->at[sweeps->count++] = shared_clock_seconds(clock_seconds(&clock, "sweeps"));
        energies->at[energies->count++] = shared_clock_seconds(clock_seconds(&clock, "energy")) / 2;
    }
    return true;
}

/* The mean without the first call, which warms up.  The error comes from the scatter and from the difference between
 * the two halves: links change, and machines change their speed. */
static void conclude_probe(plan_part *part, const samples *s)
{
    const int64_t all = s->count < SAMPLES ? s->count : SAMPLES, first = all > 2 ? 1 : 0, n = all - first;
    double sum = 0, late = 0, scatter = 0;
    part->timed = s->count;
    if (all == 0)
        return;
    for (int64_t i = first; i < all; i++) {
        sum += s->at[i];
        late += i - first >= n - n / 2 ? s->at[i] : 0;
    }
    part->seconds = sum / (double)n;
    if (n < 2)
        return;
    for (int64_t i = first; i < all; i++)
        scatter += (s->at[i] - part->seconds) * (s->at[i] - part->seconds);
    const double drift = late / (double)(n / 2) - part->seconds;
    part->error = sqrt(scatter / (double)(n * (n - 1)) + drift * drift);
}

typedef struct { place where; field *to, *from; } copy_job;

static void copy_links(const void *what)
{
    const copy_job *c = what;
    field_copy(c->to, c->from);
}

/* Bytes per second of copies within the memory of the run.  If a field of links fits into caches, several are
 * copied. */
static double copy_rate(const gauge *u)
{
    const int reals = GAUGE_REALS;
    lattice *l = u->links.lattice;
    double bytes = (double)field_bytes(lattice_shape_of(l), PRECISION_DOUBLE, reals);
    const int times = (int)fmin(16, ceil(COPY_BYTES / bytes));
    field to = field_create(l, u->links.where, PRECISION_DOUBLE, times * reals, "a copy");
    field from = field_create(l, u->links.where, PRECISION_DOUBLE, times * reals, "what is copied");
    copy_job job = { u->links.where, &to, &from };
    bench_time time = bench_launches(u->links.where, COPIES, copy_links, &job);
    bytes = 2 * (double)to.bytes;
    field_free(&to);
    field_free(&from);
    return bytes / shared_clock_seconds(time.median);
}

static void report_solves(probe *b)
{
    json_open(&b->t->solves, NULL, '{');
    for (int n = 0; n < hmc_term_count(b->h); n++) {
        json_open(&b->t->solves, hmc_terms(b->h)[n].name, '{');
        monomial_log_warnings(hmc_terms(b->h)[n].m, hmc_terms(b->h)[n].name);
        monomial_report(hmc_terms(b->h)[n].m, &b->t->solves);
        json_close(&b->t->solves);
    }
    json_close(&b->t->solves);
}

bool plan_time_probe(plan_time *t, const plan_probe *of, failure *f)
{
    const run_params *p = of->params;
    gauge *u = of->u;
    *t = (plan_time){ .by_probe = true, .copy = copy_rate(u), .plaquette = { gauge_plaquette(u).average } };
    add_parts(t, p);
    const double drifts = t->part[DRIFT].calls;
    probe b = { .t = t, .p = p, .u = u, .seconds = of->seconds, .limits = of->limits, .f = f,
                .dt = p->hmc.length / fmax(drifts, 1),
                .h = hmc_create(p, u),
                .m = measurements_create(run_measurements(p), u),
                .size = monomial_size_create(u),
                .of = memory_alloc(PLAN_PARTS * sizeof *b.of, "times") };
    const bool sweeps = run_is_pure_gauge(p);
    bool done = true;
    hmc_set_memory(b.h, of->memory);
    energy_meter energy = energy_meter_create(u->links.where == PLACE_GPU);
    b.began = shared_clock_now();
    energy_meter_begin(&energy, 0, 0);
    for (b.number = 1; done && !stopped(&b) && (b.number == 1 || has_time(&b)); b.number++)
        done = sweeps ? round_of_sweeps(&b) : round_of_dynamics(&b);
    if (done && !stopped(&b) && p->measurements.count > 0)
        measure_parts(&b);                              /* once: measurements may be long and are rarely due */
    if (b.stopped)
        done = run_limits_fail(of->limits, f, "stopped in the probe");
    t->took = shared_clock_now() - b.began;
    const double watts = energy_meter_joules(&energy) / t->took;
    t->watts = watts > 0 ? watts : 0;
    t->plaquette[1] = gauge_plaquette(u).average;
    for (int i = 0; i < t->parts; i++)
        conclude_probe(&t->part[i], &b.of[i]);
    if (done)
        report_solves(&b);
    memory_free(b.of);
    sums_free(&b.size);
    measurements_free(b.m);
    hmc_free(b.h);
    return done;
}
