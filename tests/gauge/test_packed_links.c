/* test_packed_links.c - which links a format keeps: those of staggered quarks that are U(3) matrices, and no others. */
#include "src/gauge/packed_links.h"

#include "src/base/memory.h"
#include "src/lattice/rng.h"
#include "src/operators/staggered_links.h"
#include "tests/facts.h"
#include "tests/on_every_backend.h"
#include "tests/operators/link_fields.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const int extents[4] = { 4, 6, 8, 4 };
static const link_format for_u3[] = { LINK_13, LINK_9, LINK_FIXED16_13, LINK_FIXED32_13, LINK_FIXED16_9,
                                      LINK_FIXED32_9 };
static const link_format for_su3[] = { LINK_12, LINK_8, LINK_FIXED16_12, LINK_FIXED32_12, LINK_FIXED16_8 };
enum { U3_FORMATS = 6, SU3_FORMATS = 5 };

static rng_key key_of(unsigned n)
{
    return rng_key_for(92, 0, n, RNG_TEST);
}

/* Whether a format, with arithmetic in the precision of u where it is not in fixed point, can store the links of u. */
static bool holds(link_format f, const gauge *u, failure *why)
{
    lattice *l = u->links.lattice;
    packed_links *p = link_format_is_fixed(f) ? packed_links_create(l, u->links.where, f)
                                              : packed_links_create_precision(l, u->links.where, f, u->links.precision);
    const bool so = packed_links_set(p, u, why);
    packed_links_free(p);
    return so;
}

static bool all_hold(const link_format *formats, int count, const gauge *u, bool want)
{
    bool so = true;
    for (int i = 0; i < count; i++)
        so &= holds(formats[i], u, NULL) == want;
    return so;
}

/* Largest error of an element when links are kept and loaded again; NaN where they are refused. */
static double lost(const gauge *u, link_format f, precision p)
{
    lattice *l = u->links.lattice;
    packed_links *kept = packed_links_create_precision(l, u->links.where, f, p);
    gauge *back = gauge_create(l, u->links.where, u->links.precision);
    double worst = NAN;
    if (packed_links_set(kept, u, NULL)) {
        packed_links_unpack(back, kept);
        double *want = links_of(u);
        worst = gauge_apart(back, want) * links_largest(l, want);
        memory_free(want);
    }
    gauge_free(back);
    packed_links_free(kept);
    return worst;
}

static void staggered(place where, staggered_kind kind, projection_group projection)
{
    const staggered_links_params params = { .kind = kind, .u0 = 1, .projection = projection, .boundary = 1,
                                            .epsilons = kind == STAGGERED_HISQ ? 2 : 1, .epsilon = { 0, -0.17 } };
    char name[64];
    snprintf(name, sizeof name, "%s, %s, %s", place_name(where), staggered_kind_names[kind],
             projection_names[projection]);
    lattice *l = lattice_create_single(extents);
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
    gauge_set_random(u, key_of(1));
    staggered_links *s = staggered_links_create(&params, u);
    staggered_links_update(s, u);
    const gauge *fat = staggered_fat(s, 0), *naik = staggered_naik(s);

    fact(all_hold(for_su3, SU3_FORMATS, u, true) && all_hold(for_u3, U3_FORMATS, u, true),
         "%s: every format keeps the thin links", name);
    fact(lost(u, LINK_FIXED16_12, PRECISION_SINGLE) < 5e-5, "%s: thin links in 24 bytes", name);
    fact(lost(u, LINK_FIXED32_12, PRECISION_DOUBLE) < 8e-10, "%s: in 48 bytes", name);
    fact(lost(u, LINK_FIXED16_8, PRECISION_SINGLE) < 1.3e-4, "%s: in 16 bytes", name);
    failure why = { .why = "" };
    bool smeared = kind != STAGGERED_NAIVE;
    if (smeared) {
        fact(all_hold(for_u3, U3_FORMATS, fat, false) && all_hold(for_su3, SU3_FORMATS, fat, false),
             "%s: none keeps fat links", name);
        for (int set = 1; set < params.epsilons; set++)
            fact(all_hold(for_u3, U3_FORMATS, staggered_fat(s, set), false), "%s: nor those of epsilon %g", name,
                 params.epsilon[set]);
        holds(LINK_13, fat, &why);
        note("%s", why.why);
        fact(strstr(why.why, "format 13") && strstr(why.why, "U(3)") && strstr(why.why, "fat links"),
             "%s: and the reason is told", name);
    } else
        fact(all_hold(for_u3, U3_FORMATS, fat, true) && all_hold(for_su3, SU3_FORMATS, fat, false),
             "%s: links with phases are U(3) matrices, not SU(3)", name);
    if (naik) {
        fact(all_hold(for_u3, U3_FORMATS, naik, true) && all_hold(for_su3, SU3_FORMATS, naik, false),
             "%s: formats for U(3) keep long links, those for SU(3) do not", name);
        fact(lost(naik, LINK_13, PRECISION_DOUBLE) < 1e-14, "%s: as 13 doubles", name);
        fact(lost(naik, LINK_9, PRECISION_DOUBLE) < 1e-14, "%s: as 9 doubles", name);
        fact(lost(naik, LINK_13, PRECISION_SINGLE) < 1e-6, "%s: as 13 floats", name);
        fact(lost(naik, LINK_9, PRECISION_SINGLE) < 2e-6, "%s: as 9 floats", name);
        fact(lost(naik, LINK_FIXED16_13, PRECISION_SINGLE) < 5e-5, "%s: in 28 bytes", name);
        fact(lost(naik, LINK_FIXED32_13, PRECISION_DOUBLE) < 8e-10, "%s: in 56 bytes", name);
        fact(lost(naik, LINK_FIXED16_9, PRECISION_SINGLE) < 1.3e-4, "%s: in 20 bytes", name);
        fact(lost(naik, LINK_FIXED32_9, PRECISION_DOUBLE) < 2e-9, "%s: in 40 bytes", name);
    }
    if (staggered_w(s))
        fact(all_hold(for_u3, U3_FORMATS, staggered_w(s), true) &&
             all_hold(for_su3, SU3_FORMATS, staggered_w(s), projection == PROJECTION_SU3),
             "%s: and projected links, with determinant 1 or without", name);
    staggered_links_free(s);
    gauge_free(u);
    lattice_free(l);
}

