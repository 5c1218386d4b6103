/* test_refused_files.c - a file whose content is wrong is refused with a reason that names the record, the header
 * line or the link. */
#include "src/base/memory.h"
#include "src/io/links_file.h"
#include "tests/facts.h"
#include "tests/io/lime_bytes.h"
#include "tests/io/scratch.h"
#include "tests/io/whole_links.h"

#include <math.h>

static void expect_refusal(const char *path, blob b, const char *what, const char *message)
{
    failure f = { .why = "it is read" };
    links_info info;
    blob_write(path, b.bytes, b.n);
    double *links = links_read(path, &info, &f);
    fact(!links && strstr(f.why, message), "%s: %s", what, f.why);
    memory_free(links);
}

/* `from` becomes `to` in the text of a record. */
static const struct { const char *what; int record; const char *from, *to, *message; } edits[] = {
    { "a larger extent", FORMAT, "<lx>2", "<lx>4", "but another record says 4x2x3x2" },
    { "another precision", FORMAT, "64", "32", "another record says single" },
    { "an unknown precision", FORMAT, "64", "16", "neither 32 nor 64" },
    { "another gauge group", FORMAT, "su3", "su2", "not su3gauge" },
    { "no extent", FORMAT, "<lx>2</lx>", "", "lx is missing" },
    { "extent 0", FORMAT, "<lt>2", "<lt>0", "extent 0 in direction t" },
    { "a negative extent", FORMAT, "<lt>2", "<lt>-2", "extent -2 in direction t" },
    { "an extent of 2^32", FORMAT, "<lt>2", "<lt>4294967296", "extent 4294967296 in direction t" },
    { "a broken extent", FORMAT, "<lt>2", "<lt>2.5", "lt is missing or not a number" },
    { "no field", FORMAT, "<field>", "<feld>", "not su3gauge" },
    { "other extents", FILE_XML, "2 2 3 2", "3 2 2 2", "another record says 2x2x3x2" },
    { "three extents", FILE_XML, "2 2 3 2", "2 2 3", "dims are not four numbers" },
    { "a file in parts", FILE_XML, "<volfmt>0", "<volfmt>1", "several files" },
    { "the other precision", RECORD_XML, "<precision>D", "<precision>F", "single precision, but another record" },
    { "a contradictory datatype", RECORD_XML, "QDP_D3", "QDP_F3", "the datatype is QDP_F3_ColorMatrix" },
    { "vectors", RECORD_XML, "ColorMatrix", "ColorVector", "needs QDP_D3_ColorMatrix" },
    { "two colors", RECORD_XML, "<colors>3", "<colors>2", "colors is 2, but SU(3) links need 3" },
    { "one direction", RECORD_XML, "<datacount>4", "<datacount>1", "datacount is 1" },
    { "two rows", RECORD_XML, "<typesize>144", "<typesize>96", "typesize is 96" },
    { "global data", RECORD_XML, "<recordtype>0", "<recordtype>1", "recordtype is 1" },
    { "another checksum", CHECKSUM, "<suma>", "<suma>1", "suma" },
    { "no checksum", CHECKSUM, "suma>", "sumc>", "suma and sumb" },
};

static void replace(char *text, size_t size, const char *from, const char *to)
{
    char *at = strstr(text, from), *rest = strdup(at + strlen(from));
    snprintf(at, size - (size_t)(at - text), "%s%s", to, rest);
    free(rest);
}

static void edited_lime_files(const char *path, const double *links)
{
    for (size_t i = 0; i < sizeof edits / sizeof *edits; i++) {
        record r[MOST_RECORDS];
        ildg_records(r, links);
        replace(r[edits[i].record].text, sizeof r->text, edits[i].from, edits[i].to);
        blob b = lime_file(r, RECORDS);
        expect_refusal(path, b, edits[i].what, edits[i].message);
        free(r[BINARY].data.bytes);
        free(b.bytes);
    }
}

