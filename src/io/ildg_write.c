/* ildg_write.c - links to an ILDG file that QIO's readers accept too.
 *
 *     message 1   scidac-private-file-xml, scidac-file-xml
 *     message 2   scidac-private-record-xml, scidac-record-xml, ildg-format, ildg-data-lfn,
 *                 ildg-binary-data, scidac-checksum
 *     message 3   kiln-run-state, behind everything that other codes look for
 *
 * The file depends on the links and on `info` only: the same state gives the same bytes, so that two
 * streams can be compared file by file.  For that the date in the record's XML is the epoch. */
#include "src/io/links_source.h"
#include "src/io/run_state.h"
#include "src/io/safe_file.h"

#include "src/base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <lime.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { CHUNK_SITES = 1024, REALS_PER_SITE = 72 };

#define XML_HEAD "<?xml version=\"1.0\" encoding=\"UTF-8\"?>"

typedef enum { MESSAGE_BEGINS = 1, MESSAGE_ENDS = 2 } message_flags;

/* The file while it is written. */
typedef struct {
    const char *path;
    LimeWriter *lime;
    const links_info *info;
    scidac_checksum sum;
    text scratch;
    failure *f;
} ildg_file;

static bool write_header(ildg_file *file, const char *type, uint64_t bytes, int flags)
{
    LimeRecordHeader *header = limeCreateHeader((flags & MESSAGE_BEGINS) != 0, (flags & MESSAGE_ENDS) != 0,
                                                (char *)type, bytes);
    int status = header ? limeWriteRecordHeader(header, file->lime) : LIME_ERR_PARAM;
    limeDestroyHeader(header);
    return status == LIME_SUCCESS || fail(file->f, "%s: record %s: cannot be written: %s", file->path, type,
                                          errno ? strerror(errno) : "LIME");
}

static bool write_bytes(ildg_file *file, const char *type, const void *bytes, size_t n)
{
    n_uint64_t written = n;
    errno = 0;
    return (limeWriteRecordData((void *)bytes, &written, file->lime) == LIME_SUCCESS && written == n)
           || fail(file->f, "%s: record %s: cannot be written: %s", file->path, type,
                   errno ? strerror(errno) : "LIME");
}

static bool close_record(ildg_file *file, const char *type)
{
    return limeWriterCloseRecord(file->lime) == LIME_SUCCESS
           || fail(file->f, "%s: record %s: cannot be ended", file->path, type);
}

/* The text in `scratch` as a record, with the zero that QIO's readers expect behind it. */
static bool write_text(ildg_file *file, const char *type, int flags)
{
    size_t n = file->scratch.length + 1;
    bool ok = write_header(file, type, n, flags) && write_bytes(file, type, text_string(&file->scratch), n)
              && close_record(file, type);
    text_clear(&file->scratch);
    return ok;
}

static bool write_file_xml(ildg_file *file)
{
    const int *n = file->info->extents;
    text_add(&file->scratch, XML_HEAD "<scidacFile><version>1.1</version><spacetime>4</spacetime>"
             "<dims>%d %d %d %d </dims><volfmt>0</volfmt></scidacFile>", n[0], n[1], n[2], n[3]);
    if (!write_text(file, "scidac-private-file-xml", MESSAGE_BEGINS))
        return false;
    text_add(&file->scratch, XML_HEAD "<title>Kiln gauge configuration</title>");
    return write_text(file, "scidac-file-xml", MESSAGE_ENDS);
}

static bool write_record_xml(ildg_file *file)
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

/* A configuration without a name in an archive is named after its file. */
static bool write_format(ildg_file *file)
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
    const char *slash = strrchr(file->path, '/');
    if (info->lfn[0])
        text_add(&file->scratch, "%s", info->lfn);
    else
        text_add(&file->scratch, "lfn://local/%s", slash ? slash + 1 : file->path);
    return write_text(file, "ildg-data-lfn", 0);
}

/* The links as the file will hold them: single precision rounds, once. */
static double as_stored(double real, int bits)
{
    return bits == 32 ? (double)(float)real : real;
}

