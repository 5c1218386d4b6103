/* lime_links.c - links in ILDG and SciDAC files.
 *
 * ILDG    ildg-format has extents and precision, ildg-binary-data the links;
 * SciDAC  scidac-private-file-xml has the extents, scidac-private-record-xml the precision,
 *         scidac-binary-data the links.
 * A file written through QIO may be both; then the two descriptions must agree.  Links are big endian.
 * Other records are ignored.  lime_index_find chooses the records that describe the links. */
#include "src/base/log.h"
#include "src/base/memory.h"
#include "src/io/lime_index.h"
#include "src/io/links_formats.h"
#include "src/io/run_state.h"
#include "src/io/scidac_xml.h"
#include "src/io/xml.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* A file that is being read. */
typedef struct {
    const links_source *s;
    lime_index index;
    int binary;                    /* number of the record with the links */
    links_layout layout;
    bool has_extents;
} lime_file;

/* The record of `type` as a text (memory_free), NULL if there is none; false if it cannot be read. */
static bool text_of(char **content, const lime_file *file, const char *type, failure *f)
{
    int i = lime_index_find(&file->index, type, file->binary);
    *content = i < 0 ? NULL : lime_record_text(file->s, &file->index.record[i], f);
    return i < 0 || *content;
}

/* Find the record with the links, and thus the format. */
static bool find_binary(lime_file *file, links_info *info, failure *f)
{
    static const struct { const char *type; links_format format; } kinds[] = {
        { "ildg-binary-data", FORMAT_ILDG },
        { "scidac-binary-data", FORMAT_SCIDAC },
    };
    for (int kind = 0; kind < 2; kind++) {
        int found = lime_index_first(&file->index, kinds[kind].type);
        if (found < 0)
            continue;
        if (lime_index_last(&file->index, kinds[kind].type) != found)
            return fail(f, "%s: several records %s; Kiln reads files with one configuration", file->s->path,
                        kinds[kind].type);
        file->binary = found;
        info->format = kinds[kind].format;
        return true;
    }
    return fail(f, "%s: no record ildg-binary-data or scidac-binary-data", file->s->path);
}

/* Store the extents that a record has; all records must agree. */
static bool merge_extents(lime_file *file, links_info *info, const char *type, const long long found[4], failure *f)
{
    int extents[4];
    if (!links_extents_check(file->s, type, found, extents, f))
        return false;
    if (file->has_extents && memcmp(extents, info->extents, sizeof extents) != 0)
        return fail(f, "%s: record %s: the lattice is %s, but another record says %s", file->s->path, type,
                    extents_to_text(extents).s, extents_to_text(info->extents).s);
    memcpy(info->extents, extents, sizeof extents);
    file->has_extents = true;
    return true;
}

static bool merge_bits(lime_file *file, const char *type, int bits, failure *f)
{
    if (file->layout.bits != 0 && file->layout.bits != bits)
        return fail(f, "%s: record %s: %s precision, but another record says %s", file->s->path, type,
                    precision_name(bits), precision_name(file->layout.bits));
    file->layout.bits = bits;
    return true;
}

static bool read_ildg_format(lime_file *file, links_info *info, const char *xml, failure *f)
{
    static const char type[] = "ildg-format";
    static const char *const tags[4] = { "lx", "ly", "lz", "lt" };
    const char *path = file->s->path;
    char field[32];
    long long found[4], precision;
    if (!xml_text(xml, "field", field, sizeof field) || strcmp(field, "su3gauge") != 0)
        return fail(f, "%s: record %s: the field is not su3gauge", path, type);
    for (int mu = 0; mu < 4; mu++)
        if (!xml_integer(xml, tags[mu], &found[mu]))
            return fail(f, "%s: record %s: %s is missing or not a number", path, type, tags[mu]);
    if (!xml_integer(xml, "precision", &precision) || (precision != 32 && precision != 64))
        return fail(f, "%s: record %s: the precision is neither 32 nor 64", path, type);
    return merge_extents(file, info, type, found, f) && merge_bits(file, type, (int)precision, f);
}

