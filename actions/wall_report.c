/* wall_report.c - domain-wall quarks for the record and for people: solves, how trajectories start, memory, and the
 * work of a force but for the iterations of its solves.
 *
 * A term of the force takes an application of C^+C, the most of it for its two inner vectors, and on each link and
 * slice outer products of two half spinors at either end, 72 flops each (operators/domain_wall_force.c). */
#include "actions/wall_report.h"

#include "src/base/log.h"
#include "src/lattice/locate.h"

#include <math.h>
#include <string.h>

enum { PRODUCT_FLOPS = 2 * 2 * 72 };

/* S and |eta|^2 may differ by so many times the errors and residuals that go into them, relatively. */
#define START_SLACK 100

static bool no_number(wall_factor *x, const char *of, monomial_call *c)
{
    number_place at;
    vec *phi;
    for (int i = 0; (phi = x->kind->field(x->data, i)); i++)
        if (field_find_bad(&phi->f, &at))
            return fail(&c->trouble, "factor %d: the solve of %s met what is no number: pseudofermion %d, first at "
                                     "site (x y z t) = (%d %d %d %d), slice %d, number %d there", x->index, of, i,
                        at.site[0], at.site[1], at.site[2], at.site[3], at.slice, at.component);
    return fail(&c->trouble, "factor %d: the solve of %s came to what is no number; its pseudofermions are numbers "
                             "everywhere (kiln replay repeats it)", x->index, of);
}

bool wall_solve_ended(wall_factor *x, const wall_shop *shop, int role, const char *of, const wall_solved *s,
                      monomial_call *c)
{
    solve_facts *facts = &x->of[role];
    facts->solves++;
    facts->iterations += s->iterations;
    facts->polish += s->polish_iterations;
    facts->residual = fmax(facts->residual, s->residual);
    mixed_record_add(&x->mixed[role], &s->record);
    if (s->converged)
        return true;
    if (!isfinite(s->residual))
        return no_number(x, of, c);
    return fail(&c->trouble, "factor %d: the solve of %s did not converge: after %d iterations of at most %d its "
                             "residual is %.3g, asked is %.3g (max_iterations may be raised)", x->index, of,
                s->iterations, shop->max_iterations, s->residual, x->plan.residual.of[role]);
}

void wall_start_drawn(wall_start *s, double eta_norm2, const wall_shop *shop, monomial_call *c)
{
    c->drawn += eta_norm2;
    *s = (wall_start){ eta_norm2, 0, wall_solver_links(shop->solver)->links->version };
}

bool wall_start_action(wall_start *s, double action, const wall_factor *x, const wall_shop *shop, const char *advice,
                       monomial_call *c)
{
    const bool first = s->version == wall_solver_links(shop->solver)->links->version;
    s->version = 0;
    if (!first)
        return true;
    double explained = 0;
    for (int role = ROLE_HEAT_BATH; role <= ROLE_ACTION; role++)
        explained += x->plan.error.of[role] + x->plan.residual.of[role];
    s->apart = action / s->eta_norm2 - 1;
    return fabs(s->apart) <= START_SLACK * explained
           || fail(&c->trouble, "factor %d: the action of new pseudofermions is %.15g, that of their random numbers "
                                "%.15g: %s", x->index, action, s->eta_norm2, advice);
}

void wall_start_report(const wall_start *s, json *j)
{
    if (s->eta_norm2 > 0)
        json_real(j, "start_action_error", s->apart);
}

/* Between the steps of a trajectory the first action is behind, and nothing is left to compare. */
void wall_start_row(wall_start *s, number_row *row)
{
    number_row_real(row, &s->eta_norm2);
    number_row_real(row, &s->apart);
    if (row->reading)
        s->version = 0;
}

void wall_factors_row(wall_factor *factor, int count, number_row *row)
{
    for (int n = 0; n < count; n++) {
        solve_facts_row(factor[n].of, row);
        mixed_records_row(factor[n].mixed, row);
        factor[n].kind->progress(factor[n].data, row);
    }
}

