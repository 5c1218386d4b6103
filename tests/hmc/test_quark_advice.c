/* test_quark_advice.c - quarks that are measured are compared with those of the action: reweighting factors must belong
 * to its regulators, every other difference is a warning of its own; and parts of a chain must fit each other. */
#include "src/hmc/run_advice.h"
#include "src/hmc/run_input.h"
#include "tests/facts.h"

#include <string.h>

#define QUARKS(keys) "  - { kind: wilson, name: quarks, " keys " }\n"
#define HEAVIER(keys) "  - { kind: wilson, name: heavier, " keys " }\n"
#define DOUBLET(name, keys) "  - { kind: wilson_doublet, name: " name ", mass: 0.1, mu_delta: 0.2, " keys " }\n"
#define STAGGERED(keys) "  - { kind: staggered, name: quarks, " keys " }\n"
#define STOUT "stout: { levels: 1, rho: 0.1 }"

static void make_text(text *yaml, const char *monomials, const char *measured)
{
    const bool two = strstr(monomials, "name: heavier");
    text_add(yaml, "lattice: [4, 4, 4, 4]\nrandom: { seed: 1 }\noutput: { directory: nowhere }\n"
                   "hmc: { trajectories: 1, levels: [ { integrator: leapfrog, steps: 1,\n"
                   "       monomials: [ gauge, quarks%s ] } ] }\n"
                   "monomials:\n  - { kind: gauge, name: gauge, action: wilson, beta: 6 }\n%s", two ? ", heavier" : "",
             monomials);
    if (*measured)
        text_add(yaml, "measurements:\n%s", measured);
}

static void add_line(void *out, const char *sentence)
{
    text_add(out, "%s\n", sentence);
}

/* Faults; or warnings, if there are no faults. */
static text outcome_of(const char *monomials, const char *measured, bool *refused)
{
    text yaml = { 0 }, lines = { 0 };
    fault_list faults = { 0 };
    run_input in;
    make_text(&yaml, monomials, measured);
    *refused = !run_input_read_text(&in, text_string(&yaml), "q.yaml", NULL, 0, &faults);
    if (*refused)
        text_add(&lines, "%s", text_string(&faults.lines));
    else
        run_advice_add(&in.p, add_line, &lines);
    fault_list_free(&faults);
    run_input_free(&in);
    text_free(&yaml);
    return lines;
}

static int lines_with(const char *all, const char *words)
{
    int count = 0;
    for (const char *at = all; (at = strstr(at, words)); at += strlen(words))
        count++;
    return count;
}

/* ---- reweighting factors */

#define ONE QUARKS("determinants: [ { kappa: 0.13, rho: 0.1 } ]")
#define TWISTED QUARKS("determinants: [ { kappa: 0.13, mu: 0.2, rho: 0.1 } ]")
#define CHAIN QUARKS("determinants: [ { kappa: 0.13, rho: 0.1, hasenbusch: [ { rho: 0.4 } ] } ]")
#define SPLIT QUARKS("determinants: [ { kappa: 0.13, rho: 0.1, heavy_rho: 0.4 } ]")                                    \
    HEAVIER("determinants: [ { kappa: 0.13, rho: 0.4 } ]")
#define TYPE_2 QUARKS("determinants: [ { kappa: 0.13, rho: 0.1, heavy_rho: 0.14142136 }, { kappa: 0.13, rho: 0.1 } ]")
#define TYPE_2_CHAIN                                                                                                   \
    QUARKS("determinants: [ { kappa: 0.13, rho: 0.1, hasenbusch: [ { rho: 0.12 } ], heavy_rho: 0.14142136 } ]")        \
    HEAVIER("determinants: [ { kappa: 0.13, rho: 0.1, hasenbusch: [ { rho: 0.6 } ] } ]")

