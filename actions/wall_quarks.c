/* wall_quarks.c - heat bath, action and force of domain-wall quarks, factor by factor. */
#include "actions/wall_quarks.h"

#include "actions/wall_report.h"
#include "src/base/log.h"
#include "src/base/memory.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>

const wall_factor_kind *const wall_factor_kinds[] = { &wall_ratio_factor, &wall_rational_factor, &wall_exact_factor,
                                                       NULL };

enum { ALL_FIELDS_MAX = WALL_FACTORS_MAX * WALL_FIELDS_MAX };

/* Forces from start vectors that are solved worse than this deserve a warning. */
#define REVERSIBLE_RESIDUAL 1e-8

typedef struct {
    monomial base;
    char name[32];
    wall_plan plan;
    wall_shop shop;
    wall_factor factor[WALL_FACTORS_MAX];
    char field_name[ALL_FIELDS_MAX][16];
} quarks;

static quarks *quarks_of(const monomial *m)
{
    return m->data;
}

/* Numbers that a factor remembers, at most (wall_factor.h). */
enum { FACTOR_MEMORY = 2 };

static bool check(const void *params, const lattice_shape *shape, failure *f)
{
    const wall_params *p = params;
    wall_plan plan;
    int remembering = 0;
    if (!wall_plan_make(&plan, p, f) || !lattice_slabs_are_possible(shape, SLAB_GROUP * plan.weights.slices, f))
        return false;
    for (int n = 0; n < plan.count; n++)
        remembering += wall_factor_kinds[plan.factor[n].kind]->recall != NULL;
    return remembering * FACTOR_MEMORY <= MONOMIAL_MEMORY
           || fail(f, "%s: more than %d determinants of one flavour: put some into another monomial", p->name,
                   MONOMIAL_MEMORY / FACTOR_MEMORY);
}

static void warn_of_start_vectors(const quarks *q)
{
    double worst = 0;
    for (int n = 0; n < q->plan.count; n++)
        if (q->plan.factor[n].chronological > 0)
            worst = fmax(worst, q->plan.factor[n].residual.of[ROLE_FORCE]);
    if (worst > REVERSIBLE_RESIDUAL)
        log_line(LOG_WARNING, "%s: with chronological start vectors trajectories are reversible only as far as the "
                              "residual of the force, %g, and detailed balance holds no farther (%g or less is "
                              "advised, or chronological: 0)", q->name, worst, REVERSIBLE_RESIDUAL);
}

static monomial *create(const void *params, const gauge *u)
{
    const wall_params *p = params;
    quarks *q = memory_alloc(sizeof *q, "domain-wall quarks");
    failure f;
    assert(u->links.precision == PRECISION_DOUBLE);
    q->base = (monomial){ &wall_monomial, q };
    snprintf(q->name, sizeof q->name, "%s", p->name);
    require(wall_plan_make(&q->plan, p, &f), "%s", f.why);
    q->shop = (wall_shop){ .weights = q->plan.weights,
                           .solver = wall_solver_create(u, q->plan.weights.slices, q->plan.boundary,
                                                     wall_plan_solver(&q->plan, p, lattice_shape_of(u->links.lattice))),
                           .force = wall_force_create(u, q->plan.weights.slices),
                           .max_iterations = (int)p->max_iterations };
    for (int n = 0; n < q->plan.count; n++) {
        const wall_factor_plan *plan = &q->plan.factor[n];
        const wall_factor_kind *kind = wall_factor_kinds[plan->kind];
        q->factor[n] = (wall_factor){ .kind = kind, .plan = *plan, .index = n,
                                      .data = kind->create(plan, &q->shop, u) };
    }
    warn_of_start_vectors(q);
    return &q->base;
}

static void free_quarks(monomial *m)
{
    quarks *q = quarks_of(m);
    for (int n = 0; n < q->plan.count; n++)
        q->factor[n].kind->free(q->factor[n].data);
    wall_force_free(q->shop.force);
    wall_solver_free(q->shop.solver);
    memory_free(q);
}

static bool copy_links(quarks *q, const gauge *u, monomial_call *c)
{
    monomial_time_begin(c, "links");
    bool copied = wall_solver_update(q->shop.solver, u, &c->trouble);
    monomial_time_end(c);
    return copied;
}

static bool prepare(monomial *m, const gauge *u, int64_t number, monomial_call *c)
{
    quarks *q = quarks_of(m);
    if (!copy_links(q, u, c))
        return false;
    for (int n = 0; n < q->plan.count; n++) {
        wall_factor *x = &q->factor[n];
        if (x->kind->prepare && !x->kind->prepare(x, &q->shop, number, c))
            return false;
    }
    return true;
}

