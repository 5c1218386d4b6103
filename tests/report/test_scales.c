/* test_scales.c - numbers read off mean curves, as people and programs see them: all configurations count.
 *
 * Records are written by hand: t^2 E of configuration n is s_n t from clovers, 1.2 s_n t from plaquettes, so that t0 is
 * 0.3 / mean(s), w0 its square root, and its linear part in s_n known. */
#include "src/measure/autocorrelation.h"
#include "tests/cli/program.h"
#include "tests/facts.h"
#include "tests/io/scratch.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

enum { CONFIGURATIONS = 400, THERMALIZATION = 4, ROWS = 13 };
#define STEP 0.25                      /* t_max = 3 */

/* What is unusual in a record. */
typedef struct {
    int count, thermalization;
    double t_max;
    int failed;                        /* the number of a trajectory whose flow broke off; 0: none */
    int coarse_from;                   /* from this trajectory on every second row is left out; 0: never */
    int raised_from;                   /* from this trajectory on t_max is `raised`; 0: never */
    double raised;
} record_plan;

static double t_max_of(const record_plan *plan, int n)
{
    return plan->raised_from > 0 && n >= plan->raised_from ? plan->raised : plan->t_max;
}

static double s_of[CONFIGURATIONS + 1];
static double rounding;                /* relative, of the flow times of every second configuration */

/* Slopes about 0.12, rho(t) = 0.8^t: many curves do not reach 0.3 at t = 3. */
static void make_slopes(void)
{
    uint64_t state = 3;
    double now = 0;
    for (int n = 1; n <= CONFIGURATIONS; n++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        now = 0.8 * now + (double)(state >> 11) * 0x1p-53 - 0.5;
        s_of[n] = 0.12 + 0.06 * now;
    }
}

static void write_curve(FILE *file, const char *key, const record_plan *plan, int n, double slope, double break_off)
{
    const int stride = plan->coarse_from > 0 && n >= plan->coarse_from ? 2 : 1;
    const char *comma = "";
    fprintf(file, "\"%s\": [", key);
    for (int i = 0; i * STEP <= fmin(t_max_of(plan, n), break_off); i += stride, comma = ", ")
        fprintf(file, "%s%.17g", comma, slope * i * STEP);
    fprintf(file, "]");
}

/* As runs write them: t0 of the configuration alone, null where its curve does not reach 0.3. */
static void write_number(FILE *file, const char *key, double value, bool there)
{
    if (there)
        fprintf(file, "\"%s\": %.17g, ", key, value);
    else
        fprintf(file, "\"%s\": null, ", key);
}

static void write_record(const char *path, const record_plan *plan)
{
    FILE *file = fopen(path, "w");
    for (int n = 1; n <= plan->count; n++) {
        const double s = s_of[n], t0 = 0.3 / s;
        const bool failed = n == plan->failed;
        fprintf(file, "{\"trajectory\": %d, \"accepted\": true, \"thermalization\": %s, \"dH\": 0, \"exp_minus_dH\": 1,"
                "\"plaquette\": {\"average\": 0.5}, \"seconds\": 1, \"measurements\": {\"smooth\": {\"kind\": "
                "\"flow\", ", n, n <= plan->thermalization ? "true" : "false");
        if (!failed) {
            write_number(file, "t0", t0, t0 <= t_max_of(plan, n));
            write_number(file, "w0", sqrt(t0), t0 <= t_max_of(plan, n));
            fprintf(file, "\"charge\": %d, ", n % 3);
        }
        fprintf(file, "\"along\": {");
        write_curve(file, "t", plan, n, n % 2 ? 1 : 1 + rounding, failed ? 1 : INFINITY);
        fprintf(file, ", ");
        write_curve(file, "t2E_clover", plan, n, s, failed ? 1 : INFINITY);
        fprintf(file, ", ");
        write_curve(file, "t2E_plaquette", plan, n, 1.2 * s, failed ? 1 : INFINITY);
        fprintf(file, "}, \"converged\": %s}}}\n", failed ? "false" : "true");
    }
    fclose(file);
}

static double mean_slope(int first, int last, int but)
{
    double sum = 0;
    for (int n = first; n <= last; n++)
        sum += n == but ? 0 : s_of[n];
    return sum / (last - first + 1 - (but >= first && but <= last));
}

