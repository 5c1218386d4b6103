/* exact_one_flavor.c - the exact one-flavor action of domain-wall quarks, S = phi^+ M_E phi (exact_matrix.h).
 *
 * Refresh, r(x) = constant + sum_l a_l / (x + b_l) ~ x^-1/2 on the spectrum of M_E, g = 1 / (1 + b_l):
 *     phi = r eta: (M_E + b_l)^-1 = g - g^2 k (w(m) P- x-_0 + w(M) P+ x+_(Ls-1)),
 * with x- of H(m) - g Delta- and x+ of H(M) - b_l g Delta+.
 * Force: y- and y+ of the action, dS = k Re y-^+ Gamma dhop y- - k Re y+^+ Gamma dhop y+. */
#include "actions/exact_matrix.h"
#include "actions/factors.h"
#include "actions/rational_range.h"

#include "src/base/memory.h"
#include "src/lattice/rng.h"
#include "src/operators/dwf_embed.h"

#include <math.h>

/* Steps of power iteration for each end of the spectrum of M_E, and the residual of their solves; the range of the
 * rational function extends from RANGE_BELOW times the smallest to RANGE_ABOVE times the largest eigenvalue.  A few
 * steps are enough, because the eigenvalues at the ends are isolated. */
enum { POWER_STEPS = 6 };
#define POWER_RESIDUAL 1e-4
#define RANGE_BELOW 0.5
#define RANGE_ABOVE 2

/* The range that checks of the input assume before a measurement. */
static const rational_range expected_range = { .smallest = 0.05, .largest = 50 };

typedef struct {
    ranged_factor base;
    exact_matrix m;
    role_values error;
    rational inverse_root;                                  /* x^-1/2 on the range */
    vec *phi[2], *trial[2], *image[2];                      /* 4D spinors, on even and odd sites */
} exact_flavor;

static bool check_factor(const quark_factor_plan *p, const dirac_plan *d, failure *f)
{
    const dwf_operator_params *op = d->params;
    if (!exact_matrix_check(&op->weights, op->mass[p->light], op->mass[p->heavy], f))
        return false;
    if (p->fields > 1)
        return fail(f, "fields: only method rational has this key");
    const planned_power inverse_root = { .y = -1, .z = 2, .role = ROLE_REFRESH, .most = RATIONAL_POLES,
                                         .expected = &expected_range };
    return rational_power_check(&inverse_root, p, f);
}

static bool make_function(void *data, failure *f)
{
    exact_flavor *d = data;
    return rational_power(&d->inverse_root, -1, 2, &d->base.range, d->error.of[ROLE_REFRESH], f);
}

static exact_solves solves_for(quark_factor *x, const quark_context *q, int role, monomial_call *c)
{
    const exact_flavor *d = x->data;
    return (exact_solves){ .m = &d->m, .factor = x, .q = q, .call = c, .role = role,
                           .residual = role < ROLES ? x->plan.residual.of[role] : POWER_RESIDUAL };
}

/* ---- the spectrum of M_E */

static double norm2(vec *const v[2])
{
    return vec_norm2(v[0]) + vec_norm2(v[1]);
}

static void set_gaussian(vec *const v[2], rng_key key, uint32_t first_draw)
{
    for (int i = 0; i < 2; i++)
        vec_set_gaussian(v[i], key, first_draw);
}

/* *found <- a lower bound of the largest eigenvalue of M_E or of its inverse, by power iteration. */
static bool largest_of(double *found, exact_way way, const exact_solves *s, int64_t number)
{
    const exact_flavor *d = s->factor->data;
    set_gaussian(d->trial, rng_key_for(0, 0, (uint64_t)number, RNG_SPECTRUM), s->factor->plan.first_draw);
    for (int step = 0; step < POWER_STEPS; step++) {
        if (!exact_apply(d->image, way, s, d->trial))
            return false;
        double size = sqrt(norm2(d->image));
        *found = size / sqrt(norm2(d->trial));
        for (int i = 0; i < 2; i++) {
            vec_zero(d->trial[i]);
            vec_axpy(d->trial[i], 1 / size, d->image[i]);
        }
    }
    return true;
}

