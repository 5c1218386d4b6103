/* sums.c - cells of sums and maxima at a place. */
#include "src/lattice/sums.h"

#include "gpu/device.h"
#include "src/base/memory.h"
#include "src/lattice/place_memory.h"

#include <assert.h>
#include <string.h>

size_t sums_bytes(int sums, int maxima)
{
    return (size_t)sums * sizeof(sum_cell) + (size_t)maxima * sizeof(max_cell);
}

static size_t bytes_of(const sum_array *s)
{
    return sums_bytes(s->sums, s->maxima);
}

static sum_array in_memory(void *memory, const lattice *l, place where, int sums, int maxima)
{
    sum_cell *first = memory;
    return (sum_array){ l, where, sums, maxima, { first, (max_cell *)(first + sums) } };
}

sum_array sums_create(const lattice *l, place where, int sums, int maxima)
{
    return in_memory(place_alloc(where, sums_bytes(sums, maxima), "cells of sums"), l, where, sums, maxima);
}

sum_array sums_scratch(lattice *l, place where, int sums, int maxima)
{
    const sum_array scratch = in_memory(lattice_sum_scratch(l, where), l, where, sums, maxima);
    assert(sums + maxima <= SUM_SCRATCH);
    sums_zero(&scratch);
    return scratch;
}

void sums_free(sum_array *s)
{
    place_free(s->where, s->cells.sum);
    *s = (sum_array){ 0 };
}

void sums_zero(const sum_array *s)
{
    if (s->where == PLACE_GPU)
        device_zero(s->cells.sum, bytes_of(s));
    else
        memset(s->cells.sum, 0, bytes_of(s));
}

sum_cells sums_from(const sum_array *s, int sum, int maximum)
{
    return (sum_cells){ s->cells.sum + sum, s->cells.largest + maximum };
}

static void copy_cells(sum_cells to, sum_cells from, const sum_array *like)
{
    if (like->sums > 0)
        memcpy(to.sum, from.sum, (size_t)like->sums * sizeof *to.sum);
    if (like->maxima > 0)
        memcpy(to.largest, from.largest, (size_t)like->maxima * sizeof *to.largest);
}

/* Copies cells between the host and an array, with one transfer between places. */
static void move_cells(sum_cells host, const sum_array *s, bool to_host)
{
    if (s->where == PLACE_CPU) {
        copy_cells(to_host ? host : s->cells, to_host ? s->cells : host, s);
        return;
    }
    void *memory = memory_alloc(bytes_of(s), "cells of sums");
    const sum_array between = in_memory(memory, s->lattice, PLACE_CPU, s->sums, s->maxima);
    if (to_host) {
        device_copy_from(between.cells.sum, s->cells.sum, bytes_of(s));
        copy_cells(host, between.cells, s);
    } else {
        copy_cells(between.cells, host, s);
        device_copy_to(s->cells.sum, between.cells.sum, bytes_of(s));
    }
    memory_free(memory);
}

void sums_read(sum_cells host, const sum_array *s)
{
    move_cells(host, s, true);
    sums_reduce(host, s->lattice, s->sums, s->maxima);
}

sum_array sums_read_new(const sum_array *s)
{
    void *memory = memory_alloc(bytes_of(s), "cells of sums");
    const sum_array host = in_memory(memory, s->lattice, PLACE_CPU, s->sums, s->maxima);
    sums_read(host.cells, s);
    return host;
}

void sums_host_free(sum_array *s)
{
    memory_free(s->cells.sum);
    *s = (sum_array){ 0 };
}

void sums_put(const sum_array *s, sum_cells host)
{
    if (comm_is_root(lattice_comm(s->lattice)))
        move_cells(host, s, false);
    else
        sums_zero(s);
}

/* Integers: the order of ranks does not matter. */
void sums_merge(sum_cells host, const comm *ranks, int sums, int maxima)
{
    const size_t bytes = sums_bytes(sums, maxima);
    for (int n = 0; n < sums; n++)
        sum_cell_carry(&host.sum[n]);
    if (comm_size(ranks) == 1)
        return;
    void *memory = memory_alloc(bytes * (size_t)(comm_size(ranks) + 1), "cells of ranks");
    const sum_array mine = in_memory(memory, NULL, PLACE_CPU, sums, maxima);
    char *all = (char *)memory + bytes;
    copy_cells(mine.cells, host, &mine);
    comm_gather_all(ranks, all, memory, bytes);
    for (int r = 0; r < comm_size(ranks); r++) {
        const sum_array theirs = in_memory(all + (size_t)r * bytes, NULL, PLACE_CPU, sums, maxima);
        for (int n = 0; n < sums; n++)
            if (r == 0)
                host.sum[n] = theirs.cells.sum[n];
            else
                sum_cell_merge(&host.sum[n], theirs.cells.sum[n]);
        for (int n = 0; n < maxima; n++)
            if (r == 0)
                host.largest[n] = theirs.cells.largest[n];
            else
                max_cell_merge(&host.largest[n], theirs.cells.largest[n]);
    }
    memory_free(memory);
    for (int n = 0; n < sums; n++)
        sum_cell_carry(&host.sum[n]);
}

void sums_reduce(sum_cells host, const lattice *l, int sums, int maxima)
{
    sums_merge(host, lattice_comm(l), sums, maxima);
}
