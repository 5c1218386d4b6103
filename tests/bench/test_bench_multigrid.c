/* test_bench_multigrid.c - multigrid beside other methods in kiln bench solver methods and masses: rows, the time of
 * the set-up, curves.  Times are nobody's facts, but that each is a positive number, and where it stands. */
#include "src/solvers/solver_choice.h"
#include "tests/bench/study_output.h"
#include "tests/facts.h"
#include "tests/io/scratch.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIELD "--quarks wilson --lattice 4,4,4,8 --heatbath 4 --device cpu --threads 1"
#define FEW " --vectors 12 --setup-iterations 10 --setup-passes 0"

/* Index of the first solve of a mass whose member `key` is `word`; -1: none. */
static int solve_with(const yaml_node *t, int mass, const char *key, const char *word)
{
    for (int n = 0; !isnan(number_at(t, "masses.%d.solves.%d.iterations", mass, n)); n++) {
        char path[64];
        snprintf(path, sizeof path, "masses.%d.solves.%d.%s", mass, n, key);
        if (holds(t, path, word))
            return n;
    }
    return -1;
}

/* A row of multigrid at each mass, which converges in fewer iterations than the first row; and no other set-up. */
static void has_multigrid(const yaml_node *t, const char *what, const char *residual, int masses)
{
    for (int mass = 0; mass < masses; mass++) {
        const int at = solve_with(t, mass, "method", "multigrid");
        char path[64];
        snprintf(path, sizeof path, "masses.%d.solves.%d.%s", mass, at, residual);
        fact(at > 0 && json_number(t, path) <= 1.01e-9
                 && number_at(t, "masses.%d.solves.%d.iterations", mass, at)
                    < number_at(t, "masses.%d.solves.0.iterations", mass),
             "%s, mass %d: multigrid converges, in fewer iterations than the first method", what, mass);
        fact(number_at(t, "masses.%d.solves.%d.setup_seconds", mass, at) > 0
                 && number_at(t, "masses.%d.solves.%d.seconds", mass, at) > 0,
             "%s, mass %d: its set-up and its solve have times", what, mass);
        int others = 0;
        for (int n = 0; n < at; n++)
            others += !isnan(number_at(t, "masses.%d.solves.%d.setup_seconds", mass, n));
        fact(others == 0 && isnan(number_at(t, "masses.%d.solves.%d.iterations", mass, at + 1)),
             "%s, mass %d: it is the last row, and the only one with a set-up", what, mass);
    }
}

static void rows(void)
{
    static const char *const terms[] = { "", " --c-sw 1" };
    for (int i = 0; i < 2; i++) {
        char words[400];
        snprintf(words, sizeof words, "methods --masses 0.3,0.1 --precisions double,single --tolerance 1e-9 --json "
                 FIELD FEW "%s", terms[i]);
        yaml_node *t = bench_study_json(words);
        has_multigrid(t, "methods", "true_residual", 2);
        fact(json_number(t, "multigrid.vectors") == 12, "the settings are in the report");
        yaml_tree_free(t);
        snprintf(words, sizeof words, "masses --masses 0.3,0.1 --tolerance 1e-9 --json " FIELD FEW "%s", terms[i]);
        t = bench_study_json(words);
        has_multigrid(t, "masses", "residual", 2);
        fact(json_number(t, "multigrid.vectors") == 12 && solve_with(t, 0, "method", "defect correction") > 0,
             "and the two ways of mixed precision are there, too");
        fact(json_number(t, "c_sw") == i, "c_sw is in the report");
        yaml_tree_free(t);
    }
    yaml_node *t = bench_study_json("methods --masses 0.3 --precisions double --tolerance 1e-9 --json " FIELD);
    fact(solve_with(t, 0, "method", "multigrid") < 0 && isnan(json_number(t, "multigrid.vectors")),
         "without single precision there is no multigrid");
    yaml_tree_free(t);
}

/* The number of a word in the line of the table that begins with the mass and has `method`. */
static const char *line_with(const char *table, const char *method, char *line, size_t size)
{
    for (const char *at = table; at && *at; at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL) {
        snprintf(line, size, "%.*s", (int)strcspn(at, "\n"), at);
        if (strncmp(line, "     0.3 ", 9) == 0 && strstr(line, method))
            return line;
    }
    line[0] = '\0';
    return line;
}

