/* midtrajectory_resume.c - continue a trajectory from its mid-trajectory checkpoint.
 *
 * Each part is stored in links, momenta or terms as soon as it is read.  After a fault, all of them are reset to the
 * start of the trajectory. */
#include "src/ensemble/midtrajectory.h"

#include "src/base/log.h"
#include "src/base/memory.h"
#include "src/comm/comm.h"
#include "src/base/json_members.h"
#include "src/ensemble/ensemble_files.h"
#include "src/ensemble/midtrajectory_parts.h"
#include "src/ensemble/named_fields.h"
#include "src/ensemble/checksummed_line.h"
#include "src/ensemble/term_progress.h"
#include "src/io/disk.h"
#include "src/io/state_memory_json.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A mid-trajectory checkpoint being read. */
typedef struct {
    const char *folder;
    int64_t step;                   /* the number of the step in the name of the folder */
    text path;                      /* of midtrajectory.json */
    yyjson_doc *doc;
    members facts;
    failure *f;
} reading;

static bool has_its_digest(const char *content, const char *path, failure *f)
{
    const checksum_state found = checksummed_line_check(content);
    return found == CHECKSUM_HOLDS || fail(f, "%s: %s", path, found == CHECKSUM_MISSING ? "its digest is missing"
                                                                          : "is damaged: the digest differs");
}

static bool read_facts(reading *r)
{
    r->path = path_in_folder(r->folder, MIDTRAJECTORY_FACTS);
    const char *path = text_string(&r->path);
    text content = { 0 };
    bool ok = disk_add_file(&content, path, r->f) && has_its_digest(text_string(&content), path, r->f)
              && (r->doc = json_read_string(text_string(&content), path, r->f));
    text_free(&content);
    r->facts = (members){ yyjson_doc_get_root(r->doc), path, r->f };
    return ok;
}

/* Whether the member `key` has this value. */
static bool check_count(const reading *r, const char *key, uint64_t wanted)
{
    uint64_t found;
    return json_members_count(&found, UINT64_MAX, &r->facts, key)
           && (found == wanted || fail(r->f, "%s: its %s differs from the one of this run", r->folder, key));
}

static bool read_past(const reading *r, hmc_past *past, midtrajectory_label *label, const hmc *h)
{
    double e[HMC_TERMS + 2];
    const int terms = hmc_term_count(h);
    if (!json_members_real(&label->seconds, &r->facts, "seconds")
        || !json_members_reals(e, terms + 2, &r->facts, "energy_before")
        || !json_members_reals(past->refresh_error, terms, &r->facts, "refresh_errors")
        || !json_members_count(&past->traffic.to_device, UINT64_MAX, &r->facts, "bytes_to_device")
        || !json_members_count(&past->traffic.from_device, UINT64_MAX, &r->facts, "bytes_from_device"))
        return false;
    if (!json_member_real(r->facts.object, "joules", &label->joules))
        label->joules = NAN;
    past->before = (hmc_energies){ .kinetic = e[0], .total = e[terms + 1] };
    for (int t = 0; t < terms; t++)
        past->before.term[t] = e[t + 1];
    return true;
}

static bool read_timers(const reading *r, clock_tree *clock)
{
    yyjson_val *list = json_member_list(r->facts.object, "timers"), *of;
    size_t n, count;
    bool ok = list && yyjson_arr_size(list) <= CLOCK_NODES;
    memset(clock, 0, sizeof *clock);
    yyjson_arr_foreach(list, n, count, of) {
        yyjson_val *name = yyjson_arr_get(of, 0), *parent = yyjson_arr_get(of, 1), *calls = yyjson_arr_get(of, 2);
        ok = ok && yyjson_is_str(name) && yyjson_is_int(parent) && yyjson_is_int(calls);
        if (!ok)
            break;
        clock_node *node = &clock->node[n];
        snprintf(node->name, sizeof node->name, "%s", yyjson_get_str(name));
        node->parent = (int)yyjson_get_sint(parent);
        node->calls = (long)yyjson_get_sint(calls);
        node->seconds = json_read_number(yyjson_arr_get(of, 3));
        ok = node->parent >= -1 && node->parent < (int)n;
        clock->count++;
    }
    return ok || fail(r->f, "%s: \"timers\" are not valid", text_string(&r->path));
}

/* ---- arrays */

static bool read_slices(const slice_sink *to, const reading *r, const char *name, array_shape shape)
{
    uint64_t wanted, found;
    members files;
    return json_members_object(&files, &r->facts, "files") && json_members_count(&wanted, UINT64_MAX, &files, name)
           && digested_read(&found, to, r->folder, name, shape, r->f)
           && (found == wanted || fail(r->f, "%s/%s: is damaged: the digest differs", r->folder, name));
}

