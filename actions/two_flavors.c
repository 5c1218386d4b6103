/* two_flavors.c - two flavors of quarks, divided by two heavier ones or alone.
 *
 *     S = phi^+ V (C^+C)^-1 V^+ phi,   C = C(m), V = C(M), with their twists;  alone, V = 1 and phi is on `home`
 *     refresh     phi = V (V^+V)^-1 C^+ eta, eta with density exp(-|eta|^2)
 *     force       dS = 2 Re phi^+ dV X - 2 Re Y^+ dC X,   X = (C^+C)^-1 V^+ phi,  Y = C X
 *                    = 2 Re (phi - Y)^+ dC X   where V and C differ by a constant: dV = dC
 *
 * Ratios: M. Hasenbusch, hep-lat/0107019.  With b = V^+ phi, S is the maximum over x of 2 Re b^+ x - |C x|^2: computed
 * in this way, its error is of second order in the error of X.
 *
 * Methods that solve with C itself (BiCGstab) solve for X as C^+ Y = V^+ phi, C X = Y, and for the refresh as
 * V^+ phi = C^+ eta (dirac_solver.h).
 *
 * With chronological inversion, solutions of earlier forces give the start vector of the next solve
 * (start_vectors.h). */
#include "actions/factors.h"
#include "actions/start_vectors.h"

#include "src/base/memory.h"

typedef struct {
    dirac_matrix *c, *v;                           /* v NULL: alone */
    vec *phi;
    quark_start start;
    start_vectors past;                            /* solutions of the force */
} two_flavors;

/* Scratch vectors borrowed from the solver.  Spare vectors hold the images of stored solutions before a solve; the
 * first one also holds eta in a refresh and C X in action and force. */
enum { SOURCE, SOLUTION, BORROWED };

static void *create_factor(const quark_factor_plan *p, const quark_context *q)
{
    two_flavors *r = memory_alloc(sizeof *r, "two flavors of quarks");
    const dirac_operator *d = q->d;
    const vec_storage full = dirac_full_storage(d);
    r->c = d->kind->matrix(d, p->light);
    r->v = p->alone ? NULL : d->kind->matrix(d, p->heavy);
    r->phi = dirac_vec_create(d, p->alone ? d->kind->home : d->kind->image, full);
    r->start = (quark_start){ 0 };
    r->past.capacity = p->chronological;
    r->past.solution = memory_alloc((size_t)(r->past.capacity + 1) * sizeof *r->past.solution, "solutions");
    for (int i = 0; i < r->past.capacity; i++)
        r->past.solution[i] = dirac_vec_create(d, d->kind->home, full);
    return r;
}

static void free_data(void *data)
{
    two_flavors *r = data;
    for (int i = 0; i < r->past.capacity; i++)
        vec_free(r->past.solution[i]);
    memory_free(r->past.solution);
    vec_free(r->phi);
    memory_free(r->v);
    memory_free(r->c);
    memory_free(r);
}

static vec *borrowed(const quark_context *q, int i)
{
    return dirac_solver_scratch(q->solver, q->d->kind->home, i);
}

static vec *image_at(const quark_context *q, int i)
{
    return dirac_solver_spare(q->solver, q->d->kind->image, i);
}

/* SOLUTION <- (C^+C)^-1 SOURCE, starting from its current value. */
static bool solve_system(quark_factor *x, const quark_context *q, const dirac_matrix *m, int role, const char *of,
                  monomial_call *c)
{
    const dirac_goal goal = quark_goal(x, q, role);
    vec *const solution = borrowed(q, SOLUTION), *const source = borrowed(q, SOURCE);
    monomial_time_begin(c, "solve");
    dirac_solved s = dirac_solve(q->solver, m, solution, source, &goal);
    monomial_time_end(c);
    return quark_solve_ended(x, q, role, of, &s, c);
}

/* phi <- V (V^+V)^-1 SOURCE = (V^+)^-1 SOURCE */
static bool solve_denominator(quark_factor *x, const quark_context *q, monomial_call *c)
{
    two_flavors *r = x->data;
    const dirac_goal goal = quark_goal(x, q, ROLE_REFRESH);
    monomial_time_begin(c, "solve");
    const dirac_solved s = dirac_solve_dagger(q->solver, r->v, r->phi, borrowed(q, SOURCE), borrowed(q, SOLUTION),
                                              &goal);
    monomial_time_end(c);
    return quark_solve_ended(x, q, ROLE_REFRESH, "the denominator", &s, c);
}

static bool refresh_field(quark_factor *x, const quark_context *q, rng_key key, monomial_call *c)
{
    two_flavors *r = x->data;
    vec *const eta = image_at(q, 0), *const source = r->v ? borrowed(q, SOURCE) : r->phi;
    r->past.count = 0;
    vec_set_gaussian(eta, key, x->plan.first_draw);
    const double eta_norm2 = vec_norm2(eta);
    dirac_solver_apply(source, q->solver, r->c, true, eta);
    if (r->v && !solve_denominator(x, q, c))
        return false;
    quark_start_drawn(&r->start, eta_norm2, q, c);
    return true;
}

