/* comm_world.c - the world of a thread, and the world of one rank. */
#include "src/comm/comm_inside.h"

#include "src/base/memory.h"
#include "src/base/rank.h"

#include <string.h>

/* ---- one rank */

static void do_nothing(const comm *c)
{
    (void)c;
}

static void keep_data(const comm *c, void *data, size_t bytes)
{
    (void)c, (void)data, (void)bytes;
}

static void copy_mine(const comm *c, void *all, const void *mine, size_t bytes)
{
    (void)c;
    memcpy(all, mine, bytes);
}

static void copy_shifts(const comm *c, const comm_shift *shift, int count)
{
    (void)c;
    for (int i = 0; i < count; i++)
        memcpy(shift[i].in, shift[i].out, shift[i].in_bytes);
}

static void *no_state(const comm *whole, int ranks)
{
    (void)whole, (void)ranks;
    return NULL;
}

static const comm_functions single_functions = { "single", do_nothing, keep_data, copy_mine, copy_shifts, no_state,
                                                 do_nothing };
static const comm single = { .functions = &single_functions, .size = 1, .local_size = 1 };

/* ---- the world of a thread */

static _Thread_local const comm *world;

const comm *comm_world(void)
{
    return world ? world : &single;
}

const comm *comm_alone(void)
{
    return &single;
}

/* ---- groups */

static _Thread_local const comm *whole;      /* of which the world is a group; NULL: it is the whole */
static _Thread_local comm *group;

const comm *comm_whole(void)
{
    return whole ? whole : comm_world();
}

int comm_groups(void)
{
    return comm_whole()->size / comm_world()->size;
}

int comm_group(void)
{
    return comm_whole()->rank / comm_world()->size;
}

void comm_split(int groups)
{
    const comm *all = comm_world();
    require(groups >= 1 && all->size % groups == 0 && !whole, "internal error: %d ranks cannot be %d groups", all->size,
            groups);
    if (groups == 1)
        return;
    const int ranks = all->size / groups;
    group = memory_alloc(sizeof *group, "a group of ranks");
    *group = *all;
    group->functions = ranks > 1 ? all->functions : &single_functions;
    group->rank = all->rank % ranks;
    group->size = ranks;
    group->first = all->rank - group->rank;
    group->inside = group->functions->split(all, ranks);
    whole = all;
    world = group;
    rank_groups(ranks);
}

void comm_join(void)
{
    if (!whole)
        return;
    rank_groups(0);
    group->functions->join(group);
    memory_free(group);
    world = whole;
    whole = NULL;
    group = NULL;
}

void comm_enter(const comm *c)
{
    world = c;
    rank_of_thread(c ? c->rank : 0);
}

int comm_rank(const comm *c)
{
    return c->rank;
}

int comm_size(const comm *c)
{
    return c->size;
}

rank_text comm_rank_name(const comm *c, int rank)
{
    return rank_name(c->first + rank);
}

bool comm_is_root(const comm *c)
{
    return c->rank == 0;
}

int comm_local_rank(const comm *c)
{
    return c->local_rank;
}

int comm_local_size(const comm *c)
{
    return c->local_size;
}

int comm_node(const comm *c)
{
    return c->node;
}

const char *comm_kind(const comm *c)
{
    return c->functions->name;
}

/* ---- collective */

void comm_barrier(const comm *c)
{
    c->functions->barrier(c);
}

void comm_broadcast(const comm *c, void *data, size_t bytes)
{
    c->functions->broadcast(c, data, bytes);
}

void comm_gather_all(const comm *c, void *all, const void *mine, size_t bytes)
{
    c->functions->gather_all(c, all, mine, bytes);
}

void comm_exchange(const comm *c, const comm_shift *shift, int count)
{
    c->functions->exchange(c, shift, count);
}
