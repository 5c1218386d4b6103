/* failure_folder.c - write a failed step to a folder, and read it back. */
#include "src/ensemble/failure_folder.h"

#include "src/base/memory.h"
#include "src/base/json_members.h"
#include "src/ensemble/ensemble_parameters.h"
#include "src/ensemble/folder_files.h"
#include "src/ensemble/named_fields.h"
#include "src/ensemble/term_progress.h"
#include "src/io/disk.h"
#include "src/io/state_memory_json.h"
#include "src/io/safe_file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define FAILURE_PREFIX "failure."

typedef struct { const char *folder; failure *f; } field_files;

static bool write_field(void *with, const char *name, field *x)
{
    const field_files *to = with;
    const slice_source slices = field_slices(x);
    return folder_write(to->folder, name, &slices, array_shape_of_field(x), to->f);
}

static bool write_fields(const char *folder, hmc *h, failure *f)
{
    return named_fields_visit(h, (named_fields){ .momenta = NULL }, write_field, &(field_files){ folder, f });
}

static bool write_matrices(const char *folder, hmc *h, const gauge *u, failure *f)
{
    const array_shape shape = array_shape_of_links(u->links.lattice);
    const slice_source links = field_slices(&u->links);
    if (!folder_write(folder, "links.npy", &links, shape, f))
        return false;
    if (!hmc_momenta(h))
        return true;
    const slice_source momenta = momentum_matrix_slices(hmc_momenta(h));
    return folder_write(folder, "momenta.npy", &momenta, shape, f);
}

static bool write_facts(const char *folder, const failure_scene *s, failure *f)
{
    const hmc_failure *t = s->failure;
    json j = { 0 };
    char seed[32];
    state_memory memory;
    text path = path_in_folder(folder, "failure.json");
    const evolve_term *term = &hmc_terms(s->h)[t->term];
    hmc_get_memory(s->h, &memory);
    snprintf(seed, sizeof seed, "%" PRIu64, (uint64_t)s->params->random.seed);
    json_open(&j, NULL, '{');
    json_int(&j, "trajectory", s->trajectory);
    json_text(&j, "step", hmc_step_names[t->step]);
    json_text(&j, "term", term->name);
    json_text(&j, "reason", t->why.why);
    json_text(&j, "seed", seed);
    json_int(&j, "stream", s->params->random.stream);
    if (run_is_tempered(s->params))
        json_int(&j, "replica", hmc_all_terms(s->h)->replica);
    json_bool(&j, "momenta", hmc_momenta(s->h) != NULL);
    state_memory_to_json(&j, &memory);
    term_progress_to_json(&j, s->h);
    json_open(&j, "report", '{');
    hmc_log_warnings(s->h, t->term, s->trajectory);
    monomial_report(term->m, &j);
    json_close(&j);
    json_close(&j);
    bool ok = safe_file_write_text(text_string(&path), json_string(&j), false, f);
    json_free(&j);
    text_free(&path);
    return ok;
}

void failure_folder_sweep(const char *directory)
{
    folders_sweep(directory, FAILURE_PREFIX);
}

/* The first free name; no other process takes it, for the caller holds the lock. */
static text free_name(const run_params *p, int64_t number)
{
    text folder = { 0 };
    text_add(&folder, "%s/" FAILURE_PREFIX "%06" PRId64, p->output.directory, number);
    for (int n = 2; disk_has_name(text_string(&folder)); n++) {
        text_clear(&folder);
        text_add(&folder, "%s/" FAILURE_PREFIX "%06" PRId64 ".%d", p->output.directory, number, n);
    }
    return folder;
}

bool failure_folder_write(text *folder, const failure_scene *s, failure *f)
{
    const char *directory = s->params->output.directory;
    text partial;
    char name[64];
    snprintf(name, sizeof name, FAILURE_PREFIX "%06" PRId64, s->trajectory);
    *folder = free_name(s->params, s->trajectory);
    bool made = folder_begin(&partial, directory, name, f);
    const char *path = text_string(&partial);
    bool ok = made && ensemble_parameters_write(path, s->params, ENSEMBLE_ONE_ABOVE, f)
              && write_matrices(path, s->h, s->u, f) && write_fields(path, s->h, f) && write_facts(path, s, f)
              && folder_keep(directory, path, text_string(folder), f);
    if (made && !ok)
        folder_abandon(path, f);
    text_free(&partial);
    return ok;
}

