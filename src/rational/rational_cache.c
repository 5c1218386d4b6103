/* rational_cache.c - a cache of rational functions in files.
 *
 * A file is text: the goal, the function, and a digest of both.  Its name is a digest of the goal and of the version of
 * this format, so that files of other goals and versions have other names. */
#include "src/rational/rational.h"

#include "src/base/checksum.h"
#include "src/comm/comm.h"
#include "src/io/disk.h"
#include "src/io/safe_file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FORM = 1 };
#define DIGEST_LINE "digest %016" PRIx64 "\n"

static void add_goal(text *t, rational_goal goal)
{
    const power_product *f = goal.f;
    text_add(t, "kiln rational %d\n", FORM);
    for (int j = 0; j < f->count; j++)
        text_add(t, "factor %.17g %d/%d\n", f->factor[j].mass, f->factor[j].y, f->factor[j].z);
    text_add(t, "range %.17g %.17g\nwanted %.17g\n", goal.lower, goal.upper, goal.error);
}

static void add_result(text *t, const rational *r)
{
    text_add(t, "order %d\nerror %.17g\nconstant %.17g\n", r->order, r->error, r->constant);
    for (int k = 0; k < r->order; k++)
        text_add(t, "residue %.17g pole %.17g\n", r->residue[k], r->pole[k]);
}

static uint64_t digest_of(const text *t)
{
    return digest64(DIGEST64_START, text_string(t), t->length);
}

static bool read_result(rational *r, const char *s)
{
    int read = 0;
    if (sscanf(s, "order %d error %lf constant %lf%n", &r->order, &r->error, &r->constant, &read) != 3
        || r->order < 0 || r->order > RATIONAL_POLES)
        return false;
    for (int k = 0; k < r->order; k++) {
        s += read;
        if (sscanf(s, " residue %lf pole %lf%n", &r->residue[k], &r->pole[k], &read) != 2)
            return false;
    }
    return true;
}

/* Loads the function.  False unless the file is complete and undamaged, that is, has the bytes that would be written
 * now. */
static bool load_function(rational *r, const char *path, const text *goal_text)
{
    enum { LARGEST = 16384 };
    char content[LARGEST];
    FILE *file = disk_open(path);
    size_t n = file ? fread(content, 1, sizeof content - 1, file) : 0;
    if (file)
        fclose(file);
    content[n] = '\0';
    bool ok = n > goal_text->length && memcmp(content, text_string(goal_text), goal_text->length) == 0
              && read_result(r, content + goal_text->length);
    text again = { 0 };
    if (ok) {
        text_add(&again, "%s", text_string(goal_text));
        add_result(&again, r);
        text_add(&again, DIGEST_LINE, digest_of(&again));
        ok = again.length == n && memcmp(content, text_string(&again), n) == 0;
    }
    text_free(&again);
    return ok;
}

/* Rank 0 computes the function and sends it to all ranks, because other processors may round differently. */
static bool make_shared(rational *r, rational_goal goal, failure *why)
{
    const comm *world = comm_world();
    const bool made = !comm_is_root(world) || rational_make(r, goal, why);
    comm_broadcast(world, r, sizeof *r);
    return comm_agree(world, made, why);
}

bool rational_cached(rational *r, const char *directory, rational_goal goal, failure *why)
{
    if (!directory)
        return make_shared(r, goal, why);
    text goal_text = { 0 }, path = { 0 };
    add_goal(&goal_text, goal);
    text_add(&path, "%s/rational-%016" PRIx64 ".txt", directory, digest_of(&goal_text));
    *r = (rational){ .target = *goal.f, .lower = goal.lower, .upper = goal.upper };
    bool ok = load_function(r, text_string(&path), &goal_text);
    if (!ok) {
        ok = make_shared(r, goal, why);
        if (ok) {
            add_result(&goal_text, r);
            text_add(&goal_text, DIGEST_LINE, digest_of(&goal_text));
            disk_make_folders(directory);      /* a failure shows when a file is written there */
            safe_file_write_text(text_string(&path), text_string(&goal_text), true, NULL);
        }
    }
    text_free(&goal_text);
    text_free(&path);
    return ok;
}

bool rational_cache_folder(text *path)
{
    const char *kiln = getenv("KILN_CACHE"), *all = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (kiln)
        text_add(path, "%s", kiln);
    else if (all && *all)
        text_add(path, "%s/kiln", all);
    else if (home && *home)
        text_add(path, "%s/.cache/kiln", home);
    return path->length > 0;
}
