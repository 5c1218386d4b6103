/* krylov_engine.c - the state of a batch of Krylov spaces, on the host and at the place of the vectors. */
#include "src/solvers/krylov_engine.h"

#include "gpu/device.h"
#include "src/base/memory.h"
#include "src/kernels/krylov_steps.h"
#include "src/lattice/place_memory.h"

#include <assert.h>
#include <string.h>

krylov *krylov_create(const lattice *l, place where, krylov_finish finish)
{
    krylov *k = memory_alloc(sizeof *k, "a batch of Krylov spaces");
    k->where = where;
    k->ranks = lattice_comm(l);
    k->finish = comm_size(k->ranks) > 1 ? FINISH_ALONE : finish;
    k->there = place_alloc(where, sizeof *k->there, "the state of a batch");
    k->state = where == PLACE_GPU ? memory_alloc(sizeof *k->state, "the state of a batch") : k->there;
    k->loop = loop_create(where);
    return k;
}

void krylov_free(krylov *k)
{
    if (!k)
        return;
    loop_free(k->loop);
    if (k->state != k->there)
        memory_free(k->state);
    place_free(k->where, k->there);
    place_free(k->where, k->history);
    memory_free(k);
}

loop *krylov_loop(const krylov *k)
{
    return k->loop;
}

size_t krylov_bytes(void)
{
    return sizeof(krylov_state);
}

krylov_system *krylov_system_of(krylov *k, int number)
{
    assert(number >= 0 && number < BATCH_MAX);
    return &k->state->system[number];
}

krylov_system *krylov_begin(krylov *k, int number, double shift, double bb, double rr, double target)
{
    krylov_system *s = krylov_system_of(k, number);
    memset(s, 0, sizeof *s);
    s->shift = shift;
    s->bb = bb;
    s->target = target;
    s->alpha = 1;
    s->most = INT32_MAX;
    s->reached_at = rr <= target ? 0 : -1;
    krylov_replaced(s, rr);
    s->before = rr;
    return s;
}

void krylov_replaced(krylov_system *s, double rr)
{
    s->rr = s->top = rr;
    s->deviation = s->rounding * square_root_of(rr);
    s->since = 0;
    s->status = SYSTEM_GOING;
    s->curvature_per_bound = SUM_WORD / sum_bound_guessed(rr / s->alpha);
}

void krylov_note_history(krylov *k, int number, int capacity)
{
    krylov_system *s = krylov_system_of(k, number);
    size_t bytes = (size_t)capacity * sizeof *k->history;
    if (capacity > k->history_capacity) {
        place_free(k->where, k->history);
        k->history = place_alloc(k->where, bytes, "the history of a residual");
        k->history_capacity = capacity;
    }
    s->history = k->history;
    s->history_capacity = capacity;
}

void krylov_history(krylov *k, int number, int from, int upto, double *rr)
{
    const krylov_system *s = krylov_system_of(k, number);
    size_t bytes = (size_t)(upto - from) * sizeof *rr;
    assert(s->history && from >= 0 && from <= upto && upto <= s->history_capacity);
    if (k->where == PLACE_GPU)
        device_copy_from(rr, s->history + from, bytes);
    else
        memcpy(rr, s->history + from, bytes);
}

krylov_pieces krylov_cut(krylov *k, const int *number, int count, int max_rhs, bool full)
{
    krylov_pieces all = { 0 };
    for (int done = 0; done < count;) {
        int size = BATCH_MAX_RHS;
        while (size > count - done || size > max_rhs)
            size /= 2;
        krylov_batch *b = &all.piece[all.count];
        all.first[all.count++] = done;
        b->state = k->there;
        b->count = size;
        for (int i = 0; i < size; i++)
            b->number[i] = number[done + i];
        done += size;
        b->last = done == count;
        b->full = full;
        b->sum_launches = k->finish == FINISH_IN_KERNEL ? 1 : 0;
    }
    return all;
}

void krylov_add_reduction(krylov *k, krylov_sum sum, const krylov_batch *b)
{
    if (k->finish == FINISH_ALONE)
        loop_add_reduction(k->loop, sum, b, k->ranks);
}

void krylov_prepare(krylov *k, const int *number, int count)
{
    krylov_state *state = k->state;
    assert(count > 0 && count <= BATCH_MAX);
    state->count = count;
    state->ticket = 0;
    for (int i = 0; i < count; i++)
        state->number[i] = number[i];
    memset(state->cell, 0, sizeof state->cell);
    krylov_iteration_ends(state, true);
}
