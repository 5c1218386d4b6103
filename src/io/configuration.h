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
    failure off_su3;                /* the first link that is too far from SU(3) for the file's precision; "" */
    uint64_t digest;                /* names the configuration (links_digest) */
} configuration_facts;

/* Read a file with the strictness of links_file.h onto a lattice with its extents, and measure the field where it
 * lives.  NULL with the reason, also where the lattice is none of Kiln's (odd or too large extents). */
gauge *configuration_read(place where, configuration_facts *facts, const char *path, failure *f);
void configuration_close(gauge *u);                             /* the field and its lattice */

/* What must hold of a configuration that has been read: SU(3) to the precision of the file, plaquette and
 * link trace as its metadata say (true where they say nothing). */
typedef bool configuration_check_fn(const configuration_facts *facts, const char *path, failure *f);
typedef struct { const char *name; configuration_check_fn *holds; } configuration_check;
extern const configuration_check configuration_checks[];       /* ends with { 0 } */

/* Read and check all; the links are left as stored. */
gauge *configuration_open(place where, configuration_facts *facts, const char *path, failure *f);

/* The same into u, a field in double precision, whose extents must be those of the file.  False with the reason, and
 * then u holds nothing of use. */
bool configuration_load(gauge *u, configuration_facts *facts, const char *path, failure *f);

/* Plaquette and link trace of these links as a file of info's bits and rows holds them, into `info`: what a header says
 * is true of the links below it, also where they are rounded on the way. */
void configuration_measure_stored(links_info *info, const gauge *u);

/* What goes into a file beside the links. */
typedef struct {
    const run_state *state;        /* NULL: none */
    const char *lfn;               /* NULL: named after the file */
    int bits;                      /* 32 or 64 */
    bool replace;                  /* an existing file of that name; otherwise it is an error */
} configuration_label;

/* Write u (double precision, anywhere) as ILDG with plaquette and link trace, so that the file is complete or
 * absent.  What will be written is first measured again on the CPU and must have the plaquette that u has
 * where it lives; links_write then re-reads the file and compares every bit and the checksum.
 * `written` (may be NULL) takes what the file says. */
bool configuration_save(const gauge *u, const char *path, const configuration_label *label, links_info *written,
                        failure *f);

/* The name of the configuration that a file of so many bits would have (links_digest of the stored links). */
uint64_t configuration_digest(const gauge *u, int bits);

/* Whether the links of an open file, none of which has been read, are those of u as stored in its bits; and the digest
 * of the file.  False with the reason where it cannot be read to its end. */
bool configuration_compare(bool *same, uint64_t *digest, links_file *file, const links_info *info, const gauge *u,
                           failure *f);

/* Host memory of any of these at most, besides a field on the CPU: less than three time slices, and buffers. */
size_t configuration_bytes(const lattice_shape *shape);

#endif
