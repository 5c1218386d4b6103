/* cmd_check.c - kiln check: is an input valid, and what would it take. */
#include "src/base/json.h"
#include "src/cli/run_options.h"
#include "src/cli/subcommands.h"
#include "src/hmc/hmc.h"

#include <inttypes.h>
#include <stdio.h>

typedef struct { option_texts sets; bool json, reference; } check_options;

static const usage check_usage = {
    .name = "check",
    .operands = "INPUT.yaml",
    .least = 0,
    .most = 1,
    .about = "Checks INPUT.yaml and prints it with all defaults filled in, the memory that a run needs by\n"
             "category, and the work of a trajectory.  Nothing is created.",
    .options = (const option[]){ SET_OPTION(check_options, sets), JSON_OPTION(check_options, json),
                                 { "reference", NULL, "print the reference page of all keys instead (Markdown)",
                                   OPTION_FLAG, offsetof(check_options, reference), false, 0, 0, NULL, NULL },
                                 { 0 } },
};

static int print_reference(void)
{
    text page = { 0 };
    text_add(&page, "# The input of `kiln run`\n\n"
                    "A YAML file.  This page is made from the tables that the program checks inputs with:\n"
                    "`kiln check --reference`.\n\n");
    schema_document(&page, run_param_specs);
    fputs(text_string(&page), stdout);
    text_free(&page);
    return EXIT_OK;
}

/* The work of a trajectory, term by term: how often its force is evaluated, flops and bytes of all of it. */
typedef struct { int64_t evaluations; work all; } term_work;

static term_work work_of_term(const run_params *p, const schedule *s, const evolve_term *term, int t)
{
    work one = run_monomial_kind(p, t)->force_work(run_monomial_params(p, t), p->extents);
    double n = (double)s->level[term->level].force_evaluations;
    return (term_work){ s->level[term->level].force_evaluations, { n * one.flops, n * one.bytes } };
}

static void print_text(const run_params *p, const schedule *s, const evolve_term *terms)
{
    text echo = { 0 };
    schema_echo(&echo, run_param_specs, p, false);
    printf("# the input with all defaults\n%s\n", text_string(&echo));
    text_free(&echo);

    memory_item items[HMC_MEMORY_ITEMS];
    int count = hmc_memory(p, items);
    size_t sum = 0;
    printf("# memory on the device\n");
    for (int i = 0; i < count; i++) {
        printf("#   %-28s %s\n", items[i].what, bytes_to_text((double)items[i].bytes).s);
        sum += items[i].bytes;
    }
    printf("#   %-28s %s\n", "all", bytes_to_text((double)sum).s);

    printf("# work of a trajectory\n");
    for (int t = 0; t < run_monomial_count(p); t++) {
        term_work w = work_of_term(p, s, &terms[t], t);
        printf("#   force of %-19s %" PRId64 " evaluations, %.4g Gflop, %.4g GB\n", terms[t].name, w.evaluations,
               1e-9 * w.all.flops, 1e-9 * w.all.bytes);
    }
    printf("#   %-28s %" PRId64 "\n", "updates of the links", s->drifts);
}

static void print_json(const run_params *p, const schedule *s, const evolve_term *terms)
{
    json j = { 0 };
    memory_item items[HMC_MEMORY_ITEMS];
    int count = hmc_memory(p, items);
    text echo = { 0 };
    schema_echo(&echo, run_param_specs, p, false);
    json_open(&j, NULL, '{');
    json_text(&j, "parameters", text_string(&echo));
    json_open(&j, "memory", '{');
    for (int i = 0; i < count; i++)
        json_int(&j, items[i].what, (int64_t)items[i].bytes);
    json_close(&j);
    json_open(&j, "forces", '[');
    for (int t = 0; t < run_monomial_count(p); t++) {
        term_work w = work_of_term(p, s, &terms[t], t);
        json_open(&j, NULL, '{');
        json_text(&j, "term", terms[t].name);
        json_int(&j, "evaluations", w.evaluations);
        json_real(&j, "flops", w.all.flops);
        json_real(&j, "bytes", w.all.bytes);
        json_close(&j);
    }
    json_close(&j);
    json_int(&j, "drifts", s->drifts);
    json_close(&j);
    puts(json_string(&j));
    json_free(&j);
    text_free(&echo);
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
        return print_reference();
    if (files.count != 1)
        return usage_error(&check_usage, "an INPUT.yaml is needed");
    if (!input_read_or_tell(&in, files.item[0], &o.sets))
        return EXIT_USAGE;
    evolve_term terms[HMC_TERMS];
    schedule *s = hmc_plan(&in.p, terms);
    if (o.json)
        print_json(&in.p, s, terms);
    else
        print_text(&in.p, s, terms);
    schedule_free(s);
    run_input_free(&in);
    return EXIT_OK;
}
