/* wilson_hops.h - the kernels of wilson_args.h, in literal formats of vectors and links. */
#ifndef KILN_KERNELS_WILSON_HOPS_H
#define KILN_KERNELS_WILSON_HOPS_H

#include "src/kernels/clover_products.h"
#include "src/kernels/neighbor_sum.h"
#include "src/kernels/wilson_args.h"

typedef enum {
    WILSON_HOP, CLOVER_INNER, CLOVER_OUTER, TWISTED_INNER, TWISTED_OUTER, CLOVER_SYMMETRIC, TWISTED_SYMMETRIC
} wilson_form;

/* FORM_IS_TWISTED: the factor `by` has a twisted mass.  FORM_IS_INNER: the first hop of Mhat, without y and z.
 * FORM_IS_OUTER: the second hop, with the term by y (wilson_args.h). */
#define FORM_IS_TWISTED(form) ((form) == TWISTED_INNER || (form) == TWISTED_OUTER || (form) == TWISTED_SYMMETRIC)
#define FORM_IS_INNER(form) ((form) == CLOVER_INNER || (form) == TWISTED_INNER)
#define FORM_IS_OUTER(form) ((form) == CLOVER_OUTER || (form) == TWISTED_OUTER)

SITE_FN double wilson_shift(const wilson_hop_args *a, int n)
{
    return a->with_shift ? a->b.state->system[a->b.number[n]].shift : a->shift;
}

SITE_FN half_spinor load_chirality_as(vector_format f, const vector_view *v, site x, int chirality)
{
    half_spinor h;
    UNROLL_LOOP
    for (int i = 0; i < 2; i++)
        h.s[i] = load_vector_as(f, v, site_in_slab(v, 2 * chirality + i, x));
    return h;
}

/* The result of a kernel at x from sum = (S in)(x): the four formulas of wilson_args.h. */
SITE_FN void wilson_hop_end(vector_format f, wilson_form form, const wilson_hop_args *a, int n, site x, spinor sum)
{
    const bool twisted = FORM_IS_TWISTED(form), inner = FORM_IS_INNER(form), outer = FORM_IS_OUTER(form);
    const scalar shift = inner ? 0 : (scalar)wilson_shift(a, n);
    UNROLL_LOOP
    for (int chirality = 0; chirality < 2; chirality++) {
        half_spinor h, y;
        UNROLL_LOOP
        for (int i = 0; i < 2; i++)
            h.s[i] = vector_scale((scalar)a->scale, sum.s[2 * chirality + i]);
        if (form != WILSON_HOP && !outer)
            h = factor_times(f, twisted, &a->by, x, chirality, h);
        if (outer || (!inner && a->a != 0)) {
            y = load_chirality_as(f, &a->y[n], x, chirality);
            if (outer)
                y = factor_times(f, twisted, &a->by, x, chirality, y);
            UNROLL_LOOP
            for (int i = 0; i < 2; i++)
                h.s[i] = outer ? vector_axpy(1, h.s[i], y.s[i]) : vector_axpy((scalar)a->a, y.s[i], h.s[i]);
        }
        if (shift != 0) {
            y = load_chirality_as(f, &a->z[n], x, chirality);
            UNROLL_LOOP
            for (int i = 0; i < 2; i++)
                h.s[i] = vector_axpy(shift, y.s[i], h.s[i]);
        }
        UNROLL_LOOP
        for (int i = 0; i < 2; i++)
            store_vector_as(f, &a->out[n], site_in_slab(&a->out[n], 2 * chirality + i, x), h.s[i]);
    }
}

#define WILSON_KERNEL(name, format, links, form)                                                                       \
    SITE_MAP(name, wilson_hop_args, a, x)                                                                              \
    {                                                                                                                  \
        if (!batch_is_going(&a->b))                                                                                    \
            return;                                                                                                    \
        KEEP_LOOP                                                                                                      \
        for (int n = 0; n < batch_systems(&a->b); n++)                                                                 \
            wilson_hop_end(format, form, a, n, x, sum_of_neighbors(format, links, &a->l, &a->u, a->boundary,           \
                                                                   &a->phases, a->dagger, &a->in[n], x, 0));          \
    }

/* A form in every format of this precision, with the links that go with it (hop_links_format of
 * operators/wilson_launch.h): a file for each form. */
#ifdef SINGLE
#define WILSON_KERNELS(name, form)                                                                                     \
    WILSON_KERNEL(name, VECTOR_NATIVE, LINK_12, form)                                                                  \
    WILSON_KERNEL(name##_half, VECTOR_HALF, LINK_FIXED16_12, form)                                                     \
    WILSON_KERNEL(name##_int20, VECTOR_INT20, LINK_FIXED16_12, form)
#else
#define WILSON_KERNELS(name, form)                                                                                     \
    WILSON_KERNEL(name, VECTOR_NATIVE, LINK_12, form)                                                                  \
    WILSON_KERNEL(name##_int30, VECTOR_INT30, LINK_FIXED32_12, form)
#endif

#endif
