/* mg_site.h - common functions of the multigrid kernels on slabs. */
#ifndef KILN_KERNELS_MG_SITE_H
#define KILN_KERNELS_MG_SITE_H

#include "src/kernels/mg_args.h"
#include "src/kernels/neighbor_sum.h"

/* The same site in the first slab. */
SITE_FN site in_first_slab(site x)
{
    x.before = 0;
    return x;
}

/* A part of a range of mg_inverse_terms or mg_restrict: the term, and the first of three components. */
typedef struct { int term, first; } term_place;

SITE_FN term_place term_of(site x, int components)
{
    const int threes = components / 3;
    const term_place t = { x.before / threes, 3 * (x.before % threes) };
    return t;
}

/* Numbers first .. first + 2 of a site, where first = term components + component. */
SITE_FN color_vector load_term(const void *terms, const place_of *o, int first)
{
    color_vector v;
    UNROLL_LOOP
    for (int i = 0; i < 3; i++) {
        v.c[i].re = load_real(terms, o, 2 * (first + i));
        v.c[i].im = load_real(terms, o, 2 * (first + i) + 1);
    }
    return v;
}

SITE_FN void store_term(void *terms, int components, term_place t, site here, color_vector v)
{
    const place_of o = find(here, 2 * MG_TERMS_MAX * components);
    const int first = t.term * components + t.first;
    UNROLL_LOOP
    for (int i = 0; i < 3; i++) {
        store_real(terms, &o, 2 * (first + i), v.c[i].re);
        store_real(terms, &o, 2 * (first + i) + 1, v.c[i].im);
    }
}

/* Blocked spinors (mg_args.h): reals of a coarse site; the place of a coarse site; the first number of the color
 * vector of vector v and `spin` in a row. */
SITE_FN int blocked_reals(const blocked_view *b)
{
    return b->rows * b->vectors * SPINS * VECTOR_REALS;
}

SITE_FN place_of find_blocked(const blocked_view *b, site coarse)
{
    return find(coarse, blocked_reals(b));
}

SITE_FN int blocked_at(const blocked_view *b, int row, int v, int spin)
{
    return ((row * b->vectors + v) * SPINS + spin) * VECTOR_REALS;
}

SITE_FN color_vector load_blocked(const blocked_view *b, const place_of *o, int row, int v, int spin)
{
    const int at = blocked_at(b, row, v, spin);
    color_vector a;
    UNROLL_LOOP
    for (int i = 0; i < 3; i++) {
        a.c[i].re = load_real(b->data, o, at + 2 * i);
        a.c[i].im = load_real(b->data, o, at + 2 * i + 1);
    }
    return a;
}

SITE_FN void store_blocked(const blocked_view *b, const place_of *o, int row, int v, int spin, color_vector a)
{
    const int at = blocked_at(b, row, v, spin);
    UNROLL_LOOP
    for (int i = 0; i < 3; i++) {
        store_real(b->data, o, at + 2 * i, a.c[i].re);
        store_real(b->data, o, at + 2 * i + 1, a.c[i].im);
    }
}

/* Whether a hop in a direction from one of these sites leads to another aggregate (aggregates.h). */
SITE_FN bool any_leaves(const int *leaves, site x, int direction)
{
    bool any = false;
    for (int lane = 0; lane < LANES; lane++)
        any |= leaves[x.at[lane]] >> direction & 1;
    return any;
}

#endif
