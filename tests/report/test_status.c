/* test_status.c - kiln status on records written by hand: means, errors, warnings, torn and damaged lines, the lock. */
#include "tests/report/long_record.h"
#include "tests/cli/program.h"
#include "tests/facts.h"
#include "tests/io/scratch.h"

#include <fcntl.h>
#include <math.h>
#include <sys/file.h>

static const struct { bool accepted, thermalization; double dh, plaquette, seconds; } trajectories[] = {
    { true, true, -40.5, 0.9, 2 },     { true, true, 3.25, 0.7, 2 },     { true, false, 0.125, 0.5, 1 },
    { false, false, 1.5, 0.5, 1 },     { true, false, -0.25, 0.6, 3 },   { true, false, 0.0625, 0.55, 1 },
};
enum { LINES = sizeof trajectories / sizeof *trajectories, THERMALIZATION = 2, TESTED = LINES - THERMALIZATION };

static void write_record(const char *path, int lines, const char *extra)
{
    FILE *file = fopen(path, "w");
    for (int i = 0; i < lines; i++)
        fprintf(file, "{\"trajectory\": %d, \"accepted\": %s, \"thermalization\": %s, \"dH\": %.17g, \"exp_minus_dH\": "
                "%.17g, \"plaquette\": {\"average\": %.17g, \"spatial\": 0, \"temporal\": 0}, \"seconds\": %.17g}\n",
                i + 1, trajectories[i].accepted ? "true" : "false", trajectories[i].thermalization ? "true" : "false",
                trajectories[i].dh, exp(-trajectories[i].dh), trajectories[i].plaquette, trajectories[i].seconds);
    fputs(extra, file);
    fclose(file);
}

/* Mean and error of the mean over the tested trajectories. */
static void mean_of(double (*value)(int), double *mean, double *error)
{
    double sum = 0, squares = 0;
    for (int i = THERMALIZATION; i < LINES; i++)
        sum += value(i) / TESTED;
    for (int i = THERMALIZATION; i < LINES; i++)
        squares += (value(i) - sum) * (value(i) - sum);
    *mean = sum;
    *error = sqrt(squares / (TESTED - 1) / TESTED);
}

static double acceptance(int i) { return trajectories[i].accepted; }
static double dh(int i) { return trajectories[i].dh; }
static double exp_minus_dh(int i) { return exp(-trajectories[i].dh); }
static double plaquette(int i) { return trajectories[i].plaquette; }

static const struct { const char *key; double (*value)(int); } means[] = {
    { "acceptance", acceptance }, { "dH", dh }, { "exp_minus_dH", exp_minus_dh }, { "plaquette", plaquette },
};

static void complete_record(scratch *s)
{
    char key[64];
    const program_output *answer = program_run("status '%s' --json", s->folder);
    yaml_node *tree = output_json(answer);
    fact(answer->status == 0, "a complete record: status 0");
    fact(json_number(tree, "trajectories") == LINES && json_number(tree, "last_trajectory") == LINES,
         "all trajectories are counted");
    fact(json_number(tree, "thermalization") == THERMALIZATION, "thermalization is told apart");
    for (size_t i = 0; i < sizeof means / sizeof *means; i++) {
        double mean, error;
        mean_of(means[i].value, &mean, &error);
        snprintf(key, sizeof key, "%s.value", means[i].key);
        fact_close(json_number(tree, key), mean, 1e-14, "%s is the mean without thermalization", key);
        snprintf(key, sizeof key, "%s.error", means[i].key);
        fact_close(json_number(tree, key), error, 1e-14, "%s is the error of independent values", key);
    }
    fact_close(json_number(tree, "seconds.value"), 10. / 6, 1e-14, "the time is that of all trajectories");
    fact(strcmp(json_scalar(tree, "running"), "false") == 0, "nobody works there");
    yaml_tree_free(tree);
    answer = program_run("version; mkdir '%s/midtrajectory.000006.000002' '%s/midtrajectory.000007.000012'", s->folder,
                         s->folder);
    answer = program_run("status '%s'", s->folder);
    fact(stdout_has(answer, "idle") && stdout_has(answer, ", trajectory 7 interrupted at step 12\n"),
         "a mid-trajectory checkpoint of the next trajectory is reported");
    program_run("version; rmdir '%s'/midtrajectory.*", s->folder);
    fact(!stdout_has(program_run("status '%s'", s->folder), "interrupted"), "only while it is there");
    answer = program_run("status '%s'", s->folder);
    fact(stdout_has(answer, "acceptance       0.75") && stdout_has(answer, "too short") && stdout_has(answer,
                                                                                                      "too few"),
         "the text says what four trajectories are too few for");
}

