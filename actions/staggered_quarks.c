/* staggered_quarks.c - heat bath, action and force of staggered quarks. */
#include "actions/staggered_quarks.h"

#include "actions/staggered_rationals.h"
#include "actions/staggered_report.h"
#include "actions/staggered_solver.h"
#include "actions/staggered_work.h"
#include "src/base/checksum.h"
#include "src/base/log.h"
#include "src/base/memory.h"
#include "src/lattice/locate.h"
#include "src/lattice/rng.h"
#include "src/operators/staggered.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* The range of the rational functions: the largest eigenvalue found, with so much more, up to an integer; renewed
 * before an eigenvalue is nearer to its end than the second factor. */
#define RANGE_MARGIN 1.1
#define RANGE_NEAR 1.02

/* Steps of Lanczos for the largest eigenvalue. */
enum { SPECTRUM_STEPS = 40 };

typedef struct {
    monomial base;
    char name[32];
    staggered_params params;                       /* scalars only: lists and texts belong to the input */
    staggered_plan plan;
    staggered_links *links;
    staggered_force *force;
    vec *phi[PSEUDOFERMIONS_MAX];
    char phi_name[PSEUDOFERMIONS_MAX][16];
    rational_set rational[PSEUDOFERMIONS_MAX];
    bool from_file;
    char no_file[1];
    double largest;                                /* end of the rational functions' range; 0: not made yet */
    bool changed;                                  /* the input gives other functions than those of the state */
    staggered_solver *solver;
    vec *eta;
    quark_facts facts;
} quarks;

static quarks *quarks_of(const monomial *m)
{
    return m->data;
}

static bool check(const void *params, const lattice_shape *shape, failure *f)
{
    const staggered_params *p = params;
    staggered_plan plan;
    rational_set sets[PSEUDOFERMIONS_MAX];
    (void)shape;
    return staggered_plan_make(&plan, p, f)
           && staggered_rationals(sets, &plan, p, staggered_expected_largest(p), f);
}

static bool make_rationals(quarks *q, double largest, failure *f)
{
    if (!staggered_rationals(q->rational, &q->plan, &q->params, largest, f))
        return false;
    if (q->solver)
        staggered_solver_reserve(q->solver, staggered_most_poles(q->rational, q->plan.count));
    q->largest = q->from_file ? q->rational[0].force.upper : largest;
    return true;
}

static monomial *create(const void *params, const gauge *u)
{
    const staggered_params *p = params;
    lattice *l = u->links.lattice;
    place where = u->links.where;
    precision prec = u->links.precision;
    quarks *q = memory_alloc(sizeof *q, "staggered quarks");
    failure f;
    q->base = (monomial){ &staggered_monomial, q };
    q->params = *p;
    q->from_file = *p->rational_file != '\0';
    snprintf(q->name, sizeof q->name, "%s", p->name);
    require(staggered_plan_make(&q->plan, p, &f), "%s: %s", p->name, f.why);
    q->links = staggered_links_create(&q->plan.links, u);
    q->force = staggered_force_create(&q->plan.links, p->force_filter, u, (precision)p->force_precision);
    for (int n = 0; n < q->plan.count; n++) {
        q->phi[n] = vec_create(l, ON_EVEN, where, prec);
        snprintf(q->phi_name[n], sizeof q->phi_name[n], "pf%d", n);
    }
    q->eta = vec_create(l, ON_EVEN, where, prec);
    require(make_rationals(q, staggered_expected_largest(p), &f), "%s: %s", p->name, f.why);
    q->solver = staggered_solver_create(q->links, u,
                                        staggered_solver_size_of(&q->plan, q->rational, p, lattice_shape_of(l)));
    if (!q->from_file && p->largest_eigenvalue == 0)
        q->largest = 0;                            /* expected, not measured */
    q->params.name = q->name;                      /* from here on nothing of the caller's is used */
    q->params.rational_file = q->no_file;
    q->params.determinants = (param_list){ 0 };
    quark_facts_forget(&q->facts);
    return &q->base;
}

static void free_quarks(monomial *m)
{
    quarks *q = quarks_of(m);
    staggered_links_free(q->links);
    staggered_force_free(q->force);
    for (int n = 0; n < q->plan.count; n++)
        vec_free(q->phi[n]);
    vec_free(q->eta);
    staggered_solver_free(q->solver);
    memory_free(q);
}

