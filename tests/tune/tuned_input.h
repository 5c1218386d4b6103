/* tuned_input.h - a tuning of an input that a test has as text, on one rank. */
#ifndef KILN_TESTS_TUNE_TUNED_INPUT_H
#define KILN_TESTS_TUNE_TUNED_INPUT_H

#include "src/tune/tune.h"
#include "src/tune/tune_checkpoint.h"
#include "tests/facts.h"
#include "tests/io/scratch.h"

#include <stdio.h>

/* Two flavors of Wilson quarks; more lines of their monomial, and more keys of their determinant. */
#define WILSON_INPUT_TO_TUNE(lines, keys)                                            \
    "lattice: [4, 4, 4, 4]\n"                                                        \
    "random: { seed: 35 }\n"                                                         \
    "start: { from: hot, heatbath: { sweeps: 10 } }\n"                               \
    "monomials:\n"                                                                   \
    "  - { kind: gauge, name: gauge, action: wilson, beta: 5.6 }\n"                  \
    "  - kind: wilson\n"                                                             \
    "    name: quarks\n"                                                             \
    lines                                                                            \
    "    determinants: [ { flavors: 2, mass: 0.1" keys " } ]\n"                      \
    "    residuals: { refresh: 1e-9, action: 1e-9, force: 1e-6 }\n"                  \
    "hmc:\n"                                                                         \
    "  trajectory_length: 0.5\n"                                                     \
    "  levels: [ { integrator: omelyan, steps: 3, monomials: [quarks, gauge] } ]\n"  \
    "  trajectories: 100\n"                                                          \
    "output: { directory: unused }\n"

/* Write the text to a file of `files`; its path. */
static inline const char *input_to_tune(scratch *files, const char *yaml)
{
    const char *path = scratch_path(files, "input.yaml");
    FILE *f = fopen(path, "w");
    require(f && fputs(yaml, f) >= 0 && fclose(f) == 0, "%s cannot be written", path);
    return path;
}

/* Where and how an input is tuned: `set` is the value of --set (NULL: none), limits NULL for none. */
typedef struct input_tuning {
    place where;
    const char *set;
    const tune_request *request;
    const run_limits *limits;
} input_tuning;

/* Tune the input as kiln tune does, and with the links of the request's checkpoint if there is one.  False with the
 * reason if tuning fails or the checkpoint is refused.  `origin` gets the origin of the links, unless it is NULL. */
static inline bool tune_input_with(tune_result *r, const char *path, const input_tuning *how, text *origin,
                                   failure *why)
{
    run_input in;
    fault_list faults = { 0 };
    latest_links at;
    char *sets[] = { (char *)how->set };
    const tune_request *request = how->request;
    const tune_source source = { path, how->set ? 1 : 0, sets };
    require(run_input_read(&in, path, sets, source.given, &faults), "%s", text_string(&faults.lines));
    lattice *l = lattice_create_single(in.p.extents);
    gauge *u = gauge_create(l, how->where, PRECISION_DOUBLE);
    bool found = false;
    bool done = !request->checkpoint || tune_checkpoint_load_links(&found, &at, u, &in.p, request->checkpoint, why);
    r->saved = false;
    if (done) {
        require(found || latest_links_load(&at, u, &in.p, NULL, NULL, why), "%s", why->why);
        const tune_task task = { .in = &in, .source = &source, .u = u, .origin = text_string(&at.origin),
                                 .memory = &at.memory, .request = request, .thermalized = at.thermalized,
                                 .limits = how->limits };
        if (origin) {
            text_clear(origin);
            text_add(origin, "%s", text_string(&at.origin));
        }
        done = tune_run(r, &task, why);
        text_free(&at.origin);
    }
    gauge_free(u);
    lattice_free(l);
    fault_list_free(&faults);
    run_input_free(&in);
    return done;
}

static inline bool tune_input(tune_result *r, const char *path, place where, const char *set, const tune_request *w,
                              failure *why)
{
    return tune_input_with(r, path, &(input_tuning){ where, set, w, NULL }, NULL, why);
}

#endif