static void reweighting(void)
{
    static const struct { const char *monomials, *masses; bool right; } rows[] = {
        { ONE, "{ kappa: 0.13, rho: 0.1 }", true },
        { ONE, "{ kappa: 0.13, rho: 0.1, steps: 3 }", true },
        { ONE, "{ mass: -0.153846154, rho: 0.1 }", true },
        { ONE, "{ kappa: 0.13, rho: 0.11 }", false },
        { ONE, "{ kappa: 0.131, rho: 0.1 }", false },
        { ONE, "{ kappa: 0.13, mu: 0.1, rho: 0.1 }", false },
        { ONE, "{ kappa: 0.13, rho: 0.1, type: 2 }", false },
        { ONE, "{ kappa: 0.13, rho: 0.1 }, { kappa: 0.13, rho: 0.1 }", false },
        { QUARKS("determinants: [ { kappa: 0.13 } ]"), "{ kappa: 0.13, rho: 0.1 }", false },
        { QUARKS("determinants: [ { kappa: 0.13, hasenbusch: [ { rho: 0.1 } ] } ]"), "{ kappa: 0.13, rho: 0.1 }",
            false },
        { TWISTED, "{ kappa: 0.13, mu: 0.2, rho: 0.1 }", true },
        { TWISTED, "{ kappa: 0.13, mu: -0.2, rho: 0.1 }", true },
        { TWISTED, "{ kappa: 0.13, rho: 0.1 }", false },
        { CHAIN, "{ kappa: 0.13, rho: 0.1 }", true },
        { CHAIN, "{ kappa: 0.13, rho: 0.4 }", false },
        { SPLIT, "{ kappa: 0.13, rho: 0.1 }", true },
        { SPLIT, "{ kappa: 0.13, rho: 0.4 }", false },
        { TYPE_2, "{ kappa: 0.13, rho: 0.1, type: 2 }", true },
        { TYPE_2, "{ kappa: 0.13, rho: 0.1 }", false },
        { TYPE_2, "{ kappa: 0.13, rho: 0.14142136, type: 2 }", false },
        { TYPE_2_CHAIN, "{ kappa: 0.13, rho: 0.1, type: 2 }", true },
        { QUARKS("determinants: [ { kappa: 0.13, rho: 0.1, heavy_rho: 0.15 }, { kappa: 0.13, rho: 0.1 } ]"),
          "{ kappa: 0.13, rho: 0.1, type: 2 }", false },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        text item = { 0 };
        bool refused;
        text_add(&item, "  - { kind: wilson_reweighting, masses: [ %s ] }\n", rows[i].masses);
        text all = outcome_of(rows[i].monomials, text_string(&item), &refused);
        fact(refused != rows[i].right, "W of %s is %s for%.*s", rows[i].masses, rows[i].right ? "allowed" : "refused",
             (int)strcspn(rows[i].monomials, "\n"), rows[i].monomials);
        if (refused == rows[i].right)
            note("%s", text_string(&all));
        text_free(&all);
        text_free(&item);
    }
}

static void places(void)
{
    bool refused;
    text all = outcome_of(TWISTED, "  - kind: wilson_reweighting\n    masses:\n      - { kappa: 0.13, mu: 0.2, rho: "
                                   "0.1 }\n"
                                   "      - { kappa: 0.13, rho: 0.1 }\n      - { kappa: 0.13, mu: 0.2, rho: 0.2 }\n",
                          &refused);
    fact(refused && strstr(text_string(&all), "q.yaml:13:9: measurements.0.masses.1: ")
         && strstr(text_string(&all), "q.yaml:14:9: measurements.0.masses.2: "),
         "each wrong W is a fault at its place (%s)", text_string(&all));
    fact(strstr(text_string(&all), "needs W of: mass -0.1538461538, mu 0.2, rho 0.1, type 1") != NULL,
         "and the right one is named");
    text_free(&all);
    all = outcome_of(QUARKS("determinants: [ { kappa: 0.13, rho: 0.1 }, { kappa: 0.12, rho: 0.1 } ]"),
                     "  - { kind: wilson_reweighting, masses: [ { kappa: 0.12, rho: 0.1 } ] }\n", &refused);
    fact(!refused && strstr(text_string(&all), "further regulators (mass -0.1538461538, rho 0.1, type 1)"),
         "W of a part of the regulators is a warning");
    text_free(&all);
}

/* ---- warnings */

/* Of all warnings, `count` name a measurement or a monomial; `lines` are among them, separated by '|'. */
typedef struct { const char *monomials, *measurements, *lines; int count; } warned;

