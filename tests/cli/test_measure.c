/* test_measure.c - kiln measure and kiln verify on files with known numbers, and on files that lie. */
#include "src/base/memory.h"
#include "src/io/links_file.h"
#include "tests/analytic_field.h"
#include "tests/cli/program.h"
#include "tests/facts.h"
#include "tests/io/scratch.h"
#include "tests/io/whole_links.h"
#include "tests/gauge/golden_numbers.h"
#include "tests/on_every_backend.h"

#include <math.h>

static const int extents[4] = { 4, 4, 6, 8 };

/* A numpy implementation's numbers for the configuration l4444, single precision, as stored. */
static const struct { const char *key; double value; } l4444[] = {
    { "plaquette.average", 0.5948501589471511 }, { "plaquette.spatial", 0.5982250520253913 },
    { "plaquette.temporal", 0.5914752658689107 }, { "rectangle", 0.3991228470469588 },
    { "parallelogram", 0.38341227419038054 }, { "polyakov.re", 0.4312303596128346 },
    { "polyakov.im", -0.0008177551973281707 }, { "polyakov_directions.x_re", 0.36509925884571004 },
    { "polyakov_directions.y_im", -0.012587239198673075 }, { "polyakov_directions.z_re", 0.3823471694982342 },
    { "link_trace", 0.6467587374189634 },
};

static void measure_golden(const char *path, place where)
{
    const golden_field *g = &golden_fields[0];
    const program_output *s = program_run("measure '%s' --json --device %s", path, place_name(where));
    yaml_node *tree = output_json(s);
    fact(s->status == 0 && tree && tree->type == YAML_MAPPING, "%s: one file gives one object", place_name(where));
    fact(json_scalar(tree, "file") && strcmp(json_scalar(tree, "file"), path) == 0, "its name");
    fact(json_number(tree, "dims.0") == 4 && json_number(tree, "dims.2") == 6 && json_number(tree, "dims.3") == 8,
         "its extents, x first");
    fact_close(json_number(tree, "plaquette.average"), g->plaquette, 1e-14, "plaquette.average");
    fact_close(json_number(tree, "plaquette.spatial"), g->plaquette_s, 1e-14, "plaquette.spatial");
    fact_close(json_number(tree, "plaquette.temporal"), g->plaquette_t, 1e-14, "plaquette.temporal");
    fact_close(json_number(tree, "rectangle"), g->rectangle, 1e-14, "rectangle");
    fact_close(json_number(tree, "parallelogram"), g->parallelogram, 1e-14, "parallelogram");
    fact_close(json_number(tree, "polyakov.re"), g->polyakov[3][0], 1e-14, "polyakov.re is that of direction t");
    fact_close(json_number(tree, "polyakov.im"), g->polyakov[3][1], 1e-14, "polyakov.im");
    fact_close(json_number(tree, "polyakov_directions.x_re"), g->polyakov[0][0], 1e-14, "polyakov_directions.x_re");
    fact_close(json_number(tree, "link_trace"), g->link_trace, 1e-14, "link_trace");
    fact_close(json_number(tree, "unitarity"), 0, 1e-14, "unitarity");
    yaml_tree_free(tree);
}

static void measure_selected(const char *path)
{
    yaml_node *tree = output_json(program_run("measure --json --what link_trace,rectangle '%s'", path));
    fact(tree && json_scalar(tree, "link_trace") && json_scalar(tree, "rectangle") && !yaml_get(tree, "plaquette"),
         "--what measures what it names, and nothing else");
    yaml_tree_free(tree);
    const program_output *s = program_run("measure '%s'", path);
    fact(s->status == 0 && stdout_has(s, "4x4x6x8") && stdout_has(s, "plaquette") && stdout_has(s, "0.248433"),
         "without --json a person can read it");
}

