/* links_source.h - for the readers of all formats: a file of known size, and reals in it.
 *
 * Every format but openQCD's (openqcd.c) stores   site (x fastest, then y, z, t), mu = x,y,z,t, row, col, (re, im)
 * with its own headers, width and byte order of the reals, and number of rows.  Readers allocate memory only
 * after they have checked that the file is long enough to fill it. */
#ifndef KILN_IO_LINKS_SOURCE_H
#define KILN_IO_LINKS_SOURCE_H

#include "src/base/error.h"
#include "src/io/links_info.h"

#include <stdbool.h>
#include <stdio.h>

enum { LINKS_LARGEST_EXTENT = 8192 };      /* so that the bytes of any lattice can be counted in 64 bits */

typedef struct { const char *path; FILE *file; uint64_t size; } links_source;    /* path is borrowed */

bool links_source_open(links_source *s, const char *path, failure *f);     /* regular files only */
void links_source_close(links_source *s);

/* Read exactly n bytes from `offset`; `what` names them in the message. */
bool links_source_read(const links_source *s, uint64_t offset, void *bytes, size_t n, const char *what, failure *f);

const char *precision_name(int bits);                  /* "single", "double" */
size_t links_site_bytes(const links_layout *layout);   /* the four links of a site in the file */

/* The bytes of links are converted in chunks of at most LINKS_CHUNK_SITES sites; several threads share chunks of
 * LINKS_PARALLEL_SITES or more. */
enum { LINKS_CHUNK_SITES = 4096, LINKS_PARALLEL_SITES = 512 };
size_t links_chunk_sites(const int extents[4]);        /* of a time slice of these extents */

/* Copies extents x, y, z, t from the file.  False, naming `what`, if one is not in 1 ... LINKS_LARGEST_EXTENT. */
bool links_extents_check(const links_source *s, const char *what, const long long found[4], int extents[4],
                         failure *f);

/* False, naming `what`, unless `bytes` is what these extents need. */
bool links_size_check(const links_source *s, const char *what, uint64_t bytes, const int extents[4],
                      const links_layout *layout, failure *f);

/* Reals of the file to doubles and back (32 bits: rounded to the nearest). */
void reals_decode(double *reals, const unsigned char *bytes, size_t n, int bits, bool big_endian);
void reals_encode(unsigned char *bytes, const double *reals, size_t n, int bits, bool big_endian);

/* Round reals in place to those of a file with this many bits. */
void reals_round(double *reals, size_t n, int bits);

/* The four links of a site from its bytes. */
void links_decode_site(double site[LINKS_SITE_REALS], const unsigned char *bytes, const links_layout *layout);

/* Sets row 2 of an SU(3) matrix [row][col][re, im] to (row0 x row1)^*. */
void links_complete_third_row(double u[LINKS_MATRIX_REALS]);

bool reals_are_finite(const double *reals, size_t n);

/* A 32-bit word from the bytes of a file with this byte order. */
uint32_t word_decode(const unsigned char bytes[4], bool big_endian);
void word_encode(unsigned char bytes[4], uint32_t word, bool big_endian);

#endif
