/* krylov_kinds.h - for code that has the kind of a sum as a number (FOR_KRYLOV_SUMS of krylov_args.h): how many sums it
 * has, and the function that computes the scalars. */
#ifndef KILN_KERNELS_KRYLOV_KINDS_H
#define KILN_KERNELS_KRYLOV_KINDS_H

#include "src/kernels/bicg_short_steps.h"

/* The number of sums of each system in a launch. */
KRYLOV_FN int sums_of_kind(krylov_sum sum)
{
#define KIND(name, sums, finish) case name: return sums;
    switch (sum) {
    FOR_KRYLOV_SUMS(KIND)
    default: return 0;
    }
#undef KIND
}

/* Computes the scalars.  Called by all `threads` threads of one block, as the functions of krylov_finish.h. */
KRYLOV_FN void finish_kind(krylov_sum sum, const krylov_batch *b, bool going, int thread, int threads)
{
#define KIND(name, sums, finish) case name: finish(b, going, thread, threads); break;
    switch (sum) {
    FOR_KRYLOV_SUMS(KIND)
    default: break;
    }
#undef KIND
}

#endif
