/* spinor_storage.h - spinors in a format, a literal argument: the one place that knows their layout.
 *
 *     native  24 numbers of the arithmetic's precision
 *     half    for each chirality twelve numbers of 16 bits in six words and their largest, a float: 56 bytes
 *     int20   for each spin a colour vector's four words: 64 bytes
 *     int30   for each chirality two colour vectors' six words: 96 bytes
 *
 * Words as colour vectors have them (storage.h), [tile][slice][spin or chirality][unit][SITE_TILE][words of the unit].
 * Chiralities never share a scale: far from the walls of domain-wall fermions one is smaller than the other by many
 * orders of magnitude, and is what is looked for. */
#ifndef KILN_SITE_SPINOR_STORAGE_H
#define KILN_SITE_SPINOR_STORAGE_H

#include "src/site/spinor.h"
#include "src/site/storage.h"

enum { SPINOR_REALS = SPINS * VECTOR_REALS };

SITE_FN site site_in_spinors(const spinor_view *v, site x)
{
    UNROLL_LOOP
    for (int lane = 0; lane < LANES; lane++)
        x.at[lane] -= v->first;
    return x;
}

/* Two spins in the words of one chirality. */
SITE_FN int chirality_words(vector_format f)
{
    return f == VECTOR_HALF ? HALF_CHIRALITY_WORDS : f == VECTOR_INT20 ? 2 * INT20_WORDS : INT30_CHIRALITY_WORDS;
}

SITE_FN void pack_chirality(vector_format f, bits *w, color_vector *a)
{
    if (f == VECTOR_HALF) {
        bits one = largest_size(&a[0]), two = largest_size(&a[1]);
        bits largest = choose_bits(bits_above(one, two), one, two);
        pack_half_under(w, a[0], largest);
        pack_half_under(w + 3, a[1], largest);
        w[6] = half_scale(largest);
    } else if (f == VECTOR_INT20) {
        pack_int20(w, a[0]);
        pack_int20(w + INT20_WORDS, a[1]);
    } else {
        pack_int30(w, a[0]);
        pack_int30(w + INT30_WORDS, a[1]);
    }
}

SITE_FN void unpack_chirality(vector_format f, color_vector *a, const bits *w)
{
    if (f == VECTOR_HALF) {
        a[0] = unpack_half_under(w, real_of_bits(w[6]));
        a[1] = unpack_half_under(w + 3, real_of_bits(w[6]));
    } else if (f == VECTOR_INT20) {
        a[0] = unpack_int20(w);
        a[1] = unpack_int20(w + INT20_WORDS);
    } else {
        a[0] = unpack_int30(w);
        a[1] = unpack_int30(w + INT30_WORDS);
    }
}

/* The spins 2 chirality and 2 chirality + 1 of a slice. */
SITE_FN void load_chirality_as(vector_format f, const spinor_view *v, site x, int slice, int chirality, color_vector *a)
{
    x = site_in_spinors(v, x);
    if (f == VECTOR_NATIVE) {
        place_of o = find(x, v->slices * SPINOR_REALS);
        UNROLL_LOOP
        for (int i = 0; i < 2 * VECTOR_REALS; i++)
            *component(&a[i / VECTOR_REALS], i % VECTOR_REALS) =
                load_real(v->data, &o, (2 * slice + chirality) * 2 * VECTOR_REALS + i);
    } else {
        bits w[INT30_CHIRALITY_WORDS];
        load_words(w, v->data, x, 2 * v->slices, 2 * slice + chirality, chirality_words(f));
        unpack_chirality(f, a, w);
    }
}

/* Makes of `a` what will be loaded. */
SITE_FN void store_chirality_as(vector_format f, const spinor_view *v, site x, int slice, int chirality,
                                color_vector *a)
{
    x = site_in_spinors(v, x);
    if (f == VECTOR_NATIVE) {
        place_of o = find(x, v->slices * SPINOR_REALS);
        UNROLL_LOOP
        for (int i = 0; i < 2 * VECTOR_REALS; i++)
            store_real(v->data, &o, (2 * slice + chirality) * 2 * VECTOR_REALS + i,
                       *component(&a[i / VECTOR_REALS], i % VECTOR_REALS));
    } else {
        bits w[INT30_CHIRALITY_WORDS];
        pack_chirality(f, w, a);
        store_words(v->data, x, 2 * v->slices, 2 * slice + chirality, chirality_words(f), w);
        unpack_chirality(f, a, w);
    }
}

SITE_FN spinor load_spinor_as(vector_format f, const spinor_view *v, site x, int slice)
{
    spinor a;
    load_chirality_as(f, v, x, slice, 0, a.s);
    load_chirality_as(f, v, x, slice, 1, a.s + 2);
    return a;
}

/* Returns what will be loaded: the spinor as the format has it. */
SITE_FN spinor store_spinor_as(vector_format f, const spinor_view *v, site x, int slice, spinor a)
{
    store_chirality_as(f, v, x, slice, 0, a.s);
    store_chirality_as(f, v, x, slice, 1, a.s + 2);
    return a;
}

#endif
