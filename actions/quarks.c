/* quarks.c - refresh, action and force of quarks, factor by factor. */
#include "actions/quarks.h"

#include "src/base/log.h"
#include "src/base/memory.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { FIELDS_MAX = QUARK_FACTORS_MAX * QUARK_ROOTS_MAX };

typedef struct {
    monomial base;
    char name[32];
    quark_plan plan;
    workspace *memory;                      /* of solver and force; borrowed */
    quark_context context;
    quark_factor factor[QUARK_FACTORS_MAX];
    block_determinants blocks;
    char field_name[FIELDS_MAX][16];
} quarks;

static quarks *quarks_of(const monomial *m)
{
    return m->data;
}

bool quarks_check(const monomial_kind *kind, const void *params, const lattice_shape *shape, failure *f)
{
    quark_plan plan;
    int remembering = 0;
    const quark_family *family = kind->family;
    if (family->check && !family->check(params, shape, f))
        return false;
    if (!quark_plan_make(&plan, kind, params, f))
        return false;
    for (int n = 0; n < plan.count; n++)
        remembering += plan.factor[n].kind->get_memory != NULL;
    failure why;
    const bool possible = lattice_slabs_are_possible(shape, plan.d.slabs, f)
                          && (linear_solver_is_possible(plan.method, &plan.settings, &plan.d, shape, &why)
                              || fail(f, "%s: %s", plan.name, why.why))
                          && (remembering * QUARK_FACTOR_MEMORY <= MONOMIAL_MEMORY
                              || fail(f, "%s: more than %d determinants of one flavor: move some to another monomial",
                                      plan.name, MONOMIAL_MEMORY / QUARK_FACTOR_MEMORY));
    quark_plan_free(&plan);
    return possible;
}

/* With chronological start vectors, a larger residual of the force causes a warning. */
#define REVERSIBLE_RESIDUAL 1e-8

static void warn_of_start_vectors(const quarks *q)
{
    double worst = 0;
    for (int n = 0; n < q->plan.count; n++)
        if (q->plan.factor[n].chronological > 0)
            worst = fmax(worst, q->plan.factor[n].residual.of[ROLE_FORCE]);
    if (worst > REVERSIBLE_RESIDUAL)
        log_line(LOG_WARNING, "%s: with chronological start vectors, trajectories are reversible, and detailed balance "
                              "holds, only up to the residual of the force, %g (use %g or less, or chronological: 0)",
                 q->name, worst, REVERSIBLE_RESIDUAL);
}

static void create_factor(quark_factor *x, const quark_factor_plan *plan, int index, const quark_context *q)
{
    const quark_factor_kind *kind = plan->kind;
    *x = (quark_factor){ .kind = kind, .plan = *plan, .index = index,
                         .entries = kind->entries ? kind->entries(plan) : 1 };
    x->of = memory_alloc((size_t)x->entries * sizeof *x->of, "facts of solves");
    x->data = kind->create(plan, q);
}

/* Creates the solver, and in the workspace the memory that the force needs between two solves. */
static void create_solver(quarks *q, dirac_solver_spec spec)
{
    const dirac_kind *kind = q->context.d->kind;
    q->context.solver = dirac_solver_create(q->context.d, spec);
    const bool was = workspace_begin(q->memory);
    workspace_move(q->memory, dirac_solver_between(q->context.solver));
    if (kind->force_reserve)
        kind->force_reserve(q->context.d, quark_plan_pairs_together(&q->plan));
    workspace_end(q->memory, was);
}

monomial *quarks_create(const monomial_kind *kind, const void *params, const gauge *u)
{
    quarks *q = memory_alloc(sizeof *q, "quarks");
    quark_context *context = &q->context;
    failure f;
    q->base = (monomial){ kind, q };
    require(quark_plan_make(&q->plan, kind, params, &f), "%s", f.why);
    snprintf(q->name, sizeof q->name, "%s", q->plan.name);
    q->plan.name = q->name;
    const dirac_solver_spec spec = quark_plan_solver(&q->plan, kind, lattice_shape_of(u->links.lattice));
    memcpy(context->precision, spec.precision, sizeof context->precision);
    context->least_iterations = quark_plan_least_iterations(&q->plan, kind, lattice_shape_of(u->links.lattice));
    context->max_iterations = q->plan.max_iterations;
    context->norm = q->plan.norm;
    context->plan = &q->plan.d;
    q->memory = lattice_workspace(u->links.lattice, u->links.where);
    workspace_join(q->memory, quarks_bytes(kind, params, lattice_shape_of(u->links.lattice)).shared);
    context->d = dirac_create(&q->plan.d, u, true);
    create_solver(q, spec);
    for (int n = 0; n < q->plan.count; n++)
        create_factor(&q->factor[n], &q->plan.factor[n], n, context);
    q->blocks = block_determinants_create(&q->plan.blocks, context->d);
    warn_of_start_vectors(q);
    return &q->base;
}