static void smear(quarks *q, const gauge *u, monomial_call *c)
{
    monomial_time_begin(c, "links");
    staggered_links_update(q->links, u);
    monomial_time_end(c);
}

/* ---- the range of the spectrum */

static double largest_eigenvalue(quarks *q, int64_t number)
{
    double largest = 0;
    vec_set_gaussian(q->eta, rng_key_for(0, 0, (uint64_t)number, RNG_SPECTRUM), 0);
    for (int set = 0; set < q->plan.links.epsilons; set++) {
        staggered_normal_op op = staggered_normal_operator(q->links, set, staggered_solver_odd(q->solver));
        cg_space *space = staggered_solver_space(q->solver);
        largest = fmax(largest, lanczos_spectrum(&op.base, q->eta, SPECTRUM_STEPS, space).largest);
    }
    return largest;
}

static bool measure_spectrum(quarks *q, const gauge *u, int64_t number, monomial_call *c)
{
    smear(q, u, c);
    monomial_time_begin(c, "spectrum");
    double found = largest_eigenvalue(q, number);
    monomial_time_end(c);
    if (!isfinite(found))
        return fail(&c->trouble, "the largest eigenvalue of K is not a number");
    bool fits = found * RANGE_NEAR <= q->largest, fixed = q->from_file || q->params.largest_eigenvalue > 0;
    bool first = q->largest == 0;
    q->facts.largest_found = found;
    if (!fits && fixed && found > q->largest)
        return fail(&c->trouble, "the largest eigenvalue of K is %.4f, beyond %.4f, where the rational functions end: "
                                 "%s", found, q->largest, q->from_file ? "make a new rational_file"
                                                                       : "raise largest_eigenvalue");
    if (!fits && !fixed) {
        if (!make_rationals(q, ceil(found * RANGE_MARGIN), &c->trouble))
            return false;
        q->facts.renewed = !first;
        if (!first)
            log_line(LOG_WARNING, "%s: an eigenvalue of K is %.4f: the rational functions now reach to %g", q->name,
                     found, q->largest);
    }
    return true;
}

static bool prepare(monomial *m, const gauge *u, int64_t number, monomial_call *c)
{
    quarks *q = quarks_of(m);
    /* Whether these links still have to be smeared depends on what the process did before: what their projection meets
     * is not for the record. */
    smear(q, u, c);
    staggered_projection_facts(q->links);
    bool due = q->largest == 0 || number == 1 || q->changed || number % q->params.measure_every == 0;
    if (due && !measure_spectrum(q, u, number, c))
        return false;
    if (q->changed) {
        q->facts.renewed = true;
        log_line(LOG_WARNING, "%s: the rational functions are no longer those of the trajectories before; they reach "
                              "to %g", q->name, q->largest);
    }
    q->changed = false;
    return true;
}

/* For calls outside trajectories: the range must be known. */
static bool ready(quarks *q, const gauge *u, monomial_call *c)
{
    smear(q, u, c);
    return q->largest != 0 || measure_spectrum(q, u, 0, c);
}

/* Which functions a file has given: 48 bits, which a double holds. */
static double fingerprint(const quarks *q)
{
    uint64_t digest = DIGEST64_START;
    for (int n = 0; n < q->plan.count; n++)
        for (int role = 0; role < ROLES; role++) {
            const rational *r = rational_of(&q->rational[n], role);
            size_t size = (size_t)r->order * sizeof(double);
            digest = digest64(digest, &r->constant, sizeof r->constant);
            digest = digest64(digest64(digest, r->residue, size), r->pole, size);
        }
    return (double)(digest >> 16);
}

static int recall(const monomial *m, double values[MONOMIAL_MEMORY])
{
    const quarks *q = quarks_of(m);
    values[0] = q->largest;
    if (q->from_file)
        values[1] = fingerprint(q);
    return q->from_file ? 2 : 1;
}

static void remember(monomial *m, const double *values, int count)
{
    quarks *q = quarks_of(m);
    failure f;
    bool known = count > 0 && values[0] != 0, fixed = q->from_file || q->params.largest_eigenvalue > 0;
    q->changed = known && q->from_file != (count > 1);
    if (fixed)                                     /* the input, which may be another one now, goes before */
        q->changed |= known && (values[0] != q->largest || (count > 1 && values[1] != fingerprint(q)));
    else if (count > 0 && !known)
        q->largest = 0;
    else if (known && values[0] != q->largest)
        require(make_rationals(q, values[0], &f), "%s: %s", q->name, f.why);
}

