/* links_info.h - the metadata of a file of links. */
#ifndef KILN_IO_LINKS_INFO_H
#define KILN_IO_LINKS_INFO_H

#include "src/base/error.h"
#include "src/io/state_memory.h"

#include <stddef.h>

typedef enum { FORMAT_ILDG, FORMAT_SCIDAC, FORMAT_NERSC, FORMAT_MILC, FORMAT_OPENQCD, LINKS_FORMATS } links_format;

/* The state of a stream after a trajectory: the private record "kiln-run-state" (JSON). */
typedef struct {
    int64_t  trajectory;        /* number of the trajectory that ended with these links; 0: the start */
    uint64_t seed;
    uint32_t stream;
    uint64_t input_digest;      /* digest64 of the resolved input that made it */
    uint64_t parent_digest;     /* links_digest of the configuration before, or of the start links */
    bool     chained;           /* has a chain; false in files of programs without chains */
    uint64_t chain;             /* identifies all trajectories up to this one */
    double   plaquette;         /* normalized to 1 */
    char     version[64];       /* program that wrote it */
    bool     open_in_time;      /* the lattice has open boundaries in t (lattice/shape.h) */
    double   xi_0;              /* the bare anisotropy of the action; 0: it is isotropic, or the program that wrote the
                                 * file did not tell it */
    state_memory memory;        /* what else later trajectories depend on */
    /* With stochastic molecular dynamics the state includes momenta and pseudofermions, with tempering the links of the
     * other replicas.  A checkpoint stores them in a folder beside it: has_fields, and `fields` is their digest.  A
     * configuration does not store them (lacks_fields), so that no run can continue from it. */
    bool     has_fields, lacks_fields;
    uint64_t fields;
} run_state;

/* The ensemble and number of a configuration in the header of a NERSC archive; "" if missing. */
enum { ARCHIVE_VALUE_SIZE = 64 };
typedef struct {
    char ensemble_id[ARCHIVE_VALUE_SIZE], ensemble_label[ARCHIVE_VALUE_SIZE];
    bool has_sequence; int64_t sequence;
} archive_label;

/* The metadata of a file. */
typedef struct {
    links_format format;
    int  extents[4];            /* x, y, z, t */
    int  bits;                  /* 32 or 64: the reals in the file */
    int  rows;                  /* of a link in the file: 3, or 2 (NERSC) where reading completes the third */
    bool has_plaquette;  double plaquette;     /* normalized to 1 */
    bool has_link_trace; double link_trace;    /* mean Re Tr U / 3 */
    bool has_checksum;   char checksum[48];    /* as the format prints it; verified with the last slice */
    bool has_state;      run_state state;
    char lfn[256];              /* ildg-data-lfn; "" if none */
    archive_label label;        /* NERSC's */
} links_info;

/* The layout of the reals of links in a file. */
typedef struct {
    int  bits;              /* of a real: 32 or 64 */
    bool big_endian;
    int  rows;              /* 3; or 2, when the third row is left out: it is (row0 x row1)^* */
} links_layout;

enum { LINKS_SITE_REALS = 72, LINKS_MATRIX_REALS = 18, LINKS_ROW_REALS = 6 };
size_t links_count(const int extents[4]);             /* number of doubles in all links: 72 a site */
size_t links_slice_reals(const int extents[4]);       /* the same for one time slice */

extern const char *const links_format_names[];           /* "ildg", "scidac", "nersc", "milc", "openqcd", NULL */
const char *links_format_name(links_format format);

/* Whether the format can store links with `bits` a real and `rows` rows.  False with the reason, which begins with
 * `path`. */
bool links_can_be_written(links_format format, int bits, int rows, const char *path, failure *f);

#endif
