/* links_file.h - gauge links in files: one interface for all formats.
 *
 * Links are read and written one time slice at a time, as doubles in lexicographic order, in every format:
 *     slice[(z*ny + y)*nx + x][mu = x,y,z,t][row][col][re, im]
 * so that a whole lattice is never in host memory.  Reading is strict: a file that is truncated, has a wrong size or
 * checksum, or has numbers that are not finite or not plausible, is refused with a message.  Nothing is repaired
 * silently.  links_check tests whether matrices are in SU(3); the caller calls it, with the tolerance of the precision.
 *
 * Formats: ILDG and SciDAC (lime_links.c, lime_write.c), NERSC archive (nersc.c), MILC v5 (milc.c), openQCD
 * (openqcd.c); their table is in links_formats.c. */
#ifndef KILN_IO_LINKS_FILE_H
#define KILN_IO_LINKS_FILE_H

#include "src/base/checksum.h"
#include "src/base/error.h"
#include "src/io/links_info.h"
#include "src/lattice/slices.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Open `path`, find its format from its first bytes, and read the metadata.  On failure it returns NULL, and `f`
 * names the file and the record, and says what was expected and found.  Slices are then read in order.  The
 * checksum is verified with the last slice: do not use the links before that. */
typedef struct links_file links_file;
links_file *links_file_open(const char *path, links_info *info, failure *f);
bool links_file_next_slice(links_file *file, double *slice, failure *f);
void links_file_close(links_file *file);

/* The same for an open regular file of `size` bytes.  `stream` is closed by links_file_close, or by this function if it
 * returns NULL. */
links_file *links_file_of_stream(const char *path, FILE *stream, uint64_t size, links_info *info, failure *f);

/* Whether the first bytes of a file are those of a format. */
bool links_file_is_recognized(const char *path);

/* Read only the metadata; links and their checksum are not read. */
bool links_read_info(const char *path, links_info *info, failure *f);

/* The larger of |U^+U - 1| and |det U - 1| (max norm) of a link [row][col][re, im]; infinite if it is not finite. */
double link_distance_from_su3(const double link[18]);

/* Whether all links of a time slice in direction t are 0, as openQCD writes the last one with open boundaries. */
bool links_have_zero_ends(const double *slice, const int extents[4]);

/* False, with the first wrong site and direction, if a link of time slice t is not finite, or if its
 * link_distance_from_su3 is larger than `tolerance`. */
bool links_check(const double *slice, const int extents[4], int t, double tolerance, const char *path, failure *f);
#define LINKS_TOLERANCE_32 1e-4      /* float32 rounding that has grown in products of links; as in other codes */
#define LINKS_TOLERANCE_64 1e-10

/* digest64 over the bytes of all slices in order; `digest` is DIGEST64_START for the first slice, and the last result
 * for the others.  The final result identifies the configuration. */
uint64_t links_digest(uint64_t digest, const double *slice, const int extents[4]);

/* Write the links as info->format in info->bits and info->rows, with the metadata that the format allows:
 *     ILDG    the records ildg-format, ildg-binary-data, ildg-data-lfn, SciDAC file and record XML with plaquette and
 *             link trace, scidac-checksum, and kiln-run-state if info->has_state
 *     SciDAC  the same without ildg-format and ildg-data-lfn; the links are in scidac-binary-data
 *     NERSC   plaquette and link trace, which `info` must have, and the label; without a sequence number in the label,
 *             the trajectory of the state, or 0
 *     MILC    only extents and checksums
 *     openQCD only extents and plaquette, which `info` must have
 * At any time the file is absent or complete: the function writes a temporary file in the same folder, calls fsync,
 * requests `links` a second time, compares every bit of the file with them, verifies the checksum, renames the file,
 * and calls fsync for the folder.  It refuses to overwrite a file unless `replace`.  On failure it removes the
 * temporary file.  It sets info->checksum ("" for openQCD, which has none).  *largest_change (may be NULL) becomes the
 * largest |stored - given| of a real: 0 if the file has exactly the given links. */
bool links_write(const char *path, const slice_source *links, links_info *info, bool replace, double *largest_change,
                 failure *f);

/* Changes the links of `count` sites in place to what a file would return after writing and reading: rounded, and with
 * the third row computed from the others if the file does not have it.  `layout` points to a links_layout. */
void links_store(double *links, size_t count, const void *layout);

/* ILDG's checksum of a configuration: that of the command cksum over the bytes of ildg-binary-data, in info->bits. */
uint32_t links_ildg_cksum(const slice_source *links, const links_info *info);

/* Upper bound of the host memory of the calls above, without their arguments, plus one slice held by the caller. */
size_t links_file_bytes(const int extents[4]);

#endif