/* ---- rational functions of K */

/* What the fields of a group are solved for: the poles of their functions. */
typedef struct {
    shifted system[BATCH_TOGETHER][SHIFTS_MAX];
    staggered_solve field[BATCH_TOGETHER];
} group_solve;

/* Where a solve has met what is no number: in its source, in the links, or first in the solve itself. */
static bool no_number(const quarks *q, int n, int set, monomial_call *c)
{
    const gauge *naik = staggered_naik(q->links);
    const struct { const char *name; const field *f; } suspects[] = {
        { "the source", &q->phi[n]->f },
        { "the fat links", &staggered_fat(q->links, set)->links },
        { "Naik's links", naik ? &naik->links : NULL },
    };
    number_place at;
    for (size_t i = 0; i < sizeof suspects / sizeof *suspects; i++)
        if (suspects[i].f && field_find_bad(suspects[i].f, &at))
            return fail(&c->trouble, "pseudofermion %d: a solve met what is no number: %s, first at site "
                                     "(x y z t) = (%d %d %d %d), number %d there", n, suspects[i].name, at.site[0],
                        at.site[1], at.site[2], at.site[3], at.component);
    return fail(&c->trouble, "pseudofermion %d: a solve came to what is no number; source and links are numbers "
                             "everywhere (kiln replay repeats it)", n);
}

static bool not_converged(const quarks *q, int n, int set, const staggered_solve *s, monomial_call *c)
{
    const multishift_result *result = &s->result;
    for (int k = 0; k < s->count; k++)
        if (!isfinite(result->residual[k]))
            return no_number(q, n, set, c);
    int worst = 0;
    for (int k = 1; k < s->count; k++)
        if (!(result->residual[k] / s->system[k].tolerance <= result->residual[worst] / s->system[worst].tolerance))
            worst = k;
    return fail(&c->trouble, "pseudofermion %d: a solve did not converge: after %d iterations of at most %lld "
                             "the residual of K + %.6g is %.3g, asked is %.3g (max_iterations may be raised)",
                n, result->iterations, (long long)q->params.max_iterations, s->system[worst].shift,
                result->residual[worst], s->system[worst].tolerance);
}

/* x_k = (K + pole_k)^-1 b for the poles of each field's function; b is what the pseudofermions are. */
static bool solve(quarks *q, int role, const field_group *g, monomial_call *c)
{
    group_solve *s = memory_alloc(sizeof *s, "the systems of a solve");
    bool converged = true;
    for (int i = 0; i < g->count; i++) {
        const int n = g->field[i];
        const rational *r = rational_of(&q->rational[n], role);
        for (int k = 0; k < r->order; k++)
            s->system[i][k] = (shifted){ r->pole[k], q->plan.field[n].residual.of[role] };
        s->field[i] = (staggered_solve){ .system = s->system[i], .count = r->order, .b = q->phi[n] };
    }
    monomial_time_begin(c, "solve");
    staggered_solver_run(q->solver, g->set, role, s->field, g->count, (int)q->params.max_iterations);
    monomial_time_end(c);
    for (int i = 0; i < g->count; i++) {
        quark_facts_add(&q->facts, g->field[i], role, &s->field[i].result, s->field[i].count);
        mixed_record_add(&q->facts.mixed[role], &s->field[i].record);
        if (converged && !s->field[i].result.converged)
            converged = not_converged(q, g->field[i], g->set, &s->field[i], c);
    }
    memory_free(s);
    return converged;
}

/* out = r(K) phi of a field that has just been solved for, the i-th of its group. */
static void combine(const quarks *q, vec *out, int role, int n, int i)
{
    const rational *r = rational_of(&q->rational[n], role);
    vec_combine(out, r->constant, q->phi[n], r->residue, staggered_solver_x(q->solver, i), r->order);
}