/* Charges of the trajectories; NaN: there is none. */
static const double charges[] = { 9, 7, 1.5, NAN, 2.5, 2 };

static void write_measured(const char *path)
{
    FILE *file = fopen(path, "w");
    for (int i = 0; i < LINES; i++) {
        char charge[32] = "null";
        if (isfinite(charges[i]))
            snprintf(charge, sizeof charge, "%.17g", charges[i]);
        fprintf(file, "{\"trajectory\": %d, \"accepted\": true, \"thermalization\": %s, \"dH\": 0, "
                "\"exp_minus_dH\": 1, ", i + 1, i < THERMALIZATION ? "true" : "false");
        fprintf(file, "\"plaquette\": {\"average\": 0.5}, \"measurements\": {\"smooth\": {\"kind\": \"flow\", "
                "\"charge\": %s}, \"links\": {\"kind\": \"gauge\", \"rectangle\": %d}", charge, -i);
        if (i == LINES - 1)
            fprintf(file, ", \"condensate\": {\"kind\": \"condensate\", \"masses\": [{\"mass\": 0.050000000000000003, "
                    "\"condensate\": 0.25}, {\"mass\": 1, \"condensate\": 0.125}]}, \"other\": {\"kind\": \"unknown\", "
                    "\"charge\": 3}, \"failed\": {\"kind\": \"condensate\", \"converged\": false}");
        fprintf(file, "}, \"seconds\": 1}\n");
    }
    fclose(file);
}

static void measured(scratch *s)
{
    write_measured(scratch_path(s, "run.jsonl"));
    const program_output *answer = program_run("status '%s' --json", s->folder);
    yaml_node *tree = output_json(answer), *found = yaml_get(tree, "measurements");
    const yaml_node *charge = yaml_get(found, "smooth.charge");
    fact(answer->status == 0 && yaml_get(found, "links.rectangle") && !yaml_get(found, "other.charge"),
         "measurements of known kinds have their headlines");
    fact_close(json_number(charge, "value"), 2, 1e-15, "a mean without thermalization, of the values that exist");
    fact_close(json_number(charge, "error"), sqrt(0.25 / 3), 1e-15, "its error");
    fact(json_number(charge, "used") == 3 && json_number(charge, "made") == 4, "it tells how many of how many");
    fact(json_number(charge, "last") == 2 && json_number(charge, "count") == LINES, "the last value, and all lines");
    fact(json_number(yaml_get(found, "links.rectangle"), "last") == 1 - LINES, "each number by itself");
    fact(json_number(yaml_get(found, "condensate(0.05)"), "last") == 0.25 &&
             json_number(yaml_get(found, "condensate(1)"), "value") == 0.125, "masses are told apart");
    yaml_tree_free(tree);
    answer = program_run("status '%s'", s->folder);
    fact(stdout_has(answer, "smooth.charge") && stdout_has(answer, "2.00 +- 0.29") && stdout_has(answer, "3 of 4"),
         "a line each for people");
    fact(stdout_has(answer, "smooth.charge: 1 of 4 values are missing"), "and a warning of values that are missing");
}

/* Two masses from trajectory 7 on, one before; after 10 only the new one.  Trajectory `failed` gives up. */
static void write_masses(const char *path, int failed)
{
    FILE *file = fopen(path, "w");
    for (int i = 1; i <= 12; i++) {
        fprintf(file, "{\"trajectory\": %d, \"accepted\": true, \"thermalization\": false, \"dH\": 0, "
                "\"exp_minus_dH\": 1, \"plaquette\": {\"average\": 0.5}, \"measurements\": {\"cc\": {\"kind\": "
                "\"condensate\", ", i);
        if (i == failed)
            fprintf(file, "\"converged\": false");
        else
            fprintf(file, "\"masses\": [%s%s%s]", i <= 10 ? "{\"mass\": 1, \"condensate\": 0.5}" : "",
                    i > 6 && i <= 10 ? ", " : "", i > 6 ? "{\"mass\": 2, \"condensate\": 0.25}" : "");
        fprintf(file, "}}, \"seconds\": 1}\n");
    }
    fclose(file);
}