static const warned keys[] = {
    { QUARKS("c_sw: 1.5, theta: [0.5, 0, 0], " STOUT ", determinants: [ { mass: 0.1 } ]"),
      "  - { kind: wilson, masses: [ { mass: 0.1, mu: 0.2 } ] }\n",
      "measurements.0.c_sw: |measurements.0.theta: |measurements.0.stout: |measurements.0.masses.0.mu: ", 4 },
    { QUARKS("c_sw: 1.5, theta: [0.5, 0, 0], " STOUT ", determinants: [ { mass: 0.1, mu: 0.2 } ]"),
      "  - { kind: wilson, c_sw: 1.5, theta: [0.5, 0, 0], " STOUT ", masses: [ { mass: 0.1, mu: -0.2 } ] }\n", "", 0 },
    { QUARKS("c_sw: 1.5, determinants: [ { mass: 0.1 } ]"),
      "  - { kind: wilson, xi_0: 1, nu: 1, c_s: 1.5, c_t: 1.5, masses: [ { mass: 0.1 } ] }\n", "", 0 },
    { QUARKS("xi_0: 1, c_s: 1.5, c_t: 1.5, determinants: [ { mass: 0.1 } ]"),
      "  - { kind: wilson, c_sw: 1.4, masses: [ { mass: 0.1 } ] }\n",
      "measurements.0.c_s: |measurements.0.c_t: ", 2 },
    { QUARKS("c_sw: 1, clover_links: thin, " STOUT ", determinants: [ { mass: 0.1 } ]"),
      "  - { kind: wilson, c_sw: 1, " STOUT ", masses: [ { mass: 0.1 } ] }\n",
      "measurements.0.clover_links: wilson measures quarks with clover_links smeared, but those of the action have "
      "clover_links thin;", 1 },
    { QUARKS("determinants: [ { mass: 0.1, mu: 0.2 } ]"), "  - { kind: wilson, masses: [ { mass: 0.1 } ] }\n",
      "measurements.0.masses.0.mu: wilson: quarks of mass 0.1 with mu 0 are measured, but those of the action have mu "
      "0.2;", 1 },
    { QUARKS("determinants: [ { mass: 0.1, mu: 0.2 }, { flavors: 1, mass: 0.3 } ]"),
      "  - { kind: wilson, masses: [ { mass: 0.1, mu: 0.2 }, { mass: 0.3 }, { mass: 0.5 } ] }\n", "", 0 },
    { QUARKS("c_sw: 1, determinants: [ { mass: 0.1 } ]") HEAVIER("c_sw: 2, boundary: 0, determinants: [ { mass: 0.3 "
             "} ]"),
      "  - { kind: wilson, c_sw: 2, masses: [ { mass: 0.1 } ] }\n", "measurements.0.c_sw: ", 1 },
    { QUARKS("c_sw: 1, determinants: [ { mass: 0.1 } ]")
      HEAVIER("c_sw: 2, theta: [0, 0, 1], boundary: 0, " STOUT ", determinants: [ { mass: 0.3 } ]"),
      "  - { kind: wilson, c_sw: 1, " STOUT ", masses: [ { mass: 0.1 } ] }\n",
      "measurements.0.stout: wilson measures on links with 1 level of stout smearing, rho = 0.1, but the quarks of "
      "quarks "
      "are on thin links", 1 },
    { DOUBLET("quarks", "c_sw: 1, mu_sigma: 0.3, heavy_mu_sigma: 0.6") DOUBLET("heavier", "c_sw: 1, mu_sigma: 0.6"),
      "  - { kind: wilson_doublet, c_sw: 1, mass: 0.1, mu_sigma: 0.3, mu_delta: 0.2, masses: [ { mass: 0.1 } ] }\n"
      "  - { kind: wilson_doublet, name: other, mass: 0.1, mu_sigma: 0.6, mu_delta: 0.1, masses: [ { mass: 0.1 } ] }\n",
      "measurements.1.mu_sigma: |measurements.1.c_sw: |measurements.1.mu_delta: ", 3 },
    { "  - { kind: domain_wall, name: quarks, Ls: 4, M5: 1.5, determinants: [ { flavors: 2, mass: 0.1, heavy: 1 } ] "
      "}\n",
      "  - { kind: domain_wall, Ls: 4, M5: 1.5, mass_convention: chiu, masses: [ { mass: 0.1 } ] }\n",
      "measurements.0.mass_convention: domain_wall measures quarks with mass_convention chiu, but those of the action "
      "have mass_convention rbc;", 1 },
    { STAGGERED("determinants: [ { quarks: [ { mass: 0.5, flavors: 1 } ], naik_epsilon: -0.1 } ]"),
      "  - { kind: condensate, masses: [ { mass: 0.5 }, { mass: 0.5, naik_epsilon: -0.1 }, { mass: 0.4 } ] }\n"
      "  - { kind: staggered_mesons, masses: [ { mass: 0.5, naik_epsilon: auto }, { mass: 0.4 } ] }\n",
      "measurements.0.masses.0.naik_epsilon: |measurements.0.masses.2.mass: |measurements.1.masses.0.naik_epsilon: "
      "", 3 },
    { STAGGERED("determinants: [ { quarks: [ { mass: 0.5, flavors: 1 } ], hasenbusch: [ { mass: 0.8 } ] } ]"),
      "  - { kind: condensate, masses: [ { mass: 0.8 } ] }\n", "measurements.0.masses.0.mass: condensate: no quark "
      "of the "
      "action has the mass 0.8; its masses are 0.5", 1 },
};

