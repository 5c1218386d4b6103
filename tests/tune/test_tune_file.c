/* test_tune_file.c - kiln tune: the file it writes is the user's with other values, and what it will not do. */
#include "tests/cli/program.h"
#include "tests/facts.h"
#include "tests/io/scratch.h"

#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

static const char input[] =
    "# steps by guess\n"
    "lattice: [4, 4, 4, 4]   # small\n"
    "random: { seed: 7 }\n"
    "start: { from: hot, heatbath: { sweeps: 20 } }\n"
    "monomials:\n"
    "  - { kind: gauge, name: gauge, action: wilson, beta: 5.7 }\n"
    "hmc:\n"
    "  trajectory_length: 1\n"
    "  levels:\n"
    "    - { integrator: omelyan, steps: 50, monomials: [gauge] }   # far too many\n"
    "  trajectories: 3\n"
    "output: { directory: ensemble, name: cfg }\n";

static char folder[256];

static const char *file(const char *name)
{
    static char path[4][600];
    static int last;
    last = (last + 1) % 4;
    snprintf(path[last], sizeof path[last], "%s/%s", folder, name);
    return path[last];
}

static bool contains(const char *path, const char *piece)
{
    blob b = blob_read(path);
    if (!b.bytes)
        return false;
    b.bytes[b.n] = 0;
    const bool found = strstr((char *)b.bytes, piece) != NULL;
    free(b.bytes);
    return found;
}

static void tuned(void)
{
    const program_output *s = program_run("tune '%s' --output '%s' --thermalization 2 --learn 6 --prove 6 --quiet "
                                          "--json "
                                          "--device cpu",
                                          file("input.yaml"), file("tuned.yaml"));
    yaml_node *tree = output_json(s);
    const bool reached = tree && json_scalar(tree, "reached") && strcmp(json_scalar(tree, "reached"), "true") == 0;
    fact(tree && s->status == !reached, "the status says whether the target was reached");
    const double steps = json_number(tree, "tuned.levels.0.steps");
    fact(steps >= 1 && steps < 25, "%.0f steps in the place of 50", steps);
    fact(json_number(tree, "tuned.predicted.trajectory_seconds")
             < json_number(tree, "before.predicted.trajectory_seconds"), "they cost less");
    const double errors = json_number(tree, "proofs.0.exp_minus_dH_errors_from_1");
    const double e = json_number(tree, "proofs.0.exp_minus_dH"), by = json_number(tree, "proofs.0.exp_minus_dH_error");
    const char *verdict = json_scalar(tree, "proofs.0.exp_minus_dH_agrees");
    fact(verdict && fabs(errors - fabs(e - 1) / by) < 1e-9 && (strcmp(verdict, "true") == 0) == (errors <= 3),
         "<exp(-dH)> is held against 1: %g +- %g agrees: %s", e, by, verdict ? verdict : "not told");
    yaml_tree_free(tree);
    fact(contains(file("tuned.yaml"), "errors from 1: "), "in the evidence, too");
    fact(contains(file("tuned.yaml"), "# steps by guess\nlattice: [4, 4, 4, 4]   # small\n")
             && contains(file("tuned.yaml"), "}   # far too many\n"), "the user's comments are still there");
    fact(contains(file("tuned.yaml"), "input digest 0x") && contains(file("tuned.yaml"), "# verified by"),
         "so is the evidence");
    s = program_run("check '%s' --json", file("tuned.yaml"));
    tree = output_json(s);
    fact(tree && json_number(tree, "parameters.hmc.levels.0.steps") == steps
             && strlen(json_scalar(tree, "parameters.hmc.tuning")) > 10, "the new input has these steps, and says so");
    yaml_tree_free(tree);
}

/* A relative output.directory counts from the folder of the input. */
static void elsewhere(void)
{
    char directory[600] = "";
    mkdir(file("other"), 0777);
    program_run("tune '%s' --output '%s' --thermalization 0 --learn 2 --prove 0 --quiet --device cpu",
                file("input.yaml"),
                file("other/tuned.yaml"));
    const program_output *s = program_run("check '%s' --json", file("input.yaml"));
    yaml_node *tree = output_json(s);
    if (tree)
        snprintf(directory, sizeof directory, "%s", json_scalar(tree, "parameters.output.directory"));
    yaml_tree_free(tree);
    s = program_run("check '%s' --json", file("other/tuned.yaml"));
    tree = output_json(s);
    fact(tree && *directory && strcmp(json_scalar(tree, "parameters.output.directory"), directory) == 0,
         "written into another folder, the new input makes its ensemble in the same folder, %s", directory);
    yaml_tree_free(tree);
    fact(contains(file("tuned.yaml"), "directory: ensemble,"), "in the same folder a relative path stays as it is");
    unlink(file("other/tuned.yaml"));
    rmdir(file("other"));
}

