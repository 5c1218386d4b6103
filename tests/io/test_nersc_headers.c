/* test_nersc_headers.c - NERSC archives with the headers that CPS and Grid write, in every layout of their numbers. */
#include "src/base/memory.h"
#include "src/io/links_file.h"
#include "tests/analytic_field.h"
#include "tests/cli/program.h"
#include "tests/facts.h"
#include "tests/io/scratch.h"
#include "tests/io/whole_links.h"
#include "tests/gauge/golden_numbers.h"

static const int extents[4] = { 4, 4, 6, 8 };

/* Lines of a header between the extents and END_HEADER; CPS prints ten digits, Grid pads the checksum with blanks. */
typedef struct { const char *writer, *before, *means, *checksum, *behind; } header_style;
static const header_style styles[] = {
    { "CPS", "STORAGE_FORMAT = 1.0\n", "LINK_TRACE = %.10g\nPLAQUETTE  = %.10g\n", "CHECKSUM = %x\n",
      "BOUNDARY_1 = PERIODIC\nBOUNDARY_2 = PERIODIC\nBOUNDARY_3 = PERIODIC\nBOUNDARY_4 = ANTIPERIODIC\n"
      "ENSEMBLE_ID = RBC_2p1\nENSEMBLE_LABEL = iwasaki\nSEQUENCE_NUMBER = 1200\nCREATOR = RBC\n"
      "CREATOR_HARDWARE = QCDOC\nCREATION_DATE = Mon Mar  3 10:00:00 2008\nARCHIVE_DATE = Mon Mar  3 10:00:00 2008\n" },
    { "Grid", "STORAGE_FORMAT = \n", "LINK_TRACE = %.6g\nPLAQUETTE = %.6g\n", "CHECKSUM = %10x\n",
      "SCIDAC_CHECKSUMA =          0\nSCIDAC_CHECKSUMB =          0\nBOUNDARY_1 = PERIODIC\nBOUNDARY_4 = PERIODIC\n"
      "ENSEMBLE_ID = UKQCD\nENSEMBLE_LABEL = DWF\nSEQUENCE_NUMBER = 1200\nCREATOR = someone\n" },
};

static const struct { const char *name; int bits; bool big; } numbers[] = {
    { "IEEE32BIG", 32, true }, { "IEEE32LITTLE", 32, false }, { "IEEE64BIG", 64, true }, { "IEEE64LITTLE", 64, false },
};

/* name NULL: without the line FLOATING_POINT, as MILC writes archives. */
static blob archive(const header_style *style, const double *links, int rows, int bits, bool big, const char *name)
{
    blob data = put_links(links, extents, rows, bits, big, 0);
    uint32_t sum = 0;
    for (size_t k = 0; k < data.n / 4; k++)
        sum += get_word(data.bytes + 4 * k, big);
    char means[200], checksum[50], header[2000], reals[60] = "";
    if (name)
        snprintf(reals, sizeof reals, "FLOATING_POINT = %s\n", name);
    snprintf(means, sizeof means, style->means, golden_fields[0].link_trace, golden_fields[0].plaquette);
    snprintf(checksum, sizeof checksum, style->checksum, sum);
    const int n = snprintf(header, sizeof header,
                           "BEGIN_HEADER\nHDR_VERSION = 1.0\nDATATYPE = 4D_SU3_GAUGE%s\n%sDIMENSION_1 = 4\n"
                           "DIMENSION_2 = 4\nDIMENSION_3 = 6\nDIMENSION_4 = 8\n%s%s%s%sEND_HEADER\n",
                           rows == 3 ? "_3x3" : "", style->before, means, checksum, style->behind, reals);
    blob b = { malloc((size_t)n + data.n), (size_t)n + data.n };
    memcpy(b.bytes, header, (size_t)n);
    memcpy(b.bytes + n, data.bytes, data.n);
    free(data.bytes);
    return b;
}

