/* bench.h - the time of kernels, compared with the shortest possible time (floor).
 *
 * Collective.  Every rank times its part of the lattice; bytes, flops and rates are those of one rank.
 *
 * The floor of a kernel is the larger of
 *     bytes / rate of a copy       bytes: each input read once and each output written once, tables too
 *     flops / rate of FMAs         flops: counted from the algorithm, 198 for a product of 3x3 matrices
 * with both rates measured in the same run (an FMA is two flops).  Times are medians of many launches
 * after a few untimed launches: between events on the GPU, by the clock on the CPU. */
#ifndef KILN_BENCH_BENCH_H
#define KILN_BENCH_BENCH_H

#include "src/lattice/kernels.h"

/* Groups of kernels. */
typedef enum {
    BENCH_GAUGE, BENCH_STAGGERED, BENCH_BATCHES, BENCH_DWF, BENCH_WILSON, BENCH_STOUT, BENCH_GROUPS
} bench_group;
extern const char *const bench_group_names[];              /* "gauge", ..., NULL */

typedef struct {
    place where;
    lattice_shape shape;            /* of this rank (lattice/grid.h) */
    bool precision[PRECISIONS];     /* selected precisions */
    bool group[BENCH_GROUPS];       /* selected groups */
    int Ls;                     /* of domain-wall quarks */
    int repeats;                    /* launches timed */
} bench_request;

typedef struct { double copy, fma[PRECISIONS]; } bench_rates;      /* bytes (read + written) and flops a second */

typedef struct {
    const char *name, *variant;     /* "portable", "tuned"; "plain" for the sum that is not exact;
                                       "int20 x4" for format and number of systems of a batch (times, bytes and flops
                                       are those of one system); "int20" for the format alone */
    precision p;
    double seconds, fastest;        /* of one launch */
    double bytes, flops;
} bench_row;

enum { BENCH_ROWS = 384 };
typedef struct {
    bench_rates rates;
    size_t copy_bytes;              /* of the buffer that was copied */
    int count;
    bench_row row[BENCH_ROWS];
} bench_table;

double bench_floor_seconds(const bench_row *row, const bench_rates *rates);
bool   bench_is_bound_by_bytes(const bench_row *row, const bench_rates *rates);

void bench_kernels(const bench_request *request, bench_table *table);

/* The rate, bytes read plus written per second, of a copy of `bytes` bytes, at least several times the largest L2. */
double bench_copy_rate(place where, size_t bytes, int repeats);

/* Median and smallest time of one call of run(what), in seconds.  All ranks begin together. */
typedef struct { double median, fastest; } bench_time;
bench_time bench_launches(place where, int repeats, void (*run)(const void *what), const void *what);

#endif
