/* hmc.c - a trajectory in one page. */
#include "src/hmc/hmc.h"

#include "src/base/memory.h"
#include "src/hmc/quenched.h"
#include "src/lattice/kernels.h"
#include "src/lattice/rng.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

const char *const hmc_step_names[] = { "none", "prepare", "heat bath", "action", "force", NULL };

_Static_assert((int)HMC_TERMS <= STATE_LISTS && (int)MONOMIAL_MEMORY <= STATE_NUMBERS, "a state holds all memory");

struct hmc {
    const run_params *params;
    schedule *s;
    evolver *dynamics;
    quenched *sweeps;                /* in the place of dynamics; NULL: there is dynamics */
    evolve_term term[HMC_TERMS];
    int terms;
    momentum *p;
    bool drawn;                      /* p are momenta */
    gauge *saved;                    /* at the start of a trajectory: links and what the terms recalled */
    state_memory recalled;
    hmc_energies before;
    double refresh_error[HMC_TERMS];
    device_traffic since, earlier;   /* when this process began the trajectory; of processes before it */
};

static int level_of(const schedule *s, const char *name)
{
    for (int l = 0; l < s->levels; l++)
        for (int i = 0; i < s->level[l].monomials.count; i++)
            if (strcmp(s->level[l].monomials.item[i], name) == 0)
                return l;
    assert(!"the input has been checked: every monomial is on a level");
    return -1;
}

schedule *hmc_plan(const run_params *p, evolve_term terms[HMC_TERMS])
{
    static const level_params no_forces = { .steps = 1 };
    bool sweeps = run_is_quenched(p);
    schedule *s = sweeps ? schedule_create(&no_forces, 1, 1)
                         : schedule_create(p->hmc.levels.item, p->hmc.levels.count, p->hmc.length);
    for (int t = 0; t < run_monomial_count(p); t++) {
        terms[t] = (evolve_term){ .m = NULL };
        snprintf(terms[t].name, sizeof terms[t].name, "%s", run_monomial_name(p, t));
        terms[t].level = sweeps ? 0 : level_of(s, run_monomial_name(p, t));
    }
    return s;
}

hmc *hmc_create(const run_params *p, const gauge *u)
{
    lattice *l = u->links.lattice;
    hmc *h = memory_alloc(sizeof *h, "hybrid Monte Carlo");
    assert(run_monomial_count(p) <= HMC_TERMS);
    h->params = p;
    h->s = hmc_plan(p, h->term);
    h->terms = run_monomial_count(p);
    for (int t = 0; t < h->terms; t++)
        h->term[t].m = monomial_create(run_monomial_kind(p, t), run_monomial_params(p, t), u);
    h->p = momentum_create(l, u->links.where, u->links.precision);
    h->saved = gauge_create(l, u->links.where, u->links.precision);
    h->dynamics = evolver_create(h->s, h->term, h->terms, u);
    h->sweeps = quenched_create(p, u);
    lattice_on(l, u->links.where);                  /* its tables travel now, not inside a trajectory */
    lattice_sum_scratch(l, u->links.where);
    return h;
}

void hmc_free(hmc *h)
{
    if (!h)
        return;
    for (int t = 0; t < h->terms; t++)
        monomial_free(h->term[t].m);
    evolver_free(h->dynamics);
    quenched_free(h->sweeps);
    schedule_free(h->s);
    momentum_free(h->p);
    gauge_free(h->saved);
    memory_free(h);
}

int hmc_term_count(const hmc *h)
{
    return h->terms;
}

const evolve_term *hmc_terms(const hmc *h)
{
    return h->term;
}

static rng_key key_of(const hmc *h, int64_t number, unsigned purpose)
{
    return rng_key_for((uint64_t)h->params->random.seed, (uint32_t)h->params->random.stream, (uint64_t)number, purpose);
}

static bool add_force_to_nothing(monomial *m, const gauge *u, monomial_call *call)
{
    momentum *force = momentum_create(u->links.lattice, u->links.where, u->links.precision);
    sum_cell *size = sum_cells_create(u->links.where, FORCE_CELLS);
    bool done = monomial_add_force(m, u, force, 1, size, call);
    sum_cells_free(size, u->links.where);
    momentum_free(force);
    return done;
}

/* What one term does at a step, timed under its name; `value`: of STEP_ACTION the action, of STEP_HEAT_BATH |eta|^2 of
 * the new pseudofermions; elsewhere it may be NULL. */
static bool run_term(hmc *h, hmc_step step, int t, double *value, const gauge *u, int64_t number, clock_tree *clock,
                     hmc_trouble *trouble)
{
    monomial *m = h->term[t].m;
    monomial_call call = { .clock = clock };
    bool done = true;
    clock_begin(clock, h->term[t].name);
    if (step == STEP_PREPARE)
        done = monomial_prepare(m, u, number, &call);
    else if (step == STEP_HEAT_BATH) {
        done = monomial_refresh(m, u, key_of(h, number, RNG_PSEUDOFERMION + (unsigned)t), &call);
        *value = call.drawn;
    } else if (step == STEP_ACTION)
        done = monomial_action(value, m, u, &call);
    else if (step == STEP_FORCE)
        done = add_force_to_nothing(m, u, &call);
    clock_end(clock);
    if (!done)
        *trouble = (hmc_trouble){ step, t, call.trouble };
    return done;
}

