/* test_new_families.c - kiln new, families with many parameters: those that it writes are the published ones, and
 * satisfy the formulas of the papers.
 *
 * Twisted mass, 2+1+1 flavors: runs and analyses of ETM have kappa, the twisted masses and pions in lattice units.
 * Anisotropic clover quarks: the names of HadSpec's configurations have beta, xi_0, the masses and nu; c_s and c_t are
 * tree-level, tadpole-improved (arXiv:0803.3960); an input of FASTSUM has kappa as on isotropic lattices. */
#include "actions/gauge_action.h"
#include "src/literature/literature.h"
#include "tests/cli/new_written.h"
#include "tests/cli/program.h"
#include "tests/facts.h"
#include "tests/io/scratch.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static scratch files;

/* A number of the JSON for these options. */
static double chosen(const char *words, const char *key)
{
    return new_chosen(files.folder, words, key);
}

/* ---- anisotropic clover quarks */

/* Pions in MeV and in units of 1/a_t: the spacings are made of these.  The scale 1/a_t in GeV, by the Omega baryon, is
 * independent of them (NAN: none is published, and the spacing is not confirmed).  The anisotropy. */
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
        char *input = new_written(words);
        const double xi_0 = new_number(input, "xi_0: ", 1), nu = new_number(input, "nu: ", 0);
        add_part(name, sizeof name, "b", new_number(input, "    beta: ", 0), 2);
        add_part(name, sizeof name, "_t_x", new_number(input, "xi_0: ", 0), 3);
        add_part(name, sizeof name, "_u", new_number(input, "{ flavors: 2, mass: ", 0), 4);
        add_part(name, sizeof name, "_s", new_number(input, "        mass: ", 1), 4);
        add_part(name, sizeof name, "_n", nu, 3);
        fact(strcmp(name, hadspec[i].name) == 0, "%s: the parameters are those in the name of the configurations, "
             "%s: %s", words, hadspec[i].name, name);
        const double u = 0.92674, xi = 3.5, c_s = new_number(input, "c_s: ", 0), c_t = new_number(input, "c_t: ", 0);
        fact_close(c_s, nu / pow(u, 3), 2e-5, "c_s is nu/u^3 of the mean stout link");
        fact_close(c_t, (nu + 1 / xi) / (2 * u * u), 2e-5, "c_t is (nu + 1/xi)/(2 u^2)");
        fact_close(xi_0 / nu, 3.4, 1e-3, "xi_0/nu is the paper's gamma_f");
        fact(strstr(input, "action: symanzik_anisotropic") && new_number(input, "u_s: ", 0) == 0.733566
             && new_number(input, "u_t: ", 0) == 1, "the gauge action with its tadpole factors");
        for (int n = 1; n < 3; n++)
            fact(new_number(input, "    xi_0: ", n + 1) == xi_0 && new_number(input, "nu: ", n) == nu
                     && new_number(input, "c_s: ", n) == c_s && new_number(input, "c_t: ", n) == c_t,
                 "the same operator in %s", n == 1 ? "the other monomial" : "the measurement");
        fact(new_count(input, "stout: { levels: 2, rho: 0.14, spatial_only: true }") == 3,
             "all with two levels of stout links in space");
        const double a = chosen(words, "spacing_fm");
        fact_close(a * hadspec[i].pion / (hadspec[i].xi * 197.327), hadspec[i].a_t_pion, 0.002 * hadspec[i].a_t_pion,
                   "its spacing has the digits of xi (a_t m_pi) / m_pi");
        if (!isnan(hadspec[i].scale))
            fact_close(a, hadspec[i].xi * 0.197327 / hadspec[i].scale, 0.003 * a, "and is xi a_t, by the Omega baryon");
        free(input);
    }
    char *heavy = new_written("--family aniclover-2+1 --spacing 0.12 --pion 391");
    fact_close(0.5 / (4 + new_number(heavy, "{ flavors: 2, mass: ", 0)), 0.12768130, 1e-8,
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
    char *input = new_written("--family aniclover-2+1 --spacing 0.112 --pion 239"), *between = NULL;
    const char *at = strstr(input, "lattice: [");
    int L[4] = { 0 };
    fact(at && sscanf(at, "lattice: [%d, %d, %d, %d]", &L[0], &L[1], &L[2], &L[3]) == 4 && L[0] == 32 && L[3] == 224,
         "the lattice that is suggested is about twice as long in t, with the anisotropy: %dx%d", L[0], L[3]);
    between = new_written("--family aniclover-2+1 --spacing 0.115 --pion 300");
    const double m = new_number(between, "{ flavors: 2, mass: ", 0);
    const double w = (300. * 300 - 283 * 283) / (330. * 330 - 283 * 283);
    fact_close(m, -0.0856 + w * 0.0006, 1e-6, "between pions, m_pi^2 is linear in the mass");
    fact_close(chosen("--family aniclover-2+1 --spacing 0.115 --pion 300", "spacing_fm"), 0.1141 + w * 0.0015,
               1e-4, "and so is the spacing");
    free(input);
    free(between);
}

