/* stored_double.c - see stored.h; tests/site/stored_single.c is this file for single precision. */
#include "tests/site/stored.h"

#include "src/site/link_storage.h"

static site group(const int *order)
{
    site x;
    for (int lane = 0; lane < LANES; lane++)
        x.at[lane] = order[lane];
    x.together = true;
    for (int lane = 0; lane < LANES; lane++)
        x.together &= order[lane] == order[0] + lane;
    return x;
}

static void links_as(link_format f, void *memory, const double *in, double *loaded, const int *order)
    __attribute__((always_inline));
static inline void links_as(link_format f, void *memory, const double *in, double *loaded, const int *order)
{
    gauge_view u = { memory };
    for (int mu = 0; mu < 4; mu++) {
        for (int x = 0; x < STORED_SITES; x += LANES) {
            su3 m;
            for (int i = 0; i < STORED_LINK; i++)
                for (int lane = 0; lane < LANES; lane++) {
                    cplx *z = &m.e[i / 6][i / 2 % 3];
                    set_lane(i % 2 ? &z->im : &z->re, lane, (scalar)in[(4 * (x + lane) + mu) * STORED_LINK + i]);
                }
            store_link_as(f, &u, site_at(x), mu, m);
        }
        for (int x = 0; x < STORED_SITES; x += LANES) {
            su3 m = load_link_as(f, &u, group(order + x), mu);
            for (int i = 0; i < STORED_LINK; i++)
                for (int lane = 0; lane < LANES; lane++) {
                    cplx z = m.e[i / 6][i / 2 % 3];
                    loaded[(4 * order[x + lane] + mu) * STORED_LINK + i] = (double)lane_of(i % 2 ? z.im : z.re, lane);
                }
        }
    }
}

static void links(link_format f, void *memory, const double *in, double *loaded, const int *order)
{
#ifdef SINGLE
    if (f == LINK_FIXED16)
        links_as(LINK_FIXED16, memory, in, loaded, order);
    if (f == LINK_FIXED16_13)
        links_as(LINK_FIXED16_13, memory, in, loaded, order);
    if (f == LINK_FIXED16_12)
        links_as(LINK_FIXED16_12, memory, in, loaded, order);
    if (f == LINK_FIXED16_9)
        links_as(LINK_FIXED16_9, memory, in, loaded, order);
    if (f == LINK_FIXED16_8)
        links_as(LINK_FIXED16_8, memory, in, loaded, order);
#else
    if (f == LINK_FIXED32)
        links_as(LINK_FIXED32, memory, in, loaded, order);
    if (f == LINK_FIXED32_13)
        links_as(LINK_FIXED32_13, memory, in, loaded, order);
    if (f == LINK_FIXED32_9)
        links_as(LINK_FIXED32_9, memory, in, loaded, order);
    if (f == LINK_FIXED32_12)
        links_as(LINK_FIXED32_12, memory, in, loaded, order);
#endif
    if (f == LINK_12)
        links_as(LINK_12, memory, in, loaded, order);
    if (f == LINK_9)
        links_as(LINK_9, memory, in, loaded, order);
}

#ifdef SINGLE
const stored_in stored_in_single = { links };
#else
const stored_in stored_in_double = { links };
#endif
