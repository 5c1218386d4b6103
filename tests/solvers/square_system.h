/* square_system.h - a Dirac operator C from odd sites to odd sites on a small random gauge field, and its solver, for
 * tests of solves with C itself. */
#ifndef KILN_TESTS_SOLVERS_SQUARE_SYSTEM_H
#define KILN_TESTS_SOLVERS_SQUARE_SYSTEM_H

#include "src/operators/clover_operator.h"
#include "src/operators/dwf_operator.h"
#include "src/solvers/dirac_solver.h"

typedef enum { SQUARE_WILSON, SQUARE_CLOVER, SQUARE_EXPONENTIAL, SQUARE_TWISTED, SQUARE_DWF, SQUARES } square_kind;
extern const char *const square_names[SQUARES];

typedef struct {
    clover_operator_params clover;
    dwf_operator_params dwf;
    dirac_plan plan;
    lattice *l;
    gauge *u;
    dirac_operator *d;
    dirac_matrix *m;
    dirac_solver *w;
    vec *b, *x;                       /* a random vector; zero */
} square_system;

/* On the block of this rank of a grid (NULL: alone) of a lattice (extents; NULL: 4x4x8x8).  closer: how much the mass
 * is closer to a singular C than what is solved within tens of iterations. */
typedef struct {
    place where;
    const int *grid, *extents;
    square_kind kind;
    dirac_solver_spec spec;
    double closer;
} square_request;
void square_create(square_system *s, const square_request *r);
void square_free(square_system *s);
dirac_solver_spec square_spec(solver_precision in, int order, int systems);      /* order 0: conjugate gradients */

/* Random, the same for the same key. */
void square_source(vec *b, int key);
/* |b - C x| / |b|, or with C^+ */
double square_residual(square_system *s, bool dagger, const vec *x, const vec *b);
double square_distance(const vec *x, const vec *y);           /* |x - y| / |y| */

#endif
