/* mg_args.h - arguments of the kernels of multigrid (src/solvers/multigrid).
 *
 * A coarse vector has `vectors` components of each chirality at a coarse site, component n = chirality vectors + v,
 * three in a slab: slab n / 3. */
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

/* Spinors of the fine sites of one parity in blocked order, so that neighboring threads work on neighboring coarse
 * sites: [tile of coarse sites][row][vector][spin][color][re,im][SITE_TILE].  Near-null vectors are stored so. */
typedef struct { void *data; int rows, vectors; } blocked_view;

/* mg_block: vectors first .. first + count - 1 of out <- slices 0 .. count - 1 of `in`; with direction >= 0 only at the
 * rows from which a hop in this direction leaves the aggregate.  On the coarse sites of one parity; the part of the
 * range is (row count + slice) SPINS + spin.
 * mg_unblock: out <- vector v of `in`, or with `add` out + this vector.  chirality: 0 or 1 for the spins of one
 * chirality, the others being zero; 2 for all.  On the fine sites of one parity and four slabs.  aggregate[x], row[x]:
 * the coarse site of the fine site x, and its row in the aggregate. */
typedef struct {
    aggregate_view sites;
    vector_view in;
    blocked_view out;
    const int *leaves;
    int direction, first, count;
} mg_block_args;
typedef struct {
    const int *aggregate, *row;
    blocked_view in;
    vector_view out;
    int v, chirality;
    bool add;
} mg_unblock_args;

/* mg_restrict: P^+ in as `count` terms, each from a part of the rows, which mg_add_terms (below) adds; `in` has one
 * vector.  On the coarse sites of one parity; the part of the range is term (2 vectors / 3) + component / 3. */
typedef struct {
    blocked_view basis, in;
    void *terms;
    int count;                                     /* of terms */
} mg_restrict_args;

/* mg_prolong: out, which has one vector, <- P in.  On the coarse sites of one parity; the part of the range is
 * row SPINS + spin. */
typedef struct { blocked_view basis, out; vector_view in; } mg_prolong_args;

/* A panel is the MG_TILE vectors V_panel, V_(panel + 1), ...  The inner products of all vectors with the panel in each
 * aggregate and chirality are products[tile][chirality][v][j][re,im][SITE_TILE], j < MG_TILE the vector of the panel.
 * mg_panel_products: V_v^+ V_(panel + j) in each aggregate and chirality, for v = row, row + 1, ...; the part of the
 * range is 2 (v - row) / MG_TILE + chirality.
 * mg_panel_project: V_(panel + j) <- V_(panel + j) - sum_(v < panel) V_v product_(v j)
 * mg_panel_orthonormalize: the panel by Cholesky, from its products with itself.  The part of the range of both is
 * (row of the aggregate) SPINS + spin.  All on the coarse sites of one parity. */
typedef struct { blocked_view basis[2]; void *products; int panel, row; } mg_panel_products_args;
typedef struct { blocked_view basis; const void *products; int panel; } mg_panel_args;

/* mg_hop: each slice of out <- scale S' V + y, V the same slice of `in`, of which only the spins of `chirality` count;
 * the others are taken as zero.  S' has the terms of the sum of neighbor_sum.h that come from the same aggregate; with
 * direction >= 0 only the term of this direction, if it comes from another aggregate.  leaves[x]: bit d is set if the
 * hop in direction d from x leads to another aggregate.  y is read only if with_y.  On the fine sites of one parity;
 * the part of the range is the slice. */
typedef struct {
    lattice_view l;
    gauge_view u;
    const int *leaves;
    vector_view in, y, out;
    double scale, boundary;
    hop_phases phases;
    int direction, chirality;
    bool with_y;
} mg_hop_args;

/* Matrices of coarse sites: real[tile][matrix][row][column][re,im][SITE_TILE].
 * mg_set_columns: columns first, first + 1, ... of matrix number `matrix` <- P^+ of the vectors of `in`, which mg_hop
 * has computed; with direction >= 0 only fine sites count from which a hop in this direction leaves the aggregate.  On
 * the coarse sites of one parity; the part of the range is (column / MG_TILE) (components / MG_TILE) + row / MG_TILE,
 * with the column counted from `first`. */
typedef struct {
    aggregate_view sites[2];
    blocked_view basis[2], in[2];
    const int *leaves;
    void *matrices;
    int count, matrix, direction, first;
} mg_columns_args;

/* There are few coarse sites, and their sums are long.  So a sum is split into at most MG_TERMS_MAX terms: a thread
 * computes three components of one term, and mg_add_terms adds the terms,
 * real[tile][MG_TERMS_MAX][component][re,im][SITE_TILE].
 *
 * mg_inverse_terms: D^-1 in, or (dagger) (D^+)^-1 in, as `count` terms, each from a part of the columns; components / 3
 * is a multiple of `count`.  On the coarse sites of one parity; the part of the range is
 * term (components / 3) + component / 3. */
enum { MG_TERMS_MAX = 8 };
typedef struct {
    const void *inverse;
    vector_view in;
    void *terms;
    int components, count;                         /* count: of terms */
    bool dagger;
} mg_terms_args;

/* mg_add_terms: out <- y + the sum of the terms; y is read only if with_y.  On the coarse sites of one parity and the
 * slabs of out. */
typedef struct {
    const void *terms;
    vector_view y, out;
    int components, count;
    bool with_y;
} mg_add_args;

/* Preconditioned hops H_d = D^-1 Y_d ("hats"), the matrices of the even-odd form.  `hats` stores them in records of
 * MG_HAT_COLUMNS numbers of one row: [tile][direction][row][column / MG_HAT_COLUMNS].  In single precision a number is
 * a word of two integers of 16 bits, in units of scales[direction][row]; in double it is stored as it is, and scales
 * are not read.
 * mg_hats: computes hats and scales from matrices (Y_d) and inverse (D^-1); dagger: of the adjoint operator,
 * (D^+)^-1 gamma5 Y_d gamma5.  On the coarse sites of one parity; the part of the range is
 * direction (components / 3) + row / 3.
 * mg_hat_hop: out <- scale sum_d D^-1 Y_d in(x + d) + of_y y + of_b b; between_gamma5: gamma5 D^-1 Y_d gamma5; y
 * and b, which may be out, are read only if with_y and with_b.  On the coarse sites of one parity; the part of the
 * range is row / 3. */
enum { MG_HAT_COLUMNS = 12 };
typedef struct { void *matrices, *inverse, *hats, *scales; int components; bool dagger; } mg_hats_args;
typedef struct {
    lattice_view l;
    const void *hats, *scales;
    vector_view in, y, b, out;
    struct { double re, im; } scale, of_y, of_b;
    int components;
    bool between_gamma5, with_y, with_b;
} mg_hat_hop_args;

/* inverse <- (matrix MG_DIAGONAL)^-1 at each site by Gauss-Jordan elimination: mg_copy_diagonal; then mg_pivot and
 * mg_eliminate for each step = 0 .. components - 1; then mg_unpivot.  pivots, real[tile][components + 1][SITE_TILE]:
 * the row of the pivot of each step, then the largest 1 / |pivot|, which mg_largest_inverse reads.  count: matrices of
 * a site.  On the coarse sites of one parity; the part of the range is the row, for mg_pivot it is 0. */
typedef struct { void *matrices, *inverse; int count, components; } mg_copy_args;
typedef struct { void *inverse, *pivots; int components, step; } mg_invert_args;

#endif
