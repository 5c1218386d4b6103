/* mixed_pair.h - a small system in double precision, and the same operator in another one or in a format, for solvers
 * in mixed precision. */
#ifndef KILN_TESTS_SOLVERS_MIXED_PAIR_H
#define KILN_TESTS_SOLVERS_MIXED_PAIR_H

#include "src/gauge/packed_links.h"
#include "src/operators/staggered_apply.h"
#include "src/solvers/cg_mixed.h"
#include "tests/solvers/small_system.h"

typedef enum { LOW_SINGLE, LOW_DOUBLE, LOW_HALF, LOW_INT20, LOW_INT30, LOWS } low_kind;
extern const char *const low_names[LOWS];

/* K in low precision. */
typedef struct {
    linop base;
    gauge *fat, *naik;                    /* native */
    packed_links *packed_fat, *packed_naik;
    staggered_links_view links;
    vec *between;
} low_operator;
void low_operator_create(low_operator *a, staggered_terms high, low_kind kind);
void low_operator_free(low_operator *a);
vec *low_vec(lattice *l, parity_set on, place where, low_kind kind);

typedef struct {
    small_system s;                       /* in double */
    low_operator low;
    vec *like;
    mixed_space *w;
} mixed_pair;

void mixed_pair_create(mixed_pair *m, const int extents[4], place where, low_kind low);
void mixed_pair_free(mixed_pair *m);

/* A task by the pair's operator in double and `low`, with the pair's vectors. */
mixed_result mixed_pair_solve(mixed_pair *m, const linop *low, mixed_task task, const mixed_rule *rule);

/* |b - (A + shift) x| / |b|, computed anew in double. */
double true_residual_of(const linop *a, double shift, const vec *x, const vec *b);

/* A deliberately wrong operator: A + shift + `more`, times `factor`; for all but the first `right`
 * applications, and no more than `wrong` of them. */
typedef struct { linop base; const linop *of; double more, factor; int right, wrong, *applications; } wrong_operator;
wrong_operator wrong_operator_of(const linop *of, double more, double factor, int right, int wrong, int *applications);

#endif
