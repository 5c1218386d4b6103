/* test_sdc_machines.c - a number that differs is ascribed to the rank that has its site. */
#include "src/ensemble/sdc_machines.h"

#include "src/base/memory.h"
#include "src/gauge/gauge.h"
#include "src/lattice/field_slices.h"
#include "src/lattice/grid.h"
#include "tests/facts.h"

#include <stdio.h>
#include <string.h>

enum { RANKS = 4 };
static const int extents[4] = { 4, 4, 4, 8 }, grid[4] = { 1, 1, 2, 2 };

enum { LISTS = 1 << RANKS };                       /* subsets of ranks whose numbers differ */
typedef struct { sdc_differences differ; sdc_machines found, of_sum, of[LISTS]; } answer;

/* A link that differs at y = z = 3, t = 1: of the rank with the upper half of z and the lower half of t. */
static void change(field *f)
{
    const size_t site = 18 * 4, sites = (size_t)lattice_volume(f->lattice);
    double *all = memory_alloc(sites * site * sizeof *all, "links");
    field_export(all, f);
    all[(((1 * 4 + 3) * 4 + 3) * 4 + 2) * site + 7] += 1;
    field_import(f, all);
    memory_free(all);
}

static int look(void *of)
{
    answer *mine = (answer *)of + comm_rank(comm_world());
    grid_want(grid);
    const lattice_shape shape = grid_shape_here(extents, GRID_HOPS_LEAST);
    lattice *l = lattice_create(&shape);
    gauge *a = gauge_create(l, PLACE_CPU, PRECISION_DOUBLE), *b = gauge_create(l, PLACE_CPU, PRECISION_DOUBLE);
    change(&b->links);
    mine->differ = sdc_count_differences(&a->links, &b->links);
    mine->found = sdc_machines_find(mine->differ.mine > 0, PLACE_CPU);
    mine->of_sum = sdc_machines_find(false, PLACE_CPU);
    for (int list = 1; list < LISTS; list++)
        mine->of[list] = sdc_machines_find(list >> comm_rank(comm_world()) & 1, PLACE_CPU);
    gauge_free(a);
    gauge_free(b);
    lattice_free(l);
    return 0;
}

/* Whether the text of a list is that of its first three ranks, each once and in their order, and of the number of the
 * others. */
static bool lists(const char *where, int list)
{
    enum { NAMED = 3 };
    int count = 0;
    bool right = true;
    for (int r = 0; r < RANKS; r++) {
        char name[16];
        snprintf(name, sizeof name, "rank %d: CPU", r);
        const char *at = strstr(where, name);
        const bool named = (list >> r & 1) && count < NAMED;
        count += list >> r & 1;
        right = right && (at != NULL) == named;
        if (at)
            where = at + strlen(name);
        right = right && !(at && strstr(where, name));
    }
    const char *more = strstr(where, "; and ");
    return right && (count > NAMED ? more && strcmp(more, "; and 1 more rank") == 0 : !more);
}

int main(void)
{
    enum { FAULTY = 1 };                           /* ranks count z before t */
    static answer of[RANKS];
    comm_run_threads(RANKS, look, of);
    bool all = true, mine = true, named = true, any = true;
    for (int r = 0; r < RANKS; r++) {
        all = all && of[r].differ.all == 1;
        mine = mine && of[r].differ.mine == (r == FAULTY);
        named = named && strncmp(of[r].found.where, "rank 1: CPU, host ", 18) == 0
                && !strchr(of[r].found.where, ';') && *of[r].found.host;
        any = any && strncmp(of[r].of_sum.where, "any of 4 ranks, the first on CPU, host ", 39) == 0;
    }
    fact(all, "all ranks count the number that differs");
    fact(mine, "the rank that has its site counts it as its own");
    fact(named, "all name this rank, with its host: %s", of[0].found.where);
    fact(any, "a sum that differs may be due to any of them: %s", of[0].of_sum.where);
    bool listed = true;
    for (int r = 0; r < RANKS; r++)
        for (int list = 1; list < LISTS; list++)
            if (!lists(of[r].of[list].where, list)) {
                listed = false;
                note("ranks %x: %s", list, of[r].of[list].where);
            }
    fact(listed, "of any ranks that differ, three are listed, and how many more there are");
    const sdc_machines alone = sdc_machines_find(true, PLACE_CPU);
    fact(strncmp(alone.where, "CPU, host ", 10) == 0, "without other ranks it is the host: %s", alone.where);
    return facts_end();
}
