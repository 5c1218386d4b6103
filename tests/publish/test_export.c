/* test_export.c - kiln export: what the HDF5 library reads is what the lines say. */
#include "tests/cli/program.h"
#include "tests/facts.h"
#include "tests/io/scratch.h"

#include <hdf5.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Lines without checksums, as other programs may write them; the second one lacks a measurement. */
static const char lines[] =
    "{\"trajectory\": 1, \"accepted\": true, \"dH\": 0.5, \"version\": \"kiln 1\", \"null\": null, \"seconds\": 1.5, "
    "\"swaps\": [], "
    "\"timers\": [{\"name\": \"t\", \"calls\": 1}], "
    "\"measurements\": {\"q/1\": {\"kind\": \"wilson\", \"masses\": "
    "[{\"mass\": 0.1, \"pion\": [1, 0.25, -2e-3, 8]}]}}}\n"
    "{\"trajectory\": 2, \"accepted\": false, \"dH\": -0.25, \"version\": \"kiln 10\", \"null\": null, \"seconds\": 2, "
    "\"swaps\": [{\"dS\": 0.75}], "
    "\"measurements\": {}}\n"
    "{\"trajectory\": 12345678901234567, \"accepted\": true, \"dH\": 0.125, \"version\": \"\", \"null\": null, "
    "\"seconds\": 3, \"measurements\": {\"q/1\": {\"masses\": [{\"mass\": 0.1, \"pion\": [4, 5]}]}, \"keys\": {"
    "\"charge\": 2.5}}}\n";

/* A measurement with two settings, and with a line of a program that did not write them; another one with one. */
#define FLOW(settings, charge) "{\"kind\": \"flow\"" settings ", \"charge\": " charge "}"
#define WITH(settings) ", \"settings\": \"" settings "\""
#define SET(n, settings, charge)                                                                                       \
    "{\"trajectory\": " n ", \"measurements\": {\"flow\": " FLOW(settings, charge)                                     \
    ", \"flow2\": " FLOW(WITH("0x2"), "7") "}}\n"
static const char sets[] = SET("1", "", "1") SET("2", WITH("0x1"), "2") SET("3", WITH("0x10"), "3")
                           SET("4", WITH("0x1"), "4");

/* Results of an isotropic lattice, and of an anisotropic one. */
#define SCALES(xi, xi_0)                                                                                               \
    "{\"trajectory\": 1, \"measurements\": {\"flow\": {\"kind\": \"flow\", \"t0\": 1" xi "}, "                         \
    "\"q\": {\"kind\": \"wilson\", \"masses\": [{\"pion_mass\": 0.1}]" xi_0 "}}}\n"
static const char equal[] = SCALES("", ""), different[] = SCALES(", \"xi\": 4.5", ", \"xi_0\": 4");

/* The numbers of an array [rows], or [rows][columns] if `columns` > 0. */
static bool read_numbers(double *value, hid_t file, const char *name, hsize_t rows, hsize_t columns)
{
    hsize_t dims[2] = { 0, 0 };
    hid_t set = H5Dopen2(file, name, H5P_DEFAULT), space = set >= 0 ? H5Dget_space(set) : -1;
    const bool ok = set >= 0 && H5Sget_simple_extent_ndims(space) == 1 + (columns > 0)
                    && H5Sget_simple_extent_dims(space, dims, NULL) >= 0 && dims[0] == rows && dims[1] == columns
                    && H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, value) >= 0;
    if (set >= 0) {
        H5Sclose(space);
        H5Dclose(set);
    }
    return ok;
}

static bool attribute_is(hid_t file, const char *object, const char *key, const char *want)
{
    char value[8192] = "";
    hid_t a = H5Aopen_by_name(file, object, key, H5P_DEFAULT, H5P_DEFAULT), type = a >= 0 ? H5Aget_type(a) : -1;
    const bool ok = a >= 0 && H5Tget_size(type) < sizeof value && H5Aread(a, type, value) >= 0;
    if (a >= 0) {
        H5Tclose(type);
        H5Aclose(a);
    }
    return ok && strcmp(value, want) == 0;
}