/* Each of these ensembles has a spacing: it is near the one that was asked for, or known to be another pion's. */
static const struct { const char *words; double spacing; const char *warning; } spaced[] = {
    { "--spacing 0.107 --pion 239", 0.1120, NULL },
    { "--spacing 0.126 --pion 391", 0.1200, NULL },
    { "--spacing 0.116 --pion 391", 0.1200, NULL },
    { "--spacing 0.116 --light=-0.0860", 0.1120, NULL },
    { "--beta 1.5 --pion 391", 0.1200, NULL },
    { "--spacing 0.112 --pion 200 --extrapolate", 0.1120, "the lattice spacing is that of the nearest pion, 239 MeV" },
    { "--beta 1.5 --pion 420 --extrapolate", 0.1200, "the lattice spacing is that of the nearest pion, 391 MeV" },
    { "--beta 1.5 --light=-0.0862", 0.1120, "the lattice spacing is that of the nearest pion, 239 MeV" },
    { "--spacing 0.12 --light=-0.08", 0.1200, "the lattice spacing is that of the nearest pion, 391 MeV" },
};

static void check_anisotropic_spacings(void)
{
    for (size_t i = 0; i < sizeof spaced / sizeof *spaced; i++) {
        char words[128];
        snprintf(words, sizeof words, "--family aniclover-2+1 %s", spaced[i].words);
        fact(chosen(words, "spacing_fm") == spaced[i].spacing, "%s: a is %g fm", words, spaced[i].spacing);
        const program_output *s = program_run("new --output - %s", words);
        fact(s->status == 0 && stderr_has(s, spaced[i].warning ? spaced[i].warning : "nearest pion")
             == (spaced[i].warning != NULL), "%s", spaced[i].warning ? spaced[i].warning : "without a warning of that");
    }
    fact(stdout_has(program_run("new --list"), "not confirmed: the spacings with pions of 239 and 330 MeV"),
         "spacings without a published 1/a_t are not confirmed");
    const char *path = scratch_path(&files, "spaced");
    FILE *file = fopen(path, "w");
    require(file && fprintf(file, "0.107\n\n\n%s/spaced.yaml\n", files.folder) > 0 && fclose(file) == 0,
            "%s: cannot be written", path);
    const program_output *s = program_run("new --ask --family aniclover-2+1 <'%s'", path);
    fact(s->status == 0 && stderr_has(s, "Pion mass in MeV (239 to 239)"), "questions offer the pions of a spacing");
}

/* Masses in units of 1/a_t may be 0: that is a quark. */
static void check_massless(void)
{
    const char *strange = "--family aniclover-2+1 --beta 1.5 --pion 391 --strange 0";
    char *input = new_written(strange);
    fact(new_count(input, "- flavors: 1 ") == 1, "a strange quark of mass 0 has a determinant");
    fact(new_number(input, "        mass: ", 1) == 0 && new_count(input, "{ mass: 0 } ]") == 1,
         "and is measured with its mass");
    fact(chosen(strange, "strange") == 0 && isnan(chosen(strange, "charm")), "in JSON it is 0, and no quark is null");
    fact(chosen("--family aniclover-2+1 --beta 1.5 --light=0 --strange 0.1 --lattice 16,16,16,64", "light") == 0,
         "and so is a light quark of mass 0");
    free(input);
}

/* ---- twisted mass, 2+1+1 flavors */

/* kappa at each mu, as programs for these ensembles have it, and the a m_pi of their analyses, which is not that of the
 * paper (NAN: not looked up). */
