/* test_levels.c - the levels of an input: how they are read, and which are refused with what words. */
#include "integrators/schedule.h"
#include "tests/facts.h"
#include "tests/integrators/toy.h"

#include <stddef.h>
#include <string.h>

typedef struct { param_list levels; } input;

static const param_spec input_specs[] = {
    { .key = "levels", .type = PARAM_LIST, .offset = offsetof(input, levels), .group = level_specs,
      .element_size = sizeof(level_params), .doc = "outermost first" },
    { 0 }
};

/* The sentences that reading makes; "" if there is nothing to say. */
static const char *read_input(input *in, fault_list *faults, const char *yaml)
{
    failure f = { .why = "" };
    yaml_node *tree = yaml_read_string(yaml, "input.yaml", &f);
    *in = (input){ { 0 } };
    *faults = (fault_list){ 0 };
    if (tree)
        schema_read(tree, input_specs, in, faults);
    else
        fault_add(faults, (yaml_place){ "input.yaml", 1, 1 }, "%s", f.why);
    yaml_tree_free(tree);
    return text_string(&faults->lines);
}

static void reading(void)
{
    input in;
    fault_list faults;
    const char *said = read_input(&in, &faults,
        "levels:\n"
        "  - { integrator: omelyan_position, steps: 8, lambda: 0.2, monomials: [light] }\n"
        "  - { integrator: 3g1f, steps: 2, gauge_monomials: [gauge, loop] }\n");
    const level_params *l = in.levels.item;
    if (fact(strcmp(said, "") == 0 && in.levels.count == 2, "an input of two levels is read %s", said)) {
        fact(strcmp(scheme_names[l[0].integrator], "omelyan_position") == 0 && l[0].steps == 8 && l[0].lambda == 0.2,
             "integrator, steps and lambda are as written");
        fact(l[0].monomials.count == 1 && strcmp(l[0].monomials.item[0], "light") == 0, "so are the monomials");
        fact(l[1].lambda == OMELYAN_LAMBDA, "a lambda left out is the best one to the last bit");
        fact(l[1].monomials.count == 0 && l[1].gauge_monomials.count == 2 &&
             strcmp(l[1].gauge_monomials.item[1], "loop") == 0, "3g1f may be read with gauge monomials only");
        failure f = { .why = "" };
        fact(schedule_check(l, in.levels.count, &f), "and they make an integrator%s", f.why);
    }
    schema_free_values(input_specs, &in);
    fault_list_free(&faults);
}

static void misread(const char *yaml, const char *part, const char *sentence)
{
    input in;
    fault_list faults;
    const char *said = read_input(&in, &faults, yaml);
    if (!fact(faults.count == 1 && strstr(said, part), "%s", sentence))
        note("said: %s", said);
    schema_free_values(input_specs, &in);
    fault_list_free(&faults);
}

static void refused(const level_params *levels, int count, const char *sentence, const char *why)
{
    failure f = { .why = "" };
    bool ok = schedule_check(levels, count, &f);
    if (!fact(!ok && strcmp(f.why, sentence) == 0, "%s is refused", why))
        note("\"%s\" instead of \"%s\"", f.why, sentence);
}

static void faults(void)
{
    const char *two[] = { "omelyan", "leapfrog" }, *gauge_first[] = { "3g1f", "leapfrog" };
    const int steps[] = { 4, 4 };
    level_params l[TOY_TERMS] = { { 0 } };
    refused(l, 0, "hmc.levels: an integrator needs at least one level", "an integrator of no levels");

    toy_levels(l, 2, two, steps);
    l[0].monomials.count = 0;
    refused(l, 2, "hmc.levels.0 (omelyan): has no monomials", "a level without monomials");

    toy_levels(l, 2, two, steps);
    l[1].monomials = l[0].monomials;
    refused(l, 2, "hmc.levels.1 (leapfrog): monomial \"slow\" is listed more than once", "a monomial on two levels");

    toy_levels(l, 2, two, steps);
    l[1].lambda = 0.2;
    refused(l, 2, "hmc.levels.1 (leapfrog): lambda: 0.20000000000000001: only omelyan and omelyan_position have this "
                  "key", "lambda for leapfrog");

    toy_levels(l, 2, two, steps);
    l[1].gauge_monomials = l[0].monomials;
    refused(l, 2, "hmc.levels.1 (leapfrog): gauge_monomials are for 2g1f, 3g1f, 5g1f and 6g1f only; "
                  "hmc.levels.1 (leapfrog): monomial \"slow\" is listed more than once",
            "gauge_monomials for leapfrog");

    toy_levels(l, 2, gauge_first, (int[]){ 3, 4 });
    l[0].gauge_monomials.count = 0;
    refused(l, 2, "hmc.levels.0 (3g1f): this integrator updates the links and must be the last level, hmc.levels.1; "
                  "hmc.levels.0 (3g1f): needs gauge_monomials, whose force it applies 3 times a step; "
                  "hmc.levels.0 (3g1f): steps: 3 is not a positive multiple of 2",
            "3g1f misused in three ways, all told");

    toy_levels(l, 2, two, (int[]){ 1000, 1000 });
    refused(l, 2, "hmc.levels: the product is 6e+06 steps in a trajectory, the limit is 1e+06",
            "a schedule without end");
}

int main(void)
{
    reading();
    misread("levels: [ { integrator: omelian, steps: 8, monomials: [gauge] } ]", "omelyan",
            "the message about a misspelled integrator has the right name");
    misread("levels: [ { integrator: omelyan, steps: 0, monomials: [gauge] } ]", "steps", "no steps are refused");
    misread("levels: [ { integrator: omelyan, steps: 2, lambda: 0, monomials: [gauge] } ]", "lambda",
            "a lambda of zero is refused");
    misread("levels: [ { integrator: omelyan, steps: 2, lambda: 0.6, monomials: [gauge] } ]", "lambda",
            "a lambda above one half is refused");
    misread("levels: [ { integrator: omelyan, monomials: [gauge] } ]", "steps", "steps must be given");
    faults();
    return facts_end();
}
