/* tempering_state.c - replicas in the record and in the state of a stream. */
#include "src/hmc/tempering.h"
#include "src/hmc/tempering_inside.h"

#include "src/comm/comm.h"
#include "src/hmc/replica_groups.h"

#include <stdio.h>

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

/* A state has the lists of all replicas, or none if it is from before the first trajectory.  The digest of the state
 * includes them. */
void tempering_set_memory(tempering *t, const state_memory *memory)
{
    const bool begun = state_memory_find(memory, "replica.0") != NULL;
    if (t && !begun) {
        tempering_number(t);
        replica_memory_save_to_all(t->memory);
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
    const int r = index + 1, seat = r < tempering_replicas(t) ? t->replica[r].seat : 0;
    if (seat == 0)
        return NULL;
    if (replica_groups_here(seat))
        return &t->links[seat]->links;
    replica_groups_order(&(replica_order){ .kind = ORDER_GET, .seat = seat });
    replica_groups_send(t->spare, NULL, replica_groups_of(seat));
    return &t->spare->links;
}

void tempering_put_field(tempering *t, int index)
{
    const int seat = t->replica[index + 1].seat;
    if (replica_groups_here(seat))
        return;
    replica_groups_order(&(replica_order){ .kind = ORDER_PUT, .seat = seat });
    replica_groups_send(NULL, t->spare, replica_groups_of(seat));
}

bool tempering_serve(tempering *t, gauge *u, int64_t *number)
{
    replica_order order;
    while ((order = replica_groups_wait()).kind == ORDER_GET || order.kind == ORDER_PUT) {
        gauge *links = !replica_groups_here(order.seat) ? NULL : order.seat == comm_group() ? u : t->links[order.seat];
        const bool get = order.kind == ORDER_GET;
        replica_groups_send(get ? NULL : links, get ? links : NULL, replica_groups_of(order.seat));
    }
    *number = order.number;
    return order.kind == ORDER_TRAJECTORY;
}

int tempering_failed_group(const tempering *t, int replica)
{
    return replica_groups_of(t->replica[replica].seat);
}

void tempering_set_fields(tempering *t, bool of_state)
{
    if (!t)
        return;
    t->known = of_state;
    for (int s = 0; s < t->count; s++)
        if (t->links[s])
            gauge_forget_derived(t->links[s]);
    if (!of_state) {
        tempering_number(t);
        replica_memory_save_to_all(t->memory);
    }
}