static const struct { const char *family; double beta, mu, kappa, a_pion; } twisted[] = {
    { "tm-2+1+1", 1.90, 0.0060, 0.163265, NAN },          { "tm-2+1+1", 1.90, 0.0100, 0.1632550, NAN },
    { "tm-2+1+1", 1.95, 0.0035, 0.161240, NAN },          { "tm-2+1+1", 1.95, 0.0055, 0.161236, NAN },
    { "tm-2+1+1", 2.10, 0.0015, 0.156361, NAN },          { "tmclover-2+1+1", 1.726, 0.0053, 0.1400645, 0.1667 },
    { "tmclover-2+1+1", 1.726, 0.0040, 0.1400645, 0.1452 }, { "tmclover-2+1+1", 1.726, 0.0030, 0.1400645, 0.1256 },
    { "tmclover-2+1+1", 1.778, 0.0025, 0.1394267, 0.1042 }, { "tmclover-2+1+1", 1.778, 0.00072, 0.1394265, 0.0566 },
    { "tmclover-2+1+1", 1.836, 0.00060, 0.13875285, 0.0474 },
};

/* c_sw (0: none), mu_sigma and mu_delta of runs. */
static const struct { const char *words; double c_sw, mu_sigma, mu_delta; } doublets[] = {
    { "--family tm-2+1+1 --beta 1.9 --light 0.010", 0, 0.150, 0.190 },
    { "--family tmclover-2+1+1 --beta 1.726 --light 0.004", 1.74, 0.1408, 0.1521 },
    { "--family tmclover-2+1+1 --beta 1.778 --light 0.0025", 1.69, 0.1246864, 0.1315052 },
};

static void check_twisted(void)
{
    char words[128];
    for (size_t i = 0; i < sizeof twisted / sizeof *twisted; i++) {
        snprintf(words, sizeof words, "--family %s --beta %g --light %g", twisted[i].family, twisted[i].beta,
                 twisted[i].mu);
        char *input = new_written(words);
        const double kappa = twisted[i].kappa, a_pion = twisted[i].a_pion;
        bool same = true;
        for (int n = 0; n < 6; n++)
            same = same && fabs(new_number(input, "kappa: ", n) - kappa) < 1e-9;
        fact(same && new_count(input, "kappa: ") == 6, "%s: kappa is %.9g in all terms and measurements", words, kappa);
        fact(new_number(input, "mu: ", 0) == twisted[i].mu && new_number(input, "mu: ", 1) == twisted[i].mu,
             "and mu is that of the ensemble");
        if (!isnan(a_pion))
            fact_close(chosen(words, "spacing_fm") * chosen(words, "pion_MeV") / 197.327, a_pion, 0.008 * a_pion,
                       "its pion has a m_pi as measured");
        free(input);
    }
    for (size_t i = 0; i < sizeof doublets / sizeof *doublets; i++) {
        char *input = new_written(doublets[i].words);
        const double kappa = new_number(input, "kappa: ", 0);
        const double sigma = doublets[i].mu_sigma, delta = doublets[i].mu_delta;
        fact(new_number(input, "    mu_sigma: ", 0) == sigma && new_number(input, "    mu_delta: ", 0) == delta
                 && new_number(input, "    mu_sigma: ", 1) == sigma && new_number(input, "    mu_delta: ", 1) == delta,
             "%s: the doublet of the run, in the monomial and its measurement", doublets[i].words);
        fact_close(new_number(input, "2 kappa mu_sigma = ", 0), 2 * kappa * sigma, 1e-8, "mu_sigma of tmLQCD's input");
        fact_close(new_number(input, "2 kappa mu_delta = ", 0), 2 * kappa * delta, 1e-8, "and mu_delta");
        const int terms = doublets[i].c_sw > 0 ? 5 : 0;
        fact(new_count(input, "c_sw: ") == terms && (terms == 0 || new_number(input, "c_sw: ", 4) == doublets[i].c_sw),
             "with c_sw in %d terms and measurements", terms);
        fact(new_count(input, "[heavier, strange_charm]") == 1, "its monomial is on a level");
        free(input);
    }
}

