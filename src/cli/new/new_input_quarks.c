/* new_input_quarks.c - monomials, levels and measurements of the quarks of a new input.
 *
 * The chain of intermediate masses is a first guess: each of its ratios is of about the size that published runs have.
 * The lightest ratio has a monomial of its own on the coarsest level, as in input/ of the source tree. */
#include "src/cli/new/new_input_quarks.h"

#include "src/cli/new/new_volume.h"

#include <math.h>

enum { CHAIN_MOST = 8 };

/* Masses above the light one, ascending. */
typedef struct { int count; double at[CHAIN_MOST]; } mass_chain;

void new_input_add_plateau(text *t, const new_input *in, const char *comment)
{
    int first, last;
    volume_plateau(&first, &last, in->extents, in->b);
    new_input_line(t, comment, "    plateau_first: %d", first);
    new_input_line(t, NULL, "    plateau_last: %d", last);
}

/* ---- staggered: MILC's choice is one ratio to 0.2, by three fields */

#define STAGGERED_HASENBUSCH 0.2

static void add_staggered(text *t, const new_input *in)
{
    const bare_parameters *b = in->b;
    new_input_line(t, NULL, "  - kind: staggered");
    new_input_line(t, NULL, "    name: quarks");
    new_input_line(t, "links of the Dirac operator", "    action: hisq");
    new_input_line(t, NULL, "    determinants:");
    new_input_line(t, NULL, "      - quarks:");
    new_input_line(t, "up and down", "          - { mass: %.9g, flavors: 2 }", b->light);
    new_input_line(t, "strange, in one pseudofermion with them", "          - { mass: %.9g, flavors: 1 }", b->strange);
    new_input_line(t, NULL, "        hasenbusch:");
    new_input_line(t, "the light fields are ratios to this mass", "          - { mass: %.3g, fields: 3 }",
                   fmax(STAGGERED_HASENBUSCH, 2 * b->strange));
    if (!isnan(b->charm)) {
        new_input_line(t, NULL, "      - quarks:");
        new_input_line(t, "charm", "          - { mass: %.9g, flavors: 1 }", b->charm);
        new_input_line(t, "corrects the charm quark's dispersion relation", "        naik_epsilon: auto");
    }
    new_input_line(t, "where solves stop, |r|/|b|", "    residuals: { refresh: %.0e, action: %.0e, force: 1e-5 }",
                   new_input_residual(in), new_input_residual(in));
}

/* ---- domain wall: ratios up to the Pauli-Villars mass 1, each of at most CHAIN_RATIO in m + m_res */

#define CHAIN_RATIO 4.5

static double two_digits(double x)
{
    const double unit = pow(10, floor(log10(x)) - 1);
    return round(x / unit) * unit;
}

static mass_chain dwf_chain(const bare_parameters *b)
{
    const double light = b->light + b->at.residual_mass;
    int ratios = (int)ceil(log(1 / light) / log(CHAIN_RATIO));
    ratios = ratios < 2 ? 2 : ratios > CHAIN_MOST ? CHAIN_MOST : ratios;
    mass_chain chain = { .count = ratios - 1 };
    for (int i = 0; i < chain.count; i++)
        chain.at[i] = two_digits(pow(light, 1 - (i + 1.) / ratios));
    return chain;
}

/* The keys of the operator, for a monomial or a measurement. */
static void add_dwf_action(text *t, const coupling *c)
{
    new_input_line(t, NULL, "    action: %s", c->action);
    if (c->b > 0) {
        new_input_line(t, NULL, "    b: %g", c->b);
        new_input_line(t, NULL, "    c: %g", c->c);
    }
    new_input_line(t, NULL, "    Ls: %d", c->Ls);
    new_input_line(t, "domain-wall height", "    M5: %g", c->M5);
}

static void add_rest(text *t, const new_input *in)
{
    new_input_line(t, "where solves stop, |r|/|b|", "    residuals: { refresh: %.0e, action: %.0e, force: 1e-6 }",
                   new_input_residual(in), new_input_residual(in));
    new_input_line(t, "inner iterations in single, residuals in double: docs/solvers.md", "    solver: double-single");
}

