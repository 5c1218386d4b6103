/* rational_ratio.c - RHMC for one flavor of quarks over a heavier one, or alone (V = 1), in n equal fields.
 *
 *     S = sum_i phi_i^+ R1 Rm R1 phi_i,   R1 ~ (V^+V)^(1/4n),  Rm ~ (C^+C)^(-1/2n),   C = C(m), V = C(M)
 *     refresh: phi_i = (V^+V)^(-1/4n) (C^+C)^(1/4n) eta_i
 *
 * M. A. Clark and A. D. Kennedy, hep-lat/0608015.  With r(x) = constant + sum_k a_k / (x + b_k) and chi = Rm R1 phi,
 *     z_k = (C^+C + b_k)^-1 R1 phi,   p_k = (V^+V + b_k)^-1 phi,   q_k = (V^+V + b_k)^-1 chi,
 *     dS = sum_k -2 a_k Re (C z_k)^+ dC z_k + sum_k -2 a_k Re [(V q_k)^+ dV p_k + (V p_k)^+ dV q_k]. */
#include "actions/factors.h"
#include "actions/rational_range.h"

#include "src/base/memory.h"
#include "src/lattice/rng.h"

#include <math.h>

/* Measurement of the spectrum: Lanczos steps for the largest eigenvalue; steps of inverse iteration and their residual
 * for the smallest one, which gives an upper bound; and the range over the measured eigenvalues. */
enum { LARGEST_STEPS = 40, SMALLEST_STEPS = 4 };
#define SMALLEST_RESIDUAL 1e-4
#define RANGE_BELOW 0.5
#define RANGE_ABOVE 1.1

/* The range that checks of the input and plans assume before a measurement. */
static const rational_range expected_range = { .smallest = 1e-5, .largest = 4 };

/* Scratch vectors of the force, in this order: p_k; z_k, later q_k in the same memory; R1 phi and chi; C z_k, or V p_k
 * and V q_k.  Refresh and action have their z_k from vector 0 on. */
enum { PAIRS_TOGETHER = 4, POLES_TOGETHER = PAIRS_TOGETHER / 2 };
enum { FORCE_POLES = 28, AT_P = 0, AT_Z = FORCE_POLES, AT_PSI = 2 * FORCE_POLES, AT_CHI, AT_Y };
_Static_assert((int)AT_Y + (int)PAIRS_TOGETHER <= (int)DIRAC_SCRATCH, "vectors of the force");
_Static_assert((int)RATIONAL_POLES <= (int)AT_PSI, "vectors of the action");

/* Indices of C and V, and of their functions.  Without a denominator, matrix[HEAVY] is NULL and its functions are 1. */
enum { LIGHT, HEAVY, MATRICES };

typedef struct {
    ranged_factor base;
    dirac_matrix *matrix[MATRICES];
    int fields;
    role_values error;
    rational of[ROLES][MATRICES];
    vec *phi[QUARK_ROOTS_MAX];
} rational_flavor;

/* ---- functions */

static bool make_functions(void *data, failure *f)
{
    rational_flavor *d = data;
    const rational_range *range = &d->base.range;
    const role_values error = d->error;
    const int fields = d->fields;
    rational (*of)[MATRICES] = d->of;
    for (int role = 0; role < ROLES; role++) {
        const bool refresh = role == ROLE_REFRESH;
        failure why;
        of[role][HEAVY] = (rational){ .constant = 1 };
        if ((d->matrix[HEAVY]
             && !rational_power(&of[role][HEAVY], refresh ? -1 : 1, 4 * fields, range, error.of[role], &why))
            || !rational_power(&of[role][LIGHT], refresh ? 1 : -1, (refresh ? 4 : 2) * fields, range,
                               error.of[role], &why))
            return fail(f, "%s: %s", role_names[role], why.why);
    }
    if (of[ROLE_FORCE][HEAVY].order > FORCE_POLES || of[ROLE_FORCE][LIGHT].order > FORCE_POLES)
        return fail(f, "force: an error of %g needs %d poles (heavy mass) and %d poles (light mass), but at most %d "
                    "are allowed for each", error.of[ROLE_FORCE], of[ROLE_FORCE][HEAVY].order,
                    of[ROLE_FORCE][LIGHT].order, FORCE_POLES);
    return true;
}

