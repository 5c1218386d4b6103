/* mg_args.h - arguments of the kernels of multigrid (src/solvers/multigrid).
 *
 * Near-null vectors are a spinor field with a slice for each vector: slab 4 v + spin.  A coarse vector has `vectors`
 * components of each chirality at a coarse site, component n = chirality vectors + v, three in a slab: slab n / 3. */
#ifndef KILN_KERNELS_MG_ARGS_H
#define KILN_KERNELS_MG_ARGS_H

#include "src/kernels/hop_phases.h"
#include "src/site/view.h"

/* Matrices of a coarse site: of the 8 directions of load.h, and of itself. */
enum { MG_DIAGONAL = 8, MG_MATRICES = 9 };
enum { MG_COMPONENTS_MAX = 96 };               /* of a coarse vector at a site */
enum { MG_TILE = 3 };                          /* vectors in a panel; rows and columns that a thread computes */

/* The fine sites of one parity in each aggregate: fine[row stride + X], X the index of the coarse site, row < rows in
 * the lexicographic order of global coordinates. */
typedef struct { const int *fine; int stride, rows; } aggregate_view;

/* mg_restrict: the terms (mg_add_terms below) of P^+ in, each from a part of the rows; `in` is on the fine sites of one
 * parity.  On the coarse sites of one parity; the part of the range is term (2 vectors / 3) + component / 3. */
typedef struct {
    aggregate_view sites;
    vector_view basis, in;
    void *terms;
    int vectors, count;                            /* count: of terms */
} mg_restrict_args;

/* mg_gather: array[component][re,im] <- in, a slab of a coarse vector */
typedef struct { vector_view in; void *array; int reals; } mg_gather_args;

/* mg_prolong: out <- P array, or out + P array, on the fine sites of one parity and four slabs.  aggregate[x]: the
 * coarse site of x. */
typedef struct {
    const int *aggregate;
    vector_view basis, out;
    const void *array;
    int vectors, reals;
    bool add;
} mg_prolong_args;

/* A panel is MG_TILE vectors V_panel, V_(panel + 1), ...  Numbers of aggregates: those of chirality c and vector v with
 * panel vector j are products[((c vectors + v) MG_TILE + j)][re,im].
 * mg_panel_products: V_v^+ V_(panel + j) in each aggregate and chirality, for v = row, row + 1, ...; the part of the
 * range is 2 (v - row) / MG_TILE + chirality.
 * mg_panel_project: V_(panel + j) <- V_(panel + j) - sum_(v < panel) V_v product_(v j)
 * mg_panel_orthonormalize: the panel by Cholesky, from its products with itself.  Both on the fine sites of one parity;
 * the part of the range is the spin. */
typedef struct {
    aggregate_view sites[2];
    vector_view basis[2];
    void *products;
    int vectors, panel, row;
} mg_panel_products_args;
typedef struct {
    const int *aggregate;
    vector_view basis;
    const void *products;
    int vectors, panel;
} mg_panel_args;

/* mg_column: out <- vector v of the basis, its spins of one chirality (0, 1) or all (2), on four slabs.
 * mg_set_column: the reverse. */
typedef struct { vector_view basis, out; int v, chirality; } mg_column_args;

/* mg_hop: of slice k of out <- scale S' V + y for column k of a group, V the spins of one chirality of vector first + k
 * of the basis; S' are the terms of the sum of neighbour_sum.h from neighbours in the same aggregate, or with
 * direction >= 0 the term of this direction from another aggregate.  leaves[x]: bit d is set where the hop in
 * direction d leads to another aggregate.  Without y (with_y) y is not read.  On the fine sites of one parity; the
 * column is the part of the range. */
typedef struct {
    lattice_view l;
    gauge_view u;
    const int *leaves;
    vector_view basis, y, out;
    double scale, boundary;
    hop_phases phases;
    int direction, first, chirality;
    bool with_y;
} mg_hop_args;

/* Matrices of coarse sites: real[tile][matrix][row][column][re,im][SITE_TILE].
 * mg_set_columns: columns first, first + 1, .. of `matrix` <- P^+ of the slices of `in`, those of mg_hop, on the coarse
 * sites of one parity; with direction >= 0 only from sites that this direction leaves.  The part of the range is
 * (column / MG_TILE) (components / MG_TILE) + row / MG_TILE, with the column counted from first. */
typedef struct {
    aggregate_view sites[2];
    vector_view basis[2], in[2];
    const int *leaves;
    void *matrices;
    int count, vectors, matrix, direction, first;
} mg_columns_args;

/* Sums at coarse sites have few sites and many terms.  Threads compute partial sums, for each term three components;
 * mg_add_terms adds them.  terms[term][component][re,im], at most MG_TERMS_MAX of them.
 *
 * mg_coarse_terms: the first `hops` (0 or 8) terms: the matrix of a direction times the neighbour of `from`; then
 * `chunks` terms: `matrix` times `in` at the site, each with a part of the columns; components / 3 is a multiple of
 * `chunks`.  dagger: with the adjoints; of a hop that is gamma5 hop gamma5.  On the coarse sites of one parity; the
 * part of the range is term (components / 3) + component / 3. */
enum { MG_CHUNKS = 4, MG_TERMS_MAX = MG_DIAGONAL + MG_CHUNKS };
typedef struct {
    lattice_view l;
    const void *matrices;
    vector_view from, in;
    void *terms;
    int count, components, matrix;                 /* count: of the matrices of a site */
    int hops, chunks;
    bool dagger;
} mg_terms_args;

/* mg_add_terms: out <- scale (sum of the first `hops` terms) + sum of `others` more terms, + y; y is not read without
 * with_y.  On the coarse sites of one parity and the slabs of out. */
typedef struct {
    const void *terms;
    vector_view y, out;
    int components, hops, others;
    double scale;
    bool with_y;
} mg_add_args;

/* mg_invert: inverse <- (matrix MG_DIAGONAL)^-1 at each site, by Gauss and Jordan with pivots; the largest
 * 1 / |pivot|. */
typedef struct { const void *matrices; void *inverse; int count, components; } mg_invert_args;

#endif
