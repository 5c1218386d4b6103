/* start_su3.c - quarks that need links in SU(3) refuse a file of 32 bits before anything is created.
 *
 * Numbers of 32 bits are in SU(3) to about 1e-7 at every link, so that a time slice is enough to find them. */
#include "src/hmc/start_su3.h"

#include "src/base/memory.h"
#include "src/gauge/packed_links.h"
#include "src/io/links_file.h"

#include <math.h>

bool start_keeps_links(const run_params *p)
{
    return p->start.from == START_FILE && !p->start.reunitarize && p->start.heatbath.sweeps == 0;
}

/* The first monomial that refuses links; -1: none does, or they are reunitarized. */
static int refusing_monomial(const run_params *p)
{
    for (int m = 0; start_keeps_links(p) && m < run_monomial_count(p); m++)
        if (run_monomial_kind(p, m)->su3_links)
            return m;
    return -1;
}

bool start_su3_accepts(const run_params *p, double deviation, failure *f)
{
    const int m = refusing_monomial(p);
    const double largest = link_format_tolerance(PRECISION_DOUBLE);
    return m < 0 || deviation <= largest
           || fail(f, "%s: the links deviate from SU(3) by %.1e, but monomial \"%s\" needs them to %.0e: set "
                      "start.reunitarize: true (the default), which projects links of 32 bits", p->start.file,
                   deviation, run_monomial_name(p, m), largest);
}

static double deviation_of(const double *slice, size_t links)
{
    double deviation = 0;
    for (size_t i = 0; i < links; i++)
        deviation = fmax(deviation, link_distance_from_su3(slice + i * LINKS_MATRIX_REALS));
    return deviation;
}

bool start_su3_check_file(const run_params *p, bool *readable, failure *f)
{
    links_info info;
    *readable = true;
    if (refusing_monomial(p) < 0)
        return true;
    links_file *file = links_file_open(p->start.file, &info, f);
    if (!file)
        return *readable = false;
    const size_t reals = links_slice_reals(info.extents);
    double *slice = slice_alloc(reals);
    *readable = links_file_next_slice(file, slice, f)
                && links_check(slice, info.extents, 0, LINKS_TOLERANCE_32, p->start.file, f);
    const double deviation = *readable ? deviation_of(slice, reals / LINKS_MATRIX_REALS) : 0;
    memory_free(slice);
    links_file_close(file);
    return *readable && start_su3_accepts(p, deviation, f);
}