bool hmc_hamiltonian(hmc_energies *e, hmc *h, const gauge *u, const momentum *p, clock_tree *clock,
                     hmc_trouble *trouble)
{
    *e = (hmc_energies){ .kinetic = momentum_kinetic(p) };
    e->total = e->kinetic;
    for (int t = 0; t < h->terms; t++) {
        if (!run_term(h, STEP_ACTION, t, &e->term[t], u, 0, clock, trouble))
            return false;
        e->total += e->term[t];
    }
    return true;
}

static evolve_end run_dynamics(hmc *h, bool from_the_start, gauge *u, momentum *p, clock_tree *clock,
                               const evolve_watch *watch, hmc_trouble *trouble)
{
    evolve_trouble t;
    evolve_end end = (from_the_start ? evolve : evolve_go_on)(h->dynamics, u, p, clock, watch, &t);
    if (end == EVOLVE_TROUBLE)
        *trouble = (hmc_trouble){ STEP_FORCE, t.term, t.why };
    return end;
}

evolve_end hmc_evolve(hmc *h, gauge *u, momentum *p, clock_tree *clock, const evolve_watch *watch, hmc_trouble *trouble)
{
    return run_dynamics(h, true, u, p, clock, watch, trouble);
}

/* The sum of term-by-term differences: the terms are large, their changes small. */
double hmc_energy_difference(const hmc *h, const hmc_energies *before, const hmc_energies *after)
{
    double dh = after->kinetic - before->kinetic;
    for (int t = 0; t < h->terms; t++)
        dh += after->term[t] - before->term[t];
    return dh;
}

static void save(hmc *h, const gauge *u)
{
    gauge_copy(h->saved, u);
    hmc_recall(h, &h->recalled);
    h->drawn = false;
    h->since = device_traffic_so_far();
    h->earlier = (device_traffic){ 0, 0 };
}

void hmc_recall(const hmc *h, state_memory *memory)
{
    memset(memory, 0, sizeof *memory);
    for (int t = 0; t < h->terms; t++) {
        state_list *list = &memory->list[memory->count];
        list->count = monomial_recall(h->term[t].m, list->value);
        if (list->count > 0) {
            snprintf(list->name, sizeof list->name, "%s", h->term[t].name);
            memory->count++;
        }
    }
}

void hmc_remember(hmc *h, const state_memory *memory)
{
    for (int t = 0; t < h->terms; t++) {
        const state_list *list = state_memory_find(memory, h->term[t].name);
        if (list)
            monomial_remember(h->term[t].m, list->value, (int)list->count);
    }
}

void hmc_restore(hmc *h, gauge *u)
{
    gauge_copy(u, h->saved);
    hmc_remember(h, &h->recalled);
}

const gauge *hmc_start_links(const hmc *h)
{
    return h->saved;
}

const state_memory *hmc_start_memory(const hmc *h)
{
    return &h->recalled;
}

evolver *hmc_dynamics(const hmc *h)
{
    return h->dynamics;
}

static device_traffic traffic_of(const hmc *h)
{
    device_traffic now = device_traffic_so_far();
    return (device_traffic){ now.to_device - h->since.to_device + h->earlier.to_device,
                             now.from_device - h->since.from_device + h->earlier.from_device };
}

hmc_past hmc_past_of(const hmc *h)
{
    hmc_past past = { .before = h->before, .traffic = traffic_of(h) };
    memcpy(past.refresh_error, h->refresh_error, sizeof past.refresh_error);
    return past;
}

void hmc_begin_past(hmc *h, const gauge *u, const hmc_past *past)
{
    save(h, u);
    h->drawn = true;
    h->before = past->before;
    memcpy(h->refresh_error, past->refresh_error, sizeof h->refresh_error);
    h->earlier = past->traffic;
}

momentum *hmc_momenta(hmc *h)
{
    return h->drawn ? h->p : NULL;
}

bool hmc_repeat(hmc *h, hmc_step step, int term, const gauge *u, int64_t number, hmc_trouble *trouble)
{
    double value;
    return run_term(h, step, term, &value, u, number, NULL, trouble);
}

static bool prepare(hmc *h, const gauge *u, int64_t number, clock_tree *clock, hmc_trouble *trouble)
{
    for (int t = 0; t < h->terms; t++)
        if (h->term[t].m->kind->prepare && !run_term(h, STEP_PREPARE, t, NULL, u, number, clock, trouble))
            return false;
    return true;
}

