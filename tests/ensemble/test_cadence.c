/* test_cadence.c - which states a run writes: a configuration every configuration_every trajectories, a checkpoint
 * every checkpoint_every where there is no configuration, and one at its end; the time in one within a trajectory. */
#include "src/base/json_members.h"
#include "src/ensemble/ensemble.h"
#include "src/ensemble/ensemble_files.h"
#include "src/io/disk.h"
#include "tests/facts.h"
#include "tests/hmc/run_text.h"

#include <glob.h>
#include <math.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>

#define INPUT                                                                                         \
    "lattice: [2, 2, 2, 2]\n"                                                                         \
    "random: { seed: 5 }\n"                                                                           \
    "monomials: [ { kind: gauge, name: gauge, action: wilson, beta: 5 } ]\n"                          \
    "hmc: { trajectories: 20, levels: [ { integrator: leapfrog, steps: 2, monomials: [gauge] } ] }\n" \
    "output: { directory: \"%s/e\", name: c, configuration_every: %d, checkpoint_every: %d }\n"
enum { TRAJECTORIES = 20 };

#define LONG_INPUT                                                                                       \
    "lattice: [4, 4, 4, 4]\n"                                                                            \
    "random: { seed: 5 }\n"                                                                              \
    "monomials: [ { kind: gauge, name: gauge, action: wilson, beta: 5 } ]\n"                             \
    "hmc: { trajectories: 1, levels: [ { integrator: leapfrog, steps: 5000, monomials: [gauge] } ] }\n"  \
    "output: { directory: \"%s/e\", name: c }\n"

/* The files in the folder when a trajectory is reported: the states of earlier ones are written, its own is not. */
static struct { const char *folder; bool configuration[TRAJECTORIES + 1], checkpoint[TRAJECTORIES + 1]; } seen;

static bool is_there(const char *kind, int64_t number)
{
    char path[700];
    struct stat there;
    snprintf(path, sizeof path, "%s/e/c.%s%06d.lime", seen.folder, kind, (int)number);
    return stat(path, &there) == 0;
}

static void note_files(int64_t number)
{
    seen.configuration[number] = is_there("", number);
    seen.checkpoint[number] = is_there("checkpoint.", number);
}

static void note_files_before(const ensemble_progress *p)
{
    note_files(p->number - 1);
}

/* The trajectories of one kind of state, as words. */
static const char *words(const bool written[TRAJECTORIES + 1], char *list)
{
    *list = 0;
    for (int n = 0; n <= TRAJECTORIES; n++)
        if (written[n])
            sprintf(list + strlen(list), " %d", n);
    return list;
}

static void run(int configuration_every, int checkpoint_every, int until)
{
    static const volatile sig_atomic_t go_on;
    const run_limits limits = { .stop = &go_on, .time = walltime_begin(INFINITY), .midtrajectory_every = -1 };
    scratch s = scratch_create();
    run_input in;
    failure why;
    char command[400], list[2][200];
    seen.folder = s.folder;
    memset(seen.configuration, 0, sizeof seen.configuration);
    memset(seen.checkpoint, 0, sizeof seen.checkpoint);
    run_from_text(&in, INPUT, s.folder, configuration_every, checkpoint_every);
    ensemble *e = ensemble_open(&in.p, PLACE_CPU, NULL, &why);
    require(e && ensemble_run(e, until, &limits, note_files_before, &why) == ENSEMBLE_DONE, "%s", why.why);
    note_files(until);
    bool configurations = true, checkpoints = true;
    for (int n = 1; n <= until; n++) {
        const bool configuration = n % configuration_every == 0;
        configurations = configurations && seen.configuration[n] == configuration;
        checkpoints = checkpoints
                      && seen.checkpoint[n] == (!configuration && (n % checkpoint_every == 0 || n == until));
    }
    fact(configurations, "configuration_every %d: configurations of%s", configuration_every,
         words(seen.configuration, list[0]));
    fact(checkpoints && seen.checkpoint[0], "checkpoint_every %d, %d trajectories: checkpoints of%s", checkpoint_every,
         until, words(seen.checkpoint, list[1]));
    ensemble_close(e);
    run_input_free(&in);
    snprintf(command, sizeof command, "rm -rf '%s'", s.folder);
    require(system(command) == 0, "%s cannot be removed", s.folder);
}

/* ---- the time of a trajectory in its checkpoint */

