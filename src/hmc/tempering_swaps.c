/* tempering_swaps.c - the swaps of neighboring replicas, and the positions of their defects. */
#include "src/hmc/tempering.h"
#include "src/hmc/tempering_inside.h"

#include "src/base/log.h"
#include "src/base/memory.h"
#include "src/comm/comm.h"
#include "src/hmc/replica_groups.h"
#include "src/lattice/rng.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>

static rng_key key_of(const tempering *t, int64_t number)
{
    return rng_key_for((uint64_t)t->params->random.seed, (uint32_t)t->params->random.stream, (uint64_t)number,
                       RNG_SWAP);
}

/* Replicas r = 0 and r + 1 exchange their links, because seat 0 always has the links of replica 0.  (Other replicas
 * exchange their seats.)  Groups that have neither replica only take part in the communication. */
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
    t->replica[r].loops = upper.loops;
    t->replica[r + 1].number = lower.number;
    t->replica[r + 1].box = lower.box;
    t->replica[r + 1].loops = lower.loops;
    if (r > 0) {
        t->replica[r].seat = upper.seat;
        t->replica[r + 1].seat = lower.seat;
    }
    replica_memory_exchange(t->memory, r);
}

_Static_assert(DEFECT_CELLS * REPLICAS_MAX <= SUM_SCRATCH, "one read has the sums of all replicas");

/* Adds the loops of a gauge action at the defect to `cells`: DEFECT_CELLS for each replica of this group. */
static void add_loops(const tempering *t, const sum_array *cells, const loop_weights *w, gauge *u)
{
    for (int r = 0; r < t->count; r++)
        if (tempering_is_here(t, r))
            defect_loops_into(sums_from(cells, DEFECT_CELLS * r, 0), tempering_links_of(t, r, u), &t->replica[r].box,
                              w);
}

/* The sums of loops of the replicas of this group.  All kernels are launched before the host waits for a result. */
static void sum_loops_here(tempering *t, gauge *u)
{
    const sum_array cells = sums_scratch(u->links.lattice, u->links.where, DEFECT_CELLS * t->count, 0);
    sum_cell sum[SUM_SCRATCH];
    for (int m = 0; m < t->terms->count; m++) {
        const monomial_kind *kind = t->terms->of[m].m->kind;
        if (kind->set_defect) {
            const loop_weights w = kind->link_weights(run_monomial_params(t->params, m), NULL, false);
            add_loops(t, &cells, &w, u);
        }
    }
    sums_read((sum_cells){ .sum = sum }, &cells);
    for (int r = 0; r < t->count; r++)
        t->replica[r].loops = defect_sums_of(sum + DEFECT_CELLS * r);
}

/* The sums of loops of all replicas: each group computes those of its links and sends them to the others. */
static void sum_loops(tempering *t, gauge *u)
{
    defect_sums mine[REPLICAS_MAX];
    sum_loops_here(t, u);
    if (comm_groups() == 1)
        return;
    for (int r = 0; r < t->count; r++)
        mine[r] = t->replica[r].loops;
    defect_sums *all = replica_groups_gather(mine, sizeof mine);
    for (int r = 0; r < t->count; r++)
        t->replica[r].loops = all[replica_groups_of(t->replica[r].seat) * REPLICAS_MAX + r];
    memory_free(all);
}

/* Replicas r and r + 1: the random number of the pair is draw 0 at the "site" r of the key. */
static void try_swap(tempering *t, gauge *u, int r, int64_t number)
{
    const rng_key key = key_of(t, number);
    replica_numbers *s = &t->replica[r];
    const replica_numbers *next = s + 1;
    const philox_words w = rng_words(key, (uint64_t)r, 0);
    s->ds = defect_action_difference(&next->loops, s->factor, next->factor)
            - defect_action_difference(&s->loops, s->factor, next->factor);
    s->tried = true;
    if (!isfinite(s->ds))
        log_line(LOG_WARNING, "trajectory %" PRId64 ": dS of the swap of replicas %d and %d is not finite, and they "
                              "are not swapped: links are not finite, or beta is too large", number, r, r + 1);
    s->swapped = comm_decide(comm_whole(), isfinite(s->ds) && rng_uniform(w.v[0], w.v[1]) < exp(-s->ds));
    if (s->swapped)
        exchange(t, u, r);
}

/* A random position of the defect of replica 0: draws 1 to 4 at the "site" 0 of the key. */
static void translate(tempering *t, rng_key key)
{
    for (int mu = 0; mu < 4; mu++) {
        const philox_words w = rng_words(key, 0, 1 + (uint32_t)mu);
        t->replica[0].box.corner[mu] = (int)(rng_uniform(w.v[0], w.v[1]) * t->params->extents[mu]);
    }
}

void tempering_end(tempering *t, gauge *u, int64_t number)
{
    const tempering_params *p = &t->params->tempering;
    for (int r = 0; r < t->count; r++)
        t->replica[r].tried = t->replica[r].swapped = false;
    if (p->translate)
        translate(t, key_of(t, number));
    if (comm_groups() == 1)
        replica_memory_save(t->memory, 0);
    const bool due = number % p->swap_every == 0;
    if (due)
        sum_loops(t, u);
    for (int odd = 0; odd < 2 && due; odd++)
        for (int r = odd; r + 1 < t->count; r += 2)
            try_swap(t, u, r, number);
    if (comm_group() > 0)
        return;
    assert(t->terms->replica == 0);
    replica_memory_load(t->memory, 0);
    tempering_select(t, 0, u);
}