/* drawn[t]: |eta|^2 of the pseudofermions of a term */
static bool refresh(double drawn[HMC_TERMS], hmc *h, const gauge *u, int64_t number, clock_tree *clock,
                    hmc_trouble *trouble)
{
    momentum_set_gaussian(h->p, key_of(h, number, RNG_MOMENTA));
    h->drawn = true;
    for (int t = 0; t < h->terms; t++)
        if (h->term[t].m->kind->refresh && !run_term(h, STEP_HEAT_BATH, t, &drawn[t], u, number, clock, trouble))
            return false;
    return true;
}

static bool reunitarize_after(const hmc *h, gauge *u, int64_t number)
{
    const int64_t every = h->params->hmc.reunitarize_every;
    const bool due = every > 0 && number % every == 0;
    if (due)
        gauge_reunitarize(u);
    return due;
}

void hmc_repeat_sweeps(hmc *h, gauge *u, int64_t number)
{
    gauge_copy(u, h->saved);
    quenched_sweep(h->sweeps, u, number);
    reunitarize_after(h, u, number);
}

/* Links drawn one by one in the place of a trajectory: there is nothing to test and nothing to reject. */
static hmc_outcome sweep_links(hmc *h, gauge *u, int64_t number, clock_tree *clock)
{
    save(h, u);
    hmc_outcome o = { .accepted = true, .swept = true, .tested = number > h->params->hmc.thermalization };
    clock_begin(clock, "energy");
    hmc_hamiltonian(&o.before, h, u, h->p, clock, &o.trouble);
    clock_end(clock);

    clock_begin(clock, "sweeps");
    quenched_sweep(h->sweeps, u, number);
    device_wait();
    clock_end(clock);

    clock_begin(clock, "energy");
    hmc_hamiltonian(&o.after, h, u, h->p, clock, &o.trouble);
    clock_end(clock);
    o.unitarity = gauge_link_quality(u).unitarity;
    o.reunitarized = reunitarize_after(h, u, number);
    o.traffic = traffic_of(h);
    return o;
}

static void accept_or_reject(hmc *h, hmc_outcome *o, gauge *u, int64_t number)
{
    o->before = h->before;
    memcpy(o->refresh_error, h->refresh_error, sizeof o->refresh_error);
    evolver_force_sizes(h->dynamics, o->force);
    o->unitarity = gauge_link_quality(u).unitarity;
    o->dh = hmc_energy_difference(h, &o->before, &o->after);
    o->tested = number > h->params->hmc.thermalization;
    o->random = rng_scalar(key_of(h, number, RNG_METROPOLIS));
    o->accepted = isfinite(o->dh) && (!o->tested || o->random < exp(-o->dh));
    if (!o->accepted)
        gauge_copy(u, h->saved);
    o->reunitarized = o->accepted && reunitarize_after(h, u, number);
}

/* From the first step of the dynamics, or from where it stands. */
static hmc_outcome dynamics_and_test(hmc *h, bool from_the_start, gauge *u, int64_t number, clock_tree *clock,
                                     const evolve_watch *watch)
{
    hmc_outcome o = { .interrupted = false };

    clock_begin(clock, "dynamics");
    evolve_end end = run_dynamics(h, from_the_start, u, h->p, clock, watch, &o.trouble);
    clock_end(clock);
    o.interrupted = end == EVOLVE_STOPPED;
    if (o.interrupted)
        hmc_restore(h, u);
    if (end != EVOLVE_DONE)
        return o;

    clock_begin(clock, "energy");
    bool done = hmc_hamiltonian(&o.after, h, u, h->p, clock, &o.trouble);
    clock_end(clock);
    if (!done)
        return o;

    clock_begin(clock, "accept");
    accept_or_reject(h, &o, u, number);
    device_wait();
    clock_end(clock);

    o.traffic = traffic_of(h);
    return o;
}

hmc_outcome hmc_trajectory(hmc *h, gauge *u, int64_t number, clock_tree *clock, const evolve_watch *watch)
{
    hmc_outcome o = { .interrupted = false };
    if (h->sweeps)
        return sweep_links(h, u, number, clock);

    clock_begin(clock, "prepare");
    save(h, u);
    bool done = prepare(h, u, number, clock, &o.trouble);
    device_wait();
    clock_end(clock);
    if (!done) {
        hmc_remember(h, &h->recalled);
        return o;
    }

    clock_begin(clock, "heat bath");
    double drawn[HMC_TERMS] = { 0 };
    done = refresh(drawn, h, u, number, clock, &o.trouble);
    device_wait();
    clock_end(clock);
    if (!done)
        return o;

    clock_begin(clock, "energy");
    done = hmc_hamiltonian(&h->before, h, u, h->p, clock, &o.trouble);
    for (int t = 0; done && t < h->terms; t++)
        h->refresh_error[t] = h->term[t].m->kind->refresh ? h->before.term[t] - drawn[t] : 0;
    clock_end(clock);
    return done ? dynamics_and_test(h, true, u, number, clock, watch) : o;
}

hmc_outcome hmc_go_on(hmc *h, gauge *u, int64_t number, clock_tree *clock, const evolve_watch *watch)
{
    return dynamics_and_test(h, false, u, number, clock, watch);
}