static bool write_links(ildg_file *file, const double *links)
{
    static const char type[] = "ildg-binary-data";
    const links_info *info = file->info;
    size_t reals = links_count(info->extents), sites = reals / REALS_PER_SITE;
    size_t site_bytes = (size_t)(REALS_PER_SITE * info->bits / 8);
    for (size_t i = 0; i < reals; i++)
        if (!isfinite(as_stored(links[i], info->bits)))
            return fail(file->f, "%s: record %s: a link is not finite in %s precision", file->path, type,
                        precision_name(info->bits));
    if (!write_header(file, type, sites * site_bytes, 0))
        return false;

    unsigned char *bytes = memory_alloc(CHUNK_SITES * site_bytes, "bytes of a file");
    bool ok = true;
    for (size_t first = 0; ok && first < sites; first += CHUNK_SITES) {
        size_t n = sites - first < CHUNK_SITES ? sites - first : CHUNK_SITES;
        reals_encode(bytes, links + first * REALS_PER_SITE, n * REALS_PER_SITE, info->bits, true);
        for (size_t i = 0; i < n; i++)
            scidac_checksum_add(&file->sum, first + i, bytes + i * site_bytes, site_bytes);
        ok = write_bytes(file, type, bytes, n * site_bytes);
    }
    memory_free(bytes);
    return ok && close_record(file, type);
}

static bool write_checksum(ildg_file *file)
{
    text_add(&file->scratch, XML_HEAD "<scidacChecksum><version>1.0</version><suma>%" PRIx32 "</suma><sumb>%" PRIx32
             "</sumb></scidacChecksum>", file->sum.a, file->sum.b);
    return write_text(file, "scidac-checksum", MESSAGE_ENDS);
}

static bool write_state(ildg_file *file)
{
    if (!file->info->has_state)
        return true;
    run_state_to_text(&file->info->state, &file->scratch);
    return write_text(file, "kiln-run-state", MESSAGE_BEGINS | MESSAGE_ENDS);
}

static bool write_records(const char *path, FILE *stream, const double *links, const links_info *info,
                          scidac_checksum *sum, failure *f)
{
    ildg_file file = { .path = path, .lime = limeCreateWriter(stream), .info = info, .f = f };
    if (!file.lime)
        return fail(f, "%s: no LIME writer", path);
    errno = 0;
    bool ok = write_file_xml(&file) && write_record_xml(&file) && write_format(&file) && write_links(&file, links)
              && write_checksum(&file) && write_state(&file);
    limeDestroyWriter(file.lime);
    text_free(&file.scratch);
    *sum = file.sum;
    return ok;
}

static bool same_state(const run_state *a, const run_state *b)
{
    text ta = { 0 }, tb = { 0 };
    run_state_to_text(a, &ta);
    run_state_to_text(b, &tb);
    bool same = strcmp(text_string(&ta), text_string(&tb)) == 0;
    text_free(&ta);
    text_free(&tb);
    return same;
}

/* The system is asked to forget its copy of the file, so that the disk answers when it is read again. */
static void forget_cached(const char *path)
{
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        return;
    posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED);
    close(descriptor);
}

/* Read the temporary file and compare every bit with what was to be written. */
static bool verify(const char *path, const char *temporary, const double *links, const links_info *info, failure *f)
{
    links_info found;
    forget_cached(temporary);
    double *again = links_read(temporary, &found, f);
    if (!again)
        return false;
    bool ok = found.bits == info->bits && memcmp(found.extents, info->extents, sizeof found.extents) == 0
              && strcmp(found.checksum, info->checksum) == 0 && found.has_state == info->has_state
              && (!info->has_state || same_state(&found.state, &info->state));
    for (size_t i = 0; ok && i < links_count(info->extents); i++) {
        double wanted = as_stored(links[i], info->bits);
        ok = memcmp(&again[i], &wanted, sizeof wanted) == 0;
    }
    memory_free(again);
    return ok || fail(f, "%s: what was written reads back differently; the disk or the memory is faulty", path);
}

bool links_write_ildg(const char *path, const double *links, links_info *info, bool replace, failure *f)
{
    if (info->bits != 32 && info->bits != 64)
        return fail(f, "%s: a precision of %d bits; ILDG has 32 and 64", path, info->bits);
    safe_file *s = safe_file_create(path, replace, f);
    if (!s)
        return false;
    scidac_checksum sum = { 0, 0 };
    bool ok = write_records(path, safe_file_stream(s), links, info, &sum, f) && safe_file_flush(s, f);
    if (ok) {
        snprintf(info->checksum, sizeof info->checksum, "%" PRIx32 " %" PRIx32, sum.a, sum.b);
        ok = verify(path, safe_file_temporary(s), links, info, f);
    }
    if (ok)
        return safe_file_commit(s, f);
    safe_file_abandon(s);
    return false;
}
