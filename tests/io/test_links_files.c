/* test_links_files.c - links survive the way through files, ours and those of other codes. */
#include "src/base/memory.h"
#include "src/io/links_file.h"
#include "tests/facts.h"
#include "tests/io/lime_bytes.h"
#include "tests/io/scratch.h"
#include "tests/io/whole_links.h"

#include <math.h>

static const int small[4] = { 4, 2, 6, 3 };      /* no two alike, so that a wrong order shows */

static double *round_to_single(const double *links, const int n[4])
{
    double *rounded = malloc(volume(n) * 72 * sizeof *rounded);
    for (size_t i = 0; i < volume(n) * 72; i++)
        rounded[i] = (float)links[i];
    return rounded;
}

static bool same_bits(const double *a, const double *b, const int n[4])
{
    return memcmp(a, b, volume(n) * 72 * sizeof *a) == 0;
}

static void ildg_round_trip(scratch *s, int bits)
{
    double *links = random_links(small, 17), *rounded = round_to_single(links, small);
    const double *stored = bits == 32 ? rounded : links;
    links_info out = { .extents = { 4, 2, 6, 3 }, .bits = bits, .has_plaquette = true, .has_link_trace = true,
                       .lfn = "lfn://kiln/test/1", .has_state = true,
                       .state = { .trajectory = 12345678901, .seed = UINT64_MAX, .stream = UINT32_MAX,
                                  .input_digest = 0x8000000000000001, .parent_digest = 7, .plaquette = 0.1,
                                  .version = "kiln 0.1 \"quoted\"" } };
    out.plaquette = plain_plaquette(links, small);
    out.link_trace = plain_link_trace(links, small);
    const char *path = scratch_path(s, "trip.lime");
    failure f = { .why = "" };
    fact(links_write_ildg(path, links, &out, false, &f), "a %d-bit ILDG file is written%s", bits, f.why);

    links_info in;
    double *back = links_read(path, &in, &f);
    if (!fact(back != NULL, "and read again%s", back ? "" : f.why))
        exit(facts_end());
    fact(same_bits(back, stored, small), "its links are the ones given, %s",
         bits == 32 ? "rounded once" : "bit for bit");
    fact(in.format == FORMAT_ILDG && in.bits == bits && memcmp(in.extents, small, sizeof small) == 0,
         "format, precision and extents are known");
    fact(in.has_plaquette && in.plaquette == out.plaquette && in.has_link_trace && in.link_trace == out.link_trace,
         "plaquette and link trace come back with all their bits");
    fact(in.has_checksum && strcmp(in.checksum, out.checksum) == 0 && out.checksum[0], "so does the checksum");
    fact(strcmp(in.lfn, out.lfn) == 0, "and the logical file name");
    const run_state *a = &in.state, *b = &out.state;
    fact(in.has_state && a->trajectory == b->trajectory && a->seed == b->seed && a->stream == b->stream
         && a->input_digest == b->input_digest && a->parent_digest == b->parent_digest
         && a->plaquette == b->plaquette && strcmp(a->version, b->version) == 0, "and the state of the run");

    links_info only;
    fact(links_read_info(path, &only, &f) && only.has_state && strcmp(only.checksum, in.checksum) == 0
         && memcmp(only.extents, small, sizeof small) == 0, "the metadata can be read alone");

    fact(!links_write_ildg(path, links, &out, false, &f) && strstr(f.why, "exists"),
         "an existing file is not overwritten: %s", f.why);
    blob first = blob_read(path);
    fact(links_write_ildg(path, links, &out, true, &f), "unless that is asked for");
    blob second = blob_read(path);
    fact(first.n == second.n && memcmp(first.bytes, second.bytes, first.n) == 0,
         "the same state gives the same file, byte for byte");
    fact(scratch_count(s) == 1, "no temporary is left");
    unlink(path);
    free(first.bytes);
    free(second.bytes);
    memory_free(back);
    free(links);
    free(rounded);
}

