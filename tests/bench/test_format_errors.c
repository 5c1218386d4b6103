/* test_format_errors.c - deviations of D v in each format, and how the formats compare: as in Figure 3 of
 * M. A. Clark et al., Maximizing the Bang Per Bit, arXiv:2302.09224. */
#include "src/bench/format_errors.h"

#include "src/lattice/gauge.h"
#include "tests/facts.h"
#include "tests/on_every_backend.h"

#include <math.h>

enum { LEVELS = 33 };

static void measure(place where)
{
    static const char *const names[] = { "half", "int20", "single", "int30", "double" };
    static const vector_format formats[] = { VECTOR_HALF, VECTOR_INT20, VECTOR_NATIVE, VECTOR_INT30, VECTOR_NATIVE };
    static const precision precisions[] = { PRECISION_SINGLE, PRECISION_SINGLE, PRECISION_SINGLE, PRECISION_DOUBLE,
                                            PRECISION_DOUBLE };
    enum { HALF, INT20, SINGLE_NATIVE, INT30, DOUBLE_NATIVE, KINDS };
    const staggered_links_params hisq = { .kind = STAGGERED_HISQ, .u0 = 1, .projection = PROJECTION_U3, .boundary = 1,
                                          .epsilons = 1 };
    lattice *l = lattice_create_single((const int[]){ 4, 8, 4, 6 });
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
    gauge_set_random(u, rng_key_for(93, 0, 1, RNG_TEST));
    staggered_links *s = staggered_links_create(&hisq, u);
    staggered_links_update(s, u);
    double epsilon[LEVELS];
    for (int k = 0; k < LEVELS; k++)
        epsilon[k] = pow(10, -k / 2.0);
    format_errors e[KINDS];
    for (int kind = 0; kind < KINDS; kind++) {
        const char *name = names[kind];
        const vec_storage in = { .format = formats[kind], .precision = precisions[kind] };
        e[kind] = format_errors_measure(s, 0, in, rng_key_for(93, 0, 2, RNG_TEST), epsilon, LEVELS);
        const format_errors *f = &e[kind];
        note("%s, %s: rms %.3g, largest %.3g, of numbers of %.3g", place_name(where), name, f->rms, f->largest,
             f->component_rms);
        bool ordered = f->count == LEVELS, bounded = true;
        double squares = 0;                            /* of each half decade: at most its upper end */
        for (int k = 0; k < LEVELS; k++) {
            ordered &= f->level[k].epsilon == epsilon[k] && (k == 0 || f->level[k].beyond >= f->level[k - 1].beyond);
            bounded &= f->level[k].beyond >= 0 && f->level[k].beyond <= 1;
            bounded &= (f->level[k].beyond > 0) == (f->largest > epsilon[k]);
            if (k > 0)
                squares += (f->level[k].beyond - f->level[k - 1].beyond) * epsilon[k - 1] * epsilon[k - 1];
        }
        fact(ordered, "%s, %s: the smaller epsilon, the more numbers are off by more", place_name(where), name);
        fact(bounded, "%s, %s: shares are of all, and none beyond the largest deviation", place_name(where), name);
        double rms2 = f->rms * f->rms;
        fact(f->rms <= f->largest && rms2 <= 1.01 * squares && rms2 >= squares / 10,
             "%s, %s: the rms of deviations is that of their distribution", place_name(where), name);
    }
    fact(e[DOUBLE_NATIVE].largest == 0, "%s: double precision is off by nothing from itself", place_name(where));
    fact(e[INT20].rms < e[HALF].rms && e[INT20].rms > e[HALF].rms / 10,
         "%s: int20 is better than half, but not much: links limit it", place_name(where));
    fact(e[SINGLE_NATIVE].rms < e[INT20].rms / 30, "%s: single precision is far better", place_name(where));
    fact(e[INT30].rms < e[SINGLE_NATIVE].rms / 30 && e[INT30].rms > e[SINGLE_NATIVE].rms / 1000,
         "%s: int30 is better than single precision by one or two orders of magnitude", place_name(where));
    staggered_links_free(s);
    gauge_free(u);
    lattice_free(l);
}

int main(void)
{
    FOR_EVERY_PLACE(where)
        measure(where);
    return facts_end();
}
