/* test_projection.c - the unitary part W = V (V^+V)^(-1/2) of smeared links and its derivative: on matrices whose
 * singular values are known, against long double, and against MILC. */
#include "src/base/memory.h"
#include "src/lattice/kernels.h"
#include "src/lattice/rng.h"
#include "src/operators/staggered_links.h"
#include "tests/facts.h"
#include "tests/io/npy_array.h"
#include "tests/on_every_backend.h"
#include "tests/operators/link_fields.h"
#include "tests/operators/long_matrix.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

SUM_KERNEL(unitarize, 1, 1);
SUM_KERNEL(unitarize_force, 6, 2);

#define FILTER 5e-5            /* MILC's */
enum { LINKS = 4 * 4 * 4 * 4 * 4 };
static const int extents[4] = { 4, 4, 4, 4 };

/* Singular values that links take in turn. */
static const double spectra[][3] = {
    { 1, 0.9, 0.8 },  { 1, 0.7, 0.3 },    { 1, 1, 1 },         { 0.8, 0.8, 0.2 },  { 0.9, 0.3, 0.3 },
    { 0.6, 0.6 - 1e-9, 0.5 }, { 0.7, 0.5, 0.4 },
    { 1, 0.5, 0.03 }, { 1, 0.02, 0.011 }, { 1, 0.5, 2e-3 },    { 0.7, 0.01, 5e-3 }, { 1, 1e-3, 1e-6 },
    { 1, 1e-9, 1e-12 }, { 1, 0.5, 0 },    { 1, 0, 0 },         { 0, 0, 0 },
};
/* Of the first ones no digits are lost; below 0.01 the long doubles lose theirs. */
enum { SPECTRA = sizeof spectra / sizeof spectra[0], SMOOTH = 7, ABOVE_A_HUNDREDTH = 9 };

static const double *spectrum_of(int link) { return spectra[link % SPECTRA]; }

static int links_with(int spectrum) { return (LINKS - 1 - spectrum) / SPECTRA + 1; }

/* V = A diag(sigma) B^+ with A and B from the Haar measure, and where two sigma are 0 also with all elements equal;
 * free. */
static double *known_links(lattice *l)
{
    gauge *g[2];
    double *factor[2], *v = memory_alloc(link_numbers(l) * sizeof *v, "links");
    for (int i = 0; i < 2; i++) {
        g[i] = gauge_create(l, PLACE_CPU, PRECISION_DOUBLE);
        gauge_set_random(g[i], rng_key_for(5, 0, (uint64_t)i, RNG_TEST));
        factor[i] = links_of(g[i]);
        gauge_free(g[i]);
    }
    for (int link = 0; link < LINKS; link++) {
        long_matrix a = long_from(factor[0] + 18 * link), b = long_from(factor[1] + 18 * link);
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 3; k++)
                a.e[i][k] *= spectrum_of(link)[k] * (k == 1 ? cexpl(2.5L * I * (link % 7)) : 1);     /* any phase */
        long_to(v + 18 * link, long_product(a, long_dagger(b)));
        for (int i = 0; spectrum_of(link)[0] > 0 && spectrum_of(link)[1] == 0 && link / SPECTRA % 2 && i < 18; i++)
            v[18 * link + i] = i % 2 ? 0 : 1.0 / 3;
    }
    memory_free(factor[0]);
    memory_free(factor[1]);
    return v;
}

typedef struct { double svd_links, largest_inverse; } projection_counts;
static projection_counts project(gauge *w, const gauge *v, bool special)
{
    double r[2];
    const field *f = &v->links;
    unitarize_args args = { lattice_on(f->lattice, f->where), gauge_view_of(v), gauge_view_of(w), special };
    const sum_launch sum = { .where = f->where, .precision = f->precision, .args = &args,
                             .range = lattice_all(f->lattice) };
    run_sum(&unitarize, f->lattice, &sum, r);
    return (projection_counts){ r[0], r[1] };
}

