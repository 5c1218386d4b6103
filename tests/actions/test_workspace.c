/* test_workspace.c - memory that users have in turns: positions and sizes; and monomials, whose results do not depend
 * on what others leave there. */
#include "actions/dwf_params.h"
#include "actions/staggered_quarks.h"
#include "actions/wilson_params.h"
#include "gpu/device.h"
#include "src/lattice/place_memory.h"
#include "tests/actions/quark_fields.h"
#include "tests/analytic_field.h"
#include "tests/facts.h"
#include "tests/on_every_backend.h"

#include <stdio.h>
#include <string.h>

static const int extents[4] = { 6, 4, 6, 2 };        /* sites of a parity do not fill the last tile */

static void positions(place where)
{
    lattice *l = lattice_create_single(extents);
    workspace *w = lattice_workspace(l, where);
    lattice_on(l, where);
    const size_t before = place_bytes_now(where), one = vec_bytes(lattice_shape_of(l), PRECISION_DOUBLE, ON_EVEN);
    workspace_join(w, 2 * one);
    workspace_join(w, 5 * one);
    fact(place_bytes_now(where) == before + 2 * one, "%s: a workspace is as large as its first user needs",
         place_name(where));
    vec *own = vec_create(l, ON_EVEN, where, PRECISION_DOUBLE);
    const bool was = workspace_begin(w);
    vec *first = vec_create(l, ON_EVEN, where, PRECISION_DOUBLE), *second = vec_create(l, ON_ODD, where,
                                                                                       PRECISION_DOUBLE);
    const size_t taken = place_bytes_now(where);
    vec *third = vec_create(l, ON_EVEN, where, PRECISION_DOUBLE);
    fact(taken == before + 3 * one && place_bytes_now(where) == taken + one,
         "fields of a turn lie there, and the one that does not fit in its own memory, as does one before the turn");
    workspace_move(w, one);
    vec *again = vec_create(l, ON_ODD, where, PRECISION_DOUBLE);
    workspace_end(w, was);
    vec *later = vec_create(l, ON_EVEN, where, PRECISION_DOUBLE);
    fact(first->f.data != second->f.data && again->f.data == second->f.data && later->f.data != again->f.data,
         "two fields do not overlap, unless the second one is created where the first was");
    vec *all[] = { own, first, second, third, again, later };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        vec_free(all[i]);
    workspace_leave(w);
    fact(place_bytes_now(where) == before + 2 * one, "it stays while there is a user");
    workspace_leave(w);
    fact(place_bytes_now(where) == before, "and the last one takes it away");
    lattice_free(l);
}

/* NaN in every format: what another user might leave. */
static void overwrite(lattice *l, place where)
{
    const workspace *w = lattice_workspace(l, where);
    char *bits = memory_alloc(w->bytes + 1, "numbers of another user");
    memset(bits, 0xff, w->bytes);
    if (where == PLACE_GPU)
        device_copy_to(w->memory, bits, w->bytes);
    else
        memcpy(w->memory, bits, w->bytes);
    memory_free(bits);
}

/* Two trajectories' worth of calls. */
enum { ROUNDS = 2, FORCES = 3 };
typedef struct { double action[2 * ROUNDS], norm2[FORCES * ROUNDS]; } numbers;

static numbers numbers_of(const monomial_kind *kind, const char *yaml, gauge *u, bool disturbed)
{
    lattice *l = u->links.lattice;
    const place where = u->links.where;
    numbers all;
    memset(&all, 0, sizeof all);
    momentum *force = momentum_create(l, where, PRECISION_DOUBLE);
    sum_array size = monomial_size_create(u);
    monomial *m = quarks_made(kind, yaml, u);
    monomial_call call = { .clock = NULL };
    bool done = true;
    for (int round = 0; done && round < ROUNDS; round++) {
        const rng_key key = rng_key_for(62, 0, (uint64_t)round + 1, RNG_PSEUDOFERMION);
        for (int step = 0; done && step < 4 + FORCES; step++) {
            if (disturbed)
                overwrite(l, where);
            if (step == 0)
                done = monomial_prepare(m, u, round + 1, &call);
            else if (step == 1)
                done = monomial_refresh(m, u, key, &call);
            else if (step < 4)
                done = monomial_action(&all.action[2 * round + step - 2], m, u, &call);
            else {
                gauge_forget_derived(u);
                momentum_zero(force);
                done = monomial_add_force(m, u, force, 1, size.cells, &call);
                all.norm2[FORCES * round + step - 4] = momentum_measure(force).sum_norm2;
            }
        }
    }
    require(done, "%s", call.failure.why);
    monomial_free(m);
    sums_free(&size);
    momentum_free(force);
    return all;
}

