/* links_formats.h - a format of links: how its files are read and written, and the table of all. */
#ifndef KILN_IO_LINKS_FORMATS_H
#define KILN_IO_LINKS_FORMATS_H

#include "src/base/checksum.h"
#include "src/io/links_source.h"
#include "src/lattice/slices.h"

/* ---- the checksum of a format: threads add sites in any order */

typedef struct { uint32_t sum29, sum31; } milc_sums;
typedef union { scidac_checksum scidac; uint32_t nersc; milc_sums milc; } links_sum;       /* zero bits: of no site */

typedef struct {
    /* Add the bytes of a site, as stored in the file; add the sum over other sites. */
    void (*add)(links_sum *sum, uint64_t site_rank, const unsigned char *site, size_t bytes,
                const links_layout *layout);
    void (*merge)(links_sum *sum, const links_sum *other);
    void (*print)(char printed[48], const links_sum *sum);       /* for links_info.checksum */
    const char *place;                                           /* where a file stores it, for "PLACE says ..." */
} links_checksum;

/* Add the sites first ... first + count - 1 (lexicographic ranks), which are stored in `bytes`. */
void links_sum_sites(links_sum *sum, const links_checksum *c, uint64_t first, const unsigned char *bytes, size_t count,
                     const links_layout *layout);

/* ---- reading */

/* Where the links are in a file. */
typedef struct {
    const char *what;               /* their name in messages; static */
    uint64_t offset;                /* of the first byte */
    links_layout layout;
    bool order_open;                /* the header does not define the byte order: links_file.c finds it */
} links_block;

/* Read everything but the links: fill in `info` and `block`.  The file begins as the format does. */
typedef bool links_reader(const links_source *s, links_info *info, links_block *block, failure *f);

/* Read time slice `t` of a format that does not store the sites in lexicographic order; the slice is as in
 * links_file_next_slice, without its checks. */
typedef bool links_slice_reader(double *slice, const links_source *s, const int extents[4], int t, failure *f);

/* ---- writing */

/* The file while it is written. */
typedef struct {
    const char *path;                   /* its final name, for messages; borrowed */
    FILE *stream;                       /* the temporary file, at its start */
    const slice_source *links;
    links_info *info;                   /* extents, bits, rows and metadata; the writer fills in `checksum` */
} links_target;

/* Write a whole file of the format, without the metadata that the format does not have. */
typedef bool links_writer(const links_target *t, failure *f);

/* Write `n` bytes; false with the reason. */
typedef bool links_put(const links_target *t, void *with, const void *bytes, size_t n, failure *f);
links_put links_put_stream;             /* to the stream, as they are; with: NULL */

/* What links_encode does with the bytes of the links. */
typedef struct {
    const links_checksum *checksum;     /* NULL: none */
    links_sum *sum;                     /* the sum of that checksum, to which every site is added; borrowed */
    links_put *put;                     /* then writes the bytes; NULL: only the checksum */
    void *with;                         /* argument of `put`; borrowed */
} links_sink;

/* Encode all links in lexicographic order and pass their bytes to the sink.  False with the reason, also where a link
 * is not finite in the precision of the file. */
bool links_encode(const links_target *t, const links_layout *layout, const links_sink *to, failure *f);

/* ---- the table */

typedef struct {
    const char *title;                  /* for all rows with the same first bytes, in the first of them; else NULL */
    struct { const char *bytes; size_t count; } magic[2];      /* a file of the format begins with one of them */
    links_reader *read;
    links_writer *write;
    int bits, rows;                     /* allowed: 32 | 64; ROWS_2 | ROWS_3 */
    const links_checksum *checksum;     /* NULL: none */
    bool (*begins)(const unsigned char *first, size_t n);      /* whether a file begins so; NULL: see `magic` */
    links_slice_reader *read_slice;     /* NULL: the sites are in lexicographic order */
} links_format_row;

enum { ROWS_2 = 1 << 2, ROWS_3 = 1 << 3 };
extern const links_format_row links_formats[LINKS_FORMATS];

/* The format with the first bytes of this file.  ILDG and SciDAC begin alike: the first row is returned, and its reader
 * sets info->format.  NULL with the reason. */
const links_format_row *links_format_of(const links_source *s, failure *f);

links_reader lime_links_read, nersc_read, milc_read, openqcd_read;
links_slice_reader openqcd_read_slice;
bool openqcd_begins(const unsigned char *first, size_t n);
links_writer lime_links_write, nersc_write, milc_write, openqcd_write;
extern const links_checksum lime_checksum, nersc_checksum, milc_checksum;

#endif
