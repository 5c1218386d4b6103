/* rational_fields.c - RHMC: refresh, action and force of pseudofermions whose weights are functions of C^+C. */
#include "actions/rational_fields.h"

#include "actions/factors.h"
#include "src/base/checksum.h"
#include "src/base/log.h"
#include "src/base/memory.h"
#include "src/lattice/locate.h"
#include "src/lattice/rng.h"
#include "src/solvers/solve_advice.h"

#include <math.h>

/* The range of the rational functions ends at the measured largest eigenvalue times RANGE_MARGIN, rounded up to an
 * integer.  A new range is chosen when the largest eigenvalue times RANGE_NEAR is above the end of the range. */
#define RANGE_MARGIN 1.1
#define RANGE_NEAR 1.02

/* Steps of Lanczos for the largest eigenvalue. */
enum { SPECTRUM_STEPS = 40 };

typedef struct {
    rational_fields_plan plan;
    rational_groups groups;
    int matrices;                                  /* number of different C among the fields */
    dirac_matrix *matrix[PSEUDOFERMIONS_MAX];
    vec *phi[PSEUDOFERMIONS_MAX], *eta;
    double largest;                                /* end of the range of the rational functions; 0: unknown */
    bool changed;                                  /* the functions of the input differ from those of the state */
    double found;                                  /* largest eigenvalue measured since the last report; 0: none */
    bool renewed;                                  /* since the last report, the functions have changed */
} rational_fields;

/* solution: the vector for solution k of field i of a group.  image: scratch vector k on kind->image, for C x_k. */
static vec *solution(const quark_context *q, int i, int k)
{
    return dirac_solver_scratch(q->solver, q->d->kind->home, k * BATCH_MAX_RHS + i);
}

static vec *image(const quark_context *q, int k)
{
    return dirac_solver_spare(q->solver, q->d->kind->image, k);
}

/* Allocates the memory that the current functions need, before a trajectory begins. */
static void reserve(const rational_fields *r, const quark_context *q)
{
    const int poles = rational_most_poles(r->plan.set, r->plan.count);
    dirac_solver_reserve(q->solver, poles);
    for (int k = 0; k < poles; k++) {
        for (int i = 0; i < rational_fields_max_rhs(&r->plan); i++)
            solution(q, i, k);
        image(q, k);
    }
}

static bool make_functions(rational_fields *r, double largest, failure *f)
{
    if (!r->plan.make(r->plan.set, r->plan.of, largest, f))
        return false;
    r->largest = largest;
    return true;
}

static void *create_factor(const quark_factor_plan *p, const quark_context *q)
{
    const dirac_kind *kind = q->d->kind;
    const vec_storage full = dirac_full_storage(q->d);
    rational_fields *r = memory_alloc(sizeof *r, "pseudofermions");
    r->plan = *(const rational_fields_plan *)p->more;
    r->groups = rational_groups_of(&r->plan);
    for (int n = 0; n < r->plan.count; n++) {
        r->phi[n] = dirac_vec_create(q->d, kind->home, full);
        if (rational_first_alike(&r->plan, n) == n)
            r->matrix[r->matrices++] = kind->matrix(q->d, r->plan.matrix[n]);
    }
    r->eta = dirac_vec_create(q->d, kind->home, full);
    r->largest = r->plan.largest;
    reserve(r, q);
    return r;
}

static void free_data(void *data)
{
    rational_fields *r = data;
    for (int n = 0; n < r->plan.count; n++)
        vec_free(r->phi[n]);
    for (int n = 0; n < r->matrices; n++)
        memory_free(r->matrix[n]);
    vec_free(r->eta);
    memory_free(r);
}

static vec *pseudofermion_at(void *data, int index)
{
    rational_fields *r = data;
    return index < r->plan.count ? r->phi[index] : NULL;
}

/* ---- the range of the spectrum */

static double largest_eigenvalue(rational_fields *r, const quark_context *q, int64_t number)
{
    double largest = 0;
    vec_set_gaussian(r->eta, rng_key_for(0, 0, (uint64_t)number, RNG_SPECTRUM), 0);
    for (int m = 0; m < r->matrices; m++)
        largest = fmax(largest, dirac_largest_eigenvalue(q->solver, r->matrix[m], r->eta, SPECTRUM_STEPS));
    return largest;
}