/* What a measurement was not asked for is not missing: no mean of it is biased. */
static void changed_measurements(scratch *s)
{
    static const struct { int failed, made[2]; const char *missing, *sentence; } rows[] = {
        { 0, { 10, 6 }, NULL, "a mass that comes, and one that goes: no value is missing" },
        { 4, { 10, 6 }, "cc.condensate(1): 1 of 10 values", "a failure before a mass came is none of its values" },
        { 8, { 10, 6 }, "cc.condensate(2): 1 of 6 values", "one between them is" },
        { 11, { 11, 6 }, "cc.condensate(1): 1 of 11 values", "one after the last value too" },
        { 12, { 10, 6 }, "cc.condensate(2): 1 of 6 values", "but not after a mass has gone" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        write_masses(scratch_path(s, "run.jsonl"), rows[i].failed);
        yaml_node *tree = output_json(program_run("status '%s' --json", s->folder));
        const yaml_node *found = yaml_get(tree, "measurements");
        const double first = json_number(yaml_get(found, "cc.condensate(1)"), "made");
        const double second = json_number(yaml_get(found, "cc.condensate(2)"), "made");
        yaml_tree_free(tree);
        const program_output *answer = program_run("status '%s'", s->folder);
        fact(first == rows[i].made[0] && second == rows[i].made[1]
                 && (rows[i].missing ? stdout_has(answer, rows[i].missing) : !stdout_has(answer, "are missing")),
             "%s: made %g and %g", rows[i].sentence, first, second);
    }
}

static void torn_and_damaged(scratch *s)
{
    write_record(scratch_path(s, "run.jsonl"), LINES, "{\"trajectory\": 7, \"acc");
    const program_output *answer = program_run("status '%s' --json", s->folder);
    yaml_node *tree = output_json(answer);
    fact(answer->status == 0 && stderr_has(answer, "the last line is incomplete")
             && json_number(tree, "trajectories") == LINES,
         "a torn last line is left out, and said");
    yaml_tree_free(tree);

    write_record(scratch_path(s, "run.jsonl"), LINES, "what is this?\n{}\n[1, 2\n");
    answer = program_run("status '%s' --json", s->folder);
    tree = output_json(answer);
    fact(answer->status == 1 && stderr_has(answer, "3 lines cannot be read, the first is line 7")
             && json_number(tree, "damaged_lines") == 3 &&
             json_number(tree, "trajectories") == LINES,
         "damaged lines are counted and left out: status 1");
    yaml_tree_free(tree);

    write_record(scratch_path(s, "run.jsonl"), LINES,
                 "{\"trajectory\": 7, \"accepted\": false, \"thermalization\": false, \"dH\": null, \"exp_minus_dH\": "
                 "null, \"plaquette\": {\"average\": 0.5}, \"seconds\": 1}\n");
    answer = program_run("status '%s' --json", s->folder);
    tree = output_json(answer);
    fact(answer->status == 0 && json_number(tree, "trajectories") == LINES + 1 &&
             isfinite(json_number(tree, "plaquette.value")) && isnan(json_number(tree, "dH.value")),
         "a trajectory without a finite dH counts; the mean of dH is then null");
    yaml_tree_free(tree);
}

static void short_records(scratch *s)
{
    write_record(scratch_path(s, "run.jsonl"), 0, "");
    const program_output *answer = program_run("status '%s'", s->folder);
    fact(answer->status == 0 && stdout_has(answer, "no trajectory yet\n"), "an empty record");
    write_record(scratch_path(s, "run.jsonl"), THERMALIZATION, "");
    answer = program_run("status '%s'", s->folder);
    fact(stdout_has(answer, "acceptance       no trajectory yet from number 3 on"), "thermalization alone");
    write_record(scratch_path(s, "run.jsonl"), THERMALIZATION + 1, "");
    answer = program_run("status '%s'", s->folder);
    fact(answer->status == 0 && stdout_has(answer, "(one value)"), "one value has no error");
}

static void locked(scratch *s)
{
    int lock = open(scratch_path(s, "lock"), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    flock(lock, LOCK_EX);
    yaml_node *tree = output_json(program_run("status '%s' --json", s->folder));
    fact(tree && strcmp(json_scalar(tree, "running"), "true") == 0, "who holds the lock is seen");
    yaml_tree_free(tree);
    close(lock);
}

static void correlated(scratch *s)
{
    long_record_write(scratch_path(s, "run.jsonl"), LONG_RECORD, false);
    long_record_parameters(scratch_path(s, "parameters.yaml"), 900);
    yaml_node *tree = output_json(program_run("status '%s' --json", s->folder));
    yaml_node *charge = yaml_get(yaml_get(tree, "measurements"), "flow.charge");
    double tau = json_number(tree, "plaquette.tau"), deviation = 0.01 * sqrt(1. / 12 / (1 - 0.64));
    fact(fabs(tau - 4.5) < 4 * json_number(tree, "plaquette.tau_error"), "tau of the plaquette is that of its chain");
    fact(fabs(json_number(tree, "plaquette.error") / (deviation * sqrt(9. / 790)) - 1) < 0.35, "and its error too");
    fact(fabs(json_number(charge, "tau") - 19.5) < 4 * json_number(charge, "tau_error") &&
             json_number(charge, "every") == 2 && json_number(charge, "tau") > 8,
         "what is measured after every second trajectory has its tau in trajectories");
    fact(strcmp(json_scalar(tree, "cost.slowest"), "flow.charge") == 0, "the slowest quantity is known");
    fact_close(json_number(charge, "seconds_per_independent_configuration") / (2 * json_number(charge, "tau")), 1,
               1e-12, "an independent configuration takes the seconds of 2 tau trajectories, 1 s each");
    fact_close(json_number(charge, "seconds_per_independent_configuration_error")
               / (2 * json_number(charge, "tau_error")), 1, 1e-12, "with the error of tau");
    fact_close(json_number(tree, "cost.device_hours_per_independent_configuration") * 3600
               / json_number(tree, "cost.seconds_per_independent_configuration"), 1, 1e-12,
               "that of the slowest quantity is the cost of the run");
    fact(strcmp(json_scalar(tree, "exp_minus_dH.verdict"), "consistent with 1") == 0, "<exp(-dH)> is that");
    const double begin = json_number(tree, "equilibrium.trajectory");
    fact(strcmp(json_scalar(tree, "equilibrium.found"), "true") == 0 && begin > 4 && begin < 100, "the start is seen");
    fact_close(json_number(tree, "cost.device_hours_per_accepted_unit"), 2. / 3600 / 0.5, 1e-12,
               "hours are those of wall time, units those of accepted time");
    fact(strcmp(json_scalar(tree, "phases.0.phase"), "trajectory") == 0 &&
             strcmp(json_scalar(tree, "phases.1.phase"), "trajectory/b") == 0, "phases: a tree, the longest first");
    fact_close(json_number(tree, "phases.0.share"), 0.75, 1e-12, "a phase has the time of those in it");
    fact(yaml_get(tree, "warnings")->count == 0, "nothing to look at in a good record");
    yaml_tree_free(tree);
    fact(stdout_has(program_run("status '%s'", s->folder), "800 of 900"), "how much is still to do");
    fact(stdout_has(program_run("status '%s'", s->folder),
                    " s per trajectory with its measurements; 26 min 40 s in all, with record and states\n"),
         "what the times include: 1 s of each trajectory, and 2 s with files");
    fact(stdout_has(program_run("status '%s' --from 1000", s->folder), "no trajectory yet from number 1000 on"),
         "the number from which there is no trajectory is the one that was given");
    long_record_parameters(scratch_path(s, "parameters.yaml"), 300);
    fact(stdout_has(program_run("status '%s'", s->folder), "800, 500 more than the 300 of"), "more than was asked for");
    tree = output_json(program_run("status '%s' --json --from 401", s->folder));
    fact(json_number(tree, "plaquette.used") == 400 && json_number(tree, "from") == 401, "means from a trajectory on");
    yaml_tree_free(tree);
}

/* The record without a thermalization: the start is among the means. */
static void write_without_thermalization(scratch *s)
{
    static const char warm[] = "\"thermalization\": true", tested[] = "\"thermalization\": false";
    blob record = blob_read(scratch_path(s, "run.jsonl"));
    record.bytes[record.n] = '\0';
    FILE *file = fopen(scratch_path(s, "run.jsonl"), "w");
    char *from = (char *)record.bytes;
    for (char *at; (at = strstr(from, warm)); from = at + sizeof warm - 1)
        fprintf(file, "%.*s%s", (int)(at - from), from, tested);
    fputs(from, file);
    fclose(file);
    free(record.bytes);
}

static bool warned(const yaml_node *tree, const char *kind, int64_t first)
{
    const yaml_node *list = yaml_get(tree, "warnings");
    for (int i = 0; i < list->count; i++) {
        const yaml_node *w = list->item[i];
        if (strcmp(json_scalar(w, "kind"), kind) == 0 && json_number(w, "first") == (double)first)
            return true;
    }
    return false;
}

static void late_start(scratch *s)
{
    long_record_write(scratch_path(s, "run.jsonl"), LONG_RECORD, false);
    yaml_node *tree = output_json(program_run("status '%s' --json", s->folder));
    fact(yaml_get(tree, "warnings")->count == 0, "a start in thermalization is no trouble");
    yaml_tree_free(tree);
    write_without_thermalization(s);
    tree = output_json(program_run("status '%s' --json", s->folder));
    fact(warned(tree, "thermalization", 1), "one among the means is");
    yaml_tree_free(tree);
}

static void unusual(scratch *s)
{
    static const struct { const char *kind; int64_t first; const char *sentence; } expected[] = {
        { "dH", 500, "a dH that stands out" },
        { "force", 500, "a force that stands out" },
        { "residual", 500, "a residual that stands out" },
        { "filter", 500, "links that were filtered" },
        { "sdc_check", 500, "two evaluations of a step do not agree in all bits" },
        { "mixed precision", 500, "a solver that changed its method" },
        { "measurement", 500, "a measurement that failed" },
        { "range", 301, "a range that was renewed" },
        { "rejections", 600, "a row of rejections" },
        { "iterations", 604, "iterations that grow" },
    };
    long_record_write(scratch_path(s, "run.jsonl"), LONG_RECORD, true);
    yaml_node *tree = output_json(program_run("status '%s' --json", s->folder));
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
        fact(warned(tree, expected[i].kind, expected[i].first), "to look at: %s", expected[i].sentence);
    yaml_tree_free(tree);
    fact(stdout_has(program_run("status '%s'", s->folder), "warnings  "), "and the text has it too");
    unlink(scratch_path(s, "parameters.yaml"));
}

/* Ten of twelve accepted, then none: as probable at an acceptance of one half as not, but not at ten of twelve. */
static void no_more_accepted(scratch *s)
{
    enum { BEFORE = 12, ROW = 8 };
    FILE *file = fopen(scratch_path(s, "run.jsonl"), "w");
    for (int i = 1; i <= BEFORE + ROW; i++)
        fprintf(file, "{\"trajectory\": %d, \"accepted\": %s, \"thermalization\": false, \"dH\": 0.5, "
                "\"exp_minus_dH\": 0.6, \"plaquette\": {\"average\": 0.5, \"spatial\": 0, \"temporal\": 0}, "
                "\"seconds\": 1}\n", i, i <= BEFORE && i % 6 != 3 ? "true" : "false");
    fclose(file);
    yaml_node *tree = output_json(program_run("status '%s' --json", s->folder));
    fact(warned(tree, "rejections", BEFORE + 1), "a row of rejections is held against the trajectories outside of it");
    yaml_tree_free(tree);
}

/* Long steps, then short ones: each segment has the dH of its own integrator, and none of it stands out. */
static void integrators(void)
{
    scratch s = scratch_create(), inputs = scratch_create();
    char input[600];
    snprintf(input, sizeof input, "%s", scratch_path(&inputs, "input.yaml"));
    long_record_parameters(input, 60);
    program_run("run '%s' --quiet --set output.directory='%s'", input, s.folder);
    program_run("run '%s' --quiet --set output.directory='%s' --set hmc.levels.0.steps=20 --set hmc.trajectories=220 "
                "--new-segment --reason finer", input, s.folder);
    yaml_node *tree = output_json(program_run("status '%s' --json", s.folder));
    const yaml_node *list = yaml_get(tree, "warnings");
    bool none = json_number(tree, "trajectories") == 220;
    for (int i = 0; i < list->count; i++)
        none = none && strcmp(json_scalar(list->item[i], "kind"), "dH") != 0;
    fact(none, "dH that is large for the steps of another segment does not stand out");
    yaml_tree_free(tree);
    scratch_remove(&s);
    scratch_remove(&inputs);
}

int main(void)
{
    if (!program_is_there())
        return facts_end();
    scratch s = scratch_create();
    const program_output *answer = program_run("status '%s'", s.folder);
    fact(answer->status == 1 && stderr_has(answer, "run.jsonl"), "a folder without a record: status 1");
    answer = program_run("status '%s'", scratch_path(&s, "missing"));
    fact(answer->status == 2 && stderr_has(answer, "missing"), "no folder: status 2");
    write_record(scratch_path(&s, "run.jsonl"), LINES, "");
    complete_record(&s);
    locked(&s);
    measured(&s);
    changed_measurements(&s);
    torn_and_damaged(&s);
    short_records(&s);
    correlated(&s);
    late_start(&s);
    unusual(&s);
    no_more_accepted(&s);
    integrators();
    scratch_remove(&s);
    return facts_end();
}
