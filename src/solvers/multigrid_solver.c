/* multigrid_solver.c - flexible GCR in double, with a multigrid cycle in single precision as its preconditioner.
 *
 * The near-null vectors are computed on the first links of a trajectory.  When the links change later in it, P and M_c
 * are computed again from the same vectors.  A mid-trajectory checkpoint therefore stores the vectors alone. */
#include "src/solvers/multigrid_solver.h"

#include "src/base/memory.h"
#include "src/lattice/vec_mixed.h"
#include "src/operators/clover_operator.h"
#include "src/solvers/gcr.h"
#include "src/solvers/multigrid/multigrid.h"
#include "src/solvers/solver_kinds.h"

#include <assert.h>

enum { RESTART = 10 };
#define PROGRESS 0.5                       /* largest |r| after RESTART iterations, relative to |r| before them: if
                                            * more is left, other methods are faster */

/* ---- the cycle */

typedef struct {
    linear_solver base;
    lattice *l;
    place where;
    multigrid *m;                          /* NULL before its first use */
    bool usable;                           /* for the links of the last update */
    failure unusable;                      /* else why not */
    vec *in, *out;                         /* in single precision */
} cycle_solver;

static cycle_solver *cycle_of(linear_solver *s)
{
    return (cycle_solver *)s;
}

static multigrid_settings settings_of(const cycle_solver *c)
{
    return multigrid_settings_for(&c->base.plan.settings.multigrid, lattice_global(c->l));
}

static solver_needs cycle_needs(const solver_kind *kind, const solver_plan *plan)
{
    const int vectors = plan->settings.multigrid.vectors;
    (void)kind;
    return (solver_needs){ .working = { [STORED_SINGLE] = 2 }, .state = vectors > 0 ? vectors : MULTIGRID_VECTORS };
}

static memory_need cycle_lattice_bytes(const solver_kind *kind, const solver_settings *settings,
                                       const lattice_shape *shape)
{
    const multigrid_settings s = multigrid_settings_for(&settings->multigrid, shape->global);
    (void)kind;
    return (memory_need){ .lasting = multigrid_is_possible(shape, &s, NULL)
                                         ? multigrid_bytes(shape, &s) : 0 };
}

static bool cycle_is_possible(const solver_settings *settings, const dirac_plan *plan, const lattice_shape *shape,
                              failure *f)
{
    const multigrid_settings s = multigrid_settings_for(&settings->multigrid, shape->global);
    if (plan->kind == &clover_symmetric_kind)
        return fail(f, "method multigrid is for the asymmetric form of clover quarks: give them even_odd: "
                    "asymmetric, or another method");
    if (plan->kind != &clover_operator_kind)
        return fail(f, "method multigrid is for clover and twisted-mass quarks (c_sw 0: Wilson quarks), not for %s "
                    "quarks", plan->kind->name);
    failure why;
    return multigrid_is_possible(shape, &s, &why) || fail(f, "method multigrid: %s", why.why);
}

static linear_solver *create_cycle(const solver_kind *kind, const solver_plan *plan, const vec *like, linear_solver *cg)
{
    cycle_solver *c = memory_alloc(sizeof *c, "multigrid");
    (void)kind, (void)plan, (void)cg;
    c->l = like->f.lattice;
    c->where = like->f.where;
    return &c->base;
}

static void open_cycle(linear_solver *s, stored_as in, const vec *like)
{
    if (in != STORED_SINGLE)
        return;
    cycle_of(s)->in = vec_create_like(like);
    cycle_of(s)->out = vec_create_like(like);
}

static void free_cycle(linear_solver *s)
{
    cycle_solver *c = cycle_of(s);
    vec_free(c->out);
    vec_free(c->in);
    multigrid_free(c->m);
    memory_free(c);
}

static multigrid *multigrid_of(cycle_solver *c)
{
    const multigrid_settings s = settings_of(c);
    if (!c->m)
        c->m = multigrid_create(c->l, c->where, &s);
    return c->m;
}

