/* links_source.h - what the readers of all formats share: a file of known size, and the links in it.
 *
 * Every format stores   site (x fastest, then y, z, t), mu = x,y,z,t, row, col, (re, im)
 * and differs in what stands around it, in the width and byte order of the reals, and in the number of
 * rows.  Nothing is allocated before the file has been seen to be long enough to fill it. */
#ifndef KILN_IO_LINKS_SOURCE_H
#define KILN_IO_LINKS_SOURCE_H

#include "src/base/error.h"
#include "src/io/links_info.h"

#include <stdbool.h>
#include <stdio.h>

enum { LINKS_LARGEST_EXTENT = 8192 };      /* so that the bytes of any lattice can be counted in 64 bits */

typedef struct { const char *path; FILE *file; uint64_t size; } links_source;    /* path is borrowed */

bool links_source_open(links_source *s, const char *path, failure *f);     /* ordinary files only */
void links_source_close(links_source *s);

/* Read exactly n bytes from `offset`; `what` names them in the message. */
bool links_source_read(const links_source *s, uint64_t offset, void *bytes, size_t n, const char *what, failure *f);

typedef struct {
    int  bits;              /* of a real: 32 or 64 */
    bool big_endian;
    int  rows;              /* 3; or 2, when the third row is left out: it is (row0 x row1)^* */
} links_layout;

const char *precision_name(int bits);                  /* "single", "double" */
size_t links_site_bytes(const links_layout *layout);   /* the four links of a site in the file */

/* False, naming `what`, if an extent is absurd. */
bool links_extents_check(const links_source *s, const char *what, const long long found[4], int extents[4],
                         failure *f);

/* False, naming `what`, unless `bytes` is what these extents need. */
bool links_size_check(const links_source *s, const char *what, uint64_t bytes, const int extents[4],
                      const links_layout *layout, failure *f);

/* Takes the bytes of a site, as they stand in the file, into a checksum. */
typedef void site_sum(void *sum, uint64_t site_rank, const unsigned char *site, size_t bytes,
                      const links_layout *layout);

/* Read the links that start at `offset`, all of them finite and in the byte order of the layout; `add` and `sum` see
 * every site.  The size has been checked.  Returns the links (memory_free), or NULL with the reason. */
double *links_source_links(const links_source *s, const char *what, uint64_t offset, const int extents[4],
                           const links_layout *layout, site_sum *add, void *sum, failure *f);

/* Reals of the file to doubles and back (32 bits: rounded to the nearest). */
void reals_decode(double *reals, const unsigned char *bytes, size_t n, int bits, bool big_endian);
void reals_encode(unsigned char *bytes, const double *reals, size_t n, int bits, bool big_endian);

/* Row 2 of an SU(3) matrix [row][col][re, im] from the others: (row0 x row1)^*. */
void complete_third_row(double u[18]);

/* 32 bits as a file of that byte order holds them. */
uint32_t word_decode(const unsigned char bytes[4], bool big_endian);
void word_encode(unsigned char bytes[4], uint32_t word, bool big_endian);

/* A reader of a format: fill `info`, and unless `links` is NULL read the links and verify their
 * checksum.  The file's first bytes have been found to be those of the format. */
typedef bool links_reader(const links_source *s, links_info *info, double **links, failure *f);
links_reader lime_links_read, nersc_read, milc_read;

#endif
