/* test_staggered.c - the staggered operator: against MILC, and what holds for any links. */
#include "src/base/memory.h"
#include "src/lattice/rng.h"
#include "tests/facts.h"
#include "tests/on_every_backend.h"
#include "tests/operators/dense_operator.h"
#include "tests/operators/milc_quarks.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const precision_names[PRECISIONS] = { "single", "double" };

static rng_key key_of(unsigned n)
{
    return rng_key_for(71, 0, n, RNG_TEST);
}

static vec *random_vector(lattice *l, parity_set on, place where, precision p, unsigned n)
{
    vec *v = vec_create(l, on, where, p);
    vec_set_gaussian(v, key_of(n), 0);
    return v;
}

/* Links that have nothing to do with each other, and a coefficient that is not 1. */
typedef struct { gauge *fat, *naik; staggered_terms t; } random_terms;

static random_terms random_terms_create(lattice *l, place where, precision p)
{
    random_terms r = { .fat = gauge_create(l, where, p), .naik = gauge_create(l, where, p) };
    gauge_set_random(r.fat, key_of(100));
    gauge_set_random(r.naik, key_of(101));
    r.t = (staggered_terms){ r.fat, r.naik, -0.3 };
    return r;
}

static void random_terms_free(random_terms *r)
{
    gauge_free(r->fat);
    gauge_free(r->naik);
}

static void against_milc(place where, precision p)
{
    lattice *l = lattice_create_single(milc_extents);
    milc_links m = milc_links_create(l, where, p);
    double tolerance = p == PRECISION_DOUBLE ? 1e-14 : 1e-6;
    for (int source = 0; source < 2; source++)
        for (int set = 0; set < 2; set++) {
            char name[32];
            vec *in = milc_vector(l, ON_ALL, where, p, source == 0 ? "src_pt" : "src_lcg");
            vec *out = vec_create(l, ON_ALL, where, p);
            staggered_hop_with(out, milc_terms(&m, set), in);
            snprintf(name, sizeof name, "dslash_%s_eps%d", source == 0 ? "pt" : "lcg", set);
            vec *want = milc_vector(l, ON_ALL, where, p, name);
            fact_close(relative_distance(out, want), 0, tolerance, "%s, %s: D is MILC's, %s", place_name(where),
                       precision_names[p], name);
            vec_free(want);
            vec_free(out);
            vec_free(in);
        }
    milc_links_free(&m);
    lattice_free(l);
}

/* The same from MILC's thin links: smeared here, with phases and boundary. */
static void from_thin_links(place where)
{
    const precision p = PRECISION_DOUBLE;
    const staggered_links_params params = { .kind = STAGGERED_HISQ, .u0 = 1, .projection = PROJECTION_U3,
                                            .boundary = 1, .epsilons = 2, .epsilon = { 0, MILC_EPSILON } };
    lattice *l = lattice_create_single(milc_extents);
    gauge *u = milc_thin_links(l, where, p);
    staggered_links *s = staggered_links_create(&params, u);
    staggered_links_update(s, u);
    vec *in = milc_vector(l, ON_ALL, where, p, "src_lcg"), *out = vec_create(l, ON_ALL, where, p);
    vec *even = milc_vector(l, ON_EVEN, where, p, "src_lcg"), *between = vec_create(l, ON_ODD, where, p);
    vec *k_even = vec_create(l, ON_EVEN, where, p), *with = vec_create(l, ON_EVEN, where, p);
    for (int set = 0; set < 2; set++) {
        vec *want = milc_vector(l, ON_ALL, where, p, set == 0 ? "dslash_lcg_eps0" : "dslash_lcg_eps1");
        staggered_hop(out, s, set, in);
        fact_close(relative_distance(out, want), 0, 1e-12, "%s: D of smeared links is MILC's, epsilon %g",
                   place_name(where), params.epsilon[set]);
        staggered_terms t = { staggered_fat(s, set), staggered_naik(s), staggered_naik_coefficient(s, set) };
        staggered_normal_op k = staggered_normal_operator(s, set, between);
        k.base.apply(&k.base, k_even, 0.1, even);
        work_count cost = k.base.cost;
        k = staggered_normal_operator_with(t, between);
        k.base.apply(&k.base, with, 0.1, even);
        fact(same_numbers(k_even, with) && cost.flops == k.base.cost.flops,
             "%s: and K of the smeared links is K of their X and N", place_name(where));
        vec_free(want);
    }
    vec_free(with);
    vec_free(k_even);
    vec_free(between);
    vec_free(even);
    vec_free(out);
    vec_free(in);
    staggered_links_free(s);
    gauge_free(u);
    lattice_free(l);
}