typedef struct { double below[5], filtered, largest_inverse, from_the_end; } derivative_counts;
static derivative_counts differentiate(gauge *hv, const gauge *v, const gauge *hw, double filter, bool special)
{
    derivative_counts c;
    double r[8];
    const field *f = &v->links;
    unitarize_force_args args = { lattice_on(f->lattice, f->where), gauge_view_of(v), gauge_view_of(hw),
                                  gauge_view_of(hv), filter, special };
    const sum_launch sum = { .where = f->where, .precision = f->precision, .args = &args,
                             .range = lattice_all(f->lattice) };
    run_sum(&unitarize_force, f->lattice, &sum, r);
    memcpy(&c, r, sizeof c);
    return c;
}

/* Links to project, where and how. */
typedef struct {
    lattice *l;
    const double *links;
    place where;
    precision p;
    bool special;                       /* SU(3), else U(3) */
} projection_task;

/* U(3) or SU(3) of matrices with known singular values. */
static void unitary_part(const projection_task *t)
{
    lattice *l = t->l;
    const double *links = t->links;
    const place where = t->where;
    const precision p = t->p;
    const bool special = t->special;
    const bool wide = p == PRECISION_DOUBLE;
    double *w, not_unitary = 0, not_hermitian[2] = { 0 }, not_nearest = 0, not_special = 0;
    gauge *v = links_on(l, where, p, links), *projected = gauge_create(l, where, p);
    char name[64];
    snprintf(name, sizeof name, "%s, %s, %s", place_name(where), wide ? "double" : "single", projection_names[special]);
    projection_counts counts = project(projected, v, special);
    w = links_of(projected);
    for (int link = 0; link < LINKS; link++) {
        long_matrix unitary = long_from(w + 18 * link), vl = long_from(links + 18 * link);
        const double *sigma = spectrum_of(link);
        not_unitary = larger_or_nan(not_unitary, long_apart(long_product(long_dagger(unitary), unitary), long_unit()));
        if (special) {
            not_special = larger_or_nan(not_special, (double)cabsl(long_determinant(unitary) - 1));
            unitary = long_scaled(long_cube_root(long_phase(long_determinant(vl))), unitary);
        }
        if (!special || sigma[2] > 0.01) {                             /* the phase of det V is not lost */
            long_matrix root = long_product(long_dagger(unitary), vl);
            double *worst = &not_hermitian[link % SPECTRA >= SMOOTH];
            *worst = larger_or_nan(*worst, long_apart(root, long_dagger(root)));
            long double trace = creall(root.e[0][0] + root.e[1][1] + root.e[2][2]);
            not_nearest = larger_or_nan(not_nearest, fabs((double)trace - sigma[0] - sigma[1] - sigma[2]));
        }
    }
    fact_close(not_unitary, 0, wide ? 3e-15 : 2e-6, "%s: W is unitary", name);
    fact_close(not_hermitian[0], 0, wide ? 2e-15 : 2e-6, "%s: W^+V is hermitian (of SU(3), but for a phase)", name);
    fact_close(not_hermitian[1], 0, wide ? 2e-11 : 5e-6, "%s: also of links that are nearly singular", name);
    fact_close(not_nearest, 0, wide ? 5e-15 : 2e-6, "%s: its trace is the sum of singular values", name);
    if (special)
        fact_close(not_special, 0, wide ? 5e-15 : 3e-6, "%s: det W = 1", name);
    if (wide)
        for (int s = SMOOTH; s < SPECTRA; s++)
            counts.svd_links -= spectra[s][0] * spectra[s][1] * spectra[s][2] < 1e-4 ? links_with(s) : 0;
    if (wide)
        fact_close(counts.svd_links, 0, 0, "%s: W by singular values where |det V|^2 < 1e-8, and there alone", name);
    fact(counts.largest_inverse > (wide ? 1e24 : 1e14), "%s: the smallest eigenvalue is that of a singular link", name);
    memory_free(w);
    gauge_free(projected);
    gauge_free(v);
}

/* 2 Re Tr f(V + s dV) h^+ with f(V) = V (V^+V + delta)^(-1/2), in long double; SU(3): with the phase of det W out,
 * followed from its value at s = 0. */
