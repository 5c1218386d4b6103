/* test_stout_actions.c - quarks of every kind on stout links: the action is that of the smeared links, the force is
 * minus its derivative in the thin links, both turn with the gauge; memory is as planned; inputs that smear nothing are
 * refused. */
#include "actions/doublet_params.h"
#include "actions/dwf_params.h"
#include "actions/staggered_quarks.h"
#include "actions/wilson_params.h"
#include "gpu/device.h"
#include "src/base/memory.h"
#include "src/lattice/place_memory.h"
#include "tests/actions/derivative.h"
#include "tests/actions/monomial_facts.h"
#include "tests/actions/quark_fields.h"
#include "tests/analytic_field.h"
#include "tests/facts.h"
#include "tests/on_every_backend.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define LARGEST_STEP 0.03       /* in units where P has norm sqrt(8) a link */
#define ROUGHNESS 1.0           /* of the links, as in analytic_field.h */

#define TIGHT "residuals: { refresh: 1e-13, action: 1e-13, force: 1e-13 }\n"
#define ERRORS "errors: { refresh: 1e-13, action: 1e-13, force: 1e-13 }"
#define THIN "clover_links: thin\n"
#define STAGGERED TIGHT "errors: { refresh: 1e-14, action: 1e-14, force: 1e-14 }\n"

/* Two texts for one smearing: of an input, and as the operator takes it. */
#define TWO "stout: { levels: 2, rho: 0.11 }\n", { 2, 0.11, false }
#define THREE "stout: { levels: 3, rho: 0.08 }\n", { 3, 0.08, false }
#define SPATIAL "stout: { levels: 2, rho: 0.13, spatial_only: true }\n", { 2, 0.13, true }

static const struct {
    const char *name;
    const monomial_kind *kind;
    const char *stout;
    stout_params smearing;
    const char *yaml;
} actions[] = {
    { "Wilson", &wilson_monomial, TWO,
      TIGHT "determinants: [ { flavors: 2, mass: 0.1, hasenbusch: [ { mass: 0.4 } ] } ]" },
    { "2 + 1 flavors, clover", &wilson_monomial, THREE, TIGHT "c_sw: 1.3\ndeterminants: [ { flavors: 2, mass: 0.1 }, "
      "{ flavors: 1, mass: 0.3, " ERRORS " } ]" },
    { "exponential clover", &wilson_monomial, SPATIAL,
      TIGHT "c_sw: 1.2\nclover: exponential\ndeterminants: [ { flavors: 2, mass: 0.2, heavy: 0.7 } ]" },
    { "clover term of the thin links, 2 + 1 flavors", &wilson_monomial, TWO, TIGHT THIN "c_sw: 1.3\ndeterminants: "
      "[ { flavors: 2, mass: 0.1 }, { flavors: 1, mass: 0.3, " ERRORS " } ]" },
    { "exponential clover term of the thin links", &wilson_monomial, THREE,
      TIGHT THIN "c_sw: 1.2\nclover: exponential\ndeterminants: [ { flavors: 2, mass: 0.2, mu: 0.1, heavy: 0.7 } ]" },
    { "clover term of the thin links, symmetric form", &wilson_monomial, SPATIAL,
      TIGHT THIN "c_sw: 1.2\neven_odd: symmetric\ndeterminants: [ { flavors: 2, mass: 0.2 } ]" },
    { "2 + 1 flavors, Moebius and exact", &dwf_monomial, TWO, TIGHT "action: mobius\nLs: 4\ndeterminants: "
      "[ { flavors: 2, mass: 0.1, hasenbusch: [ { mass: 0.4 } ] }, { flavors: 1, mass: 0.3, method: exact, "
      ERRORS " } ]" },
    { "Shamir by rational functions", &dwf_monomial, SPATIAL,
      TIGHT "Ls: 4\nboundary: 0\ndeterminants: [ { flavors: 1, mass: 0.2, " ERRORS " } ]" },
    { "naive staggered", &staggered_monomial, THREE,
      STAGGERED "action: naive\ndeterminants: [ { quarks: [ { mass: 0.2, flavors: 2 } ] } ]" },
    { "Asqtad", &staggered_monomial, SPATIAL,
      STAGGERED "action: asqtad\nu0: 0.9\ndeterminants: [ { quarks: [ { mass: 0.2, flavors: 2 } ] } ]" },
    { "HISQ with two Naik epsilons", &staggered_monomial, TWO,
      STAGGERED "determinants: [ { quarks: [ { mass: 0.1, flavors: 2 } ], hasenbusch: [ { mass: 0.4 } ] }, "
      "{ quarks: [ { mass: 0.6, flavors: 1 } ], naik_epsilon: auto } ]" },
    { "open, 2 + 1 flavors, clover", &wilson_monomial, TWO, TIGHT "c_sw: 1.3\nc_F: 1.1\ndeterminants: "
      "[ { flavors: 2, mass: 0.1, hasenbusch: [ { mass: 0.4 } ] }, { flavors: 1, mass: 0.3, " ERRORS " } ]" },
    { "open, exponential clover, symmetric form", &wilson_monomial, SPATIAL, TIGHT "c_sw: 1.2\nclover: exponential\n"
      "even_odd: symmetric\ndeterminants: [ { flavors: 2, mass: 0.2, mu: 0.1 } ]" },
    { "open, clover term of the thin links", &wilson_monomial, THREE, TIGHT THIN "c_sw: 1.3\nc_F: 0.9\ndeterminants: "
      "[ { flavors: 2, mass: 0.1 } ]" },
    { "open, doublet", &doublet_monomial, TWO, TIGHT "c_sw: 1.3\nmass: 0.2\nmu_sigma: 0.4\nmu_delta: 0.2\n" ERRORS },
};
enum { ACTIONS = sizeof actions / sizeof actions[0] };

