/* sdc_machines.c - which ranks two evaluations differ on. */
#include "src/ensemble/sdc_machines.h"

#include "src/base/memory.h"
#include "src/base/text.h"
#include "src/comm/comm.h"
#include "src/ensemble/rank_machine.h"
#include "src/lattice/field_slices.h"

#include <stdio.h>
#include <string.h>

/* ---- numbers that differ */

static size_t count_in_row(const double *a, const double *b, size_t reals)
{
    size_t differ = 0;
    for (size_t i = 0; i < reals; i++)
        differ += memcmp(&a[i], &b[i], sizeof a[i]) != 0;
    return differ;
}

/* Whether this rank has the site. */
static bool is_mine(const lattice_shape *l, const int site[4])
{
    bool is = true;
    for (int mu = 0; mu < 4; mu++)
        is = is && site[mu] >= l->origin[mu] && site[mu] < l->origin[mu] + l->local[mu];
    return is;
}

static void count_in_slice(sdc_differences *d, const double *a, const double *b, size_t reals, int t,
                           const lattice_shape *l)
{
    const int *n = l->global;
    const size_t of_site = reals / ((size_t)n[0] * (size_t)n[1] * (size_t)n[2]);
    for (int z = 0; z < n[2]; z++)
        for (int y = 0; y < n[1]; y++)
            for (int x = 0; x < n[0]; x++, a += of_site, b += of_site) {
                const size_t differ = count_in_row(a, b, of_site);
                d->all += differ;
                d->mine += differ > 0 && is_mine(l, (const int[4]){ x, y, z, t }) ? differ : 0;
            }
}

sdc_differences sdc_count_differences(const field *a, const field *b)
{
    const size_t reals = field_slice_reals(a);
    const lattice_shape *l = lattice_shape_of(a->lattice);
    double *of_a = slice_alloc(reals), *of_b = slice_alloc(reals);
    sdc_differences d = { 0, 0 };
    for (int n = 0; n < field_slice_count(a); n++) {
        field_get_slice(of_a, a, n);
        field_get_slice(of_b, b, n);
        count_in_slice(&d, of_a, of_b, reals, n % l->global[3], l);
    }
    memory_free(of_b);
    memory_free(of_a);
    return d;
}

/* ---- machines */

typedef struct { bool differs; rank_machine is; } machine;

/* "rank 2: CPU, host X; rank 5: CPU, host Y; and 3 more" */
static void list_machines(text *list, const machine *all, int ranks)
{
    enum { MOST = 3 };
    int count = 0;
    for (int r = 0; r < ranks; r++)
        if (all[r].differs && count++ < MOST)
            text_add(list, "%srank %d: %s, host %s", count > 1 ? "; " : "", r, all[r].is.device, all[r].is.host);
    if (count > MOST)
        text_add(list, "; and %s", count_to_text(count - MOST, "more rank").s);
    if (count == 0)
        text_add(list, "any of %d ranks, the first on %s, host %s", ranks, all[0].is.device, all[0].is.host);
}

sdc_machines sdc_machines_find(bool mine, place where)
{
    const comm *world = comm_world();
    const int ranks = comm_size(world);
    const machine here = { mine, rank_machine_here(where) };
    machine *all = memory_alloc((size_t)ranks * sizeof *all, "machines of ranks");
    text list = { 0 };
    sdc_machines found;
    comm_gather_all(world, all, &here, sizeof here);
    int first = 0;
    while (first < ranks - 1 && !all[first].differs)
        first++;
    if (!all[first].differs)
        first = 0;
    if (ranks > 1)
        list_machines(&list, all, ranks);
    else
        text_add(&list, "%s, host %s", here.is.device, here.is.host);
    snprintf(found.where, sizeof found.where, "%s", text_string(&list));
    memcpy(found.host, all[first].is.host, sizeof found.host);
    memcpy(found.device, all[first].is.device, sizeof found.device);
    text_free(&list);
    memory_free(all);
    return found;
}
