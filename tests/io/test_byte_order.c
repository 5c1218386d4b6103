/* test_byte_order.c - numbers in the other byte order than format or header say: that is told, in every format.
 *
 * What swapped numbers look like does not matter: unit links are finite there, random ones now and then are not. */
#include "src/base/memory.h"
#include "src/io/links_file.h"
#include "tests/facts.h"
#include "tests/io/scratch.h"
#include "tests/io/whole_links.h"

#define LITTLE_IN_BIG "the numbers seem to be little endian (the first link is in SU(3) only in this byte order), " \
    "but the format or header says big endian"
#define BIG_IN_LITTLE "the numbers seem to be big endian (the first link is in SU(3) only in this byte order), " \
    "but the format or header says little endian"

static const int lattice[4] = { 2, 2, 4, 2 };

static void swap_bytes(unsigned char *bytes, size_t n, size_t width)
{
    for (size_t i = 0; i + width <= n; i += width)
        for (size_t k = 0; k < width / 2; k++) {
            const unsigned char was = bytes[i + k];
            bytes[i + k] = bytes[i + width - 1 - k];
            bytes[i + width - 1 - k] = was;
        }
}

/* Where the numbers stand: in LIME behind the header of 144 bytes that has the type at 16, else at the end. */
static unsigned char *numbers_of(blob b, links_format format, size_t bytes)
{
    const char *type = format == FORMAT_ILDG ? "ildg-binary-data" : "scidac-binary-data";
    if (format == FORMAT_NERSC || format == FORMAT_MILC)
        return b.bytes + b.n - bytes;
    for (size_t i = 16; i + 128 < b.n; i++)
        if (memcmp(b.bytes + i, type, strlen(type) + 1) == 0)
            return b.bytes + i + 128;
    return NULL;
}

static void refused(const char *path, blob b, const char *expected, const char *format, const char *what)
{
    failure f = { .why = "it is read" };
    links_info info;
    blob_write(path, b.bytes, b.n);
    double *links = links_read(path, &info, &f);
    fact(!links && strstr(f.why, expected), "%s, %s: %s", format, what, f.why);
    memory_free(links);
}

static void one_format(const char *path, links_format format, int bits, int rows, const double *links, const char *what)
{
    const char *name = links_format_name(format);
    const size_t bytes = volume(lattice) * 4 * (size_t)rows * 6 * (size_t)bits / 8;
    links_info info = { .format = format, .bits = bits, .rows = rows, .has_plaquette = true, .has_link_trace = true };
    failure f = { .why = "" };
    memcpy(info.extents, lattice, sizeof lattice);
    const bool written = links_write_array(path, links, &info, false, NULL, &f);
    if (!fact(written, "%s of %d bits and %d rows is written %s", name, bits, rows, f.why))
        return;
    blob b = blob_read(path);
    unsigned char *numbers = numbers_of(b, format, bytes);
    if (fact(numbers != NULL, "its numbers are found")) {
        const bool big = format != FORMAT_MILC;              /* as Kiln writes them */
        swap_bytes(numbers, bytes, (size_t)bits / 8);
        refused(path, b, big ? LITTLE_IN_BIG : BIG_IN_LITTLE, name, what);
        swap_bytes(numbers, bytes, (size_t)bits / 8);
        blob_write(path, b.bytes, b.n);
        double *again = links_read(path, &info, &f);
        fact(again != NULL, "swapped back it is read");
        memory_free(again);
    }
    if (format == FORMAT_ILDG || format == FORMAT_SCIDAC) {
        swap_bytes(b.bytes, 4, 4);
        refused(path, b, "the magic number of LIME (ILDG, SciDAC) in little endian", name, "swapped as a whole");
    }
    free(b.bytes);
    unlink(path);
}

static void every_format(const char *path, const double *links, const char *what)
{
    one_format(path, FORMAT_MILC, 32, 3, links, what);
    for (int bits = 32; bits <= 64; bits += 32) {
        one_format(path, FORMAT_ILDG, bits, 3, links, what);
        one_format(path, FORMAT_SCIDAC, bits, 3, links, what);
        one_format(path, FORMAT_NERSC, bits, 3, links, what);
        one_format(path, FORMAT_NERSC, bits, 2, links, what);
    }
}

int main(void)
{
    scratch s = scratch_create();
    double *random = random_links(lattice, 5), *unit = calloc(volume(lattice) * 72, sizeof *unit);
    for (size_t i = 0; i < volume(lattice) * 72; i++)
        unit[i] = i % 18 % 8 == 0;
    every_format(scratch_path(&s, "links"), random, "random links");
    every_format(s.path, unit, "unit links");
    free(random);
    free(unit);
    fact(memory_bytes_now() == 0, "no memory is left behind");
    scratch_remove(&s);
    return facts_end();
}
