/* links_file.h - gauge links in a file: every format through one door.
 *
 * Links travel as doubles in lexicographic order, whatever the file holds:
 *     links[((t*nz + z)*ny + y)*nx + x][mu = x,y,z,t][row][col][re, im]
 * Reading is strict: what is truncated, of wrong size, wrong checksum, not finite or absurd is refused
 * with a sentence; nothing is repaired silently.  A file of unitary matrices only is demanded by
 * links_check, which the caller applies with the tolerance of the precision.
 *
 * Formats: ILDG and SciDAC (lime_links.c, lime_write.c), NERSC archive (nersc.c), MILC v5 (milc.c). */
#ifndef KILN_IO_LINKS_FILE_H
#define KILN_IO_LINKS_FILE_H

#include "src/base/checksum.h"
#include "src/base/error.h"
#include "src/io/links_info.h"

#include <stddef.h>
#include <stdint.h>

const char *links_format_name(links_format format);      /* "ildg", "scidac", "nersc", "milc" */

/* Read `path` in whatever format its first bytes show.  Returns the links (release with memory_free),
 * or NULL with the reason: file, record, expected, found. */
double *links_read(const char *path, links_info *info, failure *f);

/* Read the metadata only: as links_read, without reading the links or verifying their checksum. */
bool links_read_info(const char *path, links_info *info, failure *f);

/* The largest |U^+U - 1| and |det U - 1| (max norm) of all links. */
double links_unitarity(const double *links, const int extents[4]);

/* False, with the first site and direction at fault, if a link is not finite or leaves SU(3) by more
 * than `tolerance` (links_unitarity's norm). */
bool links_check(const double *links, const int extents[4], double tolerance, const char *path, failure *f);
#define LINKS_TOLERANCE_32 1e-4      /* float32 rounding grown over a product; what other codes allow */
#define LINKS_TOLERANCE_64 1e-10

/* digest64 of the links' bytes: names a configuration. */
uint64_t links_digest(const double *links, const int extents[4]);

/* False, with the reason, where a format cannot hold links of so many bits and rows; `path` begins the message. */
bool links_can_be_written(links_format format, int bits, int rows, const char *path, failure *f);

/* Write the links as info->format in info->bits and info->rows, with what the format has a place for:
 *     ILDG    every record named in DESIGN: ildg-format, ildg-binary-data, ildg-data-lfn, SciDAC file and record
 *             XML with plaquette and link trace, scidac-checksum, and kiln-run-state if info->has_state
 *     SciDAC  the same without the two ILDG records: no lfn
 *     NERSC   plaquette, link trace, label; the sequence number is the state's trajectory where there is no label
 *     MILC    nothing but extents and checksums
 * so that at any instant the file is absent or complete: temporary name in the same folder, fsync, re-read into
 * another buffer and compare every bit and the checksum, rename, fsync the folder.  Refuses to overwrite unless
 * `replace`.  On failure the temporary is removed.  info->checksum is filled in; `largest_change` (may be NULL) takes
 * the largest |stored - given| of a real: 0 where the file has the very links. */
bool links_write(const char *path, const double *links, links_info *info, bool replace, double *largest_change,
                 failure *f);

/* ILDG's checksum of a configuration: that of the command cksum, of the bytes of ildg-binary-data in info->bits. */
uint32_t links_ildg_cksum(const double *links, const links_info *info);

/* links_write as ILDG, three rows, whatever info says of them. */
bool links_write_ildg(const char *path, const double *links, links_info *info, bool replace, failure *f);

#endif
