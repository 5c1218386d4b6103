/* wall_rational.c - one flavour of domain-wall quarks by rational functions, in n equal fields.
 *
 *     S = sum_i phi_i^+ R1 Rm R1 phi_i,   R1 ~ (V^+V)^(1/4n),  Rm ~ (C^+C)^(-1/2n),   C = C(m), V = C(M)
 *     heat bath: phi_i = (V^+V)^(-1/4n) (C^+C)^(1/4n) eta_i
 *
 * M. A. Clark and A. D. Kennedy, hep-lat/0608015.  With r(x) = constant + sum_k a_k / (x + b_k) and chi = Rm R1 phi,
 *     z_k = (C^+C + b_k)^-1 R1 phi,   p_k = (V^+V + b_k)^-1 phi,   q_k = (V^+V + b_k)^-1 chi,
 *     dS = sum_k -2 a_k Re (C z_k)^+ dC z_k + sum_k -2 a_k Re [(V q_k)^+ dV p_k + (V p_k)^+ dV q_k]. */
#include "actions/wall_one_flavor.h"

#include "src/base/memory.h"
#include "src/lattice/rng.h"

#include <math.h>

/* The spectrum: steps of Lanczos for the largest eigenvalue; steps of inverse iteration, to a residual, for the
 * smallest one, which end above it. */
enum { LARGEST_STEPS = 40, SMALLEST_STEPS = 4 };
#define SMALLEST_RESIDUAL 1e-4
#define RANGE_BELOW 0.5
#define RANGE_ABOVE 1.1

/* Of what is not measured yet: for checks of the input and plans. */
static const wall_range expected_range = { .smallest = 1e-5, .largest = 4 };

/* Scratch vectors of the force by their number: p; z, later q; R1 phi and chi; C z, or V p and V q.  The action has its
 * z_k from 0 on. */
enum { POLES_TOGETHER = WALL_TERMS_TOGETHER / 2 };
enum { FORCE_POLES = 28, AT_P = 0, AT_Z = FORCE_POLES, AT_PSI = 2 * FORCE_POLES, AT_CHI, AT_Y };
_Static_assert((int)AT_Y + (int)WALL_TERMS_TOGETHER <= (int)WALL_SCRATCH, "vectors of the force");
_Static_assert((int)RATIONAL_POLES <= (int)AT_PSI, "vectors of the action");

/* The functions of V^+V and C^+C of a role. */
typedef struct { rational heavy, light; } functions;

typedef struct {
    wall_matrix light, heavy;
    int fields;
    role_values error;
    wall_range range;
    wall_start start;
    functions of[ROLES];
    vec *phi[WALL_FIELDS_MAX];
} rational_flavor;

/* ---- functions */

static bool make_functions(functions of[ROLES], int fields, role_values error, const wall_range *range, failure *f)
{
    for (int role = 0; role < ROLES; role++) {
        const bool heat_bath = role == ROLE_HEAT_BATH;
        failure why;
        if (!wall_power(&of[role].heavy, heat_bath ? -1 : 1, 4 * fields, range, error.of[role], &why)
            || !wall_power(&of[role].light, heat_bath ? 1 : -1, (heat_bath ? 4 : 2) * fields, range, error.of[role],
                           &why))
            return fail(f, "%s: %s", role_names[role], why.why);
    }
    if (of[ROLE_FORCE].heavy.order > FORCE_POLES || of[ROLE_FORCE].light.order > FORCE_POLES)
        return fail(f, "force: an error of %g needs %d and %d poles, but at most %d are possible", error.of[ROLE_FORCE],
                    of[ROLE_FORCE].heavy.order, of[ROLE_FORCE].light.order, FORCE_POLES);
    return true;
}

static bool check(const wall_factor_plan *p, const wall_weights *w, failure *f)
{
    (void)w;
    if (p->fields < 1 || p->fields > WALL_FIELDS_MAX)
        return fail(f, "%d fields: from 1 to %d are possible", p->fields, WALL_FIELDS_MAX);
    for (int role = 0; role < ROLES; role++)
        if (!wall_power_check(-1, 2 * p->fields, role == ROLE_FORCE ? FORCE_POLES : RATIONAL_POLES, p, role,
                              &expected_range, f))
            return false;
    return true;
}

