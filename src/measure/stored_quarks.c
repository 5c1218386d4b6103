/* stored_quarks.c - files of the propagators of a measurement. */
#include "src/measure/stored_quarks.h"

#include "src/base/log.h"
#include "src/base/memory.h"
#include "src/config/number.h"
#include "src/io/disk.h"
#include "src/measure/numbered_file.h"

#include <assert.h>
#include <errno.h>
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

static const char *const precisions[] = { "single", "double", NULL };

#define AT(member) offsetof(stored_quarks_params, member)
const param_spec stored_quarks_specs[] = {
    { .key = "save", .type = PARAM_TEXT, .offset = AT(save), .fallback = "\"\"",
      .flags = PARAM_PATH | PARAM_FREE_TO_CHANGE,
      .doc = "write the propagator of each mass to PATH.TRAJECTORY.NUMBER.lime (of stream S, if it is not 0: "
             "PATH.streamS.TRAJECTORY.NUMBER.lime; if that file has other links: .linksDIGEST before .NUMBER), in "
             "SciDAC's format; empty: none" },
    { .key = "precision", .type = PARAM_CHOICE, .offset = AT(precision), .fallback = "double", .choices = precisions,
      .flags = PARAM_FREE_TO_CHANGE, .doc = "of the numbers that `save` writes: 32 or 64 bits" },
    { .key = "load", .type = PARAM_TEXT, .offset = AT(load), .fallback = "\"\"",
      .flags = PARAM_PATH | PARAM_FREE_TO_CHANGE,
      .doc = "read the propagator of each mass from the file that `save` with the same path wrote, in place of solving "
             "for it; empty: none" },
    { 0 }
};

struct stored_quarks {
    propagator_writer *writer;               /* this or `file`; both NULL if the name belongs to another file */
    propagator_file *file;
    propagator_info info;                    /* of the file that is read */
    text first, other;                       /* its names: the first one may be taken by other links */
    uint64_t links;
    int bits;                                /* of the file that is written */
    text description;
};

static bool is_given(const char *path)
{
    return path && path[0];
}

bool stored_quarks_are_loaded(const stored_quarks_params *p)
{
    return is_given(p->load);
}

bool stored_quarks_have_files(const stored_quarks_params *p)
{
    return is_given(p->save) || is_given(p->load);
}

bool stored_quarks_check(const stored_quarks_params *p, const spin_mesons_task *mesons, const char *name, failure *f)
{
    if (!is_given(p->save) && !is_given(p->load))
        return true;
    if (is_given(p->save) && is_given(p->load))
        return fail(f, "%s: propagators: give save or load, not both", name);
    if (mesons->masses == 0)
        return fail(f, "%s: propagators need correlators: true", name);
    return !meson_source_is_random(mesons->sources)
           || fail(f, "%s: propagators need a source without random numbers: point or wall", name);
}

/* ---- descriptions */

/* The rows of a table but those that do not change the propagator: methods, and the smearing of the sink. */
enum { ROWS_MAX = 16 };
static void copy_rows(param_spec rows[ROWS_MAX], const param_spec *from)
{
    int count = 0;
    for (; from->key; from++) {
        const bool is_free = strcmp(from->key, "sink") == 0 || strcmp(from->key, "source_count") == 0;
        if (is_free || (from->flags & PARAM_NUMERICAL))
            continue;
        assert(count < ROWS_MAX - 1);
        rows[count++] = *from;
    }
    rows[count] = (param_spec){ 0 };
}

typedef struct { meson_source_params sources; } source_params;
#define SOURCE_AT(member) offsetof(source_params, member)
static const param_spec source_specs[] = { SPIN_SOURCE_SPECS(SOURCE_AT), { 0 } };

