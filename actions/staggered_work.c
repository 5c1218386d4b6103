/* staggered_work.c - what a force of staggered quarks costs, but for the iterations of its solves, which nobody knows
 * before.
 *
 * Products of 3x3 matrices (198 flops) a link: a level of smearing 12 for the staples next to it, 24 and 12 for those
 * around them (kernels/fat_links.c); its chain rule 36 for the staples again, 48 for its own, 96 for the side links
 * (kernels/fat_force.c); Naik's term 2, its chain rule 6; the projection about 8, its derivative about 16.  A pole: the
 * hop (16 products with a vector, 66 flops, and 90 of sums) on half of the sites, and eight outer products of 72. */
#include "actions/staggered_quarks.h"

#include "actions/staggered_work.h"

enum { SMEAR = 48, SMEAR_CHAIN = 180, NAIK = 2, NAIK_CHAIN = 6, PROJECT = 8, PROJECT_CHAIN = 16 };
#define PRODUCT_FLOPS 198.0
#define POLE_FLOPS (0.5 * (16 * 66 + 90) + 8 * 72)

/* Whether a level does more than to scale. */
static bool smears(path_table t)
{
    return t.three != 0 || t.five != 0 || t.seven != 0 || t.lepage != 0;
}

work staggered_force_work(const void *params, const int extents[4])
{
    const staggered_params *p = params;
    staggered_plan plan;
    rational_set sets[PSEUDOFERMIONS_MAX];
    double sites = (double)extents[0] * extents[1] * extents[2] * extents[3], links = 4 * sites;
    double link_bytes = 18 * sizeof(double), vector_bytes = 6 * sizeof(double), poles = 0;
    double largest = staggered_expected_largest(p);
    if (!staggered_plan_make(&plan, p, NULL) || !staggered_rationals(sets, &plan, p, largest, NULL))
        return (work){ 0, 0 };
    for (int n = 0; n < plan.count; n++)
        poles += sets[n].force.order;
    path_table second = staggered_second_table(&plan.links);
    int levels = smears(staggered_first_table(&plan.links)) + smears(second), products = levels * (SMEAR + SMEAR_CHAIN);
    double passes = 6.0 * levels;                   /* links read and written; links and h read, h read and written */
    if (second.naik != 0) {
        products += NAIK + NAIK_CHAIN;
        passes += 6;
    }
    if (staggered_has_projection(&plan.links)) {
        products += PROJECT + PROJECT_CHAIN;
        passes += 5;
    }
    work w = { links * products * PRODUCT_FLOPS, links * passes * link_bytes };
    w.flops += poles * sites * POLE_FLOPS;
    w.bytes += poles * sites * (links / sites * 2 * link_bytes + 4 * vector_bytes);   /* a hop; solutions read again */
    return w;
}