static bool measure_spectrum(rational_fields *r, const quark_context *q, int64_t number, monomial_call *c)
{
    monomial_time_begin(c, "spectrum");
    double found = largest_eigenvalue(r, q, number);
    monomial_time_end(c);
    if (!isfinite(found))
        return fail(&c->failure, "the largest eigenvalue of C^+C is not a number");
    bool fits = found * RANGE_NEAR <= r->largest, fixed = r->plan.fixed;
    bool first = r->largest == 0;
    r->found = found;
    if (!fits && fixed && found > r->largest)
        return fail(&c->failure, "the largest eigenvalue of C^+C is %.4f, above %.4f, the end of the range of the "
                                 "rational functions: %s", found, r->largest,
                    r->plan.from_file ? "make a new rational_file" : "raise largest_eigenvalue");
    if (!fits && !fixed) {
        if (!make_functions(r, ceil(found * RANGE_MARGIN), &c->failure))
            return false;
        r->renewed = !first;
        if (!first)
            log_line(LOG_WARNING, "%s: an eigenvalue of C^+C is %.4f: range of the rational functions extended to %g",
                     r->plan.name, found, r->largest);
    }
    return true;
}

static bool prepare_functions(quark_factor *x, const quark_context *q, int64_t number, monomial_call *c)
{
    rational_fields *r = x->data;
    bool due = r->largest == 0 || number == 1 || r->changed || number % r->plan.measure_every == 0;
    if (due && !measure_spectrum(r, q, number, c))
        return false;
    if (r->changed) {
        r->renewed = true;
        log_line(LOG_WARNING, "%s: the rational functions differ from those of the trajectories before; their range "
                              "ends at %g", r->plan.name, r->largest);
    }
    r->changed = false;
    return true;
}

/* For calls outside trajectories: measure the range if it is unknown. */
static bool ready(rational_fields *r, const quark_context *q, monomial_call *c)
{
    return r->largest != 0 || measure_spectrum(r, q, 0, c);
}

/* Identifies the functions of a file: 48 bits, which a double can store. */
static double fingerprint(const rational_fields *r)
{
    uint64_t digest = DIGEST64_START;
    for (int n = 0; n < r->plan.count; n++)
        for (int role = 0; role < ROLES; role++) {
            const rational *f = rational_of(&r->plan.set[n], role);
            size_t size = (size_t)f->order * sizeof(double);
            digest = digest64(digest, &f->constant, sizeof f->constant);
            digest = digest64(digest64(digest, f->residue, size), f->pole, size);
        }
    return (double)(digest >> 16);
}

static int get_memory_of_range(const void *data, double values[QUARK_FACTOR_MEMORY])
{
    const rational_fields *r = data;
    values[0] = r->largest;
    if (r->plan.from_file)
        values[1] = fingerprint(r);
    return r->plan.from_file ? 2 : 1;
}

static int set_memory(void *data, const double *values, int count)
{
    rational_fields *r = data;
    failure f;
    bool known = count > 0 && values[0] != 0, fixed = r->plan.fixed;
    r->changed = known && r->plan.from_file != (count > 1);
    if (fixed)                                     /* the input takes precedence over the state */
        r->changed |= known && (values[0] != r->largest || (count > 1 && values[1] != fingerprint(r)));
    else if (count > 0 && !known)
        r->largest = 0;
    else if (known && values[0] != r->largest)
        require(make_functions(r, values[0], &f), "%s: %s", r->plan.name, f.why);
    return count;
}

/* ---- rational functions of C^+C */

/* The linear systems of a group of fields: one for each pole of the rational function of each field. */
typedef struct {
    shifted system[BATCH_MAX_RHS][SHIFTS_MAX];
    vec *x[BATCH_MAX_RHS][SHIFTS_MAX];
    dirac_shifts_task task[BATCH_MAX_RHS];
} group_solve;