/* The same command, twice. */
static void continued(void)
{
    const char *command = "tune '%s' --output '%s' --checkpoint '%s' --thermalization 2 --learn 3 --prove %d "
                          "--keep-integrator --device cpu";
    program_run(command, file("input.yaml"), file("continued.yaml"), file("learned"), 0);
    fact(contains(file("continued.yaml"), "not verified"), "a tuning without proof");
    const program_output *s = program_run(command, file("input.yaml"), file("continued.yaml"), file("learned"), 2);
    fact(stderr_has(s, "continued from "), "continues");
    fact(contains(file("continued.yaml"), "verified by 2 trajectories"), "and replaces the input that it wrote");
    s = program_run("tune '%s' --set monomials.0.beta=5.6 --output '%s' --checkpoint '%s' --device cpu",
                    file("input.yaml"), file("continued.yaml"), file("learned"));
    fact(s->status == 1 && stderr_has(s, "exists already with other content")
             && contains(file("continued.yaml"), "verified by 2 trajectories"), "but not one tuned from another input");
    s = program_run("tune '%s' --directory '%s' --output '%s' --checkpoint '%s' --device cpu", file("input.yaml"),
                    file("copy"), file("continued.yaml"), file("learned"));
    fact(s->status == 1 && stderr_has(s, "as the tuned input of another ensemble (output.directory ")
             && stderr_has(s, "choose another --output, or move the file")
             && contains(file("continued.yaml"), "directory: ensemble,"),
         "nor the one of an ensemble in another folder: %s", text_string(&s->err));
    blob_write(file("continued.link"), "", 0);
    program_run(command, file("input.yaml"), file("continued.link"), file("learned"), 2);
    fact(contains(file("continued.link"), "verified by 2 trajectories"), "an empty file gives way");
    unlink(file("continued.link"));
    fact(symlink("/dev/null", file("continued.link")) == 0, "a link to a device");
    s = program_run(command, file("input.yaml"), file("continued.link"), file("learned"), 2);
    fact(s->status == 1 && stderr_has(s, "is a device, not a file"), "does not: %s",
         text_string(&s->err));
    unlink(file("continued.link"));
    s = program_run(command, file("input.yaml"), file("input.yaml"), file("learned"), 2);
    fact(s->status == 1 && contains(file("input.yaml"), "# steps by guess"), "and no other file");
    program_run("tune '%s' --output '%s' --thermalization 2 --learn 2 --prove 0 --device cpu", file("input.yaml"),
                file("continued.yaml"));
    fact(contains(file("continued.yaml"), "verified by 2 trajectories"), "without a checkpoint none");
    unlink(file("continued.yaml"));
}

static void refused(void)
{
    const program_output *s = program_run("tune '%s' --output '%s' --device cpu", file("input.yaml"),
                                          file("tuned.yaml"));
    fact(s->status == 1 && stderr_has(s, "exists already"), "a file that is there is not written over");
    program_run("run '%s' --set output.directory='%s' --set hmc.levels.0.steps=4 --quiet --device cpu",
                file("input.yaml"), file("ensemble"));
    s = program_run("tune '%s' --set output.directory='%s' --set hmc.levels.0.steps=4 --device cpu", file("input.yaml"),
                    file("ensemble"));
    fact(s->status == 1 && stderr_has(s, "3 trajectories after thermalization"),
         "an ensemble in production keeps its integrator");
    s = program_run("tune '%s' --set output.directory='%s' --set hmc.levels.0.steps=4 --directory new --learn 2 "
                    "--prove 0 --quiet --device cpu --json", file("input.yaml"), file("ensemble"));
    fact(stdout_has(s, "cfg.checkpoint.000003.lime"), "for a new folder its newest links are good to learn from");
    s = program_run("tune '%s' --set hmc.levels='[]' --set quenched='{ refresh: 1 }' --device cpu",
                    file("input.yaml"));
    fact(s->status != 0, "without an integrator there is nothing to tune");
}

int main(void)
{
    if (!program_is_there())
        return facts_end();
    scratch s = scratch_create();
    memcpy(folder, s.folder, sizeof folder);
    blob_write(file("input.yaml"), input, sizeof input - 1);
    tuned();
    elsewhere();
    continued();
    refused();
    scratch inner = s;
    snprintf(inner.folder, sizeof inner.folder, "%.240s/learned", s.folder);
    scratch_remove(&inner);
    snprintf(inner.folder, sizeof inner.folder, "%.240s/ensemble", s.folder);
    scratch_remove(&inner);
    scratch_remove(&s);
    return facts_end();
}
