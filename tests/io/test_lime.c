/* test_lime.c - records go in and come out, and what is not a record is refused. */
#include "tests/facts.h"
#include "tests/io/scratch.h"

#include <lime.h>

/* c-lime itself may be linked; it takes less care. */
#ifdef KILN_LIME_LIME_H
enum { BUNDLED = true };
#else
enum { BUNDLED = false };
#endif

static const struct { const char *type, *data; int begins, ends; } records[] = {
    { "first", "12345678", 1, 0 },
    { "second, with padding", "abc", 0, 0 },
    { "third, empty", "", 0, 1 },
    { "fourth", "the only one of its message", 1, 1 },
};
enum { RECORDS = sizeof records / sizeof *records };

static void write_records(const char *path)
{
    FILE *file = fopen(path, "w+b");
    LimeWriter *w = limeCreateWriter(file);
    bool ok = true;
    for (int i = 0; i < RECORDS; i++) {
        n_uint64_t n = strlen(records[i].data);
        LimeRecordHeader *h = limeCreateHeader(records[i].begins, records[i].ends, (char *)records[i].type, n);
        ok = ok && h && limeWriteRecordHeader(h, w) == LIME_SUCCESS;
        limeDestroyHeader(h);
        ok = ok && limeWriteRecordData((void *)records[i].data, &n, w) == LIME_SUCCESS && n == strlen(records[i].data);
        ok = ok && limeWriterCloseRecord(w) == LIME_SUCCESS;
    }
    fact(ok && limeDestroyWriter(w) == LIME_SUCCESS && fclose(file) == 0, "records are written");
}

static void layout(const char *path)
{
    static const unsigned char head[16] = { 0x45, 0x67, 0x89, 0xab, 0, 1, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 8 };
    blob b = blob_read(path);
    fact(b.n == 4 * 144 + 8 + 8 + 0 + 32, "a record takes 144 bytes and its data, filled up to a multiple of 8");
    fact(memcmp(b.bytes, head, sizeof head) == 0 && strcmp((char *)b.bytes + 16, "first") == 0,
         "the header is the published one");
    fact(memcmp(b.bytes + 144 + 8 + 144, "abc\0\0\0\0\0", 8) == 0, "padding is zeros");
    free(b.bytes);
}

static void read_records(const char *path)
{
    FILE *file = fopen(path, "rb");
    LimeReader *r = limeCreateReader(file);
    off_t second = 0;
    for (int i = 0; i < RECORDS; i++) {
        char data[64] = "";
        n_uint64_t n = sizeof data - 1;
        int next = limeReaderNextRecord(r);
        if (i == 0)
            second = limeGetReaderPointer(r);
        bool ok = next == LIME_SUCCESS && strcmp(limeReaderType(r), records[i].type) == 0
                  && limeReaderMBFlag(r) == records[i].begins && limeReaderMEFlag(r) == records[i].ends
                  && limeReaderBytes(r) == strlen(records[i].data)
                  && (limeReaderBytes(r) + limeReaderPadBytes(r)) % 8 == 0;
        int status = limeReaderReadData(data, &n, r);
        ok = ok && status == (records[i].data[0] ? LIME_SUCCESS : LIME_EOR) && strcmp(data, records[i].data) == 0;
        n = 1;
        ok = ok && limeReaderReadData(data, &n, r) == LIME_EOR;
        fact(ok, "record \"%s\" comes back", records[i].type);
    }
    fact(limeReaderNextRecord(r) == LIME_EOF, "behind the last record is the end of the file");

    char c[4] = "";
    n_uint64_t n = 2;
    fact(limeSetReaderPointer(r, second) == LIME_SUCCESS && limeReaderNextRecord(r) == LIME_SUCCESS
         && strcmp(limeReaderType(r), records[1].type) == 0, "the reader can be set on a record");
    fact(limeReaderSeek(r, 1, SEEK_SET) == LIME_SUCCESS && limeReaderReadData(c, &n, r) == LIME_SUCCESS
         && strcmp(c, "bc") == 0, "and on a byte of its data");
    n = 1;
    fact(limeReaderSeek(r, 4, SEEK_SET) == LIME_ERR_SEEK && limeReaderReadData(c, &n, r) == LIME_EOR,
         "but not behind it: it is left at the end");
    n = 1;
    fact(limeReaderSeek(r, -4, SEEK_CUR) == LIME_ERR_SEEK && limeReaderReadData(c, &n, r) == LIME_SUCCESS
         && c[0] == 'a', "nor before it: it is left at the beginning");
    n = 2;
    fact(limeReaderSeek(r, 3, SEEK_SET) == LIME_SUCCESS && limeReaderSeek(r, -3, SEEK_CUR) == LIME_SUCCESS
         && limeReaderReadData(c, &n, r) == LIME_SUCCESS && strcmp(c, "ab") == 0, "seeking back is relative");

    FILE *again = fopen(path, "rb");
    LimeReader *twin = limeCreateReader(again);
    n = 2;
    fact(limeReaderSetState(twin, r) == LIME_SUCCESS && limeReaderReadData(c, &n, twin) == LIME_SUCCESS && n == 1
         && c[0] == 'c' && limeReaderNextRecord(twin) == LIME_SUCCESS, "a second reader goes on where the first is");
    limeDestroyReader(twin);
    fclose(again);
    limeDestroyReader(r);
    fclose(file);
}

