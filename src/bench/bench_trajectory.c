/* bench_trajectory.c - time trajectories of `kiln run` with a built-in input and without files. */
#include "src/bench/bench_trajectory.h"

#include "src/base/memory.h"
#include "src/hmc/hmc.h"
#include "src/lattice/place_memory.h"
#include "src/lattice/rng.h"

#include <stdlib.h>
#include <string.h>

static const char input[] =
    "lattice: [%d, %d, %d, %d]\n"
    "random: { seed: 1 }\n"
    "start: { from: hot }\n"
    "monomials: [ { kind: gauge, name: gauge, action: %s, beta: 6%s } ]\n"
    "hmc:\n"
    "  trajectory_length: 1\n"
    "  levels: [ { integrator: omelyan, steps: %d, monomials: [gauge] } ]\n"
    "  trajectories: 1\n"
    "output: { directory: none }\n";

/* Parameters that only some actions have. */
static const struct { const char *action, *more; } extras[] = {
    { "rectangle", ", c1: -0.1" },
    { "symanzik_1loop", ", u0: 0.87, flavors: 0" },
};

run_input bench_input(const char *yaml)
{
    run_input in = { 0 };
    fault_list faults = { 0 };
    failure why;
    in.tree = yaml_read_string(yaml, "bench", &why);
    require(in.tree != NULL, "%s", why.why);
    schema_read(in.tree, run_param_specs, &in.p, &faults);
    require(faults.count == 0, "the input of the benchmark: %s", text_string(&faults.lines));
    fault_list_free(&faults);
    return in;
}

static run_input describe(const trajectory_request *request, const int n[4])
{
    text yaml = { 0 };
    const char *more = "";
    for (unsigned i = 0; i < sizeof extras / sizeof *extras; i++)
        if (strcmp(extras[i].action, request->action) == 0)
            more = extras[i].more;
    text_add(&yaml, input, n[0], n[1], n[2], n[3], request->action, more, request->steps);
    run_input in = bench_input(text_string(&yaml));
    text_free(&yaml);
    return in;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double total_of(const clock_tree *c, const char *name)
{
    double sum = 0;
    for (int n = 0; n < c->count; n++)
        if (strcmp(c->node[n].name, name) == 0)
            sum += c->node[n].seconds;
    return sum;
}

void bench_trajectory(const trajectory_request *request, place where, const int extents[4], int repeats,
                      trajectory_result *r)
{
    run_input in = describe(request, extents);
    const lattice_shape shape = run_shape(&in.p);
    lattice *l = lattice_create(&shape);
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
    gauge_set_random(u, rng_key_for(1, 0, 0, RNG_START_LINKS));
    hmc *h = hmc_create(&in.p, u);
    double *seconds = memory_alloc((size_t)repeats * sizeof *seconds, "times");
    clock_tree thermalization = { 0 };
    *r = (trajectory_result){ 0 };
    hmc_outcome first = hmc_trajectory(h, u, 1, &thermalization, NULL);
    require(first.failure.step == STEP_NONE, "%s", first.failure.why.why);
    for (int i = 0; i < repeats; i++) {
        double began = clock_now();
        hmc_outcome o = hmc_trajectory(h, u, i + 2, &r->clock, NULL);
        seconds[i] = clock_now() - began;
        require(o.failure.step == STEP_NONE, "%s", o.failure.why.why);
        r->dh = o.dh;
        r->bytes_to_device = o.traffic.to_device;
        r->bytes_from_device = o.traffic.from_device;
    }
    qsort(seconds, (size_t)repeats, sizeof *seconds, by_size);
    r->seconds = seconds[repeats / 2];
    r->fastest = seconds[0];

    evolve_term terms[HMC_TERMS];
    schedule *plan = hmc_plan(&in.p, terms);
    const monomial_kind *kind = run_monomial_kind(&in.p, 0);
    work w = kind->force_work(kind, run_monomial_params(&in.p, 0), &shape);
    r->forces = plan->level[0].force_evaluations;
    r->force_seconds = total_of(&r->clock, "force") / repeats;
    r->force_flops = w.flops;
    r->force_bytes = w.bytes;
    r->place_bytes = place_bytes_peak(where);
    r->host_bytes = memory_bytes_peak();
    schedule_free(plan);
    memory_free(seconds);
    hmc_free(h);
    gauge_free(u);
    lattice_free(l);
    run_input_free(&in);
}
