/* doublet_quarks.c - the quarks of a non-degenerate doublet and light quarks, column by column. */
#include "src/measure/doublet_quarks.h"

#include "src/base/memory.h"
#include "src/base/progress_tick.h"
#include "src/measure/quark_propagator.h"
#include "src/operators/dwf_embed.h"

enum { SLICES = DOUBLET_FLAVORS, CHIRALITIES = 2 };

typedef enum { LOCAL, SMEARED, SINKS } sink_kind;

/* What creates the operators, and the columns that are solved together. */
typedef struct {
    doublet_operator_params heavy;
    clover_operator_params light;
    dirac_plan heavy_plan, light_plan;
    solver_precision heavy_solver, light_solver;
    int together;
} plans;

static void make_plans(plans *of, const doublet_quarks_task *task, const lattice_shape *shape)
{
    const wilson_quarks *light = task->light;
    of->heavy = doublet_operator_of(&task->doublet);
    of->light = wilson_quarks_operator(light, sizeof(wilson_mass), NULL);
    of->heavy_plan = doublet_plan_of(&of->heavy, &task->doublet);
    of->light_plan = wilson_operator_plan(&of->light, &light->of);
    of->heavy_solver = dwf_solver_choose((solver_precision)light->solver, false, shape, SLICES, light->residual);
    of->light_solver = wilson_quarks_solver(light, shape);
    of->together = light->max_rhs < SLICES ? 1 : (int)light->max_rhs / SLICES;
}

static int sinks_of(const doublet_quarks_task *task)
{
    return quark_smearing_at_sink(task->smearing) ? SINKS : 1;
}

bool doublet_quarks_check(const doublet_quarks_task *task, const lattice_shape *shape, failure *f)
{
    const char *name = task->name;
    failure why;
    plans of;
    if (!wilson_quarks_check(task->light, sizeof(wilson_mass), shape, name, f))
        return false;
    if (!wilson_mass_is_given_once(&task->doublet.light))
        return fail(f, "%s: mass: give either mass, which is above -4, or kappa, of the doublet", name);
    if (!doublet_is_possible(&task->doublet, &why))
        return fail(f, "%s: mu_delta: %s", name, why.why);
    if (!lattice_slabs_are_possible(shape, SLAB_GROUP * SLICES, &why))
        return fail(f, "%s: %s", name, why.why);
    make_plans(&of, task, shape);
    if (of.light.matrices != task->light->masses.count)
        return fail(f, "%s: two light masses are the same", name);
    if (task->smearing->steps > 0 && wilson_quarks_have_theta(task->light))
        return fail(f, "%s: smearing needs theta: [0, 0, 0]", name);
    return quark_smearing_check(task->smearing, task->sources, name, f)
           && momenta_check(task->momenta, task->sources, shape, name, f)
           && meson_source_check(task->sources, shape, name, f)
           && meson_source_check_open(task->sources, shape, name, f);
}

struct doublet_quarks {
    doublet_quarks_task task;
    lattice *lattice;
    plans of;
    quark_propagator *heavy, *light;
    gauge_rotation *coulomb;                 /* NULL if the source needs none */
    quark_smearing *smearing;                /* NULL: none */
    spinor_field eta;                        /* the source of a column */
    doublet_mesons *mesons[SINKS];           /* NULL: not requested */
    solve_totals of_doublet, *of_mass;
};

static int masses_of(const doublet_quarks *q)
{
    return q->task.light->masses.count;
}

doublet_quarks *doublet_quarks_create(const doublet_quarks_task *task, const gauge *u)
{
    doublet_quarks *q = memory_alloc(sizeof *q, "quarks of a doublet");
    q->task = *task;
    q->lattice = u->links.lattice;
    make_plans(&q->of, task, lattice_shape_of(q->lattice));
    q->heavy = quark_propagator_create(u, &q->of.heavy_plan, NULL, q->of.heavy_solver, SLICES * q->of.together);
    q->light = quark_propagator_create(u, &q->of.light_plan, NULL, q->of.light_solver, q->of.together);
    q->coulomb = meson_gauge_create(task->sources, u);
    q->smearing = quark_smearing_create(task->smearing, u);
    q->eta = spinor_field_create(u, 1);
    for (int sink = 0; sink < sinks_of(task); sink++)
        q->mesons[sink] = doublet_mesons_create(u, masses_of(q), task->heavy);
    q->of_mass = memory_alloc((size_t)masses_of(q) * sizeof *q->of_mass, "residuals of solves");
    return q;
}

