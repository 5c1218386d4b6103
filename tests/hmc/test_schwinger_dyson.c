/* test_schwinger_dyson.c - the measurement "schwinger_dyson": its parts, and that ensembles with quarks fulfill the
 * identity, which they do not without the force of the quarks.
 *
 * Random numbers have fixed seeds, so a fact that holds once holds always.  Errors are from bins of successive
 * trajectories; a fact allows 4.5 of them. */
#include "src/base/json_members.h"
#include "src/config/yaml.h"
#include "src/gauge/gauge_observables.h"
#include "src/lattice/rng.h"
#include "src/measure/schwinger_dyson.h"
#include "tests/facts.h"
#include "tests/hmc/identities.h"
#include "tests/hmc/run_system.h"
#include "tests/hmc/run_text.h"
#include "tests/nightly.h"
#include "tests/on_every_backend.h"

#include <math.h>
#include <string.h>

#define ERRORS_ALLOWED 4.5
#define NAME "identity"
#define MEASURED "measurements: [ { kind: schwinger_dyson, name: " NAME " } ]\noutput: { directory: unused }\n"
#define SEED 41

typedef struct { double gauge, quarks, loops, deviation; } sides;

static measurement_point point_of(int64_t trajectory)
{
    return (measurement_point){ SEED, 0, trajectory };
}

static sides measure(const run_params *p, const gauge *u, int64_t trajectory)
{
    sides s;
    clock_tree clock = { 0 };
    json j = { 0 };
    failure why;
    const measurement_point point = point_of(trajectory);
    measurements *m = measurements_create(run_measurements(p), u);
    require(measurements_run_one(m, 0, u, &point, &j, &clock), "%s", json_string(&j));
    yyjson_doc *doc = json_read_string(json_string(&j), "a result", &why);
    yyjson_val *result = yyjson_doc_get_root(doc);
    require(json_member_real(result, "gauge", &s.gauge) && json_member_real(result, "quarks", &s.quarks)
            && json_member_real(result, "loops", &s.loops) && json_member_real(result, "deviation", &s.deviation),
            "%s", json_string(&j));
    yyjson_doc_free(doc);
    json_free(&j);
    measurements_free(m);
    return s;
}

/* ---- the parts */

static void add_force(monomial *m, const gauge *u, momentum *p)
{
    sum_array size = monomial_size_create(u);
    require(monomial_add_force(m, u, p, 1, size.cells, &(monomial_call){ .clock = NULL }), "a force");
    sums_free(&size);
}

/* The action of a monomial on the links exp(tau P) U. */
static double action_along(monomial *m, const gauge *u, double tau, const momentum *p)
{
    double value = NAN;
    gauge *moved = gauge_create(u->links.lattice, u->links.where, u->links.precision);
    gauge_copy(moved, u);
    gauge_drift(moved, tau, p);
    require(monomial_action(&value, m, moved, &(monomial_call){ .clock = NULL }), "an action");
    gauge_free(moved);
    return value;
}

/* -dS/dtau along P by four differences, with an error of the order of step^4. */
static double descent(monomial *m, const gauge *u, const momentum *p, double step)
{
    const double near = action_along(m, u, step, p) - action_along(m, u, -step, p);
    const double far = action_along(m, u, 2 * step, p) - action_along(m, u, -2 * step, p);
    return -(8 * near - far) / (12 * step);
}

static monomial *made(const run_params *p, int term, const gauge *u)
{
    return monomial_create(run_monomial_kind(p, term), run_monomial_params(p, term), u);
}

/* The parameters of the measurement are YAML, in which no key occurs twice, and have the whole action. */
static void fact_parameters(const run_input *in, const char *what)
{
    text words = { 0 };
    failure why = { .why = "" };
    measurement_add_text(&words, run_measurements(&in->p), 0);
    yaml_node *tree = yaml_read_string(text_string(&words), "parameters", &why);
    const yaml_node *terms = tree ? yaml_get(tree, "monomials") : NULL;
    bool right = terms && tree->count == 2 && terms->type == YAML_SEQUENCE && terms->count == 2;
    for (int m = 0; right && m < 2; m++)
        right = strcmp(yaml_get(terms->item[m], "kind")->scalar, run_monomial_kind(&in->p, m)->input.name) == 0
                && strcmp(yaml_get(terms->item[m], "name")->scalar, run_monomial_name(&in->p, m)) == 0;
    fact(right, "%s: the parameters are YAML with a list of both monomials %s", what, why.why);
    yaml_tree_free(tree);
    text_free(&words);
}