static void *create(const wall_factor_plan *p, const wall_shop *shop, const gauge *u)
{
    const wall_weights *w = &shop->weights;
    const fifth_corner none = { 0, 0, 0 };
    rational_flavor *d = memory_alloc(sizeof *d, "one flavour of domain-wall quarks");
    failure f;
    d->light = wall_matrix_of(w, p->mass, none);
    d->heavy = wall_matrix_of(w, p->heavy, none);
    d->fields = p->fields;
    d->error = p->error;
    d->range = wall_range_of(p);
    d->start = (wall_start){ 0 };
    for (int i = 0; i < d->fields; i++)
        d->phi[i] = wall_vec_create(u->links.lattice, ON_ODD, u->links.where, PRECISION_DOUBLE, w->slices);
    if (d->range.largest > 0)
        require(make_functions(d->of, d->fields, d->error, &d->range, &f), "%s", f.why);
    return d;
}

static void free_data(void *data)
{
    rational_flavor *d = data;
    for (int i = 0; i < d->fields; i++)
        vec_free(d->phi[i]);
    memory_free(d);
}

static vec *field_at(void *data, int index)
{
    rational_flavor *d = data;
    return index < d->fields ? d->phi[index] : NULL;
}

/* ---- the spectrum */

static vec *scratch(const wall_shop *shop, int i)
{
    return wall_solver_scratch(shop->solver, ON_ODD, i);
}

/* By inverse iteration; `v` is the start vector, and overwritten.  However well the solves do, what comes of them is
 * |C v|^2 / |v|^2 for some v. */
static double smallest_eigenvalue(const wall_shop *shop, const wall_matrix *m, vec *v)
{
    const wall_goal goal = { .residual = SMALLEST_RESIDUAL, .max_iterations = shop->max_iterations };
    vec *next = scratch(shop, 1), *image = scratch(shop, 2), *even = wall_solver_scratch(shop->solver, ON_EVEN, 0);
    for (int i = 0; i < SMALLEST_STEPS; i++) {
        vec_zero(next);
        wall_solve(shop->solver, m, next, v, &goal);
        vec_zero(v);
        vec_axpy(v, 1 / sqrt(vec_norm2(next)), next);
    }
    wall_c(image, wall_solver_links(shop->solver), m, v, even);
    return vec_norm2(image) / vec_norm2(v);
}

/* Of both matrices, each of which must have a spectrum: fmin and fmax would pass over what is no number. */
static bool ends_of_spectrum(wall_ends *ends, const wall_factor *x, const wall_shop *shop, int64_t number, failure *why)
{
    const rational_flavor *d = x->data;
    const double mass[] = { x->plan.mass, x->plan.heavy };
    const wall_matrix *matrices[] = { &d->light, &d->heavy };
    vec *start = scratch(shop, 0);
    *ends = (wall_ends){ INFINITY, 0, number };
    for (int i = 0; i < 2; i++) {
        vec_set_gaussian(start, rng_key_for(0, 0, (uint64_t)number, RNG_SPECTRUM), x->plan.first_draw);
        double largest = wall_largest_eigenvalue(shop->solver, matrices[i], start, LARGEST_STEPS);
        double smallest = smallest_eigenvalue(shop, matrices[i], start);
        if (!(largest > 0 && isfinite(largest) && smallest > 0 && isfinite(smallest)))
            return fail(why, "the spectrum of C^+C for m = %g is found to be %g to %g, but its ends must be positive "
                             "numbers", mass[i], smallest, largest);
        ends->largest = fmax(ends->largest, largest);
        ends->smallest = fmin(ends->smallest, smallest);
    }
    return true;
}

static bool measure(wall_factor *x, const wall_shop *shop, int64_t number, monomial_call *c)
{
    rational_flavor *d = x->data;
    wall_ends ends;
    bool changed;
    failure why;
    monomial_time_begin(c, "spectrum");
    bool found = ends_of_spectrum(&ends, x, shop, number, &why);
    monomial_time_end(c);
    if (!found || !wall_range_found(&d->range, &changed, &ends, RANGE_BELOW, RANGE_ABOVE, "C^+C", &why)
        || (changed && !make_functions(d->of, d->fields, d->error, &d->range, &why)))
        return fail(&c->trouble, "factor %d: %s", x->index, why.why);
    return true;
}

static bool prepare(wall_factor *x, const wall_shop *shop, int64_t number, monomial_call *c)
{
    rational_flavor *d = x->data;
    return !wall_range_begin(&d->range, number) || measure(x, shop, number, c);
}

/* For calls outside trajectories: the range must be known. */
static bool ready(wall_factor *x, const wall_shop *shop, monomial_call *c)
{
    const rational_flavor *d = x->data;
    return d->range.largest > 0 || measure(x, shop, 0, c);
}