static void one_layout(const char *path, const header_style *style, int rows, int which, bool named,
                       const double *links)
{
    const int bits = numbers[which].bits;
    blob b = archive(style, links, rows, bits, numbers[which].big, named ? numbers[which].name : NULL);
    links_info info;
    failure f = { .why = "" };
    blob_write(path, b.bytes, b.n);
    double *read = links_read(path, &info, &f);
    const double allowed = bits == 32 ? 1e-6 : rows == 2 ? 1e-15 : 0;
    fact(read && info.rows == rows && info.bits == bits && info.label.sequence == 1200
             && largest_difference(read, links, links_count(extents)) <= allowed,
         "%s, %s%s, 3x%d: the links and the sequence number", style->writer, numbers[which].name,
         named ? "" : " that no line names", rows);
    fact(program_run("verify '%s'", path)->status == 0, "kiln verify: plaquette, link trace, checksum");
    memory_free(read);
    b.bytes[b.n - 5] ^= 0x01;                                  /* the lowest bits of some number, or not much higher */
    blob_write(path, b.bytes, b.n);
    fact(program_run("verify '%s'", path)->status == 1, "a changed bit fails");
    free(b.bytes);
}

/* The header with lines that end in CR LF. */
static void carriage_returns(const char *path, const double *links)
{
    blob b = archive(&styles[1], links, 3, 64, true, "IEEE64BIG");
    unsigned char *all = malloc(b.n + 100);
    size_t n = 0, i = 0;
    for (bool in_header = true; i < b.n; i++) {
        if (in_header && b.bytes[i] == '\n')
            all[n++] = '\r';
        all[n++] = b.bytes[i];
        in_header = in_header && !(i >= 11 && memcmp(b.bytes + i - 10, "END_HEADER\n", 11) == 0);
    }
    links_info info;
    failure f = { .why = "" };
    blob_write(path, all, n);
    double *read = links_read(path, &info, &f);
    fact(read && largest_difference(read, links, links_count(extents)) == 0, "lines that end with CR LF%s", f.why);
    fact(program_run("verify '%s'", path)->status == 0, "kiln verify agrees");
    memory_free(read);
    free(all);
    free(b.bytes);
}

/* The header with one value replaced by another of the same length: kiln verify says `why`. */
static void refused(const char *path, const double *links, const char *from, const char *to, const char *why)
{
    blob b = archive(&styles[0], links, 2, 64, true, "IEEE64BIG");
    char *at = strstr((char *)b.bytes, from);                  /* the header comes before any zero byte */
    fact(at != NULL, "the header has \"%s\"", from);
    if (at)
        memcpy(at, to, strlen(to));
    blob_write(path, b.bytes, b.n);
    const program_output *s = program_run("verify '%s'", path);
    fact(s->status == 1 && stdout_has(s, why), "%s instead: %s", to, why);
    free(b.bytes);
}

int main(void)
{
    if (!program_is_there())
        return facts_end();
    scratch s = scratch_create();
    const char *path = scratch_path(&s, "ckpoint_lat.1200");
    double *links = analytic_links(extents, golden_fields[0].width);
    for (int style = 0; style < 2; style++)
        for (int rows = 2; rows <= 3; rows++)
            for (int which = 0; which < 4; which++)
                for (int named = 0; named < 2; named++)
                    one_layout(path, &styles[style], rows, which, named, links);
    carriage_returns(path, links);
    refused(path, links, "BOUNDARY_1 = PERIODIC", "BOUNDARY_1 = GPARITY_", "BOUNDARY_1 GPARITY_");
    refused(path, links, "IEEE64BIG", "TIDSP3264", "FLOATING_POINT TIDSP3264 is not supported");
    refused(path, links, "PLAQUETTE  = 0.24843", "PLAQUETTE  = 0.24853", "the metadata say plaquette");
    refused(path, links, "LINK_TRACE = 0.70680", "LINK_TRACE = 0.70690", "the metadata say link trace");
    refused(path, links, "PLAQUETTE  = 0.24843", "PLAQUETTE  = nan    ", "PLAQUETTE is \"nan");
    refused(path, links, "PLAQUETTE  = 0.24", "PLAQUETTE  = 0,24", "PLAQUETTE is \"0,24");
    refused(path, links, "LINK_TRACE = 0.7", "LINK_TRACE = n/a", "LINK_TRACE is \"n/a");
    refused(path, links, "DIMENSION_4 = 8", "DIMENSION_4 = 6", "4x4x6x6 in double precision and two rows needs");
    memory_free(links);
    scratch_remove(&s);
    return facts_end();
}
