/* miniature_run.h - a small model of the input of a run, with every type of parameter, for tests of schemas. */
#ifndef KILN_TESTS_CONFIG_MINIATURE_RUN_H
#define KILN_TESTS_CONFIG_MINIATURE_RUN_H

#include "src/config/schema.h"

#include <math.h>

typedef struct { int scheme; int64_t steps; double lambda; } level;
typedef struct { double beta; int action; char *label; } gauge_monomial;
typedef struct { int64_t count; } ratio_monomial;
typedef struct { int64_t every; text_list what; } measure;
typedef struct {
    int extents[4], any4[4];
    int64_t seed, even, steps;
    double length, mass, ratio, any3[3];
    bool reverse;
    char *name, *note;
    int device;
    text_list files;
    measure measure;
    param_list levels, monomials;
} run;

static const char *const schemes[] = { "leapfrog", "omelyan", "3G1F", NULL };
static const char *const actions[] = { "wilson", "symanzik_tree", "iwasaki", NULL };
static const char *const devices[] = { "auto", "cpu", "cuda", NULL };

static const param_spec level_specs[] = {
    { .key = "scheme", .type = PARAM_CHOICE, .offset = offsetof(level, scheme), .choices = schemes,
      .doc = "integrator" },
    { .key = "steps", .type = PARAM_INT, .offset = offsetof(level, steps), .min = 1, .max = 1000, .doc = "steps" },
    { .key = "lambda", .type = PARAM_REAL, .offset = offsetof(level, lambda), .fallback = "0.1931833275037836",
      .min = 0, .max = 1, .flags = PARAM_ABOVE_MIN },
    { 0 }
};
static const param_spec gauge_specs[] = {
    { .key = "beta", .type = PARAM_REAL, .offset = offsetof(gauge_monomial, beta), .flags = PARAM_ABOVE_MIN,
      .doc = "6/g^2 | 10/g^2" },
    { .key = "action", .type = PARAM_CHOICE, .offset = offsetof(gauge_monomial, action), .fallback = "wilson",
      .choices = actions },
    { .key = "label", .type = PARAM_TEXT, .offset = offsetof(gauge_monomial, label), .fallback = "",
      .flags = PARAM_FREE_TO_CHANGE },
    { 0 }
};
static const param_spec ratio_specs[] = {
    { .key = "count", .type = PARAM_INT, .offset = offsetof(ratio_monomial, count), .fallback = "1",
      .flags = PARAM_FREE_TO_CHANGE },
    { 0 }
};
static const param_kind gauge_kind = { "gauge", "the gauge action", gauge_specs, sizeof(gauge_monomial), NULL,
                                       NULL };
static const param_kind ratio_kind = { "ratio", "a ratio of determinants", ratio_specs, sizeof(ratio_monomial),
                                       .example = "count: 2", .see = "ratios.md#two" };
static const param_kind nothing_kind = { "nothing", "no force at all", NULL, 0, NULL, NULL };
static const param_kind *const monomial_kinds[] = { &gauge_kind, &ratio_kind, &nothing_kind, NULL };
static const param_spec measure_specs[] = {
    { .key = "every", .type = PARAM_INT, .offset = offsetof(measure, every), .fallback = "1", .min = 1, .max = INFINITY,
      .flags = PARAM_FREE_TO_CHANGE },
    { .key = "what", .type = PARAM_TEXTS, .offset = offsetof(measure, what), .fallback = "[plaquette]",
      .flags = PARAM_NOT_EMPTY },
    { 0 }
};
#define FIELD(name) .offset = offsetof(run, name)
static const param_spec run_specs[] = {
    { .key = "extents", .type = PARAM_INT4, FIELD(extents), .fallback = "[4, 4, 4, 8]", .min = 2, .max = 512,
      .flags = PARAM_EVEN, .doc = "global extents" },
    { .key = "any4", .type = PARAM_INT4, FIELD(any4), .fallback = "[0, 0, 0, 0]" },
    { .key = "any3", .type = PARAM_REAL3, FIELD(any3), .fallback = "[0, 0, 0]", .min = -2, .max = 2 },
    { .key = "seed", .type = PARAM_INT, FIELD(seed), .fallback = "1", .min = 0, .max = 9223372036854775807.0 },
    { .key = "even", .type = PARAM_INT, FIELD(even), .fallback = "2", .flags = PARAM_EVEN },
    { .key = "steps", .type = PARAM_INT, FIELD(steps), .fallback = "10", .min = 1, .max = 1000 },
    { .key = "length", .type = PARAM_REAL, FIELD(length), .fallback = "1", .flags = PARAM_ABOVE_MIN,
      .doc = "trajectory length" },
    { .key = "mass", .type = PARAM_REAL, FIELD(mass), .fallback = "-0.25" },
    { .key = "ratio", .type = PARAM_REAL, FIELD(ratio), .fallback = "0.5", .min = 0, .max = 1 },
    { .key = "reverse", .type = PARAM_BOOL, FIELD(reverse), .fallback = "false" },
    { .key = "name", .type = PARAM_TEXT, FIELD(name), .fallback = "test", .flags = PARAM_NOT_EMPTY },
    { .key = "note", .type = PARAM_TEXT, FIELD(note), .fallback = "" },
    { .key = "device", .type = PARAM_CHOICE, FIELD(device), .fallback = "auto", .choices = devices,
      .flags = PARAM_FREE_TO_CHANGE },
    { .key = "files", .type = PARAM_TEXTS, FIELD(files), .fallback = "[]" },
    { .key = "measure", .type = PARAM_GROUP, FIELD(measure), .fallback = "{}", .group = measure_specs,
      .doc = "What is measured.", .example = "{ every: 10,\n           what: [plaquette] }" },
    { .key = "levels", .type = PARAM_LIST, FIELD(levels), .fallback = "[]", .group = level_specs,
      .element_size = sizeof(level), .doc = "Levels." },
    { .key = "monomials", .type = PARAM_KINDS, FIELD(monomials), .fallback = "[]", .kinds = monomial_kinds },
    { 0 }
};

/* Parameters that must be given: single ones, groups, and lists that must not be empty. */
typedef struct { level first, second; int extents[4]; param_list levels, monomials; text_list files; } demanding;
static const param_spec demanding_specs[] = {
    { .key = "first", .type = PARAM_GROUP, .offset = offsetof(demanding, first), .group = level_specs },
    { .key = "second", .type = PARAM_GROUP, .offset = offsetof(demanding, second), .fallback = "{}",
      .group = level_specs },
    { .key = "extents", .type = PARAM_INT4, .offset = offsetof(demanding, extents), .min = 2, .flags = PARAM_EVEN,
      .max = INFINITY },
    { .key = "levels", .type = PARAM_LIST, .offset = offsetof(demanding, levels), .group = level_specs,
      .element_size = sizeof(level), .flags = PARAM_NOT_EMPTY },
    { .key = "monomials", .type = PARAM_KINDS, .offset = offsetof(demanding, monomials), .kinds = monomial_kinds,
      .flags = PARAM_NOT_EMPTY },
    { .key = "files", .type = PARAM_TEXTS, .offset = offsetof(demanding, files), .flags = PARAM_NOT_EMPTY },
    { 0 }
};

#endif
