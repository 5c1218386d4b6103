/* staggered_work.c - what staggered quarks cost: memory, and the work of a force but for the iterations of its solves,
 * which nobody knows before.
 *
 * Products of 3x3 matrices (198 flops) a link: a level of smearing 12 for the staples next to it, 24 and 12 for those
 * around them (kernels/fat_links.c); its chain rule 36 for the staples again, 48 for its own, 96 for the side links
 * (kernels/fat_force.c); Naik's term 2, its chain rule 6; the projection about 8, its derivative about 16.  A pole: the
 * hop (16 products with a vector, 66 flops, and 90 of sums) on half of the sites, and eight outer products of 72. */
#include "actions/staggered_work.h"

#include "actions/staggered_rationals.h"
#include "actions/staggered_solver.h"
#include "src/lattice/vec.h"
#include "src/operators/staggered_force.h"

#include <math.h>

enum { SMEAR = 48, SMEAR_CHAIN = 180, NAIK = 2, NAIK_CHAIN = 6, PROJECT = 8, PROJECT_CHAIN = 16 };
#define PRODUCT_FLOPS 198.0
#define POLE_FLOPS (0.5 * (16 * 66 + 90) + 8 * 72)

/* Whether a level does more than to scale. */
static bool smears(path_table t)
{
    return t.three != 0 || t.five != 0 || t.seven != 0 || t.lepage != 0;
}

/* Parts of the memory that `create` takes. */
typedef struct { size_t links, force, fields, solver; } quark_bytes;

/* With the tightest residual of all fields: the choice does not depend on which of them are solved for at once. */
static solver_demand demand_of(const staggered_plan *plan, int role, const lattice_shape *shape)
{
    solver_demand d = { solver_sites(shape), INFINITY };
    for (int n = 0; n < plan->count; n++)
        d.residual = fmin(d.residual, plan->field[n].residual.of[role]);
    return d;
}

staggered_solver_size staggered_solver_size_of(const staggered_plan *plan, const rational_set *sets,
                                               const staggered_params *p, const lattice_shape *shape)
{
    staggered_solver_size size = { .fields = staggered_largest_group(plan, p),
                                   .shifts = staggered_most_poles(sets, plan->count) };
    for (int role = 0; role < ROLES; role++)
        size.kind[role] = solver_choose((solver_kind)p->solver, &staggered_solver_table,
                                        demand_of(plan, role, shape));
    return size;
}

static bool plan_of(staggered_plan *plan, rational_set *sets, const staggered_params *p)
{
    return staggered_plan_make(plan, p, NULL)
           && staggered_rationals(sets, plan, p, staggered_expected_largest(p), NULL);
}

static quark_bytes bytes_of(const staggered_plan *plan, const rational_set *sets, const staggered_params *p,
                            const lattice_shape *shape)
{
    size_t vector = vec_bytes(shape, PRECISION_DOUBLE, ON_EVEN);
    return (quark_bytes){ staggered_links_bytes(&plan->links, shape, PRECISION_DOUBLE),
                          staggered_force_bytes(&plan->links, shape, (precision)p->force_precision,
                                                PRECISION_DOUBLE),
                          (size_t)(plan->count + 1) * vector,
                          staggered_solver_bytes(&plan->links, shape,
                                                 staggered_solver_size_of(plan, sets, p, shape)) };
}

size_t staggered_bytes(const void *params, const lattice_shape *shape)
{
    staggered_plan plan;
    rational_set sets[PSEUDOFERMIONS_MAX];
    if (!plan_of(&plan, sets, params))
        return 0;
    quark_bytes b = bytes_of(&plan, sets, params, shape);
    return b.links + b.force + b.fields + b.solver;
}

void staggered_describe(text *lines, const void *params, const lattice_shape *shape)
{
    const staggered_params *p = params;
    staggered_plan plan;
    rational_set sets[PSEUDOFERMIONS_MAX];
    if (!plan_of(&plan, sets, p))
        return;
    for (int n = 0; n < plan.count; n++) {
        text_add(lines, "pseudofermion %d: ", n);
        pseudofermion_describe(lines, &plan, n);
        text_add(lines, "; poles: heat bath %d, action %d, force %d\n", sets[n].heat_bath.order, sets[n].action.order,
                 sets[n].force.order);
    }
    if (p->solver == SOLVER_ADAPTIVE) {
        const staggered_solver_size size = staggered_solver_size_of(&plan, sets, p, shape);
        text_add(lines, "solver adaptive: ");
        for (int role = 0; role < ROLES; role++)
            text_add(lines, "%s %s%s", role_names[role], solver_names[size.kind[role]], role < ROLES - 1 ? ", " : "\n");
    }
    quark_bytes b = bytes_of(&plan, sets, p, shape);
    text_add(lines, "memory: smeared links %s, ", bytes_to_text((double)b.links).s);
    text_add(lines, "temporaries of the force %s, ", bytes_to_text((double)b.force).s);
    text_add(lines, "fields %s, ", bytes_to_text((double)b.fields).s);
    text_add(lines, "solver %s\n", bytes_to_text((double)b.solver).s);
}

