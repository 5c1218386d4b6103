/* test_condensate.c - traces of staggered quarks: MILC's numbers, exact ones of free quarks and of a spectrum. */
#include "src/base/memory.h"
#include "src/lattice/rng.h"
#include "src/measure/quark_trace.h"
#include "tests/facts.h"
#include "tests/hmc/run_text.h"
#include "tests/io/npy_array.h"
#include "tests/on_every_backend.h"
#include "tests/operators/milc_quarks.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const stop_rule fine = { 1e-11, 10000 };

static staggered_terms terms_of(const staggered_links *s)
{
    return (staggered_terms){ staggered_fat(s, 0), staggered_naik(s), staggered_naik_coefficient(s, 0) };
}

/* MILC's condensate (obs.json) with its source src_lcg: re even, re odd, im of both. */
static const struct { double mass, even, odd, im; } milc[] = {
    { 0.01, 0.05878880179356938, -0.002168440555985144, -0.01596804573676 },
    { 0.05, 0.0980907154992517, 0.05266619137198153, -0.01080073603281 },
    { 0.5, 0.24917439383919293, 0.23570667325835404, -0.00596746484169 },
};

/* MILC's solution of (2m + D) x = src_lcg on both parities. */
static void milc_quark(place where, lattice *l, quark_tracer *t, const quark_trace_task *all)
{
    const double mass = 0.05;
    quark_trace_task task = *all;
    double residual = 0;
    int64_t iterations = 0;
    failure f;
    vec *want[2] = { milc_vector(l, ON_EVEN, where, PRECISION_DOUBLE, "Minv_lcg_m0.05"),
                     milc_vector(l, ON_ODD, where, PRECISION_DOUBLE, "Minv_lcg_m0.05") };
    vec *even = vec_create_native(want[0], PRECISION_DOUBLE), *odd = vec_create_native(want[1], PRECISION_DOUBLE);
    task.mass = &mass;
    task.count = 1;
    fact(quark_tracer_quarks((vec *const *[2]){ &even, &odd }, &residual, t, &task, &iterations, &f)
             && residual > 0 && residual <= fine.tolerance, "%s: residual of a quark", place_name(where));
    const double size = vec_norm2(even) + vec_norm2(odd);
    vec_axpy(even, -1, want[0]);
    vec_axpy(odd, -1, want[1]);
    fact_close(sqrt((vec_norm2(even) + vec_norm2(odd)) / size), 0, 1e-9, "%s: MILC's quark, both parities",
               place_name(where));
    vec_free(even);
    vec_free(odd);
    vec_free(want[0]);
    vec_free(want[1]);
}

static void milc_numbers(place where)
{
    lattice *l = lattice_create_single(milc_extents);
    milc_links m = milc_links_create(l, where, PRECISION_DOUBLE);
    vec *eta[2] = { milc_vector(l, ON_EVEN, where, PRECISION_DOUBLE, "src_lcg"),
                    milc_vector(l, ON_ODD, where, PRECISION_DOUBLE, "src_lcg") };
    quark_tracer *t = quark_tracer_create(l, where, PRECISION_DOUBLE, 3);
    quark_trace traces[3];
    double mass[3];
    int64_t iterations = 0;
    failure f;
    for (int k = 0; k < 3; k++)
        mass[k] = milc[k].mass;
    const quark_trace_task task = { .links = milc_terms(&m, 0), .eta = eta, .mass = mass, .count = 3, .stop = fine };
    fact(quark_tracer_run(traces, t, &task, &iterations, &f), "%s: solves converge", place_name(where));
    for (int k = 0; k < 3; k++) {
        fact_close(traces[k].parity[0].re, milc[k].even, 3e-10, "m %g: MILC's pbp on even sites", mass[k]);
        fact_close(traces[k].parity[1].re, milc[k].odd, 3e-10, "m %g: on odd sites", mass[k]);
        fact_close(traces[k].parity[0].im, milc[k].im, 3e-10, "m %g: imaginary part, even", mass[k]);
        fact_close(traces[k].parity[1].im, milc[k].im, 3e-10, "m %g: imaginary part, odd", mass[k]);
        quark_trace alone;
        quark_trace_task single = task;
        single.mass = &mass[k];
        single.count = 1;
        quark_tracer_run(&alone, t, &single, &iterations, &f);
        fact_close(alone.parity[0].re, traces[k].parity[0].re, 1e-10, "m %g: alone as with the others", mass[k]);
    }
    milc_quark(where, l, t, &task);
    quark_tracer_free(t);
    vec_free(eta[0]);
    vec_free(eta[1]);
    milc_links_free(&m);
    lattice_free(l);
}