static bool read_field(void *with, const char *name, field *x)
{
    const slice_sink slices = field_slice_sink(x);
    return read_slices(&slices, with, name, array_shape_of_field(x));
}

/* Reads forces.npy: the sizes of the forces of this trajectory so far. */
static bool read_cells(const reading *r, hmc *h)
{
    const array_shape shape = midtrajectory_shape_of_cells(h);
    slice_array cells = { slice_alloc(array_count(shape)), array_count(shape) };
    const slice_sink one = slice_array_sink(&cells, 1);
    bool ok = read_slices(&one, r, "forces.npy", shape)
              && (midtrajectory_put_cells(h, r->step, cells.numbers)
                  || fail(r->f, "%s: step %" PRId64 " of the schedule is no update of links", r->folder, r->step));
    memory_free(cells.numbers);
    return ok;
}

static bool read_arrays(reading *r, hmc *h, gauge *u)
{
    const slice_sink links = gauge_slice_sink(u);
    return read_slices(&links, r, "links.npy", array_shape_of_links(u->links.lattice)) && read_cells(r, h)
           && named_fields_visit(h, (named_fields){ .momenta = &hmc_momenta(h)->f, .start_vectors = true }, read_field,
                                 r);
}

/* ---- the whole checkpoint */

static bool is_of_this_run(const reading *r, const run_params *p, const midtrajectory_label *label, const gauge *u)
{
    return check_count(r, "trajectory", (uint64_t)label->trajectory)
        && check_count(r, "input_digest", label->input_digest)
           && check_count(r, "seed", (uint64_t)p->random.seed) && check_count(r, "stream", (uint64_t)p->random.stream)
           && check_count(r, "schedule_digest", midtrajectory_digest_of_schedule(p))
           && check_count(r, "start_digest", midtrajectory_digest_of_links(u));
}

/* Restore the memory of the terms.  False if files of rational functions have changed: then the memory that a term
 * returns differs from what it was given. */
static bool set_memory_of_terms(const reading *r, hmc *h)
{
    state_memory wanted, got;
    if (!state_memory_from_json(&wanted, &r->facts))
        return false;
    hmc_set_memory(h, &wanted);
    hmc_get_memory(h, &got);
    return state_memory_same(&wanted, &got)
           || fail(r->f, "%s: was written with other rational functions or spectral ranges", r->folder);
}

static bool restore_run(reading *r, const run_params *p, midtrajectory_label *label, hmc *h, gauge *u,
                        clock_tree *clock)
{
    hmc_past past;
    if (!read_facts(r) || !is_of_this_run(r, p, label, u) || !check_count(r, "step", (uint64_t)r->step)
        || !read_past(r, &past, label, h) || !read_timers(r, clock))
        return false;
    term_progress before = term_progress_now(h);
    hmc_begin_past(h, u, &past);
    const bool read = set_memory_of_terms(r, h)
                      && term_progress_from_json(h, &r->facts) && read_arrays(r, h, u);
    const bool ok = comm_agree(comm_world(), read, r->f);
    if (!ok) {
        term_progress_put(h, &before);
        hmc_restore(h, u);
    }
    term_progress_free(h, &before);
    return ok;
}

/* Find the checkpoint with the latest step; false: there is none. */
static bool find_newest(midtrajectory_name *found, const char *directory)
{
    disk_names names;
    midtrajectory_name m;
    bool any = false;
    disk_list(&names, directory);
    for (int i = 0; i < names.count; i++)
        if (midtrajectory_is_name(&m, directory, names.name[i])
            && (!any || m.trajectory > found->trajectory
                || (m.trajectory == found->trajectory && m.step > found->step))) {
            *found = m;
            any = true;
        }
    disk_names_free(&names);
    return any;
}

bool midtrajectory_resume(const run_params *p, midtrajectory_label *label, hmc *h, gauge *u, clock_tree *clock)
{
    midtrajectory_name name;
    failure why;
    bool refused = false;
    midtrajectory_forget(p->output.directory, label->trajectory - 1);
    while (find_newest(&name, p->output.directory)) {
        reading r = { .folder = name.path, .step = name.step, .f = &why };
        bool ok = restore_run(&r, p, label, h, u, clock);
        yyjson_doc_free(r.doc);
        text_free(&r.path);
        if (ok) {
            log_line(LOG_INFO, "continuing within trajectory %" PRId64 ", at step %" PRId64 ": %s", label->trajectory,
                     name.step, name.path);
            return true;
        }
        log_line(LOG_WARNING, "%s", why.why);
        state_file_set_aside(name.path);
        refused = true;
        if (disk_has(name.path))                        /* renaming failed */
            break;
    }
    if (refused)
        log_line(LOG_WARNING, "trajectory %" PRId64 " restarts from its beginning", label->trajectory);
    memset(clock, 0, sizeof *clock);
    label->seconds = label->joules = 0;
    return false;
}
