/* hmc.c - a trajectory of hybrid Monte Carlo or of stochastic molecular dynamics. */
#include "src/hmc/hmc.h"

#include "src/base/memory.h"
#include "src/comm/comm.h"
#include "src/hmc/hmc_inside.h"
#include "src/hmc/pure_gauge.h"
#include "src/hmc/replica_updates.h"
#include "src/hmc/smd.h"
#include "src/lattice/rng.h"

#include <assert.h>
#include <math.h>
#include <string.h>

hmc *hmc_create(const run_params *p, const gauge *u)
{
    lattice *l = u->links.lattice;
    hmc *h = memory_alloc(sizeof *h, "hybrid Monte Carlo");
    h->failed = -1;
    assert(run_monomial_count(p) <= HMC_TERMS);
    h->terms = (hmc_term_list){ .params = p, .count = run_monomial_count(p) };
    h->memory = lattice_workspace(l, u->links.where);
    workspace_join(h->memory, hmc_workspace_bytes(p));
    h->s = hmc_plan(p, h->terms.of);
    hmc_terms_create(&h->terms, u);
    h->p = momentum_create(l, u->links.where, u->links.precision);
    h->saved = run_keeps_links(p) ? gauge_create(l, u->links.where, u->links.precision) : NULL;
    h->dynamics = evolver_create(h->s, h->terms.of, h->terms.count, u);
    h->sweeps = pure_gauge_create(p, u);
    h->stochastic = smd_create(p, &h->terms, h->p);
    h->replicas = tempering_create(p, &h->terms, h->sweeps, u);
    lattice_on(l, u->links.where);                  /* copies the neighbor tables now, not inside a trajectory */
    lattice_sum_scratch(l, u->links.where);
    return h;
}

void hmc_free(hmc *h)
{
    if (!h)
        return;
    smd_free(h->stochastic);
    tempering_free(h->replicas);
    hmc_terms_free(&h->terms);
    evolver_free(h->dynamics);
    pure_gauge_free(h->sweeps);
    schedule_free(h->s);
    momentum_free(h->p);
    gauge_free(h->saved);
    workspace_leave(h->memory);
    memory_free(h);
}

void hmc_log_warnings(const hmc *h, int term, int64_t trajectory)
{
    hmc_terms_log_warnings(&h->terms, term, trajectory);
}

int hmc_term_count(const hmc *h)
{
    return h->terms.count;
}

const evolve_term *hmc_terms(const hmc *h)
{
    return h->terms.of;
}

bool hmc_hamiltonian(hmc_energies *e, hmc *h, const gauge *u, const momentum *p, clock_tree *clock,
                     hmc_failure *problem)
{
    return hmc_terms_hamiltonian(e, &h->terms, u, p, NULL, clock, problem);
}

double hmc_energy_difference(const hmc *h, const hmc_energies *before, const hmc_energies *after)
{
    return hmc_terms_difference(&h->terms, before, after);
}

/* If the computation of a force has failed (`end` is EVOLVE_FAILED): sets *problem to this failure. */
static void note_failure(hmc_failure *problem, evolve_end end, const evolve_failure *of_force)
{
    if (end == EVOLVE_FAILED)
        *problem = (hmc_failure){ STEP_FORCE, of_force->term, of_force->why };
}

evolve_end hmc_evolve(hmc *h, gauge *u, momentum *p, clock_tree *clock, const evolve_watch *watch, hmc_failure *problem)
{
    evolve_failure of_force;
    const evolve_end end = evolve(h->dynamics, u, p, clock, watch, &of_force);
    note_failure(problem, end, &of_force);
    return end;
}

static void save_links(hmc *h, const gauge *u)
{
    if (h->saved)
        gauge_copy(h->saved, u);
    hmc_get_memory(h, &h->recalled);
    smd_begin(h->stochastic);
    h->drawn = false;
    h->since = device_traffic_so_far();
    h->earlier = (device_traffic){ 0, 0 };
}

void hmc_restore(hmc *h, gauge *u)
{
    assert(h->saved);
    gauge_copy(u, h->saved);
    hmc_set_memory(h, &h->recalled);
    smd_return(h->stochastic);
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
    save_links(h, u);
    h->drawn = true;
    h->before = past->before;
    memcpy(h->refresh_error, past->refresh_error, sizeof h->refresh_error);
    h->earlier = past->traffic;
}