static int recall(const void *data, double values[2])
{
    const rational_flavor *d = data;
    return wall_range_recall(&d->range, values);
}

static void remember(void *data, const double *values, int count)
{
    rational_flavor *d = data;
    failure f;
    if (wall_range_remember(&d->range, values, count) && d->range.largest > 0)
        require(make_functions(d->of, d->fields, d->error, &d->range, &f), "%s", f.why);
}

/* ---- r(A) b */

/* z_k = (A + b_k)^-1 b, in scratch vectors from `first` on */
static bool solve(vec **z, int first, wall_factor *x, const wall_shop *shop, int role, const wall_matrix *m,
                  const rational *r, const vec *b, monomial_call *c)
{
    const double residual = x->plan.residual.of[role];
    const wall_goal goal = { residual, shop->max_iterations, role != ROLE_FORCE };
    shifted system[RATIONAL_POLES];
    for (int k = 0; k < r->order; k++) {
        system[k] = (shifted){ r->pole[k], residual };
        z[k] = scratch(shop, first + k);
    }
    monomial_time_begin(c, "solve");
    wall_solved s = wall_solve_shifts(shop->solver, m, z, system, r->order, b, &goal);
    monomial_time_end(c);
    return wall_solve_ended(x, shop, role, "the rational functions", &s, c);
}

static void combine(vec *out, const rational *r, const vec *b, vec *const *z)
{
    vec_combine(out, r->constant, b, r->residue, z, r->order);
}

/* out <- r(A) b; `out` may be b */
static bool apply(vec *out, wall_factor *x, const wall_shop *shop, int role, const wall_matrix *m, const rational *r,
                  const vec *b, monomial_call *c)
{
    vec *z[RATIONAL_POLES];
    if (!solve(z, 0, x, shop, role, m, r, b, c))
        return false;
    combine(out, r, b, z);
    return true;
}

/* ---- heat bath, action, force */

static bool refresh(wall_factor *x, const wall_shop *shop, rng_key key, monomial_call *c)
{
    rational_flavor *d = x->data;
    double eta_norm2 = 0;
    if (!ready(x, shop, c))
        return false;
    for (int i = 0; i < d->fields; i++) {
        const functions *of = &d->of[ROLE_HEAT_BATH];
        vec *phi = d->phi[i];
        vec_set_gaussian(phi, key, x->plan.first_draw + (uint32_t)(i * phi->f.slabs * VECTOR_DRAWS));
        eta_norm2 += vec_norm2(phi);
        if (!apply(phi, x, shop, ROLE_HEAT_BATH, &d->light, &of->light, phi, c)
            || !apply(phi, x, shop, ROLE_HEAT_BATH, &d->heavy, &of->heavy, phi, c))
            return false;
    }
    wall_start_drawn(&d->start, eta_norm2, shop, c);
    return true;
}

static bool action(double *value, wall_factor *x, const wall_shop *shop, monomial_call *c)
{
    rational_flavor *d = x->data;
    const functions *of = &d->of[ROLE_ACTION];
    vec *psi = scratch(shop, AT_PSI), *chi = scratch(shop, AT_CHI);
    double sum = 0;
    if (!ready(x, shop, c))
        return false;
    for (int i = 0; i < d->fields; i++) {
        if (!apply(psi, x, shop, ROLE_ACTION, &d->heavy, &of->heavy, d->phi[i], c)
            || !apply(chi, x, shop, ROLE_ACTION, &d->light, &of->light, psi, c))
            return false;
        sum += vec_dot(psi, chi).re;
    }
    *value = sum;
    return wall_start_action(&d->start, sum, x, shop, WALL_RANGE_ADVICE, c);
}

/* dS = sum_k -2 a_k Re (C z_k)^+ dC z_k */
static void add_light(const rational_flavor *d, const wall_shop *shop, vec *const *z)
{
    const wall_links *links = wall_solver_links(shop->solver);
    const rational *r = &d->of[ROLE_FORCE].light;
    vec *even = wall_solver_scratch(shop->solver, ON_EVEN, 0), *y[WALL_TERMS_TOGETHER];
    double a[WALL_TERMS_TOGETHER];
    for (int first = 0, count; first < r->order; first += count) {
        count = r->order - first < WALL_TERMS_TOGETHER ? r->order - first : WALL_TERMS_TOGETHER;
        for (int i = 0; i < count; i++) {
            y[i] = scratch(shop, AT_Y + i);
            wall_c(y[i], links, &d->light, z[first + i], even);
            a[i] = -r->residue[first + i];
        }
        wall_force_add(shop->force, links, &d->light, a, y, z + first, count);
    }
}

