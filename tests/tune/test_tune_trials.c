/* test_tune_trials.c - a tuning that continues makes no trial again that an earlier call made, and chooses as one that
 * was not stopped; but all of them on other links, on another device, and with another program. */
#include "src/base/log.h"
#include "src/base/memory.h"
#include "src/io/disk.h"
#include "src/solvers/solver_choice.h"
#include "src/tune/tune_checkpoint.h"
#include "tests/on_every_backend.h"
#include "tests/tune/tuned_input.h"

#include <math.h>
#include <string.h>
#include <sys/time.h>

/* Decisions do not depend on measured times: those of trajectories, and of the kinds of solvers. */
static const lab_times given = { .force = { 1, 10 }, .drift = 1, .refresh = 10, .energy = 10, .rest = 1 };
static double costs[SOLVER_ADAPTIVE];

static const char ladder[] = WILSON_INPUT_TO_TUNE("", ", hasenbusch: [ { mass: 0.5 } ]");
static const char plain[] = WILSON_INPUT_TO_TUNE("", "");

/* Costs of trials on links that were read: their last bits differ. */
#define ROUNDING 1e-5

static volatile sig_atomic_t stop;

static void set_stop(int signal)
{
    stop = signal;
}

static tune_request request(const char *folder)
{
    return (tune_request){ .target = 0.6, .thermalization = 3, .learn = 4, .masses = true, .solvers = true,
                           .schemes = true, .residuals = true, .times = &given, .kind_costs = costs,
                           .checkpoint = folder };
}

/* False if a signal stops it. */
static bool run(tune_result *r, const char *path, place where, const tune_request *w)
{
    failure why;
    const run_limits limits = { .stop = &stop };
    const bool done = tune_input_with(r, path, &(input_tuning){ where, NULL, w, &limits }, NULL, &why);
    require(done || stop, "%s", why.why);
    return done;
}

static bool close_to(double a, double b)
{
    return (isnan(a) && isnan(b)) || fabs(a - b) <= ROUNDING * fabs(b);
}

static bool same_trials(const tune_result *a, const tune_result *b)
{
    bool same = a->trials == b->trials && a->solver_trials == b->solver_trials && a->scheme_trials == b->scheme_trials
                && a->residual_trials == b->residual_trials;
    for (int i = 0; same && i < a->trials; i++)
        same = close_to(a->trial[i].cost, b->trial[i].cost) && close_to(a->trial[i].force, b->trial[i].force)
               && a->trial[i].chosen == b->trial[i].chosen;
    for (int i = 0; same && i < a->scheme_trials; i++)
        same = close_to(a->scheme_trial[i].cost, b->scheme_trial[i].cost)
               && close_to(a->scheme_trial[i].error, b->scheme_trial[i].error)
               && tune_same_setting(&a->scheme_trial[i].setting, &b->scheme_trial[i].setting)
               && a->scheme_trial[i].learned == b->scheme_trial[i].learned;
    for (int i = 0; same && i < a->residual_trials; i++)
        same = a->residual_trial[i].residual == b->residual_trial[i].residual
               && a->residual_trial[i].chosen == b->residual_trial[i].chosen;
    return same;
}

static bool same_choice(const tune_result *a, const tune_result *b)
{
    bool same = a->sets == b->sets && tune_same_setting(&a->after, &b->after);
    for (int i = 0; same && i < a->sets; i++)
        same = strcmp(a->set[i], b->set[i]) == 0;
    return same;
}

/* Replace the first bytes after `key` in tuning.json, where it comes for the time `which`, from 1. */
static void change(scratch *files, const char *key, int which, const char *bytes)
{
    const char *path = scratch_path(files, "tuning.json");
    blob b = blob_read(path);
    b.bytes[b.n] = '\0';
    char *at = strstr((char *)b.bytes, key);
    for (int n = 1; at && n < which; n++)
        at = strstr(at + 1, key);
    require(at, "%s has no %s", path, key);
    memcpy(at + strlen(key), bytes, strlen(bytes));
    blob_write(path, b.bytes, b.n);
    free(b.bytes);
}

/* How many files of links the folder has; *first: the number of the first. */
static int links_in(scratch *files, char first[256])
{
    disk_names names;
    disk_match(&names, scratch_path(files, "links.*.lime"));
    const int count = names.count;
    if (count > 0)
        snprintf(first, 256, "%s", names.name[0]);
    disk_names_free(&names);
    return count;
}

static void begin_again(scratch *files)
{
    char path[256];
    while (links_in(files, path) > 0)
        disk_unlink(path);
    disk_unlink(scratch_path(files, "tuning.json"));
}

