/* wall_exact.c - the exact one-flavour action of domain-wall quarks.
 *
 * Y.-C. Chen and T.-W. Chiu, arXiv:1403.1683; C. Jung et al., arXiv:1706.05843.  With c_s = c b_s, b_s = b_{Ls-1-s},
 * R: s -> Ls-1-s and Gamma = gamma5 R,
 *     H(m) = Gamma [Dw + b^-1/2 (1 - L) (1 + c L)^-1 b^-1/2] is hermitian,   D5 = b^1/2 Gamma H b^1/2 (1 + c L),
 *     H(M) = H(m) + Delta+ - Delta-,   Delta+- = k v+- v+-^T P+-,   k = (1 + c) (M - m) / (w(m) w(M)),
 *     v+_s = b_s^-1/2 (-c)^(Ls-1-s),   v-_s = b_s^-1/2 (-c)^s,   w(m) = 1 + m (-c)^Ls,
 *     S = phi^+ M_E phi,   M_E = 1 - k P- v-^T H(m)^-1 v- P- + k P+ v+^T [H(M) - Delta+]^-1 v+ P+
 * on spinors phi in four dimensions; det M_E = det H(M) / det H(m).  M_E is hermitian and positive, and mixes no
 * chiralities.
 *
 * [H + t Delta+-] y = v+- phi is a system with D5: y = b^-1/2 Y x, (D5 + corner) x = +-e phi with e_s = (-c)^s for +
 * and (-c)^(Ls-1-s) for -, and v+-^T y = w x at the wall of its chirality.  So with the solutions x+, x- for e phi
 *     M_E phi = phi + k w(m) P- x-_0 + k w(M) P+ x+_(Ls-1).
 *
 * Heat bath, r(x) = constant + sum_l a_l / (x + b_l) ~ x^-1/2 on the spectrum of M_E, g = 1 / (1 + b_l):
 *     phi = r eta: (M_E + b_l)^-1 = g - g^2 k (w(m) P- x-_0 + w(M) P+ x+_(Ls-1)),
 * with x- of H(m) - g Delta- and x+ of H(M) - b_l g Delta+.
 * Force: y- and y+ of the action, dS = k Re y-^+ Gamma dhop y- - k Re y+^+ Gamma dhop y+. */
#include "actions/wall_forecast.h"
#include "actions/wall_one_flavor.h"

#include "src/base/memory.h"
#include "src/lattice/rng.h"
#include "src/operators/wall_embed.h"

#include <math.h>

/* Chirality 0 is +, with the mass M; 1 is -, with m. */
enum { PLUS, MINUS, CHIRALITIES };

/* The spectrum of M_E: steps of power iteration for either end, to a residual; an isolated eigenvalue takes few. */
enum { POWER_STEPS = 6 };
#define POWER_RESIDUAL 1e-4
#define RANGE_BELOW 0.5
#define RANGE_ABOVE 2

/* Of what is not measured yet: for checks of the input. */
static const wall_range expected_range = { .smallest = 0.05, .largest = 50 };

/* How nearly weights are to be reflection symmetric and proportional. */
#define SYMMETRY 1e-12

/* The heat bath's systems differ in t alone: the latest solutions, at most so many, make start vectors.  (Iterations
 * for 11 poles on 8^4 with 8 slices: 5127 from the latest one as it is; 4080 with 4, 3728 with 6, 3392 with 10; with
 * the ends first, and what lies between them later, 4502 with 4, 4018 with 6.) */
enum { KEPT = 6 };

/* Scratch vectors by their number: with a fifth dimension, on both parities or on odd sites alone. */
enum { AT_SOURCE, AT_X, AT_LEFT, AT_EVEN, AT_RHS = AT_EVEN, AT_TURNED, AT_SOLUTION, AT_KEPT, AT_IMAGES = AT_KEPT + KEPT,
       AT_END = AT_IMAGES + KEPT };
_Static_assert((int)KEPT <= (int)WALL_FORECAST_MAX && (int)AT_END <= (int)WALL_SCRATCH, "vectors of the heat bath");