static bool read_step(hmc_step *step, const members *m)
{
    const char *s = json_members_text(m, "step");
    for (int i = STEP_PREPARE; s && hmc_step_names[i]; i++)
        if (strcmp(hmc_step_names[i], s) == 0) {
            *step = (hmc_step)i;
            return true;
        }
    return s && fail(m->f, "%s: unknown step \"%.40s\"", m->where, s);
}

static bool read_facts(failure_folder_facts *facts, const members *m)
{
    uint64_t trajectory = 0, stream = 0, number = 0;
    const char *term = NULL, *reason = NULL;
    bool ok = json_members_count(&trajectory, INT64_MAX, m, "trajectory") && read_step(&facts->step, m)
              && (term = json_members_text(m, "term")) && (reason = json_members_text(m, "reason"))
              && json_members_bool(&facts->has_momenta, m, "momenta")
              && json_members_count(&facts->seed, UINT64_MAX, m, "seed")
              && json_members_count(&stream, UINT32_MAX, m, "stream") && state_memory_from_json(&facts->memory, m);
    if (!ok)
        return false;
    const yyjson_val *replica = yyjson_obj_get(m->object, "replica");
    if (replica && !json_members_count(&number, REPLICAS_MAX - 1, m, "replica"))
        return false;
    facts->replica = (int)number;
    facts->trajectory = (int64_t)trajectory;
    facts->stream = (uint32_t)stream;
    snprintf(facts->term, sizeof facts->term, "%s", term);
    snprintf(facts->reason.why, sizeof facts->reason.why, "%s", reason);
    return true;
}

bool failure_folder_read(failure_folder_facts *facts, const char *folder, failure *f)
{
    text path = path_in_folder(folder, "failure.json");
    const bool there = disk_has(text_string(&path)) || errno != ENOENT
        || fail(f, "%s: expected a folder failure.NNNNNN of an ensemble, found no failure.json in it", folder);
    yyjson_doc *doc = there ? disk_read_json(text_string(&path), f) : NULL;
    *facts = (failure_folder_facts){ .step = STEP_NONE };
    const bool ok = doc && read_facts(facts, &(members){ yyjson_doc_get_root(doc), text_string(&path), f });
    yyjson_doc_free(doc);
    text_free(&path);
    return ok;
}

static bool read_links(gauge *u, const char *folder, failure *f)
{
    const slice_sink links = gauge_slice_sink(u);
    return folder_read(&links, folder, "links.npy", array_shape_of_links(u->links.lattice), f);
}

/* Momenta that Kiln wrote are antihermitian and traceless to the last bit. */
static bool read_momenta(momentum *p, const char *folder, failure *f)
{
    momentum_intake in = { .p = p };
    const slice_sink matrices = momentum_matrix_sink(&in);
    return folder_read(&matrices, folder, "momenta.npy", array_shape_of_links(p->f.lattice), f)
           && (in.rest == 0 || fail(f, "%s/momenta.npy: a matrix is not antihermitian and traceless", folder));
}

static bool read_field(void *with, const char *name, field *x)
{
    const field_files *from = with;
    const slice_sink slices = field_slice_sink(x);
    return folder_read(&slices, from->folder, name, array_shape_of_field(x), from->f);
}

static bool read_fields(hmc *h, const char *folder, failure *f)
{
    return named_fields_visit(h, (named_fields){ .momenta = NULL }, read_field, &(field_files){ folder, f });
}

int failure_folder_term(const hmc *h, const failure_folder_facts *facts, const char *folder, failure *f)
{
    for (int t = 0; t < hmc_term_count(h); t++)
        if (strcmp(hmc_terms(h)[t].name, facts->term) == 0)
            return t;
    fail(f, "%s/failure.json: parameters.yaml has no monomial \"%s\"", folder, facts->term);
    return -1;
}

static bool read_progress(hmc *h, const char *folder, failure *f)
{
    text path = path_in_folder(folder, "failure.json");
    yyjson_doc *doc = disk_read_json(text_string(&path), f);
    const bool ok = doc && term_progress_from_json(h, &(members){ yyjson_doc_get_root(doc), text_string(&path), f });
    yyjson_doc_free(doc);
    text_free(&path);
    return ok;
}

bool failure_folder_load(gauge *u, momentum *p, hmc *h, const failure_folder_facts *facts, const char *folder,
                         failure *f)
{
    bool needs_fields = facts->step == STEP_ACTION || facts->step == STEP_FORCE;
    hmc_set_memory(h, &facts->memory);
    hmc_all_terms(h)->replica = facts->replica;
    return read_links(u, folder, f) && (!p || !facts->has_momenta || read_momenta(p, folder, f))
           && (!needs_fields || (read_fields(h, folder, f) && read_progress(h, folder, f)));
}