static bool check_factor(const quark_factor_plan *p, const dirac_plan *d, failure *f)
{
    (void)d;
    if (p->fields < 1 || p->fields > QUARK_ROOTS_MAX)
        return fail(f, "fields: %d; allowed are 1 to %d", p->fields, QUARK_ROOTS_MAX);
    for (int role = 0; role < ROLES; role++) {
        const planned_power power = { .y = -1, .z = 2 * p->fields, .role = role,
                                      .most = role == ROLE_FORCE ? FORCE_POLES : RATIONAL_POLES,
                                      .expected = &expected_range };
        if (!rational_power_check(&power, p, f))
            return false;
    }
    return true;
}

/* ---- the spectrum */

static vec *scratch(const quark_context *q, int i)
{
    return dirac_solver_scratch(q->solver, i >= AT_Y ? q->d->kind->image : q->d->kind->home, i);
}

/* By inverse iteration; `v` is the start vector and is overwritten.  The result is |C v|^2 / |v|^2 for some v, and so
 * an upper bound, even if the solves are inaccurate. */
static double smallest_eigenvalue(const quark_context *q, const dirac_matrix *m, vec *v)
{
    const dirac_goal goal = { .precision = q->precision[ROLE_REFRESH], .residual = SMALLEST_RESIDUAL,
                              .max_iterations = q->max_iterations, .verify = true };
    vec *next = scratch(q, 1), *image = scratch(q, AT_Y);
    for (int i = 0; i < SMALLEST_STEPS; i++) {
        vec_zero(next);
        dirac_solve_by_cg(q->solver, m, next, v, &goal);
        vec_zero(v);
        vec_axpy(v, 1 / sqrt(vec_norm2(next)), next);
    }
    dirac_solver_apply(image, q->solver, m, false, v);
    return vec_norm2(image) / vec_norm2(v);
}

/* The ends of the spectra of both matrices together.  Each value is checked, because fmin and fmax ignore NaN. */
static bool ends_of_spectrum(spectrum_ends *ends, quark_factor *x, const quark_context *q, monomial_call *c)
{
    const rational_flavor *d = x->data;
    const int index[MATRICES] = { [LIGHT] = x->plan.light, [HEAVY] = x->plan.heavy };
    vec *start = scratch(q, 0);
    ends->smallest = INFINITY;
    for (int i = 0; i < MATRICES && d->matrix[i]; i++) {
        vec_set_gaussian(start, rng_key_for(0, 0, (uint64_t)ends->number, RNG_SPECTRUM), x->plan.first_draw);
        double largest = dirac_largest_eigenvalue(q->solver, d->matrix[i], start, LARGEST_STEPS);
        double smallest = smallest_eigenvalue(q, d->matrix[i], start);
        if (!(largest > 0 && isfinite(largest) && smallest > 0 && isfinite(smallest)))
            return ranged_fail_ends(x, q, index[i], (spectral_range){ smallest, largest }, c);
        ends->largest = fmax(ends->largest, largest);
        ends->smallest = fmin(ends->smallest, smallest);
    }
    return true;
}

static const ranged_kind ranged = { "C^+C", RANGE_BELOW, RANGE_ABOVE, ends_of_spectrum, make_functions };

static void *create_factor(const quark_factor_plan *p, const quark_context *q)
{
    const dirac_kind *kind = q->d->kind;
    rational_flavor *d = memory_alloc(sizeof *d, "one flavor of quarks");
    d->matrix[LIGHT] = kind->matrix(q->d, p->light);
    d->matrix[HEAVY] = p->alone ? NULL : kind->matrix(q->d, p->heavy);
    d->fields = p->fields;
    d->error = p->error;
    for (int i = 0; i < d->fields; i++)
        d->phi[i] = dirac_vec_create(q->d, kind->home, dirac_full_storage(q->d));
    ranged_begin(&d->base, &ranged, p);
    return d;
}

static void free_data(void *data)
{
    rational_flavor *d = data;
    for (int i = 0; i < d->fields; i++)
        vec_free(d->phi[i]);
    memory_free(d->matrix[HEAVY]);
    memory_free(d->matrix[LIGHT]);
    memory_free(d);
}

static vec *pseudofermion_at(void *data, int index)
{
    rational_flavor *d = data;
    return index < d->fields ? d->phi[index] : NULL;
}

/* ---- r(A) b */

/* The context of solves. */
typedef struct { quark_factor *x; const quark_context *q; monomial_call *c; int role; } solves;

