/* convert.c - a field from the other precision into the one this file is compiled for. */
#define OVER_SLABS
#define ONE_LANE
#include "src/kernels/args.h"
#include "src/site/site.h"

#ifdef SINGLE
typedef double other;
#else
typedef float other;
#endif

SITE_MAP(convert, convert_args, a, x)
{
    const other *from = (const other *)a->from.data;
    place_of o = find_in_slab(x, a->reals);
    for (int i = 0; i < a->reals; i++)
        store_real(a->to.data, &o, i, (real)from[o.first[0] + (size_t)i * SITE_TILE]);
}