static void add_source(text *out, const spin_mesons_task *mesons)
{
    param_spec rows[ROWS_MAX], of_smearing[ROWS_MAX];
    const param_spec group[] = { { .key = "smearing", .type = PARAM_GROUP, .offset = offsetof(hadron_params, smearing),
                                   .group = of_smearing }, { 0 } };
    copy_rows(rows, source_specs);
    schema_list_fixed(out, rows, mesons->sources);
    copy_rows(of_smearing, quark_smearing_specs);
    if (quark_smearing_at_source(&mesons->hadrons->smearing))
        schema_list_fixed(out, group, mesons->hadrons);
}

static void describe(text *out, const stored_quarks_task *task)
{
    text_add(out, "quark: %s\nlinks: %016" PRIx64 "\n%s", task->quark, task->links, task->lines);
    add_source(out, task->mesons);
}

/* "<key>value</key>" of the line of this key. */
static void add_element(text *out, const char *description, const char *key)
{
    const size_t n = strlen(key);
    for (const char *s = description; *s; s += strcspn(s, "\n") + 1)
        if (strncmp(s, key, n) == 0 && strncmp(s + n, ": ", 2) == 0)
            text_add(out, "<%s>%.*s</%s>", key, (int)strcspn(s + n + 2, "\n"), s + n + 2, key);
}

static propagator_type type_of(const stored_quarks_task *task)
{
    const bool number = task->mesons->sources->kind == SOURCE_POINT
                        && !quark_smearing_at_source(&task->mesons->hadrons->smearing);
    return number ? PROPAGATOR_ONE_SOURCE : PROPAGATOR_PAIRS;
}

/* ---- files */

static bool make_folder(const char *path, failure *f)
{
    text folder = { 0 };
    const char *slash = strrchr(path, '/');
    if (slash && slash > path)
        text_add(&folder, "%.*s", (int)(slash - path), path);
    const bool ok = folder.length == 0 || disk_make_folders(text_string(&folder)) == 0
                    || fail_system(f, errno, "propagators: the folder %s cannot be created: %s", text_string(&folder),
                                   strerror(errno));
    text_free(&folder);
    return ok;
}

/* Whether there is a propagator of Kiln on other links. */
static bool is_of_other_links(const char *path, uint64_t links)
{
    propagator_info info;
    failure unreadable;
    text ours = { 0 }, its = { 0 };
    propagator_file *file = disk_has_name(path) ? propagator_file_open(path, &info, &unreadable) : NULL;
    if (!file)
        return false;
    text_add(&ours, "%016" PRIx64, links);
    const bool other = propagator_description_text(&its, &info, "links")
                       && strcmp(text_string(&its), text_string(&ours)) != 0;
    text_free(&its);
    text_free(&ours);
    propagator_info_free(&info);
    propagator_file_close(file);
    return other;
}

static void set_names(stored_quarks *s, const stored_quarks_task *task, const char *path)
{
    s->links = task->links;
    text_add(&s->first, "%s", path);
    numbered_file_add(&s->first, task->key, task->number);
    text_add(&s->other, "%s", path);
    numbered_file_add_of_links(&s->other, task->key, task->links, task->number);
}

static bool open_writer(stored_quarks *s, const stored_quarks_task *task, const char *path, failure *f)
{
    static const char *const keys[] = { "quark", "links", "mass", "mu", "boundary", "source", "source_type" };
    text about = { 0 };
    failure why = { .why = "" };
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        add_element(&about, text_string(&s->description), keys[i]);
    s->bits = task->params->precision ? PROPAGATOR_BITS_DOUBLE : PROPAGATOR_BITS_SINGLE;
    const propagator_label label = {
        .lattice = task->u->links.lattice, .type = type_of(task), .about = text_string(&about), .bits = s->bits,
        .description = text_string(&s->description),
    };
    bool taken = false;
    if (make_folder(path, &why))
        s->writer = propagator_writer_open(&taken, path, &label, &why);
    text_free(&about);
    if (taken)
        log_line(LOG_WARNING, "measurement %s: %s; the propagator is not written, the results are kept: for the file, "
                              "give another path in propagators.save", task->name, why.why);
    else if (!s->writer)
        *f = why;
    return s->writer || taken;
}