static yaml_node *status_of(const scratch *s)
{
    return output_json(program_run("status '%s' --json", s->folder));
}

static double scale_number(const yaml_node *tree, const char *title, const char *key)
{
    return json_number(yaml_get(yaml_get(tree, "measurements"), title), key);
}

static const char *scale_words(const yaml_node *tree, const char *title, const char *key)
{
    return json_scalar(yaml_get(yaml_get(tree, "measurements"), title), key);
}

static bool warned(const yaml_node *tree, const char *kind, const char *piece)
{
    const yaml_node *list = yaml_get(tree, "warnings");
    for (int i = 0; i < list->count; i++)
        if (strcmp(json_scalar(list->item[i], "kind"), kind) == 0 && strstr(json_scalar(list->item[i], "text"), piece))
            return true;
    return false;
}

/* The error of t0 by a jackknife with blocks of `length` configurations. */
static double jackknife_error(int first, int last, int length)
{
    const int blocks = (last - first + 1) / length;
    double sum = 0, squares = 0, all = 0;
    for (int n = first; n < first + blocks * length; n++)
        all += s_of[n];
    for (int b = 0; b < blocks; b++) {
        double without = all;
        for (int n = first + b * length; n < first + (b + 1) * length; n++)
            without -= s_of[n];
        const double t0 = 0.3 * (blocks - 1) * length / without;
        sum += t0 / blocks;
        squares += t0 * t0 / blocks;
    }
    return sqrt((squares - sum * sum) * (blocks - 1));
}

static void all_count(scratch *s)
{
    const record_plan plan = { CONFIGURATIONS, THERMALIZATION, 3, 0, 0, 0, 0 };
    write_record(scratch_path(s, "run.jsonl"), &plan);
    yaml_node *tree = status_of(s);
    const double mean = mean_slope(THERMALIZATION + 1, CONFIGURATIONS, 0), t0 = 0.3 / mean;
    int reach = 0;
    double linear[CONFIGURATIONS];
    int64_t n = 0;
    for (int i = THERMALIZATION + 1; i <= CONFIGURATIONS; i++) {
        reach += 0.3 / s_of[i] <= plan.t_max;
        linear[n++] = t0 - 0.3 / (mean * mean) * (s_of[i] - mean);
    }
    note("%d of %d curves reach 0.3; t0 of the mean is %.4f", reach, (int)n, t0);
    fact(reach > n / 2 && reach < 0.9 * (double)n, "many curves do not reach the level");
    fact_close(scale_number(tree, "smooth.t0", "value"), t0, 1e-12, "t0 is that of the mean curve");
    fact_close(scale_number(tree, "smooth.w0", "value"), sqrt(t0), 1e-12, "so is w0");
    fact_close(scale_number(tree, "smooth.t0_plaquette", "value"), t0 / 1.2, 1e-12, "and t0 of the other energy");
    fact_close(scale_number(tree, "smooth.w0_plaquette", "value"), sqrt(t0 / 1.2), 1e-12, "and its w0");
    fact(scale_number(tree, "smooth.t0", "used") == (double)n && scale_number(tree, "smooth.t0", "made") == (double)n,
         "all configurations behind thermalization count");
    const correlated_mean expected = correlated_mean_of((chain){ linear, 1, &n }, WINDOW_S);
    const double error = scale_number(tree, "smooth.t0", "error"),
        blocked = jackknife_error(THERMALIZATION + 1, (int)n, 20);
    fact_close(error / expected.error, 1, 1e-9, "its error is that of the linearized series, with autocorrelation");
    fact_close(scale_number(tree, "smooth.t0", "tau"), expected.tau, 1e-9, "and so is its tau");
    note("error %.4f, by a jackknife with blocks of 20 %.4f, with single ones %.4f", error, blocked,
         jackknife_error(THERMALIZATION + 1, (int)n, 1));
    fact(fabs(error / blocked - 1) < 0.25, "a jackknife with long blocks has much the same");
    fact(error > 2 * jackknife_error(THERMALIZATION + 1, (int)n, 1), "one that ignores autocorrelation does not");
    fact(scale_words(tree, "smooth.t0", "why") && strcmp(scale_words(tree, "smooth.t0", "why"), "null") == 0,
         "where there is a value there is no reason against it");
    fact(!warned(tree, "scale", "") && !warned(tree, "missing values", ""), "nor a warning");
    yaml_tree_free(tree);
    const program_output *answer = program_run("status '%s'", s->folder);
    fact(stdout_has(answer, "smooth.t0") && stdout_has(answer, "396"), "the text has it, and how many configurations");
    fact(stdout_has(program_run("report '%s' --output -", s->folder), "smooth.t0, linear about the mean curve"),
         "the report draws it");
    fact(stdout_has(program_run("watch '%s' --once", s->folder), "smooth.w0"), "the page in the terminal has it");
}

