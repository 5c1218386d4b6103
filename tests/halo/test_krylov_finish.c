/* test_krylov_finish.c - the scalars of an iteration are the same, whoever finishes them: the kernel that sums, the
 * last of several launches of a sum, or a launch of its own; and sums of an iteration carry. */
#include "src/lattice/rng.h"
#include "src/lattice/vec_mixed.h"
#include "tests/facts.h"
#include "tests/halo/batch_state.h"
#include "tests/on_every_backend.h"

#include <string.h>

MAP_KERNEL_FORMATS(vector_batch_residual);
MAP_KERNEL_FORMATS(vector_batch_curvature);

static const int extents[4] = { 4, 6, 2, 6 };
enum { SYSTEMS = 2, SLABS = 8, SITES = 4 * 6 * 2 * 6 / 2 };
#define GUESS 12000.0                    /* of |r|^2 */

/* Spinors of two systems where sums are made. */
typedef struct {
    place where;
    const batch_kind *kind;
    lattice *l;
    krylov_state *at;
    vec *r[SYSTEMS], *from[SYSTEMS], *q[SYSTEMS];
} workplace;

/* The sum to be made, by launches that have so many sites of each slab. */
typedef struct { krylov_sum sum; int launches, sites[3]; bool alone, full_cells; } way;

static vec *spinors(const workplace *w, unsigned number)
{
    const batch_kind *k = w->kind;
    vec *v = k->format == VECTOR_NATIVE ? vec_create_slabs(w->l, ON_ODD, w->where, k->precision, SLABS)
                                        : vec_create_slabs_format(w->l, ON_ODD, w->where, k->format, SLABS);
    vec_set_gaussian(v, rng_key_for(95, 0, number, RNG_TEST), 0);
    return v;
}

static workplace begin(place where, const batch_kind *kind)
{
    krylov_state state;
    workplace w = { .where = where, .kind = kind, .l = lattice_create_single(extents) };
    batch_state_begin(&state, SYSTEMS);
    w.at = batch_state_create(where, &state);
    for (int n = 0; n < SYSTEMS; n++) {
        w.r[n] = spinors(&w, 3 * (unsigned)n);
        w.from[n] = spinors(&w, 3 * (unsigned)n + 1);
        w.q[n] = spinors(&w, 3 * (unsigned)n + 2);
    }
    return w;
}

static void end(workplace *w)
{
    for (int n = 0; n < SYSTEMS; n++) {
        vec_free(w->r[n]);
        vec_free(w->from[n]);
        vec_free(w->q[n]);
    }
    batch_state_free(w->at, w->where);
    lattice_free(w->l);
}

/* Nothing, in a middle word that holds no more than 2^43. */
static sum_cell full_cell(void)
{
    const long long most = INT64_MAX - (1LL << 43) + 1;
    return (sum_cell){ { -(most >> SUM_WIDTH), most, 0 }, 0 };
}

/* One launch of a sum. */
static void launch(const workplace *w, const krylov_batch *b, krylov_sum sum, site_range range)
{
    loop *body = loop_create(w->where);
    const vec *v = w->r[0];
    batch_residual_args residual = { .b = *b };
    batch_curvature_args curvature = { .b = *b };
    for (int n = 0; n < b->count; n++) {
        residual.r[n] = vec_view(w->r[n]);
        residual.from[n] = curvature.p[n] = vec_view(w->from[n]);
        residual.q[n] = curvature.q[n] = curvature.c[n] = vec_view(w->q[n]);
    }
    if (sum == KRYLOV_RESIDUAL)
        loop_add(body, &vector_batch_residual[v->format], v->f.precision, &residual, sizeof residual, range);
    else
        loop_add(body, &vector_batch_curvature[v->format], v->f.precision, &curvature, sizeof curvature, range);
    loop_run_once(body);
    loop_free(body);
}

static void reduce(const workplace *w, const krylov_batch *b, krylov_sum sum)
{
    loop *body = loop_create(w->where);
    loop_add_reduction(body, sum, b, comm_alone());
    loop_run_once(body);
    loop_free(body);
}

