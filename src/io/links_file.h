/* links_file.h - gauge links in a file: every format through one door.
 *
 * Links travel a time slice at a time, as doubles in lexicographic order, whatever the file holds:
 *     slice[(z*ny + y)*nx + x][mu = x,y,z,t][row][col][re, im]
 * so that nobody holds them all.  Reading is strict: what is truncated, of wrong size, wrong checksum, not finite or
 * absurd is refused with a sentence; nothing is repaired silently.  A file of unitary matrices only is demanded by
 * links_check, which the caller applies with the tolerance of the precision.
 *
 * Formats: ILDG and SciDAC (lime_links.c, lime_write.c), NERSC archive (nersc.c), MILC v5 (milc.c); links_formats.c has
 * the table of them. */
#ifndef KILN_IO_LINKS_FILE_H
#define KILN_IO_LINKS_FILE_H

#include "src/base/checksum.h"
#include "src/base/error.h"
#include "src/io/links_info.h"
#include "src/lattice/slices.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Open `path` in whatever format its first bytes show, and read the metadata.  NULL with the reason: file, record,
 * expected, found.  Slices are then read in order; the checksum is verified with the last one, and what has been read
 * is no configuration before that. */
typedef struct links_file links_file;
links_file *links_file_open(const char *path, links_info *info, failure *f);
bool links_file_next_slice(links_file *file, double *slice, failure *f);
void links_file_close(links_file *file);

/* The same of an ordinary file that is open for reading, `size` bytes long: it is closed with the links_file, or here
 * where that is NULL. */
links_file *links_file_of_stream(const char *path, FILE *stream, uint64_t size, links_info *info, failure *f);

/* Read the metadata only: without reading the links or verifying their checksum. */
bool links_read_info(const char *path, links_info *info, failure *f);

/* The larger of |U^+U - 1| and |det U - 1| (max norm) of a link [row][col][re, im]; infinite if it is not finite. */
double link_distance_from_su3(const double link[18]);

/* False, with the first site and direction at fault, if a link of time slice t is not finite or leaves SU(3) by more
 * than `tolerance` (link_distance_from_su3). */
bool links_check(const double *slice, const int extents[4], int t, double tolerance, const char *path, failure *f);
#define LINKS_TOLERANCE_32 1e-4      /* float32 rounding grown over a product; what other codes allow */
#define LINKS_TOLERANCE_64 1e-10

/* digest64 of the links' bytes, all slices in order, the first one after DIGEST64_START: names a configuration. */
uint64_t links_digest(uint64_t digest, const double *slice, const int extents[4]);

/* Write the links as info->format in info->bits and info->rows, with what the format has a place for:
 *     ILDG    every record named in DESIGN: ildg-format, ildg-binary-data, ildg-data-lfn, SciDAC file and record
 *             XML with plaquette and link trace, scidac-checksum, and kiln-run-state if info->has_state
 *     SciDAC  the same without the two ILDG records: no lfn
 *     NERSC   plaquette, link trace, label; the sequence number is the state's trajectory where there is no label
 *     MILC    nothing but extents and checksums
 * so that at any instant the file is absent or complete: temporary name in the same folder, fsync, re-read and compare
 * every bit with `links`, asked for again, and the checksum, rename, fsync the folder.  Refuses to overwrite unless
 * `replace`.  On failure the temporary is removed.  info->checksum is filled in; `largest_change` (may be NULL) takes
 * the largest |stored - given| of a real: 0 where the file has the very links. */
bool links_write(const char *path, const slice_source *links, links_info *info, bool replace, double *largest_change,
                 failure *f);

/* The links of `count` sites as a reader of a file of that layout (a links_layout) gets them: rounded, the third row
 * completed; in place. */
void links_store(double *links, size_t count, const void *layout);

/* ILDG's checksum of a configuration: that of the command cksum, of the bytes of ildg-binary-data in info->bits. */
uint32_t links_ildg_cksum(const slice_source *links, const links_info *info);

/* Host memory of the calls above besides their arguments, and of a caller that holds one slice besides, at most. */
size_t links_file_bytes(const int extents[4]);

#endif
