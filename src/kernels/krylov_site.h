/* krylov_site.h - kernels of a batch that also sum terms for each system and compute the scalars, in one launch.
 *
 *     KRYLOV_MAP(name, args_type, a, x) { ... }
 *     KRYLOV_SUM(name, systems, args_type, a, x, s, per_bound, finish) { s[n] = ...; }
 *     KRYLOV_EACH(name, sums, args_type, a, n, x, s, takes, per_bound, finish) { s[j] = ...; }
 * Each macro defines K(name)(args, range, stream); args_type has a krylov_batch `b`.  KRYLOV_SUM: the batch has
 * `systems` systems, which share the data that they read; the body fills one term for each.  KRYLOV_EACH: the batch has
 * any number of systems, which share nothing; the body fills `sums` terms for the n-th system, and runs only if
 * takes(system) is true.  `per_bound` is the member of krylov_system that has 2^36 / bound of the terms (exact_sum.h).
 * After all sites of all batch.sum_launches launches, finish(batch, going, thread, threads) is called, one of the
 * functions *_finish of krylov_finish.h; it is not called if sum_launches is 0.  If the state is not going, no body
 * runs. */
#ifndef KILN_KERNELS_KRYLOV_SITE_H
#define KILN_KERNELS_KRYLOV_SITE_H

#include "src/kernels/krylov_finish.h"
#include "src/site/site.h"

/* The conditions `takes` of KRYLOV_EACH. */
KRYLOV_FN bool krylov_is_going(const krylov_system *s)
{
    return s->status == SYSTEM_GOING;
}

KRYLOV_FN bool krylov_has_stepped(const krylov_system *s)
{
    return s->stepped != 0;
}

#if TARGET_IS_GPU
#include "src/kernels/krylov_site_gpu.h"
#else
#include "src/kernels/krylov_site_cpu.h"
#endif

#endif