/* All of the same s, followed to t = 2 only: 0.3 is at 0.3 / s. */
static void not_reached(scratch *s)
{
    const record_plan plan = { 40, THERMALIZATION, 2, 0, 0, 0, 0 };
    char short_words[64];
    write_record(scratch_path(s, "run.jsonl"), &plan);
    yaml_node *tree = status_of(s);
    const double exact = 1.2 * 0.3 / mean_slope(THERMALIZATION + 1, 40, 0), needed = ceil(10 * exact) / 10;
    fact(isnan(scale_number(tree, "smooth.t0", "value")) && isnan(scale_number(tree, "smooth.t0", "error")),
         "a mean that stays below the level has no t0");
    fact_close(scale_number(tree, "smooth.t0", "needed.t_max"), needed, 1e-12, "it tells the t_max to ask for");
    const char *why = scale_words(tree, "smooth.t0", "why");
    fact(why && strstr(why, "over 36 configurations") && strstr(why, "t = 2 of 2") && strstr(why, "set t_max to"),
         "and why");
    fact(scale_number(tree, "smooth.t0", "used") == 36, "of how many configurations");
    fact(warned(tree, "scale", "smooth.t0 has no value") && warned(tree, "scale", "smooth.w0 has no value"),
         "it is among the warnings");
    yaml_tree_free(tree);
    snprintf(short_words, sizeof short_words, "none: t_max %g needed", needed);
    fact(stdout_has(program_run("status '%s'", s->folder), short_words), "in the text");
    fact(stdout_has(program_run("report '%s' --output -", s->folder), short_words), "in the report");
    fact(stdout_has(program_run("watch '%s' --once", s->folder), short_words), "in the terminal");
}

/* t_max 1 is too small, then it is 3: the mean is that of the configurations measured up to 3. */
static void raised_on_the_way(scratch *s)
{
    record_plan plan = { 104, THERMALIZATION, 1, 0, 0, 65, 3 };
    write_record(scratch_path(s, "run.jsonl"), &plan);
    yaml_node *tree = status_of(s);
    fact_close(scale_number(tree, "smooth.t0", "value"), 0.3 / mean_slope(65, 104, 0), 1e-12,
               "after t_max was raised, t0 is that of the configurations that were measured so far");
    fact(scale_number(tree, "smooth.t0", "used") == 40 && scale_number(tree, "smooth.t0", "made") == 100
             && scale_number(tree, "smooth.t0", "error") > 0, "40 of 100, with an error");
    const char *selection = scale_words(tree, "smooth.t0", "selection");
    fact(selection && strcmp(selection, "those measured up to t = 3") == 0, "and it says which");
    fact(warned(tree, "scale", "40 of 100 configurations, those measured up to t = 3")
             && !warned(tree, "missing values", ""), "as do the warnings: none of them is missing");
    yaml_tree_free(tree);
    fact(stdout_has(program_run("status '%s'", s->folder), "40 of 100"), "and the text");

    plan.t_max = 3;
    plan.raised = 4;
    write_record(scratch_path(s, "run.jsonl"), &plan);
    tree = status_of(s);
    fact(scale_number(tree, "smooth.t0", "used") == 100 && !warned(tree, "scale", ""),
         "where the flow times of all suffice, all count");
    yaml_tree_free(tree);

    plan.t_max = 1;
    plan.raised = 2;
    write_record(scratch_path(s, "run.jsonl"), &plan);
    tree = status_of(s);
    const double needed = ceil(10 * 1.2 * 0.3 / mean_slope(65, 104, 0) - 1e-9) / 10;
    const char *why = scale_words(tree, "smooth.t0", "why");
    fact(why && strstr(why, "over 40 configurations (those measured up to t = 2) stays below") != NULL
             && strstr(why, "t = 2 of 2") != NULL, "where none suffice, those measured farthest tell");
    fact_close(scale_number(tree, "smooth.t0", "needed.t_max"), needed, 1e-12, "the t_max to ask for");
    yaml_tree_free(tree);
}

