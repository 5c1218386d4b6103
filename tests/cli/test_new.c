/* test_new.c - kiln new: inputs for every family pass kiln check; bare parameters agree with numbers of the literature
 * that are not in its tables; what cannot work is refused, and risks give warnings. */
#include "tests/cli/new_written.h"
#include "tests/cli/program.h"
#include "tests/facts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[256];

/* The path of a file in the folder of this test: the last eight stay valid. */
static const char *path_of(const char *name)
{
    static char paths[8][512];
    static int next;
    char *path = paths[next++ % 8];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

static bool is_there(const char *path)
{
    return access(path, F_OK) == 0;
}

static double written(const char *words, const char *key, int nth)
{
    const program_output *s = program_run("new --output - %s", words);
    return s->status == 0 ? new_number(text_string(&s->out), key, nth) : NAN;
}

/* ---- every family */

static const struct { const char *name, *words; } families[] = {
    { "quenched", "--spacing 0.1" },
    { "quenched", "--beta 6.0 --lattice 8,8,8,16" },
    { "hisq-2+1", "--spacing 0.1 --pion 160" },
    { "hisq-2+1+1", "--spacing 0.0879 --pion 220" },
    { "hisq-2+1+1", "--spacing 0.1 --pion 300" },
    { "hisq-2+1+1", "--beta 6.1 --light 0.008" },
    { "hisq-2+1+1", "--spacing 0.0426 --pion 134" },
    { "dwf-2", "--spacing 0.117 --pion 500 --lattice 16,16,16,32" },
    { "dwf-2+1", "--spacing 0.1106 --pion 340" },
    { "dwf-2+1", "--spacing 0.114 --pion 139 --size 5.4" },
    { "dwf-2+1", "--beta 2.25 --light 0.007" },
    { "wilson-2", "--spacing 0.0717 --pion 600" },
    { "wilson-2", "--beta 5.4 --light 0.160 --lattice 16,16,16,32" },
    { "clover-2", "--spacing 0.0658 --pion 300" },
    { "clover-2", "--beta 5.7 --light 0.136 --lattice 32,32,32,64" },
    { "clover-2+1", "--spacing 0.0907 --pion 296" },
    { "clover-2+1", "--spacing 0.0643 --pion 300" },
    { "clover-2+1", "--beta 3.46 --pion 417" },
    { "aniclover-2+1", "--spacing 0.12 --pion 391" },
    { "aniclover-2+1", "--beta 1.5 --light=-0.0852" },
    { "slinc-2+1", "--spacing 0.074 --pion 470" },
    { "slinc-2+1", "--beta 5.5 --light 0.121040 --strange 0.120620 --lattice 32,32,32,64" },
    { "expclover-2+1", "--spacing 0.094 --pion 412" },
    { "expclover-2+1", "--beta 3.8 --light 0.1392888 --strange 0.1383160 --lattice 32,32,32,96" },
    { "tmclover-2", "--spacing 0.09 --pion 134" },
    { "tmclover-2", "--spacing 0.0914 --pion 400 --extrapolate" },
    { "tm-2+1+1", "--spacing 0.062 --pion 256" },
    { "tm-2+1+1", "--beta 1.95 --light 0.0085" },
    { "tmclover-2+1+1", "--spacing 0.0796 --pion 260" },
    { "tmclover-2+1+1", "--beta 1.836 --pion 137 --lattice 80,80,80,160" },
    { "quenched", "--spacing 0.09 --lattice 4,4,4,8" },
};

static void check_families(void)
{
    for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
        const char *path = path_of("new.yaml");
        remove(path);
        const program_output *s = program_run("new --family %s %s --output '%s' </dev/null", families[i].name,
                                              families[i].words,
                                    path);
        fact(s->status == 0 && stderr_has(s, "kiln check") && stderr_has(s, "kiln plan") && stderr_has(s, "kiln run"),
             "kiln new --family %s %s writes an input, and says what to do next", families[i].name, families[i].words);
        s = program_run("check '%s'", path);
        fact(s->status == 0 && s->err.length == 0, "which passes kiln check without a warning: %s",
             text_string(&s->err));
    }
}