/* Against the formula of docs/conventions.md for one gauge action, and the derivative of the action of the quarks with
 * the same pseudofermions. */
static void parts(place where, const char *what, const char *gauge_action, const char *quarks)
{
    enum { TRAJECTORY = 3 };
    run_input in;
    run_from_text(&in, "lattice: [4, 4, 4, 6]\nrandom: { seed: %d }\nmonomials:\n"
                       "  - { kind: gauge, name: gauge, %s }\n  - { name: quarks, residuals: { refresh: 1e-12, action: "
                       "1e-12, force: 1e-12 }, %s }\nhmc: { trajectories: 1, levels: [ { integrator: leapfrog, steps: "
                       "1, monomials: [gauge, quarks] } ] }\n" MEASURED, SEED, gauge_action, quarks);
    fact_parameters(&in, what);
    lattice *l = lattice_create_single(in.p.extents);
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
    momentum *f = momentum_create(l, where, PRECISION_DOUBLE);
    momentum_set_gaussian(f, rng_key_for(SEED, 0, 0, RNG_TEST));
    gauge_set_unit(u);
    gauge_drift(u, 0.3, f);                    /* not so rough that the force of HISQ is filtered */
    fact(measurement_hops(run_measurements(&in.p), 0) == run_monomial_kind(&in.p, 1)->hops, "%s: kernels reach as far "
         "as those of the quarks, %d hops; 0: the least", what, run_monomial_kind(&in.p, 1)->hops);
    const sides s = measure(&in.p, u, TRAJECTORY);
    const double links = 4 * (double)lattice_volume(l);
    const char *here = place_name(where);

    momentum_zero(f);
    monomial *m = made(&in.p, 0, u);
    add_force(m, u, f);
    monomial_free(m);
    fact_close(s.gauge * links / momentum_measure(f).sum_norm2, 1, 1e-14, "%s, %s: Tr F_g^+F_g", here, what);

    const measurement_point point = point_of(TRAJECTORY);
    const gauge_params *g = run_monomial_params(&in.p, 0);
    const loop_coefficients c = gauge_action_coefficients(g);
    const double per_link = 2.0 / 3 * g->beta * (24 * c.plaquette * gauge_plaquette(u).average
                            + 72 * c.rectangle * gauge_rectangle(u) + 96 * c.parallelogram * gauge_parallelogram(u));
    const double unit = 2.0 / 3 * g->beta * (24 * c.plaquette + 72 * c.rectangle + 96 * c.parallelogram);
    fact_close(s.loops, per_link, 1e-13 * unit, "%s, %s: the loops", here, what);
    fact_close(s.deviation, (s.gauge + s.quarks - per_link) / unit, 1e-13, "%s, %s: the deviation", here, what);

    monomial_call call = { .unchecked = true };
    const rng_key key = schwinger_dyson_key(measurement_key(&point, NAME), 1);
    m = made(&in.p, 1, u);
    require(monomial_prepare(m, u, TRAJECTORY, &call) && monomial_refresh(m, u, key, &call), "%s", call.failure.why);
    const double size = sqrt(momentum_measure(f).sum_norm2 / links);
    fact_close(s.quarks * links / descent(m, u, f, 2e-3 / size), 1, 1e-6, "%s, %s: Tr F_q^+F_g is minus the derivative "
               "of the quarks' action along the force of the gauge action", here, what);
    monomial_free(m);
    momentum_free(f);
    gauge_free(u);
    lattice_free(l);
    run_input_free(&in);
}

/* ---- ensembles */

/* quarks: the least distance from the identity, in errors, without the force of the quarks. */
typedef struct { const char *name, *input; int thermalization, trajectories; double error, quarks; } ensemble_plan;

static void ensemble(place where, const ensemble_plan *plan)
{
    enum { MOST = 400 };
    static double deviation[MOST], without[MOST];
    const int count = SHORTENED ? plan->trajectories / 4 : plan->trajectories;
    run_system s = run_system_create(where, PRECISION_DOUBLE, "random: { seed: %d }\n%s" MEASURED, SEED, plan->input);
    gauge_set_random(s.u, rng_key_for(SEED, 0, 0, RNG_START_LINKS));
    for (int n = -plan->thermalization; n < count; n++) {
        run_system_trajectory(&s, n + plan->thermalization + 1);
        if (n < 0)
            continue;
        const sides of = measure(&s.in->p, s.u, n + 1);
        const double unit = (of.gauge + of.quarks - of.loops) / of.deviation;
        deviation[n] = of.deviation;
        without[n] = of.deviation - of.quarks / unit;
    }
    run_system_free(&s);
    const estimate e = binned(deviation, count), w = binned(without, count);
    const char *here = place_name(where);
    fact_close(e.mean, 0, ERRORS_ALLOWED * e.error, "%s, %s: the identity of Schwinger and Dyson (error %.2g)", here,
               plan->name, e.error);
    if (SHORTENED)
        return;
    fact(e.error < plan->error, "%s, %s: within a small error", here, plan->name);
    fact(fabs(w.mean) > plan->quarks * w.error, "%s, %s: not without the force of the quarks, by %.1f errors", here,
         plan->name, fabs(w.mean) / w.error);
}