static bool ends_of_spectrum(spectrum_ends *ends, quark_factor *x, const quark_context *q, monomial_call *c)
{
    const exact_solves s = solves_for(x, q, ROLES, c);
    double inverse_of_smallest;
    if (!largest_of(&ends->largest, exact_onwards, &s, ends->number)
        || !largest_of(&inverse_of_smallest, exact_backwards, &s, ends->number))
        return false;
    ends->smallest = 1 / inverse_of_smallest;
    return true;
}

static const ranged_kind ranged = { "M_E", RANGE_BELOW, RANGE_ABOVE, ends_of_spectrum, make_function };

static void *create_factor(const quark_factor_plan *p, const quark_context *q)
{
    exact_flavor *d = memory_alloc(sizeof *d, "one flavor of domain-wall quarks");
    d->m = exact_matrix_create(q->d, p->light, p->heavy);
    d->error = p->error;
    for (int i = 0; i < 2; i++) {
        vec **of[] = { &d->phi[i], &d->trial[i], &d->image[i] };
        for (int j = 0; j < 3; j++)
            *of[j] = exact_spinor_create(q->d, i ? ON_ODD : ON_EVEN);
    }
    ranged_begin(&d->base, &ranged, p);
    return d;
}

static void free_data(void *data)
{
    exact_flavor *d = data;
    for (int i = 0; i < 2; i++) {
        vec_free(d->phi[i]);
        vec_free(d->trial[i]);
        vec_free(d->image[i]);
    }
    exact_matrix_free(&d->m);
    memory_free(d);
}

static vec *pseudofermion_at(void *data, int index)
{
    exact_flavor *d = data;
    return index < 2 ? d->phi[index] : NULL;
}

/* ---- refresh, action, force */

static bool refresh_field(quark_factor *x, const quark_context *q, rng_key key, monomial_call *c)
{
    exact_flavor *d = x->data;
    if (!ranged_ready(x, q, c))
        return false;
    const rational *r = &d->inverse_root;
    double of_eta = r->constant;
    for (int l = 0; l < r->order; l++)
        of_eta += r->residue[l] / (1 + r->pole[l]);
    set_gaussian(d->trial, key, x->plan.first_draw);
    for (int i = 0; i < 2; i++) {
        vec_zero(d->phi[i]);
        vec_axpy(d->phi[i], of_eta, d->trial[i]);
    }
    for (int chirality = 0; chirality < CHIRALITIES; chirality++) {
        vec *solution[EXACT_KEPT];
        start_vectors past = { .capacity = EXACT_KEPT, .solution = solution };
        exact_solves s = solves_for(x, q, ROLE_REFRESH, c);
        s.past = &past;
        for (int i = 0; i < EXACT_KEPT; i++)
            solution[i] = exact_kept(q, i);
        for (int l = 0; l < r->order; l++) {
            double g = 1 / (1 + r->pole[l]), t = chirality == PLUS ? -r->pole[l] * g : -g;
            if (!exact_add_at_wall(d->phi, -r->residue[l] * g * g, &s, chirality, t, d->trial))
                return false;
        }
    }
    quark_start_drawn(&d->base.start, norm2(d->trial), q, c);
    return true;
}

static bool compute_action(double *value, quark_factor *x, const quark_context *q, monomial_call *c)
{
    exact_flavor *d = x->data;
    const exact_solves s = solves_for(x, q, ROLE_ACTION, c);
    if (!exact_apply(d->image, exact_onwards, &s, d->phi))
        return false;
    *value = vec_dot(d->phi[0], d->image[0]).re + vec_dot(d->phi[1], d->image[1]).re;
    return quark_start_action(&d->base.start, *value, x, q, RATIONAL_RANGE_ADVICE, c);
}