/* Either half of the checksum alone tells of other links: one digit of it is another one. */
static void other_checksums(const char *path, const double *links)
{
    static const char *const halves[] = { "<suma>", "<sumb>" };
    for (int i = 0; i < 2; i++) {
        record r[MOST_RECORDS];
        ildg_records(r, links);
        char *digit = strstr(r[CHECKSUM].text, halves[i]) + strlen(halves[i]);
        *digit = *digit == '1' ? '2' : '1';
        blob b = lime_file(r, RECORDS);
        expect_refusal(path, b, halves[i], "record scidac-checksum: says");
        free(b.bytes);
        const size_t digits = strspn(digit, "0123456789abcdef");
        memset(digit, '0', digits);
        digit[digits - 1] = '1';
        b = lime_file(r, RECORDS);
        expect_refusal(path, b, halves[i], i == 0 ? "says 00000001 " : " 00000001, but the links give ");
        free(r[BINARY].data.bytes);
        free(b.bytes);
    }
}

/* Files from which a record is missing, or in which one is there that should not. */
static const struct { const char *what; int record; const char *new_type, *message; } retyped[] = {
    { "no format", FORMAT, "x", "record ildg-format is missing" },
    { "no links", BINARY, "x", "no record ildg-binary-data or scidac-binary-data" },
    { "no checksum record", CHECKSUM, "x", "record scidac-checksum is missing" },
    { "links twice", USER_XML, "ildg-binary-data", "several records ildg-binary-data" },
    { "a state that is no JSON", USER_XML, "kiln-run-state", "kiln-run-state" },
};

static void missing_records(const char *path, const double *links)
{
    record r[MOST_RECORDS];
    for (size_t i = 0; i < sizeof retyped / sizeof *retyped; i++) {
        ildg_records(r, links);
        r[retyped[i].record].type = retyped[i].new_type;
        blob b = lime_file(r, RECORDS);
        expect_refusal(path, b, retyped[i].what, retyped[i].message);
        free(r[BINARY].data.bytes);
        free(b.bytes);
    }
    for (int missing = FILE_XML; missing <= RECORD_XML; missing++) {
        ildg_records(r, links);
        r[BINARY].type = "scidac-binary-data";
        r[missing].type = "x";
        blob b = lime_file(r, RECORDS);
        expect_refusal(path, b, "SciDAC without a description",
                       missing == FILE_XML ? "record scidac-private-file-xml is missing"
                                           : "record scidac-private-record-xml is missing");
        free(r[BINARY].data.bytes);
        free(b.bytes);
    }
}

static void absurd_lengths(const char *path, const double *links)
{
    static const uint64_t lengths[] = { 0, 1, 1u << 31, (uint64_t)1 << 32, (uint64_t)1 << 40, (uint64_t)1 << 62,
                                        ((uint64_t)1 << 63) - 1, (uint64_t)1 << 63, UINT64_MAX - 8, UINT64_MAX };
    record r[MOST_RECORDS];
    ildg_records(r, links);
    blob b = lime_file(r, RECORDS);
    size_t at = 0;
    for (int i = 0; i < RECORDS; i++) {
        uint32_t length = get_word(b.bytes + at + 12, true);
        int read = 0, reported = 0;
        for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
            failure f = { .why = "" };
            links_info info;
            put_word(b.bytes + at + 8, (uint32_t)(lengths[k] >> 32), true);
            put_word(b.bytes + at + 12, (uint32_t)lengths[k], true);
            blob_write(path, b.bytes, b.n);
            double *got = links_read(path, &info, &f);
            read += got != NULL;
            reported += strstr(f.why, "bytes") != NULL || strstr(f.why, "expected a LIME record") != NULL;
            memory_free(got);
        }
        fact(read == 0 && reported == sizeof lengths / sizeof *lengths, "record %s: absurd lengths are refused",
             r[i].type);
        put_word(b.bytes + at + 8, 0, true);
        put_word(b.bytes + at + 12, length, true);
        at += 144 + (length + 7) / 8 * 8;
    }
    size_t most = memory_bytes_peak();
    fact(most < 4u << 20, "and never believed when memory is taken (%zu bytes at most)", most);
    free(r[BINARY].data.bytes);
    free(b.bytes);
}

