/* cmd_check.c - kiln check: check an input, and print the memory and work that it needs. */
#include "src/base/json.h"
#include "src/cli/subcommands.h"
#include "src/hmc/hmc.h"
#include "src/hmc/parameters_json.h"
#include "src/hmc/quark_totals.h"
#include "src/hmc/run_advice.h"
#include "src/hmc/start_advice.h"
#include "src/options/run_options.h"
#include "src/tune/memory_report.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct { text_refs sets; bool json, reference, results; } check_options;

static const usage check_usage = {
    .name = "check",
    .operands = "INPUT.yaml",
    .least = 0,
    .most = 1,
    .about = "Checks INPUT.yaml.  Prints it with all defaults filled in, the memory of a run by category, and the\n"
             "work of a trajectory: flops and bytes of its forces, counted from the algorithm, without the\n"
             "iterations of solves, which are not known in advance.  Warns of residuals too large for a correct dH.\n"
             "Creates no file.",
    .options = (const option[]){ SET_OPTION(check_options, sets), JSON_OPTION(check_options, json),
                                 { .name = "reference",
                                   .doc = "print the reference page of all keys instead (Markdown);\n"
                                          "with --json, an object of all keys with their defaults",
                                   .type = OPTION_FLAG, .offset = offsetof(check_options, reference) },
                                 { .name = "results",
                                   .doc = "print unit, shape and definition of all results of measurements instead "
                                          "(JSON)",
                                   .type = OPTION_FLAG, .offset = offsetof(check_options, results) },
                                 { 0 } },
};

static int print_reference(void)
{
    text page = { 0 };
    text_add(&page, "# The input of `kiln run`\n\n"
                    "An input is a YAML file.  This page lists all its keys.  Each block has an example and a link to\n"
                    "its explanation.  `kiln check --reference` prints this page from the tables with which Kiln\n"
                    "checks inputs.\n\n"
                    "`kiln check INPUT.yaml` reports all faults of an input and shows it with its defaults.  Every\n"
                    "command that reads an input takes `--set KEY=VALUE`, with keys such as `hmc.trajectories` or\n"
                    "`monomials.1.max_rhs` (items of a list count from 0).\n\n");
    schema_document(&page, run_param_specs);
    fputs(text_string(&page), stdout);
    text_free(&page);
    return EXIT_OK;
}

static int print_defaults(void)
{
    text keys = { 0 };
    schema_defaults(&keys, run_param_specs);
    fputs(text_string(&keys), stdout);
    text_free(&keys);
    return EXIT_OK;
}

/* By kind of measurement. */
static int print_results(void)
{
    json j = { 0 };
    json_open(&j, NULL, '{');
    for (const param_kind *const *kind = measurement_kinds; *kind; kind++) {
        json_open(&j, (*kind)->name, '[');
        result_members_to_json(&j, ((const measurement_kind *)*kind)->results);
        json_close(&j);
    }
    json_close(&j);
    puts(json_string(&j));
    json_free(&j);
    return EXIT_OK;
}

/* The work of one term in a trajectory: evaluations of its force, and their flops and bytes together. */
typedef struct { int64_t evaluations; work all; } term_work;

static term_work work_of_term(const run_params *p, const schedule *s, const evolve_term *term, int t)
{
    const lattice_shape shape = run_shape(p);
    work one = run_monomial_kind(p, t)->force_work(run_monomial_kind(p, t), run_monomial_params(p, t), &shape);
    double n = (double)s->level[term->level].force_evaluations;
    return (term_work){ s->level[term->level].force_evaluations, { .flops = n * one.flops, .bytes = n * one.bytes } };
}

static work work_sum(work a, work b)
{
    return (work){ .flops = a.flops + b.flops, .bytes = a.bytes + b.bytes };
}

/* Upper bounds on the error of dH from residuals and rational functions. */
static void print_energy_errors(const run_params *p, int m)
{
    const lattice_shape shape = run_shape(p);
    energy_errors e = { 0 };
    run_monomial_kind(p, m)->energy_errors(&e, run_monomial_kind(p, m), run_monomial_params(p, m), &shape);
    printf("#   error of dH, about at most: %s %.2g, %s %.2g; kiln warns above %g\n",
           role_keys[ROLE_REFRESH],
           energy_error_of_solves(&e, ROLE_REFRESH) + energy_error_of_functions(&e, ROLE_REFRESH),
           role_keys[ROLE_ACTION],
           energy_error_of_solves(&e, ROLE_ACTION) + energy_error_of_functions(&e, ROLE_ACTION), ENERGY_ERROR_MAX);
}

/* What follows from the parameters of each monomial. */
static void print_monomials(const run_params *p)
{
    const lattice_shape shape = run_shape(p);
    for (int m = 0; m < run_monomial_count(p); m++) {
        text lines = { 0 };
        if (!run_monomial_kind(p, m)->describe)
            continue;
        run_monomial_kind(p, m)->describe(&lines, run_monomial_kind(p, m), run_monomial_params(p, m), &shape);
        printf("# %s\n", run_monomial_name(p, m));
        for (char *line = strtok(lines.s, "\n"); line; line = strtok(NULL, "\n"))
            printf("#   %s\n", line);
        text_free(&lines);
        if (run_monomial_kind(p, m)->energy_errors)
            print_energy_errors(p, m);
    }
}