/* The statuses of all records of a file of these bytes: the first that is not success. */
static int status_of(const char *path, const unsigned char *bytes, size_t n)
{
    blob_write(path, bytes, n);
    FILE *file = fopen(path, "rb");
    LimeReader *r = limeCreateReader(file);
    int status;
    while ((status = limeReaderNextRecord(r)) == LIME_SUCCESS)
        continue;
    limeDestroyReader(r);
    fclose(file);
    return status;
}

static void garbage(scratch *s, blob good)
{
    const char *path = scratch_path(s, "bad.lime");
    fact(status_of(path, good.bytes, good.n) == LIME_EOF, "a good file ends with the end of the file");
    int unseen = 0;
    size_t ends[RECORDS + 1] = { 0 };
    for (int i = 0; i < RECORDS; i++)
        ends[i + 1] = ends[i] + 144 + (strlen(records[i].data) + 7) / 8 * 8;
    for (size_t n = 1; n < good.n; n++) {
        bool between = false;
        for (int i = 0; i < RECORDS; i++)
            between = between || n == ends[i];
        unseen += (status_of(path, good.bytes, n) == LIME_EOF) != between;
    }
    fact(unseen == 0, "a file cut anywhere but between records is refused");

    static const struct { size_t at; unsigned char byte; const char *what; } changes[] = {
        { 0, 0x46, "another magic number" },  { 5, 2, "another version" },  { 8, 0x80, "a length of 2^63" },
        { 8, 0xff, "a length near 2^64" },    { 11, 1, "a length of 2^32" }, { 15, 9, "a length off by one" },
    };
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        unsigned char was = good.bytes[changes[i].at];
        good.bytes[changes[i].at] = changes[i].byte;
        fact(status_of(path, good.bytes, good.n) < 0 && status_of(path, good.bytes, good.n) != LIME_EOF,
             "%s is refused", changes[i].what);
        good.bytes[changes[i].at] = was;
    }
    memset(good.bytes + 16, 'x', 128);
    fact(status_of(path, good.bytes, good.n) == LIME_ERR_READ, "a type without an end is refused");
    unlink(path);
}

static void rules_of_writing(const char *path)
{
    char too_long[200];
    memset(too_long, 'x', sizeof too_long - 1);
    too_long[sizeof too_long - 1] = '\0';
    fact(limeCreateHeader(1, 1, too_long, 0) == NULL, "a type of 199 characters fits no header");

    FILE *file = fopen(path, "w+b");
    LimeWriter *w = limeCreateWriter(file);
    LimeRecordHeader *begins = limeCreateHeader(1, 0, "a", 5), *goes_on = limeCreateHeader(0, 0, "b", 16);
    n_uint64_t n = 1;
    fact(limeWriteRecordData("x", &n, w) == LIME_ERR_PARAM, "data need a header first");
    fact(limeWriteRecordHeader(begins, w) == LIME_SUCCESS && limeWriteRecordHeader(goes_on, w) == LIME_ERR_HEADER_NEXT,
         "a header may not follow where data are due");
    n = 8;
    fact(limeWriteRecordData("12345678", &n, w) == LIME_SUCCESS && n == 5, "no more data than announced are taken");
    limeWriterCloseRecord(w);
    fact(limeWriteRecordHeader(begins, w) == LIME_ERR_MBME, "a message may not begin inside another");
    n = 3;
    fact(limeWriteRecordHeader(goes_on, w) == LIME_SUCCESS && limeWriterSeek(w, 4, SEEK_SET) == LIME_SUCCESS
         && limeWriteRecordData("xyz", &n, w) == LIME_SUCCESS && limeWriterSeek(w, 17, SEEK_SET) == LIME_ERR_SEEK,
         "data may be written out of order");
    limeWriterCloseRecord(w);
    fact(limeGetWriterPointer(w) == 144 + 8 + 144 + 16, "the writer knows where the next header will stand");
    fact(limeDestroyWriter(w) == LIME_ERR_LAST_NOT_WRITTEN, "a message left without its end is told");
    fclose(file);
    blob b = blob_read(path);
    fact(b.n == 144 + 8 + 144 + 16 && memcmp(b.bytes + 144 + 8 + 144, "\0\0\0\0xyz\0\0\0\0\0\0\0\0\0", 16) == 0,
         "data never written are zeros");
    free(b.bytes);
    limeDestroyHeader(begins);
    limeDestroyHeader(goes_on);
}

int main(void)
{
    scratch s = scratch_create();
    write_records(scratch_path(&s, "good.lime"));
    layout(s.path);
    read_records(s.path);
    if (BUNDLED) {
        blob good = blob_read(s.path);
        garbage(&s, good);
        free(good.bytes);
        rules_of_writing(scratch_path(&s, "rules.lime"));
    } else {
        skip("what is not a record is refused", "c-lime is linked, not the bundled implementation");
    }
    scratch_remove(&s);
    return facts_end();
}
