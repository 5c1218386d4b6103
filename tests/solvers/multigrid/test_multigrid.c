/* test_multigrid.c - solves with multigrid: solutions, iterations against the mass, new links, and the same bits on any
 * grid. */
#include "actions/multigrid_params.h"
#include "src/base/checksum.h"
#include "src/base/memory.h"
#include "src/comm/comm.h"
#include "src/lattice/rng.h"
#include "src/lattice/vec_mixed.h"
#include "src/solvers/multigrid/multigrid.h"
#include "tests/facts.h"
#include "tests/lattice/vec_sums.h"
#include "tests/on_every_backend.h"
#include "tests/solvers/multigrid/coarse_system.h"

#include <math.h>
#include <string.h>

enum { RESTART = 10, MOST = 2000, RANKS_MOST = 4 };
#define RESIDUAL 1e-10
#define COARSE_MOST 1.5                    /* of GCR with its polynomial */

static const int extents[4] = { 4, 4, 8, 8 };

typedef struct {
    coarse_system s;                       /* with links in single precision for multigrid */
    multigrid *m;
    vec *b, *x, *even;
    gcr_space *space;
} workplace;

/* Near-null vectors, and steps of smoothing before and after the coarse solve. */
typedef struct { int vectors, before, after; smoothed_in in; } cycle_form;

typedef struct { place where; const int *grid; coarse_quarks quarks; double mass; cycle_form form; bool open; }
    request;

static const cycle_form few_vectors = { 12, MULTIGRID_PRE_SMOOTH, MULTIGRID_POST_SMOOTH, SMOOTHED_SINGLE };

static cycle_form few_smoothed_in(smoothed_in in)
{
    cycle_form f = few_vectors;
    f.in = in;
    return f;
}

static multigrid_settings settings_of(const cycle_form *f)
{
    multigrid_settings s = multigrid_defaults();
    s.vectors = f->vectors;
    s.pre_smooth = f->before;
    s.post_smooth = f->after;
    s.smoothed = f->in;
    for (int mu = 0; mu < 4; mu++)
        s.block[mu] = 2;                               /* fits the grids below */
    return s;
}

static void begin(workplace *w, const request *r)
{
    const multigrid_settings s = settings_of(&r->form);
    coarse_system_create(&w->s, &(coarse_request){ .where = r->where, .extents = extents, .grid = r->grid,
                                                   .quarks = r->quarks, .p = PRECISION_SINGLE, .mass = r->mass,
                                                   .width = 0.5, .open = r->open });
    w->m = multigrid_create(w->s.l, r->where, &s);
    w->b = coarse_system_vec(&w->s, ON_ODD, PRECISION_DOUBLE);
    w->x = coarse_system_vec(&w->s, ON_ODD, PRECISION_DOUBLE);
    w->even = coarse_system_vec(&w->s, ON_EVEN, PRECISION_DOUBLE);
    w->space = gcr_space_create(w->b, RESTART);
    vec_set_gaussian(w->b, rng_key_for(8, 0, 0, RNG_TEST), 0);
}

static multigrid_links links_of(const workplace *w)
{
    return (multigrid_links){ w->s.links, w->s.half };
}

static void end(workplace *w)
{
    gcr_space_free(w->space);
    vec_free(w->even);
    vec_free(w->x);
    vec_free(w->b);
    multigrid_free(w->m);
    coarse_system_free(&w->s);
}

/* ---- solves */

typedef struct { multigrid *m; bool dagger; vec *in, *out; } cycle;

static void apply_cycle(void *of, vec *out, const vec *in)
{
    cycle *c = of;
    vec_convert(c->in, in);
    multigrid_apply(c->m, c->dagger, c->out, c->in);
    vec_convert(out, c->out);
}

static gcr_result solve(workplace *w, bool dagger, bool by_multigrid)
{
    cycle c = { w->m, dagger, coarse_system_vec(&w->s, ON_ODD, PRECISION_SINGLE),
                coarse_system_vec(&w->s, ON_ODD, PRECISION_SINGLE) };
    const preconditioner k = { apply_cycle, &c };
    const clover_op mhat = clover_mhat_operator(w->s.exact, dagger, &w->even, 1);
    const gcr_request how = { .residual = RESIDUAL, .max_iterations = MOST, .restart = RESTART,
                              .k = by_multigrid ? &k : NULL };
    vec_zero(w->x);
    const gcr_result r = gcr_solve(w->space, w->x, &mhat.base, w->b, &how);
    vec_free(c.in);
    vec_free(c.out);
    return r;
}