/* What holds for any links X and N, on a lattice whose extents are all different, one of them shorter than a hop. */
static void any_links(place where, precision p)
{
    lattice *l = lattice_create_single((const int[]){ 4, 6, 2, 8 });
    const char *name = place_name(where), *digits = precision_names[p];
    double rounding = p == PRECISION_DOUBLE ? 1e-14 : 1e-5;
    random_terms r = random_terms_create(l, where, p);
    vec *a = random_vector(l, ON_ALL, where, p, 1), *b = random_vector(l, ON_ALL, where, p, 2);
    vec *da = vec_create(l, ON_ALL, where, p), *db = vec_create(l, ON_ALL, where, p);
    staggered_hop_with(da, r.t, a);
    staggered_hop_with(db, r.t, b);
    complex_number x = vec_dot(a, db), y = vec_dot(da, b);
    double size = sqrt(vec_norm2(a) * vec_norm2(db));
    fact_close(hypot(x.re + y.re, x.im + y.im) / size, 0, rounding, "%s, %s: D is antihermitian", name, digits);

    /* One parity at a time: the same numbers at its sites. */
    double *all = memory_alloc((size_t)lattice_volume(l) * VEC_REALS * sizeof *all, "a vector");
    double *part = memory_alloc((size_t)lattice_volume(l) * VEC_REALS * sizeof *part, "a vector"), worst = 0;
    vec_export(all, da);
    vec *from = vec_create(l, ON_EVEN, where, p), *to = vec_create(l, ON_ODD, where, p);
    for (int odd = 0; odd < 2; odd++) {
        vec_move_to(from, odd ? ON_EVEN : ON_ODD);
        vec_move_to(to, odd ? ON_ODD : ON_EVEN);
        vec_set_gaussian(from, key_of(1), 0);
        staggered_hop_with(to, r.t, from);
        vec_export(part, to);
        for (int64_t i = 0; i < lattice_volume(l) * VEC_REALS; i++)
            worst = worse(worst, part[i] == 0 ? 0 : fabs(part[i] - all[i]));
        fact(vec_norm2(to) > 0, "%s, %s: D from one parity to the other is not zero", name, digits);
    }
    fact(worst == 0, "%s, %s: D on both parities is D from one to the other, bit for bit", name, digits);

    for (parity_set on = ON_EVEN; on <= ON_ODD; on++) {
        vec *between = vec_create(l, on == ON_EVEN ? ON_ODD : ON_EVEN, where, p);
        staggered_normal_op k = staggered_normal_operator_with(r.t, between);
        vec *u = random_vector(l, on, where, p, 3), *v = random_vector(l, on, where, p, 4);
        vec *ku = vec_create(l, on, where, p), *kv = vec_create(l, on, where, p);
        double dot = k.base.apply_dot(&k.base, ku, 0.25, u, 1), norm2 = vec_norm2(u);
        k.base.apply(&k.base, kv, 0.25, v);
        x = vec_dot(u, kv), y = vec_dot(ku, v);
        size = sqrt(norm2 * vec_norm2(kv));
        fact_close(hypot(x.re - y.re, x.im - y.im) / size, 0, rounding, "%s, %s: K is hermitian on %s sites", name,
                   digits, on == ON_EVEN ? "even" : "odd");
        fact(dot > 0.25 * norm2, "%s, %s: and K is positive", name, digits);
        fact_close(vec_dot(u, ku).re / dot, 1, DBL_EPSILON, "%s, %s: <v, (K + shift) v> comes with it", name, digits);

        /* K v + shift v = shift v - D D v; |D v|^2 = <v, K v> */
        vec_set_gaussian(u, key_of(5), 0);
        dot = k.base.apply_dot(&k.base, ku, 0, u, 1);
        fact_close(vec_norm2(between) / dot, 1, 10 * rounding, "%s, %s: <v, K v> = |D v|^2", name, digits);
        worst = 0;
        for (int e = -300; e <= 300; e += 60)
            worst = worse(worst, fabs(k.base.apply_dot(&k.base, ku, 0, u, ldexp(dot, e)) / dot - 1));
        fact_close(worst, 0, DBL_EPSILON, "%s, %s: whatever was guessed of it", name, digits);
        vec_free(kv);
        vec_free(ku);
        vec_free(v);
        vec_free(u);
        vec_free(between);
    }
    vec_free(to);
    vec_free(from);
    memory_free(part);
    memory_free(all);
    vec_free(db);
    vec_free(da);
    vec_free(b);
    vec_free(a);
    random_terms_free(&r);
    lattice_free(l);
}