typedef struct {
    wall_weights weights;
    double c, k, mass[CHIRALITIES], wall[CHIRALITIES];      /* m or M, and its w */
    role_values error;
    wall_range range;
    wall_start start;
    rational inverse_root;                                  /* x^-1/2 on the range */
    vec *phi[2], *trial[2], *image[2], *room[2];            /* spinors in four dimensions, on even and odd sites */
} exact_flavor;

static double power_of(double base, int n)
{
    double power = 1;
    for (int i = 0; i < n; i++)
        power *= base;
    return power;
}

static double weight_at_wall(const wall_weights *w, double mass)
{
    return 1 + mass * power_of(-w->c[0] / w->b[0], w->slices);
}

static bool check(const wall_factor_plan *p, const wall_weights *w, failure *f)
{
    const int n = w->slices;
    for (int s = 0; s < n; s++) {
        if (!(w->b[s] > 0))
            return fail(f, "the exact one-flavour action needs positive weights, but b_%d is %g", s, w->b[s]);
        if (fabs(w->b[s] - w->b[n - 1 - s]) > SYMMETRY * w->b[s])
            return fail(f, "the exact one-flavour action needs weights that are the same from either wall, but b_%d is "
                           "%g and b_%d is %g (take the action optimal_symmetric, or method rational)", s, w->b[s],
                        n - 1 - s, w->b[n - 1 - s]);
        if (fabs(w->c[s] * w->b[0] - w->c[0] * w->b[s]) > SYMMETRY * w->b[s] * w->b[0])
            return fail(f, "the exact one-flavour action needs c_s in proportion to b_s, but c_0/b_0 is %g and "
                           "c_%d/b_%d is %g", w->c[0] / w->b[0], s, s, w->c[s] / w->b[s]);
    }
    const double light = weight_at_wall(w, p->mass), heavy = weight_at_wall(w, p->heavy);
    if (!(light * heavy > SYMMETRY))
        return fail(f, "the exact one-flavour action needs 1 + m (-c/b)^Ls of one sign, since M_E has no inverse or is "
                       "not positive where it is 0 between the masses, but it is %g for m = %g and %g for m = %g (take "
                       "an even number of slices, or method rational)", light, p->mass, heavy, p->heavy);
    if (p->fields > 1)
        return fail(f, "fields are for the method rational");
    return wall_power_check(-1, 2, RATIONAL_POLES, p, ROLE_HEAT_BATH, &expected_range, f);
}

static bool make_function(exact_flavor *d, failure *f)
{
    return wall_power(&d->inverse_root, -1, 2, &d->range, d->error.of[ROLE_HEAT_BATH], f);
}

static void *create(const wall_factor_plan *p, const wall_shop *shop, const gauge *u)
{
    const wall_weights *w = &shop->weights;
    exact_flavor *d = memory_alloc(sizeof *d, "one flavour of domain-wall quarks");
    failure f;
    d->weights = *w;
    d->c = w->c[0] / w->b[0];
    d->mass[PLUS] = p->heavy;
    d->mass[MINUS] = p->mass;
    for (int c = 0; c < CHIRALITIES; c++)
        d->wall[c] = weight_at_wall(w, d->mass[c]);
    d->k = (1 + d->c) * (p->heavy - p->mass) / (d->wall[PLUS] * d->wall[MINUS]);
    d->error = p->error;
    d->range = wall_range_of(p);
    d->start = (wall_start){ 0 };
    for (int i = 0; i < 2; i++) {
        vec **of[] = { &d->phi[i], &d->trial[i], &d->image[i], &d->room[i] };
        for (int j = 0; j < 4; j++)
            *of[j] = wall_vec_create(u->links.lattice, i ? ON_ODD : ON_EVEN, u->links.where, PRECISION_DOUBLE, 1);
    }
    if (d->range.largest > 0)
        require(make_function(d, &f), "%s", f.why);
    return d;
}