void wall_factors_report(wall_factor *factor, int count, const char *name, json *j)
{
    mixed_record mixed[ROLES];
    memset(mixed, 0, sizeof mixed);
    json_open(j, "pseudofermions", '[');
    for (int n = 0; n < count; n++) {
        wall_factor *x = &factor[n];
        text words = { 0 };
        wall_factor_describe(&words, &x->plan);
        json_open(j, NULL, '{');
        json_text(j, "determinant", text_string(&words));
        solve_facts_report(x->of, j);
        if (x->kind->report)
            x->kind->report(x->data, j);
        json_close(j);
        text_free(&words);
        for (int role = 0; role < ROLES; role++)
            mixed_record_add(&mixed[role], &x->mixed[role]);
        memset(x->of, 0, sizeof x->of);
        memset(x->mixed, 0, sizeof x->mixed);
    }
    json_close(j);
    mixed_records_report(mixed, name, j);
}

/* A number of a factor; 0 where its kind has none. */
static int count_of(int (*of)(const wall_factor_plan *p), const wall_factor_plan *p)
{
    return of ? of(p) : 0;
}

/* Sums and maxima of the factors' numbers. */
typedef struct { int vectors, scratch, shifts, terms; } wall_needs;

static wall_needs needs_of(const wall_plan *plan)
{
    wall_needs all = { 0 };
    for (int n = 0; n < plan->count; n++) {
        const wall_factor_plan *p = &plan->factor[n];
        const wall_factor_kind *kind = wall_factor_kinds[p->kind];
        const int scratch = count_of(kind->scratch, p), shifts = count_of(kind->shifts, p);
        all.vectors += count_of(kind->vectors, p);
        all.scratch = scratch > all.scratch ? scratch : all.scratch;
        all.shifts = shifts > all.shifts ? shifts : all.shifts;
        all.terms += count_of(kind->terms, p);
    }
    return all;
}

static double vector_bytes(const wall_plan *plan, const lattice_shape *shape)
{
    return (double)(SLAB_GROUP * plan->weights.slices) * (double)vec_bytes(shape, PRECISION_DOUBLE, ON_ODD);
}

/* Parts of the memory that `create` takes, or solves on first use. */
typedef struct { size_t fields, force, solver; } wall_memory;

static wall_memory memory_of(const wall_plan *plan, const wall_params *p, const lattice_shape *shape)
{
    const wall_needs all = needs_of(plan);
    const int slices = plan->weights.slices;
    const size_t vector = (size_t)vector_bytes(plan, shape);
    const solver_kind solver = wall_plan_solver(plan, p, shape);
    const int together = all.shifts > 0 ? WALL_TERMS_TOGETHER : 1;               /* terms of the force */
    return (wall_memory){ (size_t)all.vectors * vector,
                          wall_force_bytes(shape, PRECISION_DOUBLE, slices, together),
                          (size_t)all.scratch * vector + wall_solver_bytes(shape, slices, solver, all.shifts) };
}

size_t wall_bytes(const void *params, const lattice_shape *shape)
{
    wall_plan plan;
    if (!wall_plan_make(&plan, params, NULL))
        return 0;
    const wall_memory m = memory_of(&plan, params, shape);
    return m.fields + m.force + m.solver;
}

/* "b = 1.5, c = 0.5", or all of them and how far S is from a sign */
static void describe_weights(text *lines, const wall_weights *w, const wall_params *p)
{
    const bool symmetric = p->action == WALL_OPTIMAL_SYMMETRIC;
    if (p->action != WALL_OPTIMAL && !symmetric) {
        text_add(lines, "b = %.6g, c = %.6g\n", w->b[0], w->c[0]);
        return;
    }
    text_add(lines, "b = c =");
    for (int s = 0; s < w->slices; s++)
        text_add(lines, " %.6g", w->b[s]);
    const double d = wall_zolotarev_deviation(w->slices, p->lambda_min, p->lambda_max);
    const double largest = symmetric ? 2 * d / (1 + d) : d;
    text_add(lines, "\n|1 - S| at most %.3g for |gamma5 Dw| from %g to %g\n", largest, p->lambda_min,
             p->lambda_max);
}

