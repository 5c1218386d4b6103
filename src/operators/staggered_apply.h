/* staggered_apply.h - D and K with links and vectors in any format, for all operators of staggered quarks. */
#ifndef KILN_OPERATORS_STAGGERED_APPLY_H
#define KILN_OPERATORS_STAGGERED_APPLY_H

#include "src/kernels/staggered_args.h"
#include "src/operators/linop.h"
#include "src/operators/staggered_links.h"

/* The links of one set in the form that kernels on vectors of `format` read.  unit: the value of a stored 1 of fat
 * links; naik: the coefficient times the value of a stored 1 of long links (0: they are not read); naik_in: how long
 * links are stored. */
typedef struct {
    vector_format format;
    precision precision;
    gauge_view fat, long_links;
    double unit, naik;
    naik_storage naik_in;
} hop_links;

void hop_with(vec *out, const hop_links *h, const vec *in);                    /* out <- D in */

/* Adds out_n <- D in_n of a batch to a loop. */
void hop_add_batch(loop *l, const hop_links *h, const krylov_batch *b, vec *const *out, vec *const *in);

/* The links of one set as they are now, for native vectors in their precision; copies (staggered_low.h) after an
 * update. */
struct staggered_low;
hop_links staggered_links_now(const staggered_links *s, int set);
hop_links staggered_low_links(const struct staggered_low *low, int set);

/* out <- (K + shift) in, and <in, out>; `between` is overwritten, `guess` as in linop.h */
void normal_with(vec *out, const hop_links *h, double shift, const vec *in, vec *between);
double normal_dot_with(vec *out, const hop_links *h, double shift, const vec *in, vec *between, double guess);

/* Sets `between` of an operator to `count` given vectors (at most BATCH_MAX_RHS are used), and base->max_rhs to the
 * largest of 1, 2, 4 and 8 for which they suffice. */
void normal_set_work(linop *base, vec **between, vec *const *given, int count);

/* Adds q_n <- (K + shift_n) p_n of a batch to a loop: add_batch of linop.h. */
void normal_add_batch(loop *l, const hop_links *h, const krylov_batch *b, vec *const *q, vec *const *p,
                      vec *const *between);

/* The work of one K v, from the bytes per site of the four fat links, of the four long links (0: no Naik term), and of
 * a vector. */
work_count normal_work(const lattice_shape *shape, double fat_bytes, double naik_bytes, double vector_bytes);

#endif