#define TIGHT "residuals: { refresh: 1e-8, action: 1e-8, force: 1e-8 }\n"
static const struct { const monomial_kind *kind; const char *what, *yaml; } inputs[] = {
    { &dwf_monomial, "two flavors and the exact flavor",
      "action: mobius\nLs: 4\nsolver: double-single-half\n" TIGHT
      "determinants: [ { flavors: 2, mass: 0.3, chronological: 2, hasenbusch: [ { mass: 0.6 } ] }, "
      "{ flavors: 1, mass: 0.5, method: exact } ]" },
    { &dwf_monomial, "one flavor by RHMC", "Ls: 4\nsolver: double-int30-int20\n" TIGHT
      "determinants: [ { flavors: 1, mass: 0.5 } ]" },
    { &dwf_monomial, "two flavors in double", "Ls: 4\nsolver: double\n" TIGHT
      "determinants: [ { flavors: 2, mass: 0.3 }, { flavors: 1, mass: 0.5, method: exact } ]" },
    { &wilson_monomial, "Wilson quarks in 16 bits", "solver: double-half\n" TIGHT
      "determinants: [ { flavors: 2, mass: 0.5, heavy: 1 } ]" },
    { &staggered_monomial, "HISQ quarks", "action: hisq\nsolver: double-single-half\n" TIGHT
      "determinants: [ { quarks: [ { mass: 0.2, flavors: 2 } ], hasenbusch: [ { mass: 0.6, fields: 2 } ] }, "
      "{ quarks: [ { mass: 0.7, flavors: 1 } ], naik_epsilon: auto } ]" },
    { &staggered_monomial, "HISQ quarks in double", "action: hisq\nsolver: double\n" TIGHT
      "determinants: [ { quarks: [ { mass: 0.2, flavors: 2 } ], hasenbusch: [ { mass: 0.6 } ] } ]" },
};

static void turns(place where)
{
    lattice *l = lattice_create_single(extents);
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
    double *links = analytic_links(extents, 0.5);
    gauge_import(u, links);
    memory_free(links);
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++) {
        const numbers alone = numbers_of(inputs[i].kind, inputs[i].yaml, u, false),
                      among_others = numbers_of(inputs[i].kind, inputs[i].yaml, u, true);
        fact(memcmp(&alone, &among_others, sizeof alone) == 0, "%s, %s: prepare, refresh, action and force have the "
             "same bits whatever lay in the workspace before", place_name(where), inputs[i].what);
    }
    gauge_free(u);
    lattice_free(l);
}

/* What is planned is all: trajectories take no more memory, however many solutions start the solves of forces. */
static void no_more_memory(place where)
{
    lattice *l = lattice_create_single(extents);
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
    double *links = analytic_links(extents, 0.5);
    gauge_import(u, links);
    memory_free(links);
    lattice_on(l, where);                               /* as hmc_create does */
    lattice_sum_scratch(l, where);
    for (int kept = 1; kept <= 7; kept += 3) {
        char yaml[128];
        snprintf(yaml, sizeof yaml, "determinants: [ { flavors: 2, mass: 0.5, chronological: %d } ]", kept);
        momentum *force = momentum_create(l, where, PRECISION_DOUBLE);
        sum_array size = monomial_size_create(u);
        monomial *m = quarks_made(&wilson_monomial, yaml, u);
        const size_t before = place_bytes_now(where);
        monomial_call call = { .clock = NULL };
        bool done = monomial_prepare(m, u, 1, &call) && monomial_refresh(m, u, key_of_fields(), &call);
        for (int n = 0; done && n < 8; n++) {
            gauge_forget_derived(u);
            done = monomial_add_force(m, u, force, 1, size.cells, &call);
        }
        require(done, "%s", call.failure.why);
        const size_t after = place_bytes_now(where);
        fact(after == before, "%s: with %d solutions kept, forces take %zu bytes beyond the plan", place_name(where),
             kept, after - before);
        monomial_free(m);
        sums_free(&size);
        momentum_free(force);
    }
    gauge_free(u);
    lattice_free(l);
}

int main(void)
{
    FOR_EVERY_PLACE(where) {
        positions(where);
        turns(where);
        no_more_memory(where);
    }
    return facts_end();
}
