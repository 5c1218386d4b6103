/* tempering.c - the replicas of parallel tempering: their links, defects and updates. */
#include "src/hmc/tempering.h"
#include "src/hmc/tempering_inside.h"

#include "src/base/memory.h"
#include "src/comm/comm.h"
#include "src/gauge/gauge_observables.h"
#include "src/hmc/replica_groups.h"
#include "src/lattice/rng.h"

#include <assert.h>
#include <string.h>

_Static_assert((int)REPLICAS_MAX <= (int)STATE_LISTS && (int)REPLICAS_MAX <= (int)RNG_REPLICAS,
               "a state and the random numbers have all replicas");

/* ---- what can be tempered */

/* Whether an action can have a defect, so that the replicas differ. */
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
        return fail(f, "there is no monomial of kind gauge, but only gauge actions can have a defect: add "
                       "one, or remove \"tempering\"");
    return replica_memory_lists(p) + HMC_TERMS <= STATE_LISTS
           || fail(f, "a state has no space for the ranges of rational functions of %d replicas: use fewer replicas, "
                      "or fewer monomials with quarks", (int)p->tempering.replicas);
}

bool tempering_check(const run_params *p, failure *f)
{
    return !run_is_tempered(p) || (tempering_params_check(&p->tempering, p->extents, f) && check_run(p, f));
}

/* ---- memory */

void tempering_number(tempering *t)
{
    const run_params *p = t->params;
    for (int r = 0; r < t->count; r++)
        t->replica[r] = (replica_numbers){ .number = r, .seat = r,
                             .box = tempering_first_box(&p->tempering, p->extents),
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
    for (int s = comm_groups() + comm_group(); s < t->count; s += comm_groups())
        t->links[s] = gauge_create(f->lattice, f->where, f->precision);
    tempering_number(t);
    t->memory = replica_memory_create(terms, t->count);
    for (int m = 0; m < terms->count; m++)
        t->quarks = t->quarks || !terms->of[m].m->kind->set_defect;
    return t;
}

void tempering_free(tempering *t)
{
    for (int s = 0; t && s < t->count; s++)
        gauge_free(t->links[s]);
    if (t) {
        replica_memory_free(t->memory);
        gauge_free(t->spare);
    }
    memory_free(t);
}

size_t tempering_bytes(const run_params *p, const lattice_shape *shape)
{
    return run_is_tempered(p) ? (size_t)replica_groups_most((int)p->tempering.replicas)
                                * field_bytes(shape, PRECISION_DOUBLE, GAUGE_REALS) : 0;
}

/* ---- a trajectory */

int tempering_replicas(const tempering *t)
{
    return t ? t->count : 0;
}

bool tempering_is_here(const tempering *t, int r)
{
    return replica_groups_here(t->replica[r].seat);
}

gauge *tempering_links_of(const tempering *t, int r, gauge *u)
{
    const int seat = t->replica[r].seat;
    return seat == comm_group() ? u : t->links[seat];
}

/* Sends the data (replica_numbers) and the memory of all replicas from group 0 to the other groups.  There the terms
 * get the memory of a replica of the group. */
static void send_numbers(tempering *t)
{
    size_t bytes;
    void *memory = replica_memory_bytes(t->memory, &bytes);
    if (comm_group() == 0)
        replica_memory_save(t->memory, t->terms->replica);
    comm_broadcast(comm_whole(), t->replica, sizeof t->replica);
    comm_broadcast(comm_whole(), memory, bytes);
    comm_broadcast(comm_whole(), &t->known, sizeof t->known);
    if (comm_group() == 0)
        return;
    for (int r = 0; r < t->count; r++)
        if (tempering_is_here(t, r))
            t->terms->replica = r;
    replica_memory_load(t->memory, t->terms->replica);
}

void tempering_begin(tempering *t, gauge *u, int64_t number)
{
    const int groups = comm_groups();
    if (groups > 1 && comm_group() == 0)
        replica_groups_order(&(replica_order){ .kind = ORDER_TRAJECTORY, .number = number });
    if (groups > 1)
        send_numbers(t);
    for (int g = 1; g < groups && !t->known; g++)
        replica_groups_send(comm_group() == g ? u : NULL, comm_group() == 0 ? u : NULL, g);
    for (int s = 0; s < t->count && !t->known; s++)
        if (t->links[s])
            gauge_copy(t->links[s], u);
    t->known = true;
}

void tempering_set_defect(tempering *t, const link_defect *d)
{
    for (int m = 0; m < t->terms->count; m++)
        if (t->terms->of[m].m->kind->set_defect)
            t->terms->of[m].m->kind->set_defect(t->terms->of[m].m, d, t->spare);
}

gauge *tempering_select(tempering *t, int r, gauge *u)
{
    const link_defect d = { t->replica[r].box, t->replica[r].factor };
    tempering_set_defect(t, &d);
    if (r != t->terms->replica) {
        replica_memory_save(t->memory, t->terms->replica);
        replica_memory_load(t->memory, r);
    }
    t->terms->replica = r;
    if (t->sweeps)
        pure_gauge_set_replica(t->sweeps, r, &d);
    return tempering_links_of(t, r, u);
}

gauge *tempering_links(const tempering *t, gauge *u)
{
    return tempering_links_of(t, t->terms->replica, u);
}

double tempering_dh(const tempering *t, int r)
{
    return t->replica[r].update.dh;
}

void tempering_note(tempering *t, int r, const gauge *links, replica_update update)
{
    t->replica[r].update = update;
    t->replica[r].plaquette = gauge_plaquette(links).average;
}

/* The data that a group sends to the others; `replica` is valid for the replicas of this group. */
typedef struct { hmc_failure problem; int failed; replica_numbers replica[REPLICAS_MAX]; } group_report;

/* Takes the data and the memory of each replica from its group. */
static void share_numbers(tempering *t, const group_report *of)
{
    size_t all_bytes, bytes;
    const void *mine = replica_memory_bytes(t->memory, &all_bytes);
    char *memory = replica_groups_gather(mine, all_bytes);
    for (int r = 0; r < t->count; r++) {
        const int group = replica_groups_of(t->replica[r].seat);
        void *to = replica_memory_bytes_of(t->memory, r, &bytes);
        memcpy(to, memory + (size_t)group * all_bytes + (size_t)r * bytes, bytes);
        t->replica[r] = of[group].replica[r];
    }
    memory_free(memory);
}

bool tempering_share(tempering *t, int *failed, hmc_failure *problem)
{
    if (comm_groups() == 1)
        return *failed < 0;
    if (tempering_is_here(t, t->terms->replica))
        replica_memory_save(t->memory, t->terms->replica);
    group_report mine = { .problem = *problem, .failed = *failed };
    memcpy(mine.replica, t->replica, sizeof mine.replica);
    group_report *of = replica_groups_gather(&mine, sizeof mine);
    share_numbers(t, of);
    for (int g = 0; g < comm_groups(); g++)
        if (of[g].failed > *failed) {
            *failed = of[g].failed;
            *problem = of[g].problem;
        }
    memory_free(of);
    return *failed < 0;
}
