/* batch_state.c - states of batches for tests. */
#include "tests/halo/batch_state.h"

#include "gpu/device.h"
#include "src/base/memory.h"

#include <string.h>

const batch_kind batch_kinds[BATCH_KINDS] = {
    { "double", VECTOR_NATIVE, PRECISION_DOUBLE }, { "single", VECTOR_NATIVE, PRECISION_SINGLE },
    { "half", VECTOR_HALF, PRECISION_SINGLE },     { "int20", VECTOR_INT20, PRECISION_SINGLE },
    { "int30", VECTOR_INT30, PRECISION_DOUBLE },
};

vec *batch_kind_vec(const batch_kind *kind, lattice *l, parity_set on, place where)
{
    return kind->format == VECTOR_NATIVE ? vec_create(l, on, where, kind->precision)
                                         : vec_create_format(l, on, where, kind->format);
}

krylov_state *batch_state_create(place where, const krylov_state *host)
{
    const char *what = "the state of a batch";
    krylov_state *at = where == PLACE_GPU ? device_alloc(sizeof *at, what) : memory_alloc(sizeof *at, what);
    batch_state_put(at, where, host);
    return at;
}

void batch_state_free(krylov_state *at, place where)
{
    if (where == PLACE_GPU)
        device_free(at);
    else
        memory_free(at);
}

void batch_state_put(krylov_state *at, place where, const krylov_state *host)
{
    if (where == PLACE_GPU)
        device_copy_to(at, host, sizeof *at);
    else
        memcpy(at, host, sizeof *at);
}

void batch_state_get(krylov_state *host, const krylov_state *at, place where)
{
    if (where == PLACE_GPU)
        device_copy_from(host, at, sizeof *at);
    else
        memcpy(host, at, sizeof *at);
}

void batch_state_begin(krylov_state *host, int count)
{
    memset(host, 0, sizeof *host);
    host->going = 1;
    host->count = count;
    for (int n = 0; n < count; n++) {
        krylov_system *s = &host->system[n];
        host->number[n] = n;
        s->bb = s->rr = s->before = s->top = 1;
        s->curvature_per_bound = s->norm_per_bound = SUM_WORD / SUM_BOUND;
        s->most = 1;
        s->reached_at = -1;
        s->status = SYSTEM_GOING;
        s->stepped = 1;
    }
}

krylov_batch batch_of(krylov_state *at, int first, int count, bool last)
{
    krylov_batch b;
    memset(&b, 0, sizeof b);
    b.state = at;
    b.count = count;
    b.last = last;
    b.full = 1;
    b.sum_launches = 1;
    for (int n = 0; n < count; n++)
        b.number[n] = first + n;
    return b;
}
