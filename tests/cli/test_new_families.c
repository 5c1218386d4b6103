/* test_new_families.c - kiln new, families with many parameters: those that it writes are the published ones, and
 * satisfy the formulas of the papers.
 *
 * Anisotropic clover quarks: the names of HadSpec's configurations have beta, xi_0, the masses and nu; c_s and c_t are
 * tree-level, tadpole-improved (arXiv:0803.3960); an input of FASTSUM has kappa as on isotropic lattices. */
#include "tests/cli/program.h"
#include "tests/facts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[256];

/* The input for these options, "" if it is refused; freed by the caller. */
static char *written(const char *words)
{
    const program_output *s = program_run("new --seed 1 --output - %s", words);
    return strdup(s->status == 0 ? text_string(&s->out) : "");
}

/* The number behind `key`, at its `nth` place from 0; NAN if it is not there. */
static double number_of(const char *input, const char *key, int nth)
{
    const char *at = input;
    for (int i = 0; at && i <= nth; i++)
        at = (at = strstr(at, key)) ? at + strlen(key) : NULL;
    return at ? strtod(at, NULL) : NAN;
}

static int count_of(const char *input, const char *piece)
{
    int n = 0;
    while ((input = strstr(input, piece))) {
        n++;
        input += strlen(piece);
    }
    return n;
}

/* A number of the JSON for these options. */
static double chosen(const char *words, const char *key)
{
    static int count;
    yaml_node *tree = output_json(program_run("new --seed 1 --json --output '%s/%d.yaml' %s", folder, count++, words));
    const double value = tree ? json_number(tree, key) : NAN;
    yaml_tree_free(tree);
    return value;
}

/* ---- anisotropic clover quarks */

/* Pions in MeV, in units of 1/a_t, and the scale 1/a_t in GeV (NAN: not looked up) with the anisotropy. */
static const struct { double pion; const char *name; double a_t_pion, scale, xi; } hadspec[] = {
    { 391, "b1p50_t_x4p300_um0p0840_sm0p0743_n1p265", 0.06906, 5.666, 3.444 },
    { 330, "b1p50_t_x4p300_um0p0850_sm0p0743_n1p265", 0.05593, NAN, 3.456 },
    { 283, "b1p50_t_x4p300_um0p0856_sm0p0743_n1p265", 0.04735, 1.67245 / 0.2793, 3.455 },
    { 239, "b1p50_t_x4p300_um0p0860_sm0p0743_n1p265", 0.03928, NAN, 3.453 },
};

/* "1p50" for 1.5 with two digits, "m0p0840" for -0.084 with four. */
static void add_part(char *name, size_t size, const char *letter, double value, int digits)
{
    const size_t start = strlen(name);
    snprintf(name + start, size - start, "%s%s%.*f", letter, value < 0 ? "m" : "", digits, fabs(value));
    char *point = strchr(name + start, '.');
    if (point)
        *point = 'p';
}

static void check_anisotropic(void)
{
    for (size_t i = 0; i < sizeof hadspec / sizeof *hadspec; i++) {
        char words[128], name[128] = "";
        snprintf(words, sizeof words, "--family aniclover-2+1 --beta 1.5 --pion %g", hadspec[i].pion);
        char *input = written(words);
        const double xi_0 = number_of(input, "xi_0: ", 1), nu = number_of(input, "nu: ", 0);
        add_part(name, sizeof name, "b", number_of(input, "    beta: ", 0), 2);
        add_part(name, sizeof name, "_t_x", number_of(input, "xi_0: ", 0), 3);
        add_part(name, sizeof name, "_u", number_of(input, "{ flavors: 2, mass: ", 0), 4);
        add_part(name, sizeof name, "_s", number_of(input, "        mass: ", 1), 4);
        add_part(name, sizeof name, "_n", nu, 3);
        fact(strcmp(name, hadspec[i].name) == 0, "%s: the parameters are those in the name of the configurations, "
             "%s: %s", words, hadspec[i].name, name);
        const double u = 0.92674, xi = 3.5, c_s = number_of(input, "c_s: ", 0), c_t = number_of(input, "c_t: ", 0);
        fact_close(c_s, nu / pow(u, 3), 2e-5, "c_s is nu/u^3 of the mean stout link");
        fact_close(c_t, (nu + 1 / xi) / (2 * u * u), 2e-5, "c_t is (nu + 1/xi)/(2 u^2)");
        fact_close(xi_0 / nu, 3.4, 1e-3, "xi_0/nu is the paper's gamma_f");
        fact(strstr(input, "action: symanzik_anisotropic") && number_of(input, "u_s: ", 0) == 0.733566
             && number_of(input, "u_t: ", 0) == 1, "the gauge action with its tadpole factors");
        for (int n = 1; n < 3; n++)
            fact(number_of(input, "    xi_0: ", n + 1) == xi_0 && number_of(input, "nu: ", n) == nu
                     && number_of(input, "c_s: ", n) == c_s && number_of(input, "c_t: ", n) == c_t,
                 "the same operator in %s", n == 1 ? "the other monomial" : "the measurement");
        fact(count_of(input, "stout: { levels: 2, rho: 0.14, spatial_only: true }") == 3,
             "all with two levels of stout links in space");
        const double a = chosen(words, "spacing_fm");
        fact_close(a * hadspec[i].pion / (hadspec[i].xi * 197.327), hadspec[i].a_t_pion, 0.002 * hadspec[i].a_t_pion,
                   "its pion has a_t m_pi as measured");
        if (!isnan(hadspec[i].scale))
            fact_close(a, hadspec[i].xi * 0.197327 / hadspec[i].scale, 0.003 * a, "and a_s is xi a_t");
        free(input);
    }
    char *heavy = written("--family aniclover-2+1 --spacing 0.12 --pion 391");
    fact_close(0.5 / (4 + number_of(heavy, "{ flavors: 2, mass: ", 0)), 0.12768130, 1e-8,
               "the mass is kappa of an input of FASTSUM's");
    free(heavy);
}

