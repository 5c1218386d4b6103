/* test_solver_kinds.c - the table of methods: a kind that is not in it, with a preconditioner and with state, solves
 * what its rows solve, through the same functions of dirac_solver.h. */
#include "src/base/memory.h"
#include "src/gauge/momentum.h"
#include "src/lattice/rng.h"
#include "src/lattice/vec_mixed.h"
#include "tests/facts.h"
#include "tests/lattice/vec_sums.h"
#include "tests/on_every_backend.h"
#include "tests/solvers/gcr_solver.h"
#include "tests/solvers/square_facts.h"

#include <string.h>

enum { ALWAYS = 20000 };
#define RESIDUAL 1e-10

static const dirac_goal goal = { .precision = SOLVER_DOUBLE_SINGLE, .residual = RESIDUAL, .max_iterations = ALWAYS };

static dirac_solver_spec spec_of(const solver_kind *kind)
{
    dirac_solver_spec spec = dirac_solver_spec_of(SOLVER_DOUBLE_SINGLE, 1);
    spec.kind = kind;
    return spec;
}

static square_request request_of(place where, square_kind of, const solver_kind *kind)
{
    return (square_request){ .where = where, .kind = of, .spec = spec_of(kind) };
}

static void create(square_system *s, place where, square_kind of, const solver_kind *kind)
{
    const square_request r = request_of(where, of, kind);
    square_create(s, &r);
}

static void names(void)
{
    bool same = true;
    for (int i = 0; i < SOLVER_KINDS; i++)
        same &= strcmp(solver_kinds[i]->name, solver_kind_names[i]) == 0;
    fact(same && !solver_kind_names[SOLVER_KINDS], "the names of the input are those of the rows");
}

/* |b - C^+C x| / |b| */
static double normal_residual(square_system *s, const vec *x, const vec *b)
{
    vec *image = vec_create_like(x), *r = vec_create_like(x);
    dirac_solver_apply(image, s->w, s->m, false, x);
    dirac_solver_apply(r, s->w, s->m, true, image);
    const double residual = square_distance(r, b);
    vec_free(r);
    vec_free(image);
    return residual;
}

/* Systems with C^+C, C and C^+, by a kind. */
static void every_system(place where, square_kind of, const solver_kind *kind)
{
    square_system s;
    failure why = { .why = "" };
    create(&s, where, of, kind);
    if (!linear_solver_is_possible(kind, &(solver_settings){ 0 }, &s.plan, lattice_shape_of(s.l), &why)) {
        fact(strstr(why.why, kind->name) != NULL, "%s, %s: %s says why it is not possible", place_name(where),
             square_names[of], kind->name);
        square_free(&s);
        return;
    }
    const dirac_solved normal = dirac_solve(s.w, s.m, s.x, s.b, &goal);
    fact(normal.converged && !normal.fallback && normal_residual(&s, s.x, s.b) <= 1.01 * RESIDUAL,
         "%s, %s: %s solves a system with C^+C", place_name(where), square_names[of], kind->name);
    for (int dagger = 0; dagger < 2; dagger++) {
        vec_zero(s.x);
        const dirac_solved one = dirac_solve_square(s.w, s.m, dagger, (dirac_task){ .x = s.x, .b = s.b }, &goal);
        fact(one.converged && square_residual(&s, dagger, s.x, s.b) <= 1.01 * RESIDUAL, "and one with %s",
             dagger ? "C^+" : "C");
    }
    vec *middle = vec_create_like(s.x);
    const dirac_solved one = dirac_solve_dagger(s.w, s.m, s.x, s.b, middle, &goal);
    fact(one.converged && square_residual(&s, true, s.x, s.b) <= 100 * RESIDUAL, "and finds (C^+)^-1 b");
    vec_free(middle);
    square_free(&s);
}