/* The dialogue offers these families, and tells what it cannot take. */
static void check_dialogue(void)
{
    const char *path = scratch_path(&files, "answers");
    FILE *file = fopen(path, "w");
    require(file && fprintf(file, "tm-2+1+1\n0.0885\n300\n316\n16x16x16x32\n%s/asked.yaml\n", files.folder) > 0
            && fclose(file) == 0, "%s: cannot be written", path);
    const program_output *s = program_run("new --ask --seed 5 <'%s'", path);
    fact(s->status == 0 && stderr_has(s, "aniclover-2+1") && stderr_has(s, "tmclover-2+1+1")
             && stderr_has(s, "choose a pion of 275 MeV (mu 0.003), 316 MeV (mu 0.004)"),
         "questions offer the families, and the pions whose kappa is known");
    s = program_run("check '%s/asked.yaml'", files.folder);
    fact(s->status == 0 && s->err.length == 0 && stdout_has(s, "2 kappa mu_sigma 0.048981"),
         "and kiln check takes the input without a warning");
    s = program_run("plan --probe 0 '%s/asked.yaml'", files.folder);
    fact(stdout_has(s, "of monomials: strange_charm"), "kiln plan counts the doublet's memory");
}

static const struct { const char *words, *message; } refused[] = {
    { "--family tm-2+1+1 --beta 1.9 --pion 300", "choose a pion of 275 MeV (mu 0.003), 316 MeV (mu 0.004)" },
    { "--family tm-2+1+1 --beta 1.9 --pion 600 --extrapolate", "pion mass 600 MeV: kappa at maximal twist" },
    { "--family tm-2+1+1 --beta 1.9 --light 0.0045", "mu 0.0045: kappa at maximal twist of tm-2+1+1 is known" },
    { "--family tm-2+1+1 --beta 2.0 --light 0.004", "kappa, mu_sigma, mu_delta" },
    { "--family tmclover-2+1+1 --beta 1.778 --pion 140 --strange 0.1", "leave out --strange and --charm" },
    { "--family tmclover-2+1+1 --beta 1.778 --pion 140 --charm 0.1", "leave out --strange and --charm" },
    { "--family aniclover-2+1 --beta 1.6 --pion 391", "xi_0, u_s, nu, c_s, c_t" },
    { "--family aniclover-2+1 --spacing 0.1 --pion 391", "0.1120 to 0.1200 fm, each within 5 %" },
    { "--family aniclover-2+1 --spacing 0.12 --light 1.5", "mass of aniclover-2+1 is above -1 and below 1" },
    { "--family aniclover-2+1 --spacing 0.107 --pion 391", "has 0.1200 fm with this pion, which is more than 5 % away; "
      "give --spacing 0.1200, or --beta 1.5 in its place" },
    { "--family aniclover-2+1 --spacing 0.126 --pion 239", "has 0.1120 fm with this pion" },
    { "--family aniclover-2+1 --spacing 0.126 --pion 200 --extrapolate", "has 0.1120 fm with this pion" },
    { "--family aniclover-2+1 --spacing 0.12 --light=-0.0860", "has 0.1120 fm with this mass" },
    { "--family aniclover-2+1 --spacing 0.12 --pion 200", "have 239 to 391 MeV" },
    { "--family slinc-2+1 --beta 5.5 --pion 300",
      "the only ensemble of slinc-2+1 at beta 5.5 has 470 MeV; choose this mass, or give --light" },
    { "--family slinc-2+1 --beta 5.5 --pion 300 --extrapolate", "choose this mass, or give --light" },
    { "--family clover-2 --beta 5.3 --light=-0.1", "kappa of clover-2 is above 0.1 and below 0.25" },
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
                                          "--output '%s/a.yaml'", files.folder);
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
    const char *doublet = "--family tmclover-2+1+1 --beta 1.778 --pion 140";
    fact(chosen(doublet, "kappa") == 0.1394265 && chosen(doublet, "mu_sigma") == 0.1246864
             && chosen(doublet, "mu_delta") == 0.1315052 && fabs(chosen(doublet, "light") - 0.00072) < 1e-15
             && isnan(chosen(doublet, "strange")) && isnan(chosen(doublet, "xi_0")),
         "and those of a doublet, whose quarks have no masses of their own");
    s = program_run("check '%s/a.yaml'", files.folder);
    fact(s->status == 0 && stdout_has(s, "clover term 0.36961093 A_s + 0.902784 A_t"),
         "kiln check prints c_s/xi_0 and c_t in its normalization");
}

/* ---- the even-odd form: fewer iterations of conjugate gradients in the symmetric one (docs/wilson.md), but for chains
 * in rho and without a clover term */