/* Stopped at a signal in each call, after a time that grows. */
static void stopped(scratch *files, const char *path, place where, tune_result *whole)
{
    tune_result *r = memory_alloc(sizeof *r, "the result of a tuning");
    tune_request w = request(NULL);
    costs[SOLVER_DOUBLE] = 0.8;
    require(run(whole, path, where, &w), "the tuning was stopped");
    const int all = whole->trials_made;
    fact(all > 0 && whole->trials_reused == 0 && whole->trials > 0 && whole->solver_trials > 0
         && whole->scheme_trials > 0 && whole->residual_trials > 0,
         "%s: %d measurements of %d masses, %d solvers, %d integrators and %d residuals", place_name(where), all,
         whole->trials, whole->solver_trials, whole->scheme_trials, whole->residual_trials);
    w = request(files->folder);
    int made = 0, calls = 0;
    bool reuses = true, done = false;
    for (double seconds = 0.2; !done; seconds *= 1.5, calls++) {
        const struct itimerval timer = { .it_value = { (time_t)seconds, (suseconds_t)(1e6 * fmod(seconds, 1)) } };
        stop = 0;
        setitimer(ITIMER_REAL, &timer, NULL);
        done = run(r, path, where, &w);
        setitimer(ITIMER_REAL, &(struct itimerval){ .it_value = { 0 } }, NULL);
        reuses = reuses && (!done || r->trials_reused == made);
        made += r->trials_made;
    }
    stop = 0;
    fact(made == all && calls > 1, "%d calls make no trial twice: %d of %d", calls, made, all);
    fact(reuses && r->trials_made < all, "the last one reuses %d", r->trials_reused);
    fact(same_trials(r, whole), "their results are those of one call that was not stopped");
    fact(same_choice(r, whole) && r->sets > 0, "and so is the choice, with %d changed values", r->sets);
    require(run(r, path, where, &w), "the tuning was stopped");
    fact(r->trials_made == 0 && r->trials_reused == all && same_choice(r, whole), "another call makes no trial (%d)",
         r->trials_made);
    change(files, "trajectories that begin", 2, "?");
    require(run(r, path, where, &w), "the tuning was stopped");
    fact(r->trials_made == 1 && same_trials(r, whole), "a trial of an integrator does not depend on others (%d made)",
         r->trials_made);
    memory_free(r);
}

/* Trials of the finished tuning that are made again. */
static void made_again(scratch *files, const char *path, place where, int all)
{
    tune_result *r = memory_alloc(sizeof *r, "the result of a tuning");
    tune_request w = request(files->folder);
    change(files, "\"conditions\": \"", 1, "KILN");
    require(run(r, path, where, &w), "the tuning was stopped");
    fact(r->trials_reused == 0 && r->trials_made == all, "%s: under other conditions all trials are made again (%d)",
         place_name(where), r->trials_made);
    require(run(r, path, where, &w), "the tuning was stopped");
    fact(r->trials_made == 0, "once (%d)", r->trials_made);
    w.learn++;
    require(run(r, path, where, &w), "the tuning was stopped");
    fact(r->trials_reused == 0 && r->trials_made > 0, "so they are on other links (%d)", r->trials_made);
    char first[256];
    fact(links_in(files, first) == 1, "whose file is the only one");
    begin_again(files);
    memory_free(r);
}

/* A verification between trials, which leads to other links. */
static void after_verification(scratch *files, const char *path, place where)
{
    tune_result *whole = memory_alloc(sizeof *whole, "the result of a tuning"), *r = memory_alloc(sizeof *r, "another");
    tune_request w = request(NULL);
    costs[SOLVER_DOUBLE] = 1;
    require(run(whole, path, where, &w), "the tuning was stopped");
    w = request(files->folder);
    w.schemes = w.residuals = false;
    w.prove = 2;
    require(run(r, path, where, &w), "the tuning was stopped");
    const int solvers = r->trials_made;
    char first[256];
    fact(solvers > 0 && r->proofs == 1 && r->proof[0].trajectories == 2 && links_in(files, first) == 2,
         "%s: the folder has the links of the trials and those of the verification", place_name(where));
    w.schemes = w.residuals = true;
    require(run(r, path, where, &w), "the tuning was stopped");
    fact(r->trials_reused == solvers && r->trials_made == whole->trials_made - solvers && same_trials(r, whole),
         "the other trials are made on the former, as if there had been no verification");
    links_in(files, first);
    disk_unlink(first);
    require(run(r, path, where, &w), "the tuning was stopped");
    fact(r->trials_made == 0 || r->trials_reused == 0, "without these links no trial is mixed with others (%d, %d)",
         r->trials_made, r->trials_reused);
    begin_again(files);
    memory_free(whole);
    memory_free(r);
}

/* With measured times; comparisons of solvers depend on them. */
static void measured(scratch *files, const char *path, place where)
{
    tune_result *first = memory_alloc(sizeof *first, "the result of a tuning"), *r = memory_alloc(sizeof *r, "another");
    tune_request w = request(files->folder);
    w.times = NULL;
    w.kind_costs = NULL;
    w.schemes = w.residuals = false;
    require(run(first, path, where, &w) && run(r, path, where, &w), "the tuning was stopped");
    bool same = r->solver_trials == first->solver_trials && r->sets == first->sets;
    int again = 0;
    for (int i = 0; same && i < r->solver_trials; i++) {
        const solver_trial *a = &first->solver_trial[i], *b = &r->solver_trial[i];
        same = a->force_seconds == b->force_seconds && a->chosen == b->chosen && isnan(a->error) == isnan(b->error);
        again += isfinite(a->error);
    }
    fact(r->trials_made == 0 && same, "%s: times are kept, and those of %d comparisons (%d made)", place_name(where),
         again, r->trials_made);
    begin_again(files);
    memory_free(first);
    memory_free(r);
}

int main(void)
{
    scratch files = scratch_create();
    log_set_quiet(true);
    for (int kind = 0; kind < SOLVER_ADAPTIVE; kind++)
        costs[kind] = 1;
    struct sigaction action = { .sa_handler = set_stop };
    require(sigaction(SIGALRM, &action, NULL) == 0, "no handler of signals");
    char path[sizeof files.path];
    tune_result *whole = memory_alloc(sizeof *whole, "the result of a tuning");
    FOR_EVERY_PLACE(where) {
        snprintf(path, sizeof path, "%s", input_to_tune(&files, ladder));
        stopped(&files, path, where, whole);
        made_again(&files, path, where, whole->trials_made);
        measured(&files, path, where);
        snprintf(path, sizeof path, "%s", input_to_tune(&files, plain));
        after_verification(&files, path, where);
    }
    memory_free(whole);
    scratch_remove(&files);
    return facts_end();
}
