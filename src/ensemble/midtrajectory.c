/* midtrajectory.c - write a mid-trajectory checkpoint to a folder.
 *
 * Of the links with which the trajectory began, the folder has the digest alone: the links are in the state on disk. */
#include "src/ensemble/midtrajectory.h"

#include "src/base/log.h"
#include "src/base/memory.h"
#include "src/ensemble/midtrajectory_parts.h"
#include "src/ensemble/named_fields.h"
#include "src/ensemble/checksummed_line.h"
#include "src/ensemble/term_progress.h"
#include "src/io/disk.h"
#include "src/io/state_memory_json.h"
#include "src/io/safe_file.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* Remove a folder; first rename it, so that a half removed one does not look damaged. */
static void forget(const char *directory, const char *path)
{
    text partial = { 0 };
    failure why;
    text_add(&partial, "%s" SAFE_FILE_TEMPORARY "gone", path);
    if (!folder_keep(directory, path, text_string(&partial), &why) || !folder_remove(text_string(&partial)))
        log_line(LOG_WARNING, "%s: cannot remove this old mid-trajectory checkpoint", path);
    text_free(&partial);
}

/* Remove the checkpoints for which `old` is true; their number. */
static int forget_all(const char *directory, bool (*old)(const midtrajectory_name *m, const midtrajectory_name *newest),
                      const midtrajectory_name *newest)
{
    disk_names names;
    midtrajectory_name m;
    int count = 0;
    disk_list(&names, directory);
    for (int i = 0; i < names.count; i++)
        if (midtrajectory_is_name(&m, directory, names.name[i]) && old(&m, newest)) {
            forget(directory, m.path);
            count++;
        }
    disk_names_free(&names);
    return count;
}

static bool ended_before(const midtrajectory_name *m, const midtrajectory_name *newest)
{
    return m->trajectory < newest->trajectory;
}

static bool is_before(const midtrajectory_name *m, const midtrajectory_name *newest)
{
    return m->trajectory < newest->trajectory || (m->trajectory == newest->trajectory && m->step < newest->step);
}

int midtrajectory_forget(const char *directory, int64_t last)
{
    const int count = forget_all(directory, ended_before, &(midtrajectory_name){ .trajectory = last + 1 });
    folders_sweep(directory, MIDTRAJECTORY);
    return count;
}

typedef struct { const char *folder; json *files; failure *f; } writing;

static bool write_slices(const writing *w, const char *name, const slice_source *from, array_shape shape)
{
    uint64_t digest;
    bool ok = digested_write(&digest, w->folder, name, from, shape, w->f);
    json_hex(w->files, name, digest);
    return ok;
}

static bool write_field(void *with, const char *name, field *x)
{
    const slice_source slices = field_slices(x);
    return write_slices(with, name, &slices, array_shape_of_field(x));
}

static bool write_cells(const writing *w, const hmc *h)
{
    const array_shape shape = midtrajectory_shape_of_cells(h);
    const slice_array cells = { midtrajectory_cells(h), array_count(shape) };
    const slice_source one = slice_array_source(&cells, 1);
    bool ok = write_slices(w, "forces.npy", &one, shape);
    memory_free(cells.numbers);
    return ok;
}

static bool write_arrays(writing *w, hmc *h, const gauge *u)
{
    const slice_source links = field_slices(&u->links);
    return write_slices(w, "links.npy", &links, array_shape_of_links(u->links.lattice)) && write_cells(w, h)
           && named_fields_visit(h, (named_fields){ .momenta = &hmc_momenta(h)->f, .start_vectors = true }, write_field,
                                 w);
}

static void energies_to_json(json *j, const hmc *h, const hmc_energies *e)
{
    json_open(j, "energy_before", '[');
    json_real_exact(j, NULL, e->kinetic);
    for (int t = 0; t < hmc_term_count(h); t++)
        json_real_exact(j, NULL, e->term[t]);
    json_real_exact(j, NULL, e->total);
    json_close(j);
}

static void refresh_errors_to_json(json *j, const hmc *h, const hmc_past *past)
{
    json_open(j, "refresh_errors", '[');
    for (int t = 0; t < hmc_term_count(h); t++)
        json_real_exact(j, NULL, past->refresh_error[t]);
    json_close(j);
}

static void timers_to_json(json *j, const clock_tree *c)
{
    clock_tree *shown = memory_alloc(sizeof *shown, "timers");
    clock_show(shown, c);
    json_open(j, "timers", '[');
    for (int n = 0; n < shown->count; n++) {
        json_open(j, NULL, '[');
        json_text(j, NULL, shown->node[n].name);
        json_int(j, NULL, shown->node[n].parent);
        json_int(j, NULL, shown->node[n].calls);
        json_real(j, NULL, shown->node[n].seconds);
        json_close(j);
    }
    json_close(j);
    memory_free(shown);
}

static bool write_facts(const writing *w, const run_params *p, const midtrajectory_label *label, const hmc *h,
                        const clock_tree *clock)
{
    json j = { 0 };
    char seed[32];
    state_memory memory;
    const hmc_past past = hmc_past_of(h);
    text path = path_in_folder(w->folder, MIDTRAJECTORY_FACTS);
    hmc_get_memory(h, &memory);
    snprintf(seed, sizeof seed, "%" PRIu64, (uint64_t)p->random.seed);
    json_open(&j, NULL, '{');
    json_int(&j, "trajectory", label->trajectory);
    json_int(&j, "step", evolver_step(hmc_dynamics(h)));
    json_text(&j, "seed", seed);
    json_int(&j, "stream", p->random.stream);
    json_hex(&j, "input_digest", label->input_digest);
    json_hex(&j, "schedule_digest", midtrajectory_digest_of_schedule(p));
    json_hex(&j, "start_digest", midtrajectory_digest_of_links(hmc_start_links(h)));
    json_real(&j, "seconds", label->seconds);
    if (isfinite(label->joules))
        json_real(&j, "joules", label->joules);
    json_int(&j, "bytes_to_device", (int64_t)past.traffic.to_device);
    json_int(&j, "bytes_from_device", (int64_t)past.traffic.from_device);
    energies_to_json(&j, h, &past.before);
    refresh_errors_to_json(&j, h, &past);
    state_memory_to_json(&j, &memory);
    term_progress_to_json(&j, h);
    timers_to_json(&j, clock);
    json_insert(&j, "files", w->files);
    checksummed_line_add(&j);
    json_close(&j);
    bool ok = safe_file_write_text(text_string(&path), json_string(&j), false, w->f);
    json_free(&j);
    text_free(&path);
    return ok;
}

bool midtrajectory_write(const run_params *p, const midtrajectory_label *label, hmc *h, const gauge *u,
                         const clock_tree *clock, failure *f)
{
    const char *directory = p->output.directory;
    const midtrajectory_name newest = { .trajectory = label->trajectory, .step = evolver_step(hmc_dynamics(h)) };
    json files = { 0 };
    text name = midtrajectory_name_of(newest.trajectory, newest.step), partial;
    text path = path_in_folder(directory, text_string(&name));
    bool made = folder_begin(&partial, directory, text_string(&name), f);
    writing w = { text_string(&partial), &files, f };
    json_open(&files, NULL, '{');
    bool ok = made && write_arrays(&w, h, u);
    json_close(&files);
    ok = ok && write_facts(&w, p, label, h, clock)
         && folder_keep(directory, w.folder, text_string(&path), f);
    if (ok)
        forget_all(directory, is_before, &newest);
    else if (made)
        folder_abandon(w.folder, f);
    json_free(&files);
    text_free(&partial);
    text_free(&name);
    text_free(&path);
    return ok;
}