/* Fails with the origin of non-finite numbers: the source, the links, or the solve itself. */
static bool fail_non_finite(const rational_fields *r, int n, const dirac_operator *d, const dirac_matrix *m,
                            monomial_call *c)
{
    const char *name = "the source";
    const field *f = &r->phi[n]->f;
    field_component at;
    for (int i = 0; f; f = d->kind->links_at ? d->kind->links_at(d, m, i++, &name) : NULL)
        if (field_find_nonfinite(f, &at))
            return fail(&c->failure, "pseudofermion %d: a solve has non-finite numbers: in %s, first at site "
                                     "(x y z t) = (%d %d %d %d), number %d there", n, name, at.site[0], at.site[1],
                        at.site[2], at.site[3], at.component);
    return fail(&c->failure, "pseudofermion %d: a solve has non-finite numbers, but source and links are finite "
                             "(kiln replay repeats it)", n);
}

static bool not_converged(const rational_fields *r, const quark_context *q, int n, const dirac_matrix *m,
                          const dirac_shifts_task *s, monomial_call *c)
{
    const multishift_result *result = &s->result;
    for (int k = 0; k < s->count; k++)
        if (!isfinite(result->residual[k]))
            return fail_non_finite(r, n, q->d, m, c);
    int worst = 0;
    for (int k = 1; k < s->count; k++)
        if (!(result->residual[k] / s->system[k].tolerance <= result->residual[worst] / s->system[worst].tolerance))
            worst = k;
    return fail(&c->failure, "pseudofermion %d: a solve did not converge: after %d of at most %d iterations the "
                             "residual of C^+C + %.6g is %.3g, the goal is %.3g (%s)", n,
                result->iterations, q->max_iterations, s->system[worst].shift, result->residual[worst],
                s->system[worst].tolerance, solve_advice_for(result->spent, result->residual[worst]).s);
}

/* Solve x_k = (C^+C + pole_k)^-1 b for the poles of the function of each field; b is its pseudofermion. */
static bool solve_systems(quark_factor *x, const quark_context *q, int role, const rational_group *g, monomial_call *c)
{
    const rational_fields *r = x->data;
    const dirac_matrix *m = r->matrix[g->matrix];
    const dirac_goal goal = quark_goal(x, q, role);
    group_solve *s = memory_alloc(sizeof *s, "the systems of a solve");
    bool converged = true;
    for (int i = 0; i < g->count; i++) {
        const int n = g->field[i];
        const rational *f = rational_of(&r->plan.set[n], role);
        for (int k = 0; k < f->order; k++) {
            s->system[i][k] = (shifted){ f->pole[k], r->plan.residual[n].of[role] };
            s->x[i][k] = solution(q, i, k);
        }
        s->task[i] = (dirac_shifts_task){ .x = s->x[i], .system = s->system[i], .count = f->order, .b = r->phi[n] };
    }
    monomial_time_begin(c, "solve");
    dirac_solve_shifts(q->solver, m, s->task, g->count, &goal);
    monomial_time_end(c);
    for (int i = 0; i < g->count; i++) {
        const dirac_solved solved = dirac_shifts_solved(&s->task[i]);
        solve_facts_add(&x->of[g->field[i]][role], solved.iterations, solved.polish_iterations, solved.residual);
        mixed_record_add(&x->mixed[role], &solved.record);
        if (converged && !solved.converged)
            converged = not_converged(r, q, g->field[i], m, &s->task[i], c);
    }
    memory_free(s);
    return converged;
}

/* out = r(C^+C) phi for the i-th field of the group that was solved last. */
static void combine_solutions(const rational_fields *r, const quark_context *q, vec *out, int role, int n, int i)
{
    const rational *f = rational_of(&r->plan.set[n], role);
    vec *x[SHIFTS_MAX];
    for (int k = 0; k < f->order; k++)
        x[k] = solution(q, i, k);
    vec_combine(out, f->constant, r->phi[n], f->residue, x, f->order);
}

static bool refresh_fields(quark_factor *x, const quark_context *q, rng_key key, monomial_call *c)
{
    rational_fields *r = x->data;
    if (!ready(r, q, c))
        return false;
    for (int j = 0; j < r->groups.count; j++) {
        const rational_group *g = &r->groups.group[j];
        for (int i = 0; i < g->count; i++) {
            vec *phi = r->phi[g->field[i]];
            const uint32_t draw = (uint32_t)(g->field[i] * phi->f.slabs * VECTOR_DRAWS);
            vec_set_gaussian(phi, key, x->plan.first_draw + draw);
            c->drawn += vec_norm2(phi);
        }
        if (!solve_systems(x, q, ROLE_REFRESH, g, c))
            return false;
        for (int i = 0; i < g->count; i++)
            combine_solutions(r, q, r->phi[g->field[i]], ROLE_REFRESH, g->field[i], i);
    }
    return true;
}