void quarks_free(monomial *m)
{
    quarks *q = quarks_of(m);
    for (int n = 0; n < q->plan.count; n++) {
        q->factor[n].kind->free(q->factor[n].data);
        memory_free(q->factor[n].of);
    }
    block_determinants_free(&q->blocks);
    dirac_solver_free(q->context.solver);
    dirac_free(q->context.d);
    workspace_leave(q->memory);
    quark_plan_free(&q->plan);
    memory_free(q);
}

static bool update_links(quarks *q, const gauge *u, monomial_call *c)
{
    dirac_operator *d = q->context.d;
    monomial_time_begin(c, "links");
    bool updated = dirac_update(d, u, &c->failure);
    monomial_time_end(c);
    return updated;
}

/* Whether the links are smeared here depends on what this process did before, but the record must not.  So the facts
 * about this smearing are discarded. */
bool quarks_prepare(monomial *m, const gauge *u, int64_t number, monomial_call *c)
{
    quarks *q = quarks_of(m);
    dirac_operator *d = q->context.d;
    if (!update_links(q, u, c))
        return false;
    if (d->kind->facts_drop)
        d->kind->facts_drop(d);
    for (int n = 0; n < q->plan.count; n++) {
        quark_factor *x = &q->factor[n];
        if (x->kind->prepare && !x->kind->prepare(x, &q->context, number, c))
            return false;
    }
    return true;
}

/* update_links for a step with solves: also tells the solver the kind of step. */
static bool update_for(quarks *q, solver_links of, const gauge *u, monomial_call *c)
{
    dirac_solver_links_changed(q->context.solver, of);
    return update_links(q, u, c);
}

bool quarks_refresh(monomial *m, const gauge *u, rng_key key, monomial_call *c)
{
    quarks *q = quarks_of(m);
    if (!update_for(q, LINKS_OF_REFRESH, u, c))
        return false;
    q->context.mixed = false;
    for (int n = 0; n < q->plan.count; n++)
        quark_forget_refresh(&q->factor[n]);
    for (int n = 0; n < q->plan.count; n++)
        if (!q->factor[n].kind->refresh(&q->factor[n], &q->context, key, c))
            return false;
    c->drawn += block_determinants_action(&q->blocks);
    return true;
}

void quarks_mixed(monomial *m)
{
    quarks_of(m)->context.mixed = true;
}

bool quarks_action(double *value, monomial *m, const gauge *u, monomial_call *c)
{
    quarks *q = quarks_of(m);
    *value = 0;
    if (!update_for(q, LINKS_OF_ACTION, u, c))
        return false;
    for (int n = 0; n < q->plan.count; n++) {
        double s;
        if (!q->factor[n].kind->action(&s, &q->factor[n], &q->context, c))
            return false;
        *value += s;
    }
    *value += block_determinants_action(&q->blocks);
    return true;
}

bool quarks_add_force(monomial *m, const gauge *u, momentum *p, double weight, sum_cells size, monomial_call *c)
{
    quarks *q = quarks_of(m);
    dirac_operator *d = q->context.d;
    if (!update_for(q, LINKS_OF_FORCE, u, c))
        return false;
    d->kind->force_begin(d);
    for (int n = 0; n < q->plan.count; n++)
        if (!q->factor[n].kind->add_force(&q->factor[n], &q->context, c))
            return false;
    block_determinants_add_force(&q->blocks);
    monomial_time_begin(c, "chain rule");
    dirac_force_finish(d, u, p, weight, size);
    monomial_time_end(c);
    return true;
}

/* The memory of the factors, one factor after the other. */
int quarks_get_memory(const monomial *m, double values[MONOMIAL_MEMORY])
{
    const quarks *q = quarks_of(m);
    int count = 0;
    for (int n = 0; n < q->plan.count; n++)
        if (q->factor[n].kind->get_memory)
            count += q->factor[n].kind->get_memory(q->factor[n].data, values + count);
    return count;
}