static void refuses_to_write_nonsense(scratch *s)
{
    double *links = random_links(small, 3);
    links_info info = { .extents = { 4, 2, 6, 3 }, .bits = 32 };
    failure f;
    links[100] = 1e300;
    fact(!links_write_ildg(scratch_path(s, "nan.lime"), links, &info, false, &f) && strstr(f.why, "non-finite link"),
         "a number too large for single precision is not written: %s", f.why);
    links[100] = NAN;
    info.bits = 64;
    fact(!links_write_ildg(scratch_path(s, "nan.lime"), links, &info, false, &f) && scratch_count(s) == 0,
         "nor is NaN, and nothing is left behind");
    free(links);
}

/* What is to be read from a file. */
typedef struct {
    const char *what;
    links_format format;
    int bits;
    const double *links;                /* to within the tolerance */
    double tolerance;
} expectation;

/* A file made by the plain writers of this test is read as the links it was made from. */
static void foreign(scratch *s, blob b, const expectation *e)
{
    const char *what = e->what;
    const char *path = scratch_path(s, "foreign");
    blob_write(path, b.bytes, b.n);
    links_info info;
    failure f = { .why = "" };
    double *links = links_read(path, &info, &f);
    bool ok = links && info.format == e->format && info.bits == e->bits && info.has_checksum
              && memcmp(info.extents, small, sizeof small) == 0;
    fact(ok, "%s is read%s", what, links ? "" : f.why);
    if (ok)
        fact_close(largest_difference(links, e->links, volume(small) * 72), 0, e->tolerance,
                   "%s gives the links it was made from", what);
    if (ok && e->format == FORMAT_NERSC)
        fact_close(info.plaquette, plain_plaquette(e->links, small), 1e-7, "%s says their plaquette", what);
    memory_free(links);
    free(b.bytes);
    unlink(path);
}

static void foreign_formats(scratch *s)
{
    double *links = random_links(small, 29), *rounded = round_to_single(links, small);
    for (int big = 0; big < 2; big++) {
        const expectation milc = { .what = big ? "MILC v5, big endian" : "MILC v5, little endian",
                                   .format = FORMAT_MILC, .bits = 32, .links = rounded };
        foreign(s, milc_file(links, small, big), &milc);
        for (int rows = 2; rows <= 3; rows++)
            for (int bits = 32; bits <= 64; bits += 32) {
                char numbers[32], open_numbers[32], what[100];
                snprintf(numbers, sizeof numbers, "IEEE%d%s", bits, big ? "BIG" : "LITTLE");
                snprintf(what, sizeof what, "NERSC, %d rows, %s", rows, numbers);
                const expectation nersc = { .what = what, .format = FORMAT_NERSC, .bits = bits,
                                            .links = bits == 32 ? rounded : links,
                                            .tolerance = rows == 3 ? 0 : bits == 32 ? 5e-7 : 1e-15 };
                foreign(s, nersc_file(links, small, rows, bits, big, numbers), &nersc);
                snprintf(open_numbers, sizeof open_numbers, "IEEE%d", bits);
                snprintf(what, sizeof what, "NERSC, %d rows, %s, in fact %s", rows, open_numbers, numbers);
                foreign(s, nersc_file(links, small, rows, bits, big, open_numbers), &nersc);
            }
    }
    free(links);
    free(rounded);
}