static void check_forms(void)
{
    static const struct { const char *words; int symmetric; } forms[] = {
        { "wilson-2 --spacing 0.0717 --pion 600", 0 }, { "clover-2 --spacing 0.0658 --pion 300", 2 },
        { "clover-2+1 --spacing 0.0907 --pion 296", 2 }, { "aniclover-2+1 --spacing 0.12 --pion 391", 2 },
        { "tmclover-2 --spacing 0.09 --pion 134", 0 }, { "slinc-2+1 --spacing 0.074 --pion 470", 2 },
        { "expclover-2+1 --spacing 0.094 --pion 412", 2 },
    };
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        char words[128];
        snprintf(words, sizeof words, "--family %s", forms[i].words);
        char *input = new_written(words);
        fact(*input && new_count(input, "even_odd: symmetric") == forms[i].symmetric,
             "%s: %d monomials in the symmetric even-odd form", forms[i].words, forms[i].symmetric);
        free(input);
    }
}

/* 10/g^2 belongs to the plaquette's coefficient alone, 6/g^2 to c_plaq + 8 c_rect, without tadpole factors. */
static bool convention_holds(const coupling *c, const char *words)
{
    const gauge_params p = { .action = gauge_action_find(c->gauge), .u0 = 1, .u_s = 1, .u_t = 1 };
    const loop_coefficients k = gauge_action_coefficients(&p);
    const double whole = k.plaquette + 8 * k.rectangle, over_g2 = strncmp(words, "10/", 3) == 0 ? 10 : 6;
    return (strstr(words, "c_plaq = 1") == NULL || k.plaquette == 1)
           && (strstr(words, "c_plaq + 8 c_rect = 1") == NULL || fabs(whole - 1) < 1e-14)
           && fabs(over_g2 * whole - 6) < 1e-13;
}

/* The normalization of beta: that of the loops of the action, the same for all couplings of a family, and told. */
static void check_conventions(void)
{
    for (const family *of = literature_families; of->name; of++) {
        coupling c;
        bool holds = true, same = true;
        for (int i = 0; i < of->count; i++) {
            holds &= convention_holds(&of->table[i], coupling_convention_of_input(&of->table[i]));
            same &= strcmp(coupling_convention(&of->table[i]), coupling_convention(&of->table[0])) == 0;
        }
        if (of->fit) {
            of->fit->make(&c, of->fit->least);
            holds &= convention_holds(&c, coupling_convention_of_input(&c));
        }
        fact(holds, "%s: the convention of beta is that of the coefficients of the loops", of->name);
        fact(same, "%s: all couplings have the same", of->name);
    }
    const program_output *s = program_run("new --family hisq-2+1 --beta 6.74 --pion 160 --seed 1 --output -");
    fact(stderr_has(s, "beta 6.74 (10/g^2, c_plaq = 1), in the input 4.044 (6/g^2, c_plaq + 8 c_rect = 1)"),
         "kiln new tells the beta of the source and that of the input");
    fact(stdout_has(s, "# 6/g^2, c_plaq + 8 c_rect = 1; of the source: 6.74 (10/g^2, c_plaq = 1)"),
         "and so does the input");
    s = program_run("new --family clover-2 --spacing 0.0658 --pion 300 --seed 1 --output -");
    fact(stderr_has(s, "beta 5.3 (6/g^2, c_plaq = 1)") && stdout_has(s, "# 6/g^2, c_plaq = 1\n"), "Wilson's action");
    s = program_run("new --family hisq-2+1+1 --spacing 0.12 --pion 300 --seed 1 --output -");
    fact(stderr_has(s, "beta 6 (10/g^2, c_plaq = 1)") && stdout_has(s, "# 10/g^2, c_plaq = 1\n"), "MILC's action");
    fact(stdout_has(program_run("new --list"), "beta: 6/g^2, c_plaq + 8 c_rect = 1 before tadpole factors"),
         "kiln new --list has it for each family");
    yaml_node *tree = output_json(program_run("new --family hisq-2+1 --beta 6.74 --pion 160 --seed 1 --json --output "
                                              "'%s'", scratch_path(&files, "convention.yaml")));
    const char *told = json_scalar(tree, "beta_convention");
    fact(told && strcmp(told, "10/g^2, c_plaq = 1") == 0, "and the JSON has that of its beta");
    yaml_tree_free(tree);
}

int main(void)
{
    if (!program_is_there())
        return facts_end();
    files = scratch_create();
    check_anisotropic();
    check_anisotropic_box();
    check_anisotropic_spacings();
    check_massless();
    check_twisted();
    check_dialogue();
    check_refused();
    check_json();
    check_forms();
    check_conventions();
    scratch_remove(&files);
    return facts_end();
}
