/* sums.h - cells of sums and maxima (site/exact_sum.h) at a place, and the one way from there to their numbers.
 *
 * Kernels add to cells of their process.  What the host reads of them has been through sums_reduce: it is of all
 * processes of the lattice, and in normal form. */
#ifndef KILN_LATTICE_SUMS_H
#define KILN_LATTICE_SUMS_H

#include "src/lattice/lattice.h"
#include "src/site/exact_sum.h"

typedef struct {
    const lattice *lattice;              /* borrowed */
    place where;
    int sums, maxima;
    sum_cells cells;                     /* at that place, one after the other: the sums, then the maxima */
} sum_array;

sum_array sums_create(const lattice *l, place where, int sums, int maxima);            /* zeroed */
void sums_free(sum_array *s);
size_t sums_bytes(int sums, int maxima);

/* Zeroed cells that the lattice keeps at a place, SUM_SCRATCH at most: for one sum after another, not to be freed. */
sum_array sums_scratch(lattice *l, place where, int sums, int maxima);

void sums_zero(const sum_array *s);
sum_cells sums_from(const sum_array *s, int sum, int maximum);                         /* its cells from these on */

/* To host.sum[s->sums] and host.largest[s->maxima], through sums_reduce.  Waits for the GPU. */
void sums_read(sum_cells host, const sum_array *s);

/* The same into an array in memory of the host, beside the memory of the place that plans count; sums_host_free frees
 * it. */
sum_array sums_read_new(const sum_array *s);
void sums_host_free(sum_array *s);

/* Cells that were read, on their way back. */
void sums_put(const sum_array *s, sum_cells host);

/* Cells of this process become those of all processes, in normal form: words and counts of refused terms are added,
 * so that all processes see the same terms refused; of maxima the largest is taken. */
void sums_reduce(sum_cells host, const lattice *l, int sums, int maxima);

#endif
