/* test_tune_verification.c - a tuning that continues verifies a setting of changed values once; again if the values,
 * the conditions, or a key that trials use have changed. */
#include "src/base/log.h"
#include "src/base/memory.h"
#include "src/io/disk.h"
#include "src/solvers/solver_choice.h"
#include "src/solvers/solver_kinds.h"
#include "src/tune/tune_checkpoint.h"
#include "tests/on_every_backend.h"
#include "tests/tune/tuned_input.h"

#include <math.h>
#include <string.h>

/* Decisions do not depend on measured times: those of trajectories, and of the kinds of solvers. */
static const lab_times given = { .force = { 1, 10 }, .drift = 1, .refresh = 10, .energy = 10, .rest = 1 };
static double costs[SOLVER_ADAPTIVE];

/* Trajectories on links that were read: their last bits differ. */
#define ROUNDING 1e-4

static tune_request request(const char *folder, int prove)
{
    return (tune_request){ .target = 0.6, .thermalization = 3, .learn = 4, .prove = prove, .lambdas = true,
                           .solvers = true, .times = &given, .kind_costs = costs, .checkpoint = folder };
}

static void run(tune_result *r, const char *path, place where, const char *set, const tune_request *w)
{
    failure why;
    require(tune_input(r, path, where, set, w, &why), "%s", why.why);
}

/* Seconds are measured: the same ones are those of the same trajectories. */
static bool same_proofs(const tune_result *a, const tune_result *b)
{
    bool same = a->proofs == b->proofs && tune_same_setting(&a->after, &b->after);
    for (int i = 0; same && i < a->proofs; i++)
        same = memcmp(&a->proof[i].sums, &b->proof[i].sums, sizeof a->proof[i].sums) == 0;
    return same;
}

static bool close_to(double a, double b)
{
    return fabs(a - b) <= ROUNDING * fabs(b);
}

static blob read_file(scratch *files, const char *name)
{
    blob b = blob_read(scratch_path(files, name));
    b.bytes[b.n] = '\0';
    return b;
}

/* Replace `from` in a file of the folder by as many bytes. */
static void change(scratch *files, const char *name, const char *from, const char *to)
{
    blob b = read_file(files, name);
    char *at = strstr((char *)b.bytes, from);
    require(at, "%s has no %s", name, from);
    memcpy(at, to, strlen(to));
    blob_write(scratch_path(files, name), b.bytes, b.n);
    free(b.bytes);
}

/* How many files of links of verifications the folder has. */
static int links_in(scratch *files)
{
    disk_names names;
    disk_match(&names, scratch_path(files, "verification.*.lime"));
    const int count = names.count;
    disk_names_free(&names);
    return count;
}

static void continued(scratch *files, const char *path, place where, tune_result *first, tune_result *r)
{
    tune_result *whole = memory_alloc(sizeof *whole, "the result of a tuning");
    tune_request w = request(NULL, 3);
    run(whole, path, where, NULL, &w);
    w = request(files->folder, 2);
    run(first, path, where, NULL, &w);
    fact(first->sets == 1 && first->proofs == 1 && first->proof[0].trajectories == 2 && links_in(files) == 1,
         "%s: %s is verified by %d trajectories", place_name(where), first->set[0], first->proof[0].trajectories);
    blob before = read_file(files, "verification.json");
    run(r, path, where, NULL, &w);
    blob after = read_file(files, "verification.json");
    fact(same_proofs(r, first) && r->trials_made == 0 && r->took > 0, "once: the same command makes no trajectory");
    fact(before.n == after.n && memcmp(before.bytes, after.bytes, before.n) == 0, "and its file stays the same");
    fact(r->then.cost == first->then.cost && r->reached == first->reached, "and so do cost and verdict");
    free(before.bytes);
    free(after.bytes);
    w.prove = 3;
    run(r, path, where, NULL, &w);
    fact(r->proofs == 1 && r->proof[0].trajectories == 3 && tune_same_setting(&r->after, &whole->after)
         && r->proof[0].sums.seconds > first->proof[0].sums.seconds && links_in(files) == 1,
         "more trajectories are added to it");
    fact(close_to(r->proof[0].variance, whole->proof[0].variance)
         && close_to(r->then.variance, whole->then.variance),
         "as in one call: <dH^2> %.17g and %.17g", r->proof[0].variance, whole->proof[0].variance);
    memory_free(whole);
    *first = *r;
}

/* What may change without another verification, and what may not. */
static void depends_on(scratch *files, const char *path, place where, tune_result *first, tune_result *r)
{
    static const char *const free_keys[] = {
        "hmc.trajectories=7", "output.configuration_every=3", "output.directory=elsewhere", "sdc_check.rate=0.5",
        "measurements=[ { kind: polyakov } ]",
    };
    tune_request w = request(files->folder, 3);
    for (size_t i = 0; i < sizeof free_keys / sizeof *free_keys; i++) {
        run(r, path, where, free_keys[i], &w);
        fact(same_proofs(r, first) && r->trials_made == 0 && r->trials_reused > 0,
             "%s: %s leaves trials and verification", place_name(where), free_keys[i]);
    }
    run(r, path, where, "monomials.1.max_iterations=777", &w);
    fact(r->trials_reused == 0 && r->trials_made > 0 && r->proofs == 1 && !same_proofs(r, first)
         && close_to(r->proof[0].variance, first->proof[0].variance),
         "monomials.1.max_iterations, which solves use, makes both again");
    run(r, path, where, NULL, &w);
    fact(!same_proofs(r, first) && r->trials_made > 0, "and so does its former value");
    *first = *r;
    w.target = 0.9;
    run(r, path, where, NULL, &w);
    fact(r->proofs > 1 && r->trials_made == 0, "another target needs no trial (%d settings verified)", r->proofs);
    w.target = 0.6;
    for (int kind = 0; kind < SOLVER_ADAPTIVE; kind++)       /* the present kind, too: another one is the fastest */
        costs[kind] = kind == SOLVER_DOUBLE_SINGLE ? 0.8 : 1;
    run(r, path, where, NULL, &w);
    fact(r->sets == 1 && r->proofs == 1 && !same_proofs(r, first) && r->proof[0].trajectories == 3
         && links_in(files) == 1,
         "with another value, %s, it is made again", r->set[0]);
}

