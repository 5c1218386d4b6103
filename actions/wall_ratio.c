/* wall_ratio.c - two flavours of domain-wall quarks over two heavier ones.
 *
 *     S = phi^+ V (C^+C)^-1 V^+ phi,   C = C(m), V = C(M)
 *     heat bath   phi = V (V^+V)^-1 C^+ eta, eta of weight exp(-|eta|^2)
 *     force       dS = 2 Re phi^+ dV X - 2 Re Y^+ dC X,   X = (C^+C)^-1 V^+ phi,  Y = C X
 *
 * With b = V^+ phi, S is the maximum over x of 2 Re b^+ x - |C x|^2: summed like this, its error is of second order in
 * that of X.
 *
 * Where solutions of the force are kept (R. C. Brower et al., hep-lat/9509012), the vector of their span that is
 * nearest to X, in the norm |C (x - X)|, starts the next solve. */
#include "actions/wall_factor.h"

#include "src/base/memory.h"
#include "src/lattice/vec_mixed.h"

#include <math.h>

typedef struct {
    wall_matrix c, v;
    vec *phi;
    wall_start start;
    int room, kept;                                /* of solutions, the latest one first */
    vec **solution;
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
    r->room = p->chronological;
    r->solution = memory_alloc((size_t)(r->room + 1) * sizeof *r->solution, "solutions");
    for (int i = 0; i < r->room; i++)
        r->solution[i] = wall_vec_create(l, ON_ODD, u->links.where, PRECISION_DOUBLE, slices);
    return r;
}

static void free_ratio(void *data)
{
    ratio *r = data;
    for (int i = 0; i < r->room; i++)
        vec_free(r->solution[i]);
    memory_free(r->solution);
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
    r->kept = 0;
    vec_set_gaussian(odd(shop, IMAGE), key, x->plan.first_draw);
    const double eta_norm2 = vec_norm2(odd(shop, IMAGE));
    times_c_dagger(odd(shop, SOURCE), shop, &r->c, odd(shop, IMAGE));
    vec_zero(odd(shop, SOLUTION));
    if (!solve(x, shop, &r->v, ROLE_HEAT_BATH, "the denominator", c))
        return false;
    times_c(r->phi, shop, &r->v, odd(shop, SOLUTION));
    wall_start_drawn(&r->start, eta_norm2, shop);
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

/* A solution of which less than this is outside of the span of those after it tells nothing new. */
#define NOTHING_NEW 1e-12

/* y <- y + a x */
static void add(vec *y, complex_number a, const vec *x)
{
    vec_direction(y, a, x, 1, y);
}

static void scale(vec *y, double a)
{
    vec_direction(y, (complex_number){ a, 0 }, y, 0, y);
}

/* The solutions are made orthogonal in <x, A y>, each to those after it, so that what a number of the latest ones
 * spans stays what it was; the coefficients of the nearest vector are then products with the source. */
static void extrapolate(ratio *r, const wall_shop *shop)
{
    vec *const b = odd(shop, SOURCE), *const start = odd(shop, SOLUTION);
    int kept = 0;
    vec_zero(start);
    for (int i = 0; i < r->kept; i++) {
        vec *x = r->solution[i], *image = odd(shop, BORROWED + kept);
        times_c(image, shop, &r->c, x);
        const double before = vec_norm2(image);
        for (int pass = 0; pass < 2; pass++)
            for (int j = 0; j < kept; j++) {
                complex_number a = vec_dot(odd(shop, BORROWED + j), image);
                a = (complex_number){ -a.re, -a.im };
                add(image, a, odd(shop, BORROWED + j));
                add(x, a, r->solution[j]);
            }
        const double norm2 = vec_norm2(image);
        if (!(norm2 > NOTHING_NEW * NOTHING_NEW * before))
            continue;
        scale(image, 1 / sqrt(norm2));
        scale(x, 1 / sqrt(norm2));
        r->solution[i] = r->solution[kept];
        r->solution[kept++] = x;
        add(start, vec_dot(x, b), x);
    }
    r->kept = kept;
}

static void keep(ratio *r, const vec *x)
{
    vec *oldest = r->solution[r->room - 1];
    for (int i = r->room - 1; i > 0; i--)
        r->solution[i] = r->solution[i - 1];
    r->solution[0] = oldest;
    vec_copy(oldest, x);
    r->kept = r->kept < r->room ? r->kept + 1 : r->room;
}

static bool add_force(wall_factor *x, const wall_shop *shop, monomial_call *c)
{
    static const double plus = 1, minus = -1;
    ratio *r = x->data;
    vec *const b = odd(shop, SOURCE), *const solution = odd(shop, SOLUTION), *const image = odd(shop, IMAGE);
    times_c_dagger(b, shop, &r->v, r->phi);
    if (r->kept > 0) {
        monomial_time_begin(c, "start vector");
        extrapolate(r, shop);
        monomial_time_end(c);
    } else
        vec_zero(solution);
    if (!solve(x, shop, &r->c, ROLE_FORCE, "the numerator", c))
        return false;
    if (r->room > 0)
        keep(r, solution);
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
    number_row_int(row, &r->kept);
    r->kept = r->kept < r->room ? r->kept : r->room;
}

static vec *kept_solution(void *data, int index)
{
    ratio *r = data;
    return index < r->kept ? r->solution[index] : NULL;
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
