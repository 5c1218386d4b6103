/* configuration.h - read a gauge field from a file and verify it against its metadata; write a gauge field to a
 * file. */
#ifndef KILN_IO_CONFIGURATION_H
#define KILN_IO_CONFIGURATION_H

#include "src/gauge/gauge_observables.h"
#include "src/io/links_file.h"

/* Metadata of a file, and measurements of its links. */
typedef struct {
    links_info info;
    plaquette_means plaquette;      /* of the active loops, with open boundaries in t */
    double plaquette_of_all;        /* with loops through inactive links, for comparison with the metadata */
    bool ends_replaced;             /* open boundaries without a run state that says so: unit matrices replace the
                                     * inactive links (not in copies in t).  Of means, only openQCD's plaquette with
                                     * zero_ends can be compared with the metadata */
    bool zero_ends;                 /* the inactive links of the file are 0 (links_have_zero_ends) */
    link_quality_means quality;     /* link trace, distance from SU(3) */
    failure off_su3;                /* the first link outside SU(3) to the file's precision; "" if there is none */
    uint64_t digest;                /* identifies the configuration (links_digest) */
} configuration_facts;

/* Read a file as strictly as links_file.h does, create a lattice with its extents and a field at `where`, and measure
 * the field there; configuration_close frees both.  If the file has zero ends, the boundaries in t are open.  NULL with
 * the reason, also for a lattice that Kiln cannot handle (odd or too large extents).  Collective: each rank gets its
 * block of the process grid (grid.h). */
gauge *configuration_read(place where, configuration_facts *facts, const char *path, failure *f);
void configuration_close(gauge *u);                             /* the field and its lattice */

/* A check of a configuration that was read: links are in SU(3) to the precision of the file; plaquette and link trace
 * agree with the metadata (true without metadata). */
typedef bool configuration_check_fn(const configuration_facts *facts, const char *path, failure *f);
typedef struct { const char *name; configuration_check_fn *holds; } configuration_check;
extern const configuration_check configuration_checks[];       /* ends with { 0 } */

/* The use of the links.  LINKS_TO_PROJECT: the caller projects them to SU(3) first; then links of 64 bits need to be in
 * SU(3) only to single precision, because other codes write such files. */
typedef enum { LINKS_AS_STORED, LINKS_TO_PROJECT } links_use;

/* Read and check the links, and do not change them. */
gauge *configuration_open(place where, configuration_facts *facts, const char *path, failure *f);

/* The same for kernels that read links up to `hops` sites away; configuration_open assumes GRID_HOPS_LEAST. */
typedef struct {
    int hops;
    links_use use;
    bool open_in_time;              /* create a lattice with open boundaries even if the file does not say so */
    bool open_if_zero_ends;         /* the same if its inactive links are 0 and it has no run state; else such a
                                     * file is refused */
} configuration_request;
gauge *configuration_open_for(place where, configuration_request request, configuration_facts *facts, const char *path,
                              failure *f);

/* The same into u, a field in double precision with the extents of the file.  False with the reason, and then the
 * content of u is undefined. */
bool configuration_load(gauge *u, links_use use, configuration_facts *facts, const char *path, failure *f);

/* The same from a smaller lattice, `copies` times in the directions x, y, z, t: U_mu(x) of u is the link of the file at
 * x modulo its extents, which times `copies` are those of u.  facts->digest is that of the file. */
bool configuration_load_copies(gauge *u, const int copies[4], links_use use, configuration_facts *facts,
                               const char *path, failure *f);

/* Whether extents[mu] * copies[mu] = wanted[mu] for all mu; false with the reason. */
bool configuration_fills(const int extents[4], const int copies[4], const int wanted[4], const char *path, failure *f);

/* openQCD's plaquette of links with open boundaries in t, from the mean over active loops: loops through inactive links
 * count as 0, and the mean is over 6 loops a site. */
double configuration_openqcd_plaquette(const configuration_facts *facts);

/* Project the links to SU(3), and update plaquette and quality in `facts`.  Returns the largest change of a real
 * number. */
double configuration_project(gauge *u, configuration_facts *facts);

/* Set plaquette and link trace of `info` to those of the links as stored with info->bits and info->rows, so that a
 * header agrees with the links of its file even if these are rounded. */
void configuration_measure_stored(links_info *info, const gauge *u);

/* What a file has besides the links. */
typedef struct {
    const run_state *state;        /* NULL: none */
    const char *lfn;               /* NULL: named after the file */
    int bits;                      /* 32 or 64 */
    bool replace;                  /* overwrite an existing file; if false, it is an error */
} configuration_label;

/* Write u (double precision, any place) as ILDG with plaquette and link trace; the file is complete or absent.  The
 * plaquette is first measured on the CPU too and must agree with the measurement at the place of u; links_write then
 * reads the file back and compares all bits and the checksum.  *written (may be NULL) <- the metadata. */
bool configuration_save(const gauge *u, const char *path, const configuration_label *label, links_info *written,
                        failure *f);

/* The links_digest that a file with this many bits would have. */
uint64_t configuration_digest(const gauge *u, int bits);

/* For a file from which no slice has been read yet: *same <- whether its links are those of u, rounded to its bits;
 * *digest <- the digest of the file.  False with the reason if the file cannot be read to its end. */
bool configuration_compare(bool *same, uint64_t *digest, links_file *file, const links_info *info, const gauge *u,
                           failure *f);

/* The host memory that these functions need at most, besides a field on the CPU: less than three time slices, and
 * buffers. */
size_t configuration_bytes(const lattice_shape *shape);

#endif
