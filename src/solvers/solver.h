/* solver.h - conjugate gradients for (A + shift) x = b, one shift or many.
 *
 * M. R. Hestenes and E. Stiefel (1952); many shifts at once: B. Jegerlehner, hep-lat/9612014.  A solve that did not
 * converge is a result, not an error.  Residuals are |b - (A + shift) x| / |b|; a "true" one is computed from x. */
#ifndef KILN_SOLVERS_SOLVER_H
#define KILN_SOLVERS_SOLVER_H

#include "src/operators/linop.h"

typedef struct { double tolerance; int max_iterations; } stop_rule;
typedef struct {
    bool converged;
    bool spent;                      /* not converged, no iterations left; if false, the residual stalls */
    int iterations;                  /* steps of conjugate gradients */
    int restarts;                    /* because the true residual was larger than the iterated one */
    double residual;                 /* the true one */
} solve_result;

/* The working vectors of a solver, of the same kind as `x`. */
typedef struct cg_space cg_space;
cg_space *cg_space_create(lattice *l, parity_set on, place where, precision p);
/* For `slots` systems at once; _like: with vectors like the native vector `like`, with the same number of slabs. */
cg_space *cg_space_create_batch(lattice *l, parity_set on, place where, precision p, int slots);
cg_space *cg_space_create_like(const vec *like, int slots);
/* _refining: only the vectors that solves in mixed precision need; cg_space_complete adds those for cg_solve and
 * lanczos_spectrum. */
cg_space *cg_space_create_refining(const vec *like, int slots);
void cg_space_complete(cg_space *w);
void cg_space_free(cg_space *w);
/* The memory of a complete space, and of one from cg_space_create_refining that is not completed. */
memory_need cg_space_bytes(const lattice_shape *shape, precision p, parity_set on, int slabs, int slots);
memory_need cg_space_refining_bytes(const lattice_shape *shape, precision p, parity_set on, int slabs, int slots);

/* Adds KRYLOV_GROUP_VECTORS vectors to each system.  Solves with many shifts then update their vectors only once in
 * several steps (a step group), and read less memory (kernels/krylov_args.h). */
enum { KRYLOV_GROUP_VECTORS = KRYLOV_RING + 1 };
void cg_space_widen(cg_space *w);

/* x: start vector, then the solution.  Stops when the true residual is at most the tolerance. */
solve_result cg_solve(const linop *a, vec *x, double shift, const vec *b, stop_rule stop, cg_space *w);

/* Solves (A + shift_k) x_k = b for k < count, shifts >= 0 in any order, from zero.  A system is frozen when its
 * iterated residual is at most its tolerance.  With `verify`, the true residual of every system is computed; if it is
 * too large, cg_solve continues from the current x_k. */
typedef struct { double shift, tolerance; } shifted;
typedef struct {
    bool converged;                  /* all of them */
    bool spent;                      /* not converged, and a system has no iterations left */
    int iterations;                  /* of the common Krylov space */
    int polish_iterations;           /* of cg_solve afterwards, all systems */
    int frozen_at[SHIFTS_MAX];       /* iteration at which each system was frozen */
    double residual[SHIFTS_MAX];     /* the true one if verified, else the iterated one */
} multishift_result;

/* All shifts of one right-hand side; everything is borrowed. */
typedef struct {
    const vec *b;
    const shifted *system;           /* `count` of them, and of x and p */
    int count;
    vec *const *x;                   /* the solutions */
    vec *const *p;                   /* vectors like x, overwritten: the directions */
} shifted_family;
multishift_result multishift_solve(const linop *a, shifted_family s, int max_iterations, bool verify, cg_space *w);

/* Lanczos from `start` (lanczos.c).  largest: the largest Ritz value plus its residual bound, in practice an upper
 * bound of the largest eigenvalue of A; smallest: the smallest Ritz value, which the smallest eigenvalue does not
 * exceed.  Does fewer steps if they exhaust the Krylov space.  NaN if a number is not finite. */
typedef struct { double largest, smallest; int steps; } spectrum_estimate;
spectrum_estimate lanczos_spectrum(const linop *a, const vec *start, int steps, cg_space *w);

#endif
