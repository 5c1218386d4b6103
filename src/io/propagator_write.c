/* propagator_write.c - write propagators of quarks to SciDAC files, and compare their descriptions.
 *
 * The file depends on the numbers and the label only; therefore the date in the records' XML is the epoch. */
#include "src/io/propagator_file.h"

#include "src/base/memory.h"
#include "src/io/disk.h"
#include "src/io/lime_records.h"
#include "src/io/safe_file.h"
#include "src/io/scidac_xml.h"
#include "src/lattice/field_slices.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { COLORS = 3, NUMBER_REALS = 2 };

struct propagator_writer {
    propagator_label label;
    safe_file *file;
    lime_records out;
    text path, scratch;                     /* label.about and label.description are not kept */
    double *slice[2];
    unsigned char *bytes;
};

/* ---- records */

/* The text in `scratch`, with the terminating zero that readers of QIO expect. */
static bool put_text(propagator_writer *w, const char *type, int flags, failure *f)
{
    w->out.f = f;
    const bool ok = lime_record_write(&w->out, type, text_string(&w->scratch), w->scratch.length + 1, flags);
    text_clear(&w->scratch);
    return ok;
}

static bool put_file_xml(propagator_writer *w, failure *f)
{
    const int *n = lattice_global(w->label.lattice);
    text_add(&w->scratch, XML_HEAD "<scidacFile><version>1.1</version><spacetime>4</spacetime>"
             "<dims>%d %d %d %d </dims><volfmt>0</volfmt></scidacFile>", n[0], n[1], n[2], n[3]);
    if (!put_text(w, SCIDAC_PRIVATE_FILE, MESSAGE_BEGINS, f))
        return false;
    text_add(&w->scratch, XML_HEAD "<usqcdPropFile><version>1.0</version><type>%s</type><info>"
             "<writer>Kiln</writer><gammaBasis>%s</gammaBasis>%s</info></usqcdPropFile>",
             propagator_type_names[w->label.type], propagator_basis, w->label.about);
    return put_text(w, SCIDAC_FILE, MESSAGE_ENDS, f);
}

static bool put_private_record(propagator_writer *w, bool is_number, failure *f)
{
    const char *letter = w->label.bits == PROPAGATOR_BITS_SINGLE ? "F" : "D";
    const int reals = is_number ? NUMBER_REALS : PROPAGATOR_SPINOR_REALS;
    text_add(&w->scratch, XML_HEAD "<scidacRecord><version>1.1</version><date>Thu Jan  1 00:00:00 1970 UTC</date>"
             "<recordtype>0</recordtype><datatype>USQCD_%s3_%s</datatype><precision>%s</precision>%s"
             "<typesize>%d</typesize><datacount>1</datacount></scidacRecord>", letter,
             is_number ? "Complex" : "DiracFermion", letter, is_number ? "" : "<colors>3</colors><spins>4</spins>",
             reals * w->label.bits / 8);
    return put_text(w, SCIDAC_PRIVATE_RECORD, MESSAGE_BEGINS, f);
}

static bool put_checksum(propagator_writer *w, scidac_checksum sum, failure *f)
{
    text_add(&w->scratch, XML_HEAD "<scidacChecksum><version>1.0</version><suma>%" PRIx32 "</suma><sumb>%" PRIx32
             "</sumb></scidacChecksum>", sum.a, sum.b);
    return put_text(w, SCIDAC_CHECKSUM, MESSAGE_ENDS, f);
}

/* ---- numbers */

/* The numbers of a time slice: spinors, or those of spin 0 and color 0.  Collective. */
static size_t get_slice(propagator_writer *w, propagator_field q, int t, bool is_number)
{
    const size_t reals = field_slice_reals(&q.even->f), sites = reals / PROPAGATOR_SPINOR_REALS;
    double *a = w->slice[0], *b = w->slice[1];
    field_get_slice(a, &q.even->f, t);
    field_get_slice(b, &q.odd->f, t);
    for (size_t i = 0; i < reals; i++)
        a[i] += b[i];
    if (!is_number)
        return reals;
    for (size_t i = 0; i < sites; i++)
        for (int k = 0; k < NUMBER_REALS; k++)
            a[NUMBER_REALS * i + (size_t)k] = a[PROPAGATOR_SPINOR_REALS * i + (size_t)k];
    return NUMBER_REALS * sites;
}

