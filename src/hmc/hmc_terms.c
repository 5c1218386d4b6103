/* hmc_terms.c - the monomials of a run as terms of its Hamiltonian. */
#include "src/hmc/hmc_terms.h"

#include "src/lattice/rng.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

const char *const hmc_step_names[] = { "none", "prepare", "refresh", "action", "force", NULL };

_Static_assert((int)HMC_TERMS <= STATE_LISTS && (int)MONOMIAL_MEMORY <= STATE_NUMBERS, "a state holds all memory");

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
    bool sweeps = run_is_pure_gauge(p);
    schedule *s = sweeps ? schedule_create(&no_forces, 1, 1)
                         : schedule_create(p->hmc.levels.item, p->hmc.levels.count, p->hmc.length);
    for (int t = 0; t < run_monomial_count(p); t++) {
        terms[t] = (evolve_term){ .m = NULL };
        snprintf(terms[t].name, sizeof terms[t].name, "%s", run_monomial_name(p, t));
        terms[t].level = sweeps ? 0 : level_of(s, run_monomial_name(p, t));
    }
    return s;
}

void hmc_terms_create(hmc_term_list *terms, const gauge *u)
{
    const run_params *p = terms->params;
    for (int t = 0; t < terms->count; t++)
        terms->of[t].m = monomial_create(run_monomial_kind(p, t), run_monomial_params(p, t), u);
}

void hmc_terms_free(hmc_term_list *terms)
{
    for (int t = 0; t < terms->count; t++)
        monomial_free(terms->of[t].m);
}

rng_key hmc_terms_key(const hmc_term_list *terms, int64_t number, unsigned purpose)
{
    const run_params *p = terms->params;
    return rng_key_for((uint64_t)p->random.seed, (uint32_t)p->random.stream, (uint64_t)number,
                       rng_replica_purpose(terms->replica, purpose));
}

static bool add_force_to_nothing(monomial *m, const gauge *u, monomial_call *call)
{
    momentum *force = momentum_create(u->links.lattice, u->links.where, u->links.precision);
    sum_array size = monomial_size_create(u);
    bool done = monomial_add_force(m, u, force, 1, size.cells, call);
    sums_free(&size);
    momentum_free(force);
    return done;
}

bool hmc_terms_run(double *value, hmc_term_list *terms, const hmc_term_step *what, clock_tree *clock,
                   hmc_failure *problem)
{
    const hmc_step step = what->step;
    const int t = what->term;
    const gauge *u = what->u;
    monomial *m = terms->of[t].m;
    monomial_call call = { .clock = clock, .unchecked = what->unchecked };
    bool done = true;
    clock_begin(clock, terms->of[t].name);
    if (step == STEP_PREPARE)
        done = monomial_prepare(m, u, what->number, &call);
    else if (step == STEP_REFRESH) {
        done = monomial_refresh(m, u, hmc_terms_key(terms, what->number, RNG_PSEUDOFERMION + (unsigned)t), &call);
        *value = call.drawn;
    } else if (step == STEP_ACTION)
        done = monomial_action(value, m, u, &call);
    else if (step == STEP_FORCE)
        done = add_force_to_nothing(m, u, &call);
    clock_end(clock);
    if (!done)
        *problem = (hmc_failure){ step, t, call.failure };
    return done;
}

bool hmc_terms_hamiltonian(hmc_energies *e, hmc_term_list *terms, const gauge *u, const momentum *p,
                           const double *drawn, clock_tree *clock, hmc_failure *problem)
{
    *e = (hmc_energies){ .kinetic = p ? momentum_kinetic(p) : 0 };
    e->total = e->kinetic;
    for (int t = 0; t < terms->count; t++) {
        const hmc_term_step action = { .step = STEP_ACTION, .term = t, .u = u };
        if (drawn && terms->of[t].m->kind->refresh)
            e->term[t] = drawn[t];
        else if (!hmc_terms_run(&e->term[t], terms, &action, clock, problem))
            return false;
        e->total += e->term[t];
    }
    return true;
}

double hmc_terms_difference(const hmc_term_list *terms, const hmc_energies *before, const hmc_energies *after)
{
    double dh = after->kinetic - before->kinetic;
    for (int t = 0; t < terms->count; t++)
        dh += after->term[t] - before->term[t];
    return dh;
}

void hmc_terms_forget_reports(const hmc_term_list *terms)
{
    json nowhere = { 0 };
    json_open(&nowhere, NULL, '{');
    for (int t = 0; t < terms->count; t++)
        monomial_report(terms->of[t].m, &nowhere);
    json_free(&nowhere);
}

void hmc_terms_log_warnings(const hmc_term_list *terms, int term, int64_t trajectory)
{
    text where = { 0 };
    text_add(&where, "trajectory %" PRId64, trajectory);
    if (run_is_tempered(terms->params))
        text_add(&where, ", replica %d", terms->replica);
    text_add(&where, ", %s", terms->of[term].name);
    monomial_log_warnings(terms->of[term].m, text_string(&where));
    text_free(&where);
}

void hmc_terms_forget_reports_of(const hmc_term_list *terms, int64_t trajectory)
{
    for (int t = 0; t < terms->count; t++)
        hmc_terms_log_warnings(terms, t, trajectory);
    hmc_terms_forget_reports(terms);
}

void hmc_terms_get_memory(const hmc_term_list *terms, state_memory *memory)
{
    memset(memory, 0, sizeof *memory);
    for (int t = 0; t < terms->count; t++) {
        state_list *list = &memory->list[memory->count];
        list->count = monomial_get_memory(terms->of[t].m, list->value);
        if (list->count > 0) {
            snprintf(list->name, sizeof list->name, "%s", terms->of[t].name);
            memory->count++;
        }
    }
}

void hmc_terms_set_memory(hmc_term_list *terms, const state_memory *memory)
{
    for (int t = 0; t < terms->count; t++) {
        const state_list *list = state_memory_find(memory, terms->of[t].name);
        if (list)
            monomial_set_memory(terms->of[t].m, list->value, (int)list->count);
    }
}
