/* on_every_backend.c - which places tests can run at. */
#include "tests/on_every_backend.h"

#include "gpu/device.h"
#include "tests/facts.h"

bool place_is_there(place where)
{
    static bool reported;
    failure why;
    if (where == PLACE_CPU || device_open(device_index(), &why))
        return true;
    if (!reported)
        skip("the same on a GPU", why.why);
    reported = true;
    return false;
}
