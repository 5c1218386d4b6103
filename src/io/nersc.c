/* nersc.c - the NERSC (Gauge Connection) archive format.
 *
 * A header of lines KEY = VALUE between BEGIN_HEADER and END_HEADER, then the links: two rows or three,
 * 32 or 64 bits, either byte order.  CHECKSUM is the sum, modulo 2^32, of the 32-bit words stored (of
 * 64-bit reals both halves). */
#include "src/io/links_formats.h"

#include "src/base/memory.h"
#include "src/base/text.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { HEADER_LIMIT = 65536, VALUE_SIZE = ARCHIVE_VALUE_SIZE };
static const char end_line[] = "\nEND_HEADER";

static const struct { const char *name; int rows; } datatypes[] = {
    { "4D_SU3_GAUGE", 2 },
    { "4D_SU3_GAUGE_3x3", 3 },
};

/* "IEEE32" alone does not define the byte order: big endian, unless only little endian gives the checksum. */
static const struct { const char *name; int bits; bool big_endian, order_open; } reals[] = {
    { "IEEE32BIG", 32, true, false },    { "IEEE32LITTLE", 32, false, false }, { "IEEE32", 32, true, true },
    { "IEEE64BIG", 64, true, false },    { "IEEE64LITTLE", 64, false, false }, { "IEEE64", 64, true, true },
};

#define COUNT(table) (sizeof(table) / sizeof *(table))

/* The number of lines "key = value" in the header; *value is the last value, without blanks around it.  -1: a value is
 * too long. */
static int count_values(const char *header, const char *key, char value[VALUE_SIZE])
{
    size_t length = strlen(key);
    int seen = 0;
    for (const char *line = header; line && *line; line = strchr(line, '\n'), line += line != NULL) {
        const char *at = line + strspn(line, " \t");
        if (strncmp(at, key, length) != 0)
            continue;
        at += length;
        at += strspn(at, " \t");
        if (*at != '=')
            continue;
        at++;
        at += strspn(at, " \t");
        size_t n = strcspn(at, "\n");
        while (n > 0 && isspace((unsigned char)at[n - 1]))
            n--;
        if (n >= VALUE_SIZE)
            return -1;
        memcpy(value, at, n);
        value[n] = '\0';
        seen++;
    }
    return seen;
}

/* The value of `key`.  False if it is missing, repeated or too long. */
static bool header_value(const char *header, const char *key, char value[VALUE_SIZE])
{
    return count_values(header, key, value) == 1;
}

static bool needed_value(const links_source *s, const char *header, const char *key, char value[VALUE_SIZE],
                         failure *f)
{
    return header_value(header, key, value)
           || fail(f, "%s: header: %s is missing, repeated or unreadable", s->path, key);
}

/* MILC writes archives without FLOATING_POINT, in 32 bits and big endian.  Here the size of the file decides between 32
 * and 64 bits, and later the checksum between the byte orders (order_open). */
static void guess_reals(const links_source *s, const int extents[4], links_block *block)
{
    uint64_t bytes = links_site_bytes(&(links_layout){ .bits = 64, .rows = block->layout.rows });
    for (int mu = 0; mu < 4; mu++)
        bytes *= (uint64_t)extents[mu];
    block->layout.bits = s->size - block->offset == bytes ? 64 : 32;
    block->layout.big_endian = block->order_open = true;
}

static bool read_layout(const links_source *s, const char *header, const int extents[4], links_block *block, failure *f)
{
    char value[VALUE_SIZE];
    size_t i;
    if (!needed_value(s, header, "DATATYPE", value, f))
        return false;
    for (i = 0; i < COUNT(datatypes) && strcasecmp(value, datatypes[i].name) != 0; i++)
        continue;
    if (i == COUNT(datatypes))
        return fail(f, "%s: header: DATATYPE %s; Kiln reads 4D_SU3_GAUGE and 4D_SU3_GAUGE_3x3", s->path, value);
    block->layout.rows = datatypes[i].rows;

    if (count_values(header, "FLOATING_POINT", value) == 0) {
        guess_reals(s, extents, block);
        return true;
    }
    if (!needed_value(s, header, "FLOATING_POINT", value, f))
        return false;
    for (i = 0; i < COUNT(reals) && strcmp(value, reals[i].name) != 0; i++)
        continue;
    if (i == COUNT(reals))
        return fail(f, "%s: header: FLOATING_POINT %s is not supported; supported are IEEE32 and IEEE64, also with BIG "
                       "or LITTLE appended", s->path, value);
    block->layout.bits = reals[i].bits;
    block->layout.big_endian = reals[i].big_endian;
    block->order_open = reals[i].order_open;
    return true;
}

