/* test_staggered_low.c - the operator in another precision or format is the operator, to that precision; and follows
 * the links it is made of. */
#include "src/operators/staggered_low.h"

#include "src/gauge/packed_links.h"
#include "src/lattice/rng.h"
#include "src/lattice/vec_mixed.h"
#include "tests/facts.h"
#include "tests/on_every_backend.h"
#include "tests/operators/milc_quarks.h"

#include <math.h>
#include <stdio.h>

static const int extents[4] = { 4, 4, 2, 6 };
static const staggered_links_params hisq = { .kind = STAGGERED_HISQ, .u0 = 1, .projection = PROJECTION_U3,
                                             .boundary = 1, .epsilons = 2, .epsilon = { 0, -0.17 } };
static const staggered_links_params naive = { .kind = STAGGERED_NAIVE, .u0 = 1, .boundary = 1, .epsilons = 1 };

/* |K_low v - K v| / |K v| for one set, v being what is stored of a random vector. */
static double distance(const staggered_links *s, const staggered_low *low, int set)
{
    const field *f = &staggered_fat(s, 0)->links;
    vec *between = vec_create(f->lattice, ON_ODD, f->where, f->precision);
    vec *between_low = staggered_low_vec(low, ON_ODD), *in_low = staggered_low_vec(low, ON_EVEN);
    vec *in = vec_create(f->lattice, ON_EVEN, f->where, f->precision), *out_low = vec_create_like(in_low);
    vec *want = vec_create_like(in), *got = vec_create_like(in);
    vec_set_gaussian(in_low, rng_key_for(85, 0, 0, RNG_TEST), 0);
    vec_convert(in, in_low);
    staggered_normal_op high = staggered_normal_operator(s, set, between);
    staggered_low_op op = staggered_low_operator(low, set, between_low);
    high.base.apply(&high.base, want, 0.1, in);
    op.base.apply(&op.base, out_low, 0.1, in_low);
    vec_convert(got, out_low);
    double far = relative_distance(got, want);
    vec_free(got);
    vec_free(want);
    vec_free(out_low);
    vec_free(in);
    vec_free(in_low);
    vec_free(between_low);
    vec_free(between);
    return far;
}

static void follows(place where, const staggered_links_params *params, vector_format f, precision p)
{
    char name[64];
    const char *format = f == VECTOR_NATIVE ? p == PRECISION_DOUBLE ? "double" : "single" : vector_format_names[f];
    snprintf(name, sizeof name, "%s, %s, %s", place_name(where), staggered_kind_names[params->kind], format);
    lattice *l = lattice_create_single(extents);
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
    staggered_links *s = staggered_links_create(params, u);
    staggered_low *low = staggered_low_create(s, f, p);
    vec *v = staggered_low_vec(low, ON_EVEN);
    const bool short_links = f != VECTOR_NATIVE && link_format_with(f) == LINK_FIXED16;
    const double rounding = 10 * fmax(vec_rounding(v), short_links ? 0.5 / FIXED16_ONE : 0);
    for (unsigned n = 0; n < 2; n++) {
        gauge_set_random(u, rng_key_for(85, 0, n, RNG_TEST));
        staggered_links_update(s, u);
        staggered_low_update(low);
        for (int set = 0; set < params->epsilons; set++)
            fact_close(distance(s, low, set), 0, rounding, "%s: K of set %d, links %u", name, set, n);
    }
    vec_free(v);
    staggered_low_free(low);
    staggered_links_free(s);
    gauge_free(u);
    lattice_free(l);
}

int main(void)
{
    FOR_EVERY_PLACE(where) {
        follows(where, &hisq, VECTOR_NATIVE, PRECISION_SINGLE);
        follows(where, &hisq, VECTOR_NATIVE, PRECISION_DOUBLE);
        for (vector_format f = VECTOR_HALF; f < VECTOR_FORMATS; f++)
            follows(where, &hisq, f, PRECISION_SINGLE);
        follows(where, &naive, VECTOR_NATIVE, PRECISION_SINGLE);
    }
    return facts_end();
}
