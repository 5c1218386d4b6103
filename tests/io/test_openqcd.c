/* test_openqcd.c - openQCD's format: files put together site by site in the test, files that Kiln writes, damage. */
#include "src/base/memory.h"
#include "src/io/configuration.h"
#include "src/lattice/grid.h"
#include "src/io/links_file.h"
#include "tests/analytic_field.h"
#include "tests/cli/program.h"
#include "tests/facts.h"
#include "tests/io/scratch.h"
#include "tests/io/whole_links.h"
#include "tests/gauge/golden_numbers.h"

#include <math.h>

enum { HEADER = 24, MATRIX = 144 };
static const int extents[4] = { 4, 4, 6, 8 };                /* x, y, z, t: the golden numbers' */

/* U_mu at (t, x, y, z) of an array [t][z][y][x][mu], periodic; mu counts t, x, y, z as openQCD does. */
static const double *link_of(const double *links, int t, int x, int y, int z, int mu)
{
    const int *n = extents;
    t = (t + n[3]) % n[3], x = (x + n[0]) % n[0], y = (y + n[1]) % n[1], z = (z + n[2]) % n[2];
    return links + 18 * (4 * (((t * n[2] + z) * n[1] + y) * n[0] + x) + (mu + 3) % 4);
}

/* A file as openQCD writes it: numbers of a machine with little endian. */
static blob openqcd_file(const double *links, double plaquette)
{
    const int32_t n[4] = { extents[3], extents[0], extents[1], extents[2] };
    const size_t sites = (size_t)n[0] * (size_t)n[1] * (size_t)n[2] * (size_t)n[3];
    blob b = { malloc(HEADER + 4 * sites * MATRIX), HEADER };
    plaquette *= 3;
    memcpy(b.bytes, n, sizeof n);
    memcpy(b.bytes + 16, &plaquette, sizeof plaquette);
    for (size_t site = 0; site < sites; site++) {
        const int z = (int)(site % 6), y = (int)(site / 6 % 4), x = (int)(site / 24 % 4), t = (int)(site / 96);
        if ((t + x + y + z) % 2 == 0)
            continue;
        const double *eight[8] = { link_of(links, t, x, y, z, 0), link_of(links, t - 1, x, y, z, 0),
                                   link_of(links, t, x, y, z, 1), link_of(links, t, x - 1, y, z, 1),
                                   link_of(links, t, x, y, z, 2), link_of(links, t, x, y - 1, z, 2),
                                   link_of(links, t, x, y, z, 3), link_of(links, t, x, y, z - 1, 3) };
        for (int k = 0; k < 8; k++, b.n += MATRIX)
            memcpy(b.bytes + b.n, eight[k], MATRIX);
    }
    return b;
}

static void reading(const char *path, const double *links)
{
    links_info info;
    failure f = { .why = "" };
    double *read = links_read(path, &info, &f);
    fact(read && info.format == FORMAT_OPENQCD && info.bits == 64 && memcmp(info.extents, extents, sizeof extents) == 0,
         "the format is found without a magic number; t is the first extent of the header");
    fact(read && memcmp(read, links, links_count(extents) * sizeof *links) == 0, "every link is at its place");
    fact(info.has_plaquette && !info.has_checksum, "there is a plaquette, and no checksum");
    fact_close(info.plaquette, golden_fields[0].plaquette, 1e-15, "normalized to 1");
    memory_free(read);
    const program_output *s = program_run("verify '%s'", path);
    fact(s->status == 0 && stdout_has(s, "openqcd"), "kiln verify finds the plaquette of the header in the links");
    s = program_run("measure '%s' --json --what plaquette,rectangle", path);
    yaml_node *tree = output_json(s);
    fact_close(json_number(tree, "rectangle"), golden_fields[0].rectangle, 1e-14, "kiln measure: the rectangle");
    const double rectangle = json_number(tree, "rectangle");
    yaml_tree_free(tree);
    s = program_run("measure '%s' --json --what rectangle --device cpu --grid 1,1,1,2", path);
    yaml_node *ranks = output_json(s);
    fact(json_number(ranks, "rectangle") == rectangle, "on two ranks, too, bit for bit");
    yaml_tree_free(ranks);
}

