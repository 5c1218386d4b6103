/* slice_plateau.c - the time slices far from open boundaries. */
#include "src/measure/slice_plateau.h"

bool slice_plateau_check(const slice_plateau *p, const lattice_shape *shape, const char *name, const char *gives,
                         failure *f)
{
    const long long first = p->first, last = p->last;
    if (!shape->open_in_time)
        return (!p->given.first && !p->given.last)
               || fail(f, "%s: plateau_first and plateau_last belong to open boundaries in time, but boundary.time is "
                          "periodic", name);
    if (!p->given.first || !p->given.last)
        return fail(f, "%s: open boundaries in time need plateau_first and plateau_last, the time slices whose mean "
                       "gives %s", name, gives);
    if (first > last)
        return fail(f, "%s: plateau_first: %lld is larger than plateau_last, %lld", name, first, last);
    return last < shape->global[3] - 1
           || fail(f, "%s: the plateau of time slices %lld to %lld is not between the first and the last slice, 0 and "
                      "%d", name, first, last, shape->global[3] - 1);
}
