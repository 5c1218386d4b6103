/* test_staggered_packed.c - D and K on packed links and vectors: those in double precision, but for what storing cuts
 * off, which is predicted.
 *
 * A stored number is off by a uniform error: links by their unit / sqrt 12, vectors by the rms of their format.  Of
 * vectors with normal components, |v_i|^2 = 1 a color, D v is then off at each site by
 *     24 sum_links unit^2 / 6 + (the vector's rms)^2 (|D v|^2 from `in`, and again from `out`). */
#include "src/operators/staggered_low.h"

#include "src/base/memory.h"
#include "src/lattice/rng.h"
#include "src/operators/staggered.h"
#include "tests/facts.h"
#include "tests/on_every_backend.h"
#include "tests/operators/link_fields.h"
#include "tests/operators/milc_quarks.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double rms_of_vectors[VECTOR_FORMATS] = { 0, 1.40e-5, 1.41e-6, 1.38e-9 };
static const double largest_integer[VECTOR_FORMATS] = { 0, 32767, 32767, 2147483647 };

static const staggered_links_params hisq = { .kind = STAGGERED_HISQ, .u0 = 1, .projection = PROJECTION_U3,
                                             .boundary = 1, .epsilons = 2, .epsilon = { 0, -0.17 } };

static rng_key key_of(unsigned n)
{
    return rng_key_for(83, 0, n, RNG_TEST);
}

/* Links of random thin ones, in double precision, packed for vectors of a format. */
typedef struct { lattice *l; gauge *u; staggered_links *s; staggered_low *p; } system_of_links;

static const char *name_of(vector_format f, naik_storage naik)
{
    static const char *const few[NAIK_STORAGES][VECTOR_FORMATS] = {
        [NAIK_IN_13] = { NULL, "half with 13", "int20 with 13", "int30 with 13" },
    };
    return naik == NAIK_IN_18 ? vector_format_names[f] : few[naik][f];
}

static system_of_links create(const int extents[4], place where, vector_format f, naik_storage naik)
{
    system_of_links a = { .l = lattice_create_single(extents) };
    a.u = gauge_create(a.l, where, PRECISION_DOUBLE);
    gauge_set_random(a.u, key_of(1));
    a.s = staggered_links_create(&hisq, a.u);
    staggered_links_update(a.s, a.u);
    a.p = staggered_low_create_as(a.s, naik, f, PRECISION_SINGLE);
    staggered_low_update(a.p);
    return a;
}

static void end(system_of_links *a)
{
    staggered_low_free(a->p);
    staggered_links_free(a->s);
    gauge_free(a->u);
    lattice_free(a->l);
}

/* The same random vector in double precision and in a format. */
typedef struct { vec *exact, *packed; } two_vecs;

static two_vecs two_vecs_create(lattice *l, parity_set on, place where, vector_format f)
{
    return (two_vecs){ vec_create(l, on, where, PRECISION_DOUBLE), vec_create_format(l, on, where, f) };
}

static two_vecs random_vecs(lattice *l, parity_set on, place where, vector_format f)
{
    two_vecs v = two_vecs_create(l, on, where, f);
    vec_set_gaussian(v.exact, key_of(2), 0);
    vec_convert(v.packed, v.exact);
    return v;
}

static void two_vecs_free(two_vecs *v)
{
    vec_free(v->exact);
    vec_free(v->packed);
}

/* |packed - exact| / |exact| */
static double distance(const two_vecs *v)
{
    vec *a = vec_create(v->exact->f.lattice, v->exact->f.on, v->exact->f.where, PRECISION_DOUBLE);
    vec_convert(a, v->packed);
    double d = relative_distance(a, v->exact);
    vec_free(a);
    return d;
}

static double largest_link(const gauge *u)
{
    double *links = links_of(u), largest = links_largest(u->links.lattice, links);
    memory_free(links);
    return largest;
}

