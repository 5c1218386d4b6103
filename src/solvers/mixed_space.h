/* mixed_space.h - common parts of solvers in mixed precision: vectors, true residuals, tests of progress. */
#ifndef KILN_SOLVERS_MIXED_SPACE_H
#define KILN_SOLVERS_MIXED_SPACE_H

#include "src/lattice/vec_mixed.h"
#include "src/solvers/cg_space.h"
#include "src/solvers/mixed_rule.h"
#include "src/solvers/solver.h"

/* Working vectors for `slots` systems at once: MIXED_VECTORS vectors like `low` for each.  `high` is borrowed, and has
 * at least `slots` slots. */
enum { MIXED_VECTORS = KRYLOV_RING + 3 };
typedef struct mixed_space mixed_space;
mixed_space *mixed_space_create(cg_space *high, const vec *low);                 /* one slot */
mixed_space *mixed_space_create_batch(cg_space *high, const vec *low, int slots);
void mixed_space_free(mixed_space *w);

struct mixed_space {
    cg_space *high;                  /* borrowed; r: true residuals, more: the best solutions so far */
    int slots;
    krylov *engine;
    vec *r[BATCH_MAX_RHS], *q[BATCH_MAX_RHS], *ring[BATCH_MAX_RHS][KRYLOV_RING];
    vec *residuals[BATCH_MAX_RHS][KRYLOV_RING], *alternate[BATCH_MAX_RHS][2];   /* for step groups (krylov.h): the
                                                                                  * same vectors, and alternate[1] */
};

/* A system in a slot, and the size of its residual.  In low precision, all its vectors are multiplied by `scale`, a
 * power of two that makes b of order 1 at each site: b itself may exceed the range of single precision. */
typedef struct {
    int slot;
    vec *x;
    double shift;
    const vec *b;
    double scale, bb, rr;            /* bb and rr: |b|^2 and |r|^2 of the scaled vectors */
} mixed_system;

/* For b with |b|^2 = bb; rr is set for x = 0. */
mixed_system mixed_system_of(int slot, vec *x, double shift, const vec *b, double bb);

/* For several systems at once: r <- b - (A + shift) x, in high precision and (rounded) in the slot of w; sets rr. */
void mixed_true_residuals(mixed_space *w, const linop *high, mixed_system *const *s, int count);
void mixed_true_residual(mixed_space *w, const linop *high, mixed_system *s);

/* Whether there is something to solve: b is not zero, and |b|^2 = bb is finite.  If not, sets the result, and x to 0 if
 * b is 0. */
bool mixed_has_source(solve_result *result, vec *x, double bb);

/* The result of a system with the true residual s->rr; it has converged if this is at most `target`. */
solve_result mixed_result_of(const mixed_system *s, double target, int iterations, int max_iterations);

/* Add to the history h, unless it is NULL or full.
 * residual   |r|^2 = rr at an iteration
 * iterated   the residuals that engine k has recorded for its present krylov_system since the last call.  before:
 *            iterations of the solve before this krylov_system; *noted: its iterations that are in the history,
 * updated */
void mixed_note_residual(residual_history *h, const mixed_system *s, double rr, bool is_true, int iteration);
void mixed_note_iterated(residual_history *h, const mixed_system *s, krylov *k, int before, int *noted);

/* Progress from one update of the residual to the next.  start: |r|^2 at the start; halved: |r|^2 at the latest update
 * that at least halved |r|. */
typedef struct { double start, halved; int increases, fruitless; } mixed_progress;
mixed_progress mixed_progress_from(double rr);

/* Records an update with the true |r|^2 = rr.  Returns FAILED_RESIDUAL or FAILED_NUMBERS if the solve makes no progress
 * by the limits of the rule (increases, fruitless), else NO_FAILURE. */
mixed_failure mixed_progress_seen(mixed_progress *p, const mixed_rule *rule, double rr);

/* p <- z r + beta p; p is borrowed. */
typedef struct { vec *p; double z, beta; } mixed_direction;

/* The directions after an update to r, |r|^2 = rr.  With MIXED_REPROJECTION each p is first made orthogonal to r. */
void mixed_directions(const mixed_direction *d, int count, const vec *r, double rr, const mixed_rule *rule,
                      mixed_record *record);

/* Sets when a system with vectors like `low` stops for an update, for a method. */
void mixed_set_updates(krylov_system *state, const mixed_rule *rule, mixed_method method, const vec *low);

/* The failure of a stopped system with this status. */
mixed_failure mixed_failure_of(int status);

#endif
