/* version.h - the version of the program: release, commit, compilers, libraries. */
#ifndef KILN_BASE_VERSION_H
#define KILN_BASE_VERSION_H

#include <stdbool.h>

/* "kiln 0.1.0 (1a2b3c4)": the program in files and records that it writes. */
const char *version_program(void);

/* Facts by name, in the order for display; ends with { 0 }.  A value is "" if it does not apply.  The caller, who knows
 * the device (gpu/device.h), gives the versions of CUDA. */
typedef struct { const char *key, *title, *value; } version_fact;
const version_fact *version_build_facts(void);
const version_fact *version_library_facts(const char *cuda_runtime, const char *cuda_driver);

/* Bits of the CPU vectors for which the kernels were compiled. */
int version_vector_bits(void);

/* Whether the CPU kernels use fused multiply-adds.  All programs that do have the same bits on every CPU and GPU;
 * results of other programs agree with them to rounding. */
bool version_fused(void);

#endif
