/* state_fields.c - write and read the momenta and pseudofermions, or the replicas, of a state. */
#include "src/ensemble/state_fields.h"

#include "src/base/checksum.h"
#include "src/base/json_members.h"
#include "src/base/log.h"
#include "src/base/memory.h"
#include "src/ensemble/checksummed_line.h"
#include "src/ensemble/digested_array.h"
#include "src/ensemble/named_fields.h"
#include "src/io/disk.h"
#include "src/io/safe_file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define FACTS "fields.json"

/* ---- the digest of all fields: that of their names and digests, in their order */

static uint64_t digest_with(uint64_t digest, const char *name, uint64_t of_array)
{
    digest = digest64(digest, name, strlen(name) + 1);
    return digest64(digest, &of_array, sizeof of_array);
}

static named_fields fields_of(hmc *h, const run_params *p, bool at_start)
{
    return (named_fields){ .momenta = run_is_smd(p) ? hmc_state_field(h, at_start, 0) : NULL,
                           .replicas = run_is_tempered(p) };
}

/* ---- writing */

/* at_start: the fields at the start of the trajectory in place of the present ones; next: the index of the next field
 * (hmc_state_field). */
typedef struct {
    const char *folder;
    json *files;
    uint64_t digest;
    hmc *h;
    bool at_start;
    int next;
    failure *f;
} writing;

static bool write_field(void *with, const char *name, field *present)
{
    writing *w = with;
    field *x = w->at_start ? hmc_state_field(w->h, true, w->next++) : present;
    const slice_source slices = field_slices(x);
    const array_shape shape = array_shape_of_field(x);
    uint64_t digest;
    if (!digested_write(&digest, w->folder, name, &slices, shape, w->f))
        return false;
    w->digest = digest_with(w->digest, name, digest);
    json_open(w->files, name, '{');
    json_open(w->files, "shape", '[');
    for (int i = 0; i < shape.dimensions; i++)
        json_int(w->files, NULL, (int64_t)shape.n[i]);
    json_close(w->files);
    json_hex(w->files, "digest", digest);
    json_close(w->files);
    return true;
}

static bool write_facts(const writing *w, int64_t trajectory)
{
    json j = { 0 };
    text path = path_in_folder(w->folder, FACTS);
    json_open(&j, NULL, '{');
    json_int(&j, "trajectory", trajectory);
    json_insert(&j, "files", w->files);
    checksummed_line_add(&j);
    json_close(&j);
    const bool ok = safe_file_write_text(text_string(&path), json_string(&j), false, w->f);
    json_free(&j);
    text_free(&path);
    return ok;
}

static bool write_folder(writing *w, const run_params *p, int64_t trajectory)
{
    json_open(w->files, NULL, '{');
    const bool written = named_fields_visit(w->h, fields_of(w->h, p, w->at_start), write_field, w);
    json_close(w->files);
    return written && write_facts(w, trajectory);
}

/* ---- checking a folder by its own facts */

static void ignore_slice(void *to, int number, const double *slice)
{
    (void)to, (void)number, (void)slice;
}

static bool read_shape(array_shape *shape, yyjson_val *list)
{
    size_t i, count;
    yyjson_val *one;
    *shape = (array_shape){ 0 };
    if (!list || yyjson_arr_size(list) == 0 || yyjson_arr_size(list) > NPY_MAX_DIMENSIONS)
        return false;
    yyjson_arr_foreach(list, i, count, one) {
        if (!yyjson_is_uint(one) || yyjson_get_uint(one) == 0 || yyjson_get_uint(one) > UINT32_MAX)
            return false;
        shape->n[shape->dimensions++] = (size_t)yyjson_get_uint(one);
    }
    return true;
}

