/* krylov_site.h - kernels of a batch: with sums for each of its systems, and what is done with them, in one launch.
 *
 *     KRYLOV_MAP(name, args_type, a, x) { ... }
 *     KRYLOV_SUM(name, systems, args_type, a, x, s, per_bound, finish) { s[n] = ...; }
 *     KRYLOV_EACH(name, sums, args_type, a, n, x, s, takes, per_bound, finish) { s[j] = ...; }
 * define K(name)(args, range, stream).  args_type has a krylov_batch `b`.  In KRYLOV_SUM it is of `systems` systems
 * that read the same, and the body fills a term for each; in KRYLOV_EACH it is of any number that share nothing, and
 * the body fills `sums` terms for the n-th, and is run where takes(system) holds.  Terms are summed under the bound in
 * member `per_bound` of their krylov_system; after the last site of the last of batch.sum_launches launches
 * finish(batch, going, thread, threads) is called: curvature_finish or residual_finish (krylov_finish.h).  Where the
 * state is not going no body is run. */
#ifndef KILN_KERNELS_KRYLOV_SITE_H
#define KILN_KERNELS_KRYLOV_SITE_H

#include "src/kernels/krylov_finish.h"
#include "src/site/site.h"

/* KRYLOV_EACH_IN: blocks of `threads`, of which a multiprocessor of a GPU holds at least `resident`, so that registers
 * are few enough. */
enum { EACH_BLOCK = 512 };

#define KRYLOV_EACH(name, sums, args_type, a, n, x, s, takes, per_bound, finish)                                       \
    KRYLOV_EACH_IN(EACH_BLOCK, 1, name, sums, args_type, a, n, x, s, takes, per_bound, finish)

/* For KRYLOV_EACH. */
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
