/* coarse_system.h - Wilson-type quarks on a small random gauge field, for tests of multigrid. */
#ifndef KILN_TESTS_SOLVERS_MULTIGRID_COARSE_SYSTEM_H
#define KILN_TESTS_SOLVERS_MULTIGRID_COARSE_SYSTEM_H

#include "src/operators/clover.h"

typedef enum { QUARKS_WILSON, QUARKS_CLOVER, QUARKS_EXPONENTIAL, QUARKS_TWISTED, QUARKS_RHO, QUARKS_UNEVEN,
               QUARKS } coarse_quarks;
extern const char *const coarse_quarks_names[QUARKS];

typedef struct {
    place where;
    const int *extents, *grid;             /* grid: NULL: one rank */
    coarse_quarks quarks;
    precision p;
    double mass, width;                    /* of the links (random links near 1) */
    bool open;                             /* boundaries in t, with c_F */
} coarse_request;

/* Links and term in double, in the precision of the request, and for vectors in 16 bits. */
typedef struct {
    lattice *l;
    gauge *u;
    clover_links exact, links, half;       /* owned */
} coarse_system;
void coarse_system_create(coarse_system *s, const coarse_request *r);
void coarse_system_free(coarse_system *s);

vec *coarse_system_vec(const coarse_system *s, parity_set on, precision p);    /* on the fine lattice */

#endif
