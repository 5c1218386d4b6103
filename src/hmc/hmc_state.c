/* hmc_state.c - what is part of a state beside the links: memory of the terms, fields, replicas. */
#include "src/hmc/hmc.h"
#include "src/hmc/hmc_inside.h"

#include <assert.h>

void hmc_get_memory(const hmc *h, state_memory *memory)
{
    hmc_terms_get_memory(&h->terms, memory);
    tempering_get_memory(h->replicas, memory);
}

void hmc_set_memory(hmc *h, const state_memory *memory)
{
    hmc_terms_set_memory(&h->terms, memory);
    tempering_set_memory(h->replicas, memory);
}

bool hmc_has_fields(const hmc *h, bool at_start)
{
    assert(!(h->replicas && at_start) && "a trajectory of replicas is not interrupted");
    return h->replicas ? tempering_has_fields(h->replicas) : smd_has_fields(h->stochastic, at_start);
}

field *hmc_state_field(hmc *h, bool at_start, int index)
{
    return h->replicas ? tempering_field(h->replicas, index) : smd_field(h->stochastic, at_start, index);
}

void hmc_put_field(hmc *h, int index)
{
    if (h->replicas)
        tempering_put_field(h->replicas, index);
}

bool hmc_serve(hmc *h, gauge *u, int64_t *number)
{
    return tempering_serve(h->replicas, u, number);
}

int hmc_failed_replica(const hmc *h, int *group)
{
    const bool one = !h->replicas || h->failed < 0;
    *group = one ? 0 : tempering_failed_group(h->replicas, h->failed);
    return one ? 0 : h->failed;
}

void hmc_set_fields(hmc *h, bool of_state)
{
    smd_set_fields(h->stochastic, of_state);
    tempering_set_fields(h->replicas, of_state);
}

/* ---- replicas */

gauge *hmc_links(const hmc *h, gauge *u)
{
    return h->replicas ? tempering_links(h->replicas, u) : u;
}

void hmc_replicas_to_json(const hmc *h, json *j)
{
    tempering_to_json(h->replicas, j);
}
