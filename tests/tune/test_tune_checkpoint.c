/* test_tune_checkpoint.c - a tuning that was stopped continues from its checkpoint, as if it had not been stopped. */
#include "src/base/log.h"
#include "src/base/memory.h"
#include "src/base/version.h"
#include "src/io/disk.h"
#include "src/tune/tune_checkpoint.h"
#include "tests/facts.h"
#include "tests/io/scratch.h"
#include "tests/on_every_backend.h"
#include "tests/tune/tuned_input.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Decisions do not depend on measured times. */
static const lab_times given = { .force = { 1, 10 }, .drift = 1, .refresh = 10, .energy = 10, .rest = 1 };

/* Another version, and the beginning of its checkpoints. */
#define OTHER "kiln 0.0.1 (0000000)"
#define OTHER_IN_JSON "{\"version\": \"" OTHER "\""

static failure last;                       /* of the last tuning */
static text origin;                        /* of its links */

/* Links that are read are projected to SU(3) once more, which changes their last bits. */
#define ROUNDING 1e-8

static bool close_to(double a, double b)
{
    return fabs(a - b) <= ROUNDING * fabs(b);
}

static bool run(tune_result *r, const char *path, place where, const char *set, const tune_request *w)
{
    return tune_input_with(r, path, &(input_tuning){ where, set, w, NULL }, &origin, &last);
}

static tune_request request(const char *folder, int thermalization, int learn, int prove)
{
    return (tune_request){ .target = 0.6, .thermalization = thermalization, .learn = learn, .prove = prove,
                           .times = &given, .checkpoint = folder };
}

static void same(const tune_result *a, const tune_result *b, const char *sentence)
{
    fact(a->thermalized == b->thermalized && a->learned == b->learned && close_to(a->plaquette, b->plaquette)
         && close_to(a->slope, b->slope) && close_to(a->force[1].rms, b->force[1].rms) && a->omega[1] == b->omega[1]
         && close_to(a->order_dh[1], b->order_dh[1]) && close_to(a->then.variance, b->then.variance)
         && tune_same_setting(&a->after, &b->after) && a->proofs == b->proofs
         && a->proof[0].trajectories == b->proof[0].trajectories
         && close_to(a->proof[0].exp_minus_dh, b->proof[0].exp_minus_dh)
         && close_to(a->proof[0].variance_error, b->proof[0].variance_error)
         && close_to(a->proof[0].predicted.variance, b->proof[0].predicted.variance),
         "%s: <dH^2> %.17g and %.17g, in %d and %d proofs, the first %.17g and %.17g", sentence, a->then.variance,
         b->then.variance, a->proofs, b->proofs, a->proof[0].variance, b->proof[0].variance);
}

/* Check that the checkpoint names this program, and let it name another one. */
static void of_another_version(const char *path)
{
    text this = { 0 }, other = { 0 };
    blob b = blob_read(path);
    b.bytes[b.n] = '\0';
    text_add(&this, "{\"version\": \"%s\"", version_program());
    const bool named = strncmp((char *)b.bytes, text_string(&this), this.length) == 0;
    fact(named, "a checkpoint begins with %s", text_string(&this));
    text_add(&other, "%s%s", OTHER_IN_JSON, (char *)b.bytes + this.length);
    if (named)
        blob_write(path, text_string(&other), other.length);
    free(b.bytes);
    text_free(&this);
    text_free(&other);
}

/* Three steps more in the setting that was chosen and verified: it costs more than a new choice does. */
static void change_choice(const char *path)
{
    blob b = blob_read(path);
    b.bytes[b.n] = '\0';
    static const char *const keys[] = { "\"choice\"", "\"proofs\"" };
    for (int i = 0; i < 2; i++) {
        char *at = strstr((char *)b.bytes, keys[i]);
        at = at ? strstr(at, "\"steps\"") : NULL;
        require(at, "%s has no %s", path, keys[i]);
        at += strcspn(at, "123456789");
        *at += 3;
    }
    blob_write(path, b.bytes, b.n);
    free(b.bytes);
}

