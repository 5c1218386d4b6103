/* staggered_apply.h - D and K with links and vectors in any format: what the operators of staggered quarks share. */
#ifndef KILN_OPERATORS_STAGGERED_APPLY_H
#define KILN_OPERATORS_STAGGERED_APPLY_H

#include "src/kernels/staggered_args.h"
#include "src/operators/linop.h"

/* The links of one set as kernels on vectors of `format` read them; `unit` is what 1 of a fat link is worth, and naik
 * the coefficient times that of its links (0: they are not read), which may be in 13 numbers. */
typedef struct {
    vector_format format;
    precision precision;
    gauge_view fat, long_links;
    double unit, naik;
    bool naik_in_13;
} hop_links;

void hop_with(vec *out, const hop_links *h, const vec *in);                    /* out <- D in */

/* out <- (K + shift) in, and <in, out>; `between` is overwritten, `guess` as in linop.h */
void normal_with(vec *out, const hop_links *h, double shift, const vec *in, vec *between);
double normal_dot_with(vec *out, const hop_links *h, double shift, const vec *in, vec *between, double guess);

/* Takes `count` vectors, of which BATCH_MAX_RHS are enough, as `between` of an operator: the largest of 1, 2, 4, 8
 * systems that they are enough for go together. */
void normal_take_room(linop *base, vec **between, vec *const *given, int count);

/* Adds q_n <- (K + shift_n) p_n of a batch to a loop, as linop.h wants it. */
void normal_add_batch(loop *l, const hop_links *h, const krylov_batch *b, vec *const *q, vec *const *p,
                      vec *const *between);

/* Of one K v, for so many bytes of the four fat and the four of Naik's links of a site (0: no such term), and of a
 * vector there. */
work_count normal_work(const lattice_shape *shape, double fat_bytes, double naik_bytes, double vector_bytes);

#endif
