/* test_candidates.c - the inputs of a comparison of trajectory lengths: steps that grow with the length, and streams
 * that differ in nothing but length, steps and random numbers. */
#include "src/compare/candidates.h"

#include "src/measure/flow.h"
#include "src/tune/tune_model.h"
#include "tests/facts.h"
#include "tests/io/scratch.h"

#include <math.h>
#include <string.h>

static const char input[] =
    "lattice: [4, 4, 4, 4]\n"
    "random: { seed: 31, stream: 7 }\n"
    "start: { from: hot }\n"
    "monomials: [ { kind: gauge, name: gauge, action: symanzik_tree, beta: 4.5 } ]\n"
    "hmc:\n"
    "  trajectory_length: 0.8\n"
    "  levels: [ { integrator: %s, steps: %d, monomials: [gauge] } ]\n"
    "  trajectories: 100\n"
    "  thermalization: 5\n"
    "measurements:\n"
    "  - { kind: flow, name: short, every: 5, t_max: 0.2, eps: 0.02 }\n"
    "  - { kind: wilson_loops }\n"
    "  - { kind: flow, name: \"long, or } \\\"wide\\\"\", every: 10, t_max: 0.5, tolerance: 0.01 }\n"
    "output: { directory: made, name: mine, lfn: some.name }\n";

static const char *write_input(scratch *s, const char *integrator, int steps)
{
    const char *path = scratch_path(s, "input.yaml");
    FILE *f = fopen(path, "w");
    require(f && fprintf(f, input, integrator, steps) > 0 && fclose(f) == 0, "%s cannot be written", path);
    return path;
}

static void read_input(run_input *in, const char *path)
{
    fault_list faults = { 0 };
    require(run_input_read(in, path, NULL, 0, &faults), "%s", text_string(&faults.lines));
    fault_list_free(&faults);
}

/* The step size stays, or becomes smaller by less than one granule of steps. */
static void steps_scale(scratch *s, const char *integrator, int steps)
{
    static const double lengths[] = { 0.1, 0.4, 0.8, 0.8 * 1.4142135623730951, 1.6, 2.4, 7.7 };
    run_input in;
    bool all = true;
    read_input(&in, write_input(s, integrator, steps));
    const int64_t g = tune_granularity(in.p.hmc.levels.item);
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        const length_sets sets = candidate_length_sets(&in.p, lengths[i]);
        long long found = 0;
        double length = 0;
        const bool read = sscanf(sets.set[0], "hmc.trajectory_length=%lf", &length) == 1
                          && sscanf(sets.set[1], "hmc.levels.0.steps=%lld", &found) == 1;
        const double wanted = steps * lengths[i] / 0.8;
        all = all && read && length == lengths[i] && found % g == 0 && (double)found >= wanted * (1 - 1e-9)
              && ((double)found < wanted + (double)g);
        if (lengths[i] == 0.8)
            all = all && found == steps;
    }
    fact(all, "%s, %d steps: the numbers of steps of other lengths have the same step size, rounded up to multiples of "
         "%d", integrator, steps, (int)g);
    run_input_free(&in);
}

static void streams_differ_in_length_alone(scratch *s)
{
    run_input in;
    failure f;
    candidate c[3];
    const text_refs sets = { .count = 1, .item = { "monomials.0.beta=4.25" } };
    const char *path = write_input(s, "omelyan", 10);
    char folder[600];
    snprintf(folder, sizeof folder, "%s/st\"re\nams", s->folder);
    const comparison_request r = { .input = path, .sets = &sets, .lengths = 2, .length = { 0.4, 1.2 },
                                   .directory = folder, .units = 10 };
    read_input(&in, path);
    for (int k = 0; k < candidates_count(&r); k++)
        require(candidate_make(&c[k], &r, &in.p, k, &f), "%s", f.why);
    static const double length[] = { 0.8, 0.4, 1.2 };
    static const int64_t steps[] = { 10, 5, 15 }, trajectories[] = { 13, 25, 9 };
    bool lengths = candidates_count(&r) == 3, same = true, folders = true, flows = true, numbers = true;
    for (int k = 0; k < 3; k++) {
        const run_params *p = &c[k].in.p;
        const level_params *level = p->hmc.levels.item;
        lengths = lengths && p->hmc.length == length[k] && level->steps == steps[k]
                  && p->hmc.trajectories == trajectories[k] && c[k].trajectories == trajectories[k];
        same = same && p->hmc.thermalization == 0 && p->start.from == START_FILE && p->random.seed == 31
               && strcmp(p->start.file, c[0].in.p.start.file) == 0 && strstr(p->start.file, "/st\"re\nams/start.lime");
        numbers = numbers && p->random.stream != in.p.random.stream
                  && (k == 0 || p->random.stream != c[k - 1].in.p.random.stream);
        folders = folders && strstr(p->output.directory, c[k].label) && strstr(p->output.directory, "/st\"re\nams/")
                  && *p->output.lfn == '\0';
        flows = flows && p->measurements.count == 2;
        for (int m = 0; m < p->measurements.count; m++) {
            const kind_item *item = (const kind_item *)p->measurements.item + m;
            flows = flows && measurement_kinds[item->kind] == &flow_measurement.input
                    && ((const measurement_params *)item->params)->every == 1
                    && measurement_settings(run_measurements(p), m)
                           == measurement_settings(run_measurements(&in.p), 2 * m)
                    && strcmp(measurement_name(&p->measurements, m), m == 0 ? "short" : "long, or } \"wide\"") == 0;
        }
    }
    fact(lengths, "three lengths: steps in proportion, and trajectories of 10 units in all");
    fact(same, "the same start and seed, no thermalization");
    fact(numbers, "random numbers of their own");
    fact(folders, "a folder for each, also where its path has a quotation mark and a line break");
    fact(flows, "both flows with their settings after every trajectory, and nothing else, is measured");
    for (int k = 0; k < 3; k++)
        candidate_free(&c[k]);
    run_input_free(&in);
}

static void refused(scratch *s)
{
    run_input in;
    failure f;
    read_input(&in, write_input(s, "omelyan", 10));
    fact(candidate_check(&in.p, &f), "an input with a flow can be compared");
    in.p.measurements.count = 0;
    fact(!candidate_check(&in.p, &f) && strstr(f.why, "kind flow"), "one without cannot: %s", f.why);
    in.p.measurements.count = 3;
    in.p.smd.gamma_given = true;
    fact(!candidate_check(&in.p, &f) && strstr(f.why, "stochastic"), "nor stochastic molecular dynamics: %s", f.why);
    in.p.smd.gamma_given = false;
    run_input_free(&in);
}

int main(void)
{
    scratch s = scratch_create();
    steps_scale(&s, "omelyan", 10);
    steps_scale(&s, "leapfrog", 7);
    steps_scale(&s, "4mn4fp", 3);
    streams_differ_in_length_alone(&s);
    refused(&s);
    scratch_remove(&s);
    return facts_end();
}