static const ensemble_plan wilson = {
    "two flavors of Wilson quarks",
    "lattice: [4, 4, 4, 4]\nmonomials:\n  - { kind: gauge, name: gauge, action: wilson, beta: 5.4 }\n"
    "  - { kind: wilson, name: quarks, determinants: [ { kappa: 0.15, flavors: 2 } ] }\n"
    "hmc: { trajectory_length: 1, trajectories: 1, thermalization: 20,\n"
    "       levels: [ { integrator: omelyan, steps: 4, monomials: [quarks] },\n"
    "                 { integrator: omelyan, steps: 2, monomials: [gauge] } ] }\n", 20, 160, 0.004, 5
};
static const ensemble_plan hisq = {
    "2 + 1 flavors of HISQ quarks",
    "lattice: [4, 4, 4, 4]\nmonomials:\n  - { kind: gauge, name: gauge, action: symanzik_tree, beta: 3.6 }\n"
    "  - kind: staggered\n    name: quarks\n    action: hisq\n    determinants:\n"
    "      - quarks: [ { mass: 0.1, flavors: 2 }, { mass: 0.3, flavors: 1 } ]\n"
    "hmc: { trajectory_length: 1, trajectories: 1, thermalization: 20,\n"
    "       levels: [ { integrator: omelyan, steps: 6, monomials: [quarks] },\n"
    "                 { integrator: omelyan, steps: 2, monomials: [gauge] } ] }\n", 20, 200, 0.005, 3
};

/* ---- refusals */

static void refused(const char *head, const char *why)
{
    scratch s = scratch_create();
    run_input in;
    fault_list faults = { 0 };
    FILE *file = fopen(scratch_path(&s, "run.yaml"), "w");
    fprintf(file, "random: { seed: 1 }\n%s" MEASURED, head);
    fclose(file);
    fact(!run_input_read(&in, scratch_path(&s, "run.yaml"), NULL, 0, &faults), "refused: %s", why);
    fact(strstr(text_string(&faults.lines), why) != NULL, "and why is said:\n%s", text_string(&faults.lines));
    run_input_free(&in);
    fault_list_free(&faults);
    scratch_remove(&s);
}

int main(void)
{
    FOR_EVERY_PLACE(where) {
        parts(where, "clover quarks, two flavors over heavier ones", "action: symanzik_1loop, beta: 6.8, u0: 0.87",
              "kind: wilson, c_sw: 1.2, determinants: [ { mass: 0.5, flavors: 2, hasenbusch: [ { mass: 1 } ] } ]");
        parts(where, "one flavor of Wilson quarks", "action: iwasaki, beta: 2.2",
              "kind: wilson, determinants: [ { mass: 0.6, flavors: 1 } ]");
        parts(where, "HISQ", "action: wilson, beta: 5.5",
              "kind: staggered, determinants: [ { quarks: [ { mass: 0.4, flavors: 2 }, { mass: 0.6, flavors: 1 } ] } "
              "]");
        parts(where, "domain-wall quarks", "action: wilson, beta: 5.5",
              "kind: domain_wall, action: mobius, Ls: 4, b: 1.5, c: 0.5, determinants: [ { mass: 0.4, flavors: 2 } ]");
        ensemble(where, &wilson);
        if (nightly() || where == PLACE_GPU)
            ensemble(where, &hisq);
    }
    refused("lattice: [4, 4, 4, 4]\n"
            "monomials: [ { kind: wilson, name: q, determinants: [ { mass: 1, flavors: 2 } ] } ]\n"
            "hmc: { trajectories: 1, levels: [ { integrator: leapfrog, steps: 1, monomials: [q] } ] }\n",
            "the input has no monomial of kind gauge");
    refused("lattice: [4, 2, 4, 4]\nmonomials: [ { kind: gauge, name: g, action: iwasaki, beta: 2 } ]\n"
            "hmc: { trajectories: 1, levels: [ { integrator: leapfrog, steps: 1, monomials: [g] } ] }\n",
            "need extents of 4 or more");
    return facts_end();
}