static void writing(const char *path, const char *ildg, const char *back, const blob *want)
{
    const program_output *s = program_run("convert '%s' '%s' --format ildg", path, ildg);
    fact(s->status == 0 && stdout_has(s, "unchanged bit for bit"), "to ILDG");
    s = program_run("convert '%s' '%s' --format openqcd", ildg, back);
    fact(s->status == 0 && stdout_has(s, "no checksum") && stdout_has(s, "lost         the link trace"), "and back");
    if (s->status != 0)
        return;
    blob got = blob_read(back);
    double plaquette;
    memcpy(&plaquette, got.bytes + 16, sizeof plaquette);
    fact_close(plaquette, 3 * golden_fields[0].plaquette, 3e-15, "the header has the mean of Re Tr, 3 on unit links");
    memcpy(got.bytes + 16, want->bytes + 16, 8);
    fact(got.n == want->n && memcmp(got.bytes, want->bytes, got.n) == 0, "every other byte is that of openQCD's file");
    free(got.bytes);
    s = program_run("convert '%s' '%s.single' --format openqcd --precision 32", ildg, back);
    fact(s->status == 2 && stderr_has(s, "double precision only"), "the format has no single precision");
}

/* kiln verify says `why` of these bytes. */
static void refused(const char *path, const blob *b, size_t n, const char *why, const char *what)
{
    blob_write(path, b->bytes, n);
    const program_output *s = program_run("verify '%s'", path);
    fact(s->status == 1 && stdout_has(s, why), "%s: %s", what, why);
    if (!stdout_has(s, why))
        note("%s%s", text_string(&s->out), text_string(&s->err));
}

static void damage(const char *path, const double *links)
{
    blob b = openqcd_file(links, golden_fields[0].plaquette);
    const double nan = NAN;
    refused(path, &b, b.n - 1, "442367 bytes, but 4x4x6x8 in double precision needs 442368", "a truncated file");
    refused(path, &b, 30, "links: 6 bytes", "a header with little behind it");
    refused(path, &b, 20, "neither LIME", "part of a header");
    b.bytes[HEADER + 7 * MATRIX + 6] ^= 0x08;                       /* the eighth matrix of the first odd site */
    refused(path, &b, b.n, "the link in direction z at site (0, 0, 0, 0) is off SU(3)", "a changed number");
    b.bytes[HEADER + 7 * MATRIX + 6] ^= 0x08;
    memcpy(b.bytes + HEADER + MATRIX, &nan, sizeof nan);            /* U(x - 0, 0) of (t, x, y, z) = (0, 0, 0, 1) */
    refused(path, &b, b.n, "non-finite link in direction t at site (0, 0, 1, 7)", "a number that is none");
    free(b.bytes);
    b = openqcd_file(links, golden_fields[0].plaquette + 1e-10);
    refused(path, &b, b.n, "the metadata say plaquette", "another plaquette");
    unsigned char swap[MATRIX];
    memcpy(swap, b.bytes + HEADER, MATRIX);
    free(b.bytes);
    b = openqcd_file(links, golden_fields[0].plaquette);
    memcpy(b.bytes + HEADER, b.bytes + HEADER + MATRIX, MATRIX);
    memcpy(b.bytes + HEADER + MATRIX, swap, MATRIX);
    refused(path, &b, b.n, "the metadata say plaquette", "two links that changed places");
    free(b.bytes);
}

/* Unit links have the mean 3 of Re Tr, the largest there is. */
static void recognized(const char *path)
{
    double *unit = analytic_links(extents, 0);
    blob b = openqcd_file(unit, 1);
    blob_write(path, b.bytes, b.n);
    const program_output *s = program_run("verify '%s'", path);
    fact(s->status == 0 && stdout_has(s, "openqcd"), "unit links, whose header says 3, are a file of openQCD");
    const double above = 3.01;
    memcpy(b.bytes + 16, &above, sizeof above);
    refused(path, &b, b.n, "neither LIME", "a mean of Re Tr above 3");
    free(b.bytes);
    memory_free(unit);
}