static bool compute_action(double *value, quark_factor *x, const quark_context *q, monomial_call *c)
{
    rational_fields *r = x->data;
    double of[PSEUDOFERMIONS_MAX];
    if (!ready(r, q, c))
        return false;
    for (int j = 0; j < r->groups.count; j++) {
        const rational_group *g = &r->groups.group[j];
        if (!solve_systems(x, q, ROLE_ACTION, g, c))
            return false;
        for (int i = 0; i < g->count; i++) {
            combine_solutions(r, q, r->eta, ROLE_ACTION, g->field[i], i);
            of[g->field[i]] = vec_norm2(r->eta);
        }
    }
    *value = 0;
    for (int n = 0; n < r->plan.count; n++)                  /* in an order that does not depend on the groups */
        *value += of[n];
    return true;
}

/* Adds the force of field i of the group that was solved last: dS = sum_k -2 a_k Re (C x_k)^+ dC x_k */
static void add_pairs(const rational_fields *r, const quark_context *q, const dirac_matrix *m, int n, int i)
{
    const rational *f = &r->plan.set[n].force;
    vec *x[SHIFTS_MAX], *y[SHIFTS_MAX];
    double a[SHIFTS_MAX];
    for (int k = 0; k < f->order; k++) {
        x[k] = solution(q, i, k);
        y[k] = image(q, k);
        a[k] = -f->residue[k];
        dirac_solver_apply(y[k], q->solver, m, false, x[k]);
    }
    q->d->kind->force_add(q->d, m, a, x, y, f->order);
}

static bool add_force(quark_factor *x, const quark_context *q, monomial_call *c)
{
    rational_fields *r = x->data;
    if (!ready(r, q, c))
        return false;
    for (int j = 0; j < r->groups.count; j++) {
        const rational_group *g = &r->groups.group[j];
        if (!solve_systems(x, q, ROLE_FORCE, g, c))
            return false;
        monomial_time_begin(c, "outer products");
        for (int i = 0; i < g->count; i++)
            add_pairs(r, q, r->matrix[g->matrix], g->field[i], i);
        monomial_time_end(c);
    }
    return true;
}

/* For mid-trajectory checkpoints: only numbers for the report (solves start at 0, set_memory restores functions). */
static void progress(void *data, number_row *row)
{
    rational_fields *r = data;
    double none = 0;                /* the second number is not used, and always 0 */
    number_row_real(row, &r->found);
    number_row_real(row, &none);
    number_row_bool(row, &r->renewed);
    number_row_bool(row, &r->changed);
}

static void report_more(void *data, json *j)
{
    rational_fields *r = data;
    json_open(j, "spectrum", '{');
    if (r->found > 0)
        json_real(j, "largest_eigenvalue", r->found);
    json_real(j, "range_end", r->largest);
    if (r->renewed)
        json_bool(j, "range_renewed", true);
    json_close(j);
    r->found = 0;
    r->renewed = false;
}

const quark_factor_kind rational_fields_factor = {
    .name = "rational",
    .create = create_factor,
    .free = free_data,
    .prepare = prepare_functions,
    .refresh = refresh_fields,
    .action = compute_action,
    .add_force = add_force,
    .field = pseudofermion_at,
    .get_memory = get_memory_of_range,
    .set_memory = set_memory,
    .entries = rational_fields_entries,
    .describe = rational_fields_describe,
    .describe_functions = rational_fields_describe_functions,
    .report_more = report_more,
    .progress = progress,
    .vectors = rational_fields_vectors,
    .scratch = rational_fields_scratch,
    .spare = rational_fields_shifts,
    .shifts = rational_fields_shifts,
    .pairs = rational_fields_pairs,
    .iteration = rational_fields_iteration,
    .energy_errors = rational_fields_energy_errors,
};
