/* test_energy.c - the energy of trajectories, from records with "joules", without them, and with some of them. */
#include "src/base/text.h"
#include "src/report/run_view.h"
#include "src/tune/plan.h"
#include "tests/cli/program.h"
#include "tests/facts.h"
#include "tests/io/scratch.h"
#include "tests/report/long_record.h"

#include <math.h>
#include <stdlib.h>

#define JOULES 5e4                     /* of a trajectory of the long record */
enum { SHORT = 10, WITHOUT = 2 };

/* SHORT trajectories; those after the first WITHOUT have 100 times their number as joules, if `some`. */
static void write_short(const char *path, bool some)
{
    FILE *file = fopen(path, "w");
    for (int i = 1; i <= SHORT; i++) {
        fprintf(file, "{\"trajectory\": %d, \"accepted\": true, \"thermalization\": false, \"dH\": 0, "
                "\"exp_minus_dH\": 1, \"plaquette\": {\"average\": 0.5}, \"wall_seconds\": 2, \"seconds\": 1", i);
        fprintf(file, some && i > WITHOUT ? ", \"joules\": %d}\n" : "}\n", 100 * i);
    }
    fclose(file);
}

static void some_lines(scratch *s)
{
    const double mean = 100 * (WITHOUT + 1 + SHORT) / 2., all = mean * (SHORT - WITHOUT);
    write_short(scratch_path(s, "run.jsonl"), true);
    yaml_node *tree = output_json(program_run("status '%s' --json", s->folder));
    fact_close(json_number(tree, "joules.value"), mean, 1e-9, "the mean is that of the lines with joules");
    fact_close(json_number(tree, "cost.joules"), all, 1e-9, "so is the sum");
    fact(json_number(tree, "cost.trajectories_with_joules") == SHORT - WITHOUT, "they are counted");
    fact_close(json_number(tree, "seconds.value"), 1, 1e-12, "the seconds are those of all lines");
    yaml_tree_free(tree);
    const program_output *answer = program_run("status '%s'", s->folder);
    fact(stdout_has(answer, " J per trajectory (too short), 5.2 kJ in 8 of 10 trajectories\n"),
         "the text says how many, and that they are few");
}

static void no_line(scratch *s)
{
    write_short(scratch_path(s, "run.jsonl"), false);
    const program_output *answer = program_run("status '%s' --json", s->folder);
    yaml_node *tree = output_json(answer);
    fact(answer->status == 0 && isnan(json_number(tree, "joules.value")) && isnan(json_number(tree, "cost.joules"))
             && json_number(tree, "cost.trajectories_with_joules") == 0
             && isnan(json_number(tree, "cost.joules_per_independent_configuration")),
         "a record without joules has no energy");
    yaml_tree_free(tree);
    fact(!stdout_has(program_run("status '%s'", s->folder), "energy "), "and no row in the text");
}

/* The long record, with JOULES in each line after the first `without`. */
static void write_long(scratch *s, int without)
{
    int line = 0;
    static const char before[] = "\"seconds\": 1, ";
    long_record_write(scratch_path(s, "run.jsonl"), LONG_RECORD, false);
    long_record_parameters(scratch_path(s, "parameters.yaml"), 900);
    blob record = blob_read(scratch_path(s, "run.jsonl"));
    record.bytes[record.n] = '\0';
    FILE *file = fopen(scratch_path(s, "run.jsonl"), "w");
    char *from = (char *)record.bytes;
    for (char *at; (at = strstr(from, before)); from = at + sizeof before - 1)
        if (fprintf(file, "%.*s%s", (int)(at - from), from, before), ++line > without)
            fprintf(file, "\"joules\": %g, ", JOULES);
    fputs(from, file);
    fclose(file);
    free(record.bytes);
}

