/* test_publish.c - a package of an ensemble: whole or absent, and only of one that the audit passes. */
#include "src/base/memory.h"
#include "src/io/links_file.h"
#include "tests/cli/program.h"
#include "tests/facts.h"
#include "tests/io/scratch.h"
#include "tests/io/whole_links.h"
#include "tests/publish/qcdml_model.h"

#include <math.h>

static const char run_text[] =
    "lattice: [4, 4, 4, 6]\nrandom: { seed: 11 }\nstart: { from: hot }\n"
    "monomials:\n  - { kind: gauge, action: symanzik_tree, beta: 4.5 }\n"
    "hmc:\n  trajectory_length: 0.5\n  trajectories: 6\n  thermalization: 2\n"
    "  levels: [{ integrator: omelyan, steps: 3, monomials: [gauge] }]\n"
    "output: { directory: ens, name: c, configuration_every: 2, checkpoint_every: 2 }\n";

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
    const program_output *answer = program_run("publish '%s/ens' --about '%s/about.yaml' --output '%s' --json", folder,
                                               folder,
                                     package_folder);
    fact(answer->status == 0, "a finished ensemble is published");
    fact(!is_there(package_folder, "e1.000002.lime"), "without its thermalization");
    for (int i = 0; i < 2; i++) {
        char path[1000], kept[800], why[512] = "not well formed";
        snprintf(path, sizeof path, "%s/e1.%06d.lime", package_folder, trajectories[i]);
        snprintf(kept, sizeof kept, "%s/ens/c.%06d.lime", folder, trajectories[i]);
        links_info a, b;
        failure f = { .why = "" };
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
        fact(r && xml_number_at(r, "crcCheckSum") == sum, "the document has what cksum says of the binary data");
        fact(r && xml_number_at(r, "avePlaquette") == a.plaquette, "and the plaquette, every bit");
        fact(root && xml_number_at(root, "markovSequence/markovStep/update") == trajectories[i]
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

/* Files whose names begin with a dash are no options of the checksum program. */
static void label_with_a_dash(const char *folder)
{
    char about[1000], check[1000];
    const size_t before = (size_t)(strstr(about_text, "e1") - about_text);
    snprintf(about, sizeof about, "%.*s\"-e1\"%s", (int)before, about_text, about_text + before + 2);
    snprintf(check, sizeof check, "%s/dash.yaml", folder);
    write_text(check, about);
    const program_output *answer = program_run("publish '%s/ens' --about '%s/dash.yaml' --output '%s/dash'", folder,
                                               folder, folder);
    snprintf(check, sizeof check, "grep -q -e '-e1.000006.lime' '%s'/dash/manifest.*", folder);
    fact(answer->status == 0 && system(check) == 0, "a label that begins with a dash is published");
}

/* Refused, with every one of these sentences, and nothing written. */
static void refused(const char *what, const char *folder, const char *options, const char *const *because)
{
    char output[700];
    snprintf(output, sizeof output, "%s/refused", folder);
    const program_output *answer = program_run("publish '%s/ens' --about '%s/about.yaml' --output '%s' %s", folder,
                                               folder,
                                     output, options);
    bool all = answer->status == 1;
    for (int i = 0; because[i]; i++)
        all = stderr_has(answer, because[i]) && all;
    fact(all && access(output, F_OK) != 0, "refused: %s", what);
}

/* What the audit calls faulty is refused, though numbers and configurations agree. */
static void audited_first(const char *folder)
{
    static const struct { const char *what, *hurt, *because; } rows[] = {
        { "a line of the record was changed", "sed -i '5s/\"seconds\": /&1/' run.jsonl", "run.jsonl: line 5: " },
        { "the segments are lost", "rm segments.jsonl", "segments.jsonl: an ensemble without a chain" },
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
    const program_output *answer = program_run("publish '%s/ens' --about '%s/about.yaml' --output '%s' --so-far",
                                               folder, folder,
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
    write_text(path, "collaboration: C D\nproject: p\nlicense: x\ncode: { date: yesterday }\n");
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
            (const char *const[]){ "5/6 trajectories complete", "trajectory 4", "no trajectory 6", NULL });
    snprintf(command, sizeof command, "cd '%s/ens' && mv aside c.000004.lime && "
             "sed '4s/\"average\": 0\\./\"average\": 0.9/; s/, \"input_digest\": [^,]*, \"chain\": [^,]*//; "
             "s/, \"digest\": [^,}]*}$/}/' whole >run.jsonl", folder);
    fact(system(command) == 0, "a record with another plaquette, of a program without checksums");
    refused("the record contradicts a configuration", folder, "", (const char *const[]){ "but the record has", NULL });
    snprintf(command, sizeof command, "cd '%s/ens' && cp whole run.jsonl && sed -i 's/seed: 11/seed: 12/' "
             "parameters.yaml", folder);
    fact(system(command) == 0, "another seed in the parameters");
    refused("configurations of another input", folder, "", (const char *const[]){ "of this input", NULL });
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
                "--set hmc.trajectories=8 --new-segment --reason finer", folder, folder);
    const program_output *answer = program_run("publish '%s/ens' --about '%s/about.yaml' --output '%s'", folder, folder,
                                               output);
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
        fact(parameters && strcmp(parameter_of(parameters, "thermalizationTrajectories"), "2") == 0
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
    program_run("run '%s/run.yaml' --quiet --set output.directory='%s/ens' --set hmc.levels.0.steps=4 --set "
                "hmc.trajectories=13 --set output.configuration_every=4 --set hmc.thermalization=0 --new-segment",
                folder, folder);
    snprintf(output, sizeof output, "%s/later", folder);
    answer = program_run("publish '%s/ens' --about '%s/about.yaml' --output '%s'", folder, folder, output);
    fact(answer->status == 0 && is_there(output, "e1.000004.lime") && !is_there(output, "e1.000002.lime"),
         "thermalization of an earlier segment is left out, too");
    program_run("run '%s/run.yaml' --quiet --set output.directory='%s/ens' --set monomials.0.beta=4.6 "
                "--set hmc.levels.0.steps=4 --set hmc.trajectories=14 --new-segment --reason other", folder, folder);
    refused("two actions in one ensemble", folder, "", (const char *const[]){ "another action", "trajectory 4", NULL });
}

/* An action that QCDml cannot describe is one fault, and not also another action for each configuration. */
static void action_without_a_document(const char *folder)
{
    char path[800];
    snprintf(path, sizeof path, "%s/ghost.yaml", folder);
    write_text(path, "lattice: [2, 2, 2, 2]\nrandom: { seed: 3 }\nmonomials:\n"
                     "  - { kind: gauge, action: wilson, beta: 5.5 }\n"
                     "  - { kind: staggered, action: naive, determinants: [ { quarks: [ { mass: 0.5, flavors: 3 }, "
                     "{ mass: 1, flavors: -1 } ] } ] }\n"
                     "hmc: { trajectory_length: 0.1, trajectories: 2, thermalization: 1,\n"
                     "       levels: [ { integrator: leapfrog, steps: 2, monomials: [quarks, gauge] } ] }\n"
                     "output: { directory: ghost, name: g, configuration_every: 1 }\n");
    fact(program_run("run '%s' --quiet", path)->status == 0, "an ensemble with -1 flavors of a mass");
    const program_output *answer = program_run("publish '%s/ghost' --about '%s/about.yaml' --copies", folder, folder);
    fact(answer->status == 1 && stderr_has(answer, "QCDml cannot describe negative numbers of flavors")
             && !stderr_has(answer, "another action"),
         "is refused for this reason alone");
}

static void the_program(void)
{
    if (!program_is_there())
        return;
    char path[800], output[800], command[1000];
    scratch s = scratch_create();
    snprintf(path, sizeof path, "%s/run.yaml", s.folder);
    write_text(path, run_text);
    program_run("run '%s' --quiet --set output.directory='%s/ens'", path, s.folder);
    snprintf(path, sizeof path, "%s/about.yaml", s.folder);
    write_text(path, about_text);
    snprintf(output, sizeof output, "%s/package", s.folder);
    package(s.folder, output);
    label_with_a_dash(s.folder);
    refusals(s.folder, output);
    parameters_that_change(s.folder);
    action_without_a_document(s.folder);
    const program_output *answer = program_run("publish --template");
    fact(answer->status == 0 && stdout_has(answer, "collaboration:"), "there is a file to fill in");
    snprintf(command, sizeof command, "rm -rf '%s'", s.folder);
    fact(system(command) == 0, "all of it can go");
}

int main(void)
{
    the_program();
    return facts_end();
}
