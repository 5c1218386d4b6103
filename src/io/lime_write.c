/* lime_write.c - links to ILDG and SciDAC files; QIO reads both.
 *
 *     message 1   scidac-private-file-xml, scidac-file-xml
 *     message 2   scidac-private-record-xml, scidac-record-xml,
 *                 ILDG: ildg-format, ildg-data-lfn, ildg-binary-data; SciDAC: scidac-binary-data,
 *                 scidac-checksum
 *     message 3   kiln-run-state, after all records that other codes read
 *
 * The file depends only on the links, on `info` and, if info->lfn is empty, on the name of the file: the same state
 * gives the same bytes, so that two streams can be compared file by file.  Therefore the date in the record's XML is
 * the epoch. */
#include "src/io/lime_records.h"
#include "src/io/links_formats.h"
#include "src/io/run_state.h"
#include "src/io/scidac_xml.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* The file that is being written. */
typedef struct {
    const links_target *target;
    const char *binary_type;
    const links_info *info;
    links_sum sum;
    text scratch;
    lime_records out;
} lime_target;

/* Write the text in `scratch` as a record, with the terminating zero that readers of QIO expect. */
static bool write_text(lime_target *file, const char *type, int flags)
{
    const bool ok = lime_record_write(&file->out, type, text_string(&file->scratch), file->scratch.length + 1, flags);
    text_clear(&file->scratch);
    return ok;
}

static bool write_file_xml(lime_target *file)
{
    const int *n = file->info->extents;
    text_add(&file->scratch, XML_HEAD "<scidacFile><version>1.1</version><spacetime>4</spacetime>"
             "<dims>%d %d %d %d </dims><volfmt>0</volfmt></scidacFile>", n[0], n[1], n[2], n[3]);
    if (!write_text(file, "scidac-private-file-xml", MESSAGE_BEGINS))
        return false;
    text_add(&file->scratch, XML_HEAD "<title>Kiln gauge configuration</title>");
    return write_text(file, "scidac-file-xml", MESSAGE_ENDS);
}

static bool write_record_xml(lime_target *file)
{
    const links_info *info = file->info;
    const char *precision = info->bits == 32 ? "F" : "D";
    text_add(&file->scratch, XML_HEAD "<scidacRecord><version>1.1</version><date>Thu Jan  1 00:00:00 1970 UTC</date>"
             "<recordtype>0</recordtype><datatype>QDP_%s3_ColorMatrix</datatype><precision>%s</precision>"
             "<colors>3</colors><typesize>%d</typesize><datacount>4</datacount></scidacRecord>",
             precision, precision, 18 * info->bits / 8);
    if (!write_text(file, "scidac-private-record-xml", MESSAGE_BEGINS))
        return false;

    text_add(&file->scratch, XML_HEAD "<usqcdInfo><version>1.0</version>");
    if (info->has_plaquette)
        text_add(&file->scratch, "<plaq>%.17g</plaq>", info->plaquette);
    if (info->has_link_trace)
        text_add(&file->scratch, "<linktr>%.17g</linktr>", info->link_trace);
    text_add(&file->scratch, "<info>written by Kiln</info></usqcdInfo>");
    return write_text(file, "scidac-record-xml", 0);
}

/* Without a logical file name (LFN) in an archive, the LFN is lfn://local/FILE. */
static bool write_format(lime_target *file)
{
    const links_info *info = file->info;
    const int *n = info->extents;
    text_add(&file->scratch, XML_HEAD "<ildgFormat xmlns=\"http://www.lqcd.org/ildg\" "
             "xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" "
             "xsi:schemaLocation=\"http://www.lqcd.org/ildg/filefmt.xsd\"><version>1.0</version>"
             "<field>su3gauge</field><precision>%d</precision>"
             "<lx>%d</lx><ly>%d</ly><lz>%d</lz><lt>%d</lt></ildgFormat>", info->bits, n[0], n[1], n[2], n[3]);
    if (!write_text(file, "ildg-format", 0))
        return false;
    const char *slash = strrchr(file->out.path, '/');
    if (info->lfn[0])
        text_add(&file->scratch, "%s", info->lfn);
    else
        text_add(&file->scratch, "lfn://local/%s", slash ? slash + 1 : file->out.path);
    return write_text(file, "ildg-data-lfn", 0);
}

static bool put_record_data(const links_target *t, void *with, const void *bytes, size_t n, failure *f)
{
    lime_target *file = with;
    (void)t, (void)f;                   /* those of the file */
    return lime_record_put(&file->out, file->binary_type, bytes, n);
}

static bool write_links(lime_target *file)
{
    const links_layout layout = { .bits = file->info->bits, .big_endian = true, .rows = 3 };
    const links_sink record = { .checksum = &lime_checksum, .sum = &file->sum, .put = put_record_data, .with = file };
    uint64_t bytes = links_count(file->info->extents) * (uint64_t)file->info->bits / 8;
    return lime_record_begin(&file->out, file->binary_type, bytes, 0)
           && links_encode(file->target, &layout, &record, file->out.f)
           && lime_record_end(&file->out, file->binary_type);
}

static bool write_checksum(lime_target *file)
{
    text_add(&file->scratch, XML_HEAD "<scidacChecksum><version>1.0</version><suma>%" PRIx32 "</suma><sumb>%" PRIx32
             "</sumb></scidacChecksum>", file->sum.scidac.a, file->sum.scidac.b);
    return write_text(file, "scidac-checksum", MESSAGE_ENDS);
}

static bool write_state(lime_target *file)
{
    if (!file->info->has_state)
        return true;
    run_state_to_text(&file->info->state, &file->scratch);
    return write_text(file, "kiln-run-state", MESSAGE_BEGINS | MESSAGE_ENDS);
}

static bool write_records(lime_target *file)
{
    return write_file_xml(file) && write_record_xml(file)
           && (file->info->format != FORMAT_ILDG || write_format(file)) && write_links(file) && write_checksum(file)
           && write_state(file);
}

bool lime_links_write(const links_target *t, failure *f)
{
    lime_target file = { .target = t, .info = t->info, .out = { t->path, limeCreateWriter(t->stream), f },
                         .binary_type = t->info->format == FORMAT_ILDG ? "ildg-binary-data" : "scidac-binary-data" };
    if (!file.out.writer)
        return fail(f, "%s: no LIME writer", t->path);
    errno = 0;
    bool ok = write_records(&file);
    limeDestroyWriter(file.out.writer);
    text_free(&file.scratch);
    lime_checksum.print(t->info->checksum, &file.sum);
    return ok;
}
