/* tempering.c - the replicas of parallel tempering: their links, defects and swaps. */
#include "src/hmc/tempering.h"

#include "src/base/memory.h"
#include "src/comm/comm.h"
#include "src/gauge/gauge_observables.h"
#include "src/hmc/replica_memory.h"
#include "src/lattice/rng.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>

_Static_assert((int)REPLICAS_MAX <= (int)STATE_LISTS && (int)REPLICAS_MAX <= (int)RNG_REPLICAS,
               "a state and the random numbers have all replicas");

typedef struct {
    int number;                        /* of the links: the replica that they began in */
    defect_box box;                    /* belongs to the links, too */
    double factor;                     /* of the replica, as all that follows */
    replica_update update;
    double plaquette;                  /* after the update */
    bool tried, swapped;               /* with the next replica, in the last trajectory */
    double ds;
} replica;

struct tempering {
    const run_params *params;
    hmc_term_list *terms;
    pure_gauge *sweeps;
    replica_memory *memory;            /* of the terms; goes with the links */
    bool quarks;                       /* there are terms beside gauge actions */
    gauge *spare;                      /* for weighted links, and for swaps */
    bool known;                        /* the links of replicas from 1 on are part of a state */
    int count;
    gauge *links[REPLICAS_MAX];        /* links[0] is not used */
    replica replica[REPLICAS_MAX];
};

/* ---- what can be tempered */

/* Whether a gauge action tells the replicas apart. */
static bool has_defects(const run_params *p)
{
    bool has = false;
    for (int m = 0; m < run_monomial_count(p); m++)
        has = has || run_monomial_kind(p, m)->set_defect;
    return has;
}

static bool check_run(const run_params *p, failure *f)
{
    if (p->boundary.time == TIME_OPEN)
        return fail(f, "tempering works with periodic boundaries: remove boundary.time, or remove \"tempering\"");
    if (run_is_smd(p))
        return fail(f, "stochastic molecular dynamics cannot be tempered: remove smd.gamma to use hybrid Monte Carlo");
    if (p->sdc_check.rate > 0)
        return fail(f, "sdc_check.rate is %g, but trajectories of several replicas cannot be checked: remove it",
                    p->sdc_check.rate);
    if (!has_defects(p))
        return fail(f, "there is no monomial of kind gauge, but only gauge actions know a defect of the boundary: add "
                       "one, or remove \"tempering\"");
    return replica_memory_lists(p) + HMC_TERMS <= STATE_LISTS
           || fail(f, "a state has no place for what the monomials of %d replicas keep: use fewer replicas, or fewer "
                      "monomials with quarks", (int)p->tempering.replicas);
}

bool tempering_check(const run_params *p, failure *f)
{
    return tempering_params_check(&p->tempering, p->extents, f) && (!run_is_tempered(p) || check_run(p, f));
}

/* ---- memory */

static void number_replicas(tempering *t)
{
    const run_params *p = t->params;
    for (int r = 0; r < t->count; r++)
        t->replica[r] = (replica){ .number = r, .box = tempering_first_box(&p->tempering, p->extents),
                             .factor = tempering_factor(&p->tempering, r) };
}

tempering *tempering_create(const run_params *p, hmc_term_list *terms, pure_gauge *sweeps, const gauge *u)
{
    if (!run_is_tempered(p))
        return NULL;
    const field *f = &u->links;
    tempering *t = memory_alloc(sizeof *t, "parallel tempering");
    *t = (tempering){ .params = p, .terms = terms, .sweeps = sweeps, .count = (int)p->tempering.replicas };
    t->spare = gauge_create(f->lattice, f->where, f->precision);
    for (int r = 1; r < t->count; r++)
        t->links[r] = gauge_create(f->lattice, f->where, f->precision);
    number_replicas(t);
    t->memory = replica_memory_create(terms, t->count);
    for (int m = 0; m < terms->count; m++)
        t->quarks = t->quarks || !terms->of[m].m->kind->set_defect;
    return t;
}

void tempering_free(tempering *t)
{
    for (int r = 1; t && r < t->count; r++)
        gauge_free(t->links[r]);
    if (t) {
        replica_memory_free(t->memory);
        gauge_free(t->spare);
    }
    memory_free(t);
}

