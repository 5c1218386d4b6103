/* monomial.h - one term of the action: a kind is a constant table of functions.
 *
 * A monomial refreshes its fields from the heat bath, gives its action, and adds its force:
 *     dS/dtau = -sum Re Tr P^+F along dU/dtau = P U.
 * Adding a kind touches its own file and one line of monomials.c. */
#ifndef KILN_ACTIONS_MONOMIAL_H
#define KILN_ACTIONS_MONOMIAL_H

#include "src/config/schema.h"
#include "src/lattice/gauge.h"
#include "src/site/exact_sum.h"

typedef struct monomial monomial;

/* Sum and maximum over links of Tr F^+F, of one evaluation of a force: two cells where the field is. */
enum { FORCE_CELLS = 2 };

/* What an evaluation costs, counted from the algorithm: compulsory bytes, floating-point operations. */
typedef struct { double flops, bytes; } work;

typedef struct {
    param_kind input;                   /* name and parameters; their struct begins with `char *name` */
    /* What the table cannot say: which parameters go together, what the lattice must be. */
    bool      (*check)(const void *params, const int extents[4], failure *f);
    monomial *(*create)(const void *params, const gauge *u);           /* params are copied */
    void      (*free)(monomial *m);
    void      (*refresh)(monomial *m, const gauge *u, rng_key key);
    double    (*action)(monomial *m, const gauge *u);
    void      (*add_force)(monomial *m, const gauge *u, momentum *p, double weight, sum_cell *size);
    size_t    (*bytes)(const void *params, const int extents[4]);      /* of device memory that create takes */
    work      (*force_work)(const void *params, const int extents[4]);
} monomial_kind;

struct monomial {
    const monomial_kind *kind;
    void *data;                         /* the kind's own */
};

/* Each calls the kind's function of that name; a kind without a heat bath has NULL there. */
void   monomial_refresh(monomial *m, const gauge *u, rng_key key);
double monomial_action(monomial *m, const gauge *u);
/* P <- P + weight F; `size` (FORCE_CELLS zeroed cells at the place of u) takes the size of F, not of weight F. */
void   monomial_add_force(monomial *m, const gauge *u, momentum *p, double weight, sum_cell *size);
void   monomial_free(monomial *m);

/* The kinds there are, NULL at the end: the `input` of each, which is where the kind begins. */
extern const param_kind *const monomial_kinds[];
const monomial_kind *monomial_kind_at(int index);

#endif