static void wrong_size(const char *path, const double *links)
{
    record r[MOST_RECORDS];
    ildg_records(r, links);
    replace(r[FORMAT].text, sizeof r->text, "<lx>2", "<lx>24");
    replace(r[FILE_XML].text, sizeof r->text, "<dims>2", "<dims>24");
    blob b = lime_file(r, RECORDS);
    expect_refusal(path, b, "consistent extents that the data do not fill",
                   "record ildg-binary-data: 13824 bytes, but 24x2x3x2 in double precision needs 165888");
    free(r[BINARY].data.bytes);
    free(b.bytes);
}

/* Data that have the checksum they should, and are no links. */
static void wrong_numbers(const char *path, double *links)
{
    static const double bad[] = { NAN, INFINITY, -INFINITY };
    record r[MOST_RECORDS];
    double was = links[72 * 5 + 18 * 3 + 4];
    for (int i = 0; i < 3; i++) {
        links[72 * 5 + 18 * 3 + 4] = bad[i];
        ildg_records(r, links);
        blob b = lime_file(r, RECORDS), m = milc_file(links, lattice, true),
             n = nersc_file(links, lattice, 2, 64, false, "IEEE64LITTLE");
        expect_refusal(path, b, "ILDG, not finite", "non-finite link in direction t at site (1, 0, 1, 0)");
        expect_refusal(path, m, "MILC, not finite", "non-finite link in direction t at site (1, 0, 1, 0)");
        expect_refusal(path, n, "NERSC, not finite", "non-finite link in direction t at site (1, 0, 1, 0)");
        free(r[BINARY].data.bytes);
        free(b.bytes);
        free(m.bytes);
        free(n.bytes);
    }
    links[72 * 5 + 18 * 3 + 4] = was + 0.01;
    ildg_records(r, links);
    blob b = lime_file(r, RECORDS);
    blob_write(path, b.bytes, b.n);
    links_info info;
    failure f = { .why = "" };
    double *read = links_read(path, &info, &f);
    fact(read && !links_check_all(read, info.extents, LINKS_TOLERANCE_32, path, &f)
         && strstr(f.why, "direction t at site (1, 0, 1, 0)"), "a link that is not unitary is found: %s", f.why);
    memory_free(read);
    free(r[BINARY].data.bytes);
    free(b.bytes);
    links[72 * 5 + 18 * 3 + 4] = was;
}

/* The words of MILC's header, by their place. */
static const struct { const char *what; size_t at; uint32_t word; const char *message; } milc_words[] = {
    { "an order of sites", 84, 1, "order of sites 1" },
    { "extent 0", 4, 0, "extent 0 in direction x" },
    { "a negative extent", 8, 0xffffffff, "extent -1 in direction y" },
    { "an absurd extent", 16, 0x7fffffff, "extent 2147483647 in direction t" },
    { "a larger extent", 12, 4, "6912 bytes, but 2x2x4x2 in single precision needs 9216" },
    { "no checksum", 88, 0, "checksum: the header says 00000000 " },
};

static const struct { const char *what, *from, *to, *message; } nersc_lines[] = {
    { "no DATATYPE", "DATATYPE", "DATATIPE", "DATATYPE is missing" },
    { "an unknown DATATYPE", "4D_SU3_GAUGE", "4D_SU2_GAUGE", "DATATYPE 4D_SU2_GAUGE" },
    { "three rows announced, two there", "SU3_GAUGE", "SU3_GAUGE_3x3", "4608 bytes, but 2x2x3x2 in single" },
    { "a larger extent", "DIMENSION_1 = 2", "DIMENSION_1 = 4", "in single precision and two rows needs 9216" },
    { "extent 0", "DIMENSION_4 = 2", "DIMENSION_4 = 0", "extent 0 in direction t" },
    { "an absurd extent", "DIMENSION_4 = 2", "DIMENSION_4 = 99999999999999999999", "DIMENSION_4 is" },
    { "a missing extent", "DIMENSION_2 = 2\n", "", "DIMENSION_2 is missing" },
    { "an extent twice", "DIMENSION_2 = 2", "DIMENSION_2 = 2\nDIMENSION_2 = 2", "repeated" },
    { "no CHECKSUM", "CHECKSUM", "CHECKSOM", "CHECKSUM is missing" },
    { "a CHECKSUM that is none", "CHECKSUM = ", "CHECKSUM = x", "not a hexadecimal number" },
    { "a wrong CHECKSUM", "CHECKSUM = ", "CHECKSUM = 1\nX = ", "the header says 00000001, but the links give" },
    { "unknown reals", "IEEE32BIG", "IEEE128BIG", "FLOATING_POINT IEEE128BIG" },
    { "double announced, single there", "IEEE32BIG", "IEEE64BIG", "in double precision and two rows" },
    { "the other byte order", "IEEE32BIG", "IEEE32LITTLE", "links: " },
    { "no end of the header", "END_HEADER", "END_HEADFR", "no line END_HEADER" },
};

