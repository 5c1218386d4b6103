/* test_explicit_zeros.c - a key that was not given is no value: an explicit zero is a value of its key, or a fault that
 * says what is allowed; the parameters of ensembles of earlier versions, where zeros and -4 stood for keys that were
 * not given, are read as those versions meant them. */
#include "src/hmc/run_input.h"
#include "tests/facts.h"

#include <string.h>

enum { PATHS_MAX = 160, PATH_MAX_LENGTH = 96 };

#define HEAD "lattice: [8, 8, 8, 8]\nrandom: { seed: 1 }\nstart: { heatbath: { sweeps: 1 } }\nmonomials:\n"
#define LEVELS(names) \
    "hmc: { trajectories: 1, levels: [ { integrator: leapfrog, steps: 1, monomials: [" names "] } ] }\n"
#define OUTPUT "output: { directory: out }\n"
static const char quarks[] =
    HEAD "- { kind: gauge, name: g, action: rectangle, c1: -0.1, beta: 5 }\n"
    "- { kind: staggered, name: s, determinants: [ { quarks: [ { mass: 0.1, flavors: 2 } ],\n"
    "    hasenbusch: [ { mass: 0.3 } ] } ] }\n"
    "- { kind: domain_wall, name: d, Ls: 4, determinants: [\n"
    "    { flavors: 2, mass: 0.1, hasenbusch: [ { mass: 0.2 } ] }, { flavors: 1, mass: 0.1 } ] }\n"
    "- { kind: wilson, name: w, determinants: [\n"
    "    { flavors: 2, mass: -0.1, hasenbusch: [ { mass: 0.05 } ], heavy: 0.5 }, { flavors: 1, mass: 0.1 } ] }\n"
    LEVELS("g, s, d, w") OUTPUT
    "measurements:\n"
    "- { kind: flow, t_max: 1 }\n"
    "- { kind: condensate, masses: [ { mass: 0.1 } ] }\n"
    "- { kind: domain_wall, Ls: 4, masses: [ { mass: 0.1 } ] }\n"
    "- { kind: wilson, masses: [ { mass: 0.1 } ] }\n"
    "- { kind: wilson_loops }\n"
    "- { kind: polyakov }\n";
static const char one_loop[] =
    HEAD "- { kind: gauge, name: g, action: symanzik_1loop, u0: 0.9, beta: 5 }\n" LEVELS("g") OUTPUT;

/* Where 0 is a value of these inputs, and where a value is 0 that other values exclude. */
static const char *const valid[] = {
    "start.heatbath.beta", "monomials.0.c1", "monomials.3.determinants.0.mass", "monomials.3.determinants.1.mass",
    "monomials.3.determinants.0.hasenbusch.0.mass", "monomials.3.determinants.0.hasenbusch.0.mu",
    "monomials.3.determinants.0.hasenbusch.0.rho", "monomials.3.determinants.0.heavy_mu",
    "monomials.3.determinants.0.heavy_rho",
    "measurements.3.masses.0.mass", "measurements.5.r_max",
};
static const struct { const char *path, *fault; } excluded[] = {
    { "monomials.2.determinants.0.heavy", "masses must ascend" },
    { "monomials.2.determinants.1.heavy", "masses must ascend" },
    { "monomials.3.determinants.0.heavy", "masses must ascend" },
    { "monomials.3.determinants.1.heavy", "masses must ascend" },
    { "monomials.0.c_G", "the lattice is periodic in t" },
    { "monomials.3.c_F", "the lattice is periodic in t" },
    { "measurements.3.c_F", "the lattice is periodic in t" },
    { "monomials.3.c_s", "coefficients of anisotropic lattices are given, but xi_0 is not" },
    { "monomials.3.c_t", "coefficients of anisotropic lattices are given, but xi_0 is not" },
    { "measurements.3.c_s", "coefficients of anisotropic lattices are given, but xi_0 is not" },
    { "measurements.3.c_t", "coefficients of anisotropic lattices are given, but xi_0 is not" },
};

typedef struct { int count; char path[PATHS_MAX][PATH_MAX_LENGTH]; } path_list;

static bool add_optional(const char *key, const param_spec *spec, const void *value, void *out)
{
    path_list *l = out;
    (void)value;
    if (spec->flags & PARAM_OPTIONAL) {
        require(l->count < PATHS_MAX && strlen(key) < PATH_MAX_LENGTH, "more keys than this test expects");
        strcpy(l->path[l->count++], key);
    }
    return true;
}

