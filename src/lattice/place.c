/* place.c - names of places, bytes of a real. */
#include "src/lattice/place.h"

const char *place_name(place where)
{
    return where == PLACE_GPU ? "cuda" : "cpu";
}

size_t precision_bytes(precision p)
{
    return p == PRECISION_SINGLE ? sizeof(float) : sizeof(double);
}
