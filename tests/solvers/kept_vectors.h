/* kept_vectors.h - the vectors of a system in a Krylov space, for tests that compare the ways of keeping steps. */
#ifndef KILN_TESTS_SOLVERS_KEPT_VECTORS_H
#define KILN_TESTS_SOLVERS_KEPT_VECTORS_H

#include "src/solvers/krylov.h"

enum { SHIFTS = 2, PARTS = 1 + SHIFTS, ALTERNATE = 2 };

typedef enum { STEP_BY_STEP, IN_RINGS, IN_WINDOWS, KEEPINGS } keeping;
static const char *const keeping_names[KEEPINGS] = { "step by step", "in rings", "in step groups" };

/* All vectors of a system, whatever is needed of them; y may be in double. */
typedef struct {
    vec *y, *residuals[KRYLOV_RING], *ring[KRYLOV_RING], *alternate[ALTERNATE], *q, *x[PARTS], *p[PARTS];
} vectors;
enum { VECTORS = sizeof(vectors) / sizeof(vec *) };

/* Those that this way uses. */
static krylov_vectors kept(const vectors *v, keeping how)
{
    krylov_vectors k = { .r = v->residuals[KRYLOV_RING - 1], .q = v->q, .y = v->y, .unit = 1 };
    if (how == IN_RINGS) {
        k.ring = v->ring;
        return k;
    }
    k.count = PARTS;
    k.x = v->x;
    k.p = v->p;
    k.residuals = how == IN_WINDOWS ? v->residuals : NULL;
    k.alternate = how == IN_WINDOWS ? v->alternate : NULL;
    return k;
}

#endif
