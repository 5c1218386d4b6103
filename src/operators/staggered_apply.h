/* staggered_apply.h - D and K with links and vectors in any format, for all operators of staggered quarks. */
#ifndef KILN_OPERATORS_STAGGERED_APPLY_H
#define KILN_OPERATORS_STAGGERED_APPLY_H

#include "src/kernels/staggered_args.h"
#include "src/operators/linop.h"
#include "src/operators/staggered_links.h"

/* The links of one set (one Naik epsilon) in the form that kernels on vectors of `format` read; borrowed. */
typedef struct {
    vector_format format;
    precision precision;
    gauge_view fat, long_links;
    double unit;                         /* value of a stored 1 of fat links */
    double naik;                         /* Naik coefficient times the value of a stored 1 of long links; 0: not read */
    naik_storage naik_in;                /* how long links are stored */
} staggered_links_view;

void staggered_apply_hop(vec *out, const staggered_links_view *h, const vec *in);          /* out <- D in */

/* Adds out_n <- D in_n of a batch to a loop. */
void staggered_add_batch_hop(loop *l, const staggered_links_view *h, const krylov_batch *b, vec *const *out,
                             vec *const *in);

/* The present links of one set: for native vectors in the precision of s; the copies of `low` since its last update. */
struct staggered_low;
staggered_links_view staggered_links_now(const staggered_links *s, int set);
staggered_links_view staggered_low_links(const struct staggered_low *low, int set);

/* out <- (K + shift) in, and <in, out>; `between` is overwritten, `guess` as in linop.h */
void staggered_apply_normal(vec *out, const staggered_links_view *h, double shift, const vec *in, vec *between);
double staggered_apply_normal_dot(vec *out, const staggered_links_view *h, double shift, const vec *in, vec *between,
                                  double guess);

/* Gives an operator its scratch vectors: between[] <- the first of the `count` given vectors, as many as base->max_rhs,
 * which becomes the largest of 1, 2, 4 and 8 that is at most `count`. */
void staggered_set_work(linop *base, vec **between, vec *const *given, int count);

/* Adds q_n <- (K + shift_n) p_n of a batch to a loop: add_batch of linop.h. */
void staggered_add_batch_normal(loop *l, const staggered_links_view *h, const krylov_batch *b, vec *const *q,
                                vec *const *p, vec *const *between);

/* The work of one K v, from the bytes per site of the four fat links, of the four long links (0: no Naik term), and of
 * a vector. */
work_count staggered_work_of(const lattice_shape *shape, double fat_bytes, double naik_bytes, double vector_bytes);

#endif
