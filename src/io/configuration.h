/* configuration.h - a gauge field to and from a file, with everything that can be checked, checked.
 *
 * Reading: links_read (format, sizes, checksum), extents the lattice can have, every link in SU(3) within
 * the tolerance of the file's precision, and mean plaquette and link trace against what the file says.
 * Writing: links_write_ildg, and the plaquette of what was re-read against the one in the metadata. */
#ifndef KILN_IO_CONFIGURATION_H
#define KILN_IO_CONFIGURATION_H

#include "src/io/links_file.h"
#include "src/lattice/gauge_observables.h"

/* What reading found; `info` is the file's own word. */
typedef struct {
    links_info info;
    double unitarity;               /* as stored */
    plaquette_means plaquette;      /* of the links as stored */
    double link_trace;
    uint64_t digest;                /* links_digest of the links as stored */
} configuration_report;

/* Read `path` into `u` (double precision, at any place), whose extents the file must have.  False with the
 * reason: nothing is repaired here.  `report` may be NULL. */
bool configuration_read(gauge *u, const char *path, configuration_report *report, failure *f);

/* The same for links whose extents the file decides: the lattice and the links on it are created at
 * `where`, owned by the caller.  NULL with the reason. */
gauge *configuration_open(const char *path, place where, configuration_report *report, failure *f);
void configuration_close(gauge *u);                     /* frees links and lattice */

/* Write `u` as ILDG with `bits` 32 or 64; `state` may be NULL; an empty or NULL `lfn` is replaced by one made
 * of the file name.  At any instant `path` is absent or complete; an existing file is refused unless `replace`. */
bool configuration_write(const char *path, const gauge *u, int bits, const run_state *state, const char *lfn,
                         bool replace, failure *f);

#endif
