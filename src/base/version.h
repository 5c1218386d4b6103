/* version.h - who this program is: release, commit, compilers, libraries. */
#ifndef KILN_BASE_VERSION_H
#define KILN_BASE_VERSION_H

#include <stdbool.h>

/* "kiln 0.1.0 (1a2b3c4)": what files and records say about the program that wrote them. */
const char *version_program(void);

/* Facts by name, in the order to be shown; ends with { 0 }.  A value is "" where there is no such thing.  The versions
 * of CUDA come from the caller, who knows the device (gpu/device.h). */
typedef struct { const char *key, *title, *value; } version_fact;
const version_fact *version_build_facts(void);
const version_fact *version_library_facts(const char *cuda_runtime, const char *cuda_driver);

/* Bits of the CPU's vectors that the kernels were compiled for. */
int version_vector_bits(void);

/* Whether multiply-adds of the CPU kernels are fused.  Results of programs in which they are, on any CPU or GPU, have
 * the same bits; those of the others agree with them to rounding. */
bool version_fused(void);

#endif
