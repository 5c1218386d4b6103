/* test_qcdml.c - the document of an ensemble says what its input says, in the form of QCDml. */
#include "actions/gauge_action.h"
#include "actions/wilson_params.h"
#include "src/publish/qcdml.h"
#include "tests/facts.h"
#include "tests/hmc/run_text.h"
#include "tests/publish/qcdml_model.h"

#include <math.h>

#define RUN_HEAD "lattice: [4, 4, 4, 6]\nrandom: { seed: 11 }\nstart: { from: hot }\n"
#define RUN_TAIL "output: { directory: ens, name: c, configuration_every: 2, checkpoint_every: 2 }\n"
#define RUN_HMC "hmc:\n  trajectory_length: 0.5\n  trajectories: 6\n  thermalization: 2\n"

static publish_about about = {
    .collaboration = "A & B <C>", .project = "p", .ensemble = "e", .alias = "", .reference = "", .grid = "ldg",
    .path = "a/b", .series = "1", .archived = "2026-11-22T00:00:00Z", .license = { "", "https://l.org/by" },
    .participant = { "N. N.", "somewhere", "0000-0000-0000-0001" }, .machine = { "m", "i", "t" },
    .code = { "2026-11-21T00:00:00Z" }, .algorithm = { "", "" },
};

/* The document of an ensemble with this input, checked (xml_tree_free); NULL, told as a fact, if it fails. */
static xml_element *document_of(const char *what, const run_input *in)
{
    failure f = { .why = "" };
    text out = { 0 };
    char why[512] = "not well formed";
    const qcdml_ensemble_facts facts = { &about, &in->p, "a: <b> & c\n", 3 };
    xml_element *root = qcdml_ensemble(&out, &facts, &f) ? xml_tree_read(text_string(&out)) : NULL;
    bool formed = root && qcdml_holds(root, why, sizeof why);
    fact(formed, "%s: the ensemble's document is one of QCDml: %s%s", what, formed ? "yes" : why, f.why);
    text_free(&out);
    return root;
}

/* The same with these monomials. */
static xml_element *ensemble(const char *what, const char *monomials, const char *names)
{
    run_input in;
    run_from_text(&in, RUN_HEAD "monomials:\n%s" RUN_HMC "  levels: [{ integrator: omelyan, steps: 3, "
                  "monomials: [%s] }]\n" RUN_TAIL, monomials, names);
    xml_element *root = document_of(what, &in);
    run_input_free(&in);
    return root;
}