/* |b - Mhat x| / |b|, or with Mhat^+ */
static double residual_of(workplace *w, bool dagger)
{
    vec *r = vec_create_like(w->b);
    clover_mhat(r, w->s.exact, dagger, w->x, w->even);
    vec_axpy(r, -1, w->b);
    const double residual = sqrt(vec_norm2(r) / vec_norm2(w->b));
    vec_free(r);
    return residual;
}

static void solutions(place where, coarse_quarks quarks, cycle_form f, bool open)
{
    workplace w;
    failure why;
    begin(&w, &(request){ .where = where, .quarks = quarks, .mass = -0.5, .form = f, .open = open });
    fact(multigrid_rebuild(w.m, links_of(&w), &why), "%s, %s, %s, %d vectors, smoothing %d + %d in %s: the set-up",
         place_name(where), coarse_quarks_names[quarks], open ? "open" : "periodic", f.vectors, f.before, f.after,
         smoothed_names[f.in]);
    for (int dagger = 0; dagger < 2; dagger++) {
        const multigrid_counts before = *multigrid_counts_of(w.m);
        const gcr_result plain = solve(&w, dagger, false), r = solve(&w, dagger, true);
        const multigrid_counts *after = multigrid_counts_of(w.m);
        const double each = (double)(after->coarse_iterations - before.coarse_iterations)
                            / (double)(after->cycles - before.cycles);
        fact(r.converged && residual_of(&w, dagger) <= 1.01 * RESIDUAL, "%s solves a system with %s",
             "GCR with multigrid", dagger ? "Mhat^+" : "Mhat");
        fact(3 * r.iterations < plain.iterations, "in %d iterations, GCR alone in %d", r.iterations, plain.iterations);
        fact(each < COARSE_MOST, "with %.1f coarse iterations in a cycle, at most %.1f", each, COARSE_MOST);
    }
    end(&w);
}

/* Numbers of vectors that are odd and even multiples of MG_VECTORS_STEP, and smoothing before the coarse solve. */
static void other_forms(place where)
{
    static const cycle_form forms[] = {
        { 6, 0, 16, SMOOTHED_SINGLE }, { 18, 0, 16, SMOOTHED_SINGLE }, { 18, 0, 16, SMOOTHED_HALF },
        { 12, 2, 16, SMOOTHED_SINGLE }, { 12, 2, 16, SMOOTHED_HALF }, { 12, 2, 0, SMOOTHED_SINGLE },
        { 12, 2, 0, SMOOTHED_HALF },
    };
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        solutions(where, QUARKS_CLOVER, forms[i], false);
}

/* Towards the critical mass of links that are random, and not smooth. */
static void iterations_against_mass(place where)
{
    static const double mass[] = { -0.4, -0.9, -1.0 };
    int plain[3], with[3];
    for (int i = 0; i < 3; i++) {
        workplace w;
        failure why;
        begin(&w, &(request){ .where = where, .quarks = QUARKS_WILSON, .mass = mass[i], .form = few_vectors });
        require(multigrid_rebuild(w.m, links_of(&w), &why), "%s", why.why);
        plain[i] = solve(&w, false, false).iterations;
        with[i] = solve(&w, false, true).iterations;
        note("mass %g: %d iterations of GCR alone, %d with multigrid", mass[i], plain[i], with[i]);
        end(&w);
    }
    fact(plain[2] > 2 * plain[0] && 4 * with[2] < plain[2], "%s: near the critical mass GCR alone needs %d iterations, "
         "and %d with multigrid", place_name(where), plain[2], with[2]);
}