static void free_data(void *data)
{
    exact_flavor *d = data;
    for (int i = 0; i < 2; i++) {
        vec_free(d->phi[i]);
        vec_free(d->trial[i]);
        vec_free(d->image[i]);
        vec_free(d->room[i]);
    }
    memory_free(d);
}

static vec *field_at(void *data, int index)
{
    exact_flavor *d = data;
    return index < 2 ? d->phi[index] : NULL;
}

/* ---- systems */

static wall_field scratch_field(const wall_shop *shop, int i)
{
    return (wall_field){ wall_solver_scratch(shop->solver, ON_EVEN, i), wall_solver_scratch(shop->solver, ON_ODD, i) };
}

/* What a system is solved for: for which role (ROLES: the spectrum, which is not counted), and how well; with solutions
 * of systems like it, or NULL. */
typedef struct { int role; double residual; wall_forecast *past; } demand;

static bool ended(wall_factor *factor, const wall_shop *shop, int role, const wall_solved *s, monomial_call *c)
{
    if (role < ROLES)
        return wall_solve_ended(factor, shop, role, "the exact one-flavour action", s, c);
    return s->converged
           || fail(&c->trouble, "factor %d: the spectrum of M_E: a solve did not converge: after %d iterations the "
                                "residual is %.3g (max_iterations may be raised)", factor->index, s->iterations,
                   s->residual);
}

static void start_from(wall_forecast *past, vec *start, const wall_shop *shop, const wall_matrix *m, const vec *b,
                       vec *even, monomial_call *c)
{
    vec *image[KEPT];
    if (!past) {
        vec_zero(start);
        return;
    }
    for (int i = 0; i < past->kept; i++)
        image[i] = wall_solver_scratch(shop->solver, ON_ODD, AT_IMAGES + i);
    monomial_time_begin(c, "start vector");
    wall_forecast_start(past, start, wall_solver_links(shop->solver), m, b, even, image);
    monomial_time_end(c);
}

/* x for e psi, of a chirality's H + t Delta */
static bool solve(wall_field x, wall_factor *factor, const wall_shop *shop, demand how, int chirality, double t,
                  vec *const psi[2], monomial_call *c)
{
    const exact_flavor *d = factor->data;
    const wall_links *links = wall_solver_links(shop->solver);
    const double sign = chirality == PLUS ? 1 : -1;
    const fifth_corner corner = { chirality, sign * t * d->k * d->wall[chirality], d->c };
    const wall_matrix m = wall_matrix_of(&d->weights, d->mass[chirality], corner);
    const wall_goal goal = { how.residual, shop->max_iterations, true };
    const wall_field source = scratch_field(shop, AT_SOURCE);
    vec *even = wall_solver_scratch(shop->solver, ON_EVEN, AT_EVEN);
    vec *rhs = wall_solver_scratch(shop->solver, ON_ODD, AT_RHS);
    vec *turned = wall_solver_scratch(shop->solver, ON_ODD, AT_TURNED);
    vec *solution = wall_solver_scratch(shop->solver, ON_ODD, AT_SOLUTION);
    wall_embed(source.even, chirality, d->c, psi[0]);
    wall_embed(source.odd, chirality, d->c, psi[1]);
    wall_prepare(rhs, links, &m, source, even);
    wall_c_dagger(turned, links, &m, rhs, even, x.odd);
    start_from(how.past, solution, shop, &m, turned, even, c);
    monomial_time_begin(c, "solve");
    wall_solved s = wall_solve(shop->solver, &m, solution, turned, &goal);
    monomial_time_end(c);
    if (!ended(factor, shop, how.role, &s, c))
        return false;
    if (how.past)
        wall_forecast_keep(how.past, solution);
    wall_reconstruct(x, links, &m, source, solution, even);
    return true;
}