static bool put_slice(propagator_writer *w, scidac_checksum *sum, int t, size_t reals, size_t site_reals, failure *f)
{
    const size_t site = site_reals * (size_t)w->label.bits / 8, sites = reals / site_reals;
    reals_round(w->slice[0], reals, w->label.bits);
    if (!reals_are_finite(w->slice[0], reals))
        return fail(f, "%s: a number of the propagator is not finite in %s precision", text_string(&w->path),
                    precision_name(w->label.bits));
    reals_encode(w->bytes, w->slice[0], reals, w->label.bits, true);
    for (size_t i = 0; i < sites; i++)
        scidac_checksum_add(sum, (uint64_t)t * sites + i, w->bytes + i * site, site);
    w->out.f = f;
    return lime_record_put(&w->out, SCIDAC_DATA, w->bytes, reals * (size_t)w->label.bits / 8);
}

/* Reads every slice even after a fault, because reading is collective. */
static bool put_numbers(propagator_writer *w, propagator_field q, bool is_number, bool ok, failure *f)
{
    const int *n = lattice_global(w->label.lattice);
    const size_t site_reals = is_number ? NUMBER_REALS : PROPAGATOR_SPINOR_REALS;
    const uint64_t sites = (uint64_t)n[0] * (uint64_t)n[1] * (uint64_t)n[2] * (uint64_t)n[3];
    scidac_checksum sum = { 0, 0 };
    w->out.f = f;
    ok = ok && lime_record_begin(&w->out, SCIDAC_DATA, sites * site_reals * (uint64_t)w->label.bits / 8, 0);
    for (int t = 0; t < n[3]; t++) {
        const size_t reals = get_slice(w, q, t, is_number);
        ok = ok && put_slice(w, &sum, t, reals, site_reals, f);
    }
    return ok && lime_record_end(&w->out, SCIDAC_DATA) && put_checksum(w, sum, f);
}

static bool put_source(propagator_writer *w, int column, propagator_field q, failure *f)
{
    const bool is_number = w->label.type != PROPAGATOR_PAIRS;
    bool ok = put_private_record(w, is_number, f);
    text_add(&w->scratch, XML_HEAD "<usqcdSourceInfo><version>1.0</version>");
    if (!is_number)
        text_add(&w->scratch, "<spin>%d</spin><color>%d</color>", column / COLORS, column % COLORS);
    text_add(&w->scratch, "<info>written by Kiln</info></usqcdSourceInfo>");
    ok = ok && put_text(w, SCIDAC_RECORD, 0, f);
    return put_numbers(w, q, is_number, ok, f);
}

static bool put_quark(propagator_writer *w, int column, propagator_field q, failure *f)
{
    bool ok = put_private_record(w, false, f);
    text_add(&w->scratch, XML_HEAD "<usqcdPropInfo><version>1.0</version><spin>%d</spin><color>%d</color>"
             "<info>written by Kiln</info></usqcdPropInfo>", column / COLORS, column % COLORS);
    ok = ok && put_text(w, SCIDAC_RECORD, 0, f);
    return put_numbers(w, q, false, ok, f);
}

bool propagator_writer_put(propagator_writer *w, int column, propagator_field source, propagator_field quark,
                           failure *f)
{
    errno = 0;
    if ((column == 0 || w->label.type != PROPAGATOR_ONE_SOURCE) && !put_source(w, column, source, f))
        return false;
    return put_quark(w, column, quark, f);
}

/* ---- the file */

/* Whether the file at the path may be replaced. */
static bool may_replace(const char *path, const propagator_label *label, failure *f)
{
    propagator_info info;
    propagator_file *there = propagator_file_open(path, &info, f);
    if (!there) {
        const failure why = *f;
        return fail_because(f, &why, "%s; this file is not overwritten", why.why);
    }
    failure why;
    bool same = propagator_description_check(&info, label->description, path, &why)
                || fail_because(f, &why, "%s; this file is not overwritten", why.why);
    if (same && info.bits != label->bits)
        same = fail(f, "%s: the propagator of the file has %d bits, but %d are needed; this file is not overwritten",
                    path, info.bits, label->bits);
    propagator_info_free(&info);
    propagator_file_close(there);
    return same;
}

propagator_writer *propagator_writer_open(bool *taken, const char *path, const propagator_label *label, failure *f)
{
    const bool there = disk_has_name(path);
    const int *n = lattice_global(label->lattice);
    const size_t reals = (size_t)n[0] * (size_t)n[1] * (size_t)n[2] * PROPAGATOR_SPINOR_REALS;
    assert(label->type != PROPAGATOR_SCALAR_PAIRS);
    *taken = there && !may_replace(path, label, f);
    if (*taken)
        return NULL;
    safe_file *file = safe_file_create(path, there, f);
    if (!file)
        return NULL;
    propagator_writer *w = memory_alloc(sizeof *w, "a file of propagators");
    w->label = *label;
    w->file = file;
    text_add(&w->path, "%s", path);
    for (int i = 0; i < 2; i++)
        w->slice[i] = slice_alloc(reals);
    w->bytes = memory_alloc(reals * sizeof(double), "bytes of a file");
    w->out = (lime_records){ text_string(&w->path), limeCreateWriter(safe_file_stream(file)), f };
    errno = 0;
    if ((w->out.writer || fail(f, "%s: no LIME writer", path)) && put_file_xml(w, f))
        return w;
    propagator_writer_abandon(w);
    return NULL;
}

