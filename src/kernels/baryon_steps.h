/* baryon_steps.h - steps of the contractions of three propagators at a site (baryon_args.h). */
#ifndef KILN_KERNELS_BARYON_STEPS_H
#define KILN_KERNELS_BARYON_STEPS_H

#include "src/kernels/baryon_args.h"
#include "src/site/site.h"
#include "src/site/spinor.h"

/* S^(aa') of spins s, s': e[a][a'][s][s'] */
typedef struct { cplx e[3][3][SPINS][SPINS]; } propagator;
typedef struct { cplx e[SPINS][SPINS]; } spin_product;

SITE_FN void load_propagator(propagator *p, const vector_view *columns, site x)
{
    KEEP_LOOP
    for (int column = 0; column < BARYON_COLUMNS; column++) {
        const vector_view *v = &columns[column];
        KEEP_LOOP
        for (int spin = 0; spin < SPINS; spin++) {
            color_vector q = load_vector(v, site_in_slab(v, spin, x));
            for (int color = 0; color < 3; color++)
                p->e[color][column % 3][spin][column / 3] = q.c[color];
        }
    }
}

/* i^power z */
SITE_FN cplx times_i_power(int power, cplx z)
{
    cplx w = z;
    if (power & 1) {
        w.re = -z.im;
        w.im = z.re;
    }
    if (power & 2) {
        w.re = -w.re;
        w.im = -w.im;
    }
    return w;
}

/* m <- m + (left S right)^T T, where T or S is multiplied by -1 if `minus` */
SITE_PART void add_diquark(spin_product *m, const baryon_term *t, int minus, const cplx (*s)[SPINS],
                           const cplx (*other)[SPINS])
{
    KEEP_LOOP
    for (int from = 0; from < SPINS; from++) {
        cplx *row = m->e[(int)t->right.to[from]];
        KEEP_LOOP
        for (int spin = 0; spin < SPINS; spin++) {
            const int power = t->left.power[spin] + t->right.power[from] + 2 * minus;
            cplx d = times_i_power(power, s[(int)t->left.to[spin]][from]);
            for (int i = 0; i < SPINS; i++)
                row[i] = cplx_mad(d, other[spin][i], row[i]);
        }
    }
}

/* M for the colors c and c', with the quarks `first` and `second` of the diquark */
SITE_FN spin_product diquark(const propagator *first, const propagator *second, const baryon_term *t, int c, int from)
{
    spin_product m;
    for (int i = 0; i < SPINS; i++)
        for (int k = 0; k < SPINS; k++)
            m.e[i][k] = cplx_zero();
    KEEP_LOOP
    for (int order = 0; order < 4; order++) {
        const int sink = order & 1, source = order >> 1;
        const int a = (c + 1 + sink) % 3, b = (c + 2 - sink) % 3;
        const int a1 = (from + 1 + source) % 3, b1 = (from + 2 - source) % 3;
        add_diquark(&m, t, sink ^ source, second->e[b][b1], first->e[a][a1]);
    }
    return m;
}

/* Re Tr Q [direct Tr(M) S + exchange S M] */
SITE_FN real third_quark(const spin_matrix *q, const baryon_term *t, const spin_product *m, const cplx (*s)[SPINS])
{
    cplx trace = cplx_zero(), sum = cplx_zero(), product = cplx_zero();
    for (int i = 0; i < SPINS; i++) {
        trace.re = trace.re + m->e[i][i].re;
        trace.im = trace.im + m->e[i][i].im;
    }
    KEEP_LOOP
    for (int r = 0; r < SPINS; r++) {
        const int row = q->to[r];
        cplx both = cplx_zero(), w = times_i_power(q->power[r], s[row][r]);
        for (int i = 0; i < SPINS; i++)
            both = cplx_mad(s[row][i], m->e[i][r], both);
        both = times_i_power(q->power[r], both);
        sum.re = sum.re + w.re;
        sum.im = sum.im + w.im;
        product.re = product.re + both.re;
    }
    cplx direct = cplx_mad(trace, sum, cplx_zero());
    return mad(spread((scalar)t->exchange), product.re, spread((scalar)t->direct) * direct.re);
}

/* out[2 channel + k] <- out[2 channel + k] + the terms; `quark` has the propagators, which `flavor` counts. */
SITE_FN void add_baryon_terms(real *out, const propagator *quark, const baryon_term *term, int terms)
{
    KEEP_LOOP
    for (int n = 0; n < terms; n++) {
        const baryon_term *t = &term[n];
        const propagator *first = &quark[(int)t->flavor[0]], *second = &quark[(int)t->flavor[1]];
        const propagator *third = &quark[(int)t->flavor[2]];
        KEEP_LOOP
        for (int pair = 0; pair < 9; pair++) {
            const int c = pair / 3, from = pair % 3;
            spin_product m = diquark(first, second, t, c, from);
            for (int k = 0; k < 2; k++)
                out[2 * t->channel + k] = out[2 * t->channel + k]
                                          + third_quark(&t->project[k], t, &m, third->e[c][from]);
        }
    }
}

#endif