/* out <- out + a k w(m) P x, at the wall of the chirality */
static bool add_at_wall(vec *const out[2], double a, wall_factor *factor, const wall_shop *shop, demand how,
                        int chirality, double t, vec *const psi[2], monomial_call *c)
{
    const exact_flavor *d = factor->data;
    const wall_field x = scratch_field(shop, AT_X);
    if (!solve(x, factor, shop, how, chirality, t, psi, c))
        return false;
    wall_at_wall(d->room[0], chirality, x.even);
    wall_at_wall(d->room[1], chirality, x.odd);
    for (int i = 0; i < 2; i++)
        vec_axpy(out[i], a * d->k * d->wall[chirality], d->room[i]);
    return true;
}

/* M_E, and its inverse 1 + k P- v-^T [H(m) - Delta-]^-1 v- P- - k P+ v+^T H(M)^-1 v+ P+: sign, and t of either
 * chirality. */
typedef struct { double sign, t[CHIRALITIES]; } way;
static const way onwards = { 1, { [PLUS] = -1, [MINUS] = 0 } }, backwards = { -1, { [PLUS] = 0, [MINUS] = -1 } };

/* out <- M_E psi, or its inverse */
static bool apply(vec *const out[2], way w, wall_factor *factor, const wall_shop *shop, int role, double residual,
                  vec *const psi[2], monomial_call *c)
{
    const demand how = { role, residual, NULL };
    for (int i = 0; i < 2; i++)
        vec_copy(out[i], psi[i]);
    for (int chirality = 0; chirality < CHIRALITIES; chirality++)
        if (!add_at_wall(out, w.sign, factor, shop, how, chirality, w.t[chirality], psi, c))
            return false;
    return true;
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

/* By power iteration: the largest eigenvalue of M_E or of its inverse, from below. */
static bool largest_of(double *found, way w, wall_factor *factor, const wall_shop *shop, int64_t number,
                       monomial_call *c)
{
    const exact_flavor *d = factor->data;
    set_gaussian(d->trial, rng_key_for(0, 0, (uint64_t)number, RNG_SPECTRUM), factor->plan.first_draw);
    for (int step = 0; step < POWER_STEPS; step++) {
        if (!apply(d->image, w, factor, shop, ROLES, POWER_RESIDUAL, d->trial, c))
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

static bool measure(wall_factor *factor, const wall_shop *shop, int64_t number, monomial_call *c)
{
    exact_flavor *d = factor->data;
    wall_ends ends = { .number = number };
    double inverse_of_smallest;
    bool changed;
    failure why;
    monomial_time_begin(c, "spectrum");
    bool found = largest_of(&ends.largest, onwards, factor, shop, number, c)
                 && largest_of(&inverse_of_smallest, backwards, factor, shop, number, c);
    monomial_time_end(c);
    if (!found)
        return false;
    ends.smallest = 1 / inverse_of_smallest;
    if (!wall_range_found(&d->range, &changed, &ends, RANGE_BELOW, RANGE_ABOVE, "M_E", &why)
        || (changed && !make_function(d, &why)))
        return fail(&c->trouble, "factor %d: %s", factor->index, why.why);
    return true;
}

static bool prepare(wall_factor *factor, const wall_shop *shop, int64_t number, monomial_call *c)
{
    exact_flavor *d = factor->data;
    return !wall_range_begin(&d->range, number) || measure(factor, shop, number, c);
}

static int recall(const void *data, double values[2])
{
    const exact_flavor *d = data;
    return wall_range_recall(&d->range, values);
}

static void remember(void *data, const double *values, int count)
{
    exact_flavor *d = data;
    failure f;
    if (wall_range_remember(&d->range, values, count) && d->range.largest > 0)
        require(make_function(d, &f), "%s", f.why);
}

/* ---- heat bath, action, force */

static bool refresh(wall_factor *factor, const wall_shop *shop, rng_key key, monomial_call *c)
{
    exact_flavor *d = factor->data;
    if (d->range.largest == 0 && !measure(factor, shop, 0, c))     /* outside trajectories */
        return false;
    const rational *r = &d->inverse_root;
    double of_eta = r->constant;
    for (int l = 0; l < r->order; l++)
        of_eta += r->residue[l] / (1 + r->pole[l]);
    set_gaussian(d->trial, key, factor->plan.first_draw);
    for (int i = 0; i < 2; i++) {
        vec_zero(d->phi[i]);
        vec_axpy(d->phi[i], of_eta, d->trial[i]);
    }
    for (int chirality = 0; chirality < CHIRALITIES; chirality++) {
        vec *solution[KEPT];
        wall_forecast past = { .room = KEPT, .solution = solution };
        for (int i = 0; i < KEPT; i++)
            solution[i] = wall_solver_scratch(shop->solver, ON_ODD, AT_KEPT + i);
        for (int l = 0; l < r->order; l++) {
            const demand how = { ROLE_HEAT_BATH, factor->plan.residual.of[ROLE_HEAT_BATH], &past };
            double g = 1 / (1 + r->pole[l]), t = chirality == PLUS ? -r->pole[l] * g : -g;
            if (!add_at_wall(d->phi, -r->residue[l] * g * g, factor, shop, how, chirality, t, d->trial, c))
                return false;
        }
    }
    wall_start_drawn(&d->start, norm2(d->trial), shop, c);
    return true;
}

static bool action(double *value, wall_factor *factor, const wall_shop *shop, monomial_call *c)
{
    exact_flavor *d = factor->data;
    if (!apply(d->image, onwards, factor, shop, ROLE_ACTION, factor->plan.residual.of[ROLE_ACTION], d->phi, c))
        return false;
    *value = vec_dot(d->phi[0], d->image[0]).re + vec_dot(d->phi[1], d->image[1]).re;
    return wall_start_action(&d->start, *value, factor, shop, WALL_RANGE_ADVICE, c);
}

/* b^-1/2 Y */
static fifth_table from_solution(const wall_weights *w, double mass)
{
    const fifth_table y = fifth_y(w, mass, 1);
    double left[SLICES_MAX], right[SLICES_MAX];
    for (int s = 0; s < w->slices; s++) {
        left[s] = 1 / sqrt(w->b[s]);
        right[s] = 1;
    }
    return fifth_scaled(&y, left, right, w->slices);
}

static bool add_force(wall_factor *factor, const wall_shop *shop, monomial_call *c)
{
    exact_flavor *d = factor->data;
    const demand how = { ROLE_FORCE, factor->plan.residual.of[ROLE_FORCE], NULL };
    const wall_field y = scratch_field(shop, AT_X), left = scratch_field(shop, AT_LEFT);
    for (int chirality = 0; chirality < CHIRALITIES; chirality++) {
        const fifth_table table = from_solution(&d->weights, d->mass[chirality]);
        if (!solve(y, factor, shop, how, chirality, onwards.t[chirality], d->phi, c))
            return false;
        monomial_time_begin(c, "outer products");
        wall_fifth(y.even, &table, y.even);
        wall_fifth(y.odd, &table, y.odd);
        wall_reflect(left.even, y.even);
        wall_reflect(left.odd, y.odd);
        wall_force_add_hop(shop->force, wall_solver_links(shop->solver), chirality == PLUS ? -d->k : d->k, left, y);
        monomial_time_end(c);
    }
    return true;
}

static void progress(void *data, number_row *row)
{
    exact_flavor *d = data;
    wall_range_row(&d->range, row);
    wall_start_row(&d->start, row);
}

static void report(const void *data, json *j)
{
    const exact_flavor *d = data;
    wall_range_report(&d->range, j);
    wall_start_report(&d->start, j);
    json_int(j, "poles", d->inverse_root.order);
}

/* Eight spinors of four dimensions on one parity, eight slices: of little weight beside the scratch vectors. */
static int vectors(const wall_factor_plan *p)
{
    (void)p;
    return 1;
}

static int scratch_vectors(const wall_factor_plan *p)
{
    (void)p;
    return AT_EVEN + 1 + AT_END;
}

static int terms(const wall_factor_plan *p)
{
    (void)p;
    return CHIRALITIES;
}

const wall_factor_kind wall_exact_factor = {
    .name = "exact",
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
    .terms = terms,
};