static const warned chains[] = {
    { QUARKS("c_sw: 1, theta: [1, 0, 0], determinants: [ { mass: 0.1, heavy: 0.4 } ]")
      HEAVIER("c_sw: 2, determinants: [ { mass: 0.4 } ]"), "",
      "monomials.1.c_sw: quarks ends with the denominator mass 0.4, with which heavier continues, but quarks has "
      "c_sw 1 "
      "and heavier has c_sw 2: |monomials.1.theta: ", 2 },
    { QUARKS("c_sw: 1, determinants: [ { mass: 0.1, heavy: 0.4 } ]")
      HEAVIER("c_sw: 1, determinants: [ { mass: 0.4 } ]"), "", "", 0 },
    { QUARKS("c_sw: 1, determinants: [ { mass: 0.1, heavy_rho: 0.4 } ]")
      HEAVIER("c_sw: 1, " STOUT ", determinants: [ { mass: 0.1, rho: 0.4 } ]"), "", "monomials.1.stout: ", 1 },
    { QUARKS("c_sw: 1, " STOUT ", determinants: [ { mass: 0.1, heavy: 0.4 } ]")
      HEAVIER("c_sw: 1, clover_links: thin, " STOUT ", determinants: [ { mass: 0.4 } ]"), "",
      "monomials.1.clover_links: ", 1 },
    { QUARKS("c_sw: 1, determinants: [ { mass: 0.1 } ]") HEAVIER("c_sw: 2, determinants: [ { mass: 0.4 } ]"), "",
        "", 0 },
    { DOUBLET("quarks", "c_sw: 1, mu_sigma: 0.3, heavy_mu_sigma: 0.6") DOUBLET("heavier", "mu_sigma: 0.6"), "",
      "monomials.1.c_sw: quarks ends with the denominator mass 0.1, mu 0.6, with which heavier continues", 1 },
    { DOUBLET("quarks", "mu_sigma: 0.3, heavy_mu_sigma: 0.6") DOUBLET("heavier", "mu_sigma: 0.6"), "", "", 0 },
    { "  - { kind: domain_wall, name: quarks, Ls: 4, determinants: [ { flavors: 2, mass: 0.1, heavy: 0.4 } ] }\n"
      "  - { kind: domain_wall, name: heavier, Ls: 6, M5: 1.5, determinants: [ { flavors: 2, mass: 0.4 } ] }\n", "",
      "monomials.1.Ls: |monomials.1.M5: ", 2 },
};

static void warnings(const warned *rows, int count, const char *of)
{
    for (int i = 0; i < count; i++) {
        bool refused, all_there = true;
        text all = outcome_of(rows[i].monomials, rows[i].measurements, &refused);
        const int found = lines_with(text_string(&all), "measurements.") + lines_with(text_string(&all), "monomials.");
        for (const char *line = rows[i].lines; *line;) {
            text words = { 0 };
            text_add_bytes(&words, line, strcspn(line, "|"));
            all_there &= strstr(text_string(&all), text_string(&words)) != NULL;
            line += words.length + (line[words.length] == '|');
            text_free(&words);
        }
        if (!fact(!refused && all_there && found == rows[i].count, "%s: %d warnings, one for each key (%s)", of,
                  rows[i].count, rows[i].lines))
            note("%s", text_string(&all));
        text_free(&all);
    }
}

int main(void)
{
    reweighting();
    places();
    warnings(keys, sizeof keys / sizeof keys[0], "a measurement");
    warnings(chains, sizeof chains / sizeof chains[0], "a chain");
    return facts_end();
}