static void check_list(void)
{
    const program_output *s = program_run("new --list");
    bool all = s->status == 0;
    for (size_t i = 0; i < sizeof families / sizeof *families; i++)
        all = all && stdout_has(s, families[i].name);
    fact(all && stdout_has(s, "arXiv:1212.4768"), "kiln new --list shows all families and sources");
    fact(stdout_has(s, "not confirmed: u0 (approximate; compare with the paper before production)"),
         "and which numbers no second source confirms");
}

/* ---- numbers that the program does not have */

/* r0/a as measured at these couplings: Necco and Sommer, hep-lat/0108008, table 2. */
static const struct { double beta, r0; } measured_r0[] = {
    { 5.95, 4.898 }, { 6.07, 6.033 }, { 6.20, 7.380 }, { 6.40, 9.74 }, { 6.57, 12.18 },
};

/* The strange mass of HotQCD's simulations, arXiv:1407.6387 (an earlier line of constant physics: within 3 %). */
static const struct { double beta, strange; } simulated_strange[] = {
    { 6.195, 0.0880 }, { 6.354, 0.0728 }, { 6.488, 0.0620 }, { 6.740, 0.0476 }, { 6.880, 0.0412 },
};

/* Ensembles that are not in the tables: CalLat's with HISQ quarks (arXiv:2011.12166: a12m180L, a15m350, a12m350,
 * a09m400, named for their pions), CLS's A4. */
static const struct { const char *words, *key; double value, tolerance; } between[] = {
    { "--family hisq-2+1+1 --beta 6.0 --pion 180", "{ mass: ", 0.00339, 0.04 },
    { "--family hisq-2+1+1 --beta 5.8 --pion 350 --extrapolate", "{ mass: ", 0.0166, 0.04 },
    { "--family hisq-2+1+1 --beta 6.0 --pion 350 --extrapolate", "{ mass: ", 0.0130, 0.04 },
    { "--family hisq-2+1+1 --beta 6.3 --pion 400 --extrapolate", "{ mass: ", 0.0124, 0.05 },
    { "--family clover-2 --beta 5.2 --pion 386", "kappa: ", 0.13590, 3e-5 },
};

/* c_sw as published with the ensembles, not by the function of beta. */
static const struct { const char *words; double c_sw; } clover[] = {
    { "--family clover-2 --beta 5.2 --pion 331", 2.01715 }, { "--family clover-2 --beta 5.3 --pion 311", 1.90952 },
    { "--family clover-2 --beta 5.5 --pion 340", 1.75150 }, { "--family clover-2+1 --beta 3.4 --pion 354", 1.986246 },
    { "--family clover-2+1 --beta 3.55 --pion 345", 1.824865 },
};

/* ETM's names of ensembles on 48^3x96 and 24^3x48: kappa differs between physical and heavier pions. */
static const struct { const char *words; double kappa; } twisted[] = {
    { "--family tmclover-2 --beta 2.1 --light 0.0009", 0.137290 },
    { "--family tmclover-2 --beta 2.1 --light 0.003", 0.1373 },
    { "--family tmclover-2 --beta 2.1 --pion 341", 0.1373 },
};

