/* square_system.c - a Dirac operator on a small random gauge field, and its solver. */
#include "tests/solvers/square_system.h"

#include "src/base/memory.h"
#include "src/lattice/grid.h"
#include "src/lattice/rng.h"
#include "src/lattice/vec_mixed.h"
#include "src/operators/dwf_weights.h"
#include "src/solvers/bicg_solver.h"

#include <math.h>

const char *const square_names[SQUARES] = { "Wilson", "clover", "exponential clover", "twisted clover",
                                            "domain-wall" };

static const int small[4] = { 4, 4, 8, 8 };

enum { LS = 4 };
#define C_SW 0.3
#define MU 0.2

/* On random links, hops are about half as large as on smooth ones. */
static const double masses[SQUARES] = { -0.6, -0.6, -0.6, -0.6, 0.1 };

static void set_plan(square_system *s, square_kind kind, double mass)
{
    const dwf_weights_params weights = { .kind = DWF_MOBIUS, .Ls = LS, .M5 = 1.4, .b = 1.5, .c = 0.5 };
    failure why;
    switch (kind) {
    case SQUARE_WILSON:
        s->clover = (clover_operator_params){ .boundary.t = -1, .plain = true };
        clover_operator_add_mass(&s->clover, mass);
        s->plan = clover_operator_plan(&s->clover);
        break;
    case SQUARE_DWF:
        s->dwf.boundary = -1;
        require(dwf_weights_make(&s->dwf.weights, &weights, &why), "%s", why.why);
        dwf_operator_add_mass(&s->dwf, mass);
        s->plan = dwf_operator_plan(&s->dwf);
        break;
    default:
        s->clover = (clover_operator_params){ .boundary.t = -1, .c_sw = C_SW,
                                              .kind = kind == SQUARE_EXPONENTIAL ? CLOVER_EXPONENTIAL : CLOVER_LINEAR };
        clover_operator_add_twisted(&s->clover, mass, kind == SQUARE_TWISTED ? MU : 0);
        s->plan = clover_operator_plan(&s->clover);
    }
}

dirac_solver_spec square_spec(solver_precision in, int order, int systems)
{
    dirac_solver_spec spec = dirac_solver_spec_of(in, systems);
    for (int i = 0; i < SOLVER_KINDS && order > 0; i++)       /* 0: conjugate gradients */
        if (bicg_solver_order(solver_kinds[i]) == order)
            spec.kind = solver_kinds[i];
    return spec;
}

void square_source(vec *b, int key)
{
    vec_set_gaussian(b, rng_key_for(57, 0, (uint64_t)key, RNG_TEST), 0);
}

void square_create(square_system *s, const square_request *r)
{
    const double mass = masses[r->kind] - r->closer;
    const vec_storage full = { VECTOR_NATIVE, PRECISION_DOUBLE };
    failure why;
    *s = (square_system){ .l = NULL };
    grid_want(r->grid);
    const lattice_shape shape = grid_shape_here(r->extents ? r->extents : small, GRID_HOPS_LEAST);
    s->l = lattice_create(&shape);
    s->u = gauge_create(s->l, r->where, PRECISION_DOUBLE);
    gauge_set_random(s->u, rng_key_for(3, 0, 0, RNG_START_LINKS));
    set_plan(s, r->kind, mass);
    s->d = dirac_create(&s->plan, s->u, false);
    s->m = s->d->kind->matrix(s->d, 0);
    s->w = dirac_solver_create(s->d, r->spec);
    require(dirac_update(s->d, s->u, &why), "%s", why.why);
    s->b = dirac_vec_create(s->d, ON_ODD, full);
    s->x = dirac_vec_create(s->d, ON_ODD, full);
    square_source(s->b, 0);
}

void square_free(square_system *s)
{
    vec_free(s->x);
    vec_free(s->b);
    dirac_solver_free(s->w);
    memory_free(s->m);
    dirac_free(s->d);
    gauge_free(s->u);
    lattice_free(s->l);
}

double square_residual(square_system *s, bool dagger, const vec *x, const vec *b)
{
    vec *r = vec_create_like(b);
    dirac_solver_apply(r, s->w, s->m, dagger, x);
    vec_axpy(r, -1, b);
    const double residual = sqrt(vec_norm2(r) / vec_norm2(b));
    vec_free(r);
    return residual;
}

double square_distance(const vec *x, const vec *y)
{
    vec *difference = vec_create_like(x);
    vec_copy(difference, x);
    vec_axpy(difference, -1, y);
    const double distance = sqrt(vec_norm2(difference) / vec_norm2(y));
    vec_free(difference);
    return distance;
}