static double predicted(const system_of_links *a, vector_format f, int set, const vec *dv)
{
    double fat = largest_link(staggered_fat(a->s, set)) / largest_integer[f];
    double naik = largest_link(staggered_naik(a->s)) / largest_integer[f] * staggered_naik_coefficient(a->s, set);
    double norm2 = vec_norm2(dv) / (double)lattice_volume(a->l);               /* of a site */
    double links = 24 * (fat * fat + naik * naik) / 6 * 3, vectors = 2 * pow(rms_of_vectors[f], 2) * norm2;
    return sqrt((links + vectors) / norm2);
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Deviations site by site, relative to the vector there. */
static void report_deviations(const two_vecs *v, const char *what)
{
    size_t volume = (size_t)lattice_volume(v->exact->f.lattice);
    double *want = memory_alloc(volume * VEC_REALS * sizeof *want, "a vector");
    double *got = memory_alloc(volume * VEC_REALS * sizeof *got, "a vector");
    double *deviation = memory_alloc(volume * sizeof *deviation, "deviations");
    vec_export(want, v->exact);
    vec_export(got, v->packed);
    for (size_t s = 0; s < volume; s++) {
        double d2 = 0, norm2 = 0;
        for (size_t i = s * VEC_REALS; i < (s + 1) * VEC_REALS; i++) {
            d2 += pow(got[i] - want[i], 2);
            norm2 += pow(want[i], 2);
        }
        deviation[s] = sqrt(d2 / norm2);
    }
    qsort(deviation, volume, sizeof *deviation, ascending);
    note("%s: deviations of a site: 5%% below %.2g, half below %.2g, 95%% below %.2g, all below %.2g", what,
         deviation[volume / 20], deviation[volume / 2], deviation[volume - volume / 20 - 1], deviation[volume - 1]);
    memory_free(deviation);
    memory_free(got);
    memory_free(want);
}

static void hops(place where, vector_format f, naik_storage naik)
{
    const char *name = name_of(f, naik);
    system_of_links a = create((const int[]){ 4, 6, 8, 8 }, where, f, naik);
    two_vecs in = random_vecs(a.l, ON_ALL, where, f), out = two_vecs_create(a.l, ON_ALL, where, f);
    for (int set = 0; set < hisq.epsilons; set++) {
        staggered_hop(out.exact, a.s, set, in.exact);
        staggered_low_hop(out.packed, a.p, set, in.packed);
        double want = predicted(&a, f, set, out.exact), got = distance(&out);
        note("%s, %s: D v is off by %.3g", place_name(where), name, got);
        fact_close(got / want, 1, 0.1, "%s, %s, epsilon %g: D v is off by what storing cuts off, %.3g",
                   place_name(where), name, hisq.epsilon[set], want);
    }
    report_deviations(&out, name);
    two_vecs_free(&out);
    two_vecs_free(&in);
    end(&a);
}

static void normal(place where, vector_format f, naik_storage naik)
{
    const char *name = name_of(f, naik);
    const int extents[4] = { 4, 6, 2, 8 };                   /* one of them is shorter than a hop */
    system_of_links a = create(extents, where, f, naik);
    for (parity_set on = ON_EVEN; on <= ON_ODD; on++) {
        parity_set other = on == ON_EVEN ? ON_ODD : ON_EVEN;
        two_vecs v = random_vecs(a.l, on, where, f), kv = two_vecs_create(a.l, on, where, f);
        two_vecs between = two_vecs_create(a.l, other, where, f);
        staggered_normal_op k = staggered_normal_operator(a.s, 1, between.exact);
        staggered_low_op packed = staggered_low_operator(a.p, 1, between.packed);
        double exact = k.base.apply_dot(&k.base, kv.exact, 0.25, v.exact, 1000);
        double dot = packed.base.apply_dot(&packed.base, kv.packed, 0.25, v.packed, 1000);
        double once = predicted(&a, f, 1, between.exact) * sqrt(0.5);           /* it lives on half of the sites */
        fact(distance(&kv) < 3 * once, "%s, %s: (K + shift) v, on %s sites, is off by less than 3 times what a hop is",
             place_name(where), name, on == ON_EVEN ? "even" : "odd");
        fact_close(dot / exact, 1, 3 * once, "%s, %s: and <v, (K + shift) v>", place_name(where), name);
        fact_close(vec_dot(v.packed, kv.packed).re / dot, 1, DBL_EPSILON, "%s, %s: that of the vectors as stored",
                   place_name(where), name);
        vec *again = vec_create_format(a.l, on, where, f);
        packed.base.apply(&packed.base, again, 0.25, v.packed);
        fact(same_numbers(again, kv.packed), "%s, %s: the same without the product", place_name(where), name);
        double worst = 0;
        for (int e = -300; e <= 300; e += 100)
            worst = worse(worst, fabs(packed.base.apply_dot(&packed.base, again, 0.25, v.packed, ldexp(dot, e)) / dot
                                     - 1));
        fact_close(worst, 0, DBL_EPSILON, "%s, %s: whatever was guessed of it", place_name(where), name);
        vec_free(again);
        fact_close(packed.base.cost.flops, k.base.cost.flops, 0, "%s, %s: flops are those of K", place_name(where),
                   name);
        /* two hops over fat and Naik links of 18 integers (Naik links also 12, and a phase in 2); five vectors on half
         * of the sites */
        static const int integers[NAIK_STORAGES] = { 18, 14 };
        const double integer = f == VECTOR_INT30 ? 4 : 2, vector = f == VECTOR_INT30 ? 24 : 16;
        double bytes = (double)lattice_volume(a.l) * (2 * 4 * (18 + integers[naik]) * integer + 5 * vector / 2);
        fact_close(packed.base.cost.bytes, bytes, 0, "%s, %s: bytes of K", place_name(where), name);
        two_vecs_free(&between);
        two_vecs_free(&kv);
        two_vecs_free(&v);
    }
    fact(staggered_low_is_compressed(a.p) == (naik != NAIK_IN_18), "%s, %s: long links are as asked for",
         place_name(where), name);
    end(&a);
}

/* Packed links follow those they are made of. */
static void updates(place where, vector_format f, naik_storage naik)
{
    const char *name = name_of(f, naik);
    system_of_links a = create((const int[]){ 4, 4, 4, 4 }, where, f, naik);
    two_vecs in = random_vecs(a.l, ON_EVEN, where, f), out = two_vecs_create(a.l, ON_ODD, where, f);
    vec *before = vec_create_format(a.l, ON_ODD, where, f);
    staggered_low_hop(before, a.p, 0, in.packed);
    gauge_set_random(a.u, key_of(7));
    staggered_links_update(a.s, a.u);
    staggered_low_update(a.p);
    staggered_hop(out.exact, a.s, 0, in.exact);
    staggered_low_hop(out.packed, a.p, 0, in.packed);
    fact(distance(&out) < 3 * predicted(&a, f, 0, out.exact) && !same_numbers(before, out.packed),
         "%s, %s: new links are packed", place_name(where), name);
    vec_free(before);
    two_vecs_free(&out);
    two_vecs_free(&in);
    end(&a);
}

/* Links in single precision are packed as well; without the Naik term none are read. */
static void naive_in_single(place where, vector_format f)
{
    const staggered_links_params naive = { .kind = STAGGERED_NAIVE, .u0 = 1, .boundary = 1, .epsilons = 1 };
    lattice *l = lattice_create_single((const int[]){ 4, 2, 4, 6 });
    gauge *u = gauge_create(l, where, PRECISION_SINGLE);
    gauge_set_random(u, key_of(3));
    staggered_links *s = staggered_links_create(&naive, u);
    staggered_links_update(s, u);
    staggered_low *p = staggered_low_create(s, f, PRECISION_SINGLE);
    staggered_low_update(p);
    vec *in = vec_create_format(l, ON_ALL, where, f), *out = vec_create_format(l, ON_ALL, where, f);
    vec *single = vec_create(l, ON_ALL, where, PRECISION_SINGLE);
    vec *want = vec_create(l, ON_ALL, where, PRECISION_SINGLE);
    vec_set_gaussian(in, key_of(4), 0);
    vec_convert(single, in);
    staggered_low_hop(out, p, 0, in);
    staggered_hop(want, s, 0, single);
    vec_convert(single, out);
    double most = f == VECTOR_INT30 ? 1e-6 : 1e-4;
    fact(relative_distance(single, want) < most, "%s, %s: naive quarks, from links in single precision",
         place_name(where), vector_format_names[f]);

    double *links = links_of(u);
    links[5] = NAN;
    gauge_import(u, links);
    staggered_links_update(s, u);
    staggered_low_update(p);
    staggered_low_hop(out, p, 0, in);
    fact(isnan(vec_norm2(out)), "%s, %s: links with NaN give NaN", place_name(where),
         vector_format_names[f]);
    memory_free(links);
    vec_free(want);
    vec_free(single);
    vec_free(out);
    vec_free(in);
    staggered_low_free(p);
    staggered_links_free(s);
    gauge_free(u);
    lattice_free(l);
}

static void same_bytes_everywhere(vector_format f, naik_storage naik)
{
    vec *out[PLACES] = { NULL };
    double dot[PLACES] = { 0 };
    system_of_links a[PLACES];
    FOR_EVERY_PLACE(where) {
        a[where] = create((const int[]){ 6, 4, 8, 2 }, where, f, naik);
        lattice *l = a[where].l;
        two_vecs in = random_vecs(l, ON_ODD, where, f), between = two_vecs_create(l, ON_EVEN, where, f);
        out[where] = vec_create_format(l, ON_ODD, where, f);
        staggered_low_op k = staggered_low_operator(a[where].p, 1, between.packed);
        dot[where] = k.base.apply_dot(&k.base, out[where], 0.1, in.packed, 1000);
        two_vecs_free(&between);
        two_vecs_free(&in);
    }
    if (out[PLACE_GPU])
        fact(same_numbers(out[PLACE_CPU], out[PLACE_GPU]) && dot[PLACE_CPU] == dot[PLACE_GPU],
             "%s: CPU and GPU give the same bits of K v and <v, K v>", name_of(f, naik));
    for (place where = PLACE_CPU; where <= PLACE_GPU; where++)
        if (out[where]) {
            vec_free(out[where]);
            end(&a[where]);
        }
}

int main(void)
{
    FOR_EVERY_PLACE(where)
        for (vector_format f = VECTOR_HALF; f < VECTOR_FORMATS; f++) {
            for (naik_storage naik = NAIK_IN_18; naik < NAIK_STORAGES; naik++) {
                hops(where, f, naik);
                normal(where, f, naik);
                updates(where, f, naik);
            }
            naive_in_single(where, f);
        }
    for (vector_format f = VECTOR_HALF; f < VECTOR_FORMATS; f++)
        for (naik_storage naik = NAIK_IN_18; naik < NAIK_STORAGES; naik++)
            same_bytes_everywhere(f, naik);
    return facts_end();
}
