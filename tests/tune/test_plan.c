/* test_plan.c - kiln plan: what it says of a run is what the run then does; what does not fit is refused, with what
 * would help. */
#include "tests/cli/program.h"
#include "tests/facts.h"
#include "tests/io/scratch.h"

#include <math.h>

static const char input[] =
    "lattice: [4, 4, 4, 4]\n"
    "random: { seed: 9 }\n"
    "start: { from: hot }\n"
    "monomials:\n"
    "  - { kind: gauge, name: gauge, action: wilson, beta: 5.5 }\n"
    "hmc:\n"
    "  levels: [ { integrator: omelyan, steps: 4, monomials: [gauge] } ]\n"
    "  trajectories: 4\n"
    "  thermalization: 4\n"
    "output: { directory: %s/e, name: cfg, configuration_every: 2, checkpoint_every: 4 }\n";

static const char quarks[] =
    "lattice: [8, 8, 8, 8]\n"
    "random: { seed: 9 }\n"
    "monomials:\n"
    "  - { kind: gauge, name: gauge, action: wilson, beta: 5.5 }\n"
    "  - kind: staggered\n"
    "    name: quarks\n"
    "    action: hisq\n"
    "    solver: double-single\n"
    "    determinants: [ { quarks: [ { mass: 0.2, flavors: 2 } ], hasenbusch: [ { mass: 0.6 } ] } ]\n"
    "hmc:\n"
    "  levels: [ { integrator: omelyan, steps: 4, monomials: [quarks, gauge] } ]\n"
    "  trajectories: 4\n"
    "output: { directory: nowhere }\n";

static double size_of(scratch *s, const char *name)
{
    struct stat what;
    return stat(scratch_path(s, name), &what) == 0 ? (double)what.st_size : NAN;
}

/* A probe shorter than one round times each part once, and one sample has no error. */
static void timed_once(const char *path)
{
    const program_output *answer = program_run("plan '%s' --probe 1e-9 --device cpu --set start.from=cold", path);
    fact(answer->status == 0 && stdout_has(answer,
                                           "s, without an error: each part was timed once; use a longer --probe"),
         "where each part was timed once, the time has no error, and a longer probe is advised");
    fact(!stdout_has(answer, "+-"), "in no line");
    yaml_node *tree = output_json(program_run("plan '%s' --probe 1e-9 --device cpu --json", path));
    fact(json_number(tree, "time.parts_timed_once") > 0 && isnan(json_number(tree, "time.trajectory_error"))
             && isnan(json_number(tree, "time.hours_error")) && json_number(tree, "time.trajectory_error_covers") == 0,
         "nor in JSON");
    yaml_tree_free(tree);
}

/* One configuration of 4^4 fluctuates by 0.013 around 0.546. */
static void equilibrium(const char *path)
{
    yaml_node *tree = output_json(program_run("plan '%s' --probe 2 --device cpu --json --set monomials.0.beta=5.6 "
                                              "--set 'start.heatbath={ sweeps: 100 }' --set hmc.trajectory_length=1 "
                                              "--set hmc.levels.0.steps=10", path));
    fact_close(json_number(tree, "time.plaquette_at_start"), 0.546, 0.065, "links in equilibrium");
    fact_close(json_number(tree, "time.plaquette_at_end"), 0.546, 0.065, "are still so after the probe");
    yaml_tree_free(tree);
}

static void a_run(scratch *s, const char *path)
{
    const program_output *answer = program_run("plan '%s' --probe 0.2 --device cpu --json", path);
    yaml_node *before = output_json(answer);
    fact(answer->status == 0 && before, "a run is planned");
    fact(scratch_count(s) == 1, "nothing is written for that");
    fact(json_number(before, "trajectories") == 4 && json_number(before, "time.parts_not_known") == 0
             && json_number(before, "time.trajectory_seconds") > 0, "the time of each trajectory is known");
    const double file = json_number(before, "disk.configuration_bytes");
    fact(json_number(before, "disk.configurations") == 2, "two configurations of four trajectories");
    yaml_tree_free(before);
    program_run("run '%s' --device cpu --quiet", path);
    const double written = size_of(s, "e/cfg.000002.lime");
    fact(written > 4 * 4 * 4 * 4 * 72 * 8 && written <= file && written > file - 10000,
         "a configuration has %.0f bytes, %.0f were planned", written, file);
    yaml_node *after = output_json(program_run("plan '%s' --probe 0.1 --device cpu --json", path));
    const char *links = json_scalar(after, "time.links");
    fact(links && strstr(links, "cfg.000004.lime"), "the probe is on the newest state of an ensemble");
    fact(json_number(after, "trajectories") == 0 && json_number(after, "disk.total_bytes") == 0,
         "and nothing is left to be done");
    yaml_tree_free(after);
}

