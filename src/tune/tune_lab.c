/* tune_lab.c - trajectories for learning. */
#include "src/tune/tune_lab.h"

#include "src/base/memory.h"
#include "src/lattice/rng.h"
#include "src/tune/lab_params.h"
#include "src/tune/shared_clock.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Number of the first trajectory of a lab; ensembles do not reach such numbers. */
#define FIRST_NUMBER 4000000000

/* Step of the finite difference for d^2 S / dtau^2, in molecular-dynamics time: small compared with any step, but large
 * enough that the residuals of forces divided by it remain negligible. */
#define STEP_OF_DERIVATIVE 0.01

/* Steps of power iteration for the largest frequency.  With this number, the result for free gluons on 4^4 is 11 % too
 * small. */
enum { POWERS = 5 };

/* The seconds of the calls of one part; at most TIMINGS of them are stored. */
enum { TIMINGS = 256 };
typedef struct { int count; double at[TIMINGS]; } timings;

struct lab {
    run_params used;                     /* of the input, which is borrowed */
    const run_params *p;                 /* these */
    gauge *u;
    hmc *h;
    momentum *momenta;                   /* those of h */
    momentum *at_start, *of_term[LAB_TERMS], *change;
    gauge *moved;
    sum_array size;
    int terms;
    int64_t number;
    hmc_energies before;
    bool knows_before;
    timings force[LAB_TERMS], alone[LAB_TERMS], drift, refresh, energy, rest;
    const run_limits *limits;
};

size_t lab_bytes(const run_params *p)
{
    const lattice_shape shape = run_shape(p);
    size_t momenta = momentum_bytes(&shape, PRECISION_DOUBLE);
    size_t links = field_bytes(&shape, PRECISION_DOUBLE, GAUGE_REALS);
    evolve_term terms[HMC_TERMS];
    schedule *s = hmc_plan(p, terms);
    const size_t dynamics = evolver_bytes(s, terms, run_monomial_count(p), &shape);
    schedule_free(s);
    return hmc_memory_needed(p, PLACE_CPU, true, false) + dynamics + links
           + (size_t)(2 + run_monomial_count(p)) * momenta;
}

lab *lab_create(const run_params *p, gauge *u, const run_limits *limits)
{
    lattice *on = u->links.lattice;
    const place where = u->links.where;
    lab *l = memory_alloc(sizeof *l, "trajectories to learn from");
    assert(run_monomial_count(p) <= LAB_TERMS);
    l->used = lab_params(p);
    l->p = &l->used;
    l->u = u;
    l->limits = limits;
    l->h = hmc_create(l->p, u);
    l->terms = hmc_term_count(l->h);
    l->number = FIRST_NUMBER;
    l->at_start = momentum_create(on, where, PRECISION_DOUBLE);
    l->change = momentum_create(on, where, PRECISION_DOUBLE);
    for (int t = 0; t < l->terms; t++)
        l->of_term[t] = momentum_create(on, where, PRECISION_DOUBLE);
    l->moved = gauge_create(on, where, PRECISION_DOUBLE);
    l->size = monomial_size_create(u);
    return l;
}

void lab_free(lab *l)
{
    if (!l)
        return;
    sums_free(&l->size);
    gauge_free(l->moved);
    for (int t = 0; t < l->terms; t++)
        momentum_free(l->of_term[t]);
    momentum_free(l->change);
    momentum_free(l->at_start);
    hmc_free(l->h);
    memory_free(l);
}

hmc *lab_hmc(lab *l)
{
    return l->h;
}

void lab_number(lab *l, int64_t number)
{
    l->number = FIRST_NUMBER + number;
}

/* ---- times */