static bool check_file(const stored_quarks *s, const stored_quarks_task *task, const char *path, failure *f)
{
    const int *n = lattice_global(task->u->links.lattice);
    double residual = 0;
    if (memcmp(s->info.extents, n, sizeof s->info.extents) != 0)
        return fail(f, "%s: the lattice is %s, but that of the links is %s", path, extents_to_text(s->info.extents).s,
                    extents_to_text(n).s);
    if (strcmp(s->info.basis, propagator_basis) != 0)
        return fail(f, "%s: the gamma basis is %s; Kiln reads %s", path, s->info.basis, propagator_basis);
    if (!propagator_description_check(&s->info, text_string(&s->description), path, f))
        return false;
    if (!propagator_description_number(&residual, &s->info, "residual") || !(residual <= task->solved))
        return fail(f, "%s: the residual of its solves is %.3g, but `residual` is %.3g", path, residual, task->solved);
    return true;
}

static bool open_file(stored_quarks *s, const stored_quarks_task *task, const char *path, failure *f)
{
    s->file = propagator_file_open(path, &s->info, f);
    return s->file && check_file(s, task, path, f);
}

stored_quarks *stored_quarks_begin(const stored_quarks_task *task, failure *f)
{
    const bool loads = stored_quarks_are_loaded(task->params);
    stored_quarks *s = memory_alloc(sizeof *s, "propagators in files");
    set_names(s, task, loads ? task->params->load : task->params->save);
    describe(&s->description, task);
    const bool taken = is_of_other_links(text_string(&s->first), task->links)
                       && (!loads || disk_has_name(text_string(&s->other)));
    const char *path = text_string(taken ? &s->other : &s->first);
    if (loads ? open_file(s, task, path, f) : open_writer(s, task, path, f))
        return s;
    stored_quarks_abandon(s);
    return NULL;
}

static propagator_field field_of(spinor_field q)
{
    return (propagator_field){ q.even, q.odd };
}

bool stored_quarks_put(stored_quarks *s, int column, const quark_line *line, failure *f)
{
    return !s->writer || propagator_writer_put(s->writer, column, field_of(line->source), field_of(line->quark), f);
}

bool stored_quarks_get(stored_quarks *s, int column, spinor_field quark, failure *f)
{
    return propagator_file_read(s->file, column, field_of(quark), f);
}

/* Numbers of 32 bits are rounded by up to FLT_EPSILON / 2 of their size. */
static double residual_in_file(double residual, int bits)
{
    return bits == PROPAGATOR_BITS_SINGLE ? fmax(residual, FLT_EPSILON / 2) : residual;
}

/* A second run may write its file while this one solves. */
static bool write_end(stored_quarks *s, failure *f)
{
    propagator_writer *writer = s->writer;
    s->writer = NULL;
    propagator_writer_set_other_name(writer, text_string(&s->other));
    if (!propagator_writer_commit(writer, text_string(&s->description), f))
        return false;
    if (is_of_other_links(text_string(&s->first), s->links))
        log_line(LOG_INFO, "%s: has a propagator on other links and is kept; the propagator on the present links is in "
                           "%s", text_string(&s->first), text_string(&s->other));
    return true;
}

bool stored_quarks_end(stored_quarks *s, double *residual, failure *f)
{
    bool ok = true;
    if (s->file) {
        propagator_description_number(residual, &s->info, "residual");
    } else if (s->writer) {
        text_add(&s->description, "residual: ");
        number_add_real(&s->description, residual_in_file(*residual, s->bits));
        text_add(&s->description, "\n");
        ok = write_end(s, f);
    }
    stored_quarks_abandon(s);
    return ok;
}

void stored_quarks_abandon(stored_quarks *s)
{
    if (!s)
        return;
    propagator_writer_abandon(s->writer);
    propagator_file_close(s->file);
    propagator_info_free(&s->info);
    text_free(&s->description);
    text_free(&s->first);
    text_free(&s->other);
    memory_free(s);
}