/* Vectors are in the workspace, as far as its estimate goes; those of the state are not. */
static void memory(place where)
{
    square_system s;
    create(&s, where, SQUARE_WILSON, &gcr_solver);
    const memory_need need = dirac_solver_bytes(&s.plan, lattice_shape_of(s.l), spec_of(&gcr_solver));
    const memory_need cg = dirac_solver_bytes(&s.plan, lattice_shape_of(s.l), spec_of(&cg_solver));
    const size_t vector = dirac_vec_bytes(&s.plan, lattice_shape_of(s.l), solver_storages[STORED_DOUBLE]);
    const size_t states = dirac_solver_state_bytes(&s.plan, lattice_shape_of(s.l), spec_of(&gcr_solver));
    fact(need.shared <= s.w->memory->bytes && need.shared > cg.shared && need.lasting == cg.lasting + states,
         "%s: the memory of a kind, its preconditioner and its state is counted", place_name(where));
    dirac_solve(s.w, s.m, s.x, s.b, &goal);
    const vec *mode = dirac_solver_state(s.w, 0);
    fact(mode && !workspace_owns(s.w->memory, mode->f.data) && vector * GCR_MODES <= states,
         "and the state lasts, outside the workspace");
    fact(dirac_solver_state(s.w, GCR_MODES - 1) && !dirac_solver_state(s.w, GCR_MODES), "with all its vectors");
    square_free(&s);
}

static void failure_is_mended(place where)
{
    square_system s;
    create(&s, where, SQUARE_WILSON, &hasty_gcr_solver);
    const dirac_solved solved = dirac_solve(s.w, s.m, s.x, s.b, &goal);
    fact(solved.converged && solved.fallback == FAILED_RESIDUAL && solved.fallback_at > 0
             && solved.iterations > solved.fallback_at && normal_residual(&s, s.x, s.b) <= 1.01 * RESIDUAL,
         "%s: conjugate gradients continue where a method has failed", place_name(where));
    square_free(&s);
}

static void separate_solves(place where)
{
    const square_request r = request_of(where, SQUARE_WILSON, &gcr_solver);
    separate_solves_facts(&r, &goal, NULL);
}

/* ---- state */

/* The links move along a momentum. */
static void move_links(square_system *s, double dt)
{
    failure why;
    momentum *p = momentum_create(s->l, s->u->links.where, PRECISION_DOUBLE);
    momentum_set_gaussian(p, rng_key_for(5, 0, 0, RNG_TEST));
    gauge_drift(s->u, dt, p);
    momentum_free(p);
    require(dirac_update(s->d, s->u, &why), "%s", why.why);
}

/* Solves from zero after links for `of`. */
static dirac_solved solve_after(square_system *s, solver_links of)
{
    dirac_solver_links_changed(s->w, of);
    vec_zero(s->x);
    const dirac_solved solved = dirac_solve(s->w, s->m, s->x, s->b, &goal);
    require(solved.converged, "a solve did not converge");
    return solved;
}

/* The update of the state that such a solve makes; STATE_UPDATES: none. */
static state_update update_by_solve(square_system *s, solver_links of)
{
    int64_t before[STATE_UPDATES];
    memcpy(before, s->w->state.done, sizeof before);
    solve_after(s, of);
    state_update what = 0;
    while (what < STATE_UPDATES && s->w->state.done[what] == before[what])
        what++;
    return what;
}

static void updates(place where)
{
    square_system s;
    create(&s, where, SQUARE_WILSON, &gcr_solver);
    fact(update_by_solve(&s, LINKS_OF_REFRESH) == STATE_REBUILT, "%s: the state is built at the start of a trajectory",
         place_name(where));
    dirac_solve(s.w, s.m, s.x, s.b, &goal);
    fact(s.w->state.done[STATE_KEPT] + s.w->state.done[STATE_REFINED] + s.w->state.done[STATE_REBUILT] == 1,
         "and not for another solve with these links");
    fact(update_by_solve(&s, LINKS_OF_ACTION) == STATE_KEPT, "it is kept for the action");
    move_links(&s, 1e-5);
    const double before = deflation_pairs(gcr_solver_modes(s.w->method))[0].value;
    fact(update_by_solve(&s, LINKS_OF_FORCE) == STATE_REFINED
             && deflation_pairs(gcr_solver_modes(s.w->method))[0].value != before,
         "refined for a force after a small step");
    move_links(&s, 0.5);
    fact(update_by_solve(&s, LINKS_OF_FORCE) == STATE_REBUILT, "and rebuilt after a large one");
    move_links(&s, 1e-5);
    dirac_solve(s.w, s.m, s.x, s.b, &goal);
    fact(s.w->state.done[STATE_REBUILT] == 3, "links whose history is unknown begin anew");
    json j = { .depth = 0 };
    json_open(&j, NULL, '{');
    dirac_solver_report(s.w, &j);
    json_close(&j);
    fact(strstr(json_string(&j), "\"kept\": 1") && strstr(json_string(&j), "\"rebuilt\": 3")
             && strstr(json_string(&j), "\"modes\": 3"),
         "the report counts what was done: %s", json_string(&j));
    json_free(&j);
    square_free(&s);
}