static bool is_open(int which) { return strncmp(actions[which].name, "open", 4) == 0; }

static const char *with_stout(int which)
{
    static char yaml[1024];
    snprintf(yaml, sizeof yaml, "%s%s", actions[which].stout, actions[which].yaml);
    return yaml;
}

/* The fields of `from`, on the same lattice. */
static void copy_fields(monomial *to, monomial *from)
{
    const field *phi;
    for (int n = 0; (phi = monomial_pseudofermion(from, n, NULL)); n++) {
        const size_t reals = (size_t)lattice_volume(phi->lattice) * (size_t)phi->slabs * VEC_REALS;
        double *v = memory_alloc(reals * sizeof *v, "pseudofermions");
        field_export(v, phi);
        field_import(monomial_pseudofermion(to, n, NULL), v);
        memory_free(v);
    }
}

/* The action is not that with all of the operator on the stout links, which has the same input but for one key. */
static void thin_facts(int which, monomial *m, const gauge *u, const char *name)
{
    char yaml[1024];
    snprintf(yaml, sizeof yaml, "%s%s", actions[which].stout, actions[which].yaml);
    char *key = strstr(yaml, THIN);
    memset(key, ' ', strlen(THIN) - 1);
    monomial *smeared = quarks_drawn(actions[which].kind, yaml, u);
    const double thin = action_of(m, u);
    action_of(smeared, u);                 /* that of the fields that were drawn, which is compared with their norm */
    copy_fields(smeared, m);
    const double all = action_of(smeared, u);
    fact(fabs(thin / all - 1) > 1e-6, "%s: the action is not that of an operator on stout links (%.12g, %.12g)", name,
         thin, all);
    monomial_free(smeared);
}

/* With the same random numbers, fields and action are those of the plain action at the smeared links, bit for bit. */
static void smeared_facts(int which, monomial *m, const gauge *u, const char *name)
{
    stout *s = stout_create(&actions[which].smearing, u);
    const gauge *links = stout_links(s, u);
    monomial *plain = quarks_drawn(actions[which].kind, actions[which].yaml, links);
    momentum *f = momentum_create(u->links.lattice, u->links.where, PRECISION_DOUBLE);
    momentum *of_plain = momentum_create(u->links.lattice, u->links.where, PRECISION_DOUBLE);
    const double want = action_of(plain, links), at_thin = action_of(plain, u);
    fact(action_of(m, u) == want, "%s: the action is that of the smeared links, bit for bit", name);
    copy_fields(plain, m);
    fact(action_of(plain, links) == want, "%s: and so are the fields that are drawn", name);
    fact(fabs(at_thin / want - 1) > 1e-6, "%s: not that of the thin links (%.12g, %.12g)", name, at_thin, want);
    force_of(f, m, u, 1);
    force_of(of_plain, plain, links, 1);
    fact(force_distance(f, of_plain) > 1e-3, "%s: the force is not that on the smeared links", name);
    momentum_free(of_plain);
    momentum_free(f);
    monomial_free(plain);
    stout_free(s);
}