/* dS = sum_k -2 a_k Re [(V q_k)^+ dV p_k + (V p_k)^+ dV q_k] */
static void add_heavy(const rational_flavor *d, const wall_shop *shop, vec *const *p, vec *const *q)
{
    const wall_links *links = wall_solver_links(shop->solver);
    const rational *r = &d->of[ROLE_FORCE].heavy;
    vec *even = wall_solver_scratch(shop->solver, ON_EVEN, 0), *y[WALL_TERMS_TOGETHER], *right[WALL_TERMS_TOGETHER];
    double a[WALL_TERMS_TOGETHER];
    for (int first = 0; first < r->order; first += POLES_TOGETHER) {
        int count = 0;
        for (int k = first; k < r->order && k < first + POLES_TOGETHER; k++)
            for (int side = 0; side < 2; side++) {
                y[count] = scratch(shop, AT_Y + count);
                right[count] = side == 0 ? p[k] : q[k];
                wall_c(y[count], links, &d->heavy, side == 0 ? q[k] : p[k], even);
                a[count++] = -r->residue[k];
            }
        wall_force_add(shop->force, links, &d->heavy, a, y, right, count);
    }
}

static bool add_force(wall_factor *x, const wall_shop *shop, monomial_call *c)
{
    rational_flavor *d = x->data;
    const functions *of = &d->of[ROLE_FORCE];
    vec *psi = scratch(shop, AT_PSI), *chi = scratch(shop, AT_CHI), *p[RATIONAL_POLES], *z[RATIONAL_POLES];
    if (!ready(x, shop, c))
        return false;
    for (int i = 0; i < d->fields; i++) {
        if (!solve(p, AT_P, x, shop, ROLE_FORCE, &d->heavy, &of->heavy, d->phi[i], c))
            return false;
        combine(psi, &of->heavy, d->phi[i], p);
        if (!solve(z, AT_Z, x, shop, ROLE_FORCE, &d->light, &of->light, psi, c))
            return false;
        combine(chi, &of->light, psi, z);
        monomial_time_begin(c, "outer products");
        add_light(d, shop, z);
        monomial_time_end(c);
        if (!solve(z, AT_Z, x, shop, ROLE_FORCE, &d->heavy, &of->heavy, chi, c))
            return false;
        monomial_time_begin(c, "outer products");
        add_heavy(d, shop, p, z);
        monomial_time_end(c);
    }
    return true;
}

static void progress(void *data, number_row *row)
{
    rational_flavor *d = data;
    wall_range_row(&d->range, row);
    wall_start_row(&d->start, row);
}

static void report(const void *data, json *j)
{
    const rational_flavor *d = data;
    wall_range_report(&d->range, j);
    wall_start_report(&d->start, j);
    json_int(j, "poles", d->of[ROLE_ACTION].light.order);
    json_int(j, "force_poles", d->of[ROLE_FORCE].light.order);
}

/* ---- for plans of memory and work: poles of (C^+C)^(-1/2n), which has most */

static int poles(const wall_factor_plan *p, int role)
{
    const wall_range range = p->largest > 0 ? wall_range_of(p) : expected_range;
    return wall_power_poles(-1, 2 * p->fields, &range, p->error.of[role]);
}

static int vectors(const wall_factor_plan *p)
{
    return p->fields;
}

/* The force's (above) and the action's overlap; one is on even sites. */
static int scratch_vectors(const wall_factor_plan *p)
{
    const int action = poles(p, ROLE_ACTION), force = poles(p, ROLE_FORCE);
    int low = action > force ? action : force;
    return low + force + 2 + WALL_TERMS_TOGETHER + 1;
}

static int shifts(const wall_factor_plan *p)
{
    return poles(p, ROLE_ACTION);
}

static int terms(const wall_factor_plan *p)
{
    return 3 * p->fields * poles(p, ROLE_FORCE);
}

const wall_factor_kind wall_rational_factor = {
    .name = "rational",
    .check = check,
    .create = create,
    .free = free_data,
    .prepare = prepare,
    .refresh = refresh,
    .action = action,
    .add_force = add_force,
    .field = field_at,
    .recall = recall,
    .remember = remember,
    .report = report,
    .progress = progress,
    .vectors = vectors,
    .scratch = scratch_vectors,
    .shifts = shifts,
    .terms = terms,
};
