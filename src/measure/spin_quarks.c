/* spin_quarks.c - measurements of quarks with spin, mass by mass. */
#include "src/measure/spin_quarks.h"

#include "gpu/device.h"
#include "src/base/memory.h"
#include "src/base/progress_tick.h"

static low_modes_sites modes_on(const spin_quarks_task *task)
{
    return (low_modes_sites){ task->plan->kind->home, task->plan->slabs };
}

bool spin_quarks_check(const spin_quarks_task *task, const lattice_shape *shape, failure *f)
{
    return low_modes_check(task->modes, shape, modes_on(task), task->name, f)
           && spin_mesons_check(task->mesons, shape, task->name, f);
}

spin_quarks spin_quarks_create(const spin_quarks_task *task, const spin_family *family, void *of, const gauge *u)
{
    lattice *l = u->links.lattice;
    spin_quarks q = { .task = *task, .family = family, .of = of, .lattice = l };
    q.task.plan = NULL;
    q.propagator = quark_propagator_create(u, task->plan, task->walls, task->solver, task->max_rhs);
    q.modes = low_modes_create(task->modes, l, u->links.where, modes_on(task));
    q.mesons = spin_mesons_create(task->mesons, u);
    return q;
}

void spin_quarks_free(spin_quarks *q)
{
    spin_mesons_free(q->mesons);
    low_modes_free(q->modes);
    quark_propagator_free(q->propagator);
}

memory_need spin_quarks_bytes(const spin_quarks_task *task, const lattice_shape *shape)
{
    const memory_need solves = quark_propagator_bytes(shape, task->plan, task->walls, task->solver, task->max_rhs);
    const memory_need mesons = spin_mesons_bytes(task->mesons, shape);
    return memory_need_add(memory_need_add(solves, mesons), low_modes_bytes(task->modes, shape, modes_on(task)));
}

uint32_t spin_quarks_free_draw(const spin_quarks *q)
{
    return (uint32_t)q->task.random_sources * SOURCE_DRAWS;
}

dirac_operator *spin_quarks_operator(const spin_quarks *q)
{
    return quark_propagator_operator(q->propagator);
}

/* The low modes of a mass, for the solves that follow. */
static bool compute_modes(spin_quarks *q, const dirac_matrix *m, int mass, rng_key key, clock_tree *clock, failure *f)
{
    const low_modes_task task = { .a = dirac_solver_normal(quark_propagator_solver(q->propagator), m), .key = key,
                                  .first_draw = spin_quarks_free_draw(q), .name = q->task.name, .number = mass };
    const bool ok = low_modes_compute(q->modes, &task, clock, f);
    quark_propagator_deflate(q->propagator, low_modes_deflation(q->modes));
    return ok;
}

/* Solves for all columns of the source, or for all Gaussian sources, max_rhs at a time. */
static bool solve_sources(spin_quarks *q, quark_matrix m, int mass, bool columns, rng_key key, failure *f)
{
    const int max_rhs = q->task.max_rhs;
    const int end = columns ? meson_source_columns(q->task.mesons.sources, SLAB_GROUP) : q->task.random_sources;
    for (int done = 0, count; done < end; done += count) {
        progress_set_part(done + 1, end);
        count = end - done < max_rhs ? end - done : max_rhs;
        for (int i = 0; i < count; i++)
            if (columns)
                spin_mesons_set_source(quark_propagator_line(q->propagator, i)->source, q->mesons, done + i, key);
            else
                quark_noise_set(quark_propagator_line(q->propagator, i)->source, done + i, key);
        if (!quark_propagator_run(q->propagator, m, count, &q->task.goal, &q->solves, f))
            return false;
        for (int i = 0; i < count; i++) {
            const quark_line *line = quark_propagator_line(q->propagator, i);
            if (columns) {
                spin_mesons_add_column(q->mesons, mass, done + i, line->quark);
                if (q->family->add_column)
                    q->family->add_column(q->of, line, done + i);
            } else
                q->family->add_noise_source(q->of, line, done + i);
        }
    }
    return true;
}

static bool measure_matrix(json *j, spin_quarks *q, quark_matrix m, int mass, rng_key key, clock_tree *clock,
                           failure *f)
{
    q->solves.residual = 0;
    spin_mesons_begin(q->mesons);
    if (q->family->begin)
        q->family->begin(q->of);
    if (!compute_modes(q, m.matrix, mass, key, clock, f))
        return false;
    clock_begin(clock, "solves");
    bool ok = (q->task.mesons.masses == 0 || solve_sources(q, m, mass, true, key, f))
        && solve_sources(q, m, mass, false, key, f);
    clock_end(clock);
    if (!ok)
        return false;
    json_open(j, NULL, '{');
    q->family->write(j, q->of, mass, m.mass);
    json_real(j, "residual", q->solves.residual);
    low_modes_to_json(j, q->modes);
    ok = !q->family->write_more || q->family->write_more(j, q->of, m.matrix, key, clock, f);
    json_close(j);
    return ok;
}

bool spin_quarks_measure(json *j, spin_quarks *q, const gauge *u, int masses, rng_key key, clock_tree *clock,
                         failure *f)
{
    clock_begin(clock, "links");
    bool ok = quark_propagator_update(q->propagator, u, f) && spin_mesons_update(j, q->mesons, u, f);
    device_wait();
    clock_end(clock);
    json_open(j, "masses", '[');
    for (int k = 0; ok && k < masses; k++) {
        const quark_matrix m = q->family->matrix(q->of, k);
        ok = measure_matrix(j, q, m, k, key, clock, f);
        memory_free(m.matrix);
    }
    json_close(j);
    if (ok)
        spin_mesons_pairs_to_json(j, q->mesons, q->family->write_pair, q->of);
    return ok;
}