static void check_numbers(void)
{
    char words[256];
    for (size_t i = 0; i < sizeof measured_r0 / sizeof *measured_r0; i++) {
        snprintf(words, sizeof words, "--family quenched --spacing %.9g --lattice 8,8,8,8", 0.5 / measured_r0[i].r0);
        fact_close(written(words, "    beta: ", 0), measured_r0[i].beta, 0.01, "quenched: beta at r0/a = %g",
                   measured_r0[i].r0);
    }
    for (size_t i = 0; i < sizeof simulated_strange / sizeof *simulated_strange; i++) {
        const double strange = simulated_strange[i].strange;
        snprintf(words, sizeof words, "--family hisq-2+1 --beta %g --pion 160", simulated_strange[i].beta);
        fact_close(written(words, "{ mass: ", 1), strange, 0.03 * strange, "hisq-2+1: the strange mass at beta %g",
                   simulated_strange[i].beta);
        fact_close(written(words, "{ mass: ", 0) / written(words, "{ mass: ", 1), 1. / 20, 2e-5,
                   "and the light one is a twentieth for pions of 160 MeV");
        fact_close(written(words, "    beta: ", 0), 0.6 * simulated_strange[i].beta, 1e-9,
                   "and 10/g^2 = %g is written as 6/g^2", simulated_strange[i].beta);
    }
    for (size_t i = 0; i < sizeof between / sizeof *between; i++)
        fact_close(written(between[i].words, between[i].key, 0), between[i].value,
                   between[i].tolerance * between[i].value,
                   "%s: %s agrees with an ensemble that kiln new does not know", between[i].words, between[i].key);
    for (size_t i = 0; i < sizeof clover / sizeof *clover; i++)
        fact_close(written(clover[i].words, "c_sw: ", 0), clover[i].c_sw, 1e-5, "%s: c_sw as published",
                   clover[i].words);
    for (size_t i = 0; i < sizeof twisted / sizeof *twisted; i++)
        fact_close(written(twisted[i].words, "kappa: ", 0), twisted[i].kappa, 1e-9, "%s: kappa of these ensembles",
                   twisted[i].words);
    for (size_t i = 0; i < sizeof twisted / sizeof *twisted; i++) {
        const double kappa = written(twisted[i].words, "kappa: ", 0), mu = written(twisted[i].words, "mu: ", 0);
        const double told = written(twisted[i].words, "2 kappa mu = ", 0);
        fact_close(told / (2 * kappa * mu), 1, 1e-5, "%s: the comment has the twist of the hopping normalization, "
                   "2 kappa mu", twisted[i].words);
    }
    /* Between 6.72 and 7.00, where ensembles with a tenth are missing, the heavier pions are those of a fifth. */
    const char *fifth = "--family hisq-2+1+1 --beta 6.86 --pion 322";
    fact_close(written(fifth, "{ mass: ", 0) / written(fifth, "{ mass: ", 1), 0.2, 1e-4,
               "%s: between ensembles with one ratio of masses", fifth);
    /* m_pi^2 is linear in m + m_res: RBC and UKQCD's m_res = 0.000666. */
    const double near = 0.004 + 0.000666, far = written("--family dwf-2+1 --spacing 0.0828 --pion 200 --extrapolate",
                                                         "mass: ", 0) + 0.000666;
    fact_close(far / near, pow(200. / 304, 2), 1e-3, "an extrapolated domain-wall mass is m_pi^2 / B - m_res");
}

/* ---- what is refused */