static bool count_is(hid_t file, const char *object, const char *key, int64_t want)
{
    int64_t value = -1;
    hid_t a = H5Aopen_by_name(file, object, key, H5P_DEFAULT, H5P_DEFAULT), type = a >= 0 ? H5Aget_type(a) : -1;
    const bool ok = a >= 0 && H5Tget_class(type) == H5T_INTEGER && H5Aread(a, H5T_NATIVE_INT64, &value) >= 0;
    if (a >= 0) {
        H5Tclose(type);
        H5Aclose(a);
    }
    return ok && value == want;
}

static void known_lines(const char *output)
{
    double v[12];
    hid_t file = H5Fopen(output, H5F_ACC_RDONLY, H5P_DEFAULT);
    fact(file >= 0, "the library opens the file");
    if (file < 0)
        return;
    fact(read_numbers(v, file, "/known/dH", 3, 0) && v[0] == 0.5 && v[1] == -0.25 && v[2] == 0.125, "reals, by line");
    fact(read_numbers(v, file, "/known/accepted", 3, 0) && v[0] == 1 && v[1] == 0 && v[2] == 1, "truth values");
    int64_t n[3] = { 0 };
    hid_t set = H5Dopen2(file, "/known/trajectory", H5P_DEFAULT), type = H5Dget_type(set);
    fact(H5Tget_class(type) == H5T_INTEGER && H5Dread(set, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, n) >= 0
             && n[1] == 2 && n[2] == 12345678901234567, "integers keep all digits");
    H5Tclose(type);
    H5Dclose(set);
    fact(read_numbers(v, file, "/known/measurements/q%2F1/masses/0/pion", 3, 4) && v[0] == 1 && v[1] == 0.25
             && v[2] == -2e-3 && v[3] == 8 && v[8] == 4 && v[9] == 5, "a correlator is [line][index]");
    fact(isnan(v[4]) && isnan(v[5]) && isnan(v[6]) && isnan(v[7]) && isnan(v[10]) && isnan(v[11]),
         "with NaN where a line has no value");
    fact(read_numbers(v, file, "/known/measurements/q%2F1/masses/0/mass", 3, 0) && v[0] == 0.1 && isnan(v[1]),
         "so has a number");
    fact(read_numbers(v, file, "/known/null", 3, 0) && isnan(v[0]), "null is NaN");
    char words[3][7];
    set = H5Dopen2(file, "/known/version", H5P_DEFAULT);
    type = H5Dget_type(set);
    fact(H5Tget_size(type) == 7 && H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, words) >= 0
             && strncmp(words[0], "kiln 1", 7) == 0 && strncmp(words[1], "kiln 10", 7) == 0 && !words[2][0],
         "texts");
    H5Tclose(type);
    H5Dclose(set);
    fact(read_numbers(v, file, "/known/swaps/0/dS", 3, 0) && isnan(v[0]) && v[1] == 0.75 && isnan(v[2]),
         "so has a list of objects that other lines have empty, or lack");
    fact(H5Lexists(file, "/known/timers", H5P_DEFAULT) <= 0, "timers are left out");
    fact(read_numbers(v, file, "/known/measurements/keys/charge", 3, 0) && v[2] == 2.5,
         "but not a measurement whose name is that of a member which is left out");
    fact(attribute_is(file, "/known/seconds", "units", "s") && attribute_is(file, "/known/dH", "units", "lattice units")
             && attribute_is(file, "/known/dH", "shape", "[line]")
             && attribute_is(file, "/known/measurements/q%2F1/masses/0/pion", "shape", "[line][t]")
             && attribute_is(file, "/known/measurements/q%2F1/masses/0/mass", "units", "1/a")
             && attribute_is(file, "/known/measurements/q%2F1/masses/0/mass", "definition", "the bare mass"),
        "units, shape and definition of each array, as the kind of its measurement declares them");
    fact(attribute_is(file, "/known/trajectory", "units", "1") && attribute_is(file, "/known/accepted", "units", "1"),
         "numbers of trajectories and truth values have no units");
    fact(count_is(file, "/known", "lines", 3) && count_is(file, "/known", "lines_left_out", 0),
         "the numbers of lines, as integers");
    H5Fclose(file);
}

