/* vec_bicg.h - the vector operations of BiCGstab(l) for a batch, as launches for a loop (kernels/bicg_args.h).
 *
 * The vectors of one call, except x, have the same sites, place, precision and format. */
#ifndef KILN_HALO_VEC_BICG_H
#define KILN_HALO_VEC_BICG_H

#include "src/halo/loop.h"
#include "src/kernels/bicg_args.h"
#include "src/lattice/vec.h"

/* The vectors of the systems of a batch: arrays over systems. */
typedef struct {
    vec *const *x;                             /* native, or in the format of the others */
    const double *unit;                        /* factors of the updates of x: unit of bicg_args.h */
    vec *const *shadow;
    vec *const *const *r, *const *const *u;    /* [power][system], 0 .. l each */
} bicg_batch;

/* weight (s, v) and |v|^2, then the scalars computed from them; v is u_(j+1), or r_(j+1) if `power` is set */
void vec_bicg_shadow(loop *l, const krylov_batch *b, const bicg_batch *v, int j, bool power);

/* Launch `n` of vec_bicg_gram_launches(l), which compute the Gram matrix of r_0 .. r_l and its scalars.  Returns the
 * batch of the launch. */
int vec_bicg_gram_launches(int order);
krylov_batch vec_bicg_gram(loop *l, const krylov_batch *b, const bicg_batch *v, int n);

/* The new u_0 .. u_j; for j = 0 this also subtracts the u_1 .. u_l of the cycle before, l = `order`, from u_0. */
void vec_bicg_directions(loop *l, const krylov_batch *b, const bicg_batch *v, int j, int order);

/* The new r_0 .. r_j, and with_x also x; the end of a cycle, which changes x and r_0 (formulas in
 * kernels/bicg_args.h). */
void vec_bicg_residuals(loop *l, const krylov_batch *b, const bicg_batch *v, int j, bool with_x);
void vec_bicg_cycle(loop *l, const krylov_batch *b, const bicg_batch *v, int order);

/* A short cycle (kernels/bicg_short_args.h) has two launches in place of the Gram matrix, vec_bicg_cycle and the
 * directions of the next cycle.  vec_bicg_is_short: whether there is one for vectors like `like` and x: for spinors in
 * half with x in single precision, l = `order` = 1. */
bool vec_bicg_is_short(const vec *like, const vec *x, int order);
void vec_bicg_minimum(loop *l, const krylov_batch *b, const bicg_batch *v);
void vec_bicg_advance(loop *l, const krylov_batch *b, const bicg_batch *v);

#endif