static bool refresh(monomial *m, const gauge *u, rng_key key, monomial_call *c)
{
    quarks *q = quarks_of(m);
    if (!copy_links(q, u, c))
        return false;
    for (int n = 0; n < q->plan.count; n++)
        if (!q->factor[n].kind->refresh(&q->factor[n], &q->shop, key, c))
            return false;
    return true;
}

static bool action(double *value, monomial *m, const gauge *u, monomial_call *c)
{
    quarks *q = quarks_of(m);
    *value = 0;
    if (!copy_links(q, u, c))
        return false;
    for (int n = 0; n < q->plan.count; n++) {
        double s;
        if (!q->factor[n].kind->action(&s, &q->factor[n], &q->shop, c))
            return false;
        *value += s;
    }
    return true;
}

static bool add_force(monomial *m, const gauge *u, momentum *p, double weight, sum_cell *size, monomial_call *c)
{
    quarks *q = quarks_of(m);
    if (!copy_links(q, u, c))
        return false;
    wall_force_begin(q->shop.force);
    for (int n = 0; n < q->plan.count; n++)
        if (!q->factor[n].kind->add_force(&q->factor[n], &q->shop, c))
            return false;
    monomial_time_begin(c, "chain rule");
    wall_force_finish(q->shop.force, u, p, weight, size);
    monomial_time_end(c);
    return true;
}

/* The numbers of the factors that have any, one factor after the other. */
static int recall(const monomial *m, double values[MONOMIAL_MEMORY])
{
    const quarks *q = quarks_of(m);
    int count = 0;
    for (int n = 0; n < q->plan.count; n++)
        if (q->factor[n].kind->recall) {
            double of_factor[FACTOR_MEMORY];
            int numbers = q->factor[n].kind->recall(q->factor[n].data, of_factor);
            for (int i = 0; i < numbers; i++)
                values[count++] = of_factor[i];
        }
    return count;
}

static void remember(monomial *m, const double *values, int count)
{
    quarks *q = quarks_of(m);
    for (int n = 0; n < q->plan.count; n++)
        if (q->factor[n].kind->recall) {
            double of_factor[FACTOR_MEMORY];
            int numbers = q->factor[n].kind->recall(q->factor[n].data, of_factor);
            if (numbers > count)
                return;
            q->factor[n].kind->remember(q->factor[n].data, values, numbers);
            values += numbers;
            count -= numbers;
        }
}

static void report(monomial *m, json *j)
{
    quarks *q = quarks_of(m);
    wall_factors_report(q->factor, q->plan.count, q->name, j);
}

static void progress(monomial *m, number_row *row)
{
    quarks *q = quarks_of(m);
    wall_factors_row(q->factor, q->plan.count, row);
}

static field *kept_at(monomial *m, int index)
{
    quarks *q = quarks_of(m);
    for (int n = 0; n < q->plan.count; n++)
        if (q->factor[n].kind->kept)
            for (int i = 0; ; i++, index--) {
                vec *v = q->factor[n].kind->kept(q->factor[n].data, i);
                if (!v)
                    break;
                if (index == 0)
                    return &v->f;
            }
    return NULL;
}

static field *field_at(monomial *m, int index, const char **name)
{
    quarks *q = quarks_of(m);
    int first = 0;
    for (int n = 0; n < q->plan.count; n++) {
        int i = 0;
        for (vec *phi; (phi = q->factor[n].kind->field(q->factor[n].data, i)); i++)
            if (first + i == index) {
                assert(index < ALL_FIELDS_MAX);
                snprintf(q->field_name[index], sizeof q->field_name[index], "pf%d", index);
                if (name)
                    *name = q->field_name[index];
                return &phi->f;
            }
        first += i;
    }
    return NULL;
}

const monomial_kind wall_monomial = {
    .input = { .name = "domain_wall",
               .doc = "determinants of domain-wall quarks (Shamir, Moebius, optimal) over Pauli-Villars fields: two "
                      "flavours with Hasenbusch ratios, one flavour by RHMC or the exact one-flavour action",
               .params = wall_specs,
               .size = sizeof(wall_params) },
    .check = check,
    .create = create,
    .free = free_quarks,
    .refresh = refresh,
    .action = action,
    .add_force = add_force,
    .prepare = prepare,
    .recall = recall,
    .remember = remember,
    .report = report,
    .field_at = field_at,
    .progress = progress,
    .kept_at = kept_at,
    .bytes = wall_bytes,
    .force_work = wall_force_work,
    .iteration_work = wall_iteration_work,
    .energy_errors = wall_energy_errors,
    .describe = wall_describe,
};
