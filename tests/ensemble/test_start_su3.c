/* test_start_su3.c - a start file of 32 bits that is not reunitarized: refused before the run if the quarks of the
 * action refuse its links, and for no other action. */
#include "src/base/memory.h"
#include "src/ensemble/start_links.h"
#include "src/hmc/start_su3.h"
#include "src/io/configuration.h"
#include "src/lattice/field_slices.h"
#include "src/lattice/rng.h"
#include "tests/facts.h"
#include "tests/hmc/run_system.h"
#include "tests/io/scratch.h"
#include "tests/on_every_backend.h"

#include <string.h>

/* %s: the file, its sweeps, the monomial, its name */
#define INPUT                                                                                               \
    "lattice: [2, 2, 2, 4]\n"                                                                               \
    "random: { seed: 3 }\n"                                                                                 \
    "start: { from: file, file: \"%s\", reunitarize: %s, heatbath: { sweeps: %d } }\n"                      \
    "monomials:\n"                                                                                          \
    "  - { kind: gauge, name: glue, action: wilson, beta: 5 }\n"                                            \
    "  - { kind: %s }\n"                                                                                    \
    "hmc: { trajectories: 1, trajectory_length: 0.1, thermalization: 1,\n"                                  \
    "       levels: [ { integrator: leapfrog, steps: 1, monomials: [glue, term] } ] }\n"                    \
    "output: { directory: unused }\n"

static const char *const terms[] = {
    "staggered, name: term, action: naive, determinants: [ { quarks: [ { mass: 1, flavors: 2 } ] } ]",
    "staggered, name: term, action: hisq, determinants: [ { quarks: [ { mass: 1, flavors: 2 } ] } ]",
    "domain_wall, name: term, Ls: 4, determinants: [ { flavors: 2, mass: 0.5 } ]",
    "wilson, name: term, determinants: [ { mass: 1 } ]",
    "wilson, name: term, stout: { levels: 1, rho: 0.1 }, determinants: [ { mass: 1 } ]",
    "wilson_doublet, name: term, mass: 1, mu_sigma: 0.2, mu_delta: 0.1",
};

/* Random links of 32 bits; with a factor, the first time slice has unit links, and one that is multiplied by it. */
static void write_links(const char *path, double factor)
{
    lattice *l = lattice_create_single((const int[4]){ 2, 2, 2, 4 });
    gauge *u = gauge_create(l, PLACE_CPU, PRECISION_DOUBLE), *unit = gauge_create(l, PLACE_CPU, PRECISION_DOUBLE);
    double *slice = slice_alloc(field_slice_reals(&u->links));
    failure why;
    gauge_set_random(u, rng_key_for(3, 0, 0, RNG_START_LINKS));
    gauge_set_unit(unit);
    field_get_slice(slice, &unit->links, 0);
    for (int i = 0; i < LINKS_MATRIX_REALS; i++)
        slice[5 * LINKS_MATRIX_REALS + i] *= factor;
    if (factor != 0)
        field_set_slice(&u->links, 0, slice);
    require(configuration_save(u, path, &(configuration_label){ .bits = 32 }, NULL, &why), "%s", why.why);
    memory_free(slice);
    gauge_free(unit);
    gauge_free(u);
    lattice_free(l);
}

/* What a check of the input and the start of a run say of a file. */
typedef struct { bool checked, readable, started; failure check, start; } answers;

static answers answers_of(const run_system *x)
{
    answers a = { .check = { .why = "" }, .start = { .why = "" } };
    text origin = { 0 };
    a.checked = start_su3_check_file(&x->in->p, &a.readable, &a.check);
    a.started = start_links_make(x->u, &x->in->p, NULL, &origin, &a.start);
    text_free(&origin);
    return a;
}