static bool read_extents(const links_source *s, const char *header, int extents[4], failure *f)
{
    long long found[4];
    for (int mu = 0; mu < 4; mu++) {
        char key[] = "DIMENSION_1", value[VALUE_SIZE], *end;
        key[sizeof key - 2] = (char)('1' + mu);
        if (!needed_value(s, header, key, value, f))
            return false;
        errno = 0;
        found[mu] = strtoll(value, &end, 10);
        if (end == value || *end || errno)
            return fail(f, "%s: header: %s is \"%s\", not a number", s->path, key, value);
    }
    return links_extents_check(s, "header", found, extents, f);
}

/* CPS writes ANTIPERIODIC for the boundary conditions of the quarks: the links themselves are periodic.  Other values,
 * such as those of G-parity, are boundary conditions of the links. */
static bool check_boundaries(const links_source *s, const char *header, failure *f)
{
    for (int mu = 0; mu < 4; mu++) {
        char key[] = "BOUNDARY_1", value[VALUE_SIZE];
        key[sizeof key - 2] = (char)('1' + mu);
        if (header_value(header, key, value) && value[0] && strcasecmp(value, "PERIODIC") != 0
            && strcasecmp(value, "ANTIPERIODIC") != 0)
            return fail(f, "%s: header: %s %s; Kiln reads PERIODIC links only (ANTIPERIODIC is about quarks)", s->path,
                        key, value);
    }
    return true;
}

/* An optional number.  False with the reason if the key is present but its value is not a number. */
static bool optional_real(const links_source *s, const char *header, const char *key, bool *has, double *value,
                          failure *f)
{
    char found[VALUE_SIZE], *end;
    const int count = count_values(header, key, found);
    *has = false;
    if (count == 0)
        return true;
    if (count != 1)
        return fail(f, "%s: header: %s is repeated or unreadable", s->path, key);
    *value = strtod(found, &end);
    *has = end != found && *end == '\0' && isfinite(*value);
    return *has || fail(f, "%s: header: %s is \"%s\", not a number; the links cannot be compared with it: correct the "
                           "header of a copy, or remove this line from it", s->path, key, found);
}

static void read_label(const char *header, archive_label *label)
{
    char value[VALUE_SIZE], *end;
    *label = (archive_label){ 0 };
    if (!header_value(header, "ENSEMBLE_ID", label->ensemble_id))
        label->ensemble_id[0] = '\0';
    if (!header_value(header, "ENSEMBLE_LABEL", label->ensemble_label))
        label->ensemble_label[0] = '\0';
    if (header_value(header, "SEQUENCE_NUMBER", value) && isdigit((unsigned char)value[0])) {
        errno = 0;
        long long number = strtoll(value, &end, 10);
        label->has_sequence = *end == '\0' && errno == 0;
        label->sequence = number;
    }
}

static void add_site(links_sum *sum, uint64_t rank, const unsigned char *site, size_t bytes,
                     const links_layout *layout)
{
    (void)rank;
    for (size_t i = 0; i < bytes; i += 4)
        sum->nersc += word_decode(site + i, layout->big_endian);
}

static void merge_sums(links_sum *sum, const links_sum *other)
{
    sum->nersc += other->nersc;
}

static void print_sum(char printed[48], const links_sum *sum)
{
    snprintf(printed, 48, "%" PRIx32, sum->nersc);
}

const links_checksum nersc_checksum = { add_site, merge_sums, print_sum, "checksum: the header" };

static bool read_checksum(const links_source *s, const char *header, links_info *info, failure *f)
{
    char value[VALUE_SIZE], *end;
    if (!needed_value(s, header, "CHECKSUM", value, f))
        return false;
    errno = 0;
    unsigned long long stored = strtoull(value, &end, 16);
    if (!isxdigit((unsigned char)value[0]) || *end || errno || stored > UINT32_MAX)
        return fail(f, "%s: header: CHECKSUM \"%s\" is not a hexadecimal number of 32 bits", s->path, value);
    print_sum(info->checksum, &(links_sum){ .nersc = (uint32_t)stored });
    info->has_checksum = true;
    return true;
}

/* The line feed before the line END_HEADER, which may have blanks or a carriage return at its end; *bytes is the offset
 * of the links in the file.  NULL: there is no such line. */