/* The faults of an input, where `path` (NULL: nothing) is set to 0; release with text_free. */
static text faults_of(run_input *in, const char *yaml, const char *path)
{
    char set[PATH_MAX_LENGTH + 8];
    char *sets[] = { set };
    fault_list faults = { 0 };
    snprintf(set, sizeof set, "%s=0", path ? path : "");
    run_input_read_text(in, yaml, "in.yaml", sets, path ? 1 : 0, &faults);
    text all = { 0 };
    text_add(&all, "%s", text_string(&faults.lines));
    fault_list_free(&faults);
    return all;
}

static bool is_valid(const char *path)
{
    for (size_t i = 0; i < sizeof valid / sizeof *valid; i++)
        if (strcmp(valid[i], path) == 0)
            return true;
    return false;
}

static const char *fault_of(const char *path)
{
    for (size_t i = 0; i < sizeof excluded / sizeof *excluded; i++)
        if (strcmp(excluded[i].path, path) == 0)
            return excluded[i].fault;
    return NULL;
}

typedef struct { const char *path; bool found; } zero_search;

static bool find_zero(const char *key, const param_spec *spec, const void *value, void *out)
{
    zero_search *s = out;
    if (strcmp(key, s->path) == 0)
        s->found = param_is_given(spec, value)
                   && (spec->type == PARAM_INT ? *(const int64_t *)value == 0 : *(const double *)value == 0);
    return true;
}

static void one_zero(const char *yaml, const char *path)
{
    run_input in;
    text faults = faults_of(&in, yaml, path);
    const char *of_others = fault_of(path), *said = text_string(&faults);
    const bool applies = !strstr(said, ": remove it, or change ");
    bool ok;
    if (!applies) {
        ok = true;
    } else if (is_valid(path)) {
        zero_search s = { path, false };
        if (faults.length == 0)
            schema_each(run_param_specs, &in.p, find_zero, &s);
        ok = fact(s.found, "%s: 0 is a value", path);
    } else if (of_others) {
        ok = fact(strstr(said, of_others) != NULL, "%s: 0 is a value, which others exclude", path);
    } else {
        ok = fact(strstr(said, path) && (strstr(said, "; allowed: a number > 0 ") || strstr(said, "; allowed: a number "
                  "from 1e-14 ") || strstr(said, "; allowed: an integer from 1 ")
                  || strstr(said, "; allowed: an integer from 2 ")),
                  "%s: 0 is refused, with what is allowed", path);
    }
    if (!ok)
        note("the faults: %s", said);
    text_free(&faults);
    run_input_free(&in);
}

static void zeros(const char *yaml)
{
    run_input in;
    path_list list = { 0 };
    text faults = faults_of(&in, yaml, NULL);
    if (!fact(faults.length == 0, "the input without zeros is accepted"))
        note("%s", text_string(&faults));
    schema_each(run_param_specs, &in.p, add_optional, &list);
    text_free(&faults);
    run_input_free(&in);
    note("%d optional keys", list.count);
    for (int i = 0; i < list.count; i++)
        one_zero(yaml, list.path[i]);
}

/* ---- files of earlier versions */

#define OWN(indent) indent "residuals: { refresh: 0, action: 0, force: 0 }\n"
#define MODES "  modes: { count: 0, residual: 1e-10, basis: 0, cut: 0, degree: 0 }\n"
static const char former[] =
    "lattice: [8, 8, 8, 8]\nrandom: { seed: 1, stream: 0 }\n"
    "start: { from: hot, heatbath: { sweeps: 0, beta: 0, settle: 0 } }\n"
    "monomials:\n"
    "- kind: staggered\n  name: s\n  largest_eigenvalue: 0\n  determinants:\n"
    "  - quarks: [ { mass: 0.1, flavors: 2 } ]\n" OWN("    ")
    "    hasenbusch:\n    - mass: 0.3\n" OWN("      ")
    "- kind: wilson\n  name: w\n  determinants:\n"
    "  - mass: -4\n    kappa: 0.1\n    mu: 0.2\n    heavy: -4\n    heavy_kappa: 0\n    heavy_mu: 0\n    heavy_rho: 0\n"
    OWN("    ") "    hasenbusch:\n    - mass: 2\n      kappa: 0\n      mu: 0\n      rho: 0\n" OWN("      ")
    "    - mass: -4\n      kappa: 0.05\n      mu: 0\n      rho: 0\n" OWN("      ")
    "- kind: domain_wall\n  name: d\n  Ls: 4\n  determinants:\n"
    "  - flavors: 2\n    mass: 0.1\n    heavy: 0\n" OWN("    ")
    "  - flavors: 1\n    mass: 0.1\n    heavy: 0\n    smallest_eigenvalue: 0\n    largest_eigenvalue: 0\n" OWN("    ")
    "- { kind: gauge, name: t, action: symanzik_1loop, u0: 0.9, flavors: 0, beta: 5 }\n"
    LEVELS("s, w, d, t")
    "heatbath: { sweeps: 0, overrelaxation: 0 }\n"
    "measurements:\n"
    "- kind: flow\n  t_max: 1\n  tolerance: 0\n"
    "- kind: condensate\n  masses: [ { mass: 0.1 } ]\n  strange: 0\n" MODES
    "- kind: wilson\n  masses: [ { mass: -4, kappa: 0.1, mu: 0 }, { mass: 0.3, kappa: 0, mu: 0 } ]\n" MODES
    "- { kind: wilson_loops, r_max: 0, t_max: 0, t_potential: 0 }\n"
    "- { kind: polyakov, r_max: 0 }\n";
