/* test_spacing.c - errors of measurements whose distance changed on the way, against those of every trajectory.
 *
 * The plaquette is a Markov chain with rho(t) = 0.9^t; the charge of a measurement is the same number, in the
 * trajectories in which it was made.  Sampled every few trajectories it has nearly the error of the whole chain. */
#include "tests/cli/program.h"
#include "tests/facts.h"
#include "tests/io/scratch.h"

#include <math.h>

enum { LINES = 12000 };

/* The measurement is made every `first` trajectories, from LINES * `share` on every `then`. */
typedef struct { int first, then; double share; const char *name; } spacing;

static void write_record(const char *path, spacing p)
{
    FILE *file = fopen(path, "w");
    uint64_t state = 11;
    double now = 0;
    for (int n = 1; n <= LINES; n++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        now = 0.9 * now + (double)(state >> 11) * 0x1p-53 - 0.5;
        fprintf(file, "{\"trajectory\": %d, \"accepted\": true, \"thermalization\": false, \"dH\": 0, "
                "\"exp_minus_dH\": 1, \"plaquette\": {\"average\": %.17g}, \"seconds\": 1", n, now);
        if (n % (n <= p.share * LINES ? p.first : p.then) == 0)
            fprintf(file, ", \"measurements\": {\"smooth\": {\"kind\": \"flow\", \"charge\": %.17g}}", now);
        fprintf(file, "}\n");
    }
    fclose(file);
}

static void same_error(scratch *s, spacing p)
{
    write_record(scratch_path(s, "run.jsonl"), p);
    yaml_node *tree = output_json(program_run("status '%s' --json", s->folder));
    const yaml_node *charge = yaml_get(yaml_get(tree, "measurements"), "smooth.charge");
    const double error = json_number(charge, "error"), tau = json_number(charge, "tau");
    const double dense = json_number(tree, "plaquette.error"), dense_tau = json_number(tree, "plaquette.tau");
    note("%s: error %.4g of %.4g, tau %.3g of %.3g, every %.4g", p.name, error, dense, tau, dense_tau,
         json_number(charge, "every"));
    fact(fabs(dense_tau - 9.5) < 2.5 && fabs(error / dense - 1) < 0.25, "%s: the error is that of the whole chain",
         p.name);
    fact(fabs(tau / dense_tau - 1) < 0.35, "%s: and so is tau, in trajectories", p.name);
    yaml_tree_free(tree);
}

/* A measurement in two trajectories of three, `first` to `last`: neighbors are one or two trajectories apart in turn;
 * what kiln status calls their distance. */
static double distance_of(scratch *s, int first, int last)
{
    FILE *file = fopen(scratch_path(s, "run.jsonl"), "w");
    for (int n = 1; n <= last; n++) {
        fprintf(file, "{\"trajectory\": %d, \"accepted\": true, \"thermalization\": false, \"dH\": 0, "
                "\"exp_minus_dH\": 1, \"plaquette\": {\"average\": 0.5}, \"seconds\": 1", n);
        if (n >= first && n % 3 != 0)
            fprintf(file, ", \"measurements\": {\"smooth\": {\"kind\": \"flow\", \"charge\": %d}}", n * n % 7);
        fprintf(file, "}\n");
    }
    fclose(file);
    yaml_node *tree = output_json(program_run("status '%s' --json", s->folder));
    const double every = json_number(yaml_get(yaml_get(tree, "measurements"), "smooth.charge"), "every");
    yaml_tree_free(tree);
    return every;
}

int main(void)
{
    static const spacing all[] = {
        { 3, 3, 1, "every 3" }, { 3, 2, 0.5, "every 3, then 2" }, { 5, 7, 0.9, "every 5, at the end 7" },
        { 2, 1, 0.98, "every 2, at the end 1" }, { 1, 4, 0.2, "every 1, then 4" },
    };
    if (!program_is_there())
        return facts_end();
    scratch s = scratch_create();
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        same_error(&s, all[i]);
    fact(distance_of(&s, 1, 61) == 1, "20 of 40 neighbors are one trajectory apart: a series with gaps");
    fact_close(distance_of(&s, 2, 61), 59. / 39, 1e-12, "19 of 39 are: consecutive values, at their mean distance");
    scratch_remove(&s);
    return facts_end();
}