/* z_k = (A + b_k)^-1 b for the function of a matrix, in scratch vectors from `first` on */
static bool solve_systems(vec **z, int first, const solves *s, int which, const vec *b)
{
    const rational_flavor *d = s->x->data;
    const rational *r = &d->of[s->role][which];
    const dirac_goal goal = quark_goal(s->x, s->q, s->role);
    if (r->order == 0)
        return true;
    shifted system[RATIONAL_POLES];
    dirac_shifts_task task = { .x = z, .system = system, .count = r->order, .b = b };
    for (int k = 0; k < r->order; k++) {
        system[k] = (shifted){ r->pole[k], goal.residual };
        z[k] = scratch(s->q, first + k);
    }
    monomial_time_begin(s->c, "solve");
    dirac_solve_shifts(s->q->solver, d->matrix[which], &task, 1, &goal);
    monomial_time_end(s->c);
    const dirac_solved solved = dirac_shifts_solved(&task);
    return quark_solve_ended(s->x, s->q, s->role, "the rational functions", &solved, s->c);
}

/* out <- r(A) b from the solutions; `out` may be b */
static void combine_solutions(vec *out, const solves *s, int which, const vec *b, vec *const *z)
{
    const rational *r = &((const rational_flavor *)s->x->data)->of[s->role][which];
    vec_combine(out, r->constant, b, r->residue, z, r->order);
}

static bool apply_function(vec *out, const solves *s, int which, const vec *b)
{
    vec *z[RATIONAL_POLES];
    if (!solve_systems(z, 0, s, which, b))
        return false;
    combine_solutions(out, s, which, b, z);
    return true;
}

/* ---- refresh, action, force */

static bool refresh_fields(quark_factor *x, const quark_context *q, rng_key key, monomial_call *c)
{
    rational_flavor *d = x->data;
    const solves s = { x, q, c, ROLE_REFRESH };
    double eta_norm2 = 0;
    if (!ranged_ready(x, q, c))
        return false;
    for (int i = 0; i < d->fields; i++) {
        vec *phi = d->phi[i];
        vec_set_gaussian(phi, key, x->plan.first_draw + (uint32_t)(i * phi->f.slabs * VECTOR_DRAWS));
        eta_norm2 += vec_norm2(phi);
        if (!apply_function(phi, &s, LIGHT, phi) || !apply_function(phi, &s, HEAVY, phi))
            return false;
    }
    quark_start_drawn(&d->base.start, eta_norm2, q, c);
    return true;
}

static bool compute_action(double *value, quark_factor *x, const quark_context *q, monomial_call *c)
{
    rational_flavor *d = x->data;
    const solves s = { x, q, c, ROLE_ACTION };
    vec *psi = scratch(q, AT_PSI), *chi = scratch(q, AT_CHI);
    double sum = 0;
    if (!ranged_ready(x, q, c))
        return false;
    for (int i = 0; i < d->fields; i++) {
        if (!apply_function(psi, &s, HEAVY, d->phi[i]) || !apply_function(chi, &s, LIGHT, psi))
            return false;
        sum += vec_dot(psi, chi).re;
    }
    *value = sum;
    return quark_start_action(&d->base.start, sum, x, q, RATIONAL_RANGE_ADVICE, c);
}

/* dS = sum_k -2 a_k Re (C z_k)^+ dC z_k */
static void add_light(const rational_flavor *d, const quark_context *q, vec *const *z)
{
    const rational *r = &d->of[ROLE_FORCE][LIGHT];
    vec *y[PAIRS_TOGETHER];
    double a[PAIRS_TOGETHER];
    for (int first = 0, count; first < r->order; first += count) {
        count = r->order - first < PAIRS_TOGETHER ? r->order - first : PAIRS_TOGETHER;
        for (int i = 0; i < count; i++) {
            y[i] = scratch(q, AT_Y + i);
            dirac_solver_apply(y[i], q->solver, d->matrix[LIGHT], false, z[first + i]);
            a[i] = -r->residue[first + i];
        }
        q->d->kind->force_add(q->d, d->matrix[LIGHT], a, z + first, y, count);
    }
}

/* dS = sum_k -2 a_k Re [(V q_k)^+ dV p_k + (V p_k)^+ dV q_k] */
static void add_heavy(const rational_flavor *d, const quark_context *q, vec *const *p_k, vec *const *q_k)
{
    const rational *r = &d->of[ROLE_FORCE][HEAVY];
    vec *y[PAIRS_TOGETHER], *right[PAIRS_TOGETHER];
    double a[PAIRS_TOGETHER];
    for (int first = 0; first < r->order; first += POLES_TOGETHER) {
        int count = 0;
        for (int k = first; k < r->order && k < first + POLES_TOGETHER; k++)
            for (int side = 0; side < 2; side++) {
                y[count] = scratch(q, AT_Y + count);
                right[count] = side == 0 ? p_k[k] : q_k[k];
                dirac_solver_apply(y[count], q->solver, d->matrix[HEAVY], false, side == 0 ? q_k[k] : p_k[k]);
                a[count++] = -r->residue[k];
            }
        q->d->kind->force_add(q->d, d->matrix[HEAVY], a, right, y, count);
    }
}