static void different_settings(scratch *s)
{
    blob_write(scratch_path(s, "sets.jsonl"), (const unsigned char *)sets, strlen(sets));
    const program_output *answer = program_run("export '%s' --output '%s/sets.h5'", s->path, s->folder);
    fact(answer->status == 0 && stderr_has(answer, "results with different settings"), "two settings: a warning");
    double v[4] = { 0 };
    hid_t file = H5Fopen(scratch_path(s, "sets.h5"), H5F_ACC_RDONLY, H5P_DEFAULT);
    fact(read_numbers(v, file, "/sets/measurements/flow@0x1/charge", 4, 0) && isnan(v[0]) && v[1] == 2 && isnan(v[2])
             && v[3] == 4, "results with the same settings are one array");
    fact(read_numbers(v, file, "/sets/measurements/flow@0x10/charge", 4, 0) && isnan(v[1]) && v[2] == 3
             && isnan(v[3]), "those with other settings another one");
    fact(read_numbers(v, file, "/sets/measurements/flow@unknown/charge", 4, 0) && v[0] == 1 && isnan(v[1]),
         "and those without settings");
    fact(file >= 0 && H5Lexists(file, "/sets/measurements/flow", H5P_DEFAULT) <= 0, "no array has several settings");
    fact(read_numbers(v, file, "/sets/measurements/flow2/charge", 4, 0) && v[0] == 7 && v[3] == 7,
         "a measurement with one settings has its plain name");
    if (file >= 0)
        H5Fclose(file);
}

static void spacings(scratch *s)
{
    blob_write(scratch_path(s, "equal.jsonl"), (const unsigned char *)equal, strlen(equal));
    char *first = strdup(s->path);
    blob_write(scratch_path(s, "different.jsonl"), (const unsigned char *)different, strlen(different));
    const program_output *answer = program_run("export '%s' '%s' --output '%s/spacings.h5'", first, s->path, s->folder);
    free(first);
    hid_t file = H5Fopen(scratch_path(s, "spacings.h5"), H5F_ACC_RDONLY, H5P_DEFAULT);
    fact(answer->status == 0 && attribute_is(file, "/equal/measurements/flow/t0", "units", "a\u00b2")
             && attribute_is(file, "/equal/measurements/q/masses/0/pion_mass", "units", "1/a"),
         "an isotropic lattice has one spacing");
    fact(attribute_is(file, "/different/measurements/flow/t0", "units", "a_s\u00b2")
             && attribute_is(file, "/different/measurements/q/masses/0/pion_mass", "units", "1/a_t"),
         "an anisotropic one a_s in space and a_t in time");
    if (file >= 0)
        H5Fclose(file);
}

/* Folders with the record of the run: two with names of their own, and two of one name. */
static void several_ensembles(const scratch *run)
{
    scratch s = scratch_create();
    char command[4096];
    snprintf(command, sizeof command, "cd '%s' && mkdir -p one two a/same b/same && for d in one two a/same b/same; do "
             "cp '%s'/run.jsonl '%s'/parameters.yaml $d/ || exit; done", s.folder, run->folder, run->folder);
    fact(system(command) == 0, "folders of ensembles");
    const program_output *answer = program_run("export '%s/one' '%s/two/' --output '%s/both.h5'", s.folder, s.folder,
                                               s.folder);
    fact(answer->status == 0 && stdout_has(answer, "/one: 3 lines") && stdout_has(answer, "/two: 3 lines"),
         "several ensembles are groups with the names of their folders");
    double v[3] = { 0 }, w[3] = { 1 };
    hid_t file = H5Fopen(scratch_path(&s, "both.h5"), H5F_ACC_RDONLY, H5P_DEFAULT);
    fact(read_numbers(v, file, "/one/dH", 3, 0) && read_numbers(w, file, "/two/dH", 3, 0)
             && memcmp(v, w, sizeof v) == 0, "with the same numbers from equal records");
    fact(count_is(file, "/two", "lines", 3) && H5Lexists(file, "/one/parameters.yaml", H5P_DEFAULT) > 0,
         "each with its attributes and parameters");
    if (file >= 0)
        H5Fclose(file);
    answer = program_run("export '%s/a/same' '%s/b/same' --output '%s/not.h5'", s.folder, s.folder, s.folder);
    fact(answer->status == 2 && stderr_has(answer, "would both be the group /same")
             && access(scratch_path(&s, "not.h5"), F_OK) != 0,
         "two sources of one name are refused, and nothing is written");
    scratch_remove(&s);
}