static volatile sig_atomic_t stop_now;

static void stop_run(int signal)
{
    (void)signal;
    stop_now = 1;
}

static void ignore_progress(const ensemble_progress *p)
{
    (void)p;
}

/* Seconds of the trajectory so far, and of its dynamics, in the mid-trajectory checkpoint of the folder. */
static bool times_within(double *seconds, double *dynamics, const char *folder)
{
    char pattern[700];
    glob_t found;
    failure why;
    snprintf(pattern, sizeof pattern, "%s/e/midtrajectory.000001.*/midtrajectory.json", folder);
    if (glob(pattern, 0, NULL, &found) != 0 || found.gl_pathc != 1)
        return false;
    yyjson_doc *doc = disk_read_json(found.gl_pathv[0], &why);
    yyjson_val *timers = yyjson_obj_get(yyjson_doc_get_root(doc), "timers"), *timer;
    bool ok = timers && json_member_real(yyjson_doc_get_root(doc), "seconds", seconds);
    size_t i, count;
    *dynamics = NAN;
    yyjson_arr_foreach(timers, i, count, timer)
        if (yyjson_equals_str(yyjson_arr_get(timer, 0), "dynamics"))
            *dynamics = json_read_number(yyjson_arr_get(timer, 3));
    yyjson_doc_free(doc);
    globfree(&found);
    return ok;
}

/* A trajectory that writes a checkpoint after every step, stopped after 0.3 seconds. */
static void time_of_a_trajectory(void)
{
    const run_limits limits = { .stop = &stop_now, .time = walltime_begin(INFINITY), .midtrajectory_every = 0 };
    const struct sigaction stop = { .sa_handler = stop_run, .sa_flags = SA_RESTART };
    const struct itimerval soon = { .it_value = { 0, 300000 } };
    scratch s = scratch_create();
    run_input in;
    failure why;
    char command[400];
    double seconds = NAN, dynamics = NAN;
    run_from_text(&in, LONG_INPUT, s.folder);
    ensemble *e = ensemble_open(&in.p, PLACE_CPU, NULL, &why);
    require(e != NULL, "%s", why.why);
    sigaction(SIGALRM, &stop, NULL);
    setitimer(ITIMER_REAL, &soon, NULL);
    const ensemble_end end = ensemble_run(e, 1, &limits, ignore_progress, &why);
    fact(end == ENSEMBLE_STOPPED && times_within(&seconds, &dynamics, s.folder), "a run that is stopped within a "
         "trajectory leaves a checkpoint");
    fact(seconds > 0.5 * dynamics, "which has the time since the trajectory began, %g s, %g s of it dynamics", seconds,
         dynamics);
    ensemble_close(e);
    run_input_free(&in);
    snprintf(command, sizeof command, "rm -rf '%s'", s.folder);
    require(system(command) == 0, "%s cannot be removed", s.folder);
}

/* Of checkpoints of trajectories 1 to 6: the newest `keep`, and the newest that the SDC check has confirmed. */
static void prune(int keep, int64_t confirmed, const char *left)
{
    scratch s = scratch_create();
    run_input in;
    char command[600], list[200];
    snprintf(command, sizeof command, "cd '%s' && mkdir e && cd e && for n in 1 2 3 4 5 6; do "
             ">c.checkpoint.00000$n.lime; done", s.folder);
    require(system(command) == 0, "no files can be made in %s", s.folder);
    run_from_text(&in, INPUT, s.folder, 20, 1);
    state_files_prune(&in.p, keep, 6, confirmed);
    seen.folder = s.folder;
    memset(seen.checkpoint, 0, sizeof seen.checkpoint);
    for (int n = 1; n <= 6; n++)
        seen.checkpoint[n] = is_there("checkpoint.", n);
    fact(strcmp(words(seen.checkpoint, list), left) == 0, "%d of six checkpoints are kept, that of trajectory %d is "
         "confirmed: left are%s", keep, (int)confirmed, list);
    run_input_free(&in);
    snprintf(command, sizeof command, "rm -rf '%s'", s.folder);
    require(system(command) == 0, "%s cannot be removed", s.folder);
}

int main(void)
{
    prune(2, 3, " 3 5 6");
    prune(2, 5, " 5 6");
    prune(1, 0, " 6");
    run(4, 3, 20);
    run(7, 1, 16);
    run(3, 50, 11);
    time_of_a_trajectory();
    return facts_end();
}