static void measure_some_bad(const char *path, const char *bad, const char *torn)
{
    const program_output *s = program_run("measure '%s' '%s' '%s' --json", path, bad, path);
    yaml_node *tree = output_json(s);
    fact(s->status == 1 && stderr_has(s, bad), "a bad file among good ones: its message, status 1");
    fact(tree && tree->type == YAML_SEQUENCE && tree->count == 3, "the array has an object for each file");
    fact(json_scalar(tree, "0.rectangle") && json_scalar(tree, "2.rectangle") && !json_scalar(tree, "1.rectangle"),
         "the others are measured");
    fact(json_scalar(tree, "1.file") && strcmp(json_scalar(tree, "1.file"), bad) == 0 &&
             json_scalar(tree, "1.error") && stderr_has(s, json_scalar(tree, "1.error")),
         "that of the bad file has its name and the error");
    yaml_tree_free(tree);
    FILE *file = fopen(torn, "w");
    require(file && fprintf(file, "no links\n") > 0 && fclose(file) == 0, "%s: cannot be written", torn);
    s = program_run("measure '%s' --json", torn);
    tree = output_json(s);
    fact(s->status == 1 && tree && tree->type == YAML_MAPPING && json_scalar(tree, "error"),
         "a bad file alone gives one object");
    yaml_tree_free(tree);
}

/* A verdict of kiln verify, as text and as JSON. */
static void verify(const char *path, bool ok, const char *why)
{
    const program_output *s = program_run("verify '%s'", path);
    fact(s->status == !ok && stdout_has(s, why), "verify: %s", why);
    s = program_run("verify '%s' --json", path);
    yaml_node *tree = output_json(s);
    const char *first = tree ? json_scalar(tree, "why.0") : NULL, *ok_text = tree ? json_scalar(tree, "ok") : NULL;
    fact(s->status == !ok && ok_text && strcmp(ok_text, ok ? "true" : "false") == 0 &&
             (ok ? first == NULL : first && strstr(first, why)), "verify --json: %s", why);
    yaml_tree_free(tree);
}

/* A file whose links are damaged in memory, or whose metadata are other than the links'. */
static void verify_lie(const char *path, const char *why, double link_factor, double plaquette_error,
                       double trace_error, int bits)
{
    failure f;
    double *links = analytic_links(extents, golden_fields[0].width);
    links_info info = { .bits = bits, .has_plaquette = true, .has_link_trace = true,
                        .plaquette = golden_fields[0].plaquette + plaquette_error,
                        .link_trace = golden_fields[0].link_trace + trace_error };
    memcpy(info.extents, extents, sizeof info.extents);
    for (int i = 0; i < 18; i++)
        links[18 * 777 + i] *= link_factor;
    if (!links_write_ildg(path, links, &info, true, &f))
        note("%s", f.why);
    verify(path, false, why);
    memory_free(links);
}

static void verify_damaged(const char *path)
{
    blob b = blob_read(path);
    b.bytes[b.n / 2] ^= 0x10;
    blob_write(path, b.bytes, b.n);
    verify(path, false, "checksum");
    blob_write(path, b.bytes, b.n / 2);
    verify(path, false, "ildg-binary-data");
    b.bytes[b.n / 2] ^= 0x10;
    blob_write(path, b.bytes, b.n);
    free(b.bytes);
    verify(path, true, "ok");
}

static void odd_extents(scratch *s)
{
    int odd[4] = { 4, 4, 3, 4 };
    double *links = random_links(odd, 1);
    blob b = milc_file(links, odd, true);
    const char *path = scratch_path(s, "odd.milc");
    blob_write(path, b.bytes, b.n);
    const program_output *answer = program_run("measure '%s'", path);
    fact(answer->status == 1 && stderr_has(answer, path) && stderr_has(answer, "every extent must be even"),
         "a lattice with an odd extent is refused");
    free(b.bytes);
    free(links);
}