/* Free naive quarks, antiperiodic in t: (1/V) sum over p of 2m / (4 m^2 + 4 sum sin^2 p_mu). */
static double free_trace(const int n[4], double mass)
{
    double sum = 0, volume = (double)n[0] * n[1] * n[2] * n[3];
    int k[4];
    for (k[0] = 0; k[0] < n[0]; k[0]++)
        for (k[1] = 0; k[1] < n[1]; k[1]++)
            for (k[2] = 0; k[2] < n[2]; k[2]++)
                for (k[3] = 0; k[3] < n[3]; k[3]++) {
                    double sines = 0;
                    for (int mu = 0; mu < 4; mu++)
                        sines += pow(sin(2 * M_PI * (k[mu] + (mu == 3 ? 0.5 : 0)) / n[mu]), 2);
                    sum += 2 * mass / (4 * mass * mass + 4 * sines);
                }
    return sum / volume;
}

/* 1 in one component of the site with these coordinates. */
static vec *point(lattice *l, place where, parity_set on, const int x[4], int color)
{
    const int *n = lattice_global(l);
    double *numbers = memory_alloc((size_t)lattice_volume(l) * VEC_REALS * sizeof *numbers, "a point source");
    numbers[(((x[3] * n[2] + x[2]) * n[1] + x[1]) * n[0] + x[0]) * VEC_REALS + 2 * color] = 1;
    vec *v = vec_create(l, on, where, PRECISION_DOUBLE);
    vec_import(v, numbers);
    memory_free(numbers);
    return v;
}

/* Without gauge field M^-1 is diagonal in color and the same at every site. */
static void free_quarks(place where)
{
    const int extents[4] = { 4, 4, 6, 8 };
    const double masses[2] = { 0.02, 0.3 };
    lattice *l = lattice_create_single(extents);
    double per_site = 2 / (double)lattice_volume(l);
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
    gauge_set_unit(u);
    staggered_links_params p = { .kind = STAGGERED_NAIVE, .u0 = 1, .boundary = 1, .epsilons = 1 };
    staggered_links *links = staggered_links_create(&p, u);
    staggered_links_update(links, u);
    vec *eta[2] = { point(l, where, ON_EVEN, (int[]){ 1, 2, 3, 4 }, 0),
                    point(l, where, ON_ODD, (int[]){ 1, 2, 3, 5 }, 1) };
    quark_tracer *t = quark_tracer_create(l, where, PRECISION_DOUBLE, 2);
    quark_trace traces[2];
    int64_t iterations = 0;
    failure f;
    quark_trace_task task = { .links = terms_of(links), .eta = eta, .mass = masses, .count = 2, .stop = fine };
    fact(quark_tracer_run(traces, t, &task, &iterations, &f) && iterations > 0, "%s: free quarks", place_name(where));
    for (int k = 0; k < 2; k++)
        for (int parity = 0; parity < 2; parity++)
            fact_close(traces[k].parity[parity].re / per_site, free_trace(extents, masses[k]), 1e-9,
                       "M^-1 at a site, m %g, %s", masses[k], parity ? "odd" : "even");
    task.stop = (stop_rule){ 1e-11, 3 };
    fact(!quark_tracer_run(traces, t, &task, &iterations, &f) && strstr(f.why, "residual"),
         "three iterations do not do: %s", f.why);
    quark_tracer_free(t);
    vec_free(eta[0]);
    vec_free(eta[1]);
    staggered_links_free(links);
    gauge_free(u);
    lattice_free(l);
}

/* A run with one measurement, as a user writes it. */
static void read_run(run_input *in, const int n[4], const char *keys)
{
    run_from_text(in,
                  "lattice: [%d, %d, %d, %d]\nrandom: { seed: 7 }\n"
                  "monomials: [ { kind: gauge, action: wilson, beta: 6 } ]\n"
                  "hmc: { trajectories: 1, levels: [ { integrator: leapfrog, steps: 1, monomials: [gauge] } ] }\n"
                  "output: { directory: nowhere }\nmeasurements: [ { kind: condensate, name: light, %s } ]\n",
                  n[0], n[1], n[2], n[3], keys);
}