/* The state after a sum is made; *early: something was finished before its time. */
static krylov_state state_after(const workplace *w, const way *how, bool *early)
{
    krylov_state state;
    krylov_batch b = batch_of(w->at, 0, SYSTEMS, true);
    site_range part = vec_sites(w->r[0]);
    batch_state_begin(&state, SYSTEMS);
    for (int n = 0; n < SYSTEMS; n++) {
        krylov_system *s = &state.system[n];
        s->rr = 12000 + n;
        s->alpha = 0.3 - 0.11 * n;
        s->shift = 0.25 * n;
        s->shifts = 1 + n;
        s->most = 100;
        s->stepped = how->sum == KRYLOV_RESIDUAL;
        s->norm_per_bound = s->curvature_per_bound = SUM_WORD / sum_bound_guessed(GUESS);
        for (int k = 0; k < s->shifts; k++) {
            s->other[k].distance = 1 + k;
            s->other[k].rho = s->other[k].zeta = 1;
            s->other[k].frozen_at = -1;
        }
        for (int j = 0; how->full_cells && j < (how->sum == KRYLOV_RESIDUAL ? 2 : 1); j++)
            state.cell[n][j] = full_cell();
    }
    const krylov_system before = state.system[0];
    batch_state_put(w->at, w->where, &state);
    b.sum_launches = how->alone ? 0 : how->launches;
    for (int i = 0; i < how->launches; i++) {
        part.sites = how->sites[i];
        launch(w, &b, how->sum, part);
        part.first += part.sites;
        batch_state_get(&state, w->at, w->where);
        if (how->alone || i + 1 < how->launches)
            *early |= memcmp(&state.system[0], &before, sizeof before) != 0;
    }
    if (how->alone)
        reduce(w, &b, how->sum);
    batch_state_get(&state, w->at, w->where);
    return state;
}

static void ways(place where, const batch_kind *kind, krylov_sum sum)
{
    static const struct { const char *name; way how; } others[] = {
        { "two launches", { .launches = 2, .sites = { 64, SITES - 64 } } },
        { "three launches", { .launches = 3, .sites = { 32, 32, SITES - 64 } } },
        { "a launch of its own", { .launches = 1, .sites = { SITES }, .alone = true } },
        { "two launches and one of its own", { .launches = 2, .sites = { 128, SITES - 128 }, .alone = true } },
        { "cells that were all but full", { .launches = 1, .sites = { SITES }, .full_cells = true } },
    };
    const char *what = sum == KRYLOV_RESIDUAL ? "residual" : "curvature";
    workplace w = begin(where, kind);
    bool never = false;
    const krylov_state want = state_after(&w, &(way){ .sum = sum, .launches = 1, .sites = { SITES } }, &never);
    const krylov_system *s = want.system;
    fact(sum == KRYLOV_RESIDUAL ? s->steps == 1 && s->rr != 12000 : s->stepped && s->alpha != 0.3,
         "%s, %s: a %s", place_name(where), kind->name, what);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        bool early = false;
        way how = others[i].how;
        how.sum = sum;
        const krylov_state got = state_after(&w, &how, &early);
        fact(!early && memcmp(&got, &want, sizeof got) == 0, "%s, %s: a %s, the same bits from %s", place_name(where),
             kind->name, what, others[i].name);
    }
    end(&w);
}

/* A batch that has stopped: no step, whoever says so. */
static void stopped(place where)
{
    for (int alone = 0; alone < 2; alone++) {
        workplace w = begin(where, &batch_kinds[0]);
        krylov_state state;
        krylov_batch b = batch_of(w.at, 0, SYSTEMS, true);
        batch_state_begin(&state, SYSTEMS);
        state.going = 0;
        batch_state_put(w.at, where, &state);
        b.sum_launches = !alone;
        launch(&w, &b, KRYLOV_CURVATURE, vec_sites(w.r[0]));
        if (alone)
            reduce(&w, &b, KRYLOV_CURVATURE);
        batch_state_get(&state, w.at, where);
        fact(!state.system[0].stepped && !state.system[1].stepped && state.ticket == 0,
             "%s: a batch that has stopped makes no step%s", place_name(where),
             alone ? ", finished by a launch of its own" : "");
        end(&w);
    }
}

int main(void)
{
    FOR_EVERY_PLACE(where) {
        for (int k = 0; k < BATCH_KINDS; k++) {
            ways(where, &batch_kinds[k], KRYLOV_CURVATURE);
            ways(where, &batch_kinds[k], KRYLOV_RESIDUAL);
        }
        stopped(where);
    }
    return facts_end();
}