/* A choice whose trajectories have changed the model, so that another setting seems cheaper now. */
static void choice_stays(scratch *files, const char *path, place where, const tune_request *request)
{
    tune_result *r = memory_alloc(sizeof *r, "the result of a tuning");
    tune_request w = *request;
    change_choice(scratch_path(files, "tuning.json"));
    require(run(r, path, where, NULL, &w), "%s", last.why);
    fact(r->proofs == 1 && tune_same_setting(&r->after, &r->proof[0].setting),
         "a tuning that has ended keeps its choice (%d settings verified)", r->proofs);
    w.target *= 1.01;
    w.seconds = 1e-9;                      /* a call that verifies nothing changes nothing */
    require(run(r, path, where, NULL, &w), "%s", last.why);
    w.seconds = 0;
    require(run(r, path, where, NULL, &w), "%s", last.why);
    fact(r->proofs == 2 && tune_same_setting(&r->after, &r->proof[1].setting),
         "but not with another target (%d)", r->proofs);
    memory_free(r);
}

/* Without any time a call makes one trajectory of thermalization. */
static void thermalization_goes_on(scratch *files, const char *path, place where)
{
    tune_result *r = memory_alloc(sizeof *r, "the result of a tuning");
    tune_request w = request(files->folder, 3, 2, 0);
    w.seconds = 1e-9;
    for (int call = 1; call < 3; call++)
        fact(!run(r, path, where, NULL, &w) && r->thermalized == call && r->learned == 0 && r->saved,
             "call %d ends in the thermalization: %s", call, last.why);
    fact(run(r, path, where, NULL, &w) && r->thermalized == 3 && r->learned == 2,
         "the third one completes it and learns");
    disk_unlink(scratch_path(files, "tuning.json"));
    memory_free(r);
}

/* Whether the tuning fails with this piece in its reason, and with what to do. */
static bool refuses(const char *path, place where, const tune_request *w, const char *piece)
{
    tune_result *r = memory_alloc(sizeof *r, "the result of a tuning");
    const bool refused = !run(r, path, where, NULL, w) && strstr(last.why, piece)
                         && strstr(last.why, "; choose another folder, or remove this one");
    memory_free(r);
    return refused;
}

/* The same with a number of the file replaced. */
static bool refuses_number(scratch *files, const char *path, place where, const tune_request *w, const char *key,
                           const char *number)
{
    const char *name = scratch_path(files, "tuning.json");
    text member = { 0 }, other = { 0 };
    blob b = blob_read(name);
    b.bytes[b.n] = '\0';
    text_add(&member, "\"%s\": ", key);
    char *at = strstr((char *)b.bytes, text_string(&member));
    require(at, "%s has no %s", name, key);
    at += member.length;
    text_add_bytes(&other, (char *)b.bytes, (size_t)(at - (char *)b.bytes));
    text_add(&other, "%s%s", number, at + strcspn(at, ","));
    blob_write(name, text_string(&other), other.length);
    const bool refused = refuses(path, where, w, "unexpected content");
    blob_write(name, b.bytes, b.n);
    free(b.bytes);
    text_free(&member);
    text_free(&other);
    return refused;
}