/* Links after a step of molecular dynamics: the same vectors make P and M_c for them. */
static void new_links(place where)
{
    workplace w, other;
    failure why;
    const request r = { .where = where, .quarks = QUARKS_CLOVER, .mass = -0.5, .form = few_vectors };
    begin(&w, &r);
    begin(&other, &r);
    require(multigrid_rebuild(w.m, links_of(&w), &why), "%s", why.why);
    double *numbers = memory_alloc(vec_count(w.x) * sizeof *numbers, "a vector");
    for (int v = 0; v < few_vectors.vectors; v++) {
        vec_export(numbers, multigrid_vector(w.m, v));
        vec_import(multigrid_vector(other.m, v), numbers);
    }
    multigrid_follow(w.m, links_of(&w));
    multigrid_follow(other.m, links_of(&other));
    require(multigrid_use(w.m, links_of(&w), &why) && multigrid_use(other.m, links_of(&other), &why), "%s",
            why.why);
    const gcr_result a = solve(&w, false, true), b = solve(&other, false, true);
    vec_export(numbers, w.x);
    vec_import(w.b, numbers);
    vec_export(numbers, other.x);
    vec_import(w.x, numbers);
    memory_free(numbers);
    vec_axpy(w.x, -1, w.b);
    fact(a.converged && a.iterations == b.iterations && vec_norm2(w.b) > 0 && vec_norm2(w.x) == 0,
         "%s: another object with its vectors has the same bits", place_name(where));
    end(&other);
    end(&w);
}

/* The square of the mass overflows in single precision. */
static void refused_matrix(place where)
{
    workplace w;
    failure why = { 0 }, again = { 0 };
    const request r = { .where = where, .quarks = QUARKS_WILSON, .mass = 1e20, .form = few_vectors };
    begin(&w, &r);
    const bool made = multigrid_rebuild(w.m, links_of(&w), &why);
    const int64_t tries = multigrid_counts_of(w.m)->matrices;
    fact(!made && why.why[0], "%s: a matrix without M_c is refused: %s", place_name(where), why.why);
    fact(!multigrid_use(w.m, links_of(&w), &again) && strcmp(again.why, why.why) == 0
             && multigrid_counts_of(w.m)->matrices == tries,
         "%s: with the same reason the next time, and not tried again", place_name(where));
    end(&w);
}

/* ---- the same bits */

typedef struct { request r; uint64_t of[RANKS_MOST]; } rank_task;

static int digest_solution(void *of)
{
    rank_task *t = of;
    workplace w;
    failure why;
    begin(&w, &t->r);
    require(multigrid_rebuild(w.m, links_of(&w), &why), "%s", why.why);
    solve(&w, false, true);
    t->of[comm_rank(comm_world())] = vec_digest(DIGEST64_START, w.x);
    end(&w);
    return 0;
}

static void same_on_grids(place where, smoothed_in smoothed, bool open)
{
    static const int grids[][4] = { { 1, 1, 1, 2 }, { 1, 1, 2, 1 }, { 1, 1, 2, 2 } };
    rank_task single = { .r = { .where = where, .quarks = QUARKS_CLOVER, .mass = -0.5,
                                .form = few_smoothed_in(smoothed), .open = open } };
    digest_solution(&single);
    for (size_t g = 0; g < sizeof grids / sizeof *grids; g++) {
        rank_task t = single;
        const int ranks = grids[g][2] * grids[g][3];
        int different = 0;
        t.r.grid = grids[g];
        comm_run_threads(ranks, digest_solution, &t);
        for (int r = 0; r < ranks; r++)
            different += t.of[r] != single.of[0];
        fact(different == 0, "%s, %s, smoothing in %s: the same bits on %dx%d ranks", place_name(where),
             open ? "open" : "periodic", smoothed_names[smoothed], grids[g][2], grids[g][3]);
    }
}

int main(void)
{
    FOR_EVERY_PLACE(where) {
        for (coarse_quarks quarks = 0; quarks < QUARKS; quarks++)
            for (smoothed_in in = SMOOTHED_SINGLE; in <= SMOOTHED_HALF; in++)
                for (int open = 0; open < 2; open++)
                    solutions(where, quarks, few_smoothed_in(in), open);
        other_forms(where);
        iterations_against_mass(where);
        new_links(where);
        refused_matrix(where);
        if (where == PLACE_CPU)
            for (smoothed_in in = SMOOTHED_SINGLE; in <= SMOOTHED_HALF; in++)
                for (int open = 0; open < 2; open++)
                    same_on_grids(where, in, open);
    }
    return facts_end();
}
