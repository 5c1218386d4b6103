/* test_defect_loops.c - the loops of a defect: against differences of whole actions, counted for unit links, without
 * links that no loop of the defect has, and on grids of ranks. */
#include "actions/gauge_action.h"
#include "gpu/device.h"
#include "src/base/memory.h"
#include "src/base/text.h"
#include "src/gauge/defect_loops.h"
#include "src/lattice/grid.h"
#include "src/lattice/rng.h"
#include "tests/actions/derivative.h"
#include "tests/facts.h"
#include "tests/on_every_backend.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const gauge_params actions[] = {
    { .action = 0, .beta = 6 },
    { .action = 2, .beta = 2.6, .xi_0 = 2.2, .given = { .xi_0 = true } },
    { .action = 5, .beta = 6.7, .u0 = 0.87, .flavors = 4 },
    { .action = 6, .beta = 3, .xi_0 = 3, .u_s = 0.8, .u_t = 1, .given = { .xi_0 = true, .u_s = true, .u_t = true } },
};
static const defect_box boxes[] = {
    { 0, 2, { 7, 0, 0, 0 } },
    { 1, 3, { 3, 2, 2, 5 } },           /* goes around the lattice */
    { 2, 4, { 6, 1, 1, 2 } },           /* all sites in y; no link of the lattice is far away */
    { 3, 1, { 2, 0, 3, 7 } },
};
static const int extents[] = { 8, 4, 4, 8 };
enum { ACTIONS = sizeof actions / sizeof *actions, BOXES = sizeof boxes / sizeof *boxes, LOOP_REACH = 2 };

static const rng_key hot = { { 17, 0 }, { 1, RNG_TEST } };

static defect_sums sums_of(const gauge *u, const defect_box *box, const gauge_params *p)
{
    const loop_weights w = gauge_monomial.link_weights(p, NULL, false);
    const sum_array cells = sums_scratch(u->links.lattice, u->links.where, DEFECT_CELLS, 0);
    sum_cell sum[DEFECT_CELLS];
    defect_loops_into(cells.cells, u, box, &w);
    sums_read((sum_cells){ .sum = sum }, &cells);
    return defect_sums_of(sum);
}