/* Read an array, without keeping it, in pieces of time slices. */
static bool check_array(uint64_t *digest, const char *folder, const char *name, yyjson_val *facts, failure *f)
{
    enum { OF_SLABS = 7 };                               /* dimensions of a field with slabs (field_array.h) */
    array_shape shape;
    uint64_t wanted;
    const members m = { facts, folder, f };
    if (!read_shape(&shape, json_member_list(facts, "shape")))
        return fail(f, "%s/" FACTS ": the shape of %s is not valid", folder, name);
    const size_t pieces = shape.n[0] * (shape.dimensions == OF_SLABS ? shape.n[1] : 1);
    const slice_sink nowhere = { ignore_slice, NULL, (int)pieces, array_count(shape) / pieces };
    return json_members_count(&wanted, UINT64_MAX, &m, "digest")
           && digested_read(digest, &nowhere, folder, name, shape, f)
           && (*digest == wanted || fail(f, "%s/%s: is damaged: the digest differs", folder, name));
}

static bool check_files(uint64_t *digest, const char *folder, const members *facts, int64_t trajectory)
{
    members files;
    uint64_t found, of_array = 0;
    if (!json_members_count(&found, INT64_MAX, facts, "trajectory") || !json_members_object(&files, facts, "files"))
        return false;
    if ((int64_t)found != trajectory)
        return fail(facts->f, "%s: expected the fields after trajectory %" PRId64 ", found those after %" PRIu64,
                    folder, trajectory, found);
    size_t i, count;
    yyjson_val *name, *of;
    *digest = DIGEST64_START;
    yyjson_obj_foreach(files.object, i, count, name, of) {
        if (!check_array(&of_array, folder, yyjson_get_str(name), of, facts->f))
            return false;
        *digest = digest_with(*digest, yyjson_get_str(name), of_array);
    }
    return true;
}

static bool check_folder(uint64_t *digest, const char *folder, int64_t trajectory, failure *f)
{
    text path = path_in_folder(folder, FACTS), content = { 0 };
    yyjson_doc *doc = NULL;
    bool ok = disk_add_file(&content, text_string(&path), f)
              && (checksummed_line_check(text_string(&content)) == CHECKSUM_HOLDS
                  || fail(f, "%s: is damaged: the digest differs", text_string(&path)))
              && (doc = json_read_string(text_string(&content), text_string(&path), f));
    ok = ok && check_files(digest, folder, &(members){ yyjson_doc_get_root(doc), text_string(&path), f }, trajectory);
    yyjson_doc_free(doc);
    text_free(&content);
    text_free(&path);
    return ok;
}

bool state_fields_check(const run_params *p, const run_state *state, failure *f)
{
    uint64_t digest;
    text path = state_fields_path(p, state->trajectory);
    const bool ok = check_folder(&digest, text_string(&path), state->trajectory, f)
                    && (digest == state->fields
                        || fail(f, "%s: expected fields with the digest 0x%016" PRIx64 " (of the checkpoint), found "
                                   "0x%016" PRIx64, text_string(&path), state->fields, digest));
    text_free(&path);
    return ok;
}

/* ---- one folder */

void state_fields_set_aside(const run_params *p, int64_t trajectory)
{
    text path = state_fields_path(p, trajectory);
    if (disk_has_name(text_string(&path)))
        state_file_set_aside(text_string(&path));
    text_free(&path);
}

static bool write_draft(fields_draft *d, const run_params *p, int64_t trajectory, hmc *h, bool at_start, failure *f)
{
    const char *directory = p->output.directory;
    text name = { 0 };
    json files = { 0 };
    uint64_t again = 0;
    text_add(&name, "%s" STATE_FIELDS "%06" PRId64, p->output.name, trajectory);
    d->exists = folder_begin(&d->partial, directory, text_string(&name), f);
    writing w = { text_string(&d->partial), &files, DIGEST64_START, h, at_start, 0, f };
    const bool ok = d->exists && write_folder(&w, p, trajectory)
                    && check_folder(&again, w.folder, trajectory, f)
                    && (again == w.digest || fail(f, "%s/%s: differs from what was written: suspect the disk or the "
                                                     "memory", directory, text_string(&name)));
    d->trajectory = trajectory;
    d->digest = w.digest;
    json_free(&files);
    text_free(&name);
    if (!ok && d->exists)
        folder_abandon(text_string(&d->partial), f);
    if (!ok)
        text_free(&d->partial);
    d->exists &= ok;
    return ok;
}