/* The record's object of it, after trajectory `number`; NULL members where there are none. */
static yaml_node *measure(const gauge *u, const run_input *in, int64_t number)
{
    json j = { 0 };
    clock_tree clock = { 0 };
    measurements *m = measurements_create(run_measurements(&in->p), u);
    json_open(&j, NULL, '{');
    measurements_run(m, true, u, &(measurement_point){ 7, 0, number }, &j, &clock);
    json_close(&j);
    yaml_node *tree = yaml_read_string(json_string(&j), "a result", NULL);
    json_free(&j);
    measurements_free(m);
    return tree;
}

static const char *member_text(const yaml_node *tree, const char *key)
{
    const yaml_node *light = yaml_get(tree, "light"), *found = yaml_get(light, key);
    return found ? found->scalar : "";
}

static double of_mass(const yaml_node *tree, int index, const char *key)
{
    const yaml_node *masses = yaml_get(yaml_get(tree, "light"), "masses");
    const yaml_node *found = masses && index < masses->count ? yaml_get(masses->item[index], key) : NULL;
    return found ? strtod(found->scalar, NULL) : NAN;
}

static void free_condensate(place where)
{
    const int extents[4] = { 4, 4, 4, 8 };
    lattice *l = lattice_create_single(extents);
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
    run_input in;
    gauge_set_unit(u);
    read_run(&in, extents, "action: naive, sources: 20, masses: [ { mass: 0.1 }, { mass: 0.5 } ]");
    yaml_node *tree = measure(u, &in, 3), *again = measure(u, &in, 3), *other = measure(u, &in, 4);
    for (int m = 0; m < 2; m++) {
        double pbp = of_mass(tree, m, "pbp"), error = of_mass(tree, m, "pbp_error");
        fact(fabs(pbp - 3 * free_trace(extents, of_mass(tree, m, "mass"))) < 3 * error && error < 0.1 * pbp,
             "%s: free quarks, m %g: the mean over sources is Tr M^-1 / V within its error (%g +- %g)",
             place_name(where), of_mass(tree, m, "mass"), pbp, error);
        fact_close(of_mass(tree, m, "condensate"), pbp / 2, 1e-16, "one taste of m + D/2: half of it");
        fact_close((of_mass(tree, m, "pbp_even") + of_mass(tree, m, "pbp_odd")) / 2, pbp, 1e-14, "mean of parities");
        fact(of_mass(again, m, "pbp") == pbp, "the same trajectory has the same sources");
        fact(of_mass(other, m, "pbp") != pbp, "another has others");
    }
    fact(strcmp(member_text(tree, "converged"), "true") == 0 && strcmp(member_text(tree, "kind"), "condensate") == 0,
         "it says so");
    yaml_tree_free(tree);
    yaml_tree_free(again);
    yaml_tree_free(other);
    run_input_free(&in);

    read_run(&in, extents, "action: naive, max_iterations: 2, masses: [ { mass: 0.1 } ]");
    tree = measure(u, &in, 3);
    fact(strcmp(member_text(tree, "converged"), "false") == 0 && *member_text(tree, "why")
         && isnan(of_mass(tree, 0, "pbp")),
         "without convergence there is a reason and no value");
    yaml_tree_free(tree);
    run_input_free(&in);
    gauge_free(u);
    lattice_free(l);
}

/* MILC's 6^4 configuration with the links that Kiln makes, and the exact trace from all eigenvalues (spectrum.json). */
static const struct { double mass, pbp; } spectrum[] = {
    { 0.05, 0.11391262156866107 }, { 0.1, 0.15935698700812206 }, { 0.5, 0.37422762335370796 },
};

