/* mixed_space.h - what solvers in mixed precision share: vectors, true residuals, and when to lose patience. */
#ifndef KILN_SOLVERS_MIXED_SPACE_H
#define KILN_SOLVERS_MIXED_SPACE_H

#include "src/lattice/vec_mixed.h"
#include "src/solvers/cg_mixed.h"

struct mixed_space {
    cg_space *high;                  /* borrowed; v[0]: the true residual, v[1]: the best solution so far */
    vec *r, *q, *ring[MIXED_RING];
};

/* A system, and the residual of x.  In low precision all is in units of 1 / scale, a power of two under which b is of
 * order 1 at each site: single precision has no exponents for every b. */
typedef struct {
    const linop *high, *low;
    vec *x;
    double shift;
    const vec *b;
    double scale, bb;                /* bb and rr: |b|^2 and |r|^2 in those units */
    double rr;
    mixed_space *w;
} mixed_system;

/* The scale for b with |b|^2 = bb. */
double mixed_scale(const vec *b, double bb);

/* r <- b - (A + shift) x, in high precision and in low; rr. */
void mixed_true_residual(mixed_system *s, mixed_record *record);

/* From an update of the residual to the next: of |r|^2, the first, the largest, and the one last found to be half the
 * residual before. */
typedef struct { double start, top, halved; int steps, increases, fruitless; } mixed_progress;
mixed_progress mixed_progress_from(double rr);

/* Whether it is time to replace a residual that is said to be rr. */
bool mixed_is_time(mixed_progress *p, const mixed_rule *rule, double rr);

/* A replaced residual is in truth rr: what is wrong with that, if anything is. */
mixed_failure mixed_progress_seen(mixed_progress *p, const mixed_rule *rule, double rr);

/* p <- z r + beta p with p made orthogonal to r, |r|^2 = rr, first; or left as it is. */
void mixed_direction(vec *p, double z, const vec *r, double rr, double beta, const vec *from, const mixed_rule *rule,
                     mixed_record *record);

/* cg_solve_mixed, going on from direction p with the residual of x. */
mixed_result cg_continue_mixed(const linop *high, const linop *low, vec *x, double shift, const vec *b, stop_rule stop,
                               const mixed_rule *rule, mixed_space *w, const vec *p);

#endif