static void spectrum_of_parities(void)
{
    lattice *l = lattice_create_single((const int[]){ 2, 2, 4, 2 });
    random_terms r = random_terms_create(l, PLACE_CPU, PRECISION_DOUBLE);
    gsl_vector *eigenvalues[2];
    for (parity_set on = ON_EVEN; on <= ON_ODD; on++) {
        vec *between = vec_create(l, on == ON_EVEN ? ON_ODD : ON_EVEN, PLACE_CPU, PRECISION_DOUBLE);
        vec *like = vec_create(l, on, PLACE_CPU, PRECISION_DOUBLE);
        staggered_normal_op k = staggered_normal_operator_with(r.t, between);
        gsl_matrix_complex *m = dense_operator(&k.base, 0, like);
        eigenvalues[on] = dense_eigenvalues(m);
        gsl_matrix_complex_free(m);
        vec_free(like);
        vec_free(between);
    }
    double worst = 0, smallest = gsl_vector_min(eigenvalues[0]), largest = gsl_vector_max(eigenvalues[0]);
    for (size_t i = 0; i < eigenvalues[0]->size; i++)
        worst = worse(worst, fabs(gsl_vector_get(eigenvalues[0], i) - gsl_vector_get(eigenvalues[1], i)));
    fact_close(worst / largest, 0, 1e-13, "K has the same eigenvalues on even and on odd sites");
    fact(smallest > -1e-13 * largest, "none of them is negative");
    gsl_vector_free(eigenvalues[0]);
    gsl_vector_free(eigenvalues[1]);
    random_terms_free(&r);
    lattice_free(l);
}

/* X = eta, no N: D is twice the naive lattice derivative, and on a plane wave K = 4 sum sin^2 p. */
static void free_field(place where, precision p)
{
    const int n[4] = { 4, 6, 2, 8 }, wave[4] = { 1, 2, 0, 3 };
    lattice *l = lattice_create_single(n);
    size_t volume = (size_t)lattice_volume(l);
    double *eta = memory_alloc(volume * GAUGE_REALS * sizeof *eta, "phases");
    double *plane = memory_alloc(volume * VEC_REALS * sizeof *plane, "a plane wave"), want = 0;
    for (size_t s = 0; s < volume; s++) {
        int x = (int)s % n[0], y = (int)s / n[0] % n[1], z = (int)s / n[0] / n[1] % n[2];
        int t = (int)s / n[0] / n[1] / n[2];
        const int sign[4] = { t % 2, (t + x) % 2, (t + x + y) % 2, 0 };
        double angle = 2 * M_PI * ((double)(wave[0] * x) / n[0] + (double)(wave[1] * y) / n[1] +
                                   (double)(wave[2] * z) / n[2] + (double)(wave[3] * t) / n[3]);
        for (int mu = 0; mu < 4; mu++)
            for (int c = 0; c < 3; c++)
                eta[(s * 4 + (size_t)mu) * 18 + (size_t)(8 * c)] = sign[mu] ? -1 : 1;
        plane[s * VEC_REALS] = cos(angle);
        plane[s * VEC_REALS + 1] = sin(angle);
    }
    for (int mu = 0; mu < 4; mu++)
        want += 4 * pow(sin(2 * M_PI * wave[mu] / n[mu]), 2);
    gauge *x = gauge_create(l, where, p);
    gauge_import(x, eta);
    vec *v = vec_create(l, ON_EVEN, where, p), *kv = vec_create(l, ON_EVEN, where, p);
    vec *between = vec_create(l, ON_ODD, where, p);
    vec_import(v, plane);
    staggered_normal_op k = staggered_normal_operator_with((staggered_terms){ x, NULL, 0 }, between);
    k.base.apply(&k.base, kv, 0, v);
    vec_axpy(kv, -want, v);
    fact_close(sqrt(vec_norm2(kv) / vec_norm2(v)), 0, p == PRECISION_DOUBLE ? 1e-14 : 1e-5,
               "%s, %s: of free quarks, plane waves have K = 4 sum sin^2 p", place_name(where), precision_names[p]);
    vec_free(between);
    vec_free(kv);
    vec_free(v);
    gauge_free(x);
    memory_free(plane);
    memory_free(eta);
    lattice_free(l);
}