static void reference_files(void)
{
    if (!reference_folder()) {
        skip("configurations of other codes", "there is no folder of reference data");
        return;
    }
    yaml_node *tree = output_json(program_run("measure '%s/conf/l4444.ildg' --json", reference_folder()));
    for (size_t i = 0; i < sizeof l4444 / sizeof *l4444; i++)
        fact_close(json_number(tree, l4444[i].key), l4444[i].value, 1e-14, "l4444: %s", l4444[i].key);
    yaml_tree_free(tree);
    const program_output *s = program_run("verify '%s'/conf/l*.*", reference_folder());
    fact(s->status == 0, "verify accepts every configuration of the reference data");
    tree = output_json(program_run("verify --json '%s/conf/l4448.nersc'", reference_folder()));
    fact_close(json_number(tree, "plaquette.stated"), json_number(tree, "plaquette.measured"), 1e-8,
               "NERSC: the plaquette of the header is that of the links");
    yaml_tree_free(tree);
}

/* What the record of a run has, kiln measure finds again in its configurations. */
static void measure_as_in_run(place where)
{
    scratch of_input = scratch_create(), of_run = scratch_create();
    const char *input = scratch_path(&of_input, "run.yaml"), *folder = of_run.folder;
    FILE *file = fopen(input, "w");
    fprintf(file,
            "lattice: [4, 4, 4, 4]\nrandom: { seed: 1311768467139282415, stream: 2 }\n"
            "monomials: [ { kind: gauge, action: wilson, beta: 6 } ]\n"
            "hmc: { trajectories: 4, thermalization: 2, reunitarize_every: 3,\n"
            "       levels: [ { integrator: omelyan, steps: 8, monomials: [gauge] } ] }\n"
            "output: { directory: \"%s\", configuration_every: 2 }\n"
            "measurements:\n"
            "- { kind: flow, every: 2, t_max: 0.2, eps: 0.02, measure_every: 5 }\n"
            "- { kind: flow, name: swift, every: 4, t_max: 0.2, eps: 0.02, tolerance: 1e-3, measure_every: 5 }\n"
            "- { kind: gauge, name: loops, every: 3 }\n"
            "- { kind: condensate, name: light, every: 4, sources: 2, masses: [ { mass: 0.3 } ] }\n"
            "- { kind: wilson_loops, every: 8, r_max: 1, t_max: 1 }\n"
            "- { kind: gauge, name: bent, every: 8, observables: [parallelogram, link_trace] }\n"
            "- { kind: wilson, name: q, every: 8, residual: 1e-2, correlators: false, random_sources: 1, spectrum: "
            "false, masses: [ { mass: 1, mu: 0.1 }, { mass: 1, mu: 0.2 } ] }\n", folder);
    fclose(file);
    const program_output *answer = program_run("run '%s' --device %s", input, place_name(where));
    fact(answer->status == 0, "%s: a run with measurements", place_name(where));

    blob b = blob_read(scratch_path(&of_run, "run.jsonl"));
    yaml_node *line[5] = { NULL };
    int lines = 0;
    char *record = memory_alloc(b.n + 1, "a record");
    memcpy(record, b.bytes, b.n);
    for (char *each = strtok(record, "\n"); each && lines < 5; each = strtok(NULL, "\n"))
        line[lines++] = yaml_read_string(each, "a line", NULL);
    fact(lines == 4 && !yaml_get(line[0], "measurements"),
         "a line for every trajectory; measurements where they are due");
    fact(yaml_get(line[1], "measurements")->count == 1 && yaml_get(line[2], "measurements")->count == 1
             && yaml_get(line[3], "measurements")->count == 3, "each at its own multiples");
    fact(json_number(line[2], "measurements.loops.plaquette.average") == json_number(line[2], "plaquette.average")
             && json_number(line[2], "measurements.loops.polyakov.im") == json_number(line[2], "polyakov.im"),
         "what the record has of every trajectory, the measurement has too");
    fact(json_number(line[1], "measurements.flow.charge") != json_number(line[3], "measurements.flow.charge"),
         "of other links each time");

    yaml_node *tree = output_json(program_run("measure '%s/cfg.000004.lime' --json --device %s --input '%s'", folder,
                                              place_name(where), input));
    static const char *const keys[] = { "measurements.flow.charge", "measurements.light.masses.0.pbp",
                                        "measurements.flow.along.t2E_clover.2", "measurements.flow.along.polyakov_re.1",
                                        "measurements.swift.charge", "measurements.swift.along.t2E_plaquette.2",
                                        "measurements.swift.steps" };
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        fact(json_number(line[3], keys[i]) == json_number(tree, keys[i]), "kiln measure finds %s again", keys[i]);
    fact_close(json_number(tree, "measurements.swift.charge"), json_number(tree, "measurements.flow.charge"), 1e-3,
               "steps of another length end at the same charge");
    yaml_tree_free(tree);
    tree = output_json(program_run("measure '%s/cfg.000002.lime' --json --device %s --input '%s'", folder,
                                   place_name(where), input));
    fact(json_number(line[1], "measurements.flow.charge") == json_number(tree, "measurements.flow.charge")
             && isfinite(json_number(tree, "measurements.light.masses.0.pbp")),
         "and measures what was not due as well");
    yaml_tree_free(tree);

    answer = program_run("run '%s' --device %s --set hmc.trajectories=5 --set measurements=[]", input,
                         place_name(where));
    fact(answer->status == 0, "an ensemble goes on with other measurements");
    answer = program_run("measure '%s/cfg.000002.lime' --input '%s' --set lattice=[4,4,4,8]", folder, input);
    fact(answer->status == 1 && stderr_has(answer, "4x4x4x8"), "an input of another lattice is refused");
    answer = program_run("measure '%s/cfg.000002.lime' --input '%s' --set measurements=[]", folder, input);
    fact(answer->status == 2 && stderr_has(answer, "no measurements"), "so is one that measures nothing");
    answer = program_run("measure '%s/cfg.000002.lime' --input '%s'", folder, input);
    fact(stdout_has(answer, "flow.t0") && stdout_has(answer, "light.condensate(0.3)")
             && stdout_has(answer, "loops.plaquette.average"), "without --json a person can read it");
    fact(stdout_has(answer, "  wilson_loops.W(1,1)        0."), "of a table it prints the first number");
    fact(stdout_has(answer, "  bent                       measured; --json has its results: parallelogram, "
                            "link_trace\n"), "and of a measurement without a headline where its results are");
    fact(stdout_has(answer, "  q.condensate(0.1,0.1) ") && stdout_has(answer, "  q.condensate(0.1,0.2) "),
         "masses with the same kappa have different titles");
    for (int i = 0; i < lines; i++)
        yaml_tree_free(line[i]);
    memory_free(record);
    free(b.bytes);
    scratch_remove(&of_input);
    scratch_remove(&of_run);
}