/* One link is not what the others are: 1e-3 off, or turned by a phase, or NaN. */
static void one_bad_link(place where, precision p)
{
    const int at[4] = { 1, 5, 2, 3 }, mu = 2;
    const size_t link = 4 * (size_t)(at[0] + 4 * (at[1] + 6 * (at[2] + 8 * at[3]))) + mu;
    lattice *l = lattice_create_single(extents);
    gauge *u = gauge_create(l, where, p);
    gauge_set_random(u, key_of(2));
    double *links = links_of(u), *m = links + 18 * link;
    for (int kind = 0; kind < 3; kind++) {
        static const char *const kinds[] = { "off by 1e-3", "turned by i", "NaN" };
        gauge_import(u, links);
        double *bad = links_of(u), *b = bad + 18 * link;
        for (int i = 0; i < 18; i++)
            b[i] = kind == 0 ? 1.001 * m[i] : kind == 1 ? (i % 2 ? m[i - 1] : -m[i + 1]) : m[i];
        if (kind == 2)
            b[16] = NAN;
        gauge_import(u, bad);
        failure why = { .why = "" };
        packed_links *kept = packed_links_create_precision(l, where, LINK_12, p);
        bool set = packed_links_set(kept, u, &why);
        note("%s", why.why);
        fact(!set && kept->version == 0 && strstr(why.why, "(1 5 2 3) in direction z"),
             "%s: one link of all that is %s is found and named", place_name(where), kinds[kind]);
        fact(all_hold(for_u3, U3_FORMATS, u, kind == 1), "%s: and formats for U(3) %s it", place_name(where),
             kind == 1 ? "keep" : "refuse");
        gauge_import(u, links);
        fact(packed_links_set(kept, u, &why), "%s: without it links are kept", place_name(where));
        packed_links_free(kept);
        memory_free(bad);
    }
    memory_free(links);
    gauge_free(u);
    lattice_free(l);
}

/* Formats that keep all numbers keep any matrix. */
static void any_matrix(place where)
{
    lattice *l = lattice_create_single(extents);
    double *links = any_links(l, 4);
    gauge *u = links_on(l, where, PRECISION_DOUBLE, links);
    fact(lost(u, LINK_NATIVE, PRECISION_DOUBLE) == 0, "%s: all numbers as they are", place_name(where));
    fact(lost(u, LINK_NATIVE, PRECISION_SINGLE) <= FLT_EPSILON / 2, "%s: in single precision", place_name(where));
    fact(lost(u, LINK_FIXED16, PRECISION_SINGLE) <= 0x1.02p-16, "%s: in 16 bits", place_name(where));
    fact(lost(u, LINK_FIXED32, PRECISION_DOUBLE) <= 0x1.02p-32, "%s: in 32 bits", place_name(where));
    memory_free(links);
    gauge_free(u);
    lattice_free(l);
}

/* Equal versions are equal links. */
static void versions(place where)
{
    lattice *l = lattice_create_single(extents);
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
    packed_links *kept = packed_links_create_precision(l, where, LINK_8, PRECISION_SINGLE);
    gauge *back = gauge_create(l, where, PRECISION_DOUBLE);
    gauge_set_random(u, key_of(3));
    bool set = packed_links_set(kept, u, NULL) && kept->version == u->version;
    gauge_set_random(u, key_of(4));
    set &= kept->version != u->version && packed_links_set(kept, u, NULL) && kept->version == u->version;
    packed_links_unpack(back, kept);
    double *want = links_of(u);
    fact(set && gauge_apart(back, want) < 1e-6, "%s: links that have changed are packed anew", place_name(where));
    fact_close(kept->unit, 1, 0, "%s: numbers of a precision are in units of 1", place_name(where));
    double *zero = links_sum(l, want, -1, want);
    gauge_import(u, zero);
    fact(!packed_links_set(kept, u, NULL) && kept->version == 0, "%s: after links that are refused they are of none",
         place_name(where));
    memory_free(zero);
    memory_free(want);
    gauge_free(back);
    packed_links_free(kept);
    gauge_free(u);
    lattice_free(l);
}

int main(void)
{
    FOR_EVERY_PLACE(where) {
        staggered(where, STAGGERED_HISQ, PROJECTION_U3);
        staggered(where, STAGGERED_HISQ, PROJECTION_SU3);
        staggered(where, STAGGERED_ASQTAD, PROJECTION_U3);
        staggered(where, STAGGERED_NAIVE, PROJECTION_U3);
        one_bad_link(where, PRECISION_DOUBLE);
        one_bad_link(where, PRECISION_SINGLE);
        any_matrix(where);
        versions(where);
    }
    return facts_end();
}