static void add_dwf(text *t, const new_input *in)
{
    const bare_parameters *b = in->b;
    const mass_chain chain = dwf_chain(b);
    new_input_line(t, NULL, "  - kind: domain_wall");
    new_input_line(t, "the lightest ratio, on the coarsest level", "    name: light");
    add_dwf_action(t, &b->at);
    new_input_line(t, NULL, "    determinants:");
    new_input_line(t, NULL, "      - { flavors: 2, mass: %.9g, heavy: %.9g }", b->light, chain.at[0]);
    add_rest(t, in);
    new_input_line(t, NULL, "  - kind: domain_wall");
    new_input_line(t, isnan(b->strange) ? "the rest of the chain" : "the rest of the chain, and the strange quark",
                   "    name: heavier");
    add_dwf_action(t, &b->at);
    new_input_line(t, NULL, "    determinants:");
    new_input_line(t, NULL, "      - flavors: 2");
    new_input_line(t, chain.count == 1 ? "over the Pauli-Villars field, m = 1" : NULL, "        mass: %.9g",
                   chain.at[0]);
    if (chain.count > 1)
        new_input_line(t, "the last denominator is the Pauli-Villars field, m = 1", "        hasenbusch:");
    for (int i = 1; i < chain.count; i++)
        new_input_line(t, NULL, "          - { mass: %.9g }", chain.at[i]);
    if (!isnan(b->strange))
        new_input_line(t, "the exact one-flavor action", "      - { flavors: 1, mass: %.9g, method: exact }",
                       b->strange);
    add_rest(t, in);
}

/* ---- Wilson: distances of intermediate bare masses from the light one, more of them for a light pion; on anisotropic
 * lattices, with masses in units of 1/a_t, shorter by a_s/a_t */

static mass_chain wilson_chain(const bare_parameters *b)
{
    static const mass_chain heavy = { 2, { 0.04, 0.35 } }, light = { 3, { 0.01, 0.06, 0.35 } },
                            physical = { 4, { 0.003, 0.015, 0.08, 0.35 } };
    return !(b->pion < 400) ? heavy : b->pion < 200 ? physical : light;
}

/* The parameter of the bare mass that is `above` that of the light quarks. */
static double wilson_above(const bare_parameters *b, double above)
{
    return bare_parameters_are_kappas(b->family) ? 1 / (1 / b->light + 2 * above)
                                                 : b->light + above / bare_parameters_anisotropy(b);
}

/* The keys of the operator, for a monomial or a measurement. */
static void add_wilson_action(text *t, const bare_parameters *b, const char *comment)
{
    const anisotropy *a = &b->at.aniso;
    const coupling *at = &b->at;
    if (b->family->anisotropic) {
        new_input_line(t, comment ? comment : "that of the gauge action", "    xi_0: %g", a->xi_0);
        new_input_line(t, comment ? NULL : "hops in space have the factor nu / xi_0", "    nu: %g", a->nu);
        new_input_line(t, comment ? NULL : "clover term of planes in space", "    c_s: %.7g", a->c_s);
        new_input_line(t, comment ? NULL : "and of planes with t", "    c_t: %.7g", a->c_t);
        new_input_line(t, comment ? NULL : "in the whole operator",
                       "    stout: { levels: %d, rho: %g, spatial_only: true }", at->stout_levels, at->stout_rho);
    } else if (b->family->clover) {
        new_input_line(t, comment ? comment : "coefficient of the clover term", "    c_sw: %.7g", at->c_sw);
        if (b->family->exponential)
            new_input_line(t, comment ? NULL : "(4 + m) exp(c_sw A / (4 + m)) in place of 4 + m + c_sw A",
                           "    clover: exponential");
        if (b->family->thin) {
            new_input_line(t, comment ? NULL : "the clover term is on links without smearing,",
                           "    clover_links: thin");
            new_input_line(t, comment ? NULL : "hops are on smeared ones", "    stout: { levels: %d, rho: %g }",
                           at->stout_levels, at->stout_rho);
        }
    }
}

/* The boundary coefficient, which doublets do not have. */
static void add_wilson_ends(text *t, const bare_parameters *b, const char *comment)
{
    if (b->open_in_time)
        new_input_line(t, comment, "    c_F: 1");
}

/* A source beside the first slice, where quarks are 0: its mesons have almost the whole extent to fall. */
static void add_open_source(text *t, const bare_parameters *b)
{
    if (!b->open_in_time)
        return;
    new_input_line(t, "in the slice beside the first boundary,", "    source: [0, 0, 0, %d]", PLATEAU_SOURCE);
    new_input_line(t, "at all its sites, with random numbers", "    source_type: z2_wall");
}

static void add_wilson_keys(text *t, const bare_parameters *b, const char *name, const char *comment)
{
    new_input_line(t, NULL, "  - kind: wilson");
    new_input_line(t, comment, "    name: %s", name);
    add_wilson_action(t, b, NULL);
    add_wilson_ends(t, b, "of slices beside the boundaries: the value at tree level");
    if (b->family->anisotropic || (b->family->clover && !b->family->twisted))       /* chains in rho: docs/wilson.md */
        new_input_line(t, "conjugate gradients need fewer iterations", "    even_odd: symmetric");
    new_input_line(t, NULL, "    determinants:");
}

