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
    place_of o = find(x, a->reals);
    for (int i = 0; i < a->reals; i++)
        store_real(a->to, &o, i, (real)((const other *)a->from)[o.first[0] + (size_t)i * SITE_TILE]);
}
