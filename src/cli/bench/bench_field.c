/* bench_field.c - links for studies of solvers: a configuration, or a few trajectories or sweeps from a cold start. */
#include "src/base/log.h"
#include "src/bench/bench_trajectory.h"
#include "src/cli/bench/bench_studies.h"
#include "src/hmc/hmc.h"
#include "src/hmc/pure_gauge.h"
#include "src/io/configuration.h"
#include "src/io/file_json.h"

#include <inttypes.h>
#include <string.h>

static const char input[] =
    "lattice: [%d, %d, %d, %d]\n"
    "random: { seed: 1 }\n"
    "start: { from: cold }\n"
    "monomials: [ { kind: gauge, name: gauge, action: %s, beta: %.17g%s } ]\n"
    "%s"
    "output: { directory: none }\n";

static const char by_trajectories[] =
    "hmc:\n"
    "  trajectory_length: 1\n"
    "  levels: [ { integrator: omelyan, steps: 12, monomials: [gauge] } ]\n"
    "  trajectories: 1\n"
    "  thermalization: 1000000\n";                /* all are accepted */

static const char by_sweeps[] = "heatbath: { sweeps: 1, overrelaxation: 4 }\nhmc: { trajectories: 1 }\n";

static const char *action_of(const bench_solver_options *o)
{
    return o->heatbath >= 0 ? "wilson" : "symanzik_tree";
}

static void run_trajectories(const run_params *p, gauge *u, int64_t count)
{
    hmc *h = hmc_create(p, u);
    for (int i = 1; i <= count; i++) {
        hmc_outcome outcome = hmc_trajectory(h, u, i, NULL, NULL);
        require(outcome.failure.step == STEP_NONE, "%s", outcome.failure.why.why);
    }
    hmc_free(h);
}

static void run_sweeps(const run_params *p, gauge *u, int64_t count)
{
    pure_gauge *q = pure_gauge_create(p, u);
    for (int64_t i = 1; i <= count; i++) {
        pure_gauge_sweep(q, u, i);
        gauge_reunitarize(u);
    }
    pure_gauge_free(q);
}

static gauge *make_links(const bench_solver_options *o, place where)
{
    const int *n = o->extents;
    const bool sweeps = o->heatbath >= 0;
    text yaml = { 0 }, xi = { 0 };
    if (o->wilson.given.xi_0)
        text_add(&xi, ", xi_0: %.17g", o->wilson.xi_0);
    text_add(&yaml, input, n[0], n[1], n[2], n[3], action_of(o), o->beta, text_string(&xi),
             sweeps ? by_sweeps : by_trajectories);
    run_input in = bench_input(text_string(&yaml));
    gauge *u = gauge_create(lattice_create_single(n), where, PRECISION_DOUBLE);
    gauge_set_unit(u);
    log_line(LOG_INFO, "%s: links by %" PRId64 " %s from a cold start", extents_to_text(n).s,
             (int64_t)(sweeps ? o->heatbath : o->trajectories), sweeps ? "heat-bath sweeps" : "trajectories");
    if (sweeps)
        run_sweeps(&in.p, u, o->heatbath);
    else
        run_trajectories(&in.p, u, o->trajectories);
    run_input_free(&in);
    text_free(&xi);
    text_free(&yaml);
    return u;
}

gauge *bench_field(const bench_solver_options *o, place where, json *j, text *story)
{
    configuration_facts facts;
    failure f;
    gauge *u = o->config ? configuration_open(where, &facts, o->config, &f) : make_links(o, where);
    if (!u) {
        log_line(LOG_ERROR, "%s", f.why);
        return NULL;
    }
    gauge_reunitarize(u);
    double plaquette = gauge_plaquette(u).average;
    json_open(j, "links", '{');
    if (o->config) {
        file_to_json(j, o->config, &facts.info);
        text_add(story, "%s", o->config);
    } else {
        const bool sweeps = o->heatbath >= 0;
        const int64_t count = sweeps ? o->heatbath : o->trajectories;
        json_text(j, "action", action_of(o));
        json_real(j, "beta", o->beta);
        if (o->wilson.given.xi_0)
            json_real(j, "xi_0", o->wilson.xi_0);
        json_int(j, sweeps ? "heatbath" : "trajectories", count);
        text_add(story, "%lld %s of %s at beta %g", (long long)count, sweeps ? "sweeps" : "trajectories", action_of(o),
                 o->beta);
        if (o->wilson.given.xi_0)
            text_add(story, ", xi_0 %g,", o->wilson.xi_0);
        text_add(story, " from a cold start");
    }
    json_real(j, "plaquette", plaquette);
    json_close(j);
    text_add(story, ", plaquette %.4f", plaquette);
    return u;
}