static long double moved(long_matrix v, long_matrix dv, long double s, long double delta, bool special, long_matrix h)
{
    long_matrix w = long_projected(long_sum(v, s, dv), delta);
    if (special) {
        long double complex start = long_phase(long_determinant(v));
        long double complex turned = long_phase(long_determinant(w)) / start;
        w = long_scaled(1 / (long_cube_root(start) * long_cube_root(turned)), w);
    }
    return 2 * long_scalar_product(w, h);
}

static long double slope(long_matrix v, long_matrix dv, long double delta, bool special, long_matrix h, long double s)
{
    long double d[3];
    for (int n = 0; n < 3; n++, s /= 2)
        d[n] = (moved(v, dv, s, delta, special, h) - moved(v, dv, -s, delta, special, h)) / (2 * s);
    long double once = (4 * d[1] - d[0]) / 3, twice = (4 * d[2] - d[1]) / 3;
    return (16 * twice - once) / 15;
}

/* h of V gives the derivative along any dV; `spectra_used` from the top of the table. */
static void derivative(const projection_task *t, double filter, int spectra_used)
{
    lattice *l = t->l;
    const double *links = t->links;
    const place where = t->where;
    const precision p = t->p;
    const bool wide = p == PRECISION_DOUBLE, special = t->special;
    double *hw = any_links(l, 2), *dv = any_links(l, 3), *got, worst = 0;
    gauge *v = links_on(l, where, p, links), *in = links_on(l, where, p, hw), *out = gauge_create(l, where, p);
    derivative_counts counts = differentiate(out, v, in, filter, special);
    got = links_of(out);
    for (int link = 0; link < LINKS; link++) {
        double smallest = spectrum_of(link)[2] * spectrum_of(link)[2];
        if (link % SPECTRA >= spectra_used)
            continue;
        long_matrix a = long_from(links + 18 * link), da = long_from(dv + 18 * link), h = long_from(got + 18 * link);
        long double delta = smallest < filter ? (long double)filter : 0;
        long double step = 0.02L * sqrtl((long double)smallest + delta);
        long double want = slope(a, da, delta, special, long_from(hw + 18 * link), step);
        long double size = 2 * sqrtl(long_scalar_product(h, h) * long_scalar_product(da, da));
        worst = larger_or_nan(worst, (double)(fabsl(2 * long_scalar_product(da, h) - want) / size));
    }
    const char *which = filter == 0 ? "W" : "V (V^+V + filter)^(-1/2) where an eigenvalue is below the filter";
    fact_close(worst, 0, wide ? 2e-10 : 5e-6, "%s, %s, %s: the derivative of %s, relative",
               place_name(where), wide ? "double" : "single", projection_names[special], which);
    if (wide) {
        double want[6] = { 0 }, first = 0;
        const double edge[6] = { 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, filter };
        for (int bin = 0; bin < 6; bin++)
            for (int s = 0; s < SPECTRA; s++)
                want[bin] += spectra[s][2] * spectra[s][2] < edge[bin] ? links_with(s) : 0;
        for (int s = 0; s < SPECTRA && first == 0; s++)
            first = spectra[s][2] * spectra[s][2] < filter ? LINKS / 4 - s / 4 : 0;
        fact(memcmp(want, &counts, sizeof want) == 0,
             "%s: links with small eigenvalues are counted, and those filtered", place_name(where));
        fact_close(counts.from_the_end, first, 0, "%s: the first filtered link is found", place_name(where));
    }
    gauge_free(out);
    gauge_free(in);
    gauge_free(v);
    memory_free(got);
    memory_free(dv);
    memory_free(hw);
}