momentum *hmc_momenta(hmc *h)
{
    return h->drawn ? h->p : NULL;
}

bool hmc_repeat(hmc *h, hmc_step step, int term, const gauge *u, int64_t number, hmc_failure *problem)
{
    const hmc_term_step what = { .step = step, .term = term, .u = u, .number = number };
    double value;
    return hmc_terms_run(&value, &h->terms, &what, NULL, problem);
}

static bool prepare_terms(hmc *h, const gauge *u, int64_t number, clock_tree *clock, hmc_failure *problem)
{
    for (int t = 0; t < h->terms.count; t++) {
        const hmc_term_step what = { .step = STEP_PREPARE, .term = t, .u = u, .number = number };
        if (h->terms.of[t].m->kind->prepare && !hmc_terms_run(NULL, &h->terms, &what, clock, problem))
            return false;
    }
    return true;
}

/* Draw momenta and pseudofermions, and mix them with the previous ones in SMD; drawn[t] is |eta|^2 of the new
 * pseudofermions of term t. */
static bool refresh_fields(double drawn[HMC_TERMS], hmc *h, const gauge *u, int64_t number, clock_tree *clock,
                    hmc_failure *problem)
{
    momentum_set_gaussian(h->p, hmc_terms_key(&h->terms, number, RNG_MOMENTA));
    smd_mix_momenta(h->stochastic);
    h->drawn = true;
    for (int t = 0; t < h->terms.count; t++) {
        const hmc_term_step what = { .step = STEP_REFRESH, .term = t, .u = u, .number = number,
                                     .unchecked = !run_solves_start_action(h->terms.params, number) };
        if (h->terms.of[t].m->kind->refresh && !hmc_terms_run(&drawn[t], &h->terms, &what, clock, problem))
            return false;
        smd_mix_term(h->stochastic, t);
    }
    return true;
}

static bool reunitarize_after(const hmc *h, gauge *u, int64_t number)
{
    const int64_t every = h->terms.params->hmc.reunitarize_every;
    const bool due = every > 0 && number % every == 0;
    if (due)
        gauge_reunitarize(u);
    return due;
}

void hmc_repeat_sweeps(hmc *h, gauge *u, int64_t number)
{
    assert(h->saved);
    gauge_copy(u, h->saved);
    pure_gauge_sweep(h->sweeps, u, number);
    reunitarize_after(h, u, number);
}

/* Whether the energies of sweeps and the unitarity are measured: the record has them for the periodic replica only. */
static bool is_recorded(const hmc *h)
{
    return h->terms.replica == 0;
}

static void measure_energy(hmc_energies *e, hmc *h, const gauge *u, clock_tree *clock, hmc_failure *problem)
{
    if (!is_recorded(h))
        return;
    clock_begin(clock, "energy");
    hmc_hamiltonian(e, h, u, NULL, clock, problem);
    clock_end(clock);
}

/* Sweeps over the links instead of a trajectory, without a Metropolis test. */
static hmc_outcome sweep_links(hmc *h, gauge *u, int64_t number, clock_tree *clock)
{
    save_links(h, u);
    hmc_outcome o = { .accepted = true, .swept = true, .tested = !run_is_thermalization(h->terms.params, number) };
    measure_energy(&o.before, h, u, clock, &o.failure);
    clock_begin(clock, "sweeps");
    pure_gauge_sweep(h->sweeps, u, number);
    device_wait();
    clock_end(clock);
    measure_energy(&o.after, h, u, clock, &o.failure);
    o.unitarity = is_recorded(h) ? gauge_link_quality(u).unitarity : 0;
    o.reunitarized = reunitarize_after(h, u, number);
    o.traffic = traffic_of(h);
    return o;
}

static void accept_or_reject(hmc *h, hmc_outcome *o, gauge *u, int64_t number)
{
    o->before = h->before;
    memcpy(o->refresh_error, h->refresh_error, sizeof o->refresh_error);
    evolver_force_sizes(h->dynamics, o->force);
    o->mixed = smd_mixes(h->stochastic);
    o->start_solved = run_solves_start_action(h->terms.params, number);
    o->unitarity = is_recorded(h) ? gauge_link_quality(u).unitarity : 0;
    o->dh = hmc_energy_difference(h, &o->before, &o->after);
    o->tested = !run_is_thermalization(h->terms.params, number);
    o->random = rng_scalar(hmc_terms_key(&h->terms, number, RNG_METROPOLIS));
    o->accepted = comm_decide(comm_world(), isfinite(o->dh) && (!o->tested || o->random < exp(-o->dh)));
    if (!o->accepted)
        gauge_copy(u, h->saved);
    smd_end(h->stochastic, o->accepted, hmc_terms_key(&h->terms, number, RNG_MOMENTA));
    o->reunitarized = o->accepted && reunitarize_after(h, u, number);
}