void wall_describe(text *lines, const void *params, const lattice_shape *shape)
{
    wall_plan plan;
    if (!wall_plan_make(&plan, params, NULL))
        return;
    text_add(lines, "%d slices, ", plan.weights.slices);
    describe_weights(lines, &plan.weights, params);
    for (int n = 0; n < plan.count; n++) {
        text_add(lines, "factor %d: ", n);
        wall_factor_describe(lines, &plan.factor[n]);
        text_add(lines, "\n");
    }
    if (((const wall_params *)params)->solver == SOLVER_ADAPTIVE)
        text_add(lines, "solver adaptive: %s\n", solver_names[wall_plan_solver(&plan, params, shape)]);
    const wall_memory m = memory_of(&plan, params, shape);
    text_add(lines, "memory: fields %s, ", bytes_to_text((double)m.fields).s);
    text_add(lines, "temporaries of the force %s, ", bytes_to_text((double)m.force).s);
    text_add(lines, "solver %s\n", bytes_to_text((double)m.solver).s);
}

/* Eigenvalues of C^+C reach from about (m M5 (2 - M5))^2, M5 (2 - M5) the weight of the wall's mode, or from that of a
 * small residual mass, up to 4. */
#define NORMAL_LARGEST 4.0
#define NORMAL_LEAST 1e-6

/* In a factor of one flavour every solve has the gain of two flavours: the rational functions are powers of size 1/2 at
 * most, and the exact action takes from its solutions what is at a wall, k w of it, which is 2 at most. */
void wall_energy_errors(energy_errors *e, const void *params, const lattice_shape *shape)
{
    const wall_params *p = params;
    const double sites = (double)lattice_global_sites(shape);
    wall_plan plan;
    if (!wall_plan_make(&plan, params, NULL))
        return;
    for (int n = 0; n < plan.count; n++) {
        const wall_factor_plan *f = &plan.factor[n];
        const wall_factor_kind *kind = wall_factor_kinds[f->kind];
        const double wall = f->mass * p->height * (2 - p->height);
        const bool two = kind == &wall_ratio_factor, exact = kind == &wall_exact_factor, given = f->smallest > 0;
        const double smallest = given && !exact ? f->smallest : fmax(wall * wall, NORMAL_LEAST);
        const double gain = (exact ? 2 : 1) * sqrt(NORMAL_LARGEST / smallest);
        const double freedom = 12 * sites * (exact ? 1 : plan.weights.slices / 2.0);
        for (int role = ROLE_HEAT_BATH; role <= ROLE_ACTION; role++)
            for (int solve = 0; solve < (two ? 1 : 2 * f->fields); solve++) {
                energy_errors_add(e, role, freedom, gain, f->residual.of[role], two && role == ROLE_ACTION);
                if (!two && !(exact && role == ROLE_ACTION))
                    energy_errors_add_function(e, role, freedom, f->error.of[role]);
            }
    }
}

work wall_force_work(const void *params, const lattice_shape *shape)
{
    wall_plan plan;
    if (!wall_plan_make(&plan, params, NULL))
        return (work){ 0, 0 };
    const double sites = (double)lattice_local_sites(shape);
    const double links = 4 * sites, terms = needs_of(&plan).terms;
    const work_count apply = wall_normal_work(shape, plan.weights.slices, VECTOR_NATIVE, PRECISION_DOUBLE);
    const double h_bytes = 2 * links * MATRIX_REALS * sizeof(double);               /* read and written */
    return (work){ terms * (apply.flops + links * plan.weights.slices * PRODUCT_FLOPS),
                   terms * (apply.bytes + 4 * vector_bytes(&plan, shape) + h_bytes) };
}

/* In double precision: A, then x, r and p of the base and of each shift, read and written. */
work wall_iteration_work(const void *params, const lattice_shape *shape)
{
    wall_plan plan;
    if (!wall_plan_make(&plan, params, NULL))
        return (work){ 0, 0 };
    const wall_needs all = needs_of(&plan);
    const work_count apply = wall_normal_work(shape, plan.weights.slices, VECTOR_NATIVE, PRECISION_DOUBLE);
    const double vector = vector_bytes(&plan, shape), vectors = 6 * plan.count + 4.0 * all.shifts;
    return (work){ plan.count * apply.flops + vectors * vector / sizeof(double),
                   plan.count * apply.bytes + vectors * vector };
}
