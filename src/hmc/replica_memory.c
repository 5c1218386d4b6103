/* replica_memory.c - the memory of the monomials for each replica of tempering. */
#include "src/hmc/replica_memory.h"

#include "src/base/memory.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>

#define LIST_OF_TERM "replica.%d.quarks.%d"

typedef struct { int count; double value[MONOMIAL_MEMORY]; } term_memory;
typedef struct { term_memory of[HMC_TERMS]; } all_terms;

struct replica_memory {
    hmc_term_list *terms;
    int replicas;
    all_terms *replica;
};

replica_memory *replica_memory_create(hmc_term_list *terms, int replicas)
{
    replica_memory *m = memory_alloc(sizeof *m, "the memory of replicas");
    *m = (replica_memory){ terms, replicas, memory_alloc((size_t)replicas * sizeof *m->replica, "the same") };
    replica_memory_save_to_all(m);
    return m;
}

void replica_memory_free(replica_memory *m)
{
    if (m)
        memory_free(m->replica);
    memory_free(m);
}

void replica_memory_save(replica_memory *m, int replica)
{
    for (int t = 0; t < m->terms->count; t++) {
        term_memory *of = &m->replica[replica].of[t];
        of->count = monomial_get_memory(m->terms->of[t].m, of->value);
    }
}

void replica_memory_load(replica_memory *m, int replica)
{
    for (int t = 0; t < m->terms->count; t++) {
        const term_memory *of = &m->replica[replica].of[t];
        if (of->count > 0)
            monomial_set_memory(m->terms->of[t].m, of->value, of->count);
    }
}

void replica_memory_save_to_all(replica_memory *m)
{
    for (int r = 0; r < m->replicas; r++)
        replica_memory_save(m, r);
}

void replica_memory_exchange(replica_memory *m, int r)
{
    const all_terms lower = m->replica[r];
    m->replica[r] = m->replica[r + 1];
    m->replica[r + 1] = lower;
}

void *replica_memory_bytes(replica_memory *m, size_t *bytes)
{
    *bytes = (size_t)m->replicas * sizeof *m->replica;
    return m->replica;
}

void *replica_memory_bytes_of(replica_memory *m, int replica, size_t *bytes)
{
    *bytes = sizeof *m->replica;
    return &m->replica[replica];
}

void replica_memory_to_state(const replica_memory *m, state_memory *state)
{
    for (int r = 1; r < m->replicas; r++)
        for (int t = 0; t < m->terms->count; t++) {
            const term_memory *of = &m->replica[r].of[t];
            if (of->count == 0)
                continue;
            assert(state->count < STATE_LISTS);
            state_list *list = &state->list[state->count++];
            snprintf(list->name, sizeof list->name, LIST_OF_TERM, r, t);
            list->count = of->count;
            for (int n = 0; n < of->count; n++)
                list->value[n] = of->value[n];
        }
}

void replica_memory_from_state(replica_memory *m, const state_memory *state)
{
    for (int r = 1; r < m->replicas; r++) {
        replica_memory_save(m, r);                     /* sets the counts, which depend on the input only */
        for (int t = 0; t < m->terms->count; t++) {
            term_memory *of = &m->replica[r].of[t];
            char name[48];
            if (of->count == 0)
                continue;
            snprintf(name, sizeof name, LIST_OF_TERM, r, t);
            const state_list *list = state_memory_find(state, name);
            require(list && list->count == of->count, "the state lacks the %d numbers of %s: it is damaged, or it "
                    "belongs to other monomials", of->count, name);
            for (int n = 0; n < of->count; n++)
                of->value[n] = list->value[n];
        }
    }
}

int replica_memory_lists(const run_params *p)
{
    int keeping = 0;
    for (int t = 0; t < run_monomial_count(p); t++)
        keeping += run_monomial_kind(p, t)->get_memory != NULL;
    return (int)p->tempering.replicas * (1 + keeping);
}
