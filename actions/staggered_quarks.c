/* staggered_quarks.c - staggered quarks as a monomial: all pseudofermions are one factor of rational functions. */
#include "actions/staggered_quarks.h"

#include "actions/staggered_rationals.h"
#include "src/base/memory.h"

#include <math.h>
#include <stdio.h>

/* Memory for the plans of operator and factor.  Of `params`, only scalars and the texts below are valid. */
typedef struct {
    staggered_plan plan;
    staggered_params params;
    char name[32], no_file[1];
    rational_fields_plan fields;
} staggered_own;

static bool make_functions(rational_set *sets, const void *of, double largest, failure *f)
{
    const staggered_own *own = of;
    return staggered_rationals(sets, &own->plan, &own->params, largest, f);
}

static void describe_field(text *out, const void *of, int index)
{
    pseudofermion_describe(out, &((const staggered_own *)of)->plan, index);
}

static void fill_fields(staggered_own *own)
{
    rational_fields_plan *r = &own->fields;
    const staggered_params *p = &own->params;
    r->count = own->plan.count;
    for (int n = 0; n < r->count; n++) {
        r->matrix[n] = own->plan.field[n].set;
        r->residual[n] = own->plan.field[n].residual;
    }
    r->max_rhs = (int)p->max_rhs;
    r->from_file = *p->rational_file != '\0';
    r->expected = staggered_expected_largest(p);
    r->fixed = r->from_file || p->largest_eigenvalue_given;
    r->largest = r->from_file ? r->set[0].force.upper : p->largest_eigenvalue;
    r->measure_every = p->measure_every;
    r->make = make_functions;
    r->describe = describe_field;
    r->of = own;
    r->name = own->name;
}

static bool make_plan(quark_plan *plan, const void *params, failure *f)
{
    staggered_own *own = plan->own = memory_alloc(sizeof *own, "the plan of staggered quarks");
    const staggered_params *p = params;
    own->params = *p;
    snprintf(own->name, sizeof own->name, "%s", p->name);
    if (!staggered_plan_make(&own->plan, p, f)
        || !staggered_rationals(own->fields.set, &own->plan, p, staggered_expected_largest(p), f))
        return false;
    fill_fields(own);
    own->params.name = own->name;                  /* from now on the plan does not refer to memory of the caller */
    own->params.rational_file = own->no_file;
    own->params.determinants = (param_list){ 0 };
    plan->name = own->name;
    plan->d = staggered_parameters.plan(&own->plan.op, &p->of);
    plan->count = 1;
    plan->factor[0] = (quark_factor_plan){ .kind = &rational_fields_factor, .error = p->error, .more = &own->fields };
    plan->systems = rational_fields_max_rhs(&own->fields);
    plan->max_iterations = (int)p->max_iterations;
    plan->norm = (residual_norm)p->residual_norm;
    plan->solver = (solver_precision)p->solver;
    return true;
}

/* Each role has the precisions for the tightest residual of all fields, so that the choice does not depend on which
 * fields are solved at once. */
static void solvers(solver_precision by_role[ROLES], const quark_plan *plan, const lattice_shape *shape)
{
    const rational_fields_plan *r = plan->factor[0].more;
    for (int role = 0; role < ROLES; role++) {
        solver_request d = { solver_sites(shape), INFINITY };
        for (int n = 0; n < r->count; n++)
            d.residual = fmin(d.residual, r->residual[n].of[role]);
        by_role[role] = solver_choose(plan->solver, role == ROLE_REFRESH ? &staggered_refresh_table
                                                                         : &staggered_solver_table, d);
    }
}

static const quark_family staggered = { .plan = make_plan, .solvers = solvers, .table = &staggered_solver_table };

const monomial_kind staggered_monomial = {
    .hops = 3,
    .input = { .name = "staggered",
               .doc = "rooted determinants of staggered quarks (HISQ, Asqtad, naive) by RHMC, with Hasenbusch ratios "
                      "and n-th roots",
               .params = staggered_specs,
               .example = "name: quarks\naction: hisq\ndeterminants:\n"
                          "  - quarks: [ { mass: 0.013, flavors: 2 }, { mass: 0.065, flavors: 1 } ]\n"
                          "    hasenbusch: [ { mass: 0.2, fields: 3 } ]",
               .see = "physics.md#quark-action",
               .size = sizeof(staggered_params) },
    .family = &staggered,
    .qcdml = &staggered_qcdml,
    QUARKS_MONOMIAL,
};