static void same_bits_everywhere(precision p)
{
    lattice *l = lattice_create_single((const int[]){ 6, 4, 8, 2 });
    vec *out[PLACES] = { NULL };
    double dot[PLACES];
    FOR_EVERY_PLACE(where) {
        random_terms r = random_terms_create(l, where, p);
        vec *in = random_vector(l, ON_ODD, where, p, 7), *between = vec_create(l, ON_EVEN, where, p);
        out[where] = vec_create(l, ON_ODD, where, p);
        staggered_normal_op k = staggered_normal_operator_with(r.t, between);
        dot[where] = k.base.apply_dot(&k.base, out[where], 0.1, in, 1000);
        vec_free(between);
        vec_free(in);
        random_terms_free(&r);
    }
    if (out[PLACE_GPU]) {
        fact(same_numbers(out[PLACE_CPU], out[PLACE_GPU]), "%s: CPU and GPU give the same bits of K v",
             precision_names[p]);
        fact(memcmp(&dot[PLACE_CPU], &dot[PLACE_GPU], sizeof dot[0]) == 0, "%s: and of <v, K v>", precision_names[p]);
    }
    for (int where = 0; where < PLACES; where++)
        vec_free(out[where]);
    lattice_free(l);
}

static void work(void)
{
    const lattice_shape shape = lattice_shape_single((int[4]){ 4, 4, 4, 4 });
    staggered_links_params p = { .kind = STAGGERED_HISQ };
    work_count w = staggered_normal_work(&p, &shape, PRECISION_SINGLE);
    /* 16 products of 66 and 15 sums of 6 a hop and site, 12 for the shift on every other site */
    fact_close(w.flops, 256 * (16 * 66 + 15 * 6) + 128 * 12, 0, "flops of K with the Naik term");
    /* two hops: 2 x 4 links of 18 numbers a site; 5 vectors of one parity */
    fact_close(w.bytes, 4 * (2 * 256 * 2 * 4 * 18 + 5 * 128 * 6), 0, "and its bytes, in single precision");
    p.kind = STAGGERED_NAIVE;
    w = staggered_normal_work(&p, &shape, PRECISION_DOUBLE);
    fact_close(w.flops, 256 * (8 * 66 + 7 * 6) + 128 * 12, 0, "flops of K without it");
    fact_close(w.bytes, 8 * (2 * 256 * 4 * 18 + 5 * 128 * 6), 0, "and its bytes, in double precision");
}

int main(void)
{
    FOR_EVERY_PLACE(where) {
        for (precision p = PRECISION_SINGLE; p <= PRECISION_DOUBLE; p++) {
            if (!milc_why_not())
                against_milc(where, p);
            any_links(where, p);
            free_field(where, p);
        }
        if (!milc_why_not())
            from_thin_links(where);
    }
    if (milc_why_not())
        skip("D is MILC's", milc_why_not());
    for (precision p = PRECISION_SINGLE; p <= PRECISION_DOUBLE; p++)
        same_bits_everywhere(p);
    spectrum_of_parities();
    work();
    return facts_end();
}