static void independent(scratch *s)
{
    write_long(s, 0);
    yaml_node *tree = output_json(program_run("status '%s' --json", s->folder));
    const double tau = json_number(tree, "cost.slowest_tau");
    fact_close(json_number(tree, "cost.joules"), LONG_RECORD * JOULES, 1e-3, "the energy of all trajectories");
    fact_close(json_number(tree, "cost.joules_per_independent_configuration") / (2 * tau * JOULES), 1, 1e-12,
               "an independent configuration takes the energy of 2 tau trajectories, tau of the slowest quantity");
    fact_close(json_number(tree, "cost.joules_per_independent_configuration_error")
               / json_number(tree, "cost.joules_per_independent_configuration"),
               json_number(tree, "cost.seconds_per_independent_configuration_error")
               / json_number(tree, "cost.seconds_per_independent_configuration"), 1e-12, "with the error of tau");
    yaml_tree_free(tree);
    text wanted = { 0 };
    text_add(&wanted, "%s per independent configuration (2 tau of flow.charge)", joules_to_text(2 * tau * JOULES).s);
    const program_output *answer = program_run("status '%s'", s->folder);
    fact(stdout_has(answer, "50 (constant) kJ per trajectory, 11.1 kWh in trajectories\n"), "the text has the energy");
    fact(stdout_has(answer, text_string(&wanted)), "and that of an independent configuration");
    program_run("report '%s'", s->folder);
    blob page = blob_read(scratch_path(s, "report.html"));
    page.bytes[page.n] = '\0';
    fact(strstr((const char *)page.bytes, "Energy of the GPUs: ")
             && strstr((const char *)page.bytes, " kJ per trajectory, 11.1 kWh in trajectories; "),
         "the report has it too");
    free(page.bytes);
    text_free(&wanted);
}

/* Of the trajectories of the means, half have joules, or one less than half. */
static void half_of_them(scratch *s)
{
    const int used = LONG_RECORD - LONG_THERMALIZATION;
    for (int fewer = 0; fewer < 2; fewer++) {
        write_long(s, LONG_RECORD - used / 2 + fewer);
        yaml_node *tree = output_json(program_run("status '%s' --json", s->folder));
        fact(isfinite(json_number(tree, "cost.joules_per_independent_configuration")) == !fewer
                 && isfinite(json_number(tree, "cost.seconds_per_independent_configuration"))
                 && json_number(tree, "cost.trajectories_with_joules") == used / 2 - fewer,
             "%d of %d trajectories have joules: %s", used / 2 - fewer, used,
             fewer ? "too few for an independent configuration" : "enough for an independent configuration");
        yaml_tree_free(tree);
    }
    const program_output *answer = program_run("status '%s'", s->folder);
    fact(stdout_has(answer, " of 800 trajectories\n") && !stdout_has(answer, "Wh per independent"),
         "the text then has the mean alone");
}

static void a_mean(void)
{
    static const struct { correlated_mean of; const char *words; } rows[] = {
        { { .verdict = SERIES_LONG, .count = 900, .mean = 5.2512e6, .error = 3e3 },
          "5.2512 +- 0.0030 MJ per trajectory" },
        { { .verdict = SERIES_SHORT, .count = 30, .mean = 812, .error = 21 }, "812 +- 21 J per trajectory (short)" },
        { { .verdict = SERIES_TOO_SHORT, .count = 8, .mean = 999700, .error = 2e3 },
          "0.9997 +- 0.0020 MJ per trajectory (too short)" },
        { { .verdict = SERIES_LONG, .count = 900, .mean = 4.1e10, .error = 2e8 }, "41.00 +- 0.20 GJ per trajectory" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        text words = { 0 };
        run_view_add_mean_energy(&words, &rows[i].of);
        fact(strcmp(text_string(&words), rows[i].words) == 0, "mean and error have one unit: %s", text_string(&words));
        text_free(&words);
    }
}

static void units(void)
{
    static const struct { double joules; const char *words; } rows[] = {
        { 0, "0 J" }, { 81.5, "81.5 J" }, { 12345, "12.3 kJ" }, { 3.6e5, "0.1 kWh" }, { 3.6e9, "1 MWh" },
        { 999.4, "999 J" }, { 999.7, "1 kJ" }, { 3.594e5, "359 kJ" }, { 3.599e5, "0.1 kWh" }, { 3.594e9, "998 kWh" },
        { 3.599e9, "1 MWh" }, { 1.577e10, "4.38 MWh" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        fact(strcmp(joules_to_text(rows[i].joules).s, rows[i].words) == 0, "%g joules are written %s",
             rows[i].joules, rows[i].words);
}

static void a_plan(void)
{
    plan_time t = { .parts = 2, .part = { { .calls = 3, .seconds = 0.5 }, { .calls = 1, .seconds = 2.5 } },
                    .by_probe = true, .watts = 600 };
    fact_close(plan_time_joules(&t), 600 * 4, 1e-9, "a plan has the mean power of the probe times the seconds");
    t.watts = 0;
    fact(isnan(plan_time_joules(&t)), "without a power there is no energy");
}

int main(void)
{
    units();
    a_mean();
    a_plan();
    if (!program_is_there())
        return facts_end();
    scratch s = scratch_create();
    some_lines(&s);
    no_line(&s);
    independent(&s);
    half_of_them(&s);
    scratch_remove(&s);
    return facts_end();
}
