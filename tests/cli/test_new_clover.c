/* test_new_clover.c - kiln new, families of clover quarks: parameters are those of published runs, and inputs run.
 *
 * SLiNC: the names of QCDSF's configurations have beta, kappa of light and strange quarks, and c_sw.  Exponential
 * clover term: examples of openQCD have beta, kappa, c_sw, gamma and the step of SMD. */
#include "tests/cli/new_written.h"
#include "tests/cli/program.h"
#include "tests/facts.h"
#include "tests/io/scratch.h"

#include <math.h>

static scratch files;

/* "b5p50" for 5.5 with two digits, "kp120900" for 0.1209 with six. */
static void add_part(char *name, size_t size, const char *letter, double value, int digits)
{
    const size_t start = strlen(name);
    if (value < 1)
        snprintf(name + start, size - start, "%sp%06.0f", letter, value * pow(10, digits));
    else
        snprintf(name + start, size - start, "%s%.0fp%0*.0f", letter, floor(value), digits,
                 (value - floor(value)) * pow(10, digits));
}

static const struct { const char *words, *name; } slinc[] = {
    { "--pion 470", "b5p50kp120900kp120900c2p6500" },
    { "--light 0.121040 --strange 0.120620 --lattice 32,32,32,64", "b5p50kp121040kp120620c2p6500" },
};

static void check_slinc(void)
{
    for (size_t i = 0; i < sizeof slinc / sizeof *slinc; i++) {
        char words[128], name[128] = "";
        snprintf(words, sizeof words, "--family slinc-2+1 --beta 5.5 %s", slinc[i].words);
        char *input = new_written(words);
        add_part(name, sizeof name, "b", new_number(input, "of the source: ", 0), 2);
        add_part(name, sizeof name, "k", new_number(input, "{ flavors: 2, kappa: ", 0), 6);
        add_part(name, sizeof name, "k", new_number(input, "        kappa: ", 1), 6);
        add_part(name, sizeof name, "c", new_number(input, "c_sw: ", 0), 4);
        fact(strcmp(name, slinc[i].name) == 0, "%s: the parameters are those in the name of the configurations, %s: %s",
             words, slinc[i].name, name);
        fact_close(new_number(input, "    beta: ", 0), 3.3, 1e-12, "10/g^2 = 5.5 is written as 6/g^2");
        fact(new_count(input, "clover_links: thin") == 3 && new_count(input, "stout: { levels: 1, rho: 0.1 }") == 3
                 && new_number(input, "c_sw: ", 2) == 2.65,
             "the same clover term on thin links in both monomials and the measurement");
        fact(new_count(input, "smd:") == 0 && new_count(input, "trajectory_length: 1.0") == 1, "by hybrid Monte Carlo");
        free(input);
    }
}

static const struct { const char *words; double light, strange; } exponential[] = {
    { "--pion 412", 0.138963, 0.138963 },
    { "--light 0.1392888 --strange 0.1383160 --lattice 32,32,32,96", 0.1392888, 0.1383160 },
};

static void check_exponential(void)
{
    for (size_t i = 0; i < sizeof exponential / sizeof *exponential; i++) {
        char words[128];
        snprintf(words, sizeof words, "--family expclover-2+1 --beta 3.8 %s", exponential[i].words);
        char *input = new_written(words);
        fact(new_number(input, "{ flavors: 2, kappa: ", 0) == exponential[i].light
                 && new_number(input, "        kappa: ", 1) == exponential[i].strange
                 && new_number(input, "    beta: ", 0) == 3.8,
             "%s: kappa and beta of an example of openQCD", words);
        fact(new_count(input, "c_sw: 1.955242") == 3 && new_count(input, "clover: exponential") == 3,
             "and its clover term, in both monomials and the measurement");
        const double gamma = new_number(input, "gamma: ", 0), length = new_number(input, "trajectory_length: ", 0);
        fact_close(gamma * length, 0.3 * 0.31, 1e-6, "a refresh keeps the same fraction of momenta");
        fact_close(length * sqrt(2), 0.31, 1e-6, "after a step of the same length in its unit of time");
        fact(new_number(input, "every: ", 0) == 50 && new_number(input, "every: ", 1) == 50
                 && new_number(input, "configuration_every: ", 0) == 50
                 && new_number(input, "checkpoint_every: ", 0) == 25 && new_number(input, "thermalization: ", 0) == 250,
             "numbers of trajectories are five times those of hybrid Monte Carlo, for the same time");
        free(input);
    }
}

static void check_json(void)
{
    const char *thin = "--family slinc-2+1 --beta 5.5 --pion 470", *folder = files.folder;
    const char *smd = "--family expclover-2+1 --beta 3.8 --pion 412";
    fact(new_chosen(folder, thin, "stout_levels") == 1 && new_chosen(folder, thin, "stout_rho") == 0.1
             && isnan(new_chosen(folder, thin, "smd_gamma")), "JSON has the stout links, which are no SMD");
    fact(fabs(new_chosen(folder, smd, "smd_gamma") - 0.3 * sqrt(2)) < 1e-12
             && fabs(new_chosen(folder, smd, "smd_length") - 0.31 / sqrt(2)) < 1e-12
             && isnan(new_chosen(folder, smd, "stout_levels")), "or gamma and the length of SMD");
    static const struct { const char *words, *form, *links; } forms[] = {
        { "slinc-2+1 --beta 5.5 --pion 470", "linear", "thin" },
        { "expclover-2+1 --beta 3.8 --pion 412", "exponential", NULL },
        { "wilson-2 --beta 5.6 --pion 760", NULL, NULL },
    };
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        yaml_node *tree = output_json(program_run("new --json --output '%s/form%zu.yaml' --family %s", folder, i,
                                                  forms[i].words));
        const char *form = json_scalar(tree, "clover"), *links = json_scalar(tree, "clover_links");
        fact(strcmp(form ? form : "", forms[i].form ? forms[i].form : "null") == 0
                 && strcmp(links ? links : "", forms[i].links ? forms[i].links : "null") == 0,
             "%s: clover %s, clover_links %s", forms[i].words, form, links);
        yaml_tree_free(tree);
    }
}

/* ---- inputs that were written run */

static const char *const runs[] = {
    "clover-2 --spacing 0.0755 --pion 492", "slinc-2+1 --spacing 0.074 --pion 470",
    "expclover-2+1 --spacing 0.094 --pion 412",
};

static void check_runs(void)
{
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        char name[32];
        snprintf(name, sizeof name, "run%zu.yaml", i);          /* and its ensemble */
        const char *path = scratch_path(&files, name);
        program_run("new --family %s --lattice 4,4,4,4 --seed 3 --output '%s'", runs[i], path);
        const program_output *s = program_run("run '%s' --device cpu --threads 1 --trajectories 2 --set "
                                              "hmc.levels.0.steps=2", path);
        fact(s->status == 0 && stderr_has(s, "trajectory 2/2"), "%s: kiln run starts from the input of kiln new",
             runs[i]);
    }
}

int main(void)
{
    if (!program_is_there())
        return facts_end();
    files = scratch_create();
    check_slinc();
    check_exponential();
    check_json();
    check_runs();
    scratch_remove(&files);
    return facts_end();
}