/* Codes differ in which records they write, in what order, and in how they group them into messages. */
static void other_arrangements(scratch *s)
{
    static const struct { const char *what; int order[6], count, ends_each, checksum; } arrangements[] = {
        { "one message, as QIO writes it", { FILE_XML, RECORD_XML, USER_XML, FORMAT, BINARY, CHECKSUM }, 6, 0, 1 },
        { "each record a message of its own", { USER_XML, FORMAT, BINARY, CHECKSUM }, 4, 1, 1 },
        { "ILDG alone, without a checksum", { FORMAT, BINARY }, 2, 0, 0 },
        { "the checksum first", { CHECKSUM, FORMAT, BINARY, USER_XML }, 4, 0, 1 },
    };
    double *links = random_links(lattice, 11);
    for (size_t i = 0; i < sizeof arrangements / sizeof *arrangements; i++) {
        record all[RECORDS], r[MOST_RECORDS];
        int n = arrangements[i].count;
        ildg_records(all, links);
        for (int k = 0; k < n; k++) {
            r[k] = all[arrangements[i].order[k]];
            r[k].begins = k == 0 || arrangements[i].ends_each;
            r[k].ends = k == n - 1 || arrangements[i].ends_each;
        }
        r[n] = (record){ .type = "another code's private record", .text = "anything", .begins = 1, .ends = 1 };
        r[n + 1] = (record){ .type = "ILDG-Data-LFN", .text = " lfn://a/b\n", .begins = 1, .ends = 1 };
        blob b = lime_file(r, n + 2);
        const char *path = scratch_path(s, "arranged");
        blob_write(path, b.bytes, b.n);
        links_info info;
        failure f = { .why = "" };
        double *read = links_read(path, &info, &f);
        fact(read && memcmp(read, links, SITES * 72 * sizeof *links) == 0
             && info.has_checksum == arrangements[i].checksum && strcmp(info.lfn, "lfn://a/b") == 0
             && (n == 2 || (info.plaquette == 0.25 && info.link_trace == 0.125)),
             "%s: links and metadata are found %s", arrangements[i].what, f.why);
        memory_free(read);
        free(all[BINARY].data.bytes);
        free(b.bytes);
        unlink(path);
    }
    free(links);
}

static void unitarity(void)
{
    const int n[4] = { 2, 2, 2, 2 };
    double *links = random_links(n, 5);
    failure f;
    fact(links_unitarity(links, n) < 1e-14 && links_check_all(links, n, LINKS_TOLERANCE_64, "field", &f),
         "random SU(3) links are unitary");
    uint64_t digest = links_digest_all(links, n);
    links[72 * 3 + 18 * 2] += 1e-6;
    fact(links_digest_all(links, n) != digest, "the digest changes with a link");
    fact(!links_check_all(links, n, LINKS_TOLERANCE_64, "field", &f)
         && strstr(f.why, "direction z at site (1, 1, 0, 0)"), "a link off by 1e-6 is found: %s", f.why);
    fact(links_check_all(links, n, LINKS_TOLERANCE_32, "field", &f), "and allowed in single precision");
    for (int i = 0; i < 18; i++)
        links[i] = -links[i];
    fact(!links_check_all(links, n, LINKS_TOLERANCE_32, "field", &f), "a determinant of -1 is not SU(3): %s", f.why);
    links[5] = NAN;
    fact(!links_check_all(links, n, 1e300, "field", &f) && strstr(f.why, "non-finite link"), "NaN is found: %s", f.why);
    fact(isinf(links_unitarity(links, n)), "and is infinitely far from unitary");
    free(links);
}

/* The real files: what is known of each. */
static const struct {
    const char *name;
    links_format format;
    int bits, extents[4];
    const char *checksum;
    double plaquette, reunitarized;       /* 0: not known */
} samples[] = {
    { "l4444.ildg", FORMAT_ILDG, 32, { 4, 4, 4, 4 }, "37affb9c 2fc07bbf", 0.5948501589471511, 0 },
    { "l4444.scidac", FORMAT_SCIDAC, 32, { 4, 4, 4, 4 }, "37affb9c 2fc07bbf", 0.5948501589471511, 0 },
    { "l4444.proj64.ildg", FORMAT_ILDG, 64, { 4, 4, 4, 4 }, "1de8f4a8 23af3c58", 0, 0 },
    { "l4448.milc", FORMAT_MILC, 32, { 4, 4, 4, 8 }, "13f3b413 161f7dde", 0, 0.5690557203545642 },
    { "l4448.nersc", FORMAT_NERSC, 32, { 4, 4, 4, 8 }, "b3bec856", 0.569055719985, 0 },
    { "l8888.milc", FORMAT_MILC, 32, { 8, 8, 8, 8 }, "4f9d000e 8d72f72e", 0, 0.5935602218359581 },
    { "f211b670.l6666.milc", FORMAT_MILC, 32, { 6, 6, 6, 6 }, "6297e604 7bbd1714", 0, 0 },
};

