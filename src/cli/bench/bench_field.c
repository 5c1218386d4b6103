/* bench_field.c - links for studies of solvers: a configuration, or a few trajectories from a cold start. */
#include "src/base/log.h"
#include "src/bench/bench_trajectory.h"
#include "src/cli/bench/bench_studies.h"
#include "src/hmc/hmc.h"
#include "src/io/configuration.h"
#include "src/io/file_json.h"

#include <string.h>

static const char input[] =
    "lattice: [%d, %d, %d, %d]\n"
    "random: { seed: 1 }\n"
    "start: { from: cold }\n"
    "monomials: [ { kind: gauge, name: gauge, action: symanzik_tree, beta: %.17g } ]\n"
    "hmc:\n"
    "  trajectory_length: 1\n"
    "  levels: [ { integrator: omelyan, steps: 12, monomials: [gauge] } ]\n"
    "  trajectories: 1\n"
    "  thermalization: %d\n"
    "output: { directory: none }\n";

static gauge *make_links(const bench_solver_options *o, place where)
{
    const int *n = o->extents;
    text yaml = { 0 };
    text_add(&yaml, input, n[0], n[1], n[2], n[3], o->beta, (int)o->trajectories);
    run_input in = bench_input(text_string(&yaml));
    gauge *u = gauge_create(lattice_create_single(n), where, PRECISION_DOUBLE);
    gauge_set_unit(u);
    hmc *h = hmc_create(&in.p, u);
    for (int i = 1; i <= o->trajectories; i++) {
        hmc_outcome outcome = hmc_trajectory(h, u, i, NULL, NULL);
        require(outcome.failure.step == STEP_NONE, "%s", outcome.failure.why.why);
    }
    hmc_free(h);
    run_input_free(&in);
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
        json_text(j, "action", "symanzik_tree");
        json_real(j, "beta", o->beta);
        json_int(j, "trajectories", o->trajectories);
        text_add(story, "%lld trajectories of symanzik_tree at beta %g from a cold start", (long long)o->trajectories,
                 o->beta);
    }
    json_real(j, "plaquette", plaquette);
    json_close(j);
    text_add(story, ", plaquette %.4f", plaquette);
    return u;
}
