/* bench_rows.c - rows of the table of kernels, and their floors. */
#include "src/bench/bench_rows.h"

#include <assert.h>

double bench_floor_seconds(const bench_row *row, const bench_rates *rates)
{
    double by_bytes = row->bytes / rates->copy, by_flops = row->flops / rates->fma[row->p];
    return by_bytes > by_flops ? by_bytes : by_flops;
}

bool bench_is_bound_by_bytes(const bench_row *row, const bench_rates *rates)
{
    return row->bytes / rates->copy > row->flops / rates->fma[row->p];
}

bench_row *bench_add_row(bench_table *t, const char *name, const char *variant, precision p, bench_time time)
{
    assert(t->count < BENCH_ROWS);
    bench_row *row = &t->row[t->count++];
    *row = (bench_row){ .name = name, .variant = variant, .p = p, .seconds = time.median, .fastest = time.fastest };
    return row;
}
