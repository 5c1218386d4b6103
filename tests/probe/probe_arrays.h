/* probe_arrays.h - what the tests of kiln probe read and write: arrays of matrices, color vectors and spinors. */
#ifndef KILN_TESTS_PROBE_PROBE_ARRAYS_H
#define KILN_TESTS_PROBE_PROBE_ARRAYS_H

#include "src/base/memory.h"
#include "tests/facts.h"
#include "tests/io/npy_array.h"

#include <math.h>

/* [t][z][y][x][mu][row][col][re,im], [t][z][y][x][color][re,im] and [t][z][y][x][spin][color][re,im] */
typedef enum { MATRICES, VECTOR, SPINORS } array_kind;
typedef struct { int dimensions; size_t n[8], count; } array_shape;

static inline array_shape array_shape_of(array_kind kind, const int n[4])
{
    array_shape s = { 0, { 0 }, 1 };
    static const size_t rest[3][4] = { { 4, 3, 3, 2 }, { 3, 2 }, { 4, 3, 2 } };
    for (int mu = 3; mu >= 0; mu--)
        s.n[s.dimensions++] = (size_t)n[mu];
    for (int i = 0; i < 4 && rest[kind][i]; i++)
        s.n[s.dimensions++] = rest[kind][i];
    for (int i = 0; i < s.dimensions; i++)
        s.count *= s.n[i];
    return s;
}

/* The array, to be released with memory_free; if it cannot be read, NULL after a note. */
static inline double *array_read(const char *path, array_kind kind, const int n[4])
{
    failure f;
    array_shape s = array_shape_of(kind, n);
    double *numbers = npy_read(path, s.dimensions, s.n, &f);
    if (!numbers)
        note("%s", f.why);
    return numbers;
}

static inline void array_write(const char *path, const double *numbers, array_kind kind, const int n[4])
{
    failure f;
    array_shape s = array_shape_of(kind, n);
    if (!npy_write(path, numbers, s.dimensions, s.n, &f))
        note("%s", f.why);
}

/* max |a - b|; infinite if an array is NULL, NaN if a difference is NaN. */
static inline double array_distance(const double *a, const double *b, size_t count)
{
    double largest = a && b ? 0 : INFINITY;
    for (size_t i = 0; a && b && !isnan(largest) && i < count; i++)
        if (!(fabs(a[i] - b[i]) <= largest))
            largest = fabs(a[i] - b[i]);
    return largest;
}

/* max |a|; 0 if a is NULL. */
static inline double array_largest(const double *a, size_t count)
{
    double largest = 0;
    for (size_t i = 0; a && i < count; i++)
        largest = worse(largest, fabs(a[i]));
    return largest;
}

/* sqrt(sum (a - b)^2); infinite if an array is NULL. */
static inline double array_norm_of_difference(const double *a, const double *b, size_t count)
{
    double sum = a && b ? 0 : INFINITY;
    for (size_t i = 0; a && b && i < count; i++)
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sqrt(sum);
}

/* Spinors in the other basis, psi' = S psi with S = [[1, 1], [1, -1]]/sqrt(2) (x) 1 = S^-1.  memory_free releases the
 * result. */
static inline double *spinors_turned(const double *v, size_t count)
{
    enum { SPINOR_REALS = 24, HALF_REALS = 12 };
    double *t = memory_alloc(count * sizeof *t, "turned spinors");
    for (size_t at = 0; v && at < count; at++) {
        const bool lower = at % SPINOR_REALS >= HALF_REALS;
        const double upper_part = v[lower ? at - HALF_REALS : at], lower_part = v[lower ? at : at + HALF_REALS];
        t[at] = sqrt(0.5) * (lower ? upper_part - lower_part : upper_part + lower_part);
    }
    return t;
}

#endif
