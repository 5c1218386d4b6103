/* test_usage.c - how the program behaves towards people and scripts: help, mistakes, exit statuses, JSON. */
#include "gpu/device.h"
#include "src/io/hdf5_file.h"
#include "tests/cli/program.h"
#include "tests/facts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Every line "  name  summary" of an overview. */
static void check_subcommands(const char *group)
{
    char overview[8192], *rest = overview;
    snprintf(overview, sizeof overview, "%s", text_string(&program_run("%s --help", group)->out));
    int found = 0;
    for (char *line; (line = strsep(&rest, "\n"));) {
        char name[32], usage[96], same[4096];
        if (sscanf(line, "  %31[a-z-] ", name) != 1 || strncmp(line, "  ", 2) != 0)
            continue;
        found++;
        snprintf(usage, sizeof usage, "usage: kiln %s%s%s", group, *group ? " " : "", name);
        const program_output *s = program_run("%s %s --help", group, name);
        snprintf(same, sizeof same, "%s", text_string(&s->out));
        fact(s->status == 0 && s->err.length == 0 && stdout_has(s, usage), "kiln %s %s --help: status 0, on stdout",
             group,
             name);
        s = program_run("%s help %s", group, name);
        fact(s->status == 0 && strncmp(text_string(&s->out), same, sizeof same - 1) == 0,
             "kiln %s help %s says the same", group, name);
        if (strcmp(name, "probe") != 0) {
            s = program_run("%s %s --devcie", group, name);
            fact(s->status == 2 && s->out.length == 0 && stderr_has(s, "unknown option \"--devcie\"")
                     && stderr_has(s, "--help"),
                 "kiln %s %s --devcie: status 2, and where help is", group, name);
        }
    }
    fact(found >= 4, "kiln %s --help lists the subcommands (%d)", group, found);
}

static const struct { const char *words, *message; } mistakes[] = {
    { "", "usage: kiln SUBCOMMAND" },
    { "probe", "usage: kiln probe SUBCOMMAND" },
    { "mesure", "unknown subcommand \"mesure\"; did you mean \"measure\"?" },
    { "--frob", "unknown option \"--frob\"" },
    { "help mesure", "did you mean \"measure\"?" },
    { "probe link", "unknown subcommand \"link\"; did you mean \"links\"?" },
    { "measure", "CONFIG... is missing" },
    { "measure --jsno x", "unknown option \"--jsno\"; did you mean \"--json\"?" },
    { "measure /dev/null --what plaquete", "\"plaquete\" is not one of" },
    { "measure /dev/null --what plaquete", "did you mean \"plaquette\"?" },
    { "measure x --what", "option \"--what\" needs a value" },
    { "measure x --what a --what b", "--what is given twice" },
    { "measure x --device gpu", "\"gpu\" is not one of auto, cpu, cuda, cuda:N: a GPU is cuda" },
    { "measure x --device cuda:x", "\"cuda:x\" is not one of" },
    { "measure x --device cuda:N", "\"cuda:N\": N is the number of a GPU" },
    { "bench --lattice 4,4,4,4 kernel", "\"kernel\" is not one of kernels, trajectory, solver; did you mean" },
    { "bench --lattice 4,4,4,4 solver", "options of bench solver follow its name" },
    { "measure x --threads 0", "--threads: 0 is outside the range from 1 to 4096" },
    { "measure x --threads two", "\"two\" is not an integer" },
    { "run", "kiln new " },
    { "run", "kiln run input/quickstart.yaml " },
    { "run", "./quickstart run " },
    { "run --quiet", "INPUT.yaml is missing" },
    { "check x --solver multigrid", "\"solver\" is a key of the input: --set monomials.N.solver=VALUE, where N " },
    { "run x --seed=5", "\"seed\" is a key of the input: --set random.seed=VALUE\n" },
    { "run x --trajectory 5", "start.trajectory=VALUE; did you mean \"--trajectories\"?" },
    { "new --family hisq-2+1 x", "unexpected argument \"x\"" },
    { "run x --trajectories -1", "--trajectories: -1 is outside the range from 0 to 4294967295\n" },
    { "tune x --thermalization 1000001", "--thermalization: 1000001 is outside the range from 0 to 1000000\n" },
    { "tune /dev/null --output ''", "--output \"\": expected a name, found an empty one; give a name" },
    { "tune /dev/null --checkpoint ''", "--checkpoint \"\": expected a name, found an empty one; give a name" },
    { "tune /dev/null --directory ''", "--directory \"\": expected the name of a folder, found an empty one" },
    { "tune /dev/null --lengths 1 --streams ''",
      "--streams \"\": expected the name of a folder, found an empty one" },
    { "tune x --target 0.995", "--target: 0.995 is outside the range from 0.05 to 0.99\n" },
    { "version --help=roff", "\"roff\" is not one of text, man, names, bash, zsh" },
    { "probe --help=roff", "\"roff\" is not one of text, man, names, bash, zsh" },
    { "probe apply --help=roff", "\"roff\" is not one of text, man, names, bash, zsh" },
    { "version extra", "unexpected argument \"extra\"" },
    { "probe energy /dev/null --beta 6", "--action A is missing" },
    { "probe energy /dev/null --action wilson", "--beta B is missing" },
    { "probe energy x --action wilsen --beta 6", "did you mean \"wilson\"?" },
    { "probe solve x y --operator wilson --source s --mass 0 --solver multigrid", "did you mean --method multigrid?" },
    { "probe solve x y --operator wilson --source s --mass 0 --method double-half",
      "did you mean --solver double-half?" },
    { "probe energy x --action wilson --beta 0x6", "\"0x6\" is not a number: write it in decimal" },
    { "probe energy /dev/null --action wilson --beta 6 --u0 0.9", "action wilson has no u0" },
    { "probe gauge-force /dev/null --action symanzik_1loop --beta 6 y", "needs u0" },
    { "probe trajectory /dev/null y --momenta /dev/null --input /nowhere/in.yaml", "/nowhere/in.yaml" },
};