static double *read_sample(const char *folder, const char *name, links_info *info)
{
    char path[600];
    failure f;
    snprintf(path, sizeof path, "%s/conf/%s", folder, name);
    double *links = links_read(path, info, &f);
    fact(links != NULL, "%s is read%s%s", name, links ? "" : ": ", links ? "" : f.why);
    if (!links)
        exit(facts_end());
    return links;
}

static void real_files(const char *folder)
{
    links_info info, other;
    failure f;
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        const char *name = samples[i].name;
        double *links = read_sample(folder, name, &info);
        double raw = plain_plaquette(links, info.extents);
        fact(info.format == samples[i].format && info.bits == samples[i].bits
             && memcmp(info.extents, samples[i].extents, sizeof info.extents) == 0,
             "%s is what it is known to be", name);
        fact(strcmp(info.checksum, samples[i].checksum) == 0, "%s has the checksum %s", name, info.checksum);
        fact(links_check_all(links, info.extents, info.bits == 32 ? LINKS_TOLERANCE_32 : LINKS_TOLERANCE_64, name, &f),
             "%s holds SU(3) matrices, to %.2g", name, links_unitarity(links, info.extents));
        if (samples[i].plaquette != 0)
            fact_close(raw, samples[i].plaquette, 1e-8, "%s has the plaquette known", name);
        if (info.has_plaquette)
            fact_close(raw, info.plaquette, 1e-6, "%s has the plaquette it says", name);
        if (info.has_link_trace)
            fact_close(plain_link_trace(links, info.extents), info.link_trace, 1e-6, "%s has the trace it says", name);
        for (size_t k = 0; samples[i].reunitarized != 0 && k < links_count(info.extents); k += 18)
            reunitarize(links + k);
        if (samples[i].reunitarized != 0) {
            fact_close(raw, samples[i].reunitarized, 1e-7, "%s has the plaquette known, to single precision", name);
            fact_close(plain_plaquette(links, info.extents), samples[i].reunitarized, 1e-12,
                       "%s has it to rounding after reunitarization", name);
        }
        memory_free(links);
    }

    double *ildg = read_sample(folder, "l4444.ildg", &info), *scidac = read_sample(folder, "l4444.scidac", &other);
    fact(same_bits(ildg, scidac, info.extents), "the same field is the same in ILDG and SciDAC files, bit for bit");
    fact(strcmp(info.lfn, "lfn://USQCD/MILC/test/lat.sample.l4444") == 0, "the ILDG file has its logical name");
    memory_free(ildg);
    memory_free(scidac);
    ildg = read_sample(folder, "l4444.proj64.ildg", &info);
    fact(strcmp(info.lfn, "lfn://oracle/none") == 0, "so it has where the type is spelled LFN");
    memory_free(ildg);

    double *milc = read_sample(folder, "l4448.milc", &info), *nersc = read_sample(folder, "l4448.nersc", &other);
    fact_close(largest_difference(milc, nersc, links_count(info.extents)), 0, 1e-6,
               "the same field is the same in MILC and NERSC files, to single precision");
    fact(other.has_plaquette && other.has_link_trace, "the NERSC header gives plaquette and trace");
    memory_free(milc);
    memory_free(nersc);
}

int main(void)
{
    scratch s = scratch_create();
    ildg_round_trip(&s, 32);
    ildg_round_trip(&s, 64);
    refuses_to_write_nonsense(&s);
    foreign_formats(&s);
    other_arrangements(&s);
    unitarity();
    if (reference_folder())
        real_files(reference_folder());
    else
        skip("configurations of other codes are read", "no folder of reference data");
    fact(memory_bytes_now() == 0, "no memory is left behind");
    scratch_remove(&s);
    return facts_end();
}
