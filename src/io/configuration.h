/* configuration.h - a gauge field from a file, believed only where its numbers are what the file says they
 * are; and a gauge field into a file. */
#ifndef KILN_IO_CONFIGURATION_H
#define KILN_IO_CONFIGURATION_H

#include "src/io/links_file.h"
#include "src/lattice/gauge_observables.h"

/* What a file says, and what its links say. */
typedef struct {
    links_info info;
    plaquette_means plaquette;
    link_quality_means quality;     /* link trace, distance from SU(3) */
    uint64_t digest;                /* links_digest: names the configuration */
} configuration_facts;

/* Read links (memory_free) with the strictness of links_read; NULL with the reason also where the lattice
 * is none of Kiln's (odd or too large extents). */
double *configuration_read(const char *path, links_info *info, failure *f);

/* Put `links` into u, a field of the same extents in double precision, and measure it where it lives. */
void configuration_import(gauge *u, configuration_facts *facts, const links_info *info, const double *links);

/* What must hold of a configuration that has been read: SU(3) to the precision of the file, plaquette and
 * link trace as its metadata say (true where they say nothing). */
typedef bool configuration_check_fn(const configuration_facts *facts, const double *links, const char *path,
                                    failure *f);
typedef struct { const char *name; configuration_check_fn *holds; } configuration_check;
extern const configuration_check configuration_checks[];       /* ends with { 0 } */

/* Read and check all on the CPU.  Returns the links (memory_free) as they are stored, NULL with the reason. */
double *configuration_read_checked(const char *path, configuration_facts *facts, failure *f);

/* Read, import and check all; the links are left as stored.  False with the reason, and then u holds
 * nothing of use. */
bool configuration_load(gauge *u, configuration_facts *facts, const char *path, failure *f);

/* The same on a lattice with the extents of the file.  Returns the field (configuration_close), or NULL. */
gauge *configuration_open(place where, configuration_facts *facts, const char *path, failure *f);
void configuration_close(gauge *u);                             /* the field and its lattice */

/* Bring every link back to SU(3), row by row (kernels/reunitarize.c): a start from a file of 32 bits
 * needs that.  Returns the largest change of a real. */
double configuration_reunitarize(gauge *u);

/* Plaquette and link trace of these links as a file of info's bits and rows holds them, into `info`: what a header says
 * is true of the links below it, also where they are rounded on the way. */
void configuration_measure_stored(links_info *info, const double *links);

/* What goes into a file beside the links. */
typedef struct {
    const run_state *state;        /* NULL: none */
    const char *lfn;               /* NULL: named after the file */
    int bits;                      /* 32 or 64 */
    bool replace;                  /* an existing file of that name; otherwise it is an error */
} configuration_label;

/* Write u (double precision, anywhere) as ILDG with plaquette and link trace, so that the file is complete or
 * absent.  What will be written is first measured again on the CPU and must have the plaquette that u has
 * where it lives; links_write_ildg then re-reads the file and compares every bit and the checksum.
 * `written` (may be NULL) takes what the file says. */
bool configuration_save(const gauge *u, const char *path, const configuration_label *label, links_info *written,
                        failure *f);

#endif
