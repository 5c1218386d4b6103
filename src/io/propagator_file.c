/* propagator_file.c - read propagators of quarks from SciDAC files. */
#include "src/io/propagator_file.h"

#include "src/base/memory.h"
#include "src/io/disk.h"
#include "src/io/lime_index.h"
#include "src/io/scidac_xml.h"
#include "src/io/xml.h"
#include "src/lattice/field_slices.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const char *const propagator_type_names[] = {
    [PROPAGATOR_ONE_SOURCE] = "USQCD_DiracFermion_ScalarSource_TwelveSink",
    [PROPAGATOR_SCALAR_PAIRS] = "USQCD_DiracFermion_ScalarSource_Sink_Pairs",
    [PROPAGATOR_PAIRS] = "USQCD_DiracFermion_Source_Sink_Pairs", NULL,
};
const char *const propagator_basis = "degrand-rossi";

enum { NUMBER_REALS = 2, COLORS = 3, WHOLE_FIELD = 0 };

/* A field in the file.  is_part: a source of a part of the lattice, whose numbers Kiln does not read. */
typedef struct {
    int record, column, bits, reals;
    bool is_source, is_part;
    scidac_checksum sum;
} file_field;

struct propagator_file {
    links_source s;
    lime_index index;
    text path;
    int extents[4];
    int count;
    file_field *field;
};

void propagator_info_free(propagator_info *info)
{
    text_free(&info->description);
}

static size_t slice_sites(const propagator_file *p)
{
    return (size_t)p->extents[0] * (size_t)p->extents[1] * (size_t)p->extents[2];
}

/* ---- records */

/* The record of `type` of the field whose data are record number `binary`: a text (memory_free), NULL with the
 * reason. */
static char *text_of(const propagator_file *p, const char *type, int binary, failure *f)
{
    const int i = lime_index_find(&p->index, type, binary);
    if (i >= 0 && p->index.record[i].message == p->index.record[binary].message)
        return lime_record_text(&p->s, &p->index.record[i], f);
    fail(f, "%s: record %d, " SCIDAC_DATA ": its message has no record %s", p->s.path, binary + 1, type);
    return NULL;
}

/* The first record of a type, in the same way. */
static char *first_text(const propagator_file *p, const char *type, failure *f)
{
    const int i = lime_index_first(&p->index, type);
    if (i >= 0)
        return lime_record_text(&p->s, &p->index.record[i], f);
    fail(f, "%s: record %s is missing", p->s.path, type);
    return NULL;
}

static bool read_extents(propagator_file *p, propagator_info *info, failure *f)
{
    long long found[4];
    char *xml = first_text(p, SCIDAC_PRIVATE_FILE, f);
    const bool ok = xml && scidac_extents_read(found, &p->s, xml, f)
                    && links_extents_check(&p->s, "record " SCIDAC_PRIVATE_FILE, found, info->extents, f);
    memory_free(xml);
    memcpy(p->extents, info->extents, sizeof p->extents);
    return ok;
}

static bool read_type(const propagator_file *p, propagator_info *info, failure *f)
{
    char type[80];
    char *xml = first_text(p, SCIDAC_FILE, f);
    int i = 0;
    bool ok = xml != NULL;
    if (ok && (!strstr(xml, "usqcdPropFile") || !xml_text(xml, "type", type, sizeof type)))
        ok = fail(f, "%s: record " SCIDAC_FILE ": no usqcdPropFile with a type: not a propagator", p->s.path);
    while (ok && propagator_type_names[i] && strcmp(type, propagator_type_names[i]) != 0)
        i++;
    if (ok && !propagator_type_names[i])
        ok = fail(f, "%s: record " SCIDAC_FILE ": the type is %s, which Kiln does not read", p->s.path, type);
    info->type = (propagator_type)i;
    if (ok && !xml_text(xml, "gammaBasis", info->basis, sizeof info->basis))
        snprintf(info->basis, sizeof info->basis, "%s", propagator_basis);
    memory_free(xml);
    return ok;
}

static bool read_number(long long *number, const char *xml, const char *tag, long long otherwise)
{
    char found[64];
    *number = otherwise;
    return xml_integer(xml, tag, number) || !xml_text(xml, tag, found, sizeof found);
}