/* SOURCE <- V^+ phi */
static void make_source(const two_flavors *r, const quark_context *q)
{
    if (r->v)
        dirac_solver_apply(borrowed(q, SOURCE), q->solver, r->v, true, r->phi);
    else
        vec_copy(borrowed(q, SOURCE), r->phi);
}

static bool compute_action(double *value, quark_factor *x, const quark_context *q, monomial_call *c)
{
    two_flavors *r = x->data;
    make_source(r, q);
    vec_zero(borrowed(q, SOLUTION));
    if (!solve_system(x, q, r->c, ROLE_ACTION, "the numerator", c))
        return false;
    dirac_solver_apply(image_at(q, 0), q->solver, r->c, false, borrowed(q, SOLUTION));
    *value = 2 * vec_dot(borrowed(q, SOURCE), borrowed(q, SOLUTION)).re - vec_norm2(image_at(q, 0));
    return quark_start_action(&r->start, *value, x, q, "its solves are less accurate than their residuals", c);
}

static void forecast_solution(two_flavors *r, const quark_context *q)
{
    vec *image[START_VECTORS_MAX];
    for (int i = 0; i < r->past.count; i++)
        image[i] = image_at(q, i);
    start_vectors_combine(&r->past, borrowed(q, SOLUTION), q->solver, r->c, borrowed(q, SOURCE), image);
}

static bool add_force(quark_factor *x, const quark_context *q, monomial_call *c)
{
    static const double plus = 1, minus = -1;
    two_flavors *r = x->data;
    const dirac_kind *kind = q->d->kind;
    vec *const solution = borrowed(q, SOLUTION), *const image = image_at(q, 0);
    make_source(r, q);
    if (r->past.count > 0) {
        monomial_time_begin(c, "start vector");
        forecast_solution(r, q);
        monomial_time_end(c);
    } else
        vec_zero(solution);
    if (!solve_system(x, q, r->c, ROLE_FORCE, "the numerator", c))
        return false;
    if (r->past.capacity > 0)
        start_vectors_keep(&r->past, solution);
    monomial_time_begin(c, "outer products");
    dirac_solver_apply(image, q->solver, r->c, false, solution);
    if (x->plan.one_derivative)
        vec_axpy(image, -1, r->phi);                               /* Y - phi */
    else if (r->v)
        kind->force_add(q->d, r->v, &plus, &solution, &r->phi, 1);
    kind->force_add(q->d, r->c, &minus, &solution, &image, 1);
    monomial_time_end(c);
    return true;
}

static vec *pseudofermion_at(void *data, int index)
{
    two_flavors *r = data;
    return index == 0 ? r->phi : NULL;
}

static void progress(void *data, number_row *row)
{
    two_flavors *r = data;
    quark_start_row(&r->start, row);
    number_row_int(row, &r->past.count);
    r->past.count = r->past.count < r->past.capacity ? r->past.count : r->past.capacity;
}

static vec *start_vector_at(void *data, int index)
{
    two_flavors *r = data;
    return index < r->past.count ? r->past.solution[index] : NULL;
}

static int start_vectors_most(const quark_factor_plan *p)
{
    return p->chronological;
}

static void describe_factor(text *out, const quark_factor_plan *p, const dirac_plan *d, int entry)
{
    (void)entry;
    quark_describe_ratio(out, p, d);
}

static void report_factor(const void *data, int entry, json *j)
{
    const two_flavors *r = data;
    (void)entry;
    quark_start_report(&r->start, j);
}

static int vectors(const quark_factor_plan *p)
{
    return 1 + p->chronological;
}

static int scratch(const quark_factor_plan *p)
{
    (void)p;
    return BORROWED;
}

static int spare(const quark_factor_plan *p)
{
    return p->chronological > 1 ? p->chronological : 1;
}

static int pairs(const quark_factor_plan *p)
{
    return p->alone || p->one_derivative ? 1 : 2;
}

/* One C^+C; the vectors x, r and p are read and written. */
static quark_iteration iteration(const quark_factor_plan *p)
{
    (void)p;
    return (quark_iteration){ 1, 6 };
}

static void add_energy_errors(energy_errors *e, const quark_factor_plan *p, const dirac_plan *d,
                              const lattice_shape *shape)
{
    const double gain = quark_gain(d->kind->range(d, p->light));
    for (int role = p->alone ? ROLE_ACTION : ROLE_REFRESH; role <= ROLE_ACTION; role++)
        energy_errors_add(e, role, quark_freedom(d, shape), gain, p->residual.of[role], role == ROLE_ACTION);
}

const quark_factor_kind two_flavors_factor = {
    .name = "two_flavors",
    .flavors = 2,
    .create = create_factor,
    .free = free_data,
    .refresh = refresh_field,
    .action = compute_action,
    .add_force = add_force,
    .field = pseudofermion_at,
    .describe = describe_factor,
    .report = report_factor,
    .progress = progress,
    .start_vector_at = start_vector_at,
    .start_vectors_most = start_vectors_most,
    .vectors = vectors,
    .scratch = scratch,
    .spare = spare,
    .pairs = pairs,
    .iteration = iteration,
    .energy_errors = add_energy_errors,
};
