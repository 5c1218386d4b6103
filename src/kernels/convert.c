/* convert.c - a field from the other precision into the one this file is compiled for. */
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
    const size_t reals = (size_t)a->reals;
    const other *from = (const other *)slab_of(&a->from, x, reals * sizeof(other));
    void *to = slab_of(&a->to, x, reals * sizeof(real));
    place_of o = find(x, a->reals);
    for (int i = 0; i < a->reals; i++)
        store_real(to, &o, i, (real)from[o.first[0] + (size_t)i * SITE_TILE]);
}