static void add_time(timings *t, double seconds)
{
    if (t->count < TIMINGS)
        t->at[t->count++] = seconds;
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(const timings *t)
{
    timings sorted = *t;
    qsort(sorted.at, (size_t)sorted.count, sizeof *sorted.at, by_size);
    return t->count > 0 ? sorted.at[t->count / 2] : 0;
}

lab_times lab_times_of(const lab *l)
{
    lab_times t = { .drift = median(&l->drift), .refresh = median(&l->refresh), .energy = median(&l->energy),
                    .rest = median(&l->rest), .spared = 2 - run_solved_energies(l->p) };
    for (int n = 0; n < l->terms; n++) {
        t.force[n] = median(&l->force[n]);
        t.alone[n] = median(&l->alone[n]);
    }
    return t;
}

/* Seconds of one call of the timer of this name, of a term under "force". */
static void add_timer(timings *t, const clock_tree *c, const char *name)
{
    for (int n = 0; n < c->count; n++) {
        const clock_node *node = &c->node[n];
        const bool is_term = node->parent >= 0 && strcmp(c->node[node->parent].name, "force") == 0;
        if ((is_term || node->parent < 0) && strcmp(node->name, name) == 0 && node->calls > 0)
            add_time(t, shared_clock_seconds(node->seconds) / (double)node->calls);
    }
}

/* ---- a trajectory in pieces */

static bool is_stopped(const lab *l, failure *f)
{
    return !shared_clock_goes_on(l->limits, "stopped", f);
}

static bool report_problem(const lab *l, int term, const failure *why, failure *f)
{
    return fail(f, "%s: %s", hmc_terms(l->h)[term].name, why->why);
}

static rng_key key_of(const lab *l, unsigned purpose)
{
    return rng_key_for((uint64_t)l->p->random.seed, (uint32_t)l->p->random.stream, (uint64_t)l->number, purpose);
}

static bool prepare_terms(lab *l, failure *f)
{
    hmc_begin_past(l->h, l->u, &(hmc_past){ .traffic = { 0, 0 } });
    l->momenta = hmc_momenta(l->h);
    for (int t = 0; t < l->terms; t++) {
        monomial_call c = { .clock = NULL };
        if (!monomial_prepare(hmc_terms(l->h)[t].m, l->u, l->number, &c))
            return report_problem(l, t, &c.failure, f);
    }
    return true;
}

static bool refresh(lab *l, failure *f)
{
    momentum_set_gaussian(l->momenta, key_of(l, RNG_MOMENTA));
    momentum_copy(l->at_start, l->momenta);
    for (int t = 0; t < l->terms; t++) {
        monomial_call c = { .clock = NULL };
        if (!monomial_refresh(hmc_terms(l->h)[t].m, l->u, key_of(l, RNG_PSEUDOFERMION + (unsigned)t), &c))
            return report_problem(l, t, &c.failure, f);
    }
    return true;
}

bool lab_begin(lab *l, failure *f)
{
    if (is_stopped(l, f))
        return false;
    l->number++;
    l->knows_before = false;
    double began = shared_clock_now();
    if (!prepare_terms(l, f))
        return false;
    add_time(&l->rest, shared_clock_now() - began);
    began = shared_clock_now();
    if (!refresh(l, f))
        return false;
    add_time(&l->refresh, shared_clock_now() - began);
    return true;
}

static bool energy(lab *l, hmc_energies *e, failure *f)
{
    hmc_failure t;
    const double began = shared_clock_now();
    if (!hmc_hamiltonian(e, l->h, l->u, l->momenta, NULL, &t))
        return report_problem(l, t.term, &t.why, f);
    add_time(&l->energy, shared_clock_now() - began);
    return true;
}

static bool leave_lab(void *of)
{
    const lab *l = of;
    return shared_clock_stop(l->limits);
}

bool lab_run(lab *l, const level_params *levels, int count, double *dh, failure *f)
{
    evolve_term terms[LAB_TERMS];
    evolve_failure why;
    hmc_energies after;
    if (is_stopped(l, f) || (!l->knows_before && !energy(l, &l->before, f)))
        return false;
    l->knows_before = true;
    schedule *s = schedule_create(levels, count, l->p->hmc.length);
    memcpy(terms, hmc_terms(l->h), (size_t)l->terms * sizeof *terms);
    evolver *e = evolver_create(s, terms, l->terms, l->u);
    clock_tree clock = { 0 };
    const evolve_end end = evolve(e, l->u, l->momenta, &clock, &(evolve_watch){ leave_lab, l }, &why);
    add_timer(&l->drift, &clock, "drift");
    for (int n = 0; n < l->terms; n++)
        add_timer(&l->force[n], &clock, terms[n].name);
    evolver_free(e);
    schedule_free(s);
    if (end == EVOLVE_STOPPED)
        return !is_stopped(l, f);
    if (end == EVOLVE_FAILED)
        return report_problem(l, why.term, &why.why, f);
    if (!energy(l, &after, f))
        return false;
    *dh = hmc_energy_difference(l->h, &l->before, &after);
    if (!isfinite(*dh))
        *dh = NAN;
    return true;
}

void lab_return(lab *l)
{
    gauge_copy(l->u, hmc_start_links(l->h));
    momentum_copy(l->momenta, l->at_start);
}

bool lab_accept(lab *l, double dh)
{
    const bool accepted = isfinite(dh) && rng_scalar(key_of(l, RNG_METROPOLIS)) < exp(-dh);
    if (accepted)
        gauge_reunitarize(l->u);
    else
        lab_return(l);
    return accepted;
}

/* ---- brackets */

static bool add_force(lab *l, int term, const gauge *u, momentum *to, double weight, failure *f)
{
    monomial_call c = { .clock = NULL };
    const double began = shared_clock_now();
    sums_zero(&l->size);
    if (!monomial_add_force(hmc_terms(l->h)[term].m, u, to, weight, l->size.cells, &c))
        return report_problem(l, term, &c.failure, f);
    add_time(&l->alone[term], shared_clock_now() - began);
    return true;
}

/* (A, B); A is unchanged except for rounding. */
static double product(momentum *a, const momentum *b)
{
    const double apart = momentum_kinetic(a) + momentum_kinetic(b);
    momentum_axpy(a, 1, b);
    const double together = momentum_kinetic(a);
    momentum_axpy(a, -1, b);
    return together - apart;
}

/* l->change <- dF/dtau along the momenta, from the difference of the forces on links a little forward and backward. */
static bool derive_force(lab *l, int term, const momentum *along, failure *f)
{
    momentum_zero(l->change);
    for (int sign = -1; sign <= 1; sign += 2) {
        gauge_copy(l->moved, l->u);
        gauge_drift(l->moved, sign * STEP_OF_DERIVATIVE, along);
        if (!add_force(l, term, l->moved, l->change, sign / (2 * STEP_OF_DERIVATIVE), f))
            return false;
    }
    return true;
}

/* -(P, dF/dtau) */
static bool second_derivative(lab *l, int term, double *d, failure *f)
{
    if (!derive_force(l, term, l->momenta, f))
        return false;
    *d = -product(l->change, l->momenta);
    return true;
}

bool lab_brackets(lab *l, brackets *b, failure *f)
{
    memset(b, 0, sizeof *b);
    for (int t = 0; t < l->terms; t++) {
        if (is_stopped(l, f))
            return false;
        momentum_zero(l->of_term[t]);
        if (!add_force(l, t, l->u, l->of_term[t], 1, f) || !second_derivative(l, t, &b->d[t], f))
            return false;
        b->ff[t][t] = 2 * momentum_kinetic(l->of_term[t]);
        for (int s = 0; s < t; s++)
            b->ff[s][t] = b->ff[t][s] = product(l->of_term[t], l->of_term[s]);
    }
    return true;
}

/* The norm of dF/dtau along v over that of v, where v is the last dF/dtau with the norm of the momenta. */
bool lab_frequencies(lab *l, double omega2[LAB_TERMS], failure *f)
{
    const double size = momentum_kinetic(l->momenta);
    for (int t = 0; t < l->terms; t++) {
        momentum *v = l->of_term[t];
        momentum_copy(v, l->momenta);
        for (int i = 0; i < POWERS; i++) {
            if (is_stopped(l, f) || !derive_force(l, t, v, f))
                return false;
            omega2[t] = sqrt(momentum_kinetic(l->change) / size);
            if (!(omega2[t] > 0))
                break;
            momentum_mix(v, -1 / omega2[t], l->change, 0);
        }
    }
    return true;
}

bool lab_mean_brackets(lab *l, brackets *mean, failure *f)
{
    enum { REFRESHES = 3 };
    memset(mean, 0, sizeof *mean);
    lab_number(l, -REFRESHES);
    for (int i = 0; i < REFRESHES; i++) {
        brackets b;
        if (!lab_begin(l, f) || !lab_brackets(l, &b, f))
            return false;
        for (int s = 0; s < l->terms; s++) {
            mean->d[s] += b.d[s] / REFRESHES;
            for (int t = 0; t < l->terms; t++)
                mean->ff[s][t] += b.ff[s][t] / REFRESHES;
        }
    }
    return true;
}

bool lab_time_term(lab *l, int term, failure *f)
{
    hmc_energies e;
    if (is_stopped(l, f) || !energy(l, &e, f))
        return false;
    momentum_zero(l->of_term[term]);
    return add_force(l, term, l->u, l->of_term[term], 1, f);
}