/* Files of a checkpoint that are damaged or missing. */
static void damaged(scratch *files, const char *path, place where, const tune_request *w)
{
    const char *name = scratch_path(files, "tuning.json");
    static const struct { const char *key, *number; } wrong[] = {
        { "learned", "-4" }, { "learned", "1000000" }, { "thermalization", "-1" }, { "thermalization", "1000000" },
        { "number", "0" },
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        fact(refuses_number(files, path, where, w, wrong[i].key, wrong[i].number), "%s %s is refused: %s",
             wrong[i].key, wrong[i].number, last.why);
    blob b = blob_read(name);
    b.bytes[b.n] = '\0';
    char *key = strstr((char *)b.bytes, "\"learned\": ");
    require(key, "%s has no number of trajectories for learning", name);
    key[1] = 'x';                          /* as if the key had another name */
    blob_write(name, b.bytes, b.n);
    fact(refuses(path, where, w, "from another version of Kiln"), "a file without this number is refused: %s",
         last.why);
    key[1] = 'l';
    blob_write(name, "", 0);
    fact(refuses(path, where, w, "tuning.json"), "an empty file is refused: %s", last.why);
    blob_write(name, b.bytes, b.n / 2);
    fact(refuses(path, where, w, "tuning.json"), "and half a file: %s", last.why);
    blob_write(name, b.bytes, b.n);
    free(b.bytes);
    disk_names names;
    disk_match(&names, scratch_path(files, "links.*.lime"));
    require(names.count == 1, "%d files of links", names.count);
    b = blob_read(names.name[0]);
    b.bytes[b.n / 2] ^= 1;
    blob_write(names.name[0], b.bytes, b.n);
    fact(refuses(path, where, w, "scidac-checksum"), "so are links with another checksum: %s", last.why);
    disk_unlink(names.name[0]);
    fact(refuses(path, where, w, names.name[0]), "and links that are missing: %s", last.why);
    b.bytes[b.n / 2] ^= 1;
    blob_write(names.name[0], b.bytes, b.n);
    free(b.bytes);
    disk_names_free(&names);
}

static void continued(scratch *files, const char *path, place where)
{
    tune_result *whole = memory_alloc(sizeof *whole, "the result of a tuning"), *r = memory_alloc(sizeof *r, "another");
    const char *folder = files->folder;
    tune_request w = request(NULL, 3, 5, 4);
    require(run(whole, path, where, NULL, &w) && whole->longer_count == 0, "%s", last.why);
    /* Stopped in learning, and in the proof. */
    const struct { int learn, prove; } calls[] = { { 2, 0 }, { 4, 0 }, { 5, 2 }, { 5, 4 } };
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        w = request(folder, 3, calls[i].learn, calls[i].prove);
        require(run(r, path, where, NULL, &w), "%s", last.why);
        fact(r->learned == calls[i].learn && r->thermalized == 3, "call %d has learned from %d trajectories",
             (int)i + 1, r->learned);
        fact(strncmp(text_string(&origin), "a hot start with ", strlen("a hot start with ")) == 0,
             "its links come from %s", text_string(&origin));
    }
    same(r, whole, "four calls have the result of one");
    require(run(r, path, where, NULL, &w), "%s", last.why);
    same(r, whole, "a fifth one repeats it without a trajectory");
    of_another_version(scratch_path(files, "tuning.json"));
    fact(run(r, path, where, NULL, &w), "another version of Kiln continues it: %s", last.why);
    same(r, whole, "with the same result");
    w = request(folder, 3, 5, 12);
    require(run(r, path, where, NULL, &w), "%s", last.why);
    fact(r->proof[0].trajectories == 12 && r->proof[0].enough, "and with --prove 12 it adds trajectories to the proof");

    fact(r->saved, "the result says that there is a checkpoint");
    choice_stays(files, path, where, &w);
    damaged(files, path, where, &w);
    fact(!run(r, path, where, "hmc.levels.0.steps=4", &w) && strstr(last.why, "is of another input") && !r->saved,
         "%s: an input with other steps is refused: %s", place_name(where), last.why);
    const char *name = scratch_path(files, "tuning.json");
    blob_write(name, "{}", 2);
    fact(!run(r, path, where, NULL, &w) && strstr(last.why, "unexpected content")
         && strstr(last.why, "written by unknown"), "so is a file without content: %s", last.why);
    blob_write(name, OTHER_IN_JSON "}", strlen(OTHER_IN_JSON "}"));
    fact(!run(r, path, where, NULL, &w) && strstr(last.why, "written by " OTHER ", read by ")
         && strstr(last.why, version_program()), "with the version that wrote it, if it has one: %s", last.why);
    disk_unlink(name);
    memory_free(whole);
    memory_free(r);
}

int main(void)
{
    scratch files = scratch_create();
    log_set_quiet(true);
    char path[sizeof files.path];
    snprintf(path, sizeof path, "%s", input_to_tune(&files, WILSON_INPUT_TO_TUNE("", "")));
    FOR_EVERY_PLACE(where) {
        thermalization_goes_on(&files, path, where);
        continued(&files, path, where);
    }
    scratch_remove(&files);
    text_free(&origin);
    return facts_end();
}