static bool read_private_file(lime_file *file, links_info *info, const char *xml, failure *f)
{
    static const char type[] = SCIDAC_PRIVATE_FILE;
    long long found[4];
    if (!scidac_extents_read(found, file->s, xml, f))
        return false;
    return merge_extents(file, info, type, found, f);
}

/* Check a number in XML: it has this value, or is missing. */
static bool require_record(const lime_file *file, const char *xml, const char *tag, long long wanted, failure *f)
{
    long long found = wanted;
    char text_found[64];
    if (!xml_text(xml, tag, text_found, sizeof text_found))
        return true;
    if (xml_integer(xml, tag, &found) && found == wanted)
        return true;
    return fail(f, "%s: record scidac-private-record-xml: %s is %s, but SU(3) links need %lld", file->s->path, tag,
                text_found, wanted);
}

static bool read_private_record(lime_file *file, const char *xml, failure *f)
{
    static const char type[] = "scidac-private-record-xml";
    char precision[8], datatype[64];
    if (!xml_text(xml, "precision", precision, sizeof precision)
        || (strcmp(precision, "F") != 0 && strcmp(precision, "D") != 0))
        return fail(f, "%s: record %s: the precision is neither F nor D", file->s->path, type);
    int bits = precision[0] == 'F' ? 32 : 64;
    if (!merge_bits(file, type, bits, f))
        return false;

    /* QIO's names of types contain the precision, too: QDP_F3_ColorMatrix. */
    if (xml_text(xml, "datatype", datatype, sizeof datatype)
        && (strncmp(datatype, "QDP_F3_", 7) == 0 || strncmp(datatype, "QDP_D3_", 7) == 0)
        && (datatype[4] != precision[0] || strcmp(datatype + 7, "ColorMatrix") != 0))
        return fail(f, "%s: record %s: the datatype is %s, but precision %s needs QDP_%s3_ColorMatrix",
                    file->s->path, type, datatype, precision, precision);
    return require_record(file, xml, "recordtype", 0, f) && require_record(file, xml, "globaldata", 0, f)
           && require_record(file, xml, "colors", 3, f) && require_record(file, xml, "datacount", 4, f)
           && require_record(file, xml, "typesize", 18 * bits / 8, f);
}

/* An optional number of scidac-record-xml.  False with the reason if the element is present but is not a number. */
static bool read_optional_number(const lime_file *file, const char *xml, const char *tag, bool *has, double *value,
                                 failure *f)
{
    char found[64];
    *has = xml_real(xml, tag, value);
    return *has || !xml_text(xml, tag, found, sizeof found) || !found[0]
           || fail(f, "%s: record scidac-record-xml: %s is \"%s\", not a number", file->s->path, tag, found);
}

/* Read extents, precision and metadata; the record with the links must have the size that follows from them. */
static bool describe_links(lime_file *file, links_info *info, bool *is_scidac, failure *f)
{
    const lime_record *binary = &file->index.record[file->binary];
    char *ildg = NULL, *private_file = NULL, *private_record = NULL, *record = NULL;
    bool ok = text_of(&ildg, file, "ildg-format", f) && text_of(&private_file, file, "scidac-private-file-xml", f)
              && text_of(&private_record, file, "scidac-private-record-xml", f)
              && text_of(&record, file, "scidac-record-xml", f);
    if (ok && info->format == FORMAT_ILDG)
        ok = ildg ? read_ildg_format(file, info, ildg, f)
                  : fail(f, "%s: record ildg-format is missing", file->s->path);
    if (ok && info->format == FORMAT_SCIDAC && !(private_file && private_record))
        ok = fail(f, "%s: record %s is missing", file->s->path,
                  private_file ? "scidac-private-record-xml" : "scidac-private-file-xml");
    ok = ok && (!private_file || read_private_file(file, info, private_file, f));
    ok = ok && (!private_record || read_private_record(file, private_record, f));
    ok = ok && (!record || (read_optional_number(file, record, "plaq", &info->has_plaquette, &info->plaquette, f)
                            && read_optional_number(file, record, "linktr", &info->has_link_trace, &info->link_trace,
                                                    f)));
    *is_scidac = private_record != NULL;
    info->bits = file->layout.bits;
    memory_free(ildg);
    memory_free(private_file);
    memory_free(private_record);
    memory_free(record);

    char what[160];
    snprintf(what, sizeof what, "record %s", binary->type);
    return ok && links_size_check(file->s, what, binary->length, info->extents, &file->layout, f);
}

