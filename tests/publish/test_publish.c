/* test_publish.c - a package says what the run knows of an ensemble, in the form of QCDml; it is whole or absent. */
#include "actions/gauge_action.h"
#include "src/base/memory.h"
#include "src/publish/qcdml.h"
#include "src/io/links_file.h"
#include "tests/cli/program.h"
#include "tests/publish/qcdml_model.h"
#include "tests/facts.h"
#include "tests/hmc/run_text.h"
#include "tests/io/whole_links.h"

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
    failure f = { "" };
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

static double number_at(const xml_element *root, const char *path)
{
    const char *words = xml_text_at(root, path);
    return *words ? strtod(words, NULL) : NAN;
}

/* The couplings give the coefficients of the action again, and normalised as the document says they are. */
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
        fact(e && number_at(e, "beta") == 2.5, "its element is %s, with the run's beta", rows[i].element);
        if (e && xml_at(e, "c0")) {
            double c0 = number_at(e, "c0"), sum = c0 + 8 * number_at(e, "c1") + 16 * number_at(e, "c2")
                                                  + 8 * number_at(e, "c3");
            fact(c0 == c.plaquette && number_at(e, "c1") == c.rectangle && number_at(e, "c3") == c.parallelogram
                     && number_at(e, "c2") == 0, "its couplings are the action's, every bit");
            bool one = strcmp(xml_text_at(e, "normalisation"), "c0_is_one") == 0;
            fact_close(one ? c0 : sum, 1, 1e-14, "normalised as it says");
        }
        xml_tree_free(root);
    }
    xml_element *two = ensemble("two gauge terms", "  - { kind: gauge, name: a, action: wilson, beta: 4 }\n"
                                "  - { kind: gauge, name: b, action: iwasaki, beta: 1 }\n", "a, b");
    fact(two && xml_at(two, "physics/action/gluon")->count == 2
             && strstr(xml_text_at(two, "physics/action/gluon/iwasakiRGGluonAction/annotation"), "sum"),
         "two terms: two elements, which say that the action is their sum");
    fact(two && strcmp(xml_text_at(two, "management/collaboration"), "A & B <C>") == 0
             && strstr(xml_text_at(two, "additionalInfo/annotation"), "a: <b> & c"), "markup in values is escaped");
    xml_tree_free(two);
}