static bool refresh(monomial *m, const gauge *u, rng_key key, monomial_call *c)
{
    quarks *q = quarks_of(m);
    if (!ready(q, u, c))
        return false;
    const field_groups all = staggered_groups(&q->plan, &q->params);
    for (int j = 0; j < all.count; j++) {
        const field_group *g = &all.group[j];
        for (int i = 0; i < g->count; i++) {
            vec_set_gaussian(q->phi[g->field[i]], key, (uint32_t)g->field[i] * VECTOR_DRAWS);
            c->drawn += vec_norm2(q->phi[g->field[i]]);
        }
        if (!solve(q, ROLE_HEAT_BATH, g, c))
            return false;
        for (int i = 0; i < g->count; i++)
            combine(q, q->phi[g->field[i]], ROLE_HEAT_BATH, g->field[i], i);
    }
    return true;
}

static bool action(double *value, monomial *m, const gauge *u, monomial_call *c)
{
    quarks *q = quarks_of(m);
    if (!ready(q, u, c))
        return false;
    const field_groups all = staggered_groups(&q->plan, &q->params);
    double of[PSEUDOFERMIONS_MAX];
    for (int j = 0; j < all.count; j++) {
        const field_group *g = &all.group[j];
        if (!solve(q, ROLE_ACTION, g, c))
            return false;
        for (int i = 0; i < g->count; i++) {
            combine(q, q->eta, ROLE_ACTION, g->field[i], i);
            of[g->field[i]] = vec_norm2(q->eta);
        }
    }
    *value = 0;
    for (int n = 0; n < q->plan.count; n++)                  /* in an order that does not depend on the groups */
        *value += of[n];
    return true;
}

/* The outer products of a field that has just been solved for, the i-th of its group. */
static void add_products(quarks *q, int set, int n, int i)
{
    const rational *r = &q->rational[n].force;
    vec *const *x = staggered_solver_x(q->solver, i), *const *y = staggered_solver_room(q->solver, i);
    for (int k = 0; k < r->order; k++) {                     /* y = D_oe x on odd sites */
        vec_move_to(y[k], ON_ODD);
        staggered_hop(y[k], q->links, set, x[k]);
    }
    staggered_force_add(q->force, set, r->residue, x, y, r->order);
    for (int k = 0; k < r->order; k++)
        vec_move_to(y[k], ON_EVEN);
}

static bool add_force(monomial *m, const gauge *u, momentum *p, double weight, sum_cell *size, monomial_call *c)
{
    quarks *q = quarks_of(m);
    if (!ready(q, u, c))
        return false;
    const field_groups all = staggered_groups(&q->plan, &q->params);
    staggered_force_begin(q->force);
    for (int j = 0; j < all.count; j++) {
        const field_group *g = &all.group[j];
        if (!solve(q, ROLE_FORCE, g, c))
            return false;
        monomial_time_begin(c, "outer products");
        for (int i = 0; i < g->count; i++)
            add_products(q, g->set, g->field[i], i);
        monomial_time_end(c);
    }
    monomial_time_begin(c, "chain rule");
    staggered_force_finish(q->force, q->links, u, p, weight, size);
    monomial_time_end(c);
    return true;
}

static void report(monomial *m, json *j)
{
    quarks *q = quarks_of(m);
    quark_facts_meet(&q->facts, staggered_projection_facts(q->links), staggered_force_facts(q->force));
    q->facts.largest_allowed = q->largest;
    quark_facts_report(&q->facts, &q->plan, q->name, lattice_global(q->eta->f.lattice), j);
    quark_facts_forget(&q->facts);
}

/* Every solve begins from zero, and functions come back with the memory: only the report has a past. */
static void progress(monomial *m, number_row *row)
{
    quarks *q = quarks_of(m);
    quark_facts_meet(&q->facts, staggered_projection_facts(q->links), staggered_force_facts(q->force));
    quark_facts_row(&q->facts, q->plan.count, row);
    number_row_bool(row, &q->changed);
}

static field *field_at(monomial *m, int index, const char **name)
{
    quarks *q = quarks_of(m);
    if (index >= q->plan.count)
        return NULL;
    if (name)
        *name = q->phi_name[index];
    return &q->phi[index]->f;
}

const monomial_kind staggered_monomial = {
    .input = { .name = "staggered",
               .doc = "rooted determinants of staggered quarks (HISQ, Asqtad, naive) by RHMC, with Hasenbusch ratios "
                      "and n-th roots",
               .params = staggered_specs,
               .size = sizeof(staggered_params) },
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
    .bytes = staggered_bytes,
    .force_work = staggered_force_work,
    .iteration_work = staggered_iteration_work,
    .energy_errors = staggered_energy_errors,
    .describe = staggered_describe,
};