/* Links in 16 bits are needed only where smoothing reads them. */
static multigrid_links links_of(const cycle_solver *c, const solver_operator *a)
{
    assert(a->d->kind == &clover_operator_kind);
    multigrid_links l = { .single = clover_operator_links_for(a->d, solver_storages[STORED_SINGLE], a->m) };
    if (settings_of(c).smoothed == SMOOTHED_HALF)
        l.half = clover_operator_links_for(a->d, solver_storages[STORED_HALF], a->m);
    return l;
}

static state_update update_cycle(linear_solver *s, const solver_operator *a, solver_links of)
{
    cycle_solver *c = cycle_of(s);
    if (of == LINKS_OF_REFRESH) {
        c->usable = multigrid_rebuild(multigrid_of(c), links_of(c, a), &c->unusable);
        return STATE_REBUILT;
    }
    multigrid_follow(multigrid_of(c), links_of(c, a));
    c->usable = true;
    return STATE_REFINED;
}

static vec *cycle_state(linear_solver *s, int index)
{
    cycle_solver *c = cycle_of(s);
    const multigrid_settings of = settings_of(c);
    return c->m && index < of.vectors ? multigrid_vector(c->m, index) : NULL;
}

/* The first number says whether multigrid has been created: when a checkpoint is read, multigrid_of creates it.  The
 * counts for the next report always follow, so that the length of the row is constant. */
static void cycle_row(linear_solver *s, number_row *row)
{
    cycle_solver *c = cycle_of(s);
    int64_t there = c->m != NULL;
    number_row_int64(row, &there);
    multigrid_counts none = { 0 }, *counts = there ? multigrid_counts_of(multigrid_of(c)) : &none;
    number_row_int64(row, &counts->cycles);
    number_row_int64(row, &counts->coarse_iterations);
    number_row_int64(row, &counts->matrices);
}

static void solve_cycle(linear_solver *s, const solver_operator *a, dirac_task *task, int tasks, const dirac_goal *goal)
{
    cycle_solver *c = cycle_of(s);
    (void)goal;
    for (int n = 0; n < tasks; n++) {
        vec_convert(c->in, task[n].b);
        multigrid_apply(c->m, a->dagger, c->out, c->in);
        vec_convert(task[n].x, c->out);
        task[n].solved = (dirac_solved){ .converged = true, .iterations = 1 };
    }
}

static void report_cycle(linear_solver *s, json *j)
{
    const cycle_solver *c = cycle_of(s);
    multigrid_counts counts = { 0 };
    if (c->m) {
        counts = *multigrid_counts_of(c->m);
        *multigrid_counts_of(c->m) = (multigrid_counts){ 0 };
    }
    json_int(j, "cycles", counts.cycles);
    json_int(j, "coarse_iterations", counts.coarse_iterations);
    json_int(j, "coarse_operators", counts.matrices);
}

const solver_kind multigrid_cycle = {
    .name = "multigrid cycle",
    .square = true,
    .bytes = cycle_needs,
    .lattice_bytes = cycle_lattice_bytes,
    .is_possible = cycle_is_possible,
    .create = create_cycle,
    .open = open_cycle,
    .free = free_cycle,
    .update = update_cycle,
    .state = cycle_state,
    .state_row = cycle_row,
    .solve = solve_cycle,
    .report = report_cycle,
};

/* ---- GCR */

/* fallbacks: solves since the last report that conjugate gradients continued; unusable: why the last of them had no
 * cycle; empty if it had one and did not converge. */
typedef struct { linear_solver base; gcr_space *space; int fallbacks; failure unusable; } gcr_solver;

static gcr_solver *gcr_of(linear_solver *s)
{
    return (gcr_solver *)s;
}

static solver_needs gcr_needs(const solver_kind *kind, const solver_plan *plan)
{
    (void)kind, (void)plan;
    return (solver_needs){ .kept = 1 + 2 * RESTART };
}

static linear_solver *create_gcr(const solver_kind *kind, const solver_plan *plan, const vec *like, linear_solver *cg)
{
    gcr_solver *g = memory_alloc(sizeof *g, "GCR");
    (void)kind, (void)plan, (void)cg;
    g->space = gcr_space_create(like, RESTART);
    return &g->base;
}