static char *find_end(char *header, uint64_t *bytes)
{
    for (char *end = strstr(header, end_line); end; end = strstr(end + 1, end_line)) {
        const char *rest = end + sizeof end_line - 1;
        rest += strspn(rest, " \t\r");
        *bytes = (uint64_t)(rest + 1 - header);
        if (*rest == '\n')
            return end;
    }
    return NULL;
}

/* The header as a text (memory_free), without the line END_HEADER; *bytes is the offset of the links in the file. */
static char *read_header(const links_source *s, uint64_t *bytes, failure *f)
{
    size_t n = s->size < HEADER_LIMIT ? (size_t)s->size : HEADER_LIMIT;
    char *header = memory_alloc(n + 1, "header of a NERSC archive");
    char *end = NULL;
    if (links_source_read(s, 0, header, n, "header", f)) {
        end = find_end(header, bytes);
        if (!end)
            fail(f, "%s: header: no line END_HEADER in its first %zu bytes", s->path, n);
    }
    if (!end) {
        memory_free(header);
        return NULL;
    }
    end[1] = '\0';
    return header;
}

bool nersc_read(const links_source *s, links_info *info, links_block *block, failure *f)
{
    *block = (links_block){ .what = "links" };
    char *header = read_header(s, &block->offset, f);
    if (!header)
        return false;
    bool ok = read_extents(s, header, info->extents, f) && read_layout(s, header, info->extents, block, f)
              && check_boundaries(s, header, f) && read_checksum(s, header, info, f)
              && links_size_check(s, "links", s->size - block->offset, info->extents, &block->layout, f)
              && optional_real(s, header, "PLAQUETTE", &info->has_plaquette, &info->plaquette, f)
              && optional_real(s, header, "LINK_TRACE", &info->has_link_trace, &info->link_trace, f);
    info->format = FORMAT_NERSC;
    info->bits = block->layout.bits;
    info->rows = block->layout.rows;
    read_label(header, &info->label);
    memory_free(header);
    return ok;
}

/* Some readers, such as that of Grid, need the key even without a value. */
static const char *or_unnamed(const char *value)
{
    return value[0] ? value : "unnamed";
}

static void add_header(text *header, const links_info *info, const links_layout *layout)
{
    const int *n = info->extents;
    const archive_label *label = &info->label;
    int64_t sequence = label->has_sequence ? label->sequence : info->has_state ? info->state.trajectory : 0;
    text_add(header, "BEGIN_HEADER\nHDR_VERSION = 1.0\nDATATYPE = 4D_SU3_GAUGE%s\nSTORAGE_FORMAT = 1.0\n",
             layout->rows == 3 ? "_3x3" : "");
    for (int mu = 0; mu < 4; mu++)
        text_add(header, "DIMENSION_%d = %d\n", mu + 1, n[mu]);
    text_add(header, "LINK_TRACE = %.12g\nPLAQUETTE = %.12g\n", info->link_trace, info->plaquette);
    for (int mu = 0; mu < 4; mu++)
        text_add(header, "BOUNDARY_%d = PERIODIC\n", mu + 1);
    text_add(header, "CHECKSUM = %s\nENSEMBLE_ID = %s\nENSEMBLE_LABEL = %s\nSEQUENCE_NUMBER = %" PRId64 "\n",
             info->checksum, or_unnamed(label->ensemble_id), or_unnamed(label->ensemble_label), sequence);
    text_add(header, "CREATOR = kiln\nFLOATING_POINT = IEEE%dBIG\nEND_HEADER\n", layout->bits);
}

bool nersc_write(const links_target *t, failure *f)
{
    const links_layout layout = { .bits = t->info->bits, .big_endian = true, .rows = t->info->rows };
    links_sum sum = { .nersc = 0 }, again = sum;
    if (!t->info->has_plaquette || !t->info->has_link_trace)
        return fail(f, "%s: a NERSC archive needs plaquette and link trace in its header", t->path);
    if (!links_encode(t, &layout, &(links_sink){ .checksum = &nersc_checksum, .sum = &sum }, f))
        return false;
    print_sum(t->info->checksum, &sum);

    const links_sink file = { .checksum = &nersc_checksum, .sum = &again, .put = links_put_stream };
    text header = { 0 };
    add_header(&header, t->info, &layout);
    bool ok = links_put_stream(t, NULL, text_string(&header), header.length, f)
              && links_encode(t, &layout, &file, f);
    text_free(&header);
    return ok;
}
