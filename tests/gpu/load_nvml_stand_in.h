/* load_nvml_stand_in.h - compile and load tests/gpu/nvml_stand_in.c, which Kiln then takes for NVML. */
#ifndef KILN_TESTS_GPU_LOAD_NVML_STAND_IN_H
#define KILN_TESTS_GPU_LOAD_NVML_STAND_IN_H

#include <stdbool.h>

/* Compile it into `folder` and load it, before Kiln opens NVML: whether it is loaded.  Without a C compiler the fact
 * `sentence` is skipped; any other failure is a failed fact. */
bool nvml_stand_in_loads(const char *folder, const char *sentence);

#endif