/* openQCD has even extents only: an odd one in any direction is neither read nor written. */
static void odd_extents(const char *path, scratch *s)
{
    for (int mu = 0; mu < 4; mu++) {
        int n[4] = { 2, 2, 2, 2 };
        n[mu] = 3;
        double *unit = analytic_links(n, 0);
        const int32_t head[4] = { n[3], n[0], n[1], n[2] };
        const double three = 3;
        blob b = { calloc(HEADER + 4 * 24 * MATRIX, 1), HEADER + 4 * 24 * MATRIX };
        memcpy(b.bytes, head, sizeof head);
        memcpy(b.bytes + 16, &three, sizeof three);
        refused(path, &b, b.n, "even extents only", "an odd extent");
        free(b.bytes);
        links_info info = { .format = FORMAT_OPENQCD, .bits = 64, .rows = 3, .has_plaquette = true, .plaquette = 1 };
        memcpy(info.extents, n, sizeof n);
        failure f = { .why = "" };
        const int before = scratch_count(s);
        char odd[700], size[32];
        snprintf(odd, sizeof odd, "%s.odd", path);
        snprintf(size, sizeof size, "the lattice is %dx%dx%dx%d", n[0], n[1], n[2], n[3]);
        fact(!links_write_array(odd, unit, &info, false, NULL, &f) && strstr(f.why, size)
                 && scratch_count(s) == before, "an odd extent in %c is refused before anything is written: %s",
             "xyzt"[mu], f.why);
        memory_free(unit);
    }
}

/* Open boundaries in t: openQCD stores inactive links as 0. */
static void open_boundaries(const char *path, const double *links)
{
    const size_t reals = links_count(extents), slice = links_slice_reals(extents);
    double *zeros = memory_alloc(reals * sizeof *zeros, "links"), *read = memory_alloc(reals * sizeof *read, "links");
    configuration_facts facts;
    failure f = { .why = "" };
    memcpy(zeros, links, reals * sizeof *zeros);
    for (size_t x = reals - slice; x < reals; x += LINKS_SITE_REALS)
        memset(zeros + x + 3 * LINKS_MATRIX_REALS, 0, LINKS_MATRIX_REALS * sizeof *zeros);
    const configuration_request wanted = { .hops = GRID_HOPS_LEAST, .open_in_time = true };
    blob b = openqcd_file(zeros, 0.3);
    blob_write(path, b.bytes, b.n);
    free(b.bytes);
    gauge *u = configuration_open_for(PLACE_CPU, wanted, &facts, path, &f);
    fact(!u && strstr(f.why, "the metadata say plaquette 0.3"), "links of 0 and another plaquette are refused");
    b = openqcd_file(zeros, configuration_openqcd_plaquette(&facts));
    blob_write(path, b.bytes, b.n);
    free(b.bytes);
    u = configuration_open(PLACE_CPU, &facts, path, &f);
    fact(!u && strstr(f.why, "of the last time slice are 0"), "links of 0 are refused on a periodic lattice");
    u = configuration_open_for(PLACE_CPU, wanted, &facts, path, &f);
    if (fact(u != NULL, "and read with open boundaries, where they are inactive %s", u ? "" : f.why)) {
        bool units = true;
        gauge_export(read, u);
        for (size_t x = reals - slice; x < reals; x += LINKS_SITE_REALS)
            for (size_t i = 0; i < LINKS_MATRIX_REALS; i++) {
                double *number = read + x + 3 * LINKS_MATRIX_REALS + i;
                units = units && *number == (i % 8 == 0);
                *number = 0;
            }
        fact(units, "as unit matrices");
        fact(memcmp(read, zeros, reals * sizeof *read) == 0, "beside all other links");
    }
    configuration_close(u);
    memory_free(read);
    memory_free(zeros);
}

int main(void)
{
    if (!program_is_there())
        return facts_end();
    scratch s = scratch_create();
    char file[600], ildg[600], back[600], bad[600];
    strcpy(file, scratch_path(&s, "cfgn1"));
    strcpy(ildg, scratch_path(&s, "c.lime"));
    strcpy(back, scratch_path(&s, "backn1"));
    strcpy(bad, scratch_path(&s, "bad"));
    double *links = analytic_links(extents, golden_fields[0].width);
    blob b = openqcd_file(links, golden_fields[0].plaquette);
    blob_write(file, b.bytes, b.n);
    reading(file, links);
    writing(file, ildg, back, &b);
    damage(bad, links);
    recognized(bad);
    open_boundaries(bad, links);
    odd_extents(bad, &s);
    free(b.bytes);
    memory_free(links);
    scratch_remove(&s);
    return facts_end();
}
