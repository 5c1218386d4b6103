/* test_recorded_tau.c - what kiln tune takes from the record of an ensemble: 2 tau of its slowest quantity, times the
 * seconds of a trajectory before and after a tuning. */
#include "src/compare/recorded_tau.h"

#include "src/config/yaml.h"
#include "tests/cli/program.h"
#include "tests/facts.h"
#include "tests/hmc/run_text.h"
#include "tests/report/long_record.h"

#include <math.h>
#include <string.h>

static const char input[] =
    "lattice: [2, 2, 2, 2]\n"
    "random: { seed: 1 }\n"
    "monomials: [ { kind: gauge, name: g, action: wilson, beta: 5.7 } ]\n"
    "hmc:\n"
    "  levels: [ { integrator: omelyan, steps: 2, monomials: [g] } ]\n"
    "  trajectories: 900\n"
    "output: { directory: '%s' }\n";

/* The numbers of kiln status, from the same record. */
static void known(const scratch *s, const recorded_tau *t)
{
    yaml_node *tree = output_json(program_run("status '%s' --json", s->folder));
    const double tau = json_number(tree, "cost.slowest_tau");
    fact(t->known && strcmp(t->title, json_scalar(tree, "cost.slowest")) == 0 && strcmp(t->title, "flow.charge") == 0,
         "the slowest quantity is that of kiln status");
    fact_close(t->of.tau / tau, 1, 1e-12, "with its tau");
    text out = { 0 }, line = { 0 };
    recorded_tau_to_text(&out, t, 100, 50);
    text_add(&line, "before %.3g +- %.2g s, tuned %.3g +- %.2g s\n", 200 * tau, 200 * t->of.tau_error, 100 * tau,
             100 * t->of.tau_error);
    fact(strstr(text_string(&out), text_string(&line)) && strstr(text_string(&out), "flow.charge"),
         "100 s a trajectory, then 50 s: 2 tau of them");
    text_free(&out);
    text_free(&line);
    yaml_tree_free(tree);
}

static bool writes(const recorded_tau *t, const char *words)
{
    json j = { 0 };
    json_open(&j, NULL, '{');
    recorded_tau_to_json(&j, "independent_configuration", t, 100, 50);
    json_close(&j);
    const bool has = strstr(json_string(&j), words) != NULL;
    if (!has)
        note("%s", json_string(&j));
    json_free(&j);
    return has;
}

int main(void)
{
    scratch s = scratch_create();
    run_input in;
    run_from_text(&in, input, s.folder);
    recorded_tau t = recorded_tau_read(&in.p);
    text out = { 0 };
    recorded_tau_to_text(&out, &t, 100, 50);
    fact(!t.known && out.length == 0 && writes(&t, "\"independent_configuration\": null"),
         "an input without an ensemble has no record, and nothing is said");
    long_record_write(scratch_path(&s, "run.jsonl"), SERIES_LEAST, false);
    long_record_parameters(scratch_path(&s, "parameters.yaml"), 900);
    t = recorded_tau_read(&in.p);
    fact(!t.known, "nor where the record has thermalization alone");
    long_record_write(scratch_path(&s, "run.jsonl"), LONG_RECORD, false);
    t = recorded_tau_read(&in.p);
    known(&s, &t);
    fact(writes(&t, "\"slowest\": \"flow.charge\"") && writes(&t, "\"before\": {\"seconds\": ")
             && writes(&t, "\"is_lower_bound\": false"), "and as JSON");
    text_free(&out);
    run_input_free(&in);
    scratch_remove(&s);
    return facts_end();
}