static bool add_force(quark_factor *x, const quark_context *q, monomial_call *c)
{
    rational_flavor *d = x->data;
    const solves s = { x, q, c, ROLE_FORCE };
    vec *psi = scratch(q, AT_PSI), *chi = scratch(q, AT_CHI), *p[RATIONAL_POLES], *z[RATIONAL_POLES];
    if (!ranged_ready(x, q, c))
        return false;
    for (int i = 0; i < d->fields; i++) {
        if (!solve_systems(p, AT_P, &s, HEAVY, d->phi[i]))
            return false;
        combine_solutions(psi, &s, HEAVY, d->phi[i], p);
        if (!solve_systems(z, AT_Z, &s, LIGHT, psi))
            return false;
        combine_solutions(chi, &s, LIGHT, psi, z);
        monomial_time_begin(c, "outer products");
        add_light(d, q, z);
        monomial_time_end(c);
        if (!solve_systems(z, AT_Z, &s, HEAVY, chi))
            return false;
        monomial_time_begin(c, "outer products");
        add_heavy(d, q, p, z);
        monomial_time_end(c);
    }
    return true;
}

static void describe_factor(text *out, const quark_factor_plan *p, const dirac_plan *d, int entry)
{
    (void)entry;
    quark_describe_ratio(out, p, d);
    text_add(out, ", rational");
    if (p->fields > 1)
        text_add(out, ", %d fields", p->fields);
}

static void report_factor(const void *data, int entry, json *j)
{
    const rational_flavor *d = data;
    (void)entry;
    ranged_report(&d->base, j);
    json_int(j, "poles", d->of[ROLE_ACTION][LIGHT].order);
    json_int(j, "force_poles", d->of[ROLE_FORCE][LIGHT].order);
}

/* ---- for plans of memory and work, from the poles of (C^+C)^(-1/2n), which has the most */

static int poles(const quark_factor_plan *p, int role)
{
    const rational_range given = rational_range_of(p), range = given.given ? given : expected_range;
    return rational_power_poles(-1, 2 * p->fields, &range, p->error.of[role]);
}

static int vectors(const quark_factor_plan *p)
{
    return p->fields;
}

/* Vectors of the force (AT_P ...) and of the action share memory. */
static int scratch_vectors(const quark_factor_plan *p)
{
    const int action = poles(p, ROLE_ACTION), force = poles(p, ROLE_FORCE);
    int low = action > force ? action : force;
    return low + force + 2 + PAIRS_TOGETHER;
}

static int shifts(const quark_factor_plan *p)
{
    return poles(p, ROLE_ACTION);
}

static int pairs(const quark_factor_plan *p)
{
    return (p->alone ? 1 : 3) * p->fields * poles(p, ROLE_FORCE);
}

/* One C^+C; an upper bound of the vectors: x and p of each shift, and three more, are read and written. */
static quark_iteration iteration(const quark_factor_plan *p)
{
    return (quark_iteration){ 1, 6 + 4.0 * shifts(p) };
}

/* For every solve the gain of two flavors is used, an upper bound, because the functions are powers of at most 1/2. */
static void add_energy_errors(energy_errors *e, const quark_factor_plan *p, const dirac_plan *d,
                              const lattice_shape *shape)
{
    spectral_range range = d->kind->range(d, p->light);
    range.smallest = p->given.smallest ? p->smallest : range.smallest;
    for (int role = ROLE_REFRESH; role <= ROLE_ACTION; role++)
        for (int solve = 0; solve < (p->alone ? 1 : 2) * p->fields; solve++) {
            energy_errors_add(e, role, quark_freedom(d, shape), quark_gain(range), p->residual.of[role], false);
            energy_errors_add_function(e, role, quark_freedom(d, shape), p->error.of[role]);
        }
}

const quark_factor_kind rational_ratio_factor = {
    .name = "rational",
    .flavors = 1,
    .check = check_factor,
    .create = create_factor,
    .free = free_data,
    .prepare = ranged_prepare,
    .refresh = refresh_fields,
    .action = compute_action,
    .add_force = add_force,
    .field = pseudofermion_at,
    .fields = vectors,
    .get_memory = ranged_get_memory,
    .set_memory = ranged_set_memory,
    .describe = describe_factor,
    .report = report_factor,
    .progress = ranged_progress,
    .vectors = vectors,
    .scratch = scratch_vectors,
    .shifts = shifts,
    .pairs = pairs,
    .iteration = iteration,
    .energy_errors = add_energy_errors,
};