static void refusal(const char *path)
{
    const program_output *answer = program_run("plan '%s' --device-memory 0.004 --json", path);
    fact(answer->status == 1 && stderr_has(answer, "does not fit the GPU") && stderr_has(answer, "too little"),
         "a run that does not fit is refused, and by how much it does not");
    yaml_node *tree = output_json(answer);
    const double all = json_number(tree, "memory.total_bytes");
    fact(json_number(tree, "advice.0.saves_bytes") > 0, "something would help");
    for (int i = 0; i < 8; i++) {
        char key[40];
        snprintf(key, sizeof key, "advice.%d.set", i);
        const char *set = json_scalar(tree, key);
        if (!set)
            break;
        char help[128];
        snprintf(help, sizeof help, "%s", set);
        snprintf(key, sizeof key, "advice.%d.saves_bytes", i);
        const double saves = json_number(tree, key);
        yaml_node *with = output_json(program_run("plan '%s' --probe 0 --device cpu --json --set '%s'", path, help));
        fact(json_number(with, "memory.total_bytes") == all - saves, "%s saves what it is said to", help);
        yaml_tree_free(with);
    }
    yaml_tree_free(tree);
    answer = program_run("plan '%s' --device-memory 1000", path);
    fact(answer->status == 0 && stdout_has(answer, "on the GPU"), "on a device with enough memory it fits");
}

/* Of 32^4, four blocks of 32^3 x 8. */
static void ranks(const char *path)
{
    const char *large = "--set lattice=[32,32,32,32]";
    yaml_node *one = output_json(program_run("plan '%s' %s --device-memory 1000 --json", path, large));
    yaml_node *many = output_json(program_run("plan '%s' %s --device-memory 1000 --ranks 4 --json", path, large));
    fact(json_number(one, "ranks") == 1 && json_number(one, "fits_from.ranks") == 1
             && json_number(many, "ranks") == 4 && json_number(many, "grid.3") == 4
             && json_number(many, "block.2") == 32 && json_number(many, "block.3") == 8,
         "a rank of 4 has a quarter of the lattice");
    const double all = json_number(one, "memory.total_bytes"), part = json_number(many, "memory.total_bytes");
    fact(part > all / 4 && part < all && json_number(many, "memory.staging_of_ghosts_bytes") > 0,
         "and %g bytes for it and its ghosts, where one rank has %g", part, all);
    const program_output *answer = program_run("plan '%s' %s --ranks 4 --device-memory %.9f", path, large,
                                               (part + 1) / 1073741824);
    fact(answer->status == 0 && stdout_has(answer, "each of 4 ranks holds 32x32x32x8 and its ghosts (grid 1x1x1x4)")
             && stdout_has(answer, "memory on each GPU: ") && stdout_has(answer, "fits from 4 GPUs on: grid 1x1x1x4, "),
         "in GPUs with just this memory the run fits from 4 on");
    answer = program_run("plan '%s' %s --grid 1,1,2,2 --device-memory 1000", path, large);
    fact(answer->status == 0 && stdout_has(answer, "each of 4 ranks holds 32x32x16x16 and its ghosts (grid 1x1x2x2)"),
         "another grid may be wanted");
    answer = program_run("plan '%s' --device-memory 0.001", path);
    fact(answer->status == 1 && stdout_has(answer, "fits on no number of GPUs up to 1024"),
         "a memory too small for any number of ranks is one");
    yaml_tree_free(one);
    yaml_tree_free(many);
    answer = program_run("plan '%s' --ranks 3 --device-memory 10", path);
    fact(answer->status == 2 && stderr_has(answer, "3 ranks: lattice 8x8x8x8 cannot be divided"),
         "an impossible number of ranks is refused with the possible ones");
    answer = program_run("plan '%s' --grid 1,1,1,4 --device-memory 10", path);
    fact(answer->status == 2 && stderr_has(answer, "possible grids: ") && stderr_has(answer, "1x1x2x2"),
         "and so is a grid");
    fact(program_run("plan '%s' --ranks 2 --grid 1,1,2,2", path)->status == 2, "a number of ranks is that of its grid");
}

static void rates(const char *path)
{
    yaml_node *one = output_json(program_run("plan '%s' --bandwidth 100 --iterations 50 --json", path));
    yaml_node *two = output_json(program_run("plan '%s' --bandwidth 200 --iterations 50 --json", path));
    const double slow = json_number(one, "time.trajectory_seconds"), fast = json_number(two, "time.trajectory_seconds");
    fact(slow > 0 && fabs(slow / fast - 2) < 1e-9, "without a probe the time follows from the rate of the memory");
    yaml_tree_free(one);
    yaml_tree_free(two);
    fact(program_run("plan '%s' --probe 1 --bandwidth 100", path)->status == 2
             && program_run("plan '%s' --iterations 100", path)->status == 2
             && program_run("plan '%s' --probe 1 --device-memory 10", path)->status == 2,
         "options that mean nothing together are refused");
}

static void clear(scratch *s)
{
    scratch inner = *s;
    snprintf(inner.folder, sizeof inner.folder, "%.250s/e", s->folder);
    scratch_remove(&inner);
    scratch_remove(s);
}

int main(void)
{
    if (!program_is_there())
        return facts_end();
    scratch s = scratch_create();
    char yaml[2000];
    const int n = snprintf(yaml, sizeof yaml, input, s.folder);
    char path[600];
    snprintf(path, sizeof path, "%s", scratch_path(&s, "input.yaml"));
    blob_write(path, yaml, (size_t)n);
    timed_once(path);
    equilibrium(path);
    a_run(&s, path);
    blob_write(path, quarks, sizeof quarks - 1);
    refusal(path);
    rates(path);
    ranks(path);
    clear(&s);
    return facts_end();
}
