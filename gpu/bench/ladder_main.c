/* ladder_main.c - runs the ladders: compares every step with the first step of its kernel, and times it.
 *
 *     make gpu-bench
 *     gpu/bench/ladder force|hop|dwf|wilson|clover|persistent X,Y,Z,T [repeats [parts of names of steps of a hop]]
 *
 * dwf: X,Y,Z,T,Ls sets the number of slices, which is 12 otherwise.
 */
#include "gpu/bench/ladder.h"
#include "gpu/device.h"
#include "src/base/memory.h"
#include "src/bench/bench.h"
#include "src/gauge/gauge.h"
#include "src/lattice/rng.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    lattice *l;
    precision p;
    gauge *u;
    momentum *y;
    sum_array size;
    const ladder_step *step;
} climb;

static void run_step(const void *what)
{
    const climb *c = what;
    gauge_force_args args = { lattice_on(c->l, PLACE_GPU), gauge_view_of(c->u), momentum_view_of(c->y), 1e-3,
                              10.0 / 3, -1.0 / 6, -1.0 / 60 };
    c->step->run(&args, lattice_all(c->l), device_stream(), SUM_WORD / SUM_BOUND, c->size.cells);
    device_check_launch(c->step->step);
}

/* The result of one launch: the momenta, followed by the size of the force. */
static char *outcome(climb *c, size_t *bytes)
{
    size_t field_size = c->y->f.bytes;
    char *host = memory_alloc(field_size + sums_bytes(1, 1), "what a step left");
    momentum_zero(c->y);
    sums_zero(&c->size);
    run_step(c);
    device_copy_from(host, c->y->f.data, field_size);
    sums_read((sum_cells){ (sum_cell *)(host + field_size), (max_cell *)(host + field_size + sums_bytes(1, 0)) },
              &c->size);
    *bytes = field_size + sums_bytes(1, 1);
    return host;
}

static void climb_one(lattice *l, precision p, const ladder_step *steps, int repeats)
{
    climb c = { .l = l, .p = p, .u = gauge_create(l, PLACE_GPU, p), .y = momentum_create(l, PLACE_GPU, p) };
    c.size = sums_create(l, PLACE_GPU, 1, 1);
    gauge_set_random(c.u, rng_key_for(1, 0, 0, RNG_TEST));
    char *first = NULL;
    for (const ladder_step *s = steps; s->kernel; s++) {
        size_t bytes;
        c.step = s;
        char *got = outcome(&c, &bytes);
        if (s == steps || strcmp(s->kernel, s[-1].kernel) != 0) {
            memory_free(first);
            first = got;
        }
        bool same = memcmp(first, got, bytes) == 0;
        if (got != first)
            memory_free(got);
        bench_time t = bench_launches(PLACE_GPU, repeats, run_step, &c);
        printf("%-26s %-7s %-40s %10.2f us  %s\n", s->kernel, p == PRECISION_SINGLE ? "single" : "double", s->step,
               t.median * 1e6, same ? "same bits" : "DIFFERENT");
        fflush(stdout);
    }
    memory_free(first);
    sums_free(&c.size);
    momentum_free(c.y);
    gauge_free(c.u);
}

int main(int argc, char **argv)
{
    int n[4], Ls = 12;
    failure f;
    const char *which = argc > 1 ? argv[1] : "";
    bool hop = strcmp(which, "hop") == 0, force = strcmp(which, "force") == 0, dwf = strcmp(which, "dwf") == 0;
    bool wilson = strcmp(which, "wilson") == 0, clover = strcmp(which, "clover") == 0;
    bool persistent_kernels = strcmp(which, "persistent") == 0;
    int given = argc > 2 ? sscanf(argv[2], "%d,%d,%d,%d,%d", &n[0], &n[1], &n[2], &n[3], &Ls) : 0;
    if (!(hop || force || dwf || wilson || clover || persistent_kernels) || given < 4 || (given > 4 && !dwf))
        fatal("usage: ladder force|hop|dwf|wilson|clover|persistent X,Y,Z,T [repeats [parts of names]], for dwf "
              "X,Y,Z,T or X,Y,Z,T,Ls");
    const lattice_shape shape = lattice_shape_single(n);
    require(lattice_shape_is_possible(&shape, &f) && device_open(0, &f), "%s", f.why);
    lattice *l = lattice_create(&shape);
    int repeats = argc > 3 ? atoi(argv[3]) : 10;
    if (repeats < 1)
        fatal("ladder: the third argument is the number of repeats, at least 1, not \"%s\"", argv[3]);
    char **parts = argv + (argc > 4 ? 4 : argc);
    if (hop)
        climb_hops(l, repeats, parts);
    else if (dwf)
        climb_dwf(l, Ls, repeats, parts);
    else if (wilson)
        climb_wilson(l, repeats, parts);
    else if (clover)
        climb_clover(l, repeats, parts);
    else if (persistent_kernels)
        climb_persistent(l, repeats);
    else {
        climb_one(l, PRECISION_SINGLE, gauge_force_ladder_gpu_f, repeats);
        climb_one(l, PRECISION_DOUBLE, gauge_force_ladder_gpu_d, repeats);
    }
    lattice_free(l);
    return 0;
}