/* W and h of V on the CPU and elsewhere. */
static void same_everywhere(const projection_task *t)
{
    lattice *l = t->l;
    const double *links = t->links;
    const place where = t->where;
    const precision p = t->p;
    const bool special = t->special;
    double *result[2][2], *hw = any_links(l, 2);
    const place places[2] = { PLACE_CPU, where };
    for (int i = 0; i < 2; i++) {
        gauge *v = links_on(l, places[i], p, links), *in = links_on(l, places[i], p, hw);
        gauge *out = gauge_create(l, places[i], p);
        project(out, v, special);
        result[i][0] = links_of(out);
        differentiate(out, v, in, FILTER, special);
        result[i][1] = links_of(out);
        gauge_free(out);
        gauge_free(in);
        gauge_free(v);
    }
    for (int k = 0; k < 2; k++)
        fact(memcmp(result[0][k], result[1][k], link_numbers(l) * sizeof(double)) == 0,
             "%s, %s, %s: %s has the bits that it has on the CPU", place_name(where),
             p == PRECISION_DOUBLE ? "double" : "single", projection_names[special], k ? "its derivative" : "W");
    for (int k = 0; k < 4; k++)
        memory_free(result[k / 2][k % 2]);
    memory_free(hw);
}

static double *reference(const char *name, int dimensions, const size_t *shape)
{
    char path[1024];
    failure why;
    snprintf(path, sizeof path, "%s/reference/milc/%s.npy", reference_folder(), name);
    double *a = npy_read(path, dimensions, shape, &why);
    require(a != NULL, "%s", why.why);
    return a;
}

/* MILC's 64 single matrices: [case][V, W, G, G_V], h = G^+.  MILC's W has lost digits where V is nearly singular, its
 * derivative where two singular values are small. */
static void milc_matrices(place where)
{
    enum { CASES = 64 };
    lattice *l = lattice_create_single((const int[]){ 2, 2, 2, 2 });
    double *cases = reference("u3/cases", 5, (const size_t[]){ CASES, 4, 3, 3, 2 });
    double *flags = reference("u3/flags", 2, (const size_t[]){ CASES, 2 }), part[2][CASES * 18];
    double svd_links = 0, filtered = 0, w_apart[2] = { 0 }, h_apart[2] = { 0 };
    for (int c = 0; c < CASES; c++) {
        memcpy(part[0] + 18 * c, cases + 72 * c, sizeof(double[18]));
        long_to(part[1] + 18 * c, long_dagger(long_from(cases + 72 * c + 36)));
        svd_links += flags[2 * c];
        filtered += flags[2 * c + 1];
    }
    gauge *v = links_on(l, where, PRECISION_DOUBLE, part[0]), *h = links_on(l, where, PRECISION_DOUBLE, part[1]);
    gauge *out = gauge_create(l, where, PRECISION_DOUBLE);
    projection_counts counts = project(out, v, false);
    double *w = links_of(out);
    derivative_counts derived = differentiate(out, v, h, FILTER, false);
    double *hv = links_of(out);
    for (int c = 0; c < CASES; c++) {
        long_matrix vc = long_from(part[0] + 18 * c), want = long_dagger(long_from(cases + 72 * c + 54));
        double area = 0, volume = (double)cabsl(long_determinant(vc));      /* products of two and three sigma */
        for (int i = 0; i < 9; i++)
            area = larger_or_nan(area, (double)cabsl(long_cofactor(vc, i / 3, i % 3)));
        double *off = &w_apart[volume < 1e-3];
        *off = larger_or_nan(*off, long_apart(long_from(w + 18 * c), long_from(cases + 72 * c + 18)));
        off = &h_apart[area < 0.03];
        *off = larger_or_nan(*off, long_apart(long_from(hv + 18 * c), want) / long_apart(want, long_scaled(0, want)));
    }
    const char *on = place_name(where);
    fact_close(w_apart[0], 0, 1e-12, "%s: W of MILC's matrices", on);
    fact_close(w_apart[1], 0, 5e-9, "%s: W of those that are nearly singular", on);
    fact_close(h_apart[0], 0, 5e-10, "%s: the derivative for MILC's matrices, relative", on);
    fact_close(h_apart[1], 0, 2e-4, "%s: the derivative for those with two small singular values", on);
    fact_close(counts.svd_links, svd_links, 0, "%s: MILC takes singular values for the same matrices", on);
    fact_close(derived.filtered, filtered, 0, "%s: MILC filters the same matrices", on);
    gauge_free(out);
    gauge_free(h);
    gauge_free(v);
    memory_free(hv);
    memory_free(w);
    memory_free(flags);
    memory_free(cases);
    lattice_free(l);
}

