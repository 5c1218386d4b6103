/* dirac_method.c - linear systems of a Dirac operator for its solvers. */
#include "src/solvers/dirac_method.h"

#include "src/base/memory.h"
#include "src/solvers/cg_solver.h"

#include <assert.h>

const linop *dirac_system_in(dirac_solver *w, dirac_system of, stored_as in, const dirac_matrix *m)
{
    dirac_side *s = &w->side[in];
    const dirac_kind *kind = w->d->kind;
    const vec_storage storage = dirac_solver_storage(w, in);
    vec *const (*work)[DIRAC_WORK_VECTORS] = (vec *const (*)[DIRAC_WORK_VECTORS])s->work;
    linop **op = of == SYSTEM_OF_NORMAL ? &s->normal : &s->square;
    assert(s->slots > 0 && (of == SYSTEM_OF_NORMAL || kind->square));
    memory_free(*op);
    *op = of == SYSTEM_OF_NORMAL ? kind->normal(w->d, storage, m, work, s->slots)
                                 : kind->square(w->d, storage, m, of == SYSTEM_OF_DAGGER, work, s->slots);
    return *op;
}

static void add_storages(bool needed[SOLVER_STORAGES], solver_precision in)
{
    needed[STORED_DOUBLE] = needed[solver_precisions[in].inner] = needed[solver_precisions[in].refine] = true;
}

solver_operator dirac_system_for(dirac_solver *w, const linear_solver *s, dirac_system of, const dirac_matrix *m,
                                 solver_precision in)
{
    bool needed[SOLVER_STORAGES] = { false };
    solver_operator a = { .d = w->d, .m = m, .dagger = of == SYSTEM_OF_DAGGER };
    add_storages(needed, in);
    for (const solver_kind *k = s->kind; k->preconditioner; k = k->preconditioner->kind)
        add_storages(needed, k->preconditioner->precision);
    for (stored_as i = STORED_DOUBLE; i < SOLVER_STORAGES; i++)
        if (needed[i])
            a.in[i] = dirac_system_in(w, of, i, m);
    return a;
}

/* Updates the state of the method if the links have changed.  If their version differs although the owner has not
 * called dirac_solver_links_changed, it is unknown how they changed: the state is rebuilt. */
static void update_state(dirac_solver *w, const solver_operator *a)
{
    const bool unknown = w->d->version != w->state.version && !w->state.changed;
    if (!w->method->kind->update || !(unknown || w->state.changed))
        return;
    w->state.done[w->method->kind->update(w->method, a, unknown ? LINKS_OF_REFRESH : w->state.links)]++;
    w->state.changed = false;
    w->state.version = w->d->version;
}

void dirac_solve_by(dirac_solver *w, linear_solver *s, dirac_system of, const dirac_matrix *m, dirac_task *task,
                    int tasks, const dirac_goal *goal)
{
    const solver_operator a = dirac_system_for(w, s, of, m, goal->precision);
    if (s == w->method)
        update_state(w, &a);
    s->kind->solve(s, &a, task, tasks, goal);
    for (int n = 0; goal->norm == RESIDUAL_NORM_UNIFORM && n < tasks; n++)
        residual_norm_reach_uniform(s, &a, &task[n], goal, dirac_residual_space(w));
}

residual_space dirac_residual_space(dirac_solver *w)
{
    cg_space *space = cg_solver_space(w->cg);
    return (residual_space){ space->engine, space->r[0] };
}

/* ---- the state */

/* If the refresh made no solve, the first solve after it still counts as one with the first links of a trajectory. */
void dirac_solver_links_changed(dirac_solver *w, solver_links of)
{
    if (!w->state.changed || w->state.links != LINKS_OF_REFRESH)
        w->state.links = of;
    w->state.changed = true;
}

vec *dirac_solver_state(dirac_solver *w, int index)
{
    return w->method->kind->state ? w->method->kind->state(w->method, index) : NULL;
}

/* awaits_first: the trajectory has made no solve yet, so its first solve will rebuild the state.  After an interruption
 * it must do the same. */
void dirac_solver_state_row(dirac_solver *w, number_row *row)
{
    if (!w->method->kind->state_row)
        return;
    for (state_update i = 0; i < STATE_UPDATES; i++)
        number_row_int64(row, &w->state.done[i]);
    int64_t awaits_first = w->state.changed && w->state.links == LINKS_OF_REFRESH;
    number_row_int64(row, &awaits_first);
    if (row->reading && awaits_first) {
        w->state.links = LINKS_OF_REFRESH;
        w->state.changed = true;
    }
    w->method->kind->state_row(w->method, row);
}

void dirac_solver_warn(dirac_solver *w, text *lines)
{
    if (w->method->kind->warn)
        w->method->kind->warn(w->method, lines);
}

void dirac_solver_report(dirac_solver *w, json *j)
{
    static const char *const names[STATE_UPDATES] = { "kept", "refined", "rebuilt" };
    const solver_kind *kind = w->method->kind;
    if (!kind->update && !kind->report)
        return;
    json_open(j, "method", '{');
    json_text(j, "name", kind->name);
    for (state_update i = 0; kind->update && i < STATE_UPDATES; i++) {
        json_int(j, names[i], w->state.done[i]);
        w->state.done[i] = 0;
    }
    if (kind->report)
        kind->report(w->method, j);
    json_close(j);
}