static void write_parameters(const char *path, const char *lattice)
{
    FILE *file = fopen(path, "w");
    fprintf(file, "lattice: %s\nrandom: { seed: 1 }\nstart: { from: cold }\n"
            "monomials:\n  - { kind: gauge, name: g, action: wilson, beta: 6 }\n"
            "hmc:\n  trajectory_length: 0.5\n  levels: [{ integrator: omelyan, steps: 2, monomials: [g] }]\n"
            "  trajectories: 40\n  thermalization: 4\noutput: { directory: there, name: x }\n", lattice);
    fclose(file);
}

/* Flow times beyond what the lattice holds are not asked for. */
static void small_lattice(scratch *s)
{
    const record_plan plan = { 40, THERMALIZATION, 2, 0, 0, 0, 0 };
    write_record(scratch_path(s, "run.jsonl"), &plan);
    write_parameters(scratch_path(s, "parameters.yaml"), "[16, 8, 16, 32]");
    yaml_node *tree = status_of(s);
    const char *why = scale_words(tree, "smooth.t0", "why");
    note("%s", why ? why : "");
    fact(isnan(scale_number(tree, "smooth.t0", "needed.t_max")) && isnan(scale_number(tree, "smooth.t0", "value")),
         "no t_max is asked for that a lattice of extent 8 does not hold");
    fact(why && strstr(why, "which is 2 for the extent 8: this lattice is too small for t0 at this coupling") != NULL
             && strstr(why, "set t_max") == NULL, "the lattice is too small, and why says so");
    yaml_tree_free(tree);
    fact(!stdout_has(program_run("status '%s'", s->folder), "needed"), "the text asks for none either");
    write_parameters(scratch_path(s, "parameters.yaml"), "[16, 16, 16, 4]");
    tree = status_of(s);
    fact(scale_number(tree, "smooth.t0", "needed.t_max") > 2, "16^3 holds it, whatever the extent in time");
    yaml_tree_free(tree);
    unlink(scratch_path(s, "parameters.yaml"));
}

/* The mean ends a hair below 0.3. */
static void nearly_reached(scratch *s)
{
    const record_plan plan = { 40, 0, 3, 0, 0, 0, 0 };
    double kept[40];
    memcpy(kept, s_of + 1, sizeof kept);
    for (int n = 1; n <= 40; n++)
        s_of[n] = 0.29996 / 3;
    write_record(scratch_path(s, "run.jsonl"), &plan);
    memcpy(s_of + 1, kept, sizeof kept);
    yaml_node *tree = status_of(s);
    const char *why = scale_words(tree, "smooth.t0", "why");
    fact(why && strstr(why, "stays below 0.3: its largest value is 0.29996, at") != NULL,
         "the largest value has as many digits as it takes to be below 0.3");
    yaml_tree_free(tree);
}

static void failed_one(scratch *s)
{
    const record_plan plan = { 44, 0, 3, 17, 0, 0, 0 };
    write_record(scratch_path(s, "run.jsonl"), &plan);
    yaml_node *tree = status_of(s);
    fact_close(scale_number(tree, "smooth.t0", "value"), 0.3 / mean_slope(1, 44, 17), 1e-12,
               "a flow that broke off is not in the mean");
    fact(scale_number(tree, "smooth.t0", "used") == 43 && scale_number(tree, "smooth.t0", "made") == 44,
         "which counts the others, of all");
    fact(scale_number(tree, "smooth.charge", "used") == 43 && scale_number(tree, "smooth.charge", "made") == 44,
         "so does a mean of single values");
    fact(warned(tree, "missing values", "smooth.t0: 1 of 44")
             && warned(tree, "missing values", "smooth.charge: 1 of 44"), "and both warn");
    yaml_tree_free(tree);
    fact(stdout_has(program_run("status '%s'", s->folder), "43 of 44"), "the text says so too");
    fact(stdout_has(program_run("report '%s' --output -", s->folder), "43 of 44"), "and the report");
    fact(stdout_has(program_run("watch '%s' --once", s->folder), "43 of 44"), "and the page in the terminal");
}