static void exact_spectrum(place where)
{
    lattice *l = lattice_create_single(milc_extents);
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
    char path[1024];
    failure f;
    run_input in;
    snprintf(path, sizeof path, "%s/reference/milc/f211b670.l6666/U.npy", reference_folder());
    double *links = npy_read(path, 8, (const size_t[]){ 6, 6, 6, 6, 4, 3, 3, 2 }, &f);
    require(links != NULL, "%s", f.why);
    gauge_import(u, links);
    memory_free(links);
    read_run(&in, milc_extents, "sources: 12, masses: [ { mass: 0.05 }, { mass: 0.1 }, { mass: 0.5 } ]");
    yaml_node *tree = measure(u, &in, 1);
    for (int m = 0; m < 3; m++) {
        double pbp = of_mass(tree, m, "pbp"), error = of_mass(tree, m, "pbp_error");
        fact(fabs(pbp - spectrum[m].pbp) < 3 * error && error < 0.1 * pbp,
             "%s: HISQ, m %g: the trace of the exact spectrum within the error (%g +- %g, exact %g)",
             place_name(where), spectrum[m].mass, pbp, error, spectrum[m].pbp);
    }
    yaml_tree_free(tree);
    run_input_free(&in);
    gauge_free(u);
    lattice_free(l);
}

/* On random links: what the CPU says to the last bit, and each mass what it says alone. */
static void several_epsilons(place where)
{
    const int extents[4] = { 4, 4, 4, 4 };
    lattice *l = lattice_create_single(extents);
    gauge *u = gauge_create(l, PLACE_CPU, PRECISION_DOUBLE), *v = gauge_create(l, where, PRECISION_DOUBLE);
    run_input in;
    gauge_set_random(u, rng_key_for(3, 0, 0, RNG_TEST));
    gauge_copy(v, u);
    read_run(&in, extents, "sources: 2, masses: [ { mass: 0.1 }, { mass: 0.6, naik_epsilon: auto }, { mass: 0.2 } ]");
    yaml_node *a = measure(u, &in, 1), *b = measure(v, &in, 1);
    fact(of_mass(a, 1, "naik_epsilon") == naik_epsilon_of_mass(0.6) && of_mass(a, 2, "naik_epsilon") == 0,
         "epsilon auto is the series in the mass");
    for (int m = 0; m < 3; m++)
        fact(of_mass(a, m, "pbp") == of_mass(b, m, "pbp") && of_mass(a, m, "pbp_even") == of_mass(b, m, "pbp_even"),
             "%s: m %g has the bits of the CPU", place_name(where), of_mass(a, m, "mass"));
    run_input_free(&in);
    read_run(&in, extents, "sources: 2, masses: [ { mass: 0.6, naik_epsilon: auto } ]");
    yaml_node *alone = measure(u, &in, 1);
    fact_close(of_mass(alone, 0, "pbp"), of_mass(a, 1, "pbp"), 1e-6, "each mass has the links of its epsilon");
    yaml_tree_free(a);
    yaml_tree_free(b);
    yaml_tree_free(alone);
    run_input_free(&in);
    gauge_free(u);
    gauge_free(v);
    lattice_free(l);
}

/* `sources` more sources leave the others as they are: their largest residual cannot fall. */
static void largest_residual(place where)
{
    enum { MOST = 8 };
    const int extents[4] = { 4, 4, 4, 4 };
    lattice *l = lattice_create_single(extents);
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
    double before[2] = { 0, 0 };
    int fell = 0, rose = 0;
    gauge_set_random(u, rng_key_for(3, 0, 0, RNG_TEST));
    for (int sources = 1; sources <= MOST; sources++) {
        char keys[160];
        run_input in;
        snprintf(keys, sizeof keys, "action: naive, sources: %d, masses: [ { mass: 0.1 }, { mass: 0.3 } ]", sources);
        read_run(&in, extents, keys);
        yaml_node *tree = measure(u, &in, 1);
        for (int m = 0; m < 2; m++) {
            const double now = of_mass(tree, m, "residual");
            fell += !(now >= before[m]);
            rose += now > before[m];
            before[m] = now;
        }
        yaml_tree_free(tree);
        run_input_free(&in);
    }
    fact(fell == 0 && rose < 2 * MOST, "%s: the residual of a mass is the largest of its sources (%d, %d)",
         place_name(where), fell, rose);
    gauge_free(u);
    lattice_free(l);
}

int main(void)
{
    const char *why_not = milc_why_not();
    FOR_EVERY_PLACE(where) {
        free_quarks(where);
        free_condensate(where);
        several_epsilons(where);
        largest_residual(where);
        if (!why_not) {
            milc_numbers(where);
            exact_spectrum(where);
        }
    }
    if (why_not)
        skip("condensates of MILC", why_not);
    return facts_end();
}