static void open_gcr(linear_solver *s, stored_as in, const vec *like)
{
    (void)s, (void)in, (void)like;
}

static void free_gcr(linear_solver *s)
{
    gcr_space_free(gcr_of(s)->space);
    memory_free(s);
}

static state_update update_inner(linear_solver *s, const solver_operator *a, solver_links of)
{
    return s->inner->kind->update(s->inner, a, of);
}

static vec *inner_state(linear_solver *s, int index)
{
    return s->inner->kind->state(s->inner, index);
}

static void inner_row(linear_solver *s, number_row *row)
{
    s->inner->kind->state_row(s->inner, row);
    number_row_int(row, &gcr_of(s)->fallbacks);
}

static void report_inner(linear_solver *s, json *j)
{
    gcr_solver *g = gcr_of(s);
    s->inner->kind->report(s->inner, j);
    if (g->fallbacks > 0)
        json_int(j, "fallbacks", g->fallbacks);
    g->fallbacks = 0;
    g->unusable.why[0] = '\0';
}

static void warn_of_fallbacks(linear_solver *s, text *lines)
{
    const gcr_solver *g = gcr_of(s);
    if (g->fallbacks == 0)
        return;
    text_add(lines, "conjugate gradients took the place of multigrid %s", count_to_text(g->fallbacks, "time").s);
    if (g->unusable.why[0])
        text_add(lines, ": %s; use method: cg or bicgstab\n", g->unusable.why);
    else
        text_add(lines, "; use method: cg or bicgstab, or raise multigrid.vectors\n");
}

typedef struct { linear_solver *s; const solver_operator *a; } precondition_by;

static void precondition(void *of, vec *out, const vec *in)
{
    const precondition_by *by = of;
    linear_solver_precondition(by->s, by->a, out, in);
}

/* False with the reason if there is no cycle for this matrix. */
static bool is_usable(cycle_solver *c, const solver_operator *a, failure *why)
{
    return c->usable ? multigrid_use(c->m, links_of(c, a), why) : fail(why, "%s", c->unusable.why);
}

static void solve_gcr(linear_solver *s, const solver_operator *a, dirac_task *task, int tasks, const dirac_goal *goal)
{
    precondition_by by = { s, a };
    const preconditioner k = { precondition, &by };
    const gcr_request request = { .residual = goal->residual, .max_iterations = goal->max_iterations,
                                  .restart = RESTART, .progress = PROGRESS, .k = &k };
    const bool usable = is_usable(cycle_of(s->inner), a, &gcr_of(s)->unusable);
    for (int n = 0; n < tasks; n++) {
        dirac_solved *solved = &task[n].solved;
        *solved = (dirac_solved){ .fallback = FAILED_RESIDUAL };
        if (!usable) {
            gcr_of(s)->fallbacks++;
            continue;
        }
        const gcr_result r = gcr_solve(gcr_of(s)->space, task[n].x, a->in[STORED_DOUBLE], task[n].b, &request);
        *solved = (dirac_solved){ .converged = r.converged, .iterations = r.iterations, .residual = r.residual,
                                  .spent = !r.converged && r.iterations >= goal->max_iterations };
        if (!r.converged) {
            solved->fallback = FAILED_RESIDUAL;
            solved->fallback_at = r.iterations;
            gcr_of(s)->fallbacks++;
        }
    }
}

static const solver_preconditioner one_cycle = { &multigrid_cycle, SOLVER_DOUBLE_SINGLE_HALF, { 0, 1 } };

const solver_kind multigrid_solver = {
    .name = "multigrid",
    .square = true,
    .preconditioner = &one_cycle,
    .bytes = gcr_needs,
    .create = create_gcr,
    .open = open_gcr,
    .free = free_gcr,
    .update = update_inner,
    .state = inner_state,
    .state_row = inner_row,
    .solve = solve_gcr,
    .report = report_inner,
    .warn = warn_of_fallbacks,
};