static void other_formats(const char *path, const double *links)
{
    for (size_t i = 0; i < sizeof milc_words / sizeof *milc_words; i++) {
        blob b = milc_file(links, lattice, true);
        put_word(b.bytes + milc_words[i].at, milc_words[i].word, true);
        expect_refusal(path, b, milc_words[i].what, milc_words[i].message);
        free(b.bytes);
    }
    for (size_t i = 0; i < sizeof nersc_lines / sizeof *nersc_lines; i++) {
        blob b = nersc_file(links, lattice, 2, 32, true, "IEEE32BIG");
        size_t header = b.n - 4608;
        char text[1200];
        snprintf(text, sizeof text, "%.*s", (int)header, (char *)b.bytes);
        replace(text, sizeof text, nersc_lines[i].from, nersc_lines[i].to);
        blob edited = { malloc(strlen(text) + 4608), strlen(text) + 4608 };
        memcpy(edited.bytes, text, strlen(text));
        memcpy(edited.bytes + strlen(text), b.bytes + header, 4608);
        expect_refusal(path, edited, nersc_lines[i].what, nersc_lines[i].message);
        free(b.bytes);
        free(edited.bytes);
    }
}

static void no_configurations(scratch *s)
{
    failure f = { .why = "" };
    links_info info;
    fact(!links_read(scratch_path(s, "none"), &info, &f) && strstr(f.why, "No such file"), "no file: %s", f.why);
    fact(!links_read(s->folder, &info, &f) && strstr(f.why, "regular file"), "a folder: %s", f.why);
    const char *path = scratch_path(s, "junk");
    expect_refusal(path, (blob){ (unsigned char *)"", 0 }, "an empty file", "a file of 0 bytes is no configuration");
    expect_refusal(path, (blob){ (unsigned char *)"abc", 3 }, "three bytes", "a file of 3 bytes is no configuration");
    expect_refusal(path, (blob){ (unsigned char *)"some text", 9 }, "a text", "begins with 73 6f 6d 65");
    expect_refusal(path, (blob){ (unsigned char *)"\x45\x67\x89\xab", 4 }, "a magic number alone", "truncated");
    expect_refusal(path, (blob){ (unsigned char *)"\0\0\x4e\x87", 4 }, "MILC's alone", "truncated");
    expect_refusal(path, (blob){ (unsigned char *)"BEGIN_HEADER\n", 13 }, "a begun header", "no line END_HEADER");
}

int main(void)
{
    scratch s = scratch_create();
    double *links = random_links(lattice, 71);
    edited_lime_files(scratch_path(&s, "file"), links);
    other_checksums(scratch_path(&s, "file"), links);
    missing_records(scratch_path(&s, "file"), links);
    absurd_lengths(scratch_path(&s, "file"), links);
    wrong_size(scratch_path(&s, "file"), links);
    wrong_numbers(scratch_path(&s, "file"), links);
    other_formats(scratch_path(&s, "file"), links);
    no_configurations(&s);
    fact(memory_bytes_now() == 0, "no memory is left behind");
    free(links);
    scratch_remove(&s);
    return facts_end();
}