/* The parameters of every segment, and a warning where the action changes, not where it is only a key of output. */
static void segments_of_a_run(const scratch *run)
{
    scratch s = scratch_create();
    char command[4096];
    snprintf(command, sizeof command, "cp -R '%s' '%s/e'", run->folder, s.folder);
    fact(system(command) == 0 && program_run("run '%s/e/parameters.yaml' --device cpu --quiet --set hmc.trajectories=4 "
                                             "--set monomials.0.beta=5.8 --new-segment --reason 'a test'",
                                             s.folder)->status == 0
             && program_run("run '%s/e/parameters.yaml' --device cpu --quiet --set hmc.trajectories=5",
                            s.folder)->status == 0, "a run with three segments");
    const program_output *answer = program_run("export '%s/e' --output '%s'", s.folder, scratch_path(&s, "all.h5"));
    fact(answer->status == 0 && stderr_has(answer, "segments have different actions: trajectories up to 3 have that "
                                                   "of parameters.000003.yaml")
             && !stderr_has(answer, "up to 4"), "a warning where the action changes");
    hid_t file = H5Fopen(s.path, H5F_ACC_RDONLY, H5P_DEFAULT);
    fact(file >= 0 && H5Lexists(file, "/record/parameters.000003.yaml", H5P_DEFAULT) > 0
             && H5Lexists(file, "/record/parameters.000004.yaml", H5P_DEFAULT) > 0
             && H5Lexists(file, "/record/parameters.yaml", H5P_DEFAULT) > 0, "the parameters of each segment");
    if (file >= 0)
        H5Fclose(file);
    scratch_remove(&s);
}

/* Lines that are there a second time, or of a run with another beta, are no part of the means; nor are they here. */
static void lines_of_another_run(const scratch *run)
{
    scratch s = scratch_create();
    char command[4096];
    snprintf(command, sizeof command, "cp -R '%s' '%s/e' && cp -R '%s' '%s/other' && sed -n 2p '%s/run.jsonl' "
             ">>'%s/e/run.jsonl'", run->folder, s.folder, run->folder, s.folder, run->folder, s.folder);
    fact(system(command) == 0 && program_run("run '%s/other/parameters.yaml' --device cpu --quiet --new-segment "
                                             "--set hmc.trajectories=4 --set monomials.0.beta=5.8 --reason 'a test'",
                                             s.folder)->status == 0, "another run");
    snprintf(command, sizeof command, "tail -n 1 '%s/other/run.jsonl' >>'%s/e/run.jsonl'", s.folder, s.folder);
    fact(system(command) == 0, "in whose place its last line is");
    static const char *const given[] = { "e", "e/run.jsonl" }, *const group[] = { "/record", "/run" };
    for (int i = 0; i < 2; i++) {
        double v[3] = { 0 };
        const program_output *answer = program_run("export '%s/%s' --output '%s/%d.h5'", s.folder, given[i], s.folder,
                                                   i);
        fact(answer->status == 0 && stderr_has(answer, "2 lines do not continue the record; the first is line 4;"),
             "lines that do not continue the record are left out, and named");
        hid_t file = H5Fopen(scratch_path(&s, i == 0 ? "0.h5" : "1.h5"), H5F_ACC_RDONLY, H5P_DEFAULT);
        fact(read_numbers(v, file, i == 0 ? "/record/trajectory" : "/run/trajectory", 3, 0) && v[2] == 3
                 && count_is(file, group[i], "lines_left_out", 2), "all others are there");
        if (file >= 0)
            H5Fclose(file);
    }
    scratch_remove(&s);
}