static bool are_same(const defect_sums *a, const defect_sums *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

/* ---- the difference of actions */

static void differences(const gauge *u, const defect_box *box, const gauge_params *p, const char *name)
{
    static const double factors[][2] = { { 1, 0 }, { 1, 0.5 }, { 0.3, 0.9 } };
    monomial *m = monomial_create(&gauge_monomial, p, u);
    gauge *memory = gauge_create(u->links.lattice, u->links.where, PRECISION_DOUBLE);
    const defect_sums s = sums_of(u, box, p);
    for (int f = 0; f < 3; f++) {
        double action[2];
        for (int i = 0; i < 2; i++) {
            gauge_monomial.set_defect(m, &(link_defect){ *box, factors[f][i] }, memory);
            action[i] = action_of(m, u);
        }
        const double got = defect_action_difference(&s, factors[f][0], factors[f][1]), want = action[0] - action[1];
        fact_close((got - want) / action[0], 0, 1e-14, "%s, c = %g and %g: the loops of the defect are the difference "
                   "of the actions, %.4g", name, factors[f][0], factors[f][1], want);
    }
    fact(fabs(s.one) > 1e-3, "%s: the cube has loops with one of its links: %.4g", name, s.one);
    if (box->size > 1)
        fact(fabs(s.two) > 1e-3, "%s: a cube of more than one link has loops with two: %.4g", name, s.two);
    else
        fact(s.two == 0, "%s: a single link has no loops with two", name);
    fact(defect_action_difference(&s, 0.7, 0.7) == 0, "%s: equal factors have no difference", name);
    monomial_free(m);
    gauge_free(memory);
}

/* A cube of n^3 links has 6 n^3 plaquettes at its links, and 3 (n - 1) n^2 of them are between two. */
static void unit_links(lattice *l, place where)
{
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
    gauge_set_unit(u);
    const defect_sums s = sums_of(u, &boxes[0], &actions[0]);
    const double n = boxes[0].size, two = 3 * (n - 1) * n * n, one = 6 * n * n * n - 2 * two;
    fact_close(s.one, actions[0].beta * one, 1e-12, "%s: unit links: the plaquettes with one link", place_name(where));
    fact_close(s.two, actions[0].beta * two, 1e-12, "%s: unit links: the plaquettes with two", place_name(where));
    gauge_free(u);
}

/* ---- links far away */

/* Whether a site is so near that a loop of the defect may have its links. */
static bool is_near(const defect_box *box, const int x[4])
{
    bool near = true;
    for (int nu = 0; nu < 4; nu++) {
        const int n = extents[nu], along = nu == box->direction ? 1 : box->size;
        const int distance = (x[nu] - box->corner[nu] + LOOP_REACH + n) % n;
        near = near && distance < along + 2 * LOOP_REACH;
    }
    return near;
}

static void far_links(const gauge *u, const defect_box *box, const gauge_params *p, const char *name)
{
    lattice *l = u->links.lattice;
    gauge *v = gauge_create(l, u->links.where, PRECISION_DOUBLE);
    const size_t reals = (size_t)lattice_volume(l) * GAUGE_REALS;
    double *near = memory_alloc(reals * sizeof *near, "links"), *all = memory_alloc(reals * sizeof *all, "links");
    int changed = 0;
    gauge_export(near, u);
    gauge_set_random(v, rng_key_for(18, 0, 0, RNG_TEST));
    gauge_export(all, v);
    for (int site = 0; site < (int)lattice_volume(l); site++) {
        const int *n = extents;
        const int x[4] = { site % n[0], site / n[0] % n[1], site / n[0] / n[1] % n[2], site / n[0] / n[1] / n[2] };
        if (is_near(box, x))
            continue;
        memcpy(near + (size_t)site * GAUGE_REALS, all + (size_t)site * GAUGE_REALS, GAUGE_REALS * sizeof *near);
        changed++;
    }
    const defect_sums before = sums_of(u, box, p), other = sums_of(v, box, p);
    gauge_import(v, near);
    const defect_sums after = sums_of(v, box, p);
    fact(changed > 0 && are_same(&before, &after), "%s: the links at %d sites that are far away do not count", name,
         changed);
    fact(!are_same(&before, &other), "%s: those that are near do", name);
    memory_free(near);
    memory_free(all);
    gauge_free(v);
}

/* ---- ranks */

typedef struct { place where; const int *grid; defect_sums of[ACTIONS][BOXES]; } rank_task;

static int sums_on_grid(void *of)
{
    rank_task *t = of;
    failure why;
    grid_want(t->grid);
    if (t->where == PLACE_GPU)
        require(device_open(comm_rank(comm_world()) % device_count(NULL), &why), "%s", why.why);
    const lattice_shape shape = grid_shape_here(extents, 2);
    lattice *l = lattice_create(&shape);
    gauge *u = gauge_create(l, t->where, PRECISION_DOUBLE);
    gauge_set_random(u, hot);
    for (int a = 0; a < ACTIONS; a++)
        for (int b = 0; b < BOXES; b++) {
            const defect_sums s = sums_of(u, &boxes[b], &actions[a]);
            if (comm_rank(comm_world()) == 0)
                t->of[a][b] = s;
        }
    gauge_free(u);
    lattice_free(l);
    return 0;
}

static void grids(const defect_sums want[ACTIONS][BOXES], place where)
{
    static const int grid[][4] = { { 1, 1, 1, 2 }, { 2, 2, 1, 1 }, { 2, 1, 2, 4 } };
    enum { GPU_RANKS = 2 };
    for (size_t g = 0; g < sizeof grid / sizeof *grid; g++) {
        const int ranks = grid[g][0] * grid[g][1] * grid[g][2] * grid[g][3];
        if (where == PLACE_GPU && ranks > GPU_RANKS * device_count(NULL))
            continue;
        rank_task t = { .where = where, .grid = grid[g] };
        comm_run_threads(ranks, sums_on_grid, &t);
        fact(memcmp(t.of, want, sizeof t.of) == 0, "%s: the same bits on a grid of %s", place_name(where),
             extents_to_text(grid[g]).s);
    }
}

int main(void)
{
    lattice *l = lattice_create_single(extents);
    defect_sums first[ACTIONS][BOXES];
    FOR_EVERY_PLACE(where) {
        gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
        gauge_set_random(u, hot);
        for (int a = 0; a < ACTIONS; a++)
            for (int b = 0; b < BOXES; b++) {
                char name[96];
                snprintf(name, sizeof name, "%s, %s, direction %d", place_name(where),
                         gauge_action_names[actions[a].action], boxes[b].direction);
                differences(u, &boxes[b], &actions[a], name);
                if (boxes[b].size < extents[0] - 2 * LOOP_REACH)
                    far_links(u, &boxes[b], &actions[a], name);
                const defect_sums s = sums_of(u, &boxes[b], &actions[a]);
                if (where == PLACE_CPU)
                    first[a][b] = s;
                else
                    fact(are_same(&s, &first[a][b]), "%s: the bits of the CPU", name);
            }
        unit_links(l, where);
        grids(first, where);
        gauge_free(u);
    }
    lattice_free(l);
    return facts_end();
}