/* Bits, and the size that they give to the record. */
static bool read_private_record(const propagator_file *p, file_field *entry, const char *xml, failure *f)
{
    const lime_record *record = &p->index.record[entry->record];
    char words[8];
    long long type, size, count;
    if (!xml_text(xml, "precision", words, sizeof words)
        || (strcmp(words, "F") != 0 && strcmp(words, "D") != 0))
        return fail(f, "%s: record %d: the precision is neither F nor D", p->s.path, entry->record + 1);
    entry->bits = words[0] == 'F' ? PROPAGATOR_BITS_SINGLE : PROPAGATOR_BITS_DOUBLE;
    if (!read_number(&type, xml, "recordtype", WHOLE_FIELD) || !read_number(&count, xml, "datacount", 1)
        || !xml_integer(xml, "typesize", &size))
        return fail(f, "%s: record %d: recordtype, typesize and datacount are not numbers", p->s.path,
                    entry->record + 1);
    entry->is_part = type != WHOLE_FIELD;
    if (entry->is_part)
        return entry->is_source || fail(f, "%s: record %d: a quark on a part of the lattice", p->s.path,
                                        entry->record + 1);
    const uint64_t site = (uint64_t)entry->reals * (uint64_t)entry->bits / 8;
    if ((uint64_t)size * (uint64_t)count != site)
        return fail(f, "%s: record %d: %lld x %lld bytes a site, but %s in %s precision has %" PRIu64, p->s.path,
                    entry->record + 1, size, count, entry->reals == NUMBER_REALS ? "a number" : "a spinor",
                    precision_name(entry->bits), site);
    const uint64_t needed = site * slice_sites(p) * (uint64_t)p->extents[3];
    return record->length == needed
           || fail(f, "%s: record %d: %" PRIu64 " bytes, but %s needs %" PRIu64, p->s.path, entry->record + 1,
                   record->length, extents_to_text(p->extents).s, needed);
}

static bool read_column(const propagator_file *p, file_field *entry, const char *xml, failure *f)
{
    long long spin, color;
    if (!xml_integer(xml, "spin", &spin) || !xml_integer(xml, "color", &color) || spin < 0
        || spin >= PROPAGATOR_COLUMNS / COLORS || color < 0 || color >= COLORS)
        return fail(f, "%s: record %d: spin and color of the source are missing or wrong", p->s.path,
                    entry->record + 1);
    entry->column = (int)(COLORS * spin + color);
    return true;
}

static bool read_field(propagator_file *p, file_field *entry, failure *f)
{
    char *private = text_of(p, SCIDAC_PRIVATE_RECORD, entry->record, f), *xml = NULL, *sum = NULL;
    bool ok = private && read_private_record(p, entry, private, f)
              && (sum = text_of(p, SCIDAC_CHECKSUM, entry->record, f))
              && scidac_checksum_read(&entry->sum, &p->s, sum, f);
    if (ok && !entry->is_source)
        ok = (xml = text_of(p, SCIDAC_RECORD, entry->record, f)) && read_column(p, entry, xml, f);
    memory_free(private);
    memory_free(sum);
    memory_free(xml);
    return ok;
}

/* What the number of a field in the file says about it. */
static file_field numbered_field(propagator_type type, int number, int record)
{
    const bool source = type == PROPAGATOR_ONE_SOURCE ? number == 0 : number % 2 == 0;
    return (file_field){ .record = record, .column = -1, .is_source = source,
                         .reals = source && type != PROPAGATOR_PAIRS ? NUMBER_REALS : PROPAGATOR_SPINOR_REALS };
}

static bool add_field(propagator_file *p, propagator_info *info, int record, failure *f)
{
    file_field *entry = &p->field[p->count];
    *entry = numbered_field(info->type, p->count, record);
    if (!read_field(p, entry, f))
        return false;
    p->count++;
    info->sources += entry->is_source;
    info->quarks += !entry->is_source;
    if (entry->is_source)
        return true;
    if (info->bits != 0 && info->bits != entry->bits)
        return fail(f, "%s: record %d: %s precision, but another quark has %s", p->s.path, record + 1,
                    precision_name(entry->bits), precision_name(info->bits));
    info->bits = entry->bits;
    return true;
}

static bool read_fields(propagator_file *p, propagator_info *info, failure *f)
{
    p->field = memory_alloc((size_t)p->index.count * sizeof *p->field, "fields of a file");
    for (int i = 0; i < p->index.count; i++)
        if (strcmp(p->index.record[i].type, SCIDAC_DATA) == 0 && !add_field(p, info, i, f))
            return false;
    const int quarks = info->type == PROPAGATOR_ONE_SOURCE ? PROPAGATOR_COLUMNS : info->sources;
    if (info->quarks == 0 || info->quarks != quarks)
        return fail(f, "%s: truncated: %d quarks, but a file %s with %d sources has %d", p->s.path, info->quarks,
                    propagator_type_names[info->type], info->sources, quarks);
    return true;
}

static bool read_description(const propagator_file *p, propagator_info *info, failure *f)
{
    const int i = lime_index_first(&p->index, PROPAGATOR_DESCRIPTION);
    char *words = i < 0 ? NULL : lime_record_text(&p->s, &p->index.record[i], f);
    if (i >= 0 && !words)
        return false;
    if (words)
        text_add(&info->description, "%s", words);
    memory_free(words);
    return true;
}