/* Whether the monomial itself can begin a trajectory on the links of the file. */
static bool begins(const run_system *x, const char *path)
{
    configuration_facts facts;
    failure why;
    monomial_call call = { .clock = NULL };
    monomial *m = hmc_terms(x->h)[1].m;
    require(configuration_load(x->u, LINKS_AS_STORED, &facts, path, &why), "%s", why.why);
    return monomial_prepare(m, x->u, 1, &call)
           && monomial_refresh(m, x->u, rng_key_for(3, 0, 1, RNG_PSEUDOFERMION), &call);
}

static void one_term(const char *term, const char *rounded, const char *later)
{
    run_system x = run_system_create(PLACE_CPU, PRECISION_DOUBLE, INPUT, rounded, "false", 0, term);
    const bool serves = begins(&x, rounded);
    const answers of_rounded = answers_of(&x);
    run_system_free(&x);
    fact(of_rounded.checked == serves && of_rounded.started == serves, "%s: check and run %s links of 32 bits, as the "
         "first trajectory does", term, serves ? "accept" : "refuse");
    fact(serves || (of_rounded.readable && strstr(of_rounded.check.why, rounded)
                    && strstr(of_rounded.check.why, "\"term\"")
                    && strstr(of_rounded.start.why, "start.reunitarize: true")),
         "%s: the refusal names file, monomial and key", term);

    x = run_system_create(PLACE_CPU, PRECISION_DOUBLE, INPUT, later, "false", 0, term);
    const answers of_later = answers_of(&x);
    run_system_free(&x);
    fact(of_later.checked && of_later.started == serves, "%s: a file with exact links in its first time slice alone %s "
         "at the start", term, serves ? "is accepted" : "is refused");

    x = run_system_create(PLACE_CPU, PRECISION_DOUBLE, INPUT, rounded, "true", 0, term);
    const answers projected = answers_of(&x);
    run_system_free(&x);
    x = run_system_create(PLACE_CPU, PRECISION_DOUBLE, INPUT, rounded, "false", 1, term);
    const answers swept = answers_of(&x);
    run_system_free(&x);
    fact(projected.checked && projected.started && swept.checked && swept.started, "%s: links that are reunitarized, "
         "by the key or after start sweeps, are accepted", term);
}

/* What a check says of a file with links that no key makes usable, or of none. */
static void one_damage(const char *path, const char *what)
{
    failure why = { .why = "" };
    bool readable = true;
    run_system x = run_system_create(PLACE_CPU, PRECISION_DOUBLE, INPUT, path, "false", 0, terms[2]);
    fault_list faults = { 0 };
    const bool checked = start_su3_check_file(&x.in->p, &readable, &why), right = run_start_check(x.in, &faults);
    fact(!checked && !readable && strstr(why.why, path) && strstr(why.why, what) && !strstr(why.why, "reunitarize"),
         "start.file is at fault: %s", what);
    fact(!right && strstr(text_string(&faults.lines), "start: file: ") && strstr(text_string(&faults.lines), what),
         "and the fault is at this key");
    fault_list_free(&faults);
    run_system_free(&x);
}

int main(void)
{
    scratch rounded = scratch_create(), later = scratch_create(), damaged = scratch_create();
    char rounded_path[600], later_path[600];
    snprintf(rounded_path, sizeof rounded_path, "%s", scratch_path(&rounded, "rounded.lime"));
    snprintf(later_path, sizeof later_path, "%s", scratch_path(&later, "later.lime"));
    write_links(rounded_path, 0);
    write_links(later_path, 1);
    one_damage(scratch_path(&damaged, "damaged.lime"), "No such file");
    write_links(damaged.path, 1.5);
    one_damage(damaged.path, "link in direction y at site (1, 0, 0, 0) is off SU(3)");
    for (size_t i = 0; i < sizeof terms / sizeof *terms; i++)
        one_term(terms[i], rounded_path, later_path);
    scratch_remove(&rounded);
    scratch_remove(&later);
    scratch_remove(&damaged);
    return facts_end();
}
