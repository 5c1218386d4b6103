/* wall_ratio.c - two flavours of domain-wall quarks over two heavier ones.
 *
 *     S = phi^+ V (C^+C)^-1 V^+ phi,   C = C(m), V = C(M)
 *     heat bath   phi = V (V^+V)^-1 C^+ eta, eta of weight exp(-|eta|^2)
 *     force       dS = 2 Re phi^+ dV X - 2 Re Y^+ dC X,   X = (C^+C)^-1 V^+ phi,  Y = C X
 *
 * With b = V^+ phi, S is the maximum over x of 2 Re b^+ x - |C x|^2: summed like this, its error is of second order in
 * that of X.
 *
 * Where solutions of the force are kept, the next solve starts from what they say of X (wall_forecast.h). */
#include "actions/wall_factor.h"
#include "actions/wall_forecast.h"

#include "src/base/memory.h"

typedef struct {
    wall_matrix c, v;
    vec *phi;
    wall_start start;
    wall_forecast past;                            /* solutions of the force */
} ratio;

/* Vectors of the solver's that are borrowed, on odd sites; after them one for each solution kept. */
enum { SOURCE, SOLUTION, IMAGE, SPARE, BORROWED };

static void *create(const wall_factor_plan *p, const wall_shop *shop, const gauge *u)
{
    ratio *r = memory_alloc(sizeof *r, "a ratio of domain-wall determinants");
    lattice *l = u->links.lattice;
    const int slices = shop->weights.slices;
    const fifth_corner none = { 0 };
    r->c = wall_matrix_of(&shop->weights, p->mass, none);
    r->v = wall_matrix_of(&shop->weights, p->heavy, none);
    r->phi = wall_vec_create(l, ON_ODD, u->links.where, PRECISION_DOUBLE, slices);
    r->start = (wall_start){ 0 };
    r->past.room = p->chronological;
    r->past.solution = memory_alloc((size_t)(r->past.room + 1) * sizeof *r->past.solution, "solutions");
    for (int i = 0; i < r->past.room; i++)
        r->past.solution[i] = wall_vec_create(l, ON_ODD, u->links.where, PRECISION_DOUBLE, slices);
    return r;
}

static void free_ratio(void *data)
{
    ratio *r = data;
    for (int i = 0; i < r->past.room; i++)
        vec_free(r->past.solution[i]);
    memory_free(r->past.solution);
    vec_free(r->phi);
    memory_free(r);
}

static vec *odd(const wall_shop *shop, int i)
{
    return wall_solver_scratch(shop->solver, ON_ODD, i);
}

static void times_c(vec *out, const wall_shop *shop, const wall_matrix *m, const vec *in)
{
    wall_c(out, wall_solver_links(shop->solver), m, in, wall_solver_scratch(shop->solver, ON_EVEN, 0));
}

static void times_c_dagger(vec *out, const wall_shop *shop, const wall_matrix *m, const vec *in)
{
    wall_c_dagger(out, wall_solver_links(shop->solver), m, in, wall_solver_scratch(shop->solver, ON_EVEN, 0),
                  odd(shop, SPARE));
}

/* SOLUTION <- A^-1 SOURCE, from where it is. */
static bool solve(wall_factor *x, const wall_shop *shop, const wall_matrix *m, int role, const char *of,
                  monomial_call *c)
{
    const wall_goal goal = { x->plan.residual.of[role], shop->max_iterations, true };
    monomial_time_begin(c, "solve");
    wall_solved s = wall_solve(shop->solver, m, odd(shop, SOLUTION), odd(shop, SOURCE), &goal);
    monomial_time_end(c);
    return wall_solve_ended(x, shop, role, of, &s, c);
}

