/* sums.h - cells of sums and maxima (site/exact_sum.h) at a place, and functions to read them on the host.
 *
 * Kernels add to cells of their process.  Every function that reads them on the host calls sums_reduce: the result
 * is the sum over all processes of the lattice, in normal form. */
#ifndef KILN_LATTICE_SUMS_H
#define KILN_LATTICE_SUMS_H

#include "src/lattice/lattice.h"
#include "src/site/exact_sum.h"

typedef struct {
    const lattice *lattice;              /* borrowed */
    place where;
    int sums, maxima;
    sum_cells cells;                     /* at `where`, one after the other: the sums, then the maxima */
} sum_array;

sum_array sums_create(const lattice *l, place where, int sums, int maxima);            /* zeroed; sums_free frees it */
void sums_free(sum_array *s);
size_t sums_bytes(int sums, int maxima);                                               /* of their cells */

/* Zeroed cells that the lattice owns at a place, SUM_SCRATCH at most.  The next call uses them again; do not free
 * them. */
sum_array sums_scratch(lattice *l, place where, int sums, int maxima);

void sums_zero(const sum_array *s);
sum_cells sums_from(const sum_array *s, int sum, int maximum);                         /* the cells from these on */

/* host.sum[s->sums], host.largest[s->maxima] <- the cells of all ranks together (sums_reduce).  Waits for the GPU.
 * Collective. */
void sums_read(sum_cells host, const sum_array *s);

/* The same into a new array in host memory, which memory estimates do not count; sums_host_free frees it. */
sum_array sums_read_new(const sum_array *s);
void sums_host_free(sum_array *s);

/* The inverse of sums_read: writes cells of all ranks together back.  Rank 0 gets them, the other ranks zero, so that
 * their sum is the same. */
void sums_put(const sum_array *s, sum_cells host);

/* Replaces the cells of this process by those of all processes together, in normal form: adds the words and the
 * counts of refused terms, and takes the largest maximum.  All processes get the same cells.  Collective. */
void sums_reduce(sum_cells host, const lattice *l, int sums, int maxima);
void sums_merge(sum_cells host, const comm *ranks, int sums, int maxima);

#endif
