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
#include "src/io/state_memory.h"

#include <stddef.h>
#include <stdint.h>

typedef enum { FORMAT_ILDG, FORMAT_SCIDAC, FORMAT_NERSC, FORMAT_MILC } links_format;
const char *links_format_name(links_format format);      /* "ildg", "scidac", "nersc", "milc" */

/* Where a stream of trajectories stands: Kiln's private record ("kiln-run-state", JSON). */
typedef struct {
    int64_t  trajectory;        /* number of the trajectory that ended with these links; 0: the start */
    uint64_t seed;
    uint32_t stream;
    uint64_t input_digest;      /* digest64 of the resolved input that made it */
    uint64_t parent_digest;     /* links_digest of the configuration before, of the start links without one */
    bool     chained;           /* has a chain: not so in files of programs that knew none */
    uint64_t chain;             /* names all trajectories up to this one */
    double   plaquette;         /* normalised to 1 */
    char     version[64];       /* program that wrote it */
    state_memory memory;        /* what else the trajectories to come depend on */
} run_state;

/* What the header of a NERSC archive says about where a configuration belongs; "" where it says nothing. */
enum { ARCHIVE_VALUE_SIZE = 64 };
typedef struct {
    char ensemble_id[ARCHIVE_VALUE_SIZE], ensemble_label[ARCHIVE_VALUE_SIZE];
    bool has_sequence; int64_t sequence;
} archive_label;

/* What a file says besides its links. */
typedef struct {
    links_format format;
    int  extents[4];            /* x, y, z, t */
    int  bits;                  /* 32 or 64: the reals in the file */
    int  rows;                  /* of a link in the file: 3, or 2 (NERSC) where reading completes the third */
    bool has_plaquette;  double plaquette;     /* normalised to 1 */
    bool has_link_trace; double link_trace;    /* mean Re Tr U / 3 */
    bool has_checksum;   char checksum[48];    /* as printed by the format; already verified on reading */
    bool has_state;      run_state state;
    char lfn[256];              /* ildg-data-lfn; "" if none */
    archive_label label;        /* NERSC's */
} links_info;

size_t links_count(const int extents[4]);      /* doubles in the array: 72 a site */

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