static const struct { const char *words, *message; } refused[] = {
    { "--family quenched", "give either a lattice spacing (--spacing) or a coupling (--beta)" },
    { "--family quenched --spacing 0.1 --beta 6", "a lattice spacing (--spacing) or a coupling (--beta), not both" },
    { "--family quenched --spacing 0.1 --pion 300", "quenched has no quarks" },
    { "--family quenched --spacing 0.3", "spacing 0.3 fm: no parameters of quenched are known there" },
    { "--family quenched --spacing 0.02", "allowed: 0.027 to 0.170 fm" },
    { "--family hisq-2+1+1 --spacing 0.1", "give either a pion mass (--pion) or the light quarks' mass (--light)" },
    { "--family hisq-2+1+1 --spacing 0.12 --pion 300 --light 0.01", "the light quarks' mass (--light), not both" },
    { "--family hisq-2+1+1 --spacing 0.2 --pion 300", "does not extrapolate in the spacing" },
    { "--family hisq-2+1+1 --spacing 0.12 --pion 500", "have 132 to 305 MeV" },
    { "--family hisq-2+1+1 --beta 5 --pion 300", "allowed: 5.8, 6, 6.3, 6.72, 7, 5.8 to 7" },
    { "--family dwf-2+1 --spacing 0.0828 --pion 200", "or start kiln new with --extrapolate" },
    { "--family dwf-2+1 --spacing 0.11 --pion 200", "choose a mass in this range, or give --light" },
    { "--family dwf-2+1 --beta 2.0 --light 0.01", "Ls, M5" },
    { "--family dwf-2 --spacing 0.117 --light 0.02 --strange 0.04", "dwf-2 has no strange quark" },
    { "--family clover-2+1 --spacing 0.09 --pion 300 --charm 0.13", "clover-2+1 has no charm quark" },
    { "--family clover-2+1 --spacing 0.1 --pion 300", "0.0907, 0.0864, 0.0763, 0.0643, 0.0498 fm" },
    { "--family clover-2+1 --beta 3.6 --pion 300",
      "no masses of clover-2+1 are known there; give --light and --strange" },
    { "--family clover-2+1 --beta 3.6 --light 0.137 --lattice 32,32,32,64", "give --strange" },
    { "--family clover-2 --beta 5.7 --light 0.136", "give the extents (--lattice X,Y,Z,T)" },
    { "--family clover-2 --beta 5.3 --light 0.3", "kappa of clover-2 is above 0.1 and below 0.25" },
    { "--family clover-2+1 --beta 1.9 --light 0.001", "not a mass for this family, but kappa, usually from 0.12 to" },
    { "--family clover-2+1 --beta 1.8 --light 0.14 --strange 0.138", "and change beta and c_sw in the file" },
    { "--family hisq-2+1 --beta 6.664 --light 0.1377", "mass 0.1377 are heavier than the strange quark of mass 0.0" },
    { "--family clover-2+1 --beta 1.9 --light 0.136 --strange 0.1377", "give another --light or --strange" },
    { "--kappa 0.13", "unknown option \"--kappa\"; did you mean \"--light\"" },
    { "--family tmclover-2 --beta 2.2 --light 0.003", "c_sw" },
    { "--family quenched --spacing 0.1 --lattice 16,16,15,32", "the extent in z is odd" },
    { "--family quenched --spacing 0.1 --lattice 16,16,16,2048",
      "the extent in t is outside the range from 2 to 1024" },
    { "--family quenched --spacing 0.1 --lattice 16,16,16", "is not a lattice" },
    { "--family quenched --spacing 0.1 --lattice 16,16,16,32 --size 2", "give either --lattice or --size" },
    { "--family quenched --spacing 0.1 --lattice 16,16,16,32 --ranks 7", "7 ranks" },
    { "--family hisq-2+2 --spacing 0.1", "did you mean \"hisq-2+1\"?" },
    { "--spacing 0.1", "--family NAME is missing" },
};

static void check_refused(void)
{
    const char *path = path_of("refused.yaml");
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        const program_output *s = program_run("new %s --output '%s' </dev/null", refused[i].words, path);
        fact(s->status == 2 && s->out.length == 0 && stderr_has(s, refused[i].message) && !is_there(path),
             "kiln new %s: status 2, no file: %s", refused[i].words, refused[i].message);
    }
}

/* ---- warnings and messages */

static const struct { const char *words, *message; bool told; } warnings[] = {
    { "--family clover-2 --spacing 0.0755 --pion 281 --lattice 36,36,36,64", "m_pi L = 3.87 is below 4", true },
    { "--family clover-2 --spacing 0.0755 --pion 281 --lattice 38,38,38,64", "m_pi L", false },
    { "--family quenched --spacing 0.1 --lattice 14,16,16,32", "smaller than 1.5 fm", true },
    { "--family quenched --spacing 0.1 --lattice 16,16,16,6", "above the transition", true },
    { "--family quenched --spacing 0.1 --lattice 16,16,16,8", "above the transition", false },
    { "--family hisq-2+1+1 --spacing 0.0426 --pion 134", "topological charge hardly changes", true },
    { "--family hisq-2+1+1 --spacing 0.0426 --pion 134", "not confirmed by a second source: u0 (approximate", true },
    { "--family hisq-2+1+1 --beta 6.9 --pion 134", "not confirmed by a second source: u0 (approximate", true },
    { "--family hisq-2+1+1 --spacing 0.0879 --pion 221", "not confirmed", false },
    { "--family hisq-2+1+1 --spacing 0.1 --pion 300", "between the ensembles of the literature", true },
    { "--family hisq-2+1+1 --spacing 0.12 --pion 400 --extrapolate", "extrapolated from pions of 132 to 305 MeV",
      true },
    { "--family clover-2 --beta 5.7 --light 0.136 --lattice 32,32,32,64",
      "the lattice spacing at beta 5.7 is not known", true },
};

