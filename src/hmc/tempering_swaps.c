/* tempering_swaps.c - the swaps of neighbouring replicas, and the places of their defects. */
#include "src/hmc/tempering.h"
#include "src/hmc/tempering_inside.h"

#include "src/base/memory.h"
#include "src/comm/comm.h"
#include "src/hmc/replica_groups.h"
#include "src/lattice/rng.h"

#include <assert.h>
#include <math.h>

/* S_r of the links in replica `of`, without quarks. */
static double action_of(tempering *t, int r, int of, const gauge *links, clock_tree *clock)
{
    hmc_failure problem = { STEP_NONE };
    double sum = 0, value = 0;
    tempering_set_defect(t, &(link_defect){ t->replica[of].box, t->replica[r].factor });
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

/* Links of replica 0 stay in seat 0, and those of another replica come there; the others change seats.  In a group that
 * has neither, nothing is copied. */
static void exchange_links(tempering *t, gauge *u, int r)
{
    const int seat = t->replica[r + 1].seat, group = replica_groups_of(seat);
    gauge *a = comm_group() == 0 ? u : NULL, *b = replica_groups_here(seat) ? tempering_links_of(t, r + 1, u) : NULL;
    if (group == 0 && a) {
        gauge_copy(t->spare, a);
        gauge_copy(a, b);
        gauge_copy(b, t->spare);
    } else if (group > 0) {
        gauge *mine = a ? a : b;
        replica_groups_send(mine ? t->spare : NULL, mine, group);
        if (mine)
            gauge_copy(mine, t->spare);
    }
}

static void exchange(tempering *t, gauge *u, int r)
{
    const replica_numbers lower = t->replica[r], upper = t->replica[r + 1];
    if (r == 0)
        exchange_links(t, u, r);
    t->replica[r].number = upper.number;
    t->replica[r].box = upper.box;
    t->replica[r + 1].number = lower.number;
    t->replica[r + 1].box = lower.box;
    if (r > 0) {
        t->replica[r].seat = upper.seat;
        t->replica[r + 1].seat = lower.seat;
    }
    replica_memory_exchange(t->memory, r);
}

/* energy[r][o]: S_o of the links of replica r, for o = r and that of its partner. */
typedef struct { double own, partner; } swap_energies;

static int partner_of(int r, int odd)
{
    return r % 2 == odd ? r + 1 : r - 1;
}

/* Those of all replicas that have a partner in this half of the swaps: each group computes those of its links. */
static void find_energies(swap_energies energy[REPLICAS_MAX], tempering *t, gauge *u, int odd, clock_tree *clock)
{
    for (int r = 0; r < t->count; r++) {
        const int partner = partner_of(r, odd);
        if (partner < 0 || partner >= t->count || !tempering_is_here(t, r))
            continue;
        energy[r] = (swap_energies){ action_of(t, r, r, tempering_links_of(t, r, u), clock),
                                     action_of(t, partner, r, tempering_links_of(t, r, u), clock) };
    }
    if (comm_groups() == 1)
        return;
    swap_energies *all = replica_groups_gather(energy, REPLICAS_MAX * sizeof *energy);
    for (int r = 0; r < t->count; r++)
        energy[r] = all[replica_groups_of(t->replica[r].seat) * REPLICAS_MAX + r];
    memory_free(all);
}

/* Replicas r and r + 1: the random number of the pair is draw 0 at the "site" r of the key. */
static void try_swap(tempering *t, gauge *u, int r, rng_key key, const swap_energies energy[REPLICAS_MAX])
{
    replica_numbers *s = &t->replica[r];
    const philox_words w = rng_words(key, (uint64_t)r, 0);
    s->ds = energy[r + 1].partner - energy[r].own + (energy[r].partner - energy[r + 1].own);
    s->tried = true;
    s->swapped = comm_decide(comm_whole(), isfinite(s->ds) && rng_uniform(w.v[0], w.v[1]) < exp(-s->ds));
    if (s->swapped)
        exchange(t, u, r);
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
    if (comm_groups() == 1)
        replica_memory_keep(t->memory, 0);
    for (int odd = 0; odd < 2 && number % p->swap_every == 0; odd++) {
        swap_energies energy[REPLICAS_MAX] = { 0 };
        find_energies(energy, t, u, odd, clock);
        for (int r = odd; r + 1 < t->count; r += 2)
            try_swap(t, u, r, key, energy);
    }
    if (comm_group() > 0)
        return;
    assert(t->terms->replica == 0);
    replica_memory_bring(t->memory, 0);
    tempering_select(t, 0, u);
}