static void add_wilson(text *t, const new_input *in)
{
    const bare_parameters *b = in->b;
    const mass_chain chain = wilson_chain(b);
    const char *key = bare_parameters_name(b->family);
    add_wilson_keys(t, b, "light", "the lightest ratio, on the coarsest level");
    new_input_line(t, NULL, "      - { flavors: 2, %s: %.9g, heavy%s: %.5f }", key, b->light,
                   bare_parameters_are_kappas(b->family) ? "_kappa" : "", wilson_above(b, chain.at[0]));
    add_rest(t, in);
    add_wilson_keys(t, b, "heavier", isnan(b->strange) ? "the rest of the chain"
                                                        : "the rest of the chain, and the strange quark");
    new_input_line(t, NULL, "      - flavors: 2");
    new_input_line(t, NULL, "        %s: %.5f", key, wilson_above(b, chain.at[0]));
    new_input_line(t, "the last of these masses alone ends the chain", "        hasenbusch:");
    for (int i = 1; i < chain.count; i++)
        new_input_line(t, NULL, "          - { %s: %.5f }", key, wilson_above(b, chain.at[i]));
    if (!isnan(b->strange)) {
        new_input_line(t, "by RHMC", "      - flavors: 1");
        new_input_line(t, NULL, "        %s: %.9g", key, b->strange);
        new_input_line(t, "of the rational functions",
                       "        errors: { refresh: 1e-11, action: 1e-11, force: 1e-6 }");
    }
    add_rest(t, in);
}

/* ---- twisted mass: ratios in a twist rho of the odd sites */

static mass_chain twist_chain(const bare_parameters *b)
{
    static const mass_chain heavy = { 2, { 0.05, 0.4 } }, light = { 3, { 0.01, 0.06, 0.4 } };
    return b->light < 0.004 ? light : heavy;
}

/* The keys of strange and charm quarks, for the monomial and the measurement. */
static void add_doublet_action(text *t, const bare_parameters *b, bool measured)
{
    char sigma[64], delta[64];
    const coupling *c = &b->at;
    snprintf(sigma, sizeof sigma, "2 kappa mu_sigma = %.7g", 2 * c->kappa * c->mu_sigma);
    snprintf(delta, sizeof delta, "2 kappa mu_delta = %.7g", 2 * c->kappa * c->mu_delta);
    add_wilson_action(t, b, measured ? "as in the monomials" : NULL);
    new_input_line(t, measured ? NULL : "that of the light quarks", "    kappa: %.9g", c->kappa);
    new_input_line(t, measured ? NULL : sigma, "    mu_sigma: %.9g", c->mu_sigma);
    new_input_line(t, measured ? NULL : delta, "    mu_delta: %.9g", c->mu_delta);
}

static void add_doublet(text *t, const new_input *in)
{
    new_input_line(t, NULL, "  - kind: wilson_doublet");
    new_input_line(t, "by RHMC", "    name: strange_charm");
    add_doublet_action(t, in->b, false);
    new_input_line(t, "of the rational functions", "    errors: { refresh: 1e-11, action: 1e-11, force: 1e-6 }");
    add_rest(t, in);
}

static void add_twisted(text *t, const new_input *in)
{
    const bare_parameters *b = in->b;
    const mass_chain chain = twist_chain(b);
    char unit[64];
    snprintf(unit, sizeof unit, "mu is a mu_q: 2 kappa mu = %.6g", 2 * b->at.kappa * b->light);
    add_wilson_keys(t, b, "light", "the ratio to a twist rho on odd sites");
    new_input_line(t, unit, "      - { flavors: 2, kappa: %.9g, mu: %.9g, heavy_rho: %g }", b->at.kappa, b->light,
                   chain.at[0]);
    add_rest(t, in);
    add_wilson_keys(t, b, "heavier", "the rest of the chain");
    new_input_line(t, NULL, "      - flavors: 2");
    new_input_line(t, "maximal twist on the lattices of the source: pcac_mass must vanish", "        kappa: %.9g",
                   b->at.kappa);
    new_input_line(t, NULL, "        mu: %.9g", b->light);
    new_input_line(t, NULL, "        rho: %g", chain.at[0]);
    new_input_line(t, NULL, "        hasenbusch:");
    for (int i = 1; i < chain.count; i++)
        new_input_line(t, NULL, "          - { rho: %g }", chain.at[i]);
    add_rest(t, in);
    if (b->family->doublet)
        add_doublet(t, in);
}

/* ---- all families */

/* Rejections reverse the momenta of SMD: smaller steps make them rare.  A first choice: kiln tune finds the number. */
#define SMD_FINER 2.