bool state_fields_draft(fields_draft *d, run_state *state, state_file_kind kind, const run_params *p, hmc *h,
                        bool at_start, failure *f)
{
    const bool known = hmc_has_fields(h, at_start);
    *d = (fields_draft){ .exists = false };
    state->lacks_fields = known && kind == FILE_CONFIGURATION;
    state->has_fields = known && kind == FILE_CHECKPOINT;
    const bool ok = !state->has_fields || write_draft(d, p, state->trajectory, h, at_start, f);
    state->fields = d->digest;
    return ok;
}

bool state_fields_keep(fields_draft *d, const run_params *p, failure *f)
{
    if (!d->exists)
        return true;
    text path = state_fields_path(p, d->trajectory);
    uint64_t there;
    const bool exists = disk_has_name(text_string(&path));
    bool ok = true;
    if (exists && check_folder(&there, text_string(&path), d->trajectory, NULL) && there == d->digest) {
        folder_remove(text_string(&d->partial));
    } else {
        if (exists)
            state_file_set_aside(text_string(&path));
        ok = folder_keep(p->output.directory, text_string(&d->partial), text_string(&path), f);
        if (!ok)
            folder_abandon(text_string(&d->partial), f);
    }
    text_free(&path);
    text_free(&d->partial);
    d->exists = false;
    return ok;
}

void state_fields_drop(fields_draft *d)
{
    if (d->exists)
        folder_remove(text_string(&d->partial));
    text_free(&d->partial);
    d->exists = false;
}

/* ---- reading */

typedef struct { const char *folder; uint64_t digest; text path; failure *f; } reading;

static bool read_field(void *with, const char *name, field *x)
{
    reading *r = with;
    const slice_sink slices = field_slice_sink(x);
    uint64_t digest;
    text_free(&r->path);
    r->path = path_in_folder(r->folder, name);
    if (!digested_read(&digest, &slices, r->folder, name, array_shape_of_field(x), r->f))
        return false;
    r->digest = digest_with(r->digest, name, digest);
    return true;
}

state_verdict state_fields_read(hmc *h, const run_params *p, const run_state *state, failure *f)
{
    text folder = state_fields_path(p, state->trajectory);
    if (!disk_has(text_string(&folder)) && errno == ENOENT) {
        fail(f, "%s: the %s of checkpoint %" PRId64 " are missing; restore this folder from a "
                "copy, or move the checkpoint away to continue from an earlier one", text_string(&folder),
             run_is_tempered(p) ? "replicas" : "momenta and pseudofermions", state->trajectory);
        text_free(&folder);
        return STATE_UNTOUCHABLE;
    }
    reading r = { text_string(&folder), DIGEST64_START, { 0 }, f };
    named_fields which = fields_of(h, p, false);
    which.reading = true;
    const bool read = named_fields_visit(h, which, read_field, &r);
    const bool same = read && (r.digest == state->fields
                               || fail(f, "%s: is damaged, or belongs to another state: its digest differs from that "
                                          "of the checkpoint", r.folder));
    const state_verdict verdict = same ? STATE_VALID : state_file_verdict(text_string(&r.path), f);
    hmc_set_fields(h, same);
    text_free(&r.path);
    text_free(&folder);
    return verdict;
}

/* ---- what killed processes left */

void state_fields_sweep(const run_params *p)
{
    text prefix = { 0 };
    disk_names names;
    int64_t trajectory;
    text_add(&prefix, "%s" STATE_FIELDS, p->output.name);
    folders_sweep(p->output.directory, text_string(&prefix));
    disk_list(&names, p->output.directory);
    for (int i = 0; i < names.count; i++) {
        if (!state_fields_is_name(p, names.name[i], &trajectory))
            continue;
        text checkpoint = state_file_path(p, FILE_CHECKPOINT, trajectory);
        if (!disk_has_name(text_string(&checkpoint)))
            state_fields_remove(p, trajectory);
        text_free(&checkpoint);
    }
    disk_names_free(&names);
    text_free(&prefix);
}