typedef struct { const char *folder; int extents[4]; double svd_links, filtered, smallest_eigenvalue; } milc_field;
static const milc_field milc_fields[] = {
    { "f211b670.l6666", { 6, 6, 6, 6 }, 0, 0, 0.0055 },
    { "l4448hot", { 4, 4, 4, 8 }, 5, 20, 0 },
};

/* Phases of V and W are signs: they do not matter. */
static void milc_links(const milc_field *m, place where)
{
    const int *n = m->extents;
    lattice *l = lattice_create_single(n);
    size_t shape[] = { (size_t)n[3], (size_t)n[2], (size_t)n[1], (size_t)n[0], 4, 3, 3, 2 };
    char name[64];
    double *links[2];
    for (int i = 0; i < 2; i++) {
        snprintf(name, sizeof name, "%s/%s", m->folder, i ? "W" : "V");
        links[i] = reference(name, 8, shape);
    }
    gauge *v = links_on(l, where, PRECISION_DOUBLE, links[0]), *w = gauge_create(l, where, PRECISION_DOUBLE);
    gauge *h = gauge_create(l, where, PRECISION_DOUBLE);
    projection_counts counts = project(w, v, false);
    derivative_counts derived = differentiate(h, v, w, FILTER, false);
    double *got = links_of(w), apart = 0;
    for (size_t link = 0; link < link_numbers(l) / 18; link++)
        if (cabsl(long_determinant(long_from(links[0] + 18 * link))) > 1e-3)
            apart = larger_or_nan(apart, long_apart(long_from(got + 18 * link), long_from(links[1] + 18 * link)));
    const char *on = place_name(where);
    fact_close(apart, 0, 1e-12, "%s, MILC's %s: W", on, m->folder);
    fact_close(counts.svd_links, m->svd_links, 0, "%s, MILC's %s: links that take singular values", on, m->folder);
    fact_close(derived.filtered, m->filtered, 0, "%s, MILC's %s: links that are filtered", on, m->folder);
    fact_close(counts.largest_inverse / derived.largest_inverse, 1, 1e-7,
               "%s, MILC's %s: projection and derivative find the same smallest eigenvalue", on, m->folder);
    if (m->smallest_eigenvalue > 0)
        fact_close(1 / counts.largest_inverse, m->smallest_eigenvalue, 5e-5, "%s, MILC's %s: which is MILC's", on,
                   m->folder);
    memory_free(got);
    gauge_free(h);
    gauge_free(w);
    gauge_free(v);
    memory_free(links[1]);
    memory_free(links[0]);
    lattice_free(l);
}

int main(void)
{
    lattice *l = lattice_create_single(extents);
    double *links = known_links(l);
    FOR_EVERY_PLACE(where) {
        for (precision p = PRECISION_SINGLE; p <= PRECISION_DOUBLE; p = (precision)(p + 1)) {
            for (int special = 0; special < 2; special++) {
                const projection_task t = { .l = l, .links = links, .where = where, .p = p, .special = special };
                unitary_part(&t);
                same_everywhere(&t);
                derivative(&t, 0, p == PRECISION_DOUBLE ? ABOVE_A_HUNDREDTH : SMOOTH);
            }
            derivative(&(projection_task){ .l = l, .links = links, .where = where, .p = p }, FILTER, SPECTRA);
        }
        for (int i = 0; reference_folder() && i < 2; i++)
            milc_links(&milc_fields[i], where);
        if (reference_folder())
            milc_matrices(where);
    }
    if (!reference_folder())
        skip("W and its derivative are MILC's", "there is no folder of reference data");
    memory_free(links);
    lattice_free(l);
    return facts_end();
}
