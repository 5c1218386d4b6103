/* test_record_reader.c - lines read together are those read one by one, with the same digests. */
#include "src/base/checksum.h"
#include "src/base/text.h"
#include "src/ensemble/record_lines.h"
#include "tests/facts.h"
#include "tests/io/scratch.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { LINES = 100, LONGEST = 3000 };

/* Texts of many lengths, the empty one among them. */
static void many_digests(void)
{
    unsigned char bytes[LONGEST];
    digest64_text part[LINES];
    uint64_t digest[LINES], seed = 3;
    bool same = true;
    for (int i = 0; i < LONGEST; i++)
        bytes[i] = (unsigned char)(256 * scratch_uniform(&seed));
    for (int count = 0; count <= LINES; count++) {
        for (int i = 0; i < count; i++) {
            const size_t n = i % 5 == 0 ? (size_t)(i / 5) : (size_t)(LONGEST / 2 * scratch_uniform(&seed));
            part[i] = (digest64_text){ bytes + n, n };
        }
        digest64_many(digest, part, count);
        for (int i = 0; i < count; i++)
            same = same && digest[i] == digest64(DIGEST64_START, part[i].bytes, part[i].n);
    }
    fact(same, "the digests of 0 to %d texts are those of each", LINES);
}

/* Line `i` of a file: with and without digest, changed, no JSON, with a zero byte. */
static text line_of(int i)
{
    text line = { 0 };
    text_add(&line, "{\"trajectory\": %d, \"words\": \"%.*s\"", i, i * 37 % 900 + 1,
             "----------------------------------------------------------------------------------------------------");
    if (i % 7 != 3)
        text_add(&line, ", \"digest\": \"0x%016" PRIx64 "\"",
                 digest64(DIGEST64_START, text_string(&line), line.length) + (i % 11 == 4));
    text_add(&line, i % 13 == 5 ? "\n" : "}\n");
    if (i % 17 == 6)
        line.s[5] = '\0';
    return line;
}

static void write_lines(const char *path, int count, bool torn)
{
    FILE *file = fopen(path, "w");
    for (int i = 0; i < count; i++) {
        text line = line_of(i);
        fwrite(line.s, 1, line.length, file);
        text_free(&line);
    }
    fputs(torn ? "{\"traj" : "", file);
    fclose(file);
}

static bool is_line(const record_reader *r, int i)
{
    text line = line_of(i);
    const bool same = r->length == line.length && memcmp(r->line, line.s, line.length) == 0
                      && r->checksum == checksummed_line_check(line.s);
    text_free(&line);
    return same;
}

/* Of every line, the reason why it is no object, or that it is one. */
static bool is_object(record_reader *r, int i)
{
    failure f = { .why = "" };
    const bool there = record_reader_object(r, &f) != NULL;
    const char *expected = i % 17 == 6 ? "zero bytes" : i % 13 == 5 ? "line:" : NULL;
    return expected ? !there && strstr(f.why, expected) : there;
}

static bool reads_lines(const char *path, int count, bool torn, bool threaded)
{
    write_lines(path, count, torn);
    FILE *file = fopen(path, "r");
    record_reader r = { .stream = file, .threaded = threaded };
    int read = 0;
    bool same = true;
    for (; record_reader_next(&r); read++)
        same = is_line(&r, read) && (read % 3 == 0 || is_object(&r, read)) && same;
    same = same && read == count && r.torn == torn && !record_reader_next(&r);
    record_reader_free(&r);
    fclose(file);
    return same;
}

/* A caller may stop while lines are still read ahead. */
static bool stops_anywhere(const char *path)
{
    bool same = true;
    write_lines(path, LINES, false);
    for (int wanted = 0; wanted < LINES; wanted += 7) {
        FILE *file = fopen(path, "r");
        record_reader r = { .stream = file, .threaded = true };
        for (int i = 0; i < wanted; i++)
            same = record_reader_next(&r) && is_line(&r, i) && same;
        record_reader_free(&r);
        fclose(file);
    }
    return same;
}

static void facts_of_trees(const char *path)
{
    record_lines all = { 0 };
    failure f;
    write_lines(path, LINES, true);
    bool right = record_lines_read(&all, path, &f) && all.count == LINES && all.torn;
    for (int i = 0; i < LINES && right; i++) {
        const char *why = all.item[i].unreadable;
        right = why && strstr(why, i % 17 == 6 ? "zero bytes" : i % 13 == 5 ? "line:" : "accepted");
    }
    fact(right, "each line says why it is none of a record");
    record_lines_free(&all);
    fact(record_lines_read(&all, "/nonexistent/run.jsonl", &f) && all.count == 0, "no file has no lines");
}

int main(void)
{
    scratch s = scratch_create();
    const char *path = scratch_path(&s, "run.jsonl");
    many_digests();
    for (int threaded = 0; threaded < 2; threaded++) {
        bool same = true;
        for (int count = 0; count <= 5 * CHECKSUMMED_LINES + 1; count++)
            same = reads_lines(path, count, false, threaded) && reads_lines(path, count, true, threaded) && same;
        fact(same, "%s: the same lines, digests and objects as one by one, and whether the last one is torn",
             threaded ? "a thread reads ahead" : "without a thread");
    }
    fact(stops_anywhere(path), "a thread that reads ahead ends when its caller stops");
    facts_of_trees(path);
    scratch_remove(&s);
    return facts_end();
}