/* mass -> flavours, of the quarks under one element. */
static bool has_quarks(const xml_element *root, const char *element, int count, const double (*expected)[2])
{
    const xml_element *quarks = root ? xml_at(root, "physics/action/quark") : NULL;
    if (!quarks || quarks->count != count)
        return false;
    for (int i = 0; i < count; i++) {
        const xml_element *q = quarks->child[i];
        if (strcmp(q->name, element) != 0 || number_at(q, "mass") != expected[i][0]
            || number_at(q, "numberOfFlavours") != expected[i][1])
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
    fact(has_quarks(root, "hisqQuarkAction", 3, four), "2+1+1 flavours: masses of Hasenbusch are none of them");
    if (root) {
        const xml_element *quarks = xml_at(root, "physics/action/quark");
        const xml_element *links = xml_at(quarks->child[2], "LinkTreatment/asqTadQuarkLinkTreatment");
        fact(links && number_at(links, "epsilon/value") == -0.16875 && number_at(links, "cNaik") == -1.0 / 24,
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
        fact_close(number_at(q, "c3Link"), 0.084426583291566, 1e-14, "its coefficients are those of MILC's documents");
        fact_close(number_at(q, "cNaik"), -0.056284388861044, 1e-14, "with the tadpole factor in them");
        fact_close(number_at(q, "c7LinkTwist"), 0.006418985066831, 1e-14, "to its sixth power");
        fact(strcmp(xml_text_at(q, "quarkField/boundaryCondition/t"), "periodic") == 0, "periodic where the run is");
    }
    xml_tree_free(root);
    root = ensemble("unimproved staggered", GAUGE "  - { kind: staggered, name: q, action: naive, "
                    "determinants: [{ quarks: [{ mass: 0.1, flavors: 4 }] }] }\n", "gauge, q");
    fact(root && strstr(xml_text_at(root, "physics/action/quark/asqTadQuarkAction/annotation"), "unimproved"),
         "what has no element takes the nearest one, and says what it is");
    xml_tree_free(root);
}

static void walls_and_wilson(void)
{
    static const double shamir[][2] = { { 0.01, 2 }, { 0.04, 1 } }, one[][2] = { { 0.02, 2 } };
    xml_element *root = ensemble("Shamir 2+1", GAUGE
        "  - { kind: domain_wall, name: q, action: shamir, slices: 8, height: 1.8, determinants: [\n"
        "      { flavors: 2, mass: 0.01, hasenbusch: [{ mass: 0.1 }] }, { flavors: 1, mass: 0.04 }] }\n", "gauge, q");
    fact(has_quarks(root, "domainWallQuarkAction", 2, shamir), "2+1 flavours of domain-wall quarks");
    fact(root && number_at(root, "physics/action/quark/domainWallQuarkAction/N5") == 8
             && number_at(root, "physics/action/quark/domainWallQuarkAction/kernelMass") == 1.8, "of the run's wall");
    xml_tree_free(root);

    root = ensemble("a chain over two monomials", GAUGE
        "  - { kind: domain_wall, name: q, action: mobius, b: 1.5, c: 0.5, slices: 6, determinants: [{ flavors: 2, "
        "mass: 0.02, heavy: 0.3 }] }\n"
        "  - { kind: domain_wall, name: h, action: mobius, b: 1.5, c: 0.5, slices: 6, determinants: [{ flavors: 2, "
        "mass: 0.3 }] }\n", "gauge, q, h");
    fact(has_quarks(root, "moebiusDomainWallQuarkAction", 1, one), "intermediate masses cancel");
    fact(root && number_at(root, "physics/action/quark/moebiusDomainWallQuarkAction/b5") == 1.5
             && number_at(root, "physics/action/quark/moebiusDomainWallQuarkAction/c5") == 0.5,
         "b5 and c5 are b and c");
    fact(root && strcmp(xml_text_at(root, "algorithm/name"), "HMC") == 0, "two flavours need HMC alone");
    xml_tree_free(root);
    root = ensemble("optimal", GAUGE "  - { kind: domain_wall, name: q, action: optimal, slices: 8, determinants: "
                    "[{ flavors: 2, mass: 0.02 }] }\n", "gauge, q");
    fact(root && strstr(xml_text_at(root, "physics/action/quark/moebiusDomainWallQuarkAction/annotation"), "omega_s"),
         "optimal weights are told");
    xml_tree_free(root);
    root = ensemble("Wilson", GAUGE "  - { kind: wilson, name: q, determinants: [{ mass: -0.5, hasenbusch: "
                    "[{ mass: -0.2 }], heavy: 3 }, { mass: 3 }] }\n", "gauge, q");
    const xml_element *q = root ? xml_at(root, "physics/action/quark") : NULL;
    fact(q && q->count == 1 && number_at(q, "wilsonQuarkAction/kappa") == 1 / 7.0, "kappa = 1 / (2 (4 + m))");
    xml_tree_free(root);
}

static void write_text(const char *path, const char *content)
{
    blob_write(path, content, strlen(content));
}

static const char about_text[] =
    "collaboration: C\nproject: p\nensemble: e1\ngrid: ldg\nlicense: { uri: \"https://l.org/by\" }\n"
    "participant: { name: N, institution: I }\nmachine: { name: m, institution: I, type: t }\n"
    "code: { date: \"2026-11-21T00:00:00Z\" }\n";

/* The command's checksum of the binary data of an ILDG file, whose record is the only long one. */
static double cksum_of_data(const char *path)
{
    char command[1400];
    double sum = NAN;
    size_t data = 4 * 4 * 4 * 6 * 72 * 8, at = 0;
    blob b = blob_read(path);
    while (at + 144 < b.n && get_word(b.bytes + at + 12, true) != data)
        at += 144 + (get_word(b.bytes + at + 12, true) + 7) / 8 * 8;
    snprintf(command, sizeof command, "tail -c +%zu '%s' | head -c %zu | cksum", at + 145, path, data);
    FILE *pipe = popen(command, "r");
    if (fscanf(pipe, "%lf", &sum) != 1)
        sum = NAN;
    pclose(pipe);
    free(b.bytes);
    return sum;
}

static bool is_there(const char *folder, const char *name)
{
    char path[1000];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return access(path, F_OK) == 0;
}

static void package(const char *folder, const char *package_folder)
{
    static const int trajectories[] = { 4, 6 };
    const said *answer = program_run("publish '%s/ens' --about '%s/about.yaml' --output '%s' --json", folder, folder,
                                     package_folder);
    fact(answer->status == 0, "a finished ensemble is published");
    fact(!is_there(package_folder, "e1.000002.lime"), "without its warm-up");
    for (int i = 0; i < 2; i++) {
        char path[1000], kept[800], why[512] = "not well formed";
        snprintf(path, sizeof path, "%s/e1.%06d.lime", package_folder, trajectories[i]);
        snprintf(kept, sizeof kept, "%s/ens/c.%06d.lime", folder, trajectories[i]);
        links_info a, b;
        failure f = { "" };
        double *links = links_read(path, &a, &f), *original = links_read(kept, &b, &f);
        bool same = links && original && memcmp(links, original, links_count(a.extents) * sizeof *links) == 0;
        fact(same, "trajectory %d: the links of the run%s", trajectories[i], f.why);
        char lfn[100];
        snprintf(lfn, sizeof lfn, "lfn://ldg/C/p/e1/e1.%06d.lime", trajectories[i]);
        fact(strcmp(a.lfn, lfn) == 0, "under the name %s", lfn);
        double sum = cksum_of_data(path);
        memcpy(strrchr(path, '.'), ".xml", 5);
        blob document = blob_read(path);
        if (document.bytes)
            document.bytes[document.n] = '\0';
        xml_element *root = document.bytes ? xml_tree_read((char *)document.bytes) : NULL;
        bool formed = root && qcdml_holds(root, why, sizeof why);
        fact(formed, "its document is one of QCDml: %s", formed ? "yes" : why);
        const char *record = "markovSequence/markovStep/record";
        const xml_element *r = root ? xml_at(root, record) : NULL;
        fact(r && number_at(r, "crcCheckSum") == sum, "the document has what cksum says of the binary data");
        fact(r && number_at(r, "avePlaquette") == a.plaquette, "and the plaquette, every bit");
        fact(root && number_at(root, "markovSequence/markovStep/update") == trajectories[i]
                 && strcmp(xml_text_at(root, "dataLFN"), lfn) == 0
                 && strcmp(xml_text_at(root, "markovSequence/markovChainURI"), "mc://ldg/C/p/e1") == 0,
             "trajectory, names of file and chain");
        xml_tree_free(root);
        free(document.bytes);
        memory_free(links);
        memory_free(original);
    }
    char check[1000];
    if (is_there(package_folder, "manifest.sha256"))
        snprintf(check, sizeof check, "cd '%s' && sha256sum --status -c manifest.sha256", package_folder);
    else
        snprintf(check, sizeof check, "cd '%s' && cksum *.xml *.lime | cmp -s - manifest.cksum", package_folder);
    fact(system(check) == 0, "the manifest holds");
}

/* Refused, with every one of these sentences, and nothing written. */
static void refused(const char *what, const char *folder, const char *options, const char *const *because)
{
    char output[700];
    snprintf(output, sizeof output, "%s/refused", folder);
    const said *answer = program_run("publish '%s/ens' --about '%s/about.yaml' --output '%s' %s", folder, folder,
                                     output, options);
    bool all = answer->status == 1;
    for (int i = 0; because[i]; i++)
        all = says(answer, because[i]) && all;
    fact(all && access(output, F_OK) != 0, "refused: %s", what);
}

/* What the audit calls faulty is refused, though numbers and configurations agree. */
static void audited_first(const char *folder)
{
    static const struct { const char *what, *hurt, *because; } rows[] = {
        { "a line of the record was changed", "sed -i '5s/\"seconds\": /&1/' run.jsonl", "run.jsonl: line 5: " },
        { "the strata are lost", "rm strata.jsonl", "strata.jsonl: an ensemble without a chain" },
        { "parameters were edited where they are free to change", "sed -i 's/checkpoint_every: 2/checkpoint_every: 3/' "
          "parameters.yaml", "parameters.yaml: a changed file of parameters" },
        { "a checkpoint is another's", "cp c.000002.lime c.checkpoint.000005.lime", "c.checkpoint.000005.lime: " },
    };
    char command[2000], output[700];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        snprintf(command, sizeof command, "cd '%s' && cp -R ens kept && cd ens && %s", folder, rows[i].hurt);
        fact(system(command) == 0, "an ensemble of which the audit says: %s", rows[i].what);
        refused(rows[i].what, folder, "", (const char *const[]){ "kiln audit: ", rows[i].because, NULL });
        refused(rows[i].what, folder, "--so-far", (const char *const[]){ "kiln audit: ", rows[i].because, NULL });
        snprintf(command, sizeof command, "cd '%s' && rm -r ens && mv kept ens", folder);
        fact(system(command) == 0, "and as it was");
    }
    snprintf(command, sizeof command, "cd '%s/ens' && mv c.000004.lime ../aside", folder);
    fact(system(command) == 0, "an ensemble with a gap");
    snprintf(output, sizeof output, "%s/gap", folder);
    const said *answer = program_run("publish '%s/ens' --about '%s/about.yaml' --output '%s' --so-far", folder, folder,
                                     output);
    fact(answer->status == 0, "--so-far publishes what is left of it");
    snprintf(command, sizeof command, "cd '%s' && mv aside ens/c.000004.lime", folder);
    fact(system(command) == 0, "and as it was");
}

static void refusals(const char *folder, const char *package_folder)
{
    char path[800], command[2000];
    snprintf(path, sizeof path, "%s/about.yaml", folder);
    fact(program_run("publish '%s/ens' --about '%s' --output '%s'", folder, path, package_folder)->status == 1,
         "a package is not overwritten");
    write_text(path, "collaboration: C D\nproject: p\nlicence: x\ncode: { date: yesterday }\n");
    refused("an incomplete --about: all that is missing at once", folder, "",
            (const char *const[]){ "ensemble", "grid", "license", "participant", "machine", "yesterday", "C D", NULL });
    write_text(path, "collaboration: C\nproject: p\nensemble: e1\ngrid: ldg\nlicense: { uri: \"https://l.org/by\" }\n"
                     "participant: { name: N, institution: I, orcid: 12 }\n"
                     "machine: { name: m, institution: I, type: t }\n"
                     "code:\n  date: \"yesterday\"\n");
    refused("values of a wrong form, each with its own line", folder, "",
            (const char *const[]){ "about.yaml:6:48: participant.orcid", "about.yaml:9:9: code.date", NULL });
    write_text(path, about_text);

    audited_first(folder);
    snprintf(command, sizeof command, "cd '%s/ens' && mv c.000004.lime aside && mv run.jsonl whole && head -n 5 whole "
             ">run.jsonl", folder);
    fact(system(command) == 0, "an ensemble with gaps");
    refused("unfinished, a configuration is gone, one has no line", folder, "",
            (const char *const[]){ "5 of 6 trajectories", "trajectory 4", "no trajectory 6", NULL });
    snprintf(command, sizeof command, "cd '%s/ens' && mv aside c.000004.lime && "
             "sed '4s/\"average\": 0\\./\"average\": 0.9/' whole >run.jsonl", folder);
    fact(system(command) == 0, "a record with another plaquette");
    refused("the record contradicts a configuration", folder, "", (const char *const[]){ "the record says", NULL });
    snprintf(command, sizeof command, "cd '%s/ens' && cp whole run.jsonl && sed -i 's/seed: 11/seed: 12/' "
             "parameters.yaml", folder);
    fact(system(command) == 0, "another seed in the parameters");
    refused("configurations of another input", folder, "", (const char *const[]){ "by this input", NULL });
    snprintf(command, sizeof command, "cd '%s/ens' && sed -i 's/seed: 12/seed: 11/' parameters.yaml && "
             "printf x | dd of=c.000004.lime bs=1 seek=100000 conv=notrunc 2>/dev/null", folder);
    fact(system(command) == 0, "a damaged configuration");
    refused("what is damaged", folder, "", (const char *const[]){ "checksum", NULL });
    snprintf(command, sizeof command, "! ls '%s' | grep partial", folder);
    fact(system(command) == 0, "nothing half-written is left");
    snprintf(command, sizeof command, "cp '%s/e1.000004.lime' '%s/ens/c.000004.lime'", package_folder, folder);
    fact(system(command) == 0, "links of a package can take the place of the run's own");
}

/* The value of the algorithm's parameter of this name; "" without one. */
static const char *parameter_of(const xml_element *parameters, const char *name)
{
    for (int i = 0; i < parameters->count; i++)
        if (strcmp(xml_text_at(parameters->child[i], "name"), name) == 0)
            return xml_text_at(parameters->child[i], "value");
    return "";
}

/* What changed on the way without changing the action is told for each configuration; another action is refused. */
static void parameters_that_change(const char *folder)
{
    char output[700], name[100], why[512] = "not well formed";
    snprintf(output, sizeof output, "%s/second", folder);
    program_run("run '%s/run.yaml' --quiet --set output.directory='%s/ens' --set hmc.levels.0.steps=4 "
                "--set hmc.trajectories=8 --new-stratum --reason finer", folder, folder);
    const said *answer = program_run("publish '%s/ens' --about '%s/about.yaml' --output '%s'", folder, folder, output);
    fact(answer->status == 0, "an ensemble with another integrator from trajectory 7 on is published");
    for (int trajectory = 6; trajectory <= 8; trajectory += 2) {
        snprintf(name, sizeof name, "second/e1.%06d.xml", trajectory);
        char path[800];
        snprintf(path, sizeof path, "%s/%s", folder, name);
        blob document = blob_read(path);
        if (document.bytes)
            document.bytes[document.n] = '\0';
        xml_element *root = document.bytes ? xml_tree_read((char *)document.bytes) : NULL;
        const xml_element *parameters = root ? xml_at(root, "algorithm/parameters") : NULL;
        fact(root && qcdml_holds(root, why, sizeof why) && parameters
                 && strstr(xml_text_at(parameters->child[1], "value"), trajectory == 6 ? "3 steps" : "4 steps"),
             "trajectory %d has the steps that it was made with", trajectory);
        fact(parameters && strcmp(parameter_of(parameters, "warmUpTrajectories"), "2") == 0
                 && strcmp(parameter_of(parameters, "seed"), "11") == 0
                 && strcmp(parameter_of(parameters, "stream"), "0") == 0,
             "its document has thermalization, seed and stream of the input");
        xml_tree_free(root);
        free(document.bytes);
    }
    program_run("run '%s/run.yaml' --quiet --set output.directory='%s/ens' --set hmc.levels.0.steps=4 "
                "--set hmc.trajectories=12 --set output.configuration_every=4", folder, folder);
    snprintf(output, sizeof output, "%s/sparse", folder);
    answer = program_run("publish '%s/ens' --about '%s/about.yaml' --output '%s'", folder, folder, output);
    fact(answer->status == 0 && is_there(output, "e1.000012.lime") && !is_there(output, "e1.000010.lime"),
         "so is one of which fewer configurations are kept from some trajectory on");
    program_run("run '%s/run.yaml' --quiet --set output.directory='%s/ens' --set monomials.0.beta=4.6 "
                "--set hmc.levels.0.steps=4 --set hmc.trajectories=14 --new-stratum --reason other", folder, folder);
    refused("two actions in one ensemble", folder, "", (const char *const[]){ "another action", "trajectory 4", NULL });
}

/* What draws links one by one is told, and no length of trajectories that there are not. */
static void heat_bath(void)
{
    run_input in;
    run_from_text(&in, RUN_HEAD "monomials:\n  - { kind: gauge, action: wilson, beta: 6.0 }\n"
                  "quenched: { heat_bath: 2, overrelaxation: 4 }\nhmc: { trajectories: 6 }\n" RUN_TAIL);
    xml_element *root = document_of("heat bath", &in);
    const xml_element *parameters = root ? xml_at(root, "algorithm/parameters") : NULL;
    fact(parameters && strcmp(xml_text_at(root, "algorithm/name"), "heatbath") == 0
             && strcmp(xml_text_at(parameters->child[0], "name"), "heatBathSweeps") == 0
             && strcmp(xml_text_at(parameters->child[0], "value"), "2") == 0
             && strcmp(xml_text_at(parameters->child[1], "name"), "overrelaxationSweeps") == 0
             && strcmp(xml_text_at(parameters->child[1], "value"), "4") == 0, "it has the sweeps");
    xml_tree_free(root);
    run_input_free(&in);
}

static void the_program(void)
{
    if (!program_is_there())
        return;
    char path[800], output[800], command[1000];
    scratch s = scratch_create();
    snprintf(path, sizeof path, "%s/run.yaml", s.folder);
    write_text(path, RUN_HEAD "monomials:\n  - { kind: gauge, action: symanzik_tree, beta: 4.5 }\n" RUN_HMC
                     "  levels: [{ integrator: omelyan, steps: 3, monomials: [gauge] }]\n" RUN_TAIL);
    program_run("run '%s' --quiet --set output.directory='%s/ens'", path, s.folder);
    snprintf(path, sizeof path, "%s/about.yaml", s.folder);
    write_text(path, about_text);
    snprintf(output, sizeof output, "%s/package", s.folder);
    package(s.folder, output);
    refusals(s.folder, output);
    parameters_that_change(s.folder);
    const said *answer = program_run("publish --template");
    fact(answer->status == 0 && prints(answer, "collaboration:"), "there is a file to fill in");
    snprintf(command, sizeof command, "rm -rf '%s'", s.folder);
    fact(system(command) == 0, "all of it can go");
}

int main(void)
{
    gluons();
    staggered();
    walls_and_wilson();
    heat_bath();
    the_program();
    return facts_end();
}