static char *file_text(const char *path)
{
    blob all = blob_read(path);
    char *words = calloc(all.n + 1, 1);
    memcpy(words, all.bytes, all.n);
    free(all.bytes);
    return words;
}

/* The height of the n-th point of multigrid in a picture, in pixels from above; below 0: there is none. */
static double point_at(const char *picture, int n)
{
    const char *at = picture;
    for (int i = 0; i <= n && at; i++) {
        at = strstr(at, "<g style=\"fill:var(--c4)");
        at = at ? strstr(at, " cy=\"") : NULL;
    }
    return at ? atof(at + strlen(" cy=\"")) : -1;
}

/* The set-up is a column of the table and of the file; the picture of seconds has a curve with it and one without. */
static void columns_and_curves(scratch *s)
{
    static const char *const studies[] = { "methods --precisions double,single", "masses" };
    char svg[640], columns[640], line[300];
    snprintf(svg, sizeof svg, "%s", scratch_path(s, "plot.svg"));
    snprintf(columns, sizeof columns, "%s", scratch_path(s, "columns.txt"));
    for (int i = 0; i < 2; i++) {
        const program_output *what = program_run("bench solver %s --masses 0.3 " FIELD FEW " --plot seconds --svg '%s' "
                                                 "--out '%s'", studies[i], svg, columns);
        const char *table = text_string(&what->out);
        double setup = 0, in_file = 0;
        fact(what->status == 0 && stdout_has(what, "ratio set-up [s]  ended by"), "%s: a column is that of the set-up",
             studies[i]);
        const char *end = strrchr(line_with(table, "multigrid", line, sizeof line), '.');
        while (end && end > line && end[-1] != ' ')
            end--;
        setup = end ? atof(end) : 0;
        fact(setup > 0, "%s: multigrid has one: %s", studies[i], line);
        line_with(table, "double", line, sizeof line);
        fact(strstr(line, "         -") != NULL, "%s: other methods have none: %s", studies[i], line);
        char *numbers = file_text(columns), *row = strstr(numbers, "multigrid");
        if (row) {
            row[strcspn(row, "\n")] = '\0';
            in_file = atof(strrchr(row, ' '));
        }
        fact(setup > 0 && fabs(in_file / setup - 1) < 0.01 + 1e-4 / setup, "%s: the file has the same (%g, %g)",
             studies[i], setup, in_file);
        free(numbers);
        char *picture = file_text(svg);
        fact(strstr(picture, ">multigrid<") && strstr(picture, ">multigrid, set-up included<"),
             "%s: curves with and without the set-up", studies[i]);
        const double solve = point_at(picture, 0), whole = point_at(picture, 1);
        fact(solve > 0 && whole > 0 && whole < solve - 1, "%s: that with the set-up is higher (%g, %g)", studies[i],
             whole, solve);
        free(picture);
    }
    const program_output *what = program_run("bench solver methods --precisions double,single --masses 0.3 " FIELD FEW
                                             " --svg '%s'", svg);
    char *picture = file_text(svg);
    fact(what->status == 0 && strstr(picture, ">multigrid<") && !strstr(picture, "set-up included"),
         "the picture of iterations has one curve of multigrid");
    free(picture);
}

int main(void)
{
    if (!program_is_there())
        return facts_end();
    scratch s = scratch_create();
    rows();
    columns_and_curves(&s);
    scratch_remove(&s);
    const program_output *what = program_run("bench solver masses --quarks wilson --lattice 2,2,2,2 --heatbath 0 "
                                             "--masses 0.5 --device cpu");
    fact(what->status == 0 && stdout_has(what, "multigrid is not possible: blocks of 1x1x1x1"),
         "masses without multigrid: the table has the reason");
    bench_refused("masses --lattice 4,4,4,4 --quarks wilson --method multigrid", 2, "masses has multigrid beside");
    bench_refused("masses --lattice 4,4,4,4 --heatbath 0 --masses 0.5 --quarks wilson --vectors 7", 2, "--vectors: 7");
    bench_refused("masses --lattice 4,4,4,4 --block 2,2,2,2", 2, "--block, a setting of multigrid, is for");
    return facts_end();
}
