/* lime_index.c - read and check the headers of a LIME file.
 *
 * Kiln checks each header, and that its record lies inside the file, before the LIME library sees it: c-lime takes a
 * truncated header for the end of the file, accepts any length, ends the program if the version differs, and prints to
 * stdout. */
#include "src/io/lime_index.h"

#include "src/base/memory.h"

#include <lime.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { LIME_HEADER_SIZE = 144, MOST_RECORDS = 4096, LONGEST_TEXT = 1 << 20 };

static bool add_record(lime_index *index, int capacity, LimeReader *reader, const links_source *s, failure *f)
{
    const lime_record *before = index->count > 0 ? &index->record[index->count - 1] : NULL;
    const bool begins = before && (!index->is_open || limeReaderMBFlag(reader) == 1);
    off_t start = ftello(s->file);
    const char *type = limeReaderType(reader);
    if (start < 0 || !type || strlen(type) >= sizeof index->record->type)
        return fail(f, "%s: record %d cannot be read", s->path, index->count + 1);
    if (index->count == capacity)
        return fail(f, "%s: more than %d records", s->path, capacity);
    lime_record *record = &index->record[index->count++];
    memcpy(record->type, type, strlen(type) + 1);
    record->offset = (uint64_t)start;
    record->length = limeReaderBytes(reader);
    record->message = before ? before->message + begins : 0;
    index->is_open = limeReaderMEFlag(reader) != 1;
    return true;
}

/* Whether a valid header begins at `at`, and its record lies inside the file. */
static bool check_header(const links_source *s, uint64_t at, failure *f)
{
    unsigned char header[LIME_HEADER_SIZE];
    if (!links_source_read(s, at, header, sizeof header, "header of a record", f))
        return false;
    const bool magic = memcmp(header, "\x45\x67\x89\xab\0\1", 6) == 0;
    if (!magic || !memchr(header + 16, '\0', 128))
        return fail(f, "%s: expected a LIME record at byte %llu", s->path, (unsigned long long)at);
    const uint64_t length = (uint64_t)word_decode(header + 8, true) << 32 | word_decode(header + 12, true);
    const uint64_t available = s->size - at - LIME_HEADER_SIZE;
    return (length <= available && -length % 8 <= available - length)
           || fail(f, "%s: record %.128s: %llu bytes and padding, but only %llu bytes are left in the file", s->path,
                   (const char *)header + 16, (unsigned long long)length, (unsigned long long)available);
}

/* Whether all bytes from `at` on are white space or zero. */
static bool is_blank(const links_source *s, uint64_t at)
{
    unsigned char bytes[4096];
    for (; at < s->size; at += sizeof bytes) {
        const size_t n = s->size - at < sizeof bytes ? (size_t)(s->size - at) : sizeof bytes;
        if (!links_source_read(s, at, bytes, n, "end of the file", NULL))
            return false;
        for (size_t i = 0; i < n; i++)
            if (bytes[i] && !strchr(" \t\r\n", bytes[i]))
                return false;
    }
    return true;
}

static bool read_records(lime_index *index, int capacity, LimeReader *reader, const links_source *s, failure *f)
{
    uint64_t end = 0;
    while (end < s->size && !(end > 0 && is_blank(s, end))) {
        if (s->size - end < LIME_HEADER_SIZE)
            return fail(f, "%s: truncated: the %llu bytes after the last complete record are not a record", s->path,
                        (unsigned long long)(s->size - end));
        if (!check_header(s, end, f))
            return false;
        if (fseeko(s->file, (off_t)end, SEEK_SET) != 0 || limeReaderNextRecord(reader) != LIME_SUCCESS)
            return fail(f, "%s: the record at byte %llu cannot be read", s->path, (unsigned long long)end);
        if (!add_record(index, capacity, reader, s, f))
            return false;
        const lime_record *last = &index->record[index->count - 1];
        end = last->offset + last->length + limeReaderPadBytes(reader);
    }
    return true;
}

bool lime_index_read(lime_index *index, const links_source *s, failure *f)
{
    uint64_t fit = s->size / LIME_HEADER_SIZE;
    int capacity = fit < MOST_RECORDS ? (int)fit : MOST_RECORDS;
    *index = (lime_index){ .record = memory_alloc((size_t)capacity * sizeof *index->record, "records of a LIME file") };
    rewind(s->file);
    LimeReader *reader = limeCreateReader(s->file);
    bool ok = reader ? read_records(index, capacity, reader, s, f) : fail(f, "%s: no LIME reader", s->path);
    limeDestroyReader(reader);
    if (!ok)
        lime_index_free(index);
    return ok;
}

void lime_index_free(lime_index *index)
{
    memory_free(index->record);
    *index = (lime_index){ 0 };
}

static bool is_of_type(const lime_index *index, int i, const char *type)
{
    return strcasecmp(index->record[i].type, type) == 0;
}

int lime_index_first(const lime_index *index, const char *type)
{
    int i = 0;
    while (i < index->count && !is_of_type(index, i, type))
        i++;
    return i < index->count ? i : -1;
}

int lime_index_last(const lime_index *index, const char *type)
{
    int i = index->count - 1;
    while (i >= 0 && !is_of_type(index, i, type))
        i--;
    return i;
}

/* "ildg-binary-data", "scidac-binary-data", and those of other codes. */
static bool is_binary(const lime_record *record)
{
    static const char end[] = "binary-data";
    const size_t length = strlen(record->type), n = sizeof end - 1;
    return length >= n && strcasecmp(record->type + length - n, end) == 0;
}

static bool has_binary(const lime_index *index, int message)
{
    for (int i = 0; i < index->count; i++)
        if (index->record[i].message == message && is_binary(&index->record[i]))
            return true;
    return false;
}

int lime_index_find(const lime_index *index, const char *type, int binary)
{
    const int message = index->record[binary].message;
    int nearest = -1;
    bool same = false;
    for (int i = 0; i < index->count; i++) {
        const lime_record *record = &index->record[i];
        const bool is_same = record->message == message;
        if (!is_of_type(index, i, type) || (same && !is_same) || (!is_same && has_binary(index, record->message)))
            continue;
        if (nearest < 0 || (is_same && !same) || abs(i - binary) < abs(nearest - binary))
            nearest = i;
        same = is_same;
    }
    return nearest;
}

char *lime_record_text(const links_source *s, const lime_record *record, failure *f)
{
    if (record->length > LONGEST_TEXT) {
        fail(f, "%s: record %s: %llu bytes; at most %d bytes are allowed for a text", s->path, record->type,
             (unsigned long long)record->length, LONGEST_TEXT);
        return NULL;
    }
    char *content = memory_alloc((size_t)record->length + 1, record->type);
    if (links_source_read(s, record->offset, content, (size_t)record->length, record->type, f))
        return content;
    memory_free(content);
    return NULL;
}