void new_input_add_monomials(text *t, const new_input *in)
{
    const family *of = in->b->family;
    if (of->quarks == QUARKS_STAGGERED)
        add_staggered(t, in);
    else if (of->quarks == QUARKS_DOMAIN_WALL)
        add_dwf(t, in);
    else
        (of->twisted ? add_twisted : add_wilson)(t, in);
}

void new_input_add_levels(text *t, const new_input *in)
{
    const quark_kind quarks = in->b->family->quarks;
    new_input_line(t, NULL, "  levels:");
    if (quarks == QUARKS_STAGGERED) {
        new_input_line(t, NULL, "    # 3G1F: a kick of the quarks and three of the gauge action a step");
        new_input_line(t, NULL, "    - { integrator: 3g1f, steps: %d, monomials: [quarks], gauge_monomials: [gauge] }",
                       new_input_steps(in, 30));
        return;
    }
    new_input_line(t, NULL, "    - { integrator: omelyan, steps: %d, monomials: [light] }",
                   new_input_steps(in, in->b->at.smd_length > 0 ? SMD_FINER * 6 * in->b->at.smd_length : 6));
    new_input_line(t, "in each drift of the level above",
                   "    - { integrator: omelyan, steps: %d, monomials: [heavier%s] }",
                   quarks == QUARKS_DOMAIN_WALL ? 1 : 2, in->b->family->doublet ? ", strange_charm" : "");
    new_input_line(t, NULL, "    - { integrator: omelyan, steps: %d, monomials: [gauge] }",
                   quarks == QUARKS_DOMAIN_WALL ? 4 : 2);
}

/* The light quarks, and strange ones where they are others: a measurement has each mass once. */
static void add_measured(text *t, const char *key, const bare_parameters *b)
{
    if (!isnan(b->strange) && b->strange != b->light)
        new_input_line(t, "light and strange", "    masses: [ { %s: %.9g }, { %s: %.9g } ]", key, b->light, key,
                       b->strange);
    else
        new_input_line(t, NULL, "    masses: [ { %s: %.9g } ]", key, b->light);
}

void new_input_add_measurements(text *t, const new_input *in)
{
    const bare_parameters *b = in->b;
    const quark_kind quarks = b->family->quarks;
    if (quarks == QUARKS_STAGGERED) {
        new_input_line(t, NULL, "  - kind: condensate");
        new_input_line(t, NULL, "    name: condensate");
        new_input_line(t, NULL, "    every: %d", new_input_interval(in, 10));
        add_measured(t, "mass", b);
        new_input_line(t, "random vectors", "    sources: 1");
    } else if (quarks == QUARKS_DOMAIN_WALL) {
        new_input_line(t, NULL, "  - kind: domain_wall");
        new_input_line(t, "residual mass, pion and condensate", "    name: dwf");
        new_input_line(t, NULL, "    every: %d", new_input_interval(in, 10));
        add_dwf_action(t, &b->at);
        new_input_line(t, NULL, "    masses: [ { mass: %.9g } ]", b->light);
        new_input_line(t, NULL, "    solver: double-single");
    } else {
        new_input_line(t, NULL, "  - kind: wilson");
        new_input_line(t, b->open_in_time ? "PCAC mass and pion correlator"
                                          : "PCAC mass, pion correlator and condensate", "    name: quarks");
        new_input_line(t, NULL, "    every: %d", new_input_interval(in, 10));
        add_wilson_action(t, b, "as in the monomials");
        add_wilson_ends(t, b, NULL);
        if (b->family->twisted)
            new_input_line(t, NULL, "    masses: [ { kappa: %.9g, mu: %.9g } ]", b->at.kappa, b->light);
        else
            add_measured(t, bare_parameters_name(b->family), b);
        add_open_source(t, b);
        if (b->open_in_time) {
            new_input_line(t, "no condensate, a mean over all slices", "    random_sources: 0");
            new_input_add_plateau(t, in, "of the PCAC mass");
        }
        new_input_line(t, NULL, "    solver: double-single");
    }
    if (b->family->doublet) {
        new_input_line(t, NULL, "  - kind: wilson_doublet");
        new_input_line(t, "K, D and D_s", "    name: kaon");
        new_input_line(t, NULL, "    every: %d", new_input_interval(in, 10));
        add_doublet_action(t, b, true);
        new_input_line(t, "light", "    masses: [ { kappa: %.9g, mu: %.9g } ]", b->at.kappa, b->light);
        add_open_source(t, b);
        new_input_line(t, NULL, "    heavy: true");
        new_input_line(t, NULL, "    solver: double-single");
    }
}