void doublet_quarks_free(doublet_quarks *q)
{
    memory_free(q->of_mass);
    for (int sink = 0; sink < SINKS; sink++)
        doublet_mesons_free(q->mesons[sink]);
    spinor_field_free(q->eta);
    quark_smearing_free(q->smearing);
    gauge_rotation_free(q->coulomb);
    quark_propagator_free(q->light);
    quark_propagator_free(q->heavy);
    memory_free(q);
}

memory_need doublet_quarks_bytes(const doublet_quarks_task *task, const lattice_shape *shape)
{
    plans of;
    make_plans(&of, task, shape);
    memory_need heavy = quark_propagator_bytes(shape, &of.heavy_plan, NULL, of.heavy_solver, SLICES * of.together);
    heavy.lasting += heavy.shared;           /* the vectors of the light solver come after, not in place of these */
    heavy.shared = 0;
    const memory_need light = quark_propagator_bytes(shape, &of.light_plan, NULL, of.light_solver, of.together);
    memory_need need = memory_need_add(memory_need_add(heavy, light), meson_gauge_bytes(task->sources, shape));
    need = memory_need_add(need, quark_smearing_bytes(task->smearing, shape));
    need.lasting += 2 * SLAB_GROUP * vec_bytes(shape, PRECISION_DOUBLE, ON_ODD)
                    + (size_t)sinks_of(task) * doublet_mesons_bytes(shape, task->light->masses.count, task->heavy);
    return need;
}

/* ---- columns */

/* A column of a random source has both chiralities, and is split into the two parts. */
static int parts_of(const doublet_quarks *q)
{
    return meson_source_is_random(q->task.sources) ? CHIRALITIES : 1;
}

static int columns_of(const doublet_quarks *q)
{
    return parts_of(q) * meson_source_columns(q->task.sources, SLAB_GROUP);
}

static int chirality_of(const doublet_quarks *q, int column)
{
    return parts_of(q) > 1 ? column % CHIRALITIES : column / (columns_of(q) / CHIRALITIES);
}

/* eta of a column as the source of line number `line` of light quarks, and of the lines of both slices of the
 * doublet. */
static void set_sources(const doublet_quarks *q, int line, int column, rng_key key)
{
    const int chirality = chirality_of(q, column);
    const spinor_field eta = q->eta, light = quark_propagator_line(q->light, line)->source;
    meson_source_set(eta.even, eta.odd, q->task.sources, q->coulomb, column / parts_of(q), key);
    if (quark_smearing_at_source(q->task.smearing))
        quark_smearing_apply(q->smearing, eta);
    for (int j = 0; j < SLICES; j++) {
        const spinor_field heavy = quark_propagator_line(q->heavy, SLICES * line + j)->source;
        dwf_set_slice(heavy.even, j, chirality, eta.even);
        dwf_set_slice(heavy.odd, j, chirality, eta.odd);
    }
    dwf_set_slice(light.even, 0, chirality, eta.even);
    dwf_set_slice(light.odd, 0, chirality, eta.odd);
}

static bool solve(quark_propagator *p, int index, double mass, int count, const doublet_quarks *q,
                  solve_totals *totals, failure *f)
{
    const dirac_operator *d = quark_propagator_operator(p);
    const dirac_goal goal = { .residual = q->task.light->residual,
                              .max_iterations = (int)q->task.light->max_iterations };
    const quark_matrix m = { d->kind->matrix(d, index), mass };
    const bool ok = quark_propagator_run(p, m, count, &goal, totals, f);
    memory_free(m.matrix);
    return ok;
}

/* The quarks of the doublet from both slices of the source of a line.  Smeared quarks overwrite the sources, which are
 * not used after the solves. */
static void heavy_quarks(spinor_field quarks[SLICES], const doublet_quarks *q, int line, sink_kind sink)
{
    for (int j = 0; j < SLICES; j++) {
        const quark_line *of = quark_propagator_line(q->heavy, SLICES * line + j);
        quarks[j] = sink == LOCAL ? of->quark : of->source;
    }
}