static void add_site(links_sum *sum, uint64_t rank, const unsigned char *site, size_t bytes,
                     const links_layout *layout)
{
    (void)layout;
    scidac_checksum_add(&sum->scidac, rank, site, bytes);
}

static void merge_sums(links_sum *sum, const links_sum *other)
{
    sum->scidac.a ^= other->scidac.a;
    sum->scidac.b ^= other->scidac.b;
}

static void print_sum(char printed[48], const links_sum *sum)
{
    snprintf(printed, 48, "%" PRIx32 " %" PRIx32, sum->scidac.a, sum->scidac.b);
}

const links_checksum lime_checksum = { add_site, merge_sums, print_sum, "record scidac-checksum:" };

/* A file written through QIO has a checksum; a plain ILDG file need not. */
static bool read_checksum(const lime_file *file, links_info *info, bool needed, failure *f)
{
    links_sum stored = { .scidac = { 0, 0 } };
    char *xml;
    if (!text_of(&xml, file, "scidac-checksum", f))
        return false;
    if (!xml)
        return !needed || fail(f, "%s: record scidac-checksum is missing", file->s->path);
    const bool ok = scidac_checksum_read(&stored.scidac, file->s, xml, f);
    memory_free(xml);
    if (!ok)
        return false;
    info->has_checksum = true;
    print_sum(info->checksum, &stored);
    return true;
}

static bool read_lfn(const lime_file *file, links_info *info, failure *f)
{
    char *lfn;
    if (!text_of(&lfn, file, "ildg-data-lfn", f))
        return false;
    if (lfn) {
        const char *start = lfn + strspn(lfn, " \t\r\n");
        snprintf(info->lfn, sizeof info->lfn, "%.*s", (int)strcspn(start, " \t\r\n"), start);
    }
    memory_free(lfn);
    return true;
}

static bool read_state(const lime_file *file, links_info *info, failure *f)
{
    char *content, name[512];
    if (!text_of(&content, file, "kiln-run-state", f))
        return false;
    if (!content)
        return true;
    snprintf(name, sizeof name, "%s: record kiln-run-state", file->s->path);
    info->has_state = run_state_from_text(&info->state, content, name, f);
    memory_free(content);
    return info->has_state;
}

bool lime_links_read(const links_source *s, links_info *info, links_block *block, failure *f)
{
    static const char *const names[] = { [FORMAT_ILDG] = "ildg-binary-data", [FORMAT_SCIDAC] = "scidac-binary-data" };
    lime_file file = { .s = s, .layout = { .big_endian = true, .rows = 3 } };
    bool is_scidac = false;
    if (!lime_index_read(&file.index, s, f))
        return false;
    bool ok = find_binary(&file, info, f) && describe_links(&file, info, &is_scidac, f)
              && read_checksum(&file, info, is_scidac, f) && read_lfn(&file, info, f) && read_state(&file, info, f);
    if (ok && file.index.is_open && !info->has_checksum)
        log_line(LOG_WARNING, "%s: the last LIME message has no end, and there is no checksum: records that would "
                              "follow may be missing", s->path);
    if (ok)
        *block = (links_block){ names[info->format], file.index.record[file.binary].offset, file.layout, false };
    lime_index_free(&file.index);
    return ok;
}