/* The box and its temperature are those of a_s and a_t. */
static void check_anisotropic_box(void)
{
    const struct { int extent; bool told; } times[] = { { 36, true }, { 40, false } };
    for (int i = 0; i < 2; i++) {
        const program_output *s = program_run("new --family aniclover-2+1 --spacing 0.12 --pion 391 --output - "
                                              "--lattice 24,24,24,%d", times[i].extent);
        fact(s->status == 0 && stderr_has(s, "above the transition") == times[i].told,
             "24^3x%d is %s the transition", times[i].extent, times[i].told ? "above" : "below");
    }
    char *input = written("--family aniclover-2+1 --spacing 0.112 --pion 239"), *between = NULL;
    const char *at = strstr(input, "lattice: [");
    int L[4] = { 0 };
    fact(at && sscanf(at, "lattice: [%d, %d, %d, %d]", &L[0], &L[1], &L[2], &L[3]) == 4 && L[0] == 32 && L[3] == 224,
         "the lattice that is suggested is about twice as long in t, with the anisotropy: %dx%d", L[0], L[3]);
    between = written("--family aniclover-2+1 --spacing 0.115 --pion 300");
    const double m = number_of(between, "{ flavors: 2, mass: ", 0);
    const double w = (300. * 300 - 283 * 283) / (330. * 330 - 283 * 283);
    fact_close(m, -0.0856 + w * 0.0006, 1e-6, "between pions, m_pi^2 is linear in the mass");
    fact_close(chosen("--family aniclover-2+1 --spacing 0.115 --pion 300", "spacing_fm"), 0.1141 + w * 0.0015,
               1e-4, "and so is the spacing");
    free(input);
    free(between);
}

static const struct { const char *words, *message; } refused[] = {
    { "--family aniclover-2+1 --beta 1.6 --pion 391", "xi_0, u_s, nu, c_s, c_t" },
    { "--family aniclover-2+1 --spacing 0.1 --pion 391", "0.1120 to 0.1200 fm, each within 5 %" },
    { "--family aniclover-2+1 --spacing 0.12 --light 1.5", "mass of aniclover-2+1 is above -1 and below 1" },
    { "--family aniclover-2+1 --spacing 0.12 --pion 200", "have 239 to 391 MeV" },
    { "--family clover-2 --beta 5.3 --light=-0.1", "kappa of clover-2 is above 0 and below 0.25" },
};

static void check_refused(void)
{
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        const program_output *s = program_run("new %s --output -", refused[i].words);
        fact(s->status == 2 && s->out.length == 0 && stderr_has(s, refused[i].message), "kiln new %s is refused: %s",
             refused[i].words, refused[i].message);
    }
}

static void check_json(void)
{
    const program_output *s = program_run("new --family aniclover-2+1 --beta 1.5 --pion 283 --json "
                                          "--output '%s/a.yaml'", folder);
    yaml_node *tree = output_json(s);
    if (!fact(s->status == 0 && tree, "kiln new --json prints JSON"))
        return;
    fact(json_number(tree, "xi_0") == 4.3 && json_number(tree, "nu") == 1.265 && json_number(tree, "light") == -0.0856
             && json_number(tree, "strange") == -0.0743 && json_number(tree, "stout_levels") == 2
             && json_number(tree, "stout_rho") == 0.14 && json_number(tree, "u_s") == 0.733566
             && json_number(tree, "u_t") == 1 && json_number(tree, "anisotropy") == 3.45
             && json_number(tree, "c_s") == 1.589327 && json_number(tree, "c_t") == 0.902784
             && strcmp(json_scalar(tree, "quark_parameter"), "mass") == 0 && isnan(json_number(tree, "c_sw")),
         "with all parameters of the anisotropic operator");
    yaml_tree_free(tree);
    s = program_run("check '%s/a.yaml'", folder);
    fact(s->status == 0 && stdout_has(s, "clover term 0.36961093 A_s + 0.902784 A_t"),
         "kiln check prints c_s/xi_0 and c_t in its normalisation");
}

int main(void)
{
    if (!program_is_there())
        return facts_end();
    const char *where = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/kiln-new-XXXXXX", where ? where : "/tmp");
    require(mkdtemp(folder) != NULL, "%s: cannot be made", folder);
    check_anisotropic();
    check_anisotropic_box();
    check_refused();
    check_json();
    char command[300];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    fact(system(command) == 0, "the files of this test are removed");
    return facts_end();
}