/* The determinants of all monomials together. */
static void print_totals(const run_params *p)
{
    text totals = { 0 };
    quark_totals_add(&totals, p);
    if (totals.length > 0)
        printf("# together: %s\n", text_string(&totals));
    text_free(&totals);
}

static void print_text(const run_params *p, const schedule *s, const evolve_term *terms)
{
    text echo = { 0 };
    schema_echo(&echo, run_param_specs, p, false);
    printf("# the input with all defaults\n%s\n", text_string(&echo));
    text_free(&echo);

    print_monomials(p);
    print_totals(p);
    printf("# memory on the device\n");
    memory_print(p, PLACE_CPU, false, "#   ");
    printf("# memory on the host, for any device\n");
    memory_print(p, PLACE_CPU, true, "#   ");

    if (run_is_tempered(p))
        printf("# parallel tempering\n#   %-28s %" PRId64 "; each has the work below\n", "replicas",
               p->tempering.replicas);
    if (run_is_pure_gauge(p)) {
        const lattice_shape shape = run_shape(p);
        double links = 4.0 * (double)lattice_global_sites(&shape);
        double drawn = (double)p->heatbath.sweeps;
        printf("# work in place of a trajectory\n#   %-28s %.4g\n#   %-28s %.4g\n", "links drawn by heat bath",
               drawn * links, "links overrelaxed", drawn * (double)p->heatbath.overrelaxation * links);
        return;
    }
    work forces = { 0 };
    if (run_is_smd(p))
        printf("# stochastic molecular dynamics\n#   %-28s %.6g\n", "part of momenta kept",
               exp(-p->smd.gamma * p->hmc.length));
    printf("# work of a trajectory, without the iterations of solves\n");
    for (int t = 0; t < run_monomial_count(p); t++) {
        term_work w = work_of_term(p, s, &terms[t], t);
        forces = work_sum(forces, w.all);
        printf("#   force of %-19s %s, %.4g Gflop, %.4g GB\n", terms[t].name,
               count_to_text(w.evaluations, "evaluation").s, 1e-9 * w.all.flops, 1e-9 * w.all.bytes);
    }
    printf("#   %-28s %.4g Gflop, %.4g GB\n", "all forces", 1e-9 * forces.flops, 1e-9 * forces.bytes);
    printf("#   %-28s %" PRId64 "\n", "updates of the links", s->drifts);
}

static void add_to_list(void *list, const char *sentence)
{
    json_text(list, NULL, sentence);
}

static void print_json(const run_params *p, const schedule *s, const evolve_term *terms)
{
    json j = { 0 };
    work forces = { 0 };
    json_open(&j, NULL, '{');
    parameters_to_json(&j, "parameters", p);
    quark_totals_to_json(&j, p);
    memory_to_json(&j, "memory", p, PLACE_CPU, false, false);
    memory_to_json(&j, "host_memory", p, PLACE_CPU, true, false);
    json_open(&j, "forces", '[');
    for (int t = 0; t < run_monomial_count(p); t++) {
        term_work w = work_of_term(p, s, &terms[t], t);
        forces = work_sum(forces, w.all);
        json_open(&j, NULL, '{');
        json_text(&j, "term", terms[t].name);
        json_int(&j, "evaluations", w.evaluations);
        json_real(&j, "flops", w.all.flops);
        json_real(&j, "bytes", w.all.bytes);
        json_close(&j);
    }
    json_close(&j);
    json_open(&j, "all_forces", '{');
    json_real(&j, "flops", forces.flops);
    json_real(&j, "bytes", forces.bytes);
    json_close(&j);
    json_int(&j, "drifts", s->drifts);
    json_open(&j, "warnings", '[');
    run_advice_add(p, add_to_list, &j);
    start_advice_add(p, add_to_list, &j);
    json_close(&j);
    json_close(&j);
    puts(json_string(&j));
    json_free(&j);
}

int cmd_check(int argc, char **argv)
{
    check_options o = { 0 };
    operands files;
    run_input in;
    int status = options_read(&check_usage, argc, argv, &o, &files);
    if (status != GO_ON)
        return status;
    if (o.reference)
        return o.json ? print_defaults() : print_reference();
    if (o.results)
        return print_results();
    if (files.count != 1)
        return usage_error(&check_usage, "INPUT.yaml is missing");
    if (!run_options_read_input(&in, files.item[0], &o.sets))
        return EXIT_USAGE;
    if (!run_options_start_input(&in, files.item[0])) {
        run_input_free(&in);
        return EXIT_USAGE;
    }
    evolve_term terms[HMC_TERMS];
    schedule *s = hmc_plan(&in.p, terms);
    if (o.json)
        print_json(&in.p, s, terms);
    else
        print_text(&in.p, s, terms);
    if (!o.json) {
        run_advice_warn(&in.p);
        start_advice_warn(&in.p);
    }
    schedule_free(s);
    run_input_free(&in);
    return EXIT_OK;
}
