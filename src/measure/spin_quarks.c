/* spin_quarks.c - measurements of quarks with spin, mass by mass. */
#include "src/measure/spin_quarks.h"

#include "gpu/device.h"
#include "src/base/memory.h"
#include "src/base/progress_tick.h"
#include "src/io/configuration.h"
#include "src/lattice/rng.h"

static low_modes_sites modes_on(const spin_quarks_task *task)
{
    return (low_modes_sites){ task->plan->kind->home, task->plan->slabs };
}

bool spin_quarks_check(const spin_quarks_task *task, const lattice_shape *shape, failure *f)
{
    return low_modes_check(task->modes, shape, modes_on(task), task->name, f)
           && spin_mesons_check(task->mesons, shape, task->name, f)
           && stored_quarks_check(task->stored, &task->mesons, task->name, f);
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
    const low_modes_task task = { .a = dirac_solver_normal(quark_propagator_solver(q->propagator), m), .u = q->u,
                                  .key = key, .first_draw = spin_quarks_free_draw(q), .name = q->task.name,
                                  .number = mass };
    const bool ok = low_modes_compute(q->modes, &task, clock, f);
    quark_propagator_deflate(q->propagator, low_modes_deflation(q->modes));
    return ok;
}

/* ---- columns of the source */

static bool have_files(const spin_quarks *q)
{
    return stored_quarks_have_files(q->task.stored);
}

/* The file of a mass, opened; NULL with the reason. */
static stored_quarks *begin_file(const spin_quarks *q, int mass, rng_key key, failure *f)
{
    text lines = { 0 };
    q->family->describe(&lines, q->of, mass);
    const stored_quarks_task task = {
        .params = q->task.stored, .mesons = &q->task.mesons, .quark = q->family->quark, .u = q->u,
        .links = q->links_digest, .lines = text_string(&lines), .key = key, .number = mass, .name = q->task.name,
        .solved = q->task.goal.residual,
    };
    stored_quarks *file = stored_quarks_begin(&task, f);
    text_free(&lines);
    return file;
}

static void use_column(spin_quarks *q, const quark_line *line, int mass, int column)
{
    spin_mesons_add_column(q->mesons, mass, column, line->quark);
    if (q->family->add_column)
        q->family->add_column(q->of, line, column);
}

static bool read_columns(spin_quarks *q, stored_quarks *file, int mass, rng_key key, failure *f)
{
    const quark_line *line = quark_propagator_line(q->propagator, 0);
    for (int column = 0; column < meson_source_columns(q->task.mesons.sources, SLAB_GROUP); column++) {
        spin_mesons_set_source(line->source, q->mesons, column, key);
        if (!stored_quarks_get(file, column, line->quark, f))
            return false;
        use_column(q, line, mass, column);
    }
    return true;
}

/* Solves for all columns of the source, max_rhs at a time, and writes them to the file if there is one. */
static bool solve_columns(spin_quarks *q, quark_matrix m, stored_quarks *file, int mass, rng_key key, failure *f)
{
    const int max_rhs = q->task.max_rhs, end = meson_source_columns(q->task.mesons.sources, SLAB_GROUP);
    for (int done = 0, count; done < end; done += count) {
        progress_set_part(done + 1, end);
        count = end - done < max_rhs ? end - done : max_rhs;
        for (int i = 0; i < count; i++)
            spin_mesons_set_source(quark_propagator_line(q->propagator, i)->source, q->mesons, done + i, key);
        if (!quark_propagator_run(q->propagator, m, count, &q->task.goal, &q->solves, f))
            return false;
        for (int i = 0; i < count; i++) {
            const quark_line *line = quark_propagator_line(q->propagator, i);
            use_column(q, line, mass, done + i);
            if (file && !stored_quarks_put(file, done + i, line, f))
                return false;
        }
    }
    return true;
}

/* The columns of a mass, from solves or from a file. */
static bool make_columns(spin_quarks *q, quark_matrix m, int mass, rng_key key, failure *f)
{
    stored_quarks *file = have_files(q) ? begin_file(q, mass, key, f) : NULL;
    if (have_files(q) && !file)
        return false;
    const bool ok = file && stored_quarks_are_loaded(q->task.stored) ? read_columns(q, file, mass, key, f)
                                                                     : solve_columns(q, m, file, mass, key, f);
    if (ok && file)
        return stored_quarks_end(file, &q->solves.residual, f);
    stored_quarks_abandon(file);
    return ok;
}

/* Solves for all Gaussian sources, max_rhs at a time. */
static bool solve_noise(spin_quarks *q, quark_matrix m, rng_key key, failure *f)
{
    const int max_rhs = q->task.max_rhs, end = q->task.random_sources;
    for (int done = 0, count; done < end; done += count) {
        progress_set_part(done + 1, end);
        count = end - done < max_rhs ? end - done : max_rhs;
        for (int i = 0; i < count; i++)
            quark_noise_set(quark_propagator_line(q->propagator, i)->source, done + i, key);
        if (!quark_propagator_run(q->propagator, m, count, &q->task.goal, &q->solves, f))
            return false;
        for (int i = 0; i < count; i++)
            q->family->add_noise_source(q->of, quark_propagator_line(q->propagator, i), done + i);
    }
    return true;
}

/* ---- a mass */

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
    bool ok = (q->task.mesons.masses == 0 || make_columns(q, m, mass, key, f)) && solve_noise(q, m, key, f);
    clock_end(clock);
    if (!ok)
        return false;
    q->family->write(j, q->of, mass, m.mass);
    json_real(j, "residual", q->solves.residual);
    low_modes_to_json(j, q->modes);
    return !q->family->write_more || q->family->write_more(j, q->of, m.matrix, key, clock, f);
}

static bool measure_mass(json *j, spin_quarks *q, int mass, rng_key key, clock_tree *clock, failure *f)
{
    const quark_matrix m = q->family->matrix(q->of, mass);
    const bool ok = measure_matrix(j, q, m, mass, key, clock, f);
    memory_free(m.matrix);
    return ok;
}

bool spin_quarks_measure(json *j, spin_quarks *q, const gauge *u, int masses, rng_key key, clock_tree *clock,
                         failure *f)
{
    clock_begin(clock, "links");
    bool ok = quark_propagator_update(q->propagator, u, f) && spin_mesons_update(j, q->mesons, u, f);
    device_wait();
    clock_end(clock);
    q->u = u;
    q->links_digest = ok && have_files(q) ? configuration_digest(u, PROPAGATOR_BITS_DOUBLE) : 0;
    json_open(j, "masses", '[');
    for (int k = 0; k < masses; k++) {
        json_open(j, NULL, '{');
        q->family->write_parameters(j, q->of, k);
        ok = ok && measure_mass(j, q, k, key, clock, f);
        json_close(j);
    }
    json_close(j);
    if (ok)
        spin_mesons_pairs_to_json(j, q->mesons, q->family->write_pair, q->of);
    return ok;
}
