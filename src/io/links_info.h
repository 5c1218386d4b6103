/* links_info.h - what a file of links says besides its links. */
#ifndef KILN_IO_LINKS_INFO_H
#define KILN_IO_LINKS_INFO_H

#include "src/io/state_memory.h"

#include <stddef.h>

typedef enum { FORMAT_ILDG, FORMAT_SCIDAC, FORMAT_NERSC, FORMAT_MILC } links_format;

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

size_t links_count(const int extents[4]);      /* doubles in the array of links: 72 a site */

#endif
