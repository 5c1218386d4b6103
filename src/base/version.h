/* version.h - the version of the program: release, commit, compilers, libraries. */
#ifndef KILN_BASE_VERSION_H
#define KILN_BASE_VERSION_H

#include <stdbool.h>

/* "0.1.0" */
const char *version_release(void);
const char *version_date(void);                /* of the release, "2026-01-31" */

/* "kiln 0.1.0 (1a2b3c4)": the program in files and records that it writes. */
const char *version_program(void);

/* Facts by name, in the order for display; ends with { 0 }.  A value is "" if it does not apply. */
typedef struct { const char *key, *title, *value; } version_fact;
const version_fact *version_build_facts(void);

/* The libraries of this process.  The caller gives the versions that higher layers know (gpu/device.h, comm/comm_mpi.h,
 * io/hdf5_file.h); borrowed, "" if there is none.  The result is valid until the next call in this thread. */
typedef struct { const char *mpi, *nccl, *cuda_runtime, *cuda_driver, *hdf5; } version_loaded;
const version_fact *version_library_facts(const version_loaded *loaded);

/* Bits of the CPU vectors for which the kernels were compiled. */
int version_vector_bits(void);

/* Whether the CPU kernels use fused multiply-adds.  If so, results have the same bits as those of any GPU and any other
 * CPU with them; else they agree up to rounding. */
bool version_fused(void);

#endif
