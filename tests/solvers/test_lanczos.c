/* test_lanczos.c - the ends of the spectrum: bounds, against all eigenvalues. */
#include "src/base/memory.h"
#include "src/lattice/rng.h"
#include "tests/facts.h"
#include "tests/io/npy_array.h"
#include "tests/on_every_backend.h"
#include "tests/operators/dense_operator.h"
#include "tests/operators/milc_quarks.h"
#include "tests/solvers/small_system.h"

#include <math.h>
#include <stdio.h>

enum { MILC_SITES = 6 * 6 * 6 * 6 / 2 };

/* The smallest and the largest eigenvalue of K on MILC's configuration. */
static void milc_spectrum(double *smallest, double *largest)
{
    char path[1024];
    failure why;
    const size_t count = 3 * MILC_SITES;
    snprintf(path, sizeof path, "%s/reference/milc/f211b670.l6666/spectrum_K_even_eps0.npy", reference_folder());
    double *all = npy_read(path, 1, &count, &why);
    require(all != NULL, "%s", why.why);
    *smallest = *largest = all[0];
    for (size_t i = 0; i < count; i++) {
        *smallest = fmin(*smallest, all[i]);
        *largest = fmax(*largest, all[i]);
    }
    memory_free(all);
}

static void against_milc(place where, precision p)
{
    const char *name = place_name(where), *digits = p == PRECISION_DOUBLE ? "double" : "single";
    double smallest, largest;
    milc_spectrum(&smallest, &largest);
    lattice *l = lattice_create_single(milc_extents);
    milc_links m = milc_links_create(l, where, p);
    vec *start = vec_create(l, ON_EVEN, where, p), *between = vec_create(l, ON_ODD, where, p);
    cg_space *w = cg_space_create(l, ON_EVEN, where, p);
    staggered_normal_op k = staggered_normal_operator_with(milc_terms(&m, 0), between);
    for (unsigned seed = 1; seed <= 5; seed++)
        for (int steps = 10; steps <= 60; steps += 25) {
            vec_set_gaussian(start, rng_key_for(seed, 0, 0, RNG_TEST), 0);
            spectrum_estimate e = lanczos_spectrum(&k.base, start, steps, w);
            fact(e.largest >= largest * (p == PRECISION_DOUBLE ? 1 : 1 - 1e-6) && e.largest <= 1.2 * largest,
                 "%s, %s: %d steps bound the largest eigenvalue (%.10g) by %.10g", name, digits, steps, largest,
                 e.largest);
            fact(e.smallest >= smallest * (p == PRECISION_DOUBLE ? 1 : 0.99), "%s, %s: and the smallest (%g) by %g",
                 name, digits, smallest, e.smallest);
            fact(e.steps == steps, "%s, %s: in all the steps", name, digits);
        }
    cg_space_free(w);
    vec_free(between);
    vec_free(start);
    milc_links_free(&m);
    lattice_free(l);
}

static void against_dense(place where)
{
    const char *name = place_name(where);
    small_system s;
    small_create(&s, (const int[]){ 2, 2, 4, 2 }, where, PRECISION_DOUBLE);
    gsl_matrix_complex *m = dense_operator(&s.k.base, 0, s.b);
    gsl_vector *all = dense_eigenvalues(m);
    double smallest = gsl_vector_min(all), largest = gsl_vector_max(all);
    spectrum_estimate e = lanczos_spectrum(&s.k.base, s.b, (int)all->size + 10, s.w);
    fact_close(e.largest / largest, 1, 1e-12, "%s: as many steps as eigenvalues find the largest", name);
    fact_close(e.smallest / smallest, 1, 1e-9, "%s: and the smallest", name);
    e = lanczos_spectrum(&s.k.base, s.b, 8, s.w);
    fact(e.largest > largest, "%s: a few steps bound it", name);
    fact(e.smallest > smallest, "%s: from above at the lower end", name);
    gsl_vector_free(all);
    gsl_matrix_complex_free(m);
    small_free(&s);
}

/* On unit links without phases every difference of a constant vanishes: a space of one vector, of K = 0. */
static void invariant_start(place where)
{
    small_system s;
    small_create(&s, (const int[]){ 2, 4, 2, 2 }, where, PRECISION_DOUBLE);
    double *ones = memory_alloc((size_t)lattice_volume(s.l) * VEC_REALS * sizeof *ones, "a constant");
    for (int64_t i = 0; i < lattice_volume(s.l) * VEC_REALS; i++)
        ones[i] = 1;
    vec_import(s.x, ones);
    gauge_set_unit(s.fat);
    gauge_set_unit(s.naik);
    spectrum_estimate e = lanczos_spectrum(&s.k.base, s.x, 10, s.w);
    fact(e.steps == 1 && e.largest == 0 && e.smallest == 0, "%s: an eigenvector is all there is after one step",
         place_name(where));
    memory_free(ones);
    small_free(&s);
}

static void mishaps(place where)
{
    small_system s;
    small_create(&s, (const int[]){ 2, 4, 2, 2 }, where, PRECISION_DOUBLE);
    spectrum_estimate e = lanczos_spectrum(&s.k.base, s.x, 10, s.w);
    fact(isnan(e.largest) && e.steps == 0, "%s: nothing is known from a start vector of zero", place_name(where));
    vec_combine(s.x, NAN, s.b, NULL, NULL, 0);
    e = lanczos_spectrum(&s.k.base, s.x, 10, s.w);
    fact(isnan(e.largest), "%s: nor from one that is not a number", place_name(where));
    small_free(&s);
}

static void same_bits_everywhere(precision p)
{
    spectrum_estimate e[PLACES];
    int places = 0;
    FOR_EVERY_PLACE(where) {
        small_system s;
        small_create(&s, (const int[]){ 4, 6, 2, 4 }, where, p);
        e[where] = lanczos_spectrum(&s.k.base, s.b, 30, s.w);
        spectrum_estimate again = lanczos_spectrum(&s.k.base, s.b, 30, s.w);
        fact(e[where].largest == again.largest, "%s: the same start, the same bound", place_name(where));
        small_free(&s);
        places++;
    }
    if (places == PLACES)
        fact(e[0].largest == e[1].largest && e[0].smallest == e[1].smallest,
             "%s precision: CPU and GPU give the same bits of the bounds", p == PRECISION_DOUBLE ? "double" : "single");
}

int main(void)
{
    FOR_EVERY_PLACE(where) {
        if (!milc_why_not()) {
            against_milc(where, PRECISION_SINGLE);
            against_milc(where, PRECISION_DOUBLE);
        }
        against_dense(where);
        invariant_start(where);
        mishaps(where);
    }
    if (milc_why_not())
        skip("bounds of the spectrum on MILC's configuration", milc_why_not());
    same_bits_everywhere(PRECISION_SINGLE);
    same_bits_everywhere(PRECISION_DOUBLE);
    return facts_end();
}
