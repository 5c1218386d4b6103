/* test_tune_conditions.c - a tuning whose trials changed nothing: times and verification of its checkpoint are measured
 * again with another solver or on another device, and dH of its trajectories stays. */
#include "src/base/log.h"
#include "src/base/memory.h"
#include "src/io/disk.h"
#include "tests/on_every_backend.h"
#include "tests/tune/tuned_input.h"

#include <string.h>

enum { LEARN = 4, PROVE = 3 };

static void run(tune_result *r, const char *path, place where, const char *set, const tune_request *w)
{
    failure why;
    require(tune_input(r, path, where, set, w, &why), "%s", why.why);
}

/* Seconds are measured: the same ones are those of the same trajectories. */
static bool same_times(const tune_result *a, const tune_result *b)
{
    return memcmp(&a->times, &b->times, sizeof a->times) == 0;
}

static bool same_proof(const tune_result *a, const tune_result *b)
{
    return a->proofs == b->proofs && memcmp(&a->proof[0].sums, &b->proof[0].sums, sizeof a->proof[0].sums) == 0;
}

/* The checkpoint as one that another device has written. */
static void of_another_device(scratch *files)
{
    static const char key[] = "\"timed_by\": \"kiln";
    const char *path = scratch_path(files, "tuning.json");
    blob b = blob_read(path);
    b.bytes[b.n] = '\0';
    char *at = strstr((char *)b.bytes, key);
    require(at, "%s has no %s", path, key);
    at[strlen(key) - 1] = 'm';
    blob_write(path, b.bytes, b.n);
    free(b.bytes);
}

/* `r` under other conditions than `first`. */
static void made_again(const tune_result *r, const tune_result *first, const char *what)
{
    fact(r->learned == LEARN && r->slope == first->slope && r->measured.trajectories >= LEARN,
         "%s: the trajectories of learning stay", what);
    fact(!same_times(r, first) && r->times.energy > 0 && r->times.alone[1] > 0, "%s: times are measured again", what);
    fact(r->proofs > 0 && !same_proof(r, first) && r->proof[0].trajectories == PROVE,
         "%s: the setting is verified again", what);
    fact(r->measured.seconds > 0 && r->measured.seconds != first->measured.seconds,
         "%s: a trajectory before takes %.3g s, not %.3g s", what, r->measured.seconds, first->measured.seconds);
}

int main(void)
{
    scratch files = scratch_create();
    log_set_quiet(true);
    char path[sizeof files.path];
    snprintf(path, sizeof path, "%s", input_to_tune(&files, WILSON_INPUT_TO_TUNE("", "")));
    static const char other[] = "monomials.1.max_iterations=777";
    tune_result *first = memory_alloc(sizeof *first, "the result of a tuning"), *r = memory_alloc(sizeof *r, "another");
    FOR_EVERY_PLACE(where) {
        const tune_request w = { .target = 0.6, .thermalization = 3, .learn = LEARN, .prove = PROVE,
                                 .checkpoint = files.folder };
        tune_request hurried = w;
        hurried.seconds = 1e-9;
        run(first, path, where, NULL, &w);
        run(r, path, where, "hmc.trajectories=7", &w);
        fact(same_times(r, first) && same_proof(r, first), "%s: the same conditions leave all", place_name(where));
        run(r, path, where, other, &w);
        made_again(r, first, "another key of the solver");
        *first = *r;
        run(r, path, where, other, &w);
        fact(same_times(r, first) && same_proof(r, first), "once");
        of_another_device(&files);
        run(r, path, where, other, &hurried);
        fact(!same_times(r, first) && r->times.energy > 0 && r->proofs == 0,
             "without time, the call on another device measures times, and keeps no verification");
        run(r, path, where, other, &w);
        made_again(r, first, "another device");
        disk_unlink(scratch_path(&files, "tuning.json"));
    }
    memory_free(first);
    memory_free(r);
    scratch_remove(&files);
    return facts_end();
}