/* The couplings give the coefficients of the action again, and normalized as the document says they are. */
static void gluons(void)
{
    static const struct { const char *input, *element; int action; double c1, u0; int64_t flavors; } rows[] = {
        { "action: wilson", "plaquetteGluonAction", 0, 0, 0, 0 },
        { "action: symanzik_tree", "treelevelSymanzikGluonAction", 1, 0, 0, 0 },
        { "action: iwasaki", "iwasakiRGGluonAction", 2, 0, 0, 0 },
        { "action: dbw2", "DBW2GluonAction", 3, 0, 0, 0 },
        { "action: rectangle, c1: -0.3", "LuescherWeiszGluonAction", 4, -0.3, 0, 0 },
        { "action: symanzik_1loop, u0: 0.89, flavors: 4", "tpLuescherWeiszGluonAction", 5, 0, 0.89, 4 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char term[200], path[100];
        snprintf(term, sizeof term, "  - { kind: gauge, beta: 2.5, %s }\n", rows[i].input);
        xml_element *root = ensemble(rows[i].input, term, "gauge");
        snprintf(path, sizeof path, "physics/action/gluon/%s", rows[i].element);
        const xml_element *e = root ? xml_at(root, path) : NULL;
        const gauge_params params = { .action = rows[i].action, .c1 = rows[i].c1, .u0 = rows[i].u0,
                                      .flavors = rows[i].flavors };
        loop_coefficients c = gauge_action_coefficients(&params);
        fact(e && xml_number_at(e, "beta") == 2.5, "its element is %s, with the run's beta", rows[i].element);
        if (e && xml_at(e, "c0")) {
            double c0 = xml_number_at(e, "c0"), sum = c0 + 8 * xml_number_at(e, "c1") + 16 * xml_number_at(e, "c2")
                                                  + 8 * xml_number_at(e, "c3");
            fact(c0 == c.plaquette && xml_number_at(e, "c1") == c.rectangle && xml_number_at(e, "c3") == c.parallelogram
                     && xml_number_at(e, "c2") == 0, "its couplings are the action's, every bit");
            bool one = strcmp(xml_text_at(e, "normalisation"), "c0_is_one") == 0;
            fact_close(one ? c0 : sum, 1, 1e-14, "normalized as it says");
        }
        xml_tree_free(root);
    }
    xml_element *open = ensemble("open boundaries", "  - { kind: gauge, action: wilson, beta: 6, c_G: 1.25 }\n"
                                 "boundary: { time: open }\n", "gauge");
    const xml_element *e = open ? xml_at(open, "physics/action/gluon/plaquetteGluonAction") : NULL;
    fact(e && strcmp(xml_text_at(e, "gluonField/boundaryCondition/t"), "open") == 0
             && strcmp(xml_text_at(e, "gluonField/boundaryCondition/z"), "periodic") == 0
             && strstr(xml_text_at(e, "annotation"), "c_G = 1.25"), "open boundaries in t, with c_G in an annotation");
    xml_tree_free(open);
    xml_element *uneven = ensemble("anisotropic", "  - { kind: gauge, action: symanzik_anisotropic, beta: 2.5, "
                                   "xi_0: 3, u_s: 0.75, u_t: 1 }\n", "gauge");
    e = uneven ? xml_at(uneven, "physics/action/gluon/treelevelSymanzikGluonAction") : NULL;
    fact(e && strstr(xml_text_at(e, "annotation"), "xi_0 = 3, u_s = 0.75, u_t = 1"),
         "an anisotropic action, with xi_0 and tadpole factors in an annotation");
    xml_tree_free(uneven);
    uneven = ensemble("anisotropic", "  - { kind: gauge, action: wilson, beta: 6, xi_0: 2.5 }\n", "gauge");
    e = uneven ? xml_at(uneven, "physics/action/gluon/plaquetteGluonAction") : NULL;
    fact(e && strstr(xml_text_at(e, "annotation"), "xi_0 = 2.5"), "and one without tadpole factors");
    xml_tree_free(uneven);
    xml_element *two = ensemble("two gauge terms", "  - { kind: gauge, name: a, action: wilson, beta: 4 }\n"
                                "  - { kind: gauge, name: b, action: iwasaki, beta: 1 }\n", "a, b");
    fact(two && xml_at(two, "physics/action/gluon")->count == 2
             && strstr(xml_text_at(two, "physics/action/gluon/iwasakiRGGluonAction/annotation"), "sum"),
         "two terms: two elements, which say that the action is their sum");
    fact(two && strcmp(xml_text_at(two, "management/collaboration"), "A & B <C>") == 0
             && strstr(xml_text_at(two, "additionalInfo/annotation"), "a: <b> & c"), "markup in values is escaped");
    xml_tree_free(two);
}

/* mass -> flavors, of the quarks under one element. */
static bool has_quarks(const xml_element *root, const char *element, int count, const double (*expected)[2])
{
    const xml_element *quarks = root ? xml_at(root, "physics/action/quark") : NULL;
    if (!quarks || quarks->count != count)
        return false;
    for (int i = 0; i < count; i++) {
        const xml_element *q = quarks->child[i];
        if (strcmp(q->name, element) != 0 || xml_number_at(q, "mass") != expected[i][0]
            || xml_number_at(q, "numberOfFlavours") != expected[i][1])
            return false;
    }
    return true;
}

#define GAUGE "  - { kind: gauge, action: symanzik_tree, beta: 5 }\n"

static void staggered(void)
{
    xml_element *root = ensemble("HISQ 2+1+1", GAUGE
        "  - { kind: staggered, name: q, action: hisq, determinants: [\n"
        "      { quarks: [{ mass: 0.01, flavors: 2 }, { mass: 0.05, flavors: 1 }], hasenbusch: [{ mass: 0.2 }] },\n"
        "      { quarks: [{ mass: 0.5, flavors: 1 }], naik_epsilon: -0.16875 }] }\n", "gauge, q");
    static const double four[][2] = { { 0.01, 2 }, { 0.05, 1 }, { 0.5, 1 } };
    fact(has_quarks(root, "hisqQuarkAction", 3, four), "2+1+1 flavors: masses of Hasenbusch are none of them");
    if (root) {
        const xml_element *quarks = xml_at(root, "physics/action/quark");
        const xml_element *links = xml_at(quarks->child[2], "LinkTreatment/asqTadQuarkLinkTreatment");
        fact(links && xml_number_at(links, "epsilon/value") == -0.16875 && xml_number_at(links, "cNaik") == -1.0 / 24,
             "charm has its epsilon");
        fact(!xml_at(quarks->child[0], "LinkTreatment/asqTadQuarkLinkTreatment/epsilon"), "light quarks have none");
        fact(strcmp(xml_text_at(quarks->child[0], "quarkField/boundaryCondition/t"), "antiperiodic") == 0
                 && strcmp(xml_text_at(quarks->child[0], "quarkField/boundaryCondition/x"), "periodic") == 0,
             "antiperiodic in t alone");
        fact(strcmp(xml_text_at(root, "algorithm/name"), "RHMC") == 0, "rooted quarks need RHMC");
    }
    xml_tree_free(root);

    root = ensemble("Asqtad", GAUGE "  - { kind: staggered, name: q, action: asqtad, u0: 0.8604, boundary: 0, "
                    "determinants: [{ quarks: [{ mass: 0.0097, flavors: 2 }] }] }\n", "gauge, q");
    const xml_element *q = root ? xml_at(root, "physics/action/quark/asqTadQuarkAction") : NULL;
    if (fact(q != NULL, "Asqtad has an element of its own")) {
        /* As MILC published its ensemble 1648f21b6572m0097m0484. */
        fact_close(xml_number_at(q, "c3Link"), 0.084426583291566, 1e-14,
                   "its coefficients are those of MILC's documents");
        fact_close(xml_number_at(q, "cNaik"), -0.056284388861044, 1e-14, "with the tadpole factor in them");
        fact_close(xml_number_at(q, "c7LinkTwist"), 0.006418985066831, 1e-14, "to its sixth power");
        fact(strcmp(xml_text_at(q, "quarkField/boundaryCondition/t"), "periodic") == 0, "periodic where the run is");
    }
    xml_tree_free(root);
    root = ensemble("unimproved staggered", GAUGE "  - { kind: staggered, name: q, action: naive, "
                    "determinants: [{ quarks: [{ mass: 0.1, flavors: 4 }] }] }\n", "gauge, q");
    fact(root && strstr(xml_text_at(root, "physics/action/quark/asqTadQuarkAction/annotation"), "unimproved"),
         "what has no element takes the nearest one, and says what it is");
    xml_tree_free(root);
}

/* The conditions of x, y, z and t. */
static void facts_of_boundary(const xml_element *quark, const char *conditions, const char *annotation)
{
    char found[100];
    snprintf(found, sizeof found, "%s %s %s %s", xml_text_at(quark, "quarkField/boundaryCondition/x"),
             xml_text_at(quark, "quarkField/boundaryCondition/y"), xml_text_at(quark, "quarkField/boundaryCondition/z"),
             xml_text_at(quark, "quarkField/boundaryCondition/t"));
    fact(strcmp(found, conditions) == 0, "boundary conditions: %s", conditions);
    fact(strcmp(xml_text_at(quark, "quarkField/annotation"), annotation) == 0, "%s", annotation);
}

/* The package names stochastic molecular dynamics as the algorithm. */
static void stochastic(void)
{
    run_input in;
    run_from_text(&in, RUN_HEAD "monomials:\n" GAUGE "smd: { gamma: 0.375 }\n" RUN_HMC
                  "  levels: [{ integrator: omelyan, steps: 3, monomials: [gauge] }]\n" RUN_TAIL);
    xml_element *root = document_of("SMD", &in);
    fact(root && strcmp(xml_text_at(root, "algorithm/name"), "SMD") == 0, "smd.gamma makes the algorithm SMD");
    xml_tree_free(root);
    run_input_free(&in);
}

/* The text of the parameter of that name of the algorithm; "" if there is none. */
static const char *parameter_of(const xml_element *root, const char *name)
{
    const xml_element *all = xml_at(root, "algorithm/parameters");
    for (int i = 0; all && i < all->count; i++)
        if (strcmp(xml_text_at(all->child[i], "name"), name) == 0)
            return xml_text_at(all->child[i], "value");
    return "";
}

/* The package has the factors and the defect of tempering. */
static void tempered(void)
{
    run_input in;
    run_from_text(&in, RUN_HEAD "monomials:\n" GAUGE "tempering: { replicas: 3, defect: { direction: z, size: 2 }, "
                  "swap_every: 3, translate: false }\n" RUN_HMC
                  "  levels: [{ integrator: omelyan, steps: 3, monomials: [gauge] }]\n" RUN_TAIL);
    xml_element *root = document_of("tempering", &in);
    fact(root && strcmp(parameter_of(root, "boundaryTemperingFactors"), "1 0.5 0") == 0
             && strcmp(parameter_of(root, "boundaryTemperingDefect"), "2") == 0
             && strcmp(parameter_of(root, "boundaryTemperingDirection"), "z") == 0, "tempering: factors and defect");
    fact(root && strcmp(parameter_of(root, "boundaryTemperingSwapEvery"), "3") == 0
             && strcmp(parameter_of(root, "boundaryTemperingTranslate"), "false") == 0
             && strstr(parameter_of(root, "boundaryTemperingReference"), "1706.04443")
             && strstr(parameter_of(root, "boundaryTemperingReference"), "2012.14000"),
         "how swaps and translations are made, and the papers");
    xml_tree_free(root);
    run_input_free(&in);
}

static void dwf_and_wilson(void)
{
    static const double shamir[][2] = { { 0.01, 2 }, { 0.04, 1 } }, one[][2] = { { 0.02, 2 } };
    xml_element *root = ensemble("Shamir 2+1", GAUGE
        "  - { kind: domain_wall, name: q, action: shamir, Ls: 8, M5: 1.8, determinants: [\n"
        "      { flavors: 2, mass: 0.01, hasenbusch: [{ mass: 0.1 }] }, { flavors: 1, mass: 0.04 }] }\n", "gauge, q");
    fact(has_quarks(root, "domainWallQuarkAction", 2, shamir), "2+1 flavors of domain-wall quarks");
    fact(root && xml_number_at(root, "physics/action/quark/domainWallQuarkAction/N5") == 8
             && xml_number_at(root, "physics/action/quark/domainWallQuarkAction/kernelMass") == 1.8,
         "of the run's wall");
    xml_tree_free(root);

    root = ensemble("a chain over two monomials", GAUGE
        "  - { kind: domain_wall, name: q, action: mobius, b: 1.5, c: 0.5, Ls: 6, determinants: [{ flavors: 2, "
        "mass: 0.02, heavy: 0.3 }] }\n"
        "  - { kind: domain_wall, name: h, action: mobius, b: 1.5, c: 0.5, Ls: 6, determinants: [{ flavors: 2, "
        "mass: 0.3 }] }\n", "gauge, q, h");
    fact(has_quarks(root, "moebiusDomainWallQuarkAction", 1, one), "intermediate masses cancel");
    fact(root && xml_number_at(root, "physics/action/quark/moebiusDomainWallQuarkAction/b5") == 1.5
             && xml_number_at(root, "physics/action/quark/moebiusDomainWallQuarkAction/c5") == 0.5,
         "b5 and c5 are b and c");
    fact(root && strcmp(xml_text_at(root, "algorithm/name"), "HMC") == 0, "two flavors need HMC alone");
    xml_tree_free(root);
    root = ensemble("optimal", GAUGE "  - { kind: domain_wall, name: q, action: optimal, Ls: 8, determinants: "
                    "[{ flavors: 2, mass: 0.02 }] }\n", "gauge, q");
    fact(root && strstr(xml_text_at(root, "physics/action/quark/moebiusDomainWallQuarkAction/annotation"), "omega_s"),
         "optimal weights are told");
    xml_tree_free(root);
    root = ensemble("Wilson", GAUGE "  - { kind: wilson, name: q, determinants: [{ mass: -0.5, hasenbusch: "
                    "[{ mass: -0.2 }], heavy: 3 }, { mass: 3 }] }\n", "gauge, q");
    const xml_element *q = root ? xml_at(root, "physics/action/quark") : NULL;
    fact(q && q->count == 1 && xml_number_at(q, "wilsonQuarkAction/kappa") == 1 / 7.0, "kappa = 1 / (2 (4 + m))");
    xml_tree_free(root);
    root = ensemble("Wilson quarks over massless ones", GAUGE
        "  - { kind: wilson, name: q, determinants: [{ mass: -0.3, heavy: 0 }] }\n"
        "  - { kind: wilson, name: h, determinants: [{ mass: 0 }] }\n", "gauge, q, h");
    q = root ? xml_at(root, "physics/action/quark") : NULL;
    fact(q && q->count == 1 && xml_number_at(q, "wilsonQuarkAction/kappa") == wilson_kappa(-0.3),
         "a denominator of mass 0 cancels quarks of mass 0");
    xml_tree_free(root);
    root = ensemble("2 + 1 flavors, clover", GAUGE
        "  - { kind: wilson, name: q, c_sw: 1.5, determinants: [{ kappa: 0.125, heavy_kappa: 0.1 }] }\n"
        "  - { kind: wilson, name: h, c_sw: 1.5, determinants: [{ kappa: 0.1 }, { flavors: 1, mass: 0.4 }] }\n",
        "gauge, q, h");
    q = root ? xml_at(root, "physics/action/quark") : NULL;
    fact(q && q->count == 2 && xml_number_at(q, "cloverQuarkAction/kappa") == 0.125
             && xml_number_at(q, "cloverQuarkAction/cSW") == 1.5, "a clover term has its element and its coefficient");
    fact(root && strcmp(xml_text_at(root, "algorithm/name"), "RHMC") == 0, "one flavor needs RHMC");
    xml_tree_free(root);
    root = ensemble("quarks with and without a clover term", GAUGE
        "  - { kind: wilson, name: q, c_sw: 1.5, determinants: [{ mass: 0.2 }] }\n"
        "  - { kind: wilson, name: h, determinants: [{ mass: 0.2 }] }\n", "gauge, q, h");
    q = root ? xml_at(root, "physics/action/quark") : NULL;
    fact(q && q->count == 2 && xml_number_at(q, "cloverQuarkAction/numberOfFlavours") == 2
             && xml_number_at(q, "wilsonQuarkAction/numberOfFlavours") == 2, "which are different actions");
    xml_tree_free(root);
    root = ensemble("an exponential clover term", GAUGE
        "  - { kind: wilson, name: q, c_sw: 1.5, determinants: [{ mass: 0.2 }] }\n"
        "  - { kind: wilson, name: h, c_sw: 1.5, clover: exponential, determinants: [{ mass: 0.2 }] }\n",
        "gauge, q, h");
    q = root ? xml_at(root, "physics/action/quark") : NULL;
    fact(q && q->count == 2 && xml_at(q->child[1], "annotation")
             && strstr(xml_text_at(q->child[1], "annotation"), "exponential"), "and so is an exponential one");
    xml_tree_free(root);
    root = ensemble("an anisotropic clover term", "  - { kind: gauge, action: wilson, beta: 6, xi_0: 2.5 }\n"
        "  - { kind: wilson, name: q, xi_0: 2.5, nu: 1.25, c_s: 1.5, c_t: 0.75, determinants: "
        "[{ mass: 0.2, heavy: 1 }] }\n"
        "  - { kind: wilson, name: h, xi_0: 2.5, nu: 1.25, c_s: 1.5, c_t: 0.75, determinants: [{ mass: 1 }] }\n"
        "  - { kind: wilson, name: other, xi_0: 2.5, nu: 1.25, c_s: 1.5, c_t: 0.5, determinants: [{ mass: 1 }] }\n",
        "gauge, q, h, other");
    q = root ? xml_at(root, "physics/action/quark") : NULL;
    fact(q && q->count == 2 && xml_number_at(q, "cloverQuarkAction/cSW") == 1.5
             && strstr(xml_text_at(q, "cloverQuarkAction/annotation"), "c_s = 1.5, c_t = 0.75; cSW is c_s"),
         "coefficients are in an annotation, and those with another c_t another action");
    xml_tree_free(root);
    root = ensemble("a non-degenerate doublet", GAUGE
        "  - { kind: wilson_doublet, name: q, c_sw: 1.5, kappa: 0.125, mu_sigma: 0.4, mu_delta: -0.2 }\n", "gauge, q");
    q = root ? xml_at(root, "physics/action/quark/cloverQuarkAction") : NULL;
    fact(q && xml_number_at(q, "numberOfFlavours") == 2 && xml_number_at(q, "kappa") == 0.125
             && strstr(xml_text_at(q, "annotation"), "mu_sigma = 0.4")
             && strstr(xml_text_at(q, "annotation"), "2 kappa mu_delta = -0.05"),
         "a doublet is two flavors, and its twisted masses are an annotation");
    xml_tree_free(root);
    root = ensemble("a non-degenerate doublet in two monomials", GAUGE
        "  - { kind: wilson_doublet, name: q, kappa: 0.125, mu_sigma: 0.4, mu_delta: -0.2, heavy_mu_sigma: 0.8 }\n"
        "  - { kind: wilson_doublet, name: h, kappa: 0.125, mu_sigma: 0.8, mu_delta: -0.2 }\n", "gauge, q, h");
    q = root ? xml_at(root, "physics/action/quark") : NULL;
    fact(q && q->count == 1 && strstr(xml_text_at(q->child[0], "annotation"), "mu_sigma = 0.4"),
         "chains of mu_sigma cancel");
    xml_tree_free(root);
    root = ensemble("a twisted mass", GAUGE
        "  - { kind: wilson, name: q, c_sw: 1.5, determinants: [{ kappa: 0.125, mu: 0.01, heavy_rho: 0.2 }] }\n"
        "  - { kind: wilson, name: h, c_sw: 1.5, determinants: [{ kappa: 0.125, mu: 0.01, rho: 0.2 }, "
        "{ kappa: 0.125, mu: 0.03, rho: 0.001 }] }\n", "gauge, q, h");
    q = root ? xml_at(root, "physics/action/quark") : NULL;
    fact(q && q->count == 2 && xml_at(q->child[0], "annotation")
             && strstr(xml_text_at(q->child[0], "annotation"), "mu = 0.01, 2 kappa mu = 0.0025"),
         "twisted masses are annotations, and chains of rho cancel");
    fact(q && q->count == 2 && xml_at(q->child[1], "annotation")
             && strstr(xml_text_at(q->child[1], "annotation"), "rho = 0.001")
             && strcmp(xml_text_at(root, "algorithm/reweightingNeeded"), "true") == 0,
         "a rho that is left is one too, to be removed by reweighting");
    xml_tree_free(root);
    root = ensemble("a chain of rho", GAUGE
        "  - { kind: wilson, name: q, determinants: [{ mass: 0.1, hasenbusch: [{ rho: 0.2 }] }] }\n", "gauge, q");
    fact(root && strcmp(xml_text_at(root, "algorithm/reweightingNeeded"), "false") == 0, "without it there is none");
    xml_tree_free(root);
    root = ensemble("open boundaries", GAUGE
        "  - { kind: wilson, name: q, c_sw: 1.5, c_F: 1.125, determinants: [{ kappa: 0.125 }] }\n"
        "boundary: { time: open }\n", "gauge, q");
    q = root ? xml_at(root, "physics/action/quark") : NULL;
    fact(q && q->count == 1 && strcmp(xml_text_at(q->child[0], "quarkField/boundaryCondition/t"), "dirichlet") == 0
             && strstr(xml_text_at(q->child[0], "annotation"), "c_F = 1.125"),
         "quark fields are 0 at the ends, with c_F");
    xml_tree_free(root);
    root = ensemble("phases in space", GAUGE
        "  - { kind: wilson, name: q, theta: [0.25, -1, 2], determinants: [{ kappa: 0.125 }] }\n"
        "  - { kind: wilson, name: h, theta: [0, 1.75, 0.5], determinants: [{ kappa: 0.125 }] }\n",
        "gauge, q, h");
    q = root ? xml_at(root, "physics/action/quark") : NULL;
    fact(q && q->count == 2, "quarks of different phases are different");
    if (q && q->count == 2) {
        facts_of_boundary(q->child[0], "periodic antiperiodic periodic antiperiodic",
                          "the boundary in x has the phase exp(i pi 0.25)");
        facts_of_boundary(q->child[1], "periodic periodic antiperiodic antiperiodic",
                          "the boundary in y has the phase exp(i pi 1.75); "
                          "the boundary in z has the phase exp(i pi 0.5)");
    }
    xml_tree_free(root);
    root = ensemble("an imaginary chemical potential", GAUGE
        "  - { kind: staggered, name: q, imaginary_mu: 0.25, "
        "determinants: [{ quarks: [{ mass: 0.1, flavors: 2 }] }] }\n"
        "  - { kind: staggered, name: h, determinants: [{ quarks: [{ mass: 0.1, flavors: 1 }] }] }\n", "gauge, q, h");
    q = root ? xml_at(root, "physics/action/quark") : NULL;
    fact(q && q->count == 2, "quarks of different chemical potentials are different");
    if (q && q->count == 2)
        facts_of_boundary(q->child[0], "periodic periodic periodic antiperiodic",
                          "the boundary in t has the phase exp(i pi 1.25)");
    xml_tree_free(root);
    root = ensemble("quarks on thin and on stout links", GAUGE
        "  - { kind: wilson, name: q, c_sw: 1.5, clover: exponential, determinants: [{ mass: 0.2 }] }\n"
        "  - { kind: wilson, name: h, c_sw: 1.5, clover: exponential, stout: { levels: 2, rho: 0.11 }, determinants: "
        "[{ mass: 0.2 }] }\n"
        "  - { kind: domain_wall, name: w, Ls: 6, stout: { levels: 1, rho: 0.125 }, determinants: [{ flavors: 2, "
        "mass: 0.1 }] }\n"
        "  - { kind: staggered, name: s, action: naive, stout: { levels: 3, rho: 0.1, spatial_only: true }, "
        "determinants: [{ quarks: [{ mass: 0.1, flavors: 4 }] }] }\n", "gauge, q, h, w, s");
    q = root ? xml_at(root, "physics/action/quark") : NULL;
    fact(q && q->count == 4 && !strstr(xml_text_at(q->child[0], "annotation"), "stout"), "are different actions");
    static const char *const words[] = { "in QCDml; links of the quarks: 2 levels of stout smearing, rho = 0.11 (",
                                         "1 level of stout smearing, rho = 0.125", "3 levels of spatial stout" };
    for (int n = 0; q && q->count == 4 && n < 3; n++)
        fact(strstr(xml_text_at(q->child[n + 1], "annotation"), words[n]), "%s", words[n]);
    xml_tree_free(root);
}

/* What draws links one by one is told, and no length of trajectories that there are not. */
static void refresh(void)
{
    run_input in;
    run_from_text(&in, RUN_HEAD "monomials:\n  - { kind: gauge, action: wilson, beta: 6.0 }\n"
                  "heatbath: { sweeps: 2, overrelaxation: 4 }\nhmc: { trajectories: 6 }\n" RUN_TAIL);
    xml_element *root = document_of("heat bath", &in);
    const xml_element *parameters = root ? xml_at(root, "algorithm/parameters") : NULL;
    fact(parameters && strcmp(xml_text_at(root, "algorithm/name"), "heatbath") == 0
             && strcmp(xml_text_at(parameters->child[0], "name"), "heatbathSweeps") == 0
             && strcmp(xml_text_at(parameters->child[0], "value"), "2") == 0
             && strcmp(xml_text_at(parameters->child[1], "name"), "overrelaxationSweeps") == 0
             && strcmp(xml_text_at(parameters->child[1], "value"), "4") == 0, "it has the sweeps");
    xml_tree_free(root);
    run_input_free(&in);
}

int main(void)
{
    gluons();
    staggered();
    stochastic();
    tempered();
    dwf_and_wilson();
    refresh();
    return facts_end();
}