static void damaged(scratch *files, const char *path, place where, tune_result *first, tune_result *r)
{
    static const struct { const char *from, *to, *what; } damages[] = {
        { "\"depends_on\": \"0x", "\"depends_on\": \"0y", "a digest that is none" },
        { "\"trajectories\": [", "\"trajectorie?\": [", "no trajectories" },
        { "\"proofs\": [", "\"proof?\": [", "no proofs" },
        { "{\"version\"", "{{version\"", "no JSON" },
    };
    const tune_request w = request(files->folder, 3);
    run(first, path, where, NULL, &w);
    for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
        change(files, "verification.json", damages[i].from, damages[i].to);
        run(r, path, where, NULL, &w);
        fact(r->proofs == 1 && r->proof[0].trajectories == 3 && !same_proofs(r, first)
             && close_to(r->proof[0].variance, first->proof[0].variance)
             && close_to(r->then.variance, first->then.variance) && links_in(files) == 1,
             "%s: with %s it is made again", place_name(where), damages[i].what);
    }
    disk_names names;
    disk_match(&names, scratch_path(files, "verification.*.lime"));
    for (int i = 0; i < names.count; i++)
        blob_write(names.name[i], (const unsigned char *)"none", 4);
    disk_names_free(&names);
    run(r, path, where, NULL, &w);
    fact(r->proofs == 1 && r->proof[0].trajectories == 3 && close_to(r->proof[0].variance, first->proof[0].variance),
         "and so it is without its links");
}

static void begin_again(scratch *files)
{
    disk_names names;
    disk_match(&names, scratch_path(files, "*.lime"));
    for (int i = 0; i < names.count; i++)
        disk_unlink(names.name[i]);
    disk_names_free(&names);
    disk_unlink(scratch_path(files, "tuning.json"));
    disk_unlink(scratch_path(files, "verification.json"));
}

/* With and without changed values. */
static void other_lambdas(scratch *files, const char *path, place where, tune_result *first, tune_result *r)
{
    static const char set[] = "hmc.levels.0.lambda=0.24";
    tune_request w = request(files->folder, 2);
    for (int solvers = 0; solvers < 2; solvers++) {
        w.solvers = solvers;
        w.lambdas = true;
        run(first, path, where, set, &w);
        w.lambdas = false;
        run(r, path, where, set, &w);
        fact(first->sets == solvers && first->after.level[0].lambda < 0.235 && r->after.level[0].lambda == 0.24,
             "%s, %s: without other values of lambda the choice of one does not stay (%g, %g)", place_name(where),
             solvers ? first->set[0] : "no changed value", first->after.level[0].lambda, r->after.level[0].lambda);
    }
}

static bool has_multigrid(const tune_result *r)
{
    for (int i = 0; i < r->solver_trials; i++)
        if (r->solver_trial[i].names == solver_kind_names && r->solver_trial[i].kind == SOLVER_MULTIGRID)
            return true;
    return false;
}

/* Multigrid cannot divide this lattice into blocks.  A trial of an earlier call may have a value that the input does
 * not allow any more, because of a key that trials do not use. */
static void of_invalid_value(scratch *files, const char *path, place where, tune_result *first, tune_result *r)
{
    static const char set[] = "lattice=[2, 2, 2, 2]";
    const tune_request w = request(files->folder, 0);
    run(first, path, where, set, &w);
    blob b = read_file(files, "tuning.json");
    text made = { 0 };
    char *name = strstr((char *)b.bytes, "method=multigrid"), *values = name ? strstr(name, "[]") : NULL;
    require(values, "multigrid is tried");
    text_add_bytes(&made, (char *)b.bytes, (size_t)(values - (char *)b.bytes));
    text_add(&made, "[1e-9, 1e-9, 1e-9]%s", values + 2);
    blob_write(scratch_path(files, "tuning.json"), text_string(&made), made.length);
    run(r, path, where, set, &w);
    fact(!has_multigrid(first) && !has_multigrid(r) && r->trials_reused == first->trials_made,
         "%s: a trial with a value that is not valid is not used", place_name(where));
    text_free(&made);
    free(b.bytes);
}

int main(void)
{
    scratch files = scratch_create();
    log_set_quiet(true);
    char path[sizeof files.path];
    snprintf(path, sizeof path, "%s", input_to_tune(&files, WILSON_INPUT_TO_TUNE("", "")));
    tune_result *first = memory_alloc(sizeof *first, "the result of a tuning"), *r = memory_alloc(sizeof *r, "another");
    FOR_EVERY_PLACE(where) {
        for (int kind = 0; kind < SOLVER_ADAPTIVE; kind++)
            costs[kind] = kind == SOLVER_DOUBLE ? 0.8 : 1;
        continued(&files, path, where, first, r);
        depends_on(&files, path, where, first, r);
        damaged(&files, path, where, first, r);
        begin_again(&files);
        other_lambdas(&files, path, where, first, r);
        begin_again(&files);
        of_invalid_value(&files, path, where, first, r);
        begin_again(&files);
    }
    memory_free(first);
    memory_free(r);
    scratch_remove(&files);
    return facts_end();
}