static size_t bytes_now(place where) { return where == PLACE_GPU ? device_bytes_now() : place_bytes_now(where); }

/* Memory of a monomial after an evaluation of everything. */
static void memory_facts(int which, const gauge *u, const char *name)
{
    const monomial_kind *kind = actions[which].kind;
    void *p = monomial_params(kind, with_stout(which));
    const size_t planned = memory_need_sum(monomial_need(kind, p, lattice_shape_of(u->links.lattice)));
    const size_t before = bytes_now(u->links.where);
    monomial *m = quarks_made(kind, with_stout(which), u);
    const size_t created = bytes_now(u->links.where) - before;
    fact_close((double)created, (double)planned, 0, "%s: memory as planned", name);
    monomial_free(m);
    fact(bytes_now(u->links.where) == before, "%s: which is returned", name);
    monomial_params_free(kind, p);
}

static void on_lattice(const int n[4], int which)
{
    lattice_shape shape = lattice_shape_single(n);
    shape.open_in_time = is_open(which);
    lattice *l = lattice_create(&shape);
    double *links = analytic_links(n, ROUGHNESS), *first = NULL;
    size_t bytes;
    FOR_EVERY_PLACE(where) {
        char name[160];
        snprintf(name, sizeof name, "%s, %dx%dx%dx%d, %s", place_name(where), n[0], n[1], n[2], n[3],
                 actions[which].name);
        gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
        momentum *p = momentum_create(l, where, PRECISION_DOUBLE);
        gauge_import(u, links);
        momentum_set_gaussian(p, rng_key_for(61, 0, (uint64_t)which, RNG_MOMENTA));
        memory_facts(which, u, name);
        monomial *m = quarks_drawn(actions[which].kind, with_stout(which), u);
        double *numbers = monomial_numbers(&bytes, m, u);
        if (first)
            fact(memcmp(numbers, first, bytes) == 0, "%s: fields, action and force have the bits of the CPU", name);
        else
            first = numbers;
        (strstr(actions[which].yaml, THIN) ? thin_facts : smeared_facts)(which, m, u, name);
        derivative_facts(m, u, p, LARGEST_STEP, 1e-9, name);
        weight_facts(m, u, p, name);
        gauge_turn_facts(m, u, 1e-11, name);
        if (numbers != first)
            memory_free(numbers);
        monomial_free(m);
        momentum_free(p);
        gauge_free(u);
    }
    memory_free(first);
    memory_free(links);
    lattice_free(l);
}

/* ---- the input */

static void refused(const char *smearing, const char *keys, const char *why)
{
    char yaml[200];
    static const int n[4] = { 4, 4, 4, 4 };
    lattice *l = lattice_create_single(n);
    snprintf(yaml, sizeof yaml, "stout: %s\n%sdeterminants: [ { mass: 0.1 } ]", smearing, keys);
    void *p = monomial_params(&wilson_monomial, yaml);
    failure f = { .why = "" };
    const bool possible = monomial_check(&wilson_monomial, p, lattice_shape_of(l), &f);
    fact(!possible && strstr(f.why, why), "%s%s%s: refused (%s)", smearing, *keys ? ", " : "", keys, f.why);
    monomial_params_free(&wilson_monomial, p);
    lattice_free(l);
}

int main(void)
{
    static const int shapes[][4] = { { 2, 2, 2, 4 }, { 4, 2, 6, 2 } };
    refused("{ rho: 0.1 }", "", "levels is 0");
    refused("{ spatial_only: true }", "", "levels is 0");
    refused("{ levels: 2 }", "", "rho is 0");
    refused("{ levels: 2, rho: 0.1 }", THIN, "clover_links: thin needs a clover term: give c_sw");
    refused("{}", THIN "c_sw: 1\n", "clover_links: thin needs stout links in the hops: give stout");
    for (int which = 0; which < ACTIONS; which++)
        on_lattice(shapes[is_open(which) ? 0 : which % 2], which);
    return facts_end();
}