int main(void)
{
    if (!program_is_there())
        return facts_end();
    failure f;
    scratch s = scratch_create(), other = s;
    const golden_field *g = &golden_fields[0];
    const char *path = scratch_path(&s, "analytic.lime");
    double *links = analytic_links(extents, g->width);
    links_info info = { .bits = 64, .has_plaquette = true, .plaquette = g->plaquette, .has_link_trace = true,
                        .link_trace = g->link_trace };
    memcpy(info.extents, extents, sizeof info.extents);
    fact(links_write_ildg(path, links, &info, false, &f), "a configuration of the analytic field");
    memory_free(links);

    FOR_EVERY_PLACE(where) {
        measure_golden(path, where);
        measure_as_in_run(where);
    }
    measure_selected(path);
    char bad[600];
    snprintf(bad, sizeof bad, "%s", scratch_path(&other, "missing.lime"));
    measure_some_bad(path, bad, scratch_path(&other, "torn.lime"));
    verify(path, true, "ok");
    verify_damaged(path);
    const char *lie = scratch_path(&other, "lie.lime");
    verify_lie(lie, "off SU(3) by", 1.0001, 0, 0, 64);
    verify_lie(lie, "off SU(3) by", 1.001, 0, 0, 32);
    verify_lie(lie, "metadata say plaquette", 1, 1e-5, 0, 64);
    verify_lie(lie, "metadata say link trace", 1, 0, 1e-5, 64);
    verify_lie(lie, "metadata say plaquette", 1, 1e-4, 0, 32);
    odd_extents(&other);
    reference_files();
    scratch_remove(&s);
    return facts_end();
}
