/* site.h - run a kernel, written for one site, over the sites of a range.
 *
 *     SITE_MAP(name, args_type, a, x) { ... }
 * defines K(name)(args, range, stream): the body runs once for every site x and writes fields.
 *
 *     SITE_SUM(name, sums, maxima, args_type, a, x, s) { s[0] = ...; }
 * defines K(name)(args, range, stream, per_bound, cells): the body may write fields too, and fills
 * s[0 .. sums-1] with terms to be summed (exact_sum.h) and s[sums .. sums+maxima-1] with numbers >= 0
 * whose maximum is wanted; they are merged into cells.sum[0 .. sums-1] and cells.largest[0 .. maxima-1],
 * which the caller has zeroed (or not, to accumulate).  The value of a cell does not depend on threads, blocks or
 * order; its words do, until they are in normal form.
 *
 *     ONE_BLOCK(name, args_type, a, thread, threads) { ... }
 * defines K(name)(args, stream): no sites; the body runs once for each thread of one block, which is one thread on the
 * CPU.
 *
 * A file of kernels that run over ranges of several slabs defines OVER_SLABS first; in all others sites are in slab 0.
 *
 * On the CPU the body runs for LANES sites at once; lanes beyond the last site of a parity work on
 * padding and are left out of the sums. */
#ifndef KILN_SITE_SITE_H
#define KILN_SITE_SITE_H

#include "src/site/exact_sum.h"
#include "src/site/load.h"

/* The site of an index in a part of a range. */
SITE_FN site site_of_part(site_range r, int part, int index)
{
    site x = site_at(index);
    (void)r, (void)part;
#ifdef OVER_SLABS
    x.before = part * r.slab_sites;
#endif
    return x;
}

#if TARGET_IS_GPU
#include "src/site/site_gpu.h"
#else
#include "src/site/site_cpu.h"
#endif

#endif
