/* load_nvml_stand_in.h - compile and load tests/gpu/nvml_stand_in.c, which Kiln then takes for NVML. */
#ifndef KILN_TESTS_GPU_LOAD_NVML_STAND_IN_H
#define KILN_TESTS_GPU_LOAD_NVML_STAND_IN_H

#include <stdbool.h>

/* Whether it is loaded, before Kiln opens NVML; the library lies in `folder`.  Without a C compiler `sentence` is told
 * as skipped; what else goes wrong is a fact that fails. */
bool nvml_stand_in_loads(const char *folder, const char *sentence);

#endif