void quarks_set_memory(monomial *m, const double *values, int count)
{
    quarks *q = quarks_of(m);
    for (int n = 0; n < q->plan.count; n++)
        if (q->factor[n].kind->set_memory) {
            const int taken = q->factor[n].kind->set_memory(q->factor[n].data, values, count);
            values += taken;
            count -= taken;
        }
}

/* Report a factor's solves since the last report, and reset the counts. */
static void report_factor(quark_factor *x, const dirac_plan *d, residual_norm norm, json *j)
{
    for (int entry = 0; entry < x->entries; entry++) {
        text words = { 0 };
        x->kind->describe(&words, &x->plan, d, entry);
        json_open(j, NULL, '{');
        json_text(j, "determinant", text_string(&words));
        solve_facts_report(x->of[entry], norm, j);
        if (x->kind->report)
            x->kind->report(x->data, entry, j);
        json_close(j);
        text_free(&words);
    }
    memset(x->of, 0, (size_t)x->entries * sizeof *x->of);
}

/* Sums the records of all factors since the last report. */
static void sum_mixed(mixed_record mixed[ROLES], const quarks *q)
{
    memset(mixed, 0, ROLES * sizeof *mixed);
    for (int n = 0; n < q->plan.count; n++)
        for (int role = 0; role < ROLES; role++)
            mixed_record_add(&mixed[role], &q->factor[n].mixed[role]);
}

void quarks_warn(monomial *m, text *lines)
{
    const quarks *q = quarks_of(m);
    mixed_record mixed[ROLES];
    sum_mixed(mixed, q);
    mixed_records_warn(mixed, lines);
    dirac_solver_warn(q->context.solver, lines);
}

void quarks_report(monomial *m, json *j)
{
    quarks *q = quarks_of(m);
    dirac_operator *d = q->context.d;
    mixed_record mixed[ROLES];
    sum_mixed(mixed, q);
    json_open(j, "pseudofermions", '[');
    for (int n = 0; n < q->plan.count; n++) {
        quark_factor *x = &q->factor[n];
        report_factor(x, &q->plan.d, q->plan.norm, j);
        memset(x->mixed, 0, sizeof x->mixed);
    }
    json_close(j);
    mixed_records_report(mixed, j);
    if (d->kind->facts_report)
        d->kind->facts_report(d, q->name, j);
    for (int n = 0; n < q->plan.count; n++)
        if (q->factor[n].kind->report_more)
            q->factor[n].kind->report_more(q->factor[n].data, j);
    dirac_solver_report(q->context.solver, j);
}

/* The numbers that have been collected for quarks_report.  Those of the operator follow the solves of the first
 * factor. */
void quarks_progress(monomial *m, number_row *row)
{
    quarks *q = quarks_of(m);
    dirac_operator *d = q->context.d;
    for (int n = 0; n < q->plan.count; n++) {
        quark_factor *x = &q->factor[n];
        for (int entry = 0; entry < x->entries; entry++)
            solve_facts_row(x->of[entry], row);
        mixed_records_row(x->mixed, row);
        if (n == 0 && d->kind->facts_row)
            d->kind->facts_row(d, row);
        x->kind->progress(x->data, row);
    }
    dirac_solver_state_row(q->context.solver, row);
}

field *quarks_start_vector_at(monomial *m, int index)
{
    quarks *q = quarks_of(m);
    for (int n = 0; n < q->plan.count; n++)
        if (q->factor[n].kind->start_vector_at)
            for (int i = 0; ; i++, index--) {
                vec *v = q->factor[n].kind->start_vector_at(q->factor[n].data, i);
                if (!v)
                    break;
                if (index == 0)
                    return &v->f;
            }
    vec *v = dirac_solver_state(q->context.solver, index);
    return v ? &v->f : NULL;
}

field *quarks_pseudofermion_at(monomial *m, int index, const char **name)
{
    quarks *q = quarks_of(m);
    int first = 0;
    for (int n = 0; n < q->plan.count; n++) {
        int i = 0;
        for (vec *phi; (phi = q->factor[n].kind->field(q->factor[n].data, i)); i++)
            if (first + i == index) {
                assert(index < FIELDS_MAX);
                snprintf(q->field_name[index], sizeof q->field_name[index], "pf%d", index);
                if (name)
                    *name = q->field_name[index];
                return &phi->f;
            }
        first += i;
    }
    return NULL;
}
