/* bench_iterations.c - time runs with a fixed number of iterations, all from the same residuals. */
#include "src/bench/bench_iterations.h"

#include "src/lattice/vec_mixed.h"

#include <assert.h>

enum { RINGS_MOST = 16, RUNS = 5 };

typedef struct {
    krylov *k;
    const linop *a;
    const krylov_vectors *v;
    vec **start;                             /* the residuals */
    double rr[BATCH_MAX_RHS], shift;
    int count, iterations;
} iterations_job;

static void run_iterations(const void *what)
{
    const iterations_job *j = what;
    int number[BATCH_MAX_RHS];
    for (int n = 0; n < j->count; n++) {
        number[n] = n;
        vec_copy(j->v[n].r, j->start[n]);
        vec_copy(j->v[n].ring[0], j->start[n]);
        krylov_begin(j->k, n, j->shift, j->rr[n], j->rr[n], 0)->most = j->iterations;
    }
    krylov_run(j->k, j->a, number, j->v, j->count);
}

/* The number of iterations of the latest run; on a tiny lattice a system may converge before. */
static int iterations_done(const iterations_job *j)
{
    int most = 0;
    for (int n = 0; n < j->count; n++) {
        const int steps = krylov_system_of(j->k, n)->steps;
        most = steps > most ? steps : most;
    }
    return most;
}

bench_time bench_iterations(const bench_request *w, const lattice *l, const iterated_systems *s, iteration_way how)
{
    const int rings = w->repeats < RINGS_MOST ? w->repeats : RINGS_MOST;
    vec *start[BATCH_MAX_RHS];
    iterations_job j = { .k = krylov_create(l, w->where, FINISH_IN_KERNEL), .a = s->a, .v = s->v, .start = start,
                         .shift = s->shift, .count = s->count, .iterations = rings * KRYLOV_RING };
    assert(s->count <= BATCH_MAX_RHS);
    loop_set_way(krylov_loop(j.k), how.way);
    loop_set_kernel(krylov_loop(j.k), how.kernel);
    for (int n = 0; n < s->count; n++) {
        start[n] = vec_create_like(s->v[n].r);
        vec_copy(start[n], s->v[n].r);
        j.rr[n] = vec_norm2(s->v[n].r);
    }
    bench_time time = bench_launches(w->where, w->repeats < RUNS ? w->repeats : RUNS, run_iterations, &j);
    const int done = iterations_done(&j);
    require(done > 0, "no iteration of conjugate gradients was possible");
    time.median /= done;
    time.fastest /= done;
    if (how.way == LOOP_PERSISTENT && !loop_was_persistent(krylov_loop(j.k)))
        time = (bench_time){ 0, 0 };
    for (int n = 0; n < s->count; n++) {
        vec_copy(s->v[n].r, start[n]);
        vec_free(start[n]);
    }
    krylov_free(j.k);
    return time;
}