static void check_mistakes(void)
{
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        const program_output *s = program_run("%s", mistakes[i].words);
        fact(s->status == 2 && s->out.length == 0 && stderr_has(s, mistakes[i].message), "kiln %s: status 2: %s",
             mistakes[i].words, mistakes[i].message);
    }
}

static void check_json(const char *words, const char *key)
{
    const program_output *s = program_run("%s", words);
    yaml_node *tree = output_json(s);
    fact(s->status == 0 && tree && json_scalar(tree, key), "kiln %s prints JSON with the key %s", words, key);
    yaml_tree_free(tree);
}

/* What a report of an error needs. */
static void check_version(void)
{
    static const char *const keys[] = { "configure", "compiler", "mpi", "nvcc", "libraries.glibc", "libraries.openmp",
                                        "machine.kernel", "machine.cpu", "machine.cores", "machine.memory_bytes" };
    const char odd[] = "a=\"b\", c";
    setenv("KILN_TEST_OF_VERSION", odd, 1);
    setenv("TEST_OF_VERSION", odd, 1);
    const program_output *s = program_run("version --json");
    yaml_node *tree = output_json(s);
    for (size_t i = 0; tree && i < sizeof keys / sizeof *keys; i++)
        fact(json_scalar(tree, keys[i]), "kiln version --json has %s", keys[i]);
    fact(json_number(tree, "machine.cores") >= 1 && json_number(tree, "machine.memory_bytes") > 1e6,
         "the machine has cores and memory");
    const char *found = json_scalar(tree, "environment.KILN_TEST_OF_VERSION");
    fact(found && strcmp(found, odd) == 0, "a variable of Kiln's is reported as it is");
    fact(tree && !json_scalar(tree, "environment.TEST_OF_VERSION"), "one of another program's is not");
    const char *hdf5 = json_scalar(tree, "libraries.hdf5");
    int part[3];
    char line[80];
    snprintf(line, sizeof line, "  %-16s %s\n", "HDF5", hdf5_version() ? hdf5_version() : "none");
    fact(hdf5_version() ? hdf5 && strcmp(hdf5, hdf5_version()) == 0
                              && sscanf(hdf5, "%d.%d.%d", &part[0], &part[1], &part[2]) == 3
                        : hdf5 && strcmp(hdf5, "null") == 0,
         "the version of HDF5, or null in a program without it");
    yaml_tree_free(tree);
    s = program_run("version");
    fact(stdout_has(s, line), "the text names HDF5, too");
    fact(s->status == 0 && stdout_has(s, "KILN_TEST_OF_VERSION=a=\"b\", c\n"), "also without --json");
    unsetenv("KILN_TEST_OF_VERSION");
    unsetenv("TEST_OF_VERSION");
}

static void check_devices(void)
{
    failure none;
    const program_output *s = program_run("selftest --device cuda:99");
    fact(s->status == 1 && stderr_has(s, "--device cuda") && stderr_has(s, "--device cpu"),
         "a GPU that is not there: status 1, and what to do");
    bool gpu = device_count(&none) > 0;
    s = program_run("selftest --json");
    if (gpu)
        fact(stderr_has(s, "device: GPU 0"), "auto takes the GPU and says so");
    else
        fact(stderr_has(s, "device: CPU") && stderr_has(s, "no usable GPU"), "auto takes the CPU and says why");
    yaml_node *tree = output_json(s);
    fact(s->status == 0 && json_number(tree, "failed") == 0 && json_number(tree, "passed") > 40,
         "the self-test passes");
    yaml_tree_free(tree);
}

int main(void)
{
    if (!program_is_there())
        return facts_end();
    check_subcommands("");
    check_subcommands("probe");
    check_mistakes();
    check_json("version --json", "libraries.yaml");
    check_json("version --json", "cpu_vector_bits");
    check_json("version --json", "cpu_fused");
    check_version();
    check_devices();
    const program_output *s = program_run("--version");
    fact(s->status == 0 && stdout_has(s, "kiln ") && stdout_has(s, "GSL"), "kiln --version is kiln version");
    s = program_run("bench solver methods --lattice 2,2,2,2 --heatbath 1 --quarks wilson --kappas 0.12 --method cg "
                    "--precisions double");
    fact(s->status == 0 && stdout_has(s, "\nmass 0.166667: kappa 0.12\n"),
         "a mass that --kappas gives has its kappa in the table");
    s = program_run("bench solver --help");
    fact(stdout_has(s, "for --quarks wilson also multigrid"), "the help of bench solver names multigrid");
    s = program_run("version >/dev/full");
    fact(s->status == 1 && stderr_has(s, "cannot write the results"), "results that cannot be written: status 1");
    return facts_end();
}