static void other_rows(scratch *s)
{
    const record_plan plan = { 44, 0, 3, 0, 30, 0, 0 };
    write_record(scratch_path(s, "run.jsonl"), &plan);
    yaml_node *tree = status_of(s);
    fact_close(scale_number(tree, "smooth.t0", "value"), 0.3 / mean_slope(1, 44, 0), 1e-12,
               "rows that change on the way: the mean is of those that all have");
    fact(scale_number(tree, "smooth.t0", "used") == 44, "and of all configurations");
    yaml_tree_free(tree);
}

/* Sums of steps differ by rounding, up or down: these are the same flow times. */
static void rounded_times(scratch *s)
{
    const record_plan plan = { 44, 0, 3, 0, 0, 0, 0 };
    for (int sign = -1; sign <= 1; sign += 2) {
        rounding = sign * 1e-13;
        write_record(scratch_path(s, "run.jsonl"), &plan);
        yaml_node *tree = status_of(s);
        fact_close(scale_number(tree, "smooth.t0", "value"), 0.3 / mean_slope(1, 44, 0), 1e-11,
                   "flow times that differ by %g are the same", rounding);
        fact(scale_number(tree, "smooth.t0", "used") == 44, "in all configurations");
        yaml_tree_free(tree);
    }
    rounding = 0;
}

static void nothing_yet(scratch *s)
{
    const record_plan plan = { 3, THERMALIZATION, 3, 0, 0, 0, 0 };
    write_record(scratch_path(s, "run.jsonl"), &plan);
    yaml_node *tree = status_of(s);
    fact(isnan(scale_number(tree, "smooth.t0", "value")) && scale_number(tree, "smooth.t0", "used") == 0
             && !warned(tree, "scale", ""), "in thermalization there is no mean yet, and nothing to warn of");
    yaml_tree_free(tree);
}

/* What splines could not be made of. */
static void damaged_curves(scratch *s)
{
    static const char *const curves[] = {
        "{\"t\": [0, 1, 1, 2], \"t2E_clover\": [0, 0.1, 0.2, 0.4]}", "{\"t\": [0, 1, 2], \"t2E_clover\": [0, null, 1]}",
        "{\"t\": [0, 2, 1], \"t2E_clover\": [0, 0.1, 0.4]}", "{\"t\": [0, 1, 2], \"t2E_clover\": [0, 0.1]}",
        "{\"t\": [0, 1, 1e300], \"t2E_clover\": [0, 0.1, 1e300]}", "{\"t\": 3}", "[]",
        "{\"t\": [0, 1, 2, 3], \"t2E_clover\": [0, 0.1, 0.2, 0.3]}",
    };
    FILE *file = fopen(scratch_path(s, "run.jsonl"), "w");
    for (size_t i = 0; i < sizeof curves / sizeof *curves; i++)
        fprintf(file, "{\"trajectory\": %zu, \"accepted\": true, \"thermalization\": false, \"dH\": 0, "
                "\"exp_minus_dH\": 1, \"plaquette\": {\"average\": 0.5}, \"seconds\": 1, \"measurements\": "
                "{\"smooth\": {\"kind\": \"flow\", \"along\": %s}}}\n", i + 1, curves[i]);
    fclose(file);
    yaml_node *tree = status_of(s);
    fact(tree && scale_number(tree, "smooth.t0", "used") == 1 && scale_number(tree, "smooth.t0", "made") == 8,
         "curves that are none are missing, not read");
    fact(tree && !yaml_get(yaml_get(tree, "measurements"), "smooth.t0_plaquette"),
         "of a curve that no line has there is nothing");
    yaml_tree_free(tree);
}

int main(void)
{
    if (!program_is_there())
        return facts_end();
    scratch s = scratch_create();
    make_slopes();
    all_count(&s);
    not_reached(&s);
    raised_on_the_way(&s);
    small_lattice(&s);
    nearly_reached(&s);
    failed_one(&s);
    other_rows(&s);
    rounded_times(&s);
    nothing_yet(&s);
    damaged_curves(&s);
    scratch_remove(&s);
    return facts_end();
}
