/* ladder.h - the steps from a portable kernel to its tuned twin, for gpu/bench/ladder_main.c to check and time. */
#ifndef KILN_GPU_BENCH_LADDER_H
#define KILN_GPU_BENCH_LADDER_H

#include "src/kernels/args.h"

/* The gauge force: all steps of one `kernel` leave the same bits as its first. */
typedef struct { const char *kernel, *step; site_sum_fn *run; } ladder_step;

#ifdef __cplusplus
extern "C" {
#endif
extern const ladder_step gauge_force_ladder_gpu_f[], gauge_force_ladder_gpu_d[];      /* end with { 0 } */
#ifdef __cplusplus
}
#endif

#endif
