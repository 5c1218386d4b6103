/* test_verdicts.c - what kiln status concludes of records whose means, errors and chances are known by hand. */
#include "tests/report/long_record.h"
#include "tests/cli/program.h"
#include "tests/facts.h"
#include "tests/io/scratch.h"

#include <math.h>

/* A line of a record. */
typedef struct {
    int number;
    bool accepted, thermalization;
    double dh, exp_minus_dh;
    double kinetic;                 /* 0: it says nothing of energies */
    bool measured;                  /* the Schwinger-Dyson identity, with this deviation */
    double deviation;
} verdict_line;

static void write_line(FILE *file, const verdict_line *line)
{
    fprintf(file, "{\"trajectory\": %d, \"accepted\": %s, \"thermalization\": %s, \"dH\": %.17g, "
            "\"exp_minus_dH\": %.17g, \"plaquette\": {\"average\": 0.5}, ", line->number,
            line->accepted ? "true" : "false", line->thermalization ? "true" : "false", line->dh, line->exp_minus_dh);
    if (line->kinetic > 0)
        fprintf(file, "\"energy_before\": {\"kinetic\": %.17g, \"total\": 1}, ", line->kinetic);
    if (line->measured)
        fprintf(file, "\"measurements\": {\"identity\": {\"kind\": \"schwinger_dyson\", \"settings\": \"0x1\", "
                "\"deviation\": %.17g, \"converged\": true}}, ", line->deviation);
    fprintf(file, "\"seconds\": 1}\n");
}

static yaml_node *status_of(const scratch *s)
{
    return output_json(program_run("status '%s' --json", s->folder));
}

static const yaml_node *warning_of(const yaml_node *tree, const char *kind)
{
    const yaml_node *list = yaml_get(tree, "warnings");
    for (int i = 0; i < list->count; i++)
        if (strcmp(json_scalar(list->item[i], "kind"), kind) == 0)
            return list->item[i];
    return NULL;
}

/* <P_acc> = erfc(sqrt(<dH>) / 2) (S. Gupta, A. Irback, F. Karsch, B. Petersson, Phys. Lett. B 242 (1990) 437): of
 * <dH> = 1/4 it is erfc(1/4) = 0.72367360983... (M. Abramowitz, I. Stegun, table 7.1: erf(0.25) = 0.2763263902). */
static void expected_acceptance(scratch *s)
{
    static const double dh[] = { 0.125, 0.5, -0.25, 0.625 };
    FILE *file = fopen(scratch_path(s, "run.jsonl"), "w");
    for (int n = 0; n < 4; n++)
        write_line(file, &(verdict_line){ .number = n + 1, .accepted = true, .dh = dh[n],
                                          .exp_minus_dh = exp(-dh[n]) });
    fclose(file);
    yaml_node *tree = status_of(s);
    fact_close(json_number(tree, "dH.value"), 0.25, 1e-15, "four trajectories with <dH> = 1/4");
    fact_close(json_number(tree, "acceptance.expected"), 1 - 0.2763263902, 1e-10, "expect an acceptance of erfc(1/4)");
    yaml_tree_free(tree);
    fact(stdout_has(program_run("status '%s'", s->folder), "erfc(sqrt(<dH>)/2) is 0.724"), "the text says so");
}

/* exp(-dH) in turn a deviation above and below its mean: N of them have the error deviation / sqrt(N), that of
 * independent values (autocorrelation.h). */
static void write_turns(scratch *s, double errors_from_1)
{
    enum { N = 400 };
    const double deviation = 0.2, mean = 1 + errors_from_1 * deviation / sqrt(N);
    FILE *file = fopen(scratch_path(s, "run.jsonl"), "w");
    for (int n = 1; n <= N; n++) {
        const double now = mean + (n % 2 ? deviation : -deviation);
        write_line(file, &(verdict_line){ .number = n, .accepted = true, .dh = -log(now), .exp_minus_dh = now });
    }
    fclose(file);
}

static void consistent_with_one(scratch *s)
{
    static const struct { double errors; bool consistent; } rows[] = {
        { 0, true }, { 2.8, true }, { -2.8, true }, { 3.2, false }, { -3.2, false }, { 12, false },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        write_turns(s, rows[i].errors);
        yaml_node *tree = status_of(s);
        fact_close(json_number(tree, "exp_minus_dH.errors_from_1"), rows[i].errors, 0.02 * (1 + fabs(rows[i].errors)),
                   "<exp(-dH)> is %g errors from 1", rows[i].errors);
        const char *verdict = json_scalar(tree, "exp_minus_dH.verdict");
        fact(verdict && strcmp(verdict, rows[i].consistent ? "consistent with 1" : "not consistent with 1") == 0,
             "that is %s", verdict);
        fact((warning_of(tree, "exp(-dH)") == NULL) == rows[i].consistent, "a warning where it is not");
        yaml_tree_free(tree);
    }
}