static bool refresh(wall_factor *x, const wall_shop *shop, rng_key key, monomial_call *c)
{
    ratio *r = x->data;
    r->past.kept = 0;
    vec_set_gaussian(odd(shop, IMAGE), key, x->plan.first_draw);
    const double eta_norm2 = vec_norm2(odd(shop, IMAGE));
    times_c_dagger(odd(shop, SOURCE), shop, &r->c, odd(shop, IMAGE));
    vec_zero(odd(shop, SOLUTION));
    if (!solve(x, shop, &r->v, ROLE_HEAT_BATH, "the denominator", c))
        return false;
    times_c(r->phi, shop, &r->v, odd(shop, SOLUTION));
    wall_start_drawn(&r->start, eta_norm2, shop, c);
    return true;
}

static bool action(double *value, wall_factor *x, const wall_shop *shop, monomial_call *c)
{
    ratio *r = x->data;
    times_c_dagger(odd(shop, SOURCE), shop, &r->v, r->phi);
    vec_zero(odd(shop, SOLUTION));
    if (!solve(x, shop, &r->c, ROLE_ACTION, "the numerator", c))
        return false;
    times_c(odd(shop, IMAGE), shop, &r->c, odd(shop, SOLUTION));
    *value = 2 * vec_dot(odd(shop, SOURCE), odd(shop, SOLUTION)).re - vec_norm2(odd(shop, IMAGE));
    return wall_start_action(&r->start, *value, x, shop, "its solves are not as good as their residuals say", c);
}

static void forecast(ratio *r, const wall_shop *shop)
{
    vec *image[WALL_FORECAST_MAX];
    for (int i = 0; i < r->past.kept; i++)
        image[i] = odd(shop, BORROWED + i);
    wall_forecast_start(&r->past, odd(shop, SOLUTION), wall_solver_links(shop->solver), &r->c, odd(shop, SOURCE),
                        wall_solver_scratch(shop->solver, ON_EVEN, 0), image);
}

static bool add_force(wall_factor *x, const wall_shop *shop, monomial_call *c)
{
    static const double plus = 1, minus = -1;
    ratio *r = x->data;
    vec *const b = odd(shop, SOURCE), *const solution = odd(shop, SOLUTION), *const image = odd(shop, IMAGE);
    times_c_dagger(b, shop, &r->v, r->phi);
    if (r->past.kept > 0) {
        monomial_time_begin(c, "start vector");
        forecast(r, shop);
        monomial_time_end(c);
    } else
        vec_zero(solution);
    if (!solve(x, shop, &r->c, ROLE_FORCE, "the numerator", c))
        return false;
    if (r->past.room > 0)
        wall_forecast_keep(&r->past, solution);
    monomial_time_begin(c, "outer products");
    times_c(image, shop, &r->c, solution);
    wall_force_add(shop->force, wall_solver_links(shop->solver), &r->v, &plus, &r->phi, &solution, 1);
    wall_force_add(shop->force, wall_solver_links(shop->solver), &r->c, &minus, &image, &solution, 1);
    monomial_time_end(c);
    return true;
}

static vec *field_of(void *data, int index)
{
    ratio *r = data;
    return index == 0 ? r->phi : NULL;
}

static void progress(void *data, number_row *row)
{
    ratio *r = data;
    wall_start_row(&r->start, row);
    number_row_int(row, &r->past.kept);
    r->past.kept = r->past.kept < r->past.room ? r->past.kept : r->past.room;
}

static vec *kept_solution(void *data, int index)
{
    ratio *r = data;
    return index < r->past.kept ? r->past.solution[index] : NULL;
}

static void report(const void *data, json *j)
{
    const ratio *r = data;
    wall_start_report(&r->start, j);
}

static int vectors(const wall_factor_plan *p)
{
    return 1 + p->chronological;
}

static int scratch(const wall_factor_plan *p)
{
    return BORROWED + 1 + p->chronological;
}

static int terms(const wall_factor_plan *p)
{
    (void)p;
    return 2;
}

const wall_factor_kind wall_ratio_factor = {
    .name = "two_flavors",
    .create = create,
    .free = free_ratio,
    .refresh = refresh,
    .action = action,
    .add_force = add_force,
    .field = field_of,
    .report = report,
    .progress = progress,
    .kept = kept_solution,
    .vectors = vectors,
    .scratch = scratch,
    .terms = terms,
};