/* b^-1/2 Y, which turns a solution x into y (exact_matrix.h) */
static fifth_table from_solution(const dwf_weights *w, double mass)
{
    const fifth_table y = fifth_y(w, mass, 1);
    double left[SLICES_MAX], right[SLICES_MAX];
    for (int s = 0; s < w->Ls; s++) {
        left[s] = 1 / sqrt(w->b[s]);
        right[s] = 1;
    }
    return fifth_scaled(&y, left, right, w->Ls);
}

static bool add_force(quark_factor *x, const quark_context *q, monomial_call *c)
{
    exact_flavor *d = x->data;
    const exact_solves s = solves_for(x, q, ROLE_FORCE, c);
    const spinor_field left = exact_free_field(q);
    spinor_field y;
    for (int chirality = 0; chirality < CHIRALITIES; chirality++) {
        const fifth_table table = from_solution(&d->m.weights, d->m.mass[chirality]);
        if (!exact_solve(&y, &s, chirality, exact_onwards.t[chirality], d->phi))
            return false;
        monomial_time_begin(c, "outer products");
        dwf_fifth(y.even, &table, y.even);
        dwf_fifth(y.odd, &table, y.odd);
        dwf_reflect(left.even, y.even);
        dwf_reflect(left.odd, y.odd);
        hop_force_add_hop(hop_operator_force(q->d), hop_operator_links(q->d), chirality == PLUS ? -d->m.k : d->m.k,
                           left, y);
        monomial_time_end(c);
    }
    return true;
}

static void describe_factor(text *out, const quark_factor_plan *p, const dirac_plan *d, int entry)
{
    (void)entry;
    quark_describe_ratio(out, p, d);
    text_add(out, ", exact");
}

static void report_factor(const void *data, int entry, json *j)
{
    const exact_flavor *d = data;
    (void)entry;
    ranged_report(&d->base, j);
    json_int(j, "poles", d->inverse_root.order);
}

/* phi on even and on odd sites */
static int fields(const quark_factor_plan *p)
{
    (void)p;
    return 2;
}

/* 4D spinors on even and odd sites: phi, trial, image, and `work` of exact_matrix. */
static int slices(const quark_factor_plan *p)
{
    (void)p;
    return 8;
}

static int scratch_vectors(const quark_factor_plan *p)
{
    (void)p;
    return exact_scratch();
}

static int spare_vectors(const quark_factor_plan *p)
{
    (void)p;
    return exact_spare();
}

static int pairs(const quark_factor_plan *p)
{
    (void)p;
    return CHIRALITIES;
}

/* One C^+C; the vectors x, r and p are read and written. */
static quark_iteration iteration(const quark_factor_plan *p)
{
    (void)p;
    return (quark_iteration){ 1, 6 };
}

/* Every solve has the gain of two flavors times k w, which is at most 2, because M_E contains k w x. */
static void add_energy_errors(energy_errors *e, const quark_factor_plan *p, const dirac_plan *d,
                              const lattice_shape *shape)
{
    const double freedom = 12 * (double)lattice_global_sites(shape), gain = 2 * quark_gain(d->kind->range(d, p->light));
    for (int role = ROLE_REFRESH; role <= ROLE_ACTION; role++)
        for (int solve = 0; solve < CHIRALITIES; solve++) {
            energy_errors_add(e, role, freedom, gain, p->residual.of[role], false);
            if (role == ROLE_REFRESH)
                energy_errors_add_function(e, role, freedom, p->error.of[role]);
        }
}

const quark_factor_kind exact_one_flavor_factor = {
    .name = "exact",
    .flavors = 1,
    .check = check_factor,
    .create = create_factor,
    .free = free_data,
    .prepare = ranged_prepare,
    .refresh = refresh_field,
    .action = compute_action,
    .add_force = add_force,
    .field = pseudofermion_at,
    .fields = fields,
    .thin = true,
    .get_memory = ranged_get_memory,
    .set_memory = ranged_set_memory,
    .describe = describe_factor,
    .report = report_factor,
    .progress = ranged_progress,
    .slices = slices,
    .scratch = scratch_vectors,
    .spare = spare_vectors,
    .pairs = pairs,
    .iteration = iteration,
    .energy_errors = add_energy_errors,
};