static void check_warnings(void)
{
    for (size_t i = 0; i < sizeof warnings / sizeof *warnings; i++) {
        const program_output *s = program_run("new %s --seed 1 --output -", warnings[i].words);
        fact(s->status == 0 && stderr_has(s, warnings[i].message) == warnings[i].told, "kiln new %s %s: %s",
             warnings[i].words,
             warnings[i].told ? "warns" : "does not warn", warnings[i].message);
        fact(!warnings[i].told || stdout_has(s, "Warning: "), "and the input has the warning");
    }
}

/* ---- files and questions */

/* What programs read: the numbers are those of the input that was written. */
static void check_json(void)
{
    const char *path = path_of("chosen.yaml");
    const program_output *s = program_run("new --family clover-2 --beta 5.2 --pion 386 --lattice 32,32,32,64 --seed 5 "
                                          "--json "
                                          "--output '%s'", path);
    yaml_node *tree = output_json(s);
    text bytes = { 0 };
    failure f;
    char kappa[64], beta[64], c_sw[64];
    fact(s->status == 0 && tree && text_add_file(&bytes, path, &f),
         "kiln new --json prints JSON, and writes the input");
    snprintf(kappa, sizeof kappa, "kappa: %.9g", json_number(tree, "light"));
    snprintf(beta, sizeof beta, "beta: %.9g", json_number(tree, "beta"));
    snprintf(c_sw, sizeof c_sw, "c_sw: %.6f", json_number(tree, "c_sw"));
    const char *words = text_string(&bytes);
    fact(strstr(words, kappa) && strstr(words, beta) && strstr(words, c_sw), "%s, %s and %s are in the input",
         kappa, beta, c_sw);
    const char *input = json_scalar(tree, "input"), *name = json_scalar(tree, "quark_parameter");
    fact(input && strcmp(input, path) == 0 && name && strcmp(name, "kappa") == 0, "the file and the kind of parameter");
    fact(json_number(tree, "seed") == 5 && json_number(tree, "pion_MeV") == 386 && isnan(json_number(tree, "strange")),
         "the seed and the pion; there is no strange quark");
    yaml_tree_free(tree);
    text_free(&bytes);
    tree = output_json(program_run("new --family clover-2 --beta 5.7 --light 0.136 --lattice 32,32,32,64 --json "
                                   "--output '%s'", path_of("unknown.yaml")));
    const yaml_node *all = tree ? yaml_get(tree, "warnings") : NULL;
    bool told = false;
    for (int i = 0; all && all->type == YAML_SEQUENCE && i < all->count; i++)
        told |= strstr(all->item[i]->scalar, "the lattice spacing at beta 5.7 is not known") != NULL;
    fact(told && isnan(json_number(tree, "spacing_fm")), "a warning for each risk; a number that is not known is null");
    yaml_tree_free(tree);
    s = program_run("new --family quenched --spacing 0.1 --json --output -");
    fact(s->status == 2 && stderr_has(s, "--json prints on standard output"), "the input has to go to a file");
}