/* The dynamics, from its first step or from the step of an interruption, and the Metropolis test. */
static hmc_outcome dynamics_and_test(hmc *h, bool from_the_start, gauge *u, int64_t number, clock_tree *clock,
                                     const evolve_watch *watch)
{
    hmc_outcome o = { .interrupted = false };

    clock_begin(clock, "dynamics");
    evolve_failure of_force;
    evolve_end end = (from_the_start ? evolve : evolve_go_on)(h->dynamics, u, h->p, clock, watch, &of_force);
    note_failure(&o.failure, end, &of_force);
    clock_end(clock);
    o.interrupted = end == EVOLVE_STOPPED;
    if (o.interrupted)
        hmc_restore(h, u);
    if (end != EVOLVE_DONE)
        return o;

    clock_begin(clock, "energy");
    bool done = hmc_hamiltonian(&o.after, h, u, h->p, clock, &o.failure);
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

static hmc_outcome update_links(hmc *h, gauge *u, int64_t number, clock_tree *clock, const evolve_watch *watch)
{
    hmc_outcome o = { .interrupted = false };
    if (h->sweeps)
        return sweep_links(h, u, number, clock);

    clock_begin(clock, "prepare");
    save_links(h, u);
    bool done = prepare_terms(h, u, number, clock, &o.failure);
    device_wait();
    clock_end(clock);
    if (!done) {
        hmc_set_memory(h, &h->recalled);
        return o;
    }

    clock_begin(clock, "refresh");
    double drawn[HMC_TERMS] = { 0 };
    done = refresh_fields(drawn, h, u, number, clock, &o.failure);
    device_wait();
    clock_end(clock);
    if (!done)
        return o;

    clock_begin(clock, "energy");
    const double *given = run_solves_start_action(h->terms.params, number) ? NULL : drawn;
    done = hmc_terms_hamiltonian(&h->before, &h->terms, u, h->p, given, clock, &o.failure);
    for (int t = 0; done && t < h->terms.count; t++)
        h->refresh_error[t] = h->terms.of[t].m->kind->refresh && !smd_mixes(h->stochastic)
                              ? h->before.term[t] - drawn[t] : 0;
    clock_end(clock);
    return done ? dynamics_and_test(h, true, u, number, clock, watch) : o;
}

typedef struct { hmc *h; hmc_outcome outcome; } replica_run;

/* Replica 0 is updated last, and the terms keep the report on it for the record.  Reports on the other replicas are
 * discarded. */
static bool update_replica(void *of, gauge *links, int64_t number, clock_tree *clock, replica_update *done,
                           hmc_failure *problem)
{
    replica_run *r = of;
    r->outcome = update_links(r->h, links, number, clock, NULL);
    *problem = r->outcome.failure;
    *done = (replica_update){ .accepted = r->outcome.accepted, .dh = r->outcome.dh };
    if (problem->step == STEP_NONE && r->h->terms.replica > 0)
        hmc_terms_forget_reports_of(&r->h->terms, number);
    return problem->step == STEP_NONE;
}

static hmc_outcome update_replicas(hmc *h, gauge *u, int64_t number, clock_tree *clock)
{
    replica_run r = { .h = h };
    const replica_updater updater = { &r, update_replica };
    h->failed = replica_updates_make(h->replicas, u, number, clock, &updater, &r.outcome.failure);
    return r.outcome;
}

hmc_outcome hmc_trajectory(hmc *h, gauge *u, int64_t number, clock_tree *clock, const evolve_watch *watch)
{
    h->failed = -1;
    return h->replicas ? update_replicas(h, u, number, clock) : update_links(h, u, number, clock, watch);
}

hmc_term_list *hmc_all_terms(hmc *h)
{
    return &h->terms;
}

hmc_outcome hmc_go_on(hmc *h, gauge *u, int64_t number, clock_tree *clock, const evolve_watch *watch)
{
    h->failed = -1;
    return dynamics_and_test(h, false, u, number, clock, watch);
}
