/* meson_sites.c - traces of a quark and an antiquark with products of gamma matrices at a site (meson_args.h). */
#include "src/kernels/meson_args.h"
#include "src/site/site.h"
#include "src/site/spinor.h"

/* Re i^power z */
SITE_FN real real_times_i_power(int power, cplx z)
{
    real w = power & 1 ? z.im : z.re;
    return power == 1 || power == 2 ? -w : w;
}

SITE_MAP(meson_sites, meson_args, a, x)
{
    real out[MESON_TERMS_MAX];
    for (int n = 0; n < a->terms; n++)
        out[n] = spread(0);
    KEEP_LOOP
    for (int column = 0; column < MESON_COLUMNS; column++) {
        const int from = column / 3, color = column % 3;
        KEEP_LOOP
        for (int spin = 0; spin < SPINS; spin++) {
            const vector_view *q = &a->antiquark[column];
            const color_vector other = load_vector(q, site_in_slab(q, spin, x));
            KEEP_LOOP
            for (int n = 0; n < a->terms; n++) {
                const meson_term *t = &a->term[n];
                const vector_view *s = &a->quark[3 * t->right.to[from] + color];
                const color_vector quark = load_vector(s, site_in_slab(s, (int)t->left.to[spin], x));
                const int power = (t->left.power[spin] + t->right.power[from]) % 4;
                out[n] = out[n] + real_times_i_power(power, vector_dot(other, quark));
            }
        }
    }
    place_of o = find(x, a->terms);
    for (int n = 0; n < a->terms; n++)
        store_real(a->out, &o, n, out[n]);
}