static void smear_heavy(const doublet_quarks *q, int line)
{
    spinor_field local[SLICES], smeared[SLICES];
    heavy_quarks(local, q, line, LOCAL);
    heavy_quarks(smeared, q, line, SMEARED);
    for (int j = 0; j < SLICES; j++) {
        vec_copy(smeared[j].even, local[j].even);
        vec_copy(smeared[j].odd, local[j].odd);
        quark_smearing_apply(q->smearing, smeared[j]);
    }
}

static void add_heavy(doublet_quarks *q, int line, int column)
{
    for (int sink = 0; sink < sinks_of(&q->task); sink++) {
        spinor_field heavy[SLICES];
        heavy_quarks(heavy, q, line, (sink_kind)sink);
        if (sink == SMEARED)
            smear_heavy(q, line);
        doublet_mesons_add_heavy(q->mesons[sink], chirality_of(q, column), heavy);
    }
}

/* The light quark is smeared in place, after the last use of the local one. */
static void add_mass(doublet_quarks *q, int mass, int line, int column)
{
    const spinor_field light = quark_propagator_line(q->light, line)->quark;
    for (int sink = 0; sink < sinks_of(&q->task); sink++) {
        spinor_field heavy[SLICES];
        heavy_quarks(heavy, q, line, (sink_kind)sink);
        if (sink == SMEARED)
            quark_smearing_apply(q->smearing, light);
        doublet_mesons_add_light(q->mesons[sink], mass, chirality_of(q, column), heavy, light);
    }
}

/* Columns `first` to first + count - 1 */
static bool add_columns(doublet_quarks *q, int first, int count, rng_key key, failure *f)
{
    for (int i = 0; i < count; i++)
        set_sources(q, i, first + i, key);
    if (!solve(q->heavy, 0, q->of.heavy.matrix[0].mass, SLICES * count, q, &q->of_doublet, f))
        return false;
    for (int i = 0; i < count; i++)
        add_heavy(q, i, first + i);
    for (int k = 0; k < masses_of(q); k++) {
        if (!solve(q->light, k, q->of.light.matrix[k].of.mass, count, q, &q->of_mass[k], f))
            return false;
        for (int i = 0; i < count; i++)
            add_mass(q, k, i, first + i);
    }
    return true;
}

static bool add_all_columns(doublet_quarks *q, rng_key key, failure *f)
{
    const int end = columns_of(q);
    bool ok = true;
    for (int done = 0, count; ok && done < end; done += count) {
        progress_set_part(done + 1, end);
        count = end - done < q->of.together ? end - done : q->of.together;
        ok = add_columns(q, done, count, key, f);
    }
    return ok;
}

static void begin(doublet_quarks *q)
{
    q->of_doublet = (solve_totals){ 0 };
    for (int sink = 0; sink < sinks_of(&q->task); sink++)
        doublet_mesons_begin(q->mesons[sink]);
    for (int k = 0; k < masses_of(q); k++)
        q->of_mass[k] = (solve_totals){ 0 };
}

bool doublet_quarks_measure(json *j, doublet_quarks *q, const gauge *u, rng_key key, clock_tree *clock, failure *f)
{
    clock_begin(clock, "links");
    bool ok = quark_propagator_update(q->heavy, u, f) && quark_propagator_update(q->light, u, f)
              && meson_gauge_find(j, q->coulomb, q->task.sources, u, f);
    quark_smearing_update(q->smearing, u);
    clock_end(clock);
    begin(q);
    clock_begin(clock, "solves");
    ok = ok && add_all_columns(q, key, f);
    clock_end(clock);
    return ok;
}

/* ---- results */

const doublet_mesons *doublet_quarks_mesons(const doublet_quarks *q)
{
    return q->mesons[LOCAL];
}

const doublet_mesons *doublet_quarks_smeared(const doublet_quarks *q)
{
    return q->mesons[SMEARED];
}

solve_totals doublet_quarks_solves(const doublet_quarks *q)
{
    return q->of_doublet;
}

solve_totals doublet_quarks_solves_of(const doublet_quarks *q, int mass)
{
    return q->of_mass[mass];
}

int64_t doublet_quarks_iterations(const doublet_quarks *q)
{
    int64_t iterations = q->of_doublet.iterations;
    for (int k = 0; k < masses_of(q); k++)
        iterations += q->of_mass[k].iterations;
    return iterations;
}