static void check_files(void)
{
    char first[8192], again[1024];
    const char *path = path_of("kept.yaml"), *second = path_of("again.yaml");
    program_run("new --family hisq-2+1 --spacing 0.12 --pion 300 --output '%s'", path);
    const program_output *s = program_run("new --family quenched --spacing 0.1 --output '%s'", path);
    fact(s->status == 2 && stderr_has(s, "kept.yaml: exists already"), "kiln new overwrites no file");
    s = program_run("new --family quenched --spacing 0.1 --output '%s'", path_of("no/folder.yaml"));
    fact(s->status == 2 && stderr_has(s, "folder.yaml"), "a file in a folder that does not exist: status 2");
    text bytes = { 0 };
    failure f;
    fact(text_add_file(&bytes, path, &f), "the first input is still there");
    snprintf(first, sizeof first, "%s", text_string(&bytes));
    text_free(&bytes);

    /* The command is the last line of the head. */
    const char *at = strstr(first, "# Written by: kiln ");
    snprintf(again, sizeof again, "%s", at ? at + strlen("# Written by: kiln ") : "");
    again[strcspn(again, "\n")] = '\0';
    const char *after = at ? strchr(at, '\n') : NULL;
    fact(after && after[1] != '#' && strstr(again, "--seed "), "the last line of the head is a whole command");
    program_run("%s --output '%s'", again, second);
    fact(text_add_file(&bytes, second, &f), "the command in its head writes an input");
    const char *mine = strstr(first, "monomials:"), *its = strstr(text_string(&bytes), "monomials:");
    const char *end = mine ? strstr(mine, "output:") : NULL;
    fact(at && end && its && strncmp(mine, its, (size_t)(end - mine)) == 0
             && new_number(first, "seed: ", 0) == new_number(text_string(&bytes), "seed: ", 0),
         "with the same seed, terms, levels and measurements");
    text_free(&bytes);
}

/* kiln new --ask with these options and a line for each answer. */
static const program_output *answer(const char *options, const char *answers)
{
    const char *path = path_of("answers");
    FILE *file = fopen(path, "w");
    require(file && fputs(answers, file) >= 0 && fclose(file) == 0, "%s: cannot be written", path);
    return program_run("new --ask --seed 5 %s <'%s'", options, path);
}

static void check_questions(void)
{
    char answers[2048];
    const char *path = path_of("asked.yaml");
    snprintf(answers, sizeof answers, "nonsense\n4\n0.3\n0.117\n3000\n500\n15x16x16x32\n16x16x16x32\n%s\n  %s \n",
             path_of("kept.yaml"), path);
    const program_output *s = answer("", answers);
    fact(s->status == 0, "answers to questions write an input: %s", text_string(&s->err));
    fact(stderr_has(s, "\"nonsense\" is not one of") && stderr_has(s, "no parameters of dwf-2")
             && stderr_has(s, "have 490 to 690 MeV")
             && stderr_has(s, "the extent in x is odd") && stderr_has(s, "exists already"),
         "each answer that cannot work gets its reason, and the question again");
    s = program_run("check '%s'", path);
    fact(s->status == 0 && stdout_has(s, "mass: 0.02") && stdout_has(s, "lattice: [16, 16, 16, 32]"),
         "the input is the one asked for");
    char options[600];
    snprintf(options, sizeof options, "--family clover-2 --output '%s'", path_of("empty.yaml"));
    s = answer(options, "\n\n\n");
    fact(s->status == 0 && stderr_has(s, "beta 5.2") && is_there(path_of("empty.yaml")),
         "empty answers take the defaults");
    snprintf(options, sizeof options, "--family clover-2 --output '%s'", path_of("none.yaml"));
    s = answer(options, "0.0755\n");
    fact(s->status == 2 && stderr_has(s, "nothing was written") && !is_there(path_of("none.yaml")),
         "where answers end early, nothing is written");
}

int main(void)
{
    if (!program_is_there())
        return facts_end();
    const char *where = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/kiln-new-XXXXXX", where ? where : "/tmp");
    require(mkdtemp(folder) != NULL, "%s: cannot be made", folder);
    check_families();
    check_list();
    check_numbers();
    check_refused();
    check_warnings();
    check_json();
    check_files();
    check_questions();
    char command[300];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    fact(system(command) == 0, "the files of this test are removed");
    return facts_end();
}