/* `to` is on another lattice of the same shape. */
static void copy_numbers(vec *to, const vec *from)
{
    double *numbers = vec_numbers(from);
    vec_import(to, numbers);
    memory_free(numbers);
}

static double distance_from(const vec *x, const vec *elsewhere)
{
    vec *here = vec_create_like(x);
    copy_numbers(here, elsewhere);
    const double distance = square_distance(x, here);
    vec_free(here);
    return distance;
}

/* A solver that gets the state of another one in mid-trajectory makes the same decisions, and solutions of the same
 * bits. */
static void checkpoints(place where)
{
    static const struct { double dt; solver_links of; } step[] = { { 0, LINKS_OF_ACTION }, { 1e-5, LINKS_OF_FORCE },
                                                                  { 0.5, LINKS_OF_FORCE } };
    enum { STEPS = sizeof step / sizeof *step };
    for (int stopped = 0; stopped < STEPS - 1; stopped++) {
        square_system s, again;
        number_row row = { .reading = false };
        bool same = true;
        create(&s, where, SQUARE_WILSON, &gcr_solver);
        create(&again, where, SQUARE_WILSON, &gcr_solver);
        update_by_solve(&s, LINKS_OF_REFRESH);
        for (int i = 0; i < STEPS; i++) {
            if (i == stopped) {
                dirac_solver_state_row(s.w, &row);
                number_row_rewind(&row);
                dirac_solver_state_row(again.w, &row);
                vec *from;
                for (int n = 0; (from = dirac_solver_state(s.w, n)); n++)
                    copy_numbers(dirac_solver_state(again.w, n), from);
            }
            move_links(&s, step[i].dt);
            move_links(&again, step[i].dt);
            const state_update what = update_by_solve(&s, step[i].of);
            if (i >= stopped)
                same &= update_by_solve(&again, step[i].of) == what && distance_from(again.x, s.x) == 0;
        }
        fact(same && row.next == row.count, "%s: stopped before step %d, the rest has the same bits", place_name(where),
             stopped);
        number_row_free(&row);
        square_free(&again);
        square_free(&s);
    }
}

/* ---- ranks */

static int solve_after_steps(square_system *s)
{
    solve_after(s, LINKS_OF_REFRESH);
    move_links(s, 1e-5);
    return solve_after(s, LINKS_OF_FORCE).iterations;
}

static void same_on_ranks(place where)
{
    const square_request r = request_of(where, SQUARE_WILSON, &gcr_solver);
    square_ranks_facts(&r, solve_after_steps);
}

int main(void)
{
    names();
    FOR_EVERY_PLACE(where) {
        for (int i = 0; i < SOLVER_KINDS; i++)
            every_system(where, SQUARE_WILSON, solver_kinds[i]);
        every_system(where, SQUARE_CLOVER, &multigrid_solver);
        every_system(where, SQUARE_WILSON, &gcr_solver);
        every_system(where, SQUARE_DWF, &gcr_solver);
        memory(where);
        failure_is_mended(where);
        separate_solves(where);
        updates(where);
        checkpoints(where);
        if (where == PLACE_CPU)
            same_on_ranks(where);
    }
    return facts_end();
}
