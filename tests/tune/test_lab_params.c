/* test_lab_params.c - the digest of what trials use: it depends on every key of the input but those that a lab does not
 * get, and on the content of files. */
#include "actions/staggered_params.h"
#include "src/hmc/run_input.h"
#include "src/tune/lab_params.h"
#include "tests/facts.h"
#include "tests/io/scratch.h"
#include "tests/tune/tuned_input.h"

#include <string.h>

static const char staggered[] =
    "lattice: [4, 4, 4, 4]\n"
    "random: { seed: 35 }\n"
    "monomials:\n"
    "  - { kind: gauge, name: gauge, action: symanzik_tree, beta: 6.5 }\n"
    "  - kind: staggered\n"
    "    name: quarks\n"
    "    determinants: [ { quarks: [ { mass: 0.4, flavors: 2 } ] } ]\n"
    "    residuals: { refresh: 1e-8, action: 1e-8, force: 1e-6 }\n"
    "    errors: { refresh: 1e-8, action: 1e-8, force: 1e-6 }\n"
    "hmc:\n"
    "  trajectory_length: 0.5\n"
    "  levels: [ { integrator: omelyan, steps: 3, monomials: [quarks, gauge] } ]\n"
    "  trajectories: 100\n"
    "output: { directory: unused }\n";

/* The digest with a value of --set, and with a file of rational functions, whatever its content is; NULL: none. */
static uint64_t digest_with(const char *path, const char *set, char *rational_file)
{
    run_input in;
    fault_list faults = { 0 };
    char *sets[] = { (char *)set };
    require(run_input_read(&in, path, sets, set ? 1 : 0, &faults), "%s", text_string(&faults.lines));
    staggered_params *quarks = (staggered_params *)run_monomial_params(&in.p, 1);
    char *none = quarks->rational_file;
    const lattice_shape shape = run_shape(&in.p);
    lattice *l = lattice_create(&shape);
    if (rational_file)
        quarks->rational_file = rational_file;
    const uint64_t digest = lab_params_digest(&in.p, l);
    quarks->rational_file = none;
    lattice_free(l);
    fault_list_free(&faults);
    run_input_free(&in);
    return digest;
}

static void write_file(const char *path, const char *content)
{
    blob_write(path, content, strlen(content));
}

int main(void)
{
    static const char *const used[] = {
        "monomials.1.solver=double", "monomials.1.max_iterations=777", "monomials.1.residuals.force=1e-7",
        "monomials.0.beta=6.6", "hmc.trajectory_length=0.6", "hmc.start_action_every=2", "random.seed=36",
        "hmc.levels.0.steps=4",
    }, *const unused[] = {
        "hmc.trajectories=7", "hmc.tuning=by hand", "output.directory=elsewhere", "output.bits=32",
        "output.lfn=lfn://a", "output.configuration_every=3", "output.checkpoint_every=3", "output.name=other",
        "sdc_check.rate=0.5", "measurements=[ { kind: polyakov } ]",
    };
    scratch files = scratch_create();
    char path[sizeof files.path], file[sizeof files.path];
    snprintf(path, sizeof path, "%s", input_to_tune(&files, staggered));
    const uint64_t given = digest_with(path, NULL, NULL);
    for (size_t i = 0; i < sizeof used / sizeof *used; i++)
        fact(digest_with(path, used[i], NULL) != given, "trials depend on %s", used[i]);
    for (size_t i = 0; i < sizeof unused / sizeof *unused; i++)
        fact(digest_with(path, unused[i], NULL) == given, "but not on %s", unused[i]);
    snprintf(file, sizeof file, "%s", scratch_path(&files, "rational"));
    write_file(file, "one");
    const uint64_t one = digest_with(path, NULL, file);
    fact(one != given && one == digest_with(path, "hmc.trajectories=7", file), "they depend on the name of a file");
    write_file(file, "two");
    fact(digest_with(path, NULL, file) != one, "and on its content");
    write_file(file, "one");
    fact(digest_with(path, NULL, file) == one, "alone");
    run_params p = { .file = "input.yaml", .output = { .directory = "unused", .name = "cfg" },
                     .measurements = { .count = 1 }, .hmc = { .length = 0.5, .trajectories = 100 } };
    const run_params of_lab = lab_params(&p);
    fact(!*of_lab.output.directory && !*of_lab.output.name && !*of_lab.file && of_lab.measurements.count == 0
         && of_lab.hmc.trajectories == 0 && of_lab.hmc.length == 0.5,
         "a lab gets none of the keys that its trials do not depend on");
    scratch_remove(&files);
    return facts_end();
}