/* All but the file itself. */
static void free_writer(propagator_writer *w)
{
    if (w->out.writer)
        limeDestroyWriter(w->out.writer);
    for (int i = 0; i < 2; i++)
        memory_free(w->slice[i]);
    memory_free(w->bytes);
    text_free(&w->path);
    text_free(&w->scratch);
    memory_free(w);
}

void propagator_writer_set_other_name(propagator_writer *w, const char *path)
{
    safe_file_set_other_name(w->file, path);
}

bool propagator_writer_commit(propagator_writer *w, const char *description, failure *f)
{
    safe_file *file = w->file;
    text_add(&w->scratch, "%s", description);
    const bool ok = put_text(w, PROPAGATOR_DESCRIPTION, MESSAGE_BEGINS | MESSAGE_ENDS, f);
    free_writer(w);
    if (ok)
        return safe_file_commit(file, f);
    safe_file_abandon(file);
    return false;
}

void propagator_writer_abandon(propagator_writer *w)
{
    if (!w)
        return;
    safe_file *file = w->file;
    free_writer(w);
    safe_file_abandon(file);
}

/* ---- descriptions */

static const char free_key[] = "residual: ";

/* The end of the line that begins at `s`. */
static const char *end_of_line(const char *s)
{
    return s + strcspn(s, "\n");
}

static const char *next_line(const char *s)
{
    const char *end = end_of_line(s);
    return *end ? end + 1 : end;
}

static const char *compared_line(const char *s)
{
    while (strncmp(s, free_key, sizeof free_key - 1) == 0)
        s = next_line(s);
    return s;
}

/* Report the first pair of lines that differ; one of them is empty if its text has ended.  The message then names the
 * key up to its first dot: "no smearing" for "smearing.steps: 6". */
static bool fail_at(const char *there, int there_length, const char *here, int here_length, const char *path,
                    failure *f)
{
    if (here_length == 0)
        return fail(f, "%s: the propagator of the file has \"%.*s\", but no %.*s is needed", path, there_length, there,
                    (int)strcspn(there, ".:\n"), there);
    if (there_length == 0)
        return fail(f, "%s: the propagator of the file has no %.*s, but \"%.*s\" is needed", path,
                    (int)strcspn(here, ".:\n"), here, here_length, here);
    return fail(f, "%s: the propagator of the file has \"%.*s\", but \"%.*s\" is needed", path, there_length, there,
                here_length, here);
}

bool propagator_description_check(const propagator_info *info, const char *wanted, const char *path, failure *f)
{
    const char *there = compared_line(text_string(&info->description)), *here = compared_line(wanted);
    if (info->description.length == 0)
        return fail(f, "%s: no record " PROPAGATOR_DESCRIPTION ": links, mass, boundary and source of this propagator "
                       "are not known", path);
    while (*there || *here) {
        const int a = (int)(end_of_line(there) - there), b = (int)(end_of_line(here) - here);
        if (a != b || strncmp(there, here, (size_t)a) != 0)
            return fail_at(there, a, here, b, path, f);
        there = compared_line(next_line(there));
        here = compared_line(next_line(here));
    }
    return true;
}

/* The text behind "key: " in the first line with this key; NULL if there is none. */
static const char *value_of(const propagator_info *info, const char *key)
{
    const size_t n = strlen(key);
    for (const char *s = text_string(&info->description); *s; s = next_line(s))
        if (strncmp(s, key, n) == 0 && strncmp(s + n, ": ", 2) == 0)
            return s + n + 2;
    return NULL;
}

bool propagator_description_text(text *value, const propagator_info *info, const char *key)
{
    const char *begin = value_of(info, key);
    if (begin)
        text_add_bytes(value, begin, (size_t)(end_of_line(begin) - begin));
    return begin != NULL;
}

bool propagator_description_number(double *number, const propagator_info *info, const char *key)
{
    char *end;
    const char *begin = value_of(info, key);
    if (!begin)
        return false;
    *number = strtod(begin, &end);
    return end > begin && (*end == '\n' || *end == '\0');
}