/* The deviation from an identity in the same way. */
static void consistent_with_zero(scratch *s)
{
    enum { N = 400 };
    static const double errors[] = { 0, 2.8, -2.8, 3.2, -3.2 };
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
        const double deviation = 0.01, mean = errors[i] * deviation / sqrt(N);
        FILE *file = fopen(scratch_path(s, "run.jsonl"), "w");
        for (int n = 1; n <= N; n++)
            write_line(file, &(verdict_line){ .number = n, .accepted = true, .dh = 0.1, .exp_minus_dh = exp(-0.1),
                                              .measured = true,
                                              .deviation = mean + (n % 2 ? deviation : -deviation) });
        fclose(file);
        yaml_node *tree = status_of(s);
        const yaml_node *found = warning_of(tree, "identity");
        fact((found == NULL) == (fabs(errors[i]) < 3), "an identity, %g errors from it: %s", errors[i],
             found ? "a warning" : "no warning");
        yaml_tree_free(tree);
    }
}

/* `tested` trajectories with five rejections in a row near the middle; the others repeat the pattern, which begins and
 * ends with an acceptance.  Returns the first trajectory of the row. */
static int write_row(scratch *s, int tested, const char *pattern)
{
    const int length = (int)strlen(pattern), first = (tested - 5) / 2 / length * length + 1;
    FILE *file = fopen(scratch_path(s, "run.jsonl"), "w");
    for (int n = 1, k = 0; n <= tested; n++) {
        const bool row = n >= first && n < first + 5;
        const bool accepted = !row && pattern[k++ % length] == 'a';
        write_line(file, &(verdict_line){ .number = n, .accepted = accepted, .dh = 0.1, .exp_minus_dh = exp(-0.1) });
    }
    fclose(file);
    return first;
}

/* N trajectories with acceptance p outside of the row have about N (1 - p)^5 rows of five rejections by chance: 0.032
 * for N = 100 and p = 0.8, 0.062 for N = 195 and p = 0.8, 1.08 for N = 105 and p = 0.6.  The warning begins at 0.05. */
static void rows_by_chance(scratch *s)
{
    static const struct { int tested; const char *pattern; bool warned; const char *sentence; } rows[] = {
        { 100, "aaara", true, "five rejections in a row where 0.03 such rows are expected" },
        { 195, "aaara", false, "where 0.06 are" },
        { 105, "arraraaraa", false, "where one is" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const int first = write_row(s, rows[i].tested, rows[i].pattern);
        yaml_node *tree = status_of(s);
        const yaml_node *found = warning_of(tree, "rejections");
        fact((found != NULL) == rows[i].warned, "%s: %s", rows[i].sentence, rows[i].warned ? "a warning" : "none");
        fact(!found || (json_number(found, "count") == 5 && json_number(found, "first") == first),
             "it tells which they are");
        yaml_tree_free(tree);
    }
}

/* |dH| of the thermalization beside a kinetic energy of 1600, that of a hundred sites: the bound is a sixteenth. */
static void absurd_thermalization(scratch *s)
{
    static const struct { double dh; bool thermalization, warned; } rows[] = {
        { 99, true, false },  { -99, true, false }, { 101, true, true }, { -101, true, true },
        { 2e7, true, true },  { 101, false, false },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        FILE *file = fopen(scratch_path(s, "run.jsonl"), "w");
        for (int n = 1; n <= 3; n++)
            write_line(file, &(verdict_line){ .number = n, .accepted = true, .thermalization = n < 2
                                              || rows[i].thermalization,
                                              .dh = n == 2 ? rows[i].dh : 0.5, .exp_minus_dh = 1, .kinetic = 1600 });
        fclose(file);
        yaml_node *tree = status_of(s);
        const yaml_node *found = warning_of(tree, "thermalization dH");
        fact((found != NULL) == rows[i].warned, "dH %g of %g in kinetic energy, %s: %s", rows[i].dh, 1600.,
             rows[i].thermalization ? "in thermalization" : "tested", rows[i].warned ? "a warning" : "none");
        fact(!found || (json_number(found, "first") == 2 && json_number(found, "count") == 1), "of that trajectory");
        yaml_tree_free(tree);
    }
}

/* By the program: a single step over a hot start is far too long, ten are not. */
static void absurd_run(void)
{
    scratch s = scratch_create();
    char input[700];
    snprintf(input, sizeof input, "%s", scratch_path(&s, "input.yaml"));
    long_record_parameters(input, 2);
    static const struct { int steps; bool warned; } rows[] = { { 1, true }, { 10, false } };
    for (int i = 0; i < 2; i++) {
        const program_output *answer = program_run("run '%s' --quiet --set output.directory='%s/run%d' --set "
                                                   "start.from=hot "
                                                   "--set hmc.trajectory_length=1 --set hmc.levels.0.steps=%d --set "
                                                   "hmc.thermalization=2", input, s.folder, i, rows[i].steps);
        fact(answer->status == 0 && (strstr(text_string(&answer->err), "in thermalization, where") != NULL)
             == rows[i].warned, "%d steps from a hot start: %s in the log", rows[i].steps,
             rows[i].warned ? "a warning" : "none");
        answer = program_run("status '%s/run%d'", s.folder, i);
        fact((strstr(text_string(&answer->out), "in thermalization, more than") != NULL) == rows[i].warned,
             "and in the status");
        program_run("version; rm -r '%s/run%d'", s.folder, i);
    }
    scratch_remove(&s);
}

int main(void)
{
    if (!program_is_there())
        return facts_end();
    scratch s = scratch_create();
    expected_acceptance(&s);
    consistent_with_one(&s);
    consistent_with_zero(&s);
    rows_by_chance(&s);
    absurd_thermalization(&s);
    scratch_remove(&s);
    absurd_run();
    return facts_end();
}
