/* test_tune_minutes.c - the result of a tuning says if --minutes left no time for a part of it; each part is planned
 * with a limit that allows it, and omitted with one that has passed. */
#include "src/base/log.h"
#include "src/base/memory.h"
#include "src/tune/tune_report.h"
#include "tests/on_every_backend.h"
#include "tests/tune/tuned_input.h"

#include <string.h>

/* Limits in seconds: over before the first trajectory ends, and never over. */
#define PASSED 1e-9
#define AMPLE 1e9

/* Decisions do not depend on measured times. */
static const lab_times of_quarks = { .force = { 1, 10 }, .drift = 1, .refresh = 10, .energy = 10, .rest = 1 };
static const lab_times of_gluons = { .force = { 100, 1 }, .drift = 1, .refresh = 1, .energy = 1, .rest = 1 };

static const char quarks[] = WILSON_INPUT_TO_TUNE("", ", hasenbusch: [ { mass: 0.5 } ]");

/* Forces of the outer level cost so much that longer steps of it are measured. */
static const char gluons[] =
    "lattice: [4, 4, 4, 4]\n"
    "random: { seed: 1 }\n"
    "start: { from: hot }\n"
    "monomials:\n"
    "  - { kind: gauge, name: weak, action: wilson, beta: 0.2 }\n"
    "  - { kind: gauge, name: strong, action: wilson, beta: 8 }\n"
    "hmc:\n"
    "  trajectory_length: 1\n"
    "  levels:\n"
    "    - { integrator: omelyan, steps: 4, monomials: [weak] }\n"
    "    - { integrator: omelyan, steps: 2, monomials: [strong] }\n"
    "  trajectories: 100\n"
    "output: { directory: unused }\n";

static int learned(const tune_result *r)
{
    return r->learned - 2;                  /* the first two need no time */
}

static int thermalized(const tune_result *r)
{
    return r->thermalized;
}

static int proven(const tune_result *r)
{
    return r->proofs;
}

static int masses(const tune_result *r)
{
    return r->trials;
}

static int solvers(const tune_result *r)
{
    return r->solver_trials;
}

static int schemes(const tune_result *r)
{
    return r->scheme_trials;
}

static int residuals(const tune_result *r)
{
    return r->residual_trials;
}

/* A part of a tuning that needs time, how often the result has it, and how the report names it if it was left out. */
typedef struct { const char *name; tune_request w; int (*count)(const tune_result *r); const char *line; } timed_part;
static const timed_part parts[] = {
    { "learning", { .learn = 4 }, learned, "learning: 2 of 4 trajectories" },
    { "thermalization", { .thermalization = 2, .learn = 2 }, thermalized, "thermalization: 2 of 2 trajectories" },
    { "verification", { .learn = 2, .prove = 2 }, proven,
      "verification: 2 of 2 trajectories with 3 x omelyan(0.1932)" },
    { "trials of masses", { .learn = 2, .masses = true }, masses,
      "masses: monomials.1.determinants.0.hasenbusch.0.mass: 0.34, 0.74, 0.26, 1.1" },
    { "trials of solvers", { .learn = 2, .solvers = true }, solvers,
      "solvers: monomials.1.solver: double, double-single, double-single-half" },
    { "trials of integrators", { .learn = 2, .schemes = true }, schemes,
      "integrators: hmc.levels.0.integrator: leapfrog_position, omelyan_position" },
    { "trials of residuals", { .learn = 2, .residuals = true }, residuals,
      "residuals: monomials.1.residuals.force: 1e-07, 1e-06" },
};

/* The line of what was left out, in the report; and its stage, in the JSON. */
static void names_left_out(const tune_result *r, const tune_request *w, const char *line)
{
    text out = { 0 }, stage = { 0 }, wanted = { 0 };
    json j = { 0 };
    tune_to_text(&out, r, w, "# ");
    text_add(&wanted, "\n#   left out:\n#   %s", line);
    fact(strstr(text_string(&out), text_string(&wanted)), "the report names it: %s in\n%s", line, text_string(&out));
    json_open(&j, NULL, '{');
    tune_to_json(&j, r, w);
    json_close(&j);
    text_add(&stage, "\"left_out\": [{\"stage\": \"%.*s\"", (int)strcspn(line, ":"), line);
    fact(strstr(json_string(&j), text_string(&stage)), "so does the JSON, as %s", text_string(&stage));
    text_free(&out);
    text_free(&stage);
    text_free(&wanted);
    json_free(&j);
}

static void tune(tune_result *r, const char *path, place where, tune_request w, double target, const lab_times *times,
                 double seconds)
{
    failure why;
    w.target = target;
    w.times = times;
    w.seconds = seconds;
    require(tune_input(r, path, where, NULL, &w, &why), "%s", why.why);
}

static void each_part(const char *path, place where)
{
    const tune_request least = { .learn = 2 };
    const char *here = place_name(where);
    tune_result *r = memory_alloc(sizeof *r, "the result of a tuning");
    tune(r, path, where, least, 0.6, &of_quarks, PASSED);
    fact(tune_in_time(r) && r->learned == 2 && r->longer_count == 0,
         "%s: two trajectories to learn from alone are planned, and made in any time (%d)", here, r->longer_count);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        tune(r, path, where, parts[i].w, 0.6, &of_quarks, PASSED);
        fact(!tune_in_time(r) && parts[i].count(r) == 0, "%s: without time for %s the result says so (%d)", here,
             parts[i].name, parts[i].count(r));
        names_left_out(r, &parts[i].w, parts[i].line);
        tune(r, path, where, parts[i].w, 0.6, &of_quarks, AMPLE);
        fact(tune_in_time(r) && parts[i].count(r) > 0, "%s: with time for %s it does not (%d)", here, parts[i].name,
             parts[i].count(r));
    }
    memory_free(r);
}

static void longer_steps(const char *path, place where)
{
    const tune_request w = { .learn = 2 };
    tune_result *r = memory_alloc(sizeof *r, "the result of a tuning");
    tune(r, path, where, w, 0.5, &of_gluons, PASSED);
    fact(!tune_in_time(r) && r->longer_count == 0, "%s: without time for longer steps the result says so (%d)",
         place_name(where), r->longer_count);
    names_left_out(r, &w, "longer steps: 3 of 3 trajectories with ");
    tune(r, path, where, w, 0.5, &of_gluons, AMPLE);
    fact(tune_in_time(r) && r->longer_count > 0, "%s: with time for them it does not (%d)", place_name(where),
         r->longer_count);
    memory_free(r);
}

int main(void)
{
    scratch files = scratch_create();
    log_set_quiet(true);
    char path[sizeof files.path];
    FOR_EVERY_PLACE(where) {
        snprintf(path, sizeof path, "%s", input_to_tune(&files, quarks));
        each_part(path, where);
        snprintf(path, sizeof path, "%s", input_to_tune(&files, gluons));
        longer_steps(path, where);
    }
    scratch_remove(&files);
    return facts_end();
}