static const char plain[] =
    "lattice: [8, 8, 8, 8]\nrandom: { seed: 1 }\nstart: { from: hot }\n"
    "monomials:\n"
    "- { kind: staggered, name: s, determinants: [ { quarks: [ { mass: 0.1, flavors: 2 } ],\n"
    "    hasenbusch: [ { mass: 0.3 } ] } ] }\n"
    "- { kind: wilson, name: w, determinants: [ { kappa: 0.1, mu: 0.2, hasenbusch: [ { mass: 2 },\n"
    "    { kappa: 0.05 } ] } ] }\n"
    "- { kind: domain_wall, name: d, Ls: 4, determinants: [ { flavors: 2, mass: 0.1 }, { flavors: 1, mass: 0.1 } ] }\n"
    "- { kind: gauge, name: t, action: symanzik_1loop, u0: 0.9, beta: 5 }\n"
    LEVELS("s, w, d, t")
    "measurements:\n"
    "- { kind: flow, t_max: 1 }\n"
    "- { kind: condensate, masses: [ { mass: 0.1 } ] }\n"
    "- { kind: wilson, masses: [ { kappa: 0.1 }, { mass: 0.3 } ] }\n"
    "- { kind: wilson_loops }\n"
    "- { kind: polyakov }\n";

/* All parameters, in the form in which streams compare them. */
static text parameters_of(const char *yaml, const char *directory, fault_list *faults)
{
    run_input in;
    text whole = { 0 }, all = { 0 };
    text_add(&whole, "%soutput: { directory: %s }\n", yaml, directory);
    if (run_input_read_text(&in, text_string(&whole), "in.yaml", NULL, 0, faults)) {
        schema_list_fixed(&all, run_param_specs, &in.p);
        schema_echo(&all, run_param_specs, &in.p, false);
    }
    text_free(&whole);
    run_input_free(&in);
    return all;
}

static void earlier_versions(void)
{
    static const char *const of_ensembles[] = { "\".\"", "\"..\"" };
    for (int i = 0; i < 2; i++) {
        fault_list faults = { 0 };
        text old = parameters_of(former, of_ensembles[i], &faults);
        text new = parameters_of(plain, of_ensembles[i], &faults);
        if (!fact(old.length > 0 && strcmp(text_string(&old), text_string(&new)) == 0,
                  "in the folder %s of an ensemble, values of an earlier version mean that a key was not given",
                  of_ensembles[i]))
            note("%s\n%s\nbut\n%s", text_string(&faults.lines), text_string(&old), text_string(&new));
        text_free(&new);
        text_free(&old);
        fault_list_free(&faults);
    }
    fault_list faults = { 0 };
    text old = parameters_of(former, "elsewhere", &faults);
    fact(old.length == 0 && strstr(text_string(&faults.lines), "heatbath.sweeps: "), "in an input they are faults");
    text_free(&old);
    fault_list_free(&faults);
}

/* A file of this version with an explicit zero that an earlier version would have meant otherwise. */
static void present_version(void)
{
    static const char with_zero[] =
        "lattice: [8, 8, 8, 8]\nrandom: { seed: 1 }\n"
        "monomials: [ { kind: wilson, name: s, determinants: [ { mass: 0.1, mu: 0.2, heavy: 0.5, heavy_mu: 0 } ] } ]\n"
        "hmc: { trajectories: 5, levels: [ { integrator: leapfrog, steps: 1, monomials: [s] } ] }\n";
    fault_list faults = { 0 };
    text all = parameters_of(with_zero, ".", &faults);
    fact(strstr(text_string(&all), "determinants.0.heavy_mu: 0\n"), "a zero of this version is a value in its files");
    text_free(&all);
    fault_list_free(&faults);
}

int main(void)
{
    zeros(quarks);
    zeros(one_loop);
    earlier_versions();
    present_version();
    return facts_end();
}