/* The record of a run: numbers as kiln measure prints them, its parameters, and a line that changed. */
static void of_a_run(scratch *s, scratch *run)
{
    FILE *input = fopen(scratch_path(s, "run.yaml"), "w");
    fprintf(input, "lattice: [4, 4, 4, 4]\nrandom: { seed: 5 }\n"
                   "monomials: [ { kind: gauge, action: wilson, beta: 6 } ]\n"
                   "hmc: { trajectories: 3, levels: [ { integrator: omelyan, steps: 8, monomials: [gauge] } ] }\n"
                   "output: { directory: \"%s\", configuration_every: 3 }\n", run->folder);
    fclose(input);
    fact(program_run("run '%s' --device cpu --quiet", s->path)->status == 0, "a run");
    yaml_node *tree = output_json(program_run("measure '%s/cfg.000003.lime' --json --device cpu", run->folder));
    const program_output *answer = program_run("export '%s' --output '%s'", run->folder, scratch_path(s, "run.h5"));
    fact(answer->status == 0 && stdout_has(answer, "/record: 3 lines"), "its folder is exported");
    hid_t file = H5Fopen(s->path, H5F_ACC_RDONLY, H5P_DEFAULT);
    double v[3] = { 0 };
    fact(read_numbers(v, file, "/record/plaquette/average", 3, 0) && v[2] == json_number(tree, "plaquette.average"),
         "with the plaquette of its configuration, bit for bit");
    fact(file >= 0 && H5Lexists(file, "/record/parameters.yaml", H5P_DEFAULT) > 0, "and its parameters");
    if (file >= 0)
        H5Fclose(file);
    yaml_tree_free(tree);
    several_ensembles(run);
    segments_of_a_run(run);
    lines_of_another_run(run);

    blob b = blob_read(scratch_path(run, "run.jsonl"));
    char *changed = strstr((char *)b.bytes, "\"dH\": ");
    changed[6] = changed[6] == '-' ? '0' : '-';
    blob_write(run->path, b.bytes, b.n - 20);
    free(b.bytes);
    answer = program_run("export '%s' --output '%s'", run->folder, scratch_path(s, "less.h5"));
    fact(answer->status == 0 && stdout_has(answer, "/record: 1 line,") && stderr_has(answer, "1 line that changed")
             && stderr_has(answer, "torn last line"), "a changed line and a torn one are left out, and named");
}

int main(void)
{
    if (!program_is_there())
        return facts_end();
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    scratch s = scratch_create(), other = s, run = scratch_create();
    const char *output = scratch_path(&other, "known.h5"), *source = scratch_path(&s, "known.jsonl");
    blob_write(source, (const unsigned char *)lines, strlen(lines));
    const program_output *answer = program_run("export '%s' --output '%s'", source, output);
    fact(answer->status == 0 && stdout_has(answer, "/known: 3 lines"), "known lines are exported");
    known_lines(output);
    blob before = blob_read(output);
    answer = program_run("export '%s' --output '%s'", source, output);
    blob after = blob_read(output);
    fact(answer->status == 1 && stderr_has(answer, "exists already") && before.n == after.n
             && memcmp(before.bytes, after.bytes, after.n) == 0, "no file is overwritten");
    free(before.bytes);
    free(after.bytes);
    answer = program_run("export '%s' '%s/none.jsonl' --output '%s/none.h5'", source, s.folder, s.folder);
    fact(answer->status == 2 && stderr_has(answer, "none.jsonl: expected the folder") && scratch_count(&s) == 2,
         "a source that is missing: no file, not half of one");
    different_settings(&s);
    spacings(&s);
    of_a_run(&s, &run);
    scratch_remove(&run);
    scratch_remove(&s);
    return facts_end();
}