propagator_file *propagator_file_open(const char *path, propagator_info *info, failure *f)
{
    propagator_file *p = memory_alloc(sizeof *p, "a file of propagators");
    *info = (propagator_info){ 0 };
    text_add(&p->path, "%s", path);
    if (!links_source_open(&p->s, text_string(&p->path), f)) {
        text_free(&p->path);
        memory_free(p);
        return NULL;
    }
    if (lime_index_read(&p->index, &p->s, f) && read_extents(p, info, f) && read_type(p, info, f)
        && read_fields(p, info, f) && read_description(p, info, f))
        return p;
    propagator_info_free(info);
    propagator_file_close(p);
    return NULL;
}

void propagator_file_close(propagator_file *file)
{
    if (!file)
        return;
    memory_free(file->field);
    lime_index_free(&file->index);
    links_source_close(&file->s);
    text_free(&file->path);
    memory_free(file);
}

bool propagator_file_is_one(const char *path)
{
    links_source s;
    lime_index index;
    bool is_one = false;
    if (!links_source_open(&s, path, NULL))
        return false;
    if (lime_index_read(&index, &s, NULL)) {
        const int i = lime_index_first(&index, SCIDAC_FILE);
        char *xml = i < 0 ? NULL : lime_record_text(&s, &index.record[i], NULL);
        is_one = xml && strstr(xml, "usqcdPropFile");
        memory_free(xml);
        lime_index_free(&index);
    }
    links_source_close(&s);
    return is_one;
}

/* ---- numbers */

/* A time slice of a field, and its part of the checksum. */
static bool read_slice(double *slice, scidac_checksum *sum, const propagator_file *p, const file_field *entry, int t,
                       unsigned char *bytes, failure *f)
{
    const size_t sites = slice_sites(p), site = (size_t)entry->reals * (size_t)entry->bits / 8;
    const uint64_t at = p->index.record[entry->record].offset + (uint64_t)t * sites * site;
    if (!links_source_read(&p->s, at, bytes, sites * site, SCIDAC_DATA, f))
        return false;
    for (size_t i = 0; i < sites; i++)
        scidac_checksum_add(sum, (uint64_t)t * sites + i, bytes + i * site, site);
    reals_decode(slice, bytes, sites * (size_t)entry->reals, entry->bits, true);
    return true;
}

static bool check_sum(const propagator_file *p, const file_field *entry, scidac_checksum found, failure *f)
{
    return (found.a == entry->sum.a && found.b == entry->sum.b)
           || fail(f, "%s: record %d: record " SCIDAC_CHECKSUM " says %08" PRIx32 " %08" PRIx32 ", but the numbers "
                   "give %08" PRIx32 " %08" PRIx32, p->s.path, entry->record + 1, entry->sum.a, entry->sum.b, found.a,
                   found.b);
}

/* All slices of a field, to `to` where that is given. */
static bool read_numbers(const propagator_file *p, const file_field *entry, const slice_sink *to, failure *f)
{
    const size_t reals = slice_sites(p) * (size_t)entry->reals;
    double *slice = slice_alloc(reals);
    unsigned char *bytes = memory_alloc(reals * (size_t)entry->bits / 8, "bytes of a file");
    scidac_checksum sum = { 0, 0 };
    bool finite = true, ok = true;
    for (int t = 0; ok && t < p->extents[3]; t++) {
        ok = read_slice(slice, &sum, p, entry, t, bytes, f);
        finite = finite && reals_are_finite(slice, reals);
        if (ok && to)
            to->set(to->to, t, slice);
    }
    memory_free(bytes);
    memory_free(slice);
    return ok && check_sum(p, entry, sum, f)
           && (finite || fail(f, "%s: record %d: a number is not finite", p->s.path, entry->record + 1));
}

static void set_both(void *to, int t, const double *slice)
{
    const propagator_field *q = to;
    field_set_slice(&q->even->f, t, slice);
    field_set_slice(&q->odd->f, t, slice);
}

bool propagator_file_read(propagator_file *file, int column, propagator_field q, failure *f)
{
    const slice_sink to = { set_both, &q, file->extents[3], field_slice_reals(&q.even->f) };
    const file_field *found = NULL;
    for (int i = 0; i < file->count; i++) {
        if (file->field[i].is_source || file->field[i].column != column)
            continue;
        if (found)
            return fail(f, "%s: two quarks from spin %d and color %d", file->s.path, column / COLORS, column % COLORS);
        found = &file->field[i];
    }
    if (!found)
        return fail(f, "%s: no quark from spin %d and color %d", file->s.path, column / COLORS, column % COLORS);
    return read_numbers(file, found, &to, f);
}

bool propagator_file_check(propagator_file *file, failure *f)
{
    for (int i = 0; i < file->count; i++)
        if (!file->field[i].is_part && !read_numbers(file, &file->field[i], NULL, f))
            return false;
    return true;
}
