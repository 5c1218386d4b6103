/* momentum_array.c - the time slices of momenta, one after another. */
#include "tests/gauge/momentum_array.h"

double momentum_import(momentum *p, const double *lexicographic)
{
    momentum_intake in = { .p = p };
    const slice_sink sink = momentum_matrix_sink(&in);
    for (int t = 0; t < sink.count; t++)
        sink.set(sink.to, t, lexicographic + (size_t)t * sink.reals);
    return in.rest;
}

void momentum_export(double *lexicographic, const momentum *p)
{
    const slice_source source = momentum_matrix_slices(p);
    for (int t = 0; t < source.count; t++)
        source.get(lexicographic + (size_t)t * source.reals, source.from, t);
}