/* Of r(x) = c + sum a_k / (x + b_k) on the spectrum: the largest |r|, and sum |a_k| / b_k. */
typedef struct { double largest, poles; } function_gain;

static function_gain gain_of(const rational *r, double upper)
{
    function_gain g = { fmax(fabs(rational_value(r, 0)), fabs(rational_value(r, upper))), 0 };
    for (int k = 0; k < r->order; k++)
        g.poles += fabs(r->residue[k]) / r->pole[k];
    return g;
}

void staggered_energy_errors(energy_errors *e, const void *params, const lattice_shape *shape)
{
    const staggered_params *p = params;
    staggered_plan plan;
    rational_set sets[PSEUDOFERMIONS_MAX];
    const double freedom = 3.0 / 2 * (double)lattice_global_sites(shape);
    const double upper = staggered_expected_largest(p);
    if (!plan_of(&plan, sets, p))
        return;
    for (int n = 0; n < plan.count; n++) {
        const role_values *r = &plan.field[n].residual;
        const function_gain drawn = gain_of(&sets[n].heat_bath, upper), weighed = gain_of(&sets[n].action, upper);
        energy_errors_add(e, ROLE_HEAT_BATH, freedom, weighed.largest * drawn.poles, r->of[ROLE_HEAT_BATH], false);
        energy_errors_add(e, ROLE_ACTION, freedom, drawn.largest * weighed.poles, r->of[ROLE_ACTION], false);
        for (int role = ROLE_HEAT_BATH; role <= ROLE_ACTION && !*p->rational_file; role++)
            energy_errors_add_function(e, role, freedom, p->error.of[role]);
    }
}

work staggered_force_work(const void *params, const lattice_shape *shape)
{
    const staggered_params *p = params;
    staggered_plan plan;
    rational_set sets[PSEUDOFERMIONS_MAX];
    double sites = (double)lattice_local_sites(shape), links = 4 * sites;
    double link_bytes = 18 * sizeof(double), vector_bytes = 6 * sizeof(double), poles = 0;
    if (!plan_of(&plan, sets, p))
        return (work){ 0, 0 };
    for (int n = 0; n < plan.count; n++)
        poles += sets[n].force.order;
    path_table second = staggered_second_table(&plan.links);
    int levels = smears(staggered_first_table(&plan.links)) + smears(second), products = levels * (SMEAR + SMEAR_CHAIN);
    double passes = 6.0 * levels;                   /* links read and written; links and h read, h read and written */
    if (second.naik != 0) {
        products += NAIK + NAIK_CHAIN;
        passes += 6;
    }
    if (staggered_has_projection(&plan.links)) {
        products += PROJECT + PROJECT_CHAIN;
        passes += 5;
    }
    work w = { links * products * PRODUCT_FLOPS, links * passes * link_bytes };
    w.flops += poles * sites * POLE_FLOPS;
    w.bytes += poles * sites * (links / sites * 2 * link_bytes + 4 * vector_bytes);   /* a hop; solutions read again */
    return w;
}

/* In double precision: K once for a field, then r and p of the base, and x and p of each pole, read and written. */
work staggered_iteration_work(const void *params, const lattice_shape *shape)
{
    staggered_plan plan;
    rational_set sets[PSEUDOFERMIONS_MAX];
    if (!plan_of(&plan, sets, params))
        return (work){ 0, 0 };
    const work_count apply = staggered_normal_work(&plan.links, shape, PRECISION_DOUBLE);
    const double vector = (double)vec_bytes(shape, PRECISION_DOUBLE, ON_EVEN), reals = vector / sizeof(double);
    work w = { 0, 0 };
    for (int n = 0; n < plan.count; n++) {
        const double vectors = 4 + 4 * (double)sets[n].force.order;
        w.flops += apply.flops + vectors * reals;
        w.bytes += apply.bytes + vectors * vector;
    }
    return w;
}