size_t tempering_bytes(const run_params *p, const lattice_shape *shape)
{
    return run_is_tempered(p) ? (size_t)p->tempering.replicas * field_bytes(shape, PRECISION_DOUBLE, GAUGE_REALS) : 0;
}

/* ---- a trajectory */

int tempering_replicas(const tempering *t)
{
    return t ? t->count : 0;
}

void tempering_begin(tempering *t, const gauge *u)
{
    for (int r = 1; r < t->count && !t->known; r++)
        gauge_copy(t->links[r], u);
    t->known = true;
}

static void set_defect(tempering *t, const link_defect *d)
{
    for (int m = 0; m < t->terms->count; m++)
        if (t->terms->of[m].m->kind->set_defect)
            t->terms->of[m].m->kind->set_defect(t->terms->of[m].m, d, t->spare);
}

gauge *tempering_select(tempering *t, int r, gauge *u)
{
    const link_defect d = { t->replica[r].box, t->replica[r].factor };
    set_defect(t, &d);
    if (r != t->terms->replica) {
        replica_memory_keep(t->memory, t->terms->replica);
        replica_memory_bring(t->memory, r);
    }
    t->terms->replica = r;
    if (t->sweeps)
        pure_gauge_set_replica(t->sweeps, r, &d);
    return r == 0 ? u : t->links[r];
}

gauge *tempering_links(const tempering *t, gauge *u)
{
    return t->terms->replica == 0 ? u : t->links[t->terms->replica];
}

void tempering_note(tempering *t, int r, const gauge *links, replica_update update)
{
    t->replica[r].update = update;
    t->replica[r].plaquette = gauge_plaquette(links).average;
}

/* S_r of the links in replica `of`, without quarks. */
static double action_of(tempering *t, int r, int of, const gauge *links, clock_tree *clock)
{
    hmc_failure problem = { STEP_NONE };
    double sum = 0, value = 0;
    set_defect(t, &(link_defect){ t->replica[of].box, t->replica[r].factor });
    for (int m = 0; m < t->terms->count; m++) {
        if (!t->terms->of[m].m->kind->set_defect)
            continue;
        const hmc_term_step action = { .step = STEP_ACTION, .term = m, .u = links };
        const bool done = hmc_terms_run(&value, t->terms, &action, clock, &problem);
        assert(done && "actions of loops do not fail");
        (void)done;
        sum += value;
    }
    return sum;
}

static rng_key key_of(const tempering *t, int64_t number)
{
    return rng_key_for((uint64_t)t->params->random.seed, (uint32_t)t->params->random.stream, (uint64_t)number,
                       RNG_SWAP);
}

/* Replica 0 keeps its memory, which the run owns. */
static void exchange(tempering *t, gauge *a, gauge *b, int r)
{
    const replica lower = t->replica[r];
    if (r > 0) {
        t->links[r] = b;
        t->links[r + 1] = a;
    } else {
        gauge_copy(t->spare, a);
        gauge_copy(a, b);
        gauge_copy(b, t->spare);
    }
    t->replica[r].number = t->replica[r + 1].number;
    t->replica[r].box = t->replica[r + 1].box;
    t->replica[r + 1].number = lower.number;
    t->replica[r + 1].box = lower.box;
    replica_memory_exchange(t->memory, r);
}

/* Replicas r and r + 1: the random number of the pair is draw 0 at the "site" r of the key. */
static void try_swap(tempering *t, gauge *u, int r, rng_key key, clock_tree *clock)
{
    replica *s = &t->replica[r];
    gauge *a = r == 0 ? u : t->links[r], *b = t->links[r + 1];
    const philox_words w = rng_words(key, (uint64_t)r, 0);
    s->ds = action_of(t, r, r + 1, b, clock) - action_of(t, r, r, a, clock)
            + (action_of(t, r + 1, r, a, clock) - action_of(t, r + 1, r + 1, b, clock));
    s->tried = true;
    s->swapped = comm_decide(comm_world(), isfinite(s->ds) && rng_uniform(w.v[0], w.v[1]) < exp(-s->ds));
    if (s->swapped)
        exchange(t, a, b, r);
}

/* A place for the defect of the links in replica 0: draws 1 to 4 at the "site" 0 of the key. */
static void translate(tempering *t, rng_key key)
{
    for (int mu = 0; mu < 4; mu++) {
        const philox_words w = rng_words(key, 0, 1 + (uint32_t)mu);
        t->replica[0].box.corner[mu] = (int)(rng_uniform(w.v[0], w.v[1]) * t->params->extents[mu]);
    }
}

