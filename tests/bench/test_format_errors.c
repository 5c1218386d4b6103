/* test_format_errors.c - deviations of D v in each format, and how the formats compare: as in Figure 3 of
 * M. A. Clark et al., Maximizing the Bang Per Bit, arXiv:2302.09224; of Mhat v by the storage of vectors and links, as
 * in Figure 6 of arXiv:0911.3191. */
#include "src/bench/dirac_errors.h"

#include "src/gauge/gauge.h"
#include "src/operators/clover_operator.h"
#include "src/solvers/solver_choice.h"
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
    const staggered_errors_of of = { s, 0, NAIK_IN_18, rng_key_for(93, 0, 2, RNG_TEST) };
    format_errors e[KINDS];
    for (int kind = 0; kind < KINDS; kind++) {
        const char *name = names[kind];
        const vec_storage in = { .format = formats[kind], .precision = precisions[kind] };
        e[kind] = format_errors_measure(&of, (format_pair){ in, in }, epsilon, LEVELS);
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
    const vec_storage int30 = { VECTOR_INT30, PRECISION_DOUBLE }, single = { VECTOR_NATIVE, PRECISION_SINGLE };
    const format_errors in_single = format_errors_measure(&of, (format_pair){ int30, single }, epsilon, LEVELS);
    fact_close(in_single.rms / e[SINGLE_NATIVE].rms, 1, 0.05,
               "%s: int30 with arithmetic in single precision is as good as single precision alone", place_name(where));
    staggered_links_free(s);
    gauge_free(u);
    lattice_free(l);
}

/* The error of Mhat v. */
static double wilson_rms(const gauge *u, stored_as stored, stored_as computed, link_format links)
{
    clover_operator_params p = { .boundary.t = -1, .plain = true };
    clover_operator_add_mass(&p, 0.1);
    const dirac_plan plan = clover_operator_plan(&p);
    const double epsilon[] = { 1e-20, 1e10 };
    const dirac_errors_of of = { &plan, u, rng_key_for(94, 0, 2, RNG_TEST) };
    const format_pair in = { solver_storages[stored], solver_storages[computed] };
    const format_errors e = dirac_errors_measure(&of, in, links, epsilon, 2);
    note("%s computed in %s, links %s: rms %.3g of %.3g", stored_names[stored], stored_names[computed],
         link_format_names[links], e.rms, e.component_rms);
    fact(e.level[0].beyond <= 1 && (e.rms == 0 || e.level[0].beyond > 0.5) && e.level[1].beyond == 0,
         "shares are of the sites of the vector");
    return e.rms / e.component_rms;
}

static void measure_wilson(place where)
{
    lattice *l = lattice_create_single((const int[]){ 4, 8, 4, 6 });
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
    gauge_set_random(u, rng_key_for(94, 0, 1, RNG_TEST));
    const char *at = place_name(where);
    double plain[SOLVER_STORAGES], by_8[SOLVER_STORAGES];
    for (stored_as in = STORED_DOUBLE; in < SOLVER_STORAGES; in++) {
        plain[in] = wilson_rms(u, in, in, LINK_NATIVE);
        by_8[in] = wilson_rms(u, in, in, LINK_8);
    }
    fact(plain[STORED_DOUBLE] == 0, "%s: double precision is off by nothing from itself", at);
    fact(by_8[STORED_DOUBLE] > 0 && by_8[STORED_DOUBLE] < 1e-14, "%s: links in 8 numbers keep double precision", at);
    fact(by_8[STORED_SINGLE] > plain[STORED_SINGLE] && by_8[STORED_SINGLE] < 4 * plain[STORED_SINGLE],
         "%s: links in 8 numbers of single precision cost less than a factor of four", at);
    fact(plain[STORED_SINGLE] < 2e-7 && plain[STORED_INT30] < plain[STORED_SINGLE] / 15,
         "%s: int30 is better than single precision by more than an order of magnitude", at);
    fact(plain[STORED_INT20] < plain[STORED_HALF] / 2 && plain[STORED_INT20] > plain[STORED_HALF] / 5,
         "%s: links of 16 bits take most of what int20 has over half", at);
    const double with_16 = wilson_rms(u, STORED_INT20, STORED_INT20, LINK_FIXED16_13);
    fact(with_16 > plain[STORED_INT20] / 1.5 && with_16 < 1.5 * plain[STORED_INT20],
         "%s: links that have been in 16 bits before make no difference", at);
    fact_close(wilson_rms(u, STORED_INT30, STORED_SINGLE, LINK_NATIVE) / plain[STORED_SINGLE], 1, 0.05,
               "%s: int30 with arithmetic in single precision is as good as single precision alone", at);
    gauge_free(u);
    lattice_free(l);
}

int main(void)
{
    FOR_EVERY_PLACE(where) {
        measure(where);
        measure_wilson(where);
    }
    return facts_end();
}