void tempering_end(tempering *t, gauge *u, int64_t number, clock_tree *clock)
{
    const tempering_params *p = &t->params->tempering;
    const rng_key key = key_of(t, number);
    for (int r = 0; r < t->count; r++)
        t->replica[r].tried = t->replica[r].swapped = false;
    if (p->translate)
        translate(t, key);
    assert(t->terms->replica == 0);
    replica_memory_keep(t->memory, 0);
    for (int odd = 0; odd < 2 && number % p->swap_every == 0; odd++)
        for (int r = odd; r + 1 < t->count; r += 2)
            try_swap(t, u, r, key, clock);
    replica_memory_bring(t->memory, 0);
    tempering_select(t, 0, u);
}

/* ---- record and state */

void tempering_to_json(const tempering *t, json *j)
{
    if (!t)
        return;
    json_open(j, "tempering", '{');
    json_open(j, "origins", '[');
    for (int r = 0; r < t->count; r++)
        json_int(j, NULL, t->replica[r].number);
    json_close(j);
    json_open(j, "swaps", '[');
    for (int r = 0; r + 1 < t->count; r++)
        if (t->replica[r].tried) {
            json_open(j, NULL, '{');
            json_real(j, "dS", t->replica[r].ds);
            json_bool(j, "accepted", t->replica[r].swapped);
            json_close(j);
        }
    json_close(j);
    json_open(j, "replicas", '[');
    for (int r = 0; r < t->count; r++) {
        json_open(j, NULL, '{');
        json_real(j, "dH", t->replica[r].update.dh);
        json_bool(j, "accepted", t->replica[r].update.accepted);
        json_real(j, "plaquette", t->replica[r].plaquette);
        if (t->quarks)
            json_int(j, "iterations", t->replica[r].update.iterations);
        json_close(j);
    }
    json_close(j);
    json_close(j);
}

#define LIST_OF_REPLICA "replica.%d"
enum { NUMBERS = 5 };                  /* of a replica in the memory: number of the links, corner of their defect */

void tempering_get_memory(const tempering *t, state_memory *memory)
{
    for (int r = 0; r < tempering_replicas(t); r++) {
        state_list *list = &memory->list[memory->count++];
        snprintf(list->name, sizeof list->name, LIST_OF_REPLICA, r);
        list->count = NUMBERS;
        list->value[0] = t->replica[r].number;
        for (int mu = 0; mu < 4; mu++)
            list->value[1 + mu] = t->replica[r].box.corner[mu];
    }
    if (t)
        replica_memory_to_state(t->memory, memory);
}

/* A state has the lists of all replicas, or it is one before the first trajectory of replicas.  Its digest covers
 * them. */
void tempering_set_memory(tempering *t, const state_memory *memory)
{
    const bool begun = state_memory_find(memory, "replica.0") != NULL;
    if (t && !begun) {
        number_replicas(t);
        replica_memory_spread(t->memory);
    }
    if (t && begun)
        replica_memory_from_state(t->memory, memory);
    for (int r = 0; begun && r < tempering_replicas(t); r++) {
        char name[32];
        snprintf(name, sizeof name, LIST_OF_REPLICA, r);
        const state_list *list = state_memory_find(memory, name);
        require(list && list->count == NUMBERS, "the state has no valid numbers of %s: it is damaged, or it belongs to "
                "another number of replicas", name);
        t->replica[r].number = (int)list->value[0];
        for (int mu = 0; mu < 4; mu++)
            t->replica[r].box.corner[mu] = (int)list->value[1 + mu];
    }
}

bool tempering_has_fields(const tempering *t)
{
    return t && t->known;
}

field *tempering_field(tempering *t, int index)
{
    return index + 1 < tempering_replicas(t) ? &t->links[index + 1]->links : NULL;
}

void tempering_set_fields(tempering *t, bool of_state)
{
    if (!t)
        return;
    t->known = of_state;
    for (int r = 1; r < t->count; r++)
        gauge_forget_derived(t->links[r]);
    if (!of_state) {
        number_replicas(t);
        replica_memory_spread(t->memory);
    }
}
