/* nccl.c - NCCL: this rank polls whether a call, or work on the GPU, is done. */
#define _GNU_SOURCE                      /* pthread_timedjoin_np */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "gpu/nccl.h"

#include "gpu/device.h"
#include "src/base/clock.h"
#include "src/base/memory.h"
#include "src/base/rank.h"

#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#ifdef HAVE_NCCL_H
#include <nccl.h>
_Static_assert(sizeof(ncclUniqueId) == sizeof(nccl_id), "ncclUniqueId");
_Static_assert(offsetof(ncclConfig_t, blocking) == offsetof(nccl_config, blocking), "ncclConfig_t");
_Static_assert((int)ncclRemoteError == NCCL_REMOTE_ERROR && (int)ncclInProgress == NCCL_IN_PROGRESS, "ncclResult_t");
_Static_assert((int)ncclInt8 == NCCL_INT8 && (int)ncclInt64 == NCCL_INT64, "ncclDataType_t");
_Static_assert((int)ncclSum == NCCL_SUM, "ncclRedOp_t");
#endif

/* ---- the library */

#define POINTER(result, name, arguments) result (*name) arguments;
typedef struct { NCCL_FUNCTIONS(POINTER) } library;

typedef struct { bool usable; library functions; nccl_version_text version; failure why; } opened;
static opened nccl_of_process;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static const char *library_name(void)
{
    const char *given = getenv("KILN_NCCL_LIBRARY");
    return given && *given ? given : NCCL_LIBRARY;
}

static bool find_functions(opened *o, void *file, const char *name)
{
#define NAME(result, function, arguments) { #function, offsetof(library, function) },
    static const struct { const char *name; size_t at; } functions[] = { NCCL_FUNCTIONS(NAME) };
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        void *found = dlsym(file, functions[i].name);
        if (!found)
            return fail(&o->why, "NCCL: %s has no function %s; version 2.14 or later is needed", name,
                        functions[i].name);
        *(void **)((char *)&o->functions + functions[i].at) = found;
    }
    return true;
}

/* 2.28.9 is 22809. */
static bool read_version(opened *o, const char *name)
{
    int version = 0;
    if (o->functions.ncclGetVersion(&version) != NCCL_SUCCESS || version < NCCL_CONFIG_VERSION)
        return fail(&o->why, "NCCL: %s has version number %d; version 2.14 or later is needed", name, version);
    snprintf(o->version.s, sizeof o->version.s, "%d.%d.%d", version / 10000, version % 10000 / 100, version % 100);
    return true;
}

static void open_library(void)
{
    opened *o = &nccl_of_process;
    const char *name = library_name();
    void *file = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (!file)
        fail(&o->why, "NCCL: the library cannot be opened: %s; install NCCL, or set KILN_NCCL_LIBRARY to its file",
             dlerror());
    o->usable = file && find_functions(o, file, name) && read_version(o, name);
}

static const opened *use(void)
{
    pthread_once(&once, open_library);
    return &nccl_of_process;
}

static const library *functions(void)
{
    return &use()->functions;
}

const nccl_version_text *nccl_version(failure *f)
{
    const opened *o = use();
    if (!o->usable)
        fail(f, "%s", o->why.why);
    return o->usable ? &o->version : NULL;
}

bool nccl_goes_into_graphs(void)
{
    enum { FIRST_WITH_GRAPHS = 22000 };
    int version = 0;
    return use()->usable && functions()->ncclGetVersion(&version) == NCCL_SUCCESS && version >= FIRST_WITH_GRAPHS;
}

/* ---- communicators */

/* Messages or a sum on the stream, between the events `begun` and `ended`.  since: when a poll first found that `begun`
 * has passed; 0 before. */
typedef struct { cudaEvent_t begun, ended; const char *what; double since; } operation;

enum { OPERATIONS = 64 };

struct nccl {
    nccl_comm comm;
    double limit;
    operation of[OPERATIONS];            /* a ring: `count` pending operations from `first` on */
    int first, count;
    operation captured;                  /* the latest operation captured in a graph */
};

static bool is_fine(nccl *n, nccl_result result, const char *what, failure *f)
{
    if (result == NCCL_SUCCESS || result == NCCL_IN_PROGRESS)
        return true;
    const char *detail = functions()->ncclGetLastError(n ? n->comm : NULL);
    return fail(f, "NCCL: %s failed: %s%s%s", what, functions()->ncclGetErrorString(result),
                detail && *detail ? ": " : "", detail ? detail : "");
}

static bool cuda_is_fine(cudaError_t status, const char *what, failure *f)
{
    return status == cudaSuccess || fail(f, "NCCL: %s failed: %s", what, cudaGetErrorString(status));
}

/* Whether the work is not yet done; clears this status, which is not an error of the next launch. */
static bool is_not_ready(cudaError_t status)
{
    if (status == cudaErrorNotReady)
        cudaGetLastError();
    return status == cudaErrorNotReady;
}

/* Pauses a wait that has lasted `waited` seconds so far.  It does not yield its core first: with other programs on all
 * cores it would get it back only after milliseconds. */
static void pause_wait(double waited)
{
    const double busy = 2e-5;
    const struct timespec time = { .tv_nsec = 20000 };
    if (waited >= busy)
        nanosleep(&time, NULL);
}

static bool fail_at_limit(failure *f, double waited, const char *what)
{
    return fail(f, "NCCL: %s has waited %.0f s for the other ranks in %s", rank_name(rank_number()).s, waited, what);
}

/* Waits until the latest call is no longer in progress. */
static bool finish_call(nccl *n, nccl_result result, const char *what, failure *f)
{
    const double begin = clock_now();
    nccl_result state = NCCL_IN_PROGRESS;
    while (is_fine(n, result, what, f)) {
        result = functions()->ncclCommGetAsyncError(n->comm, &state);
        if (!is_fine(n, state, what, f))
            return false;
        if (result == NCCL_SUCCESS && state == NCCL_SUCCESS)
            return true;
        const double waited = clock_now() - begin;
        if (waited > n->limit)
            return fail_at_limit(f, waited, what);
        pause_wait(waited);
    }
    return false;
}

bool nccl_make_id(nccl_id *id, failure *f)
{
    return nccl_version(f) && is_fine(NULL, functions()->ncclGetUniqueId(id), "naming a communicator", f);
}

static bool create_events(nccl *n, failure *f)
{
    for (int i = 0; i < OPERATIONS; i++)
        if (!cuda_is_fine(cudaEventCreateWithFlags(&n->of[i].begun, cudaEventDisableTiming), "creating an event", f)
            || !cuda_is_fine(cudaEventCreateWithFlags(&n->of[i].ended, cudaEventDisableTiming), "creating an event", f))
            return false;
    return true;
}

static void free_nccl(nccl *n)
{
    for (int i = 0; i < OPERATIONS; i++) {
        if (n->of[i].begun)
            cudaEventDestroy(n->of[i].begun);
        if (n->of[i].ended)
            cudaEventDestroy(n->of[i].ended);
    }
    memory_free(n);
}

/* The calls of a communicator with `blocking` return when work is on the stream; only the first ones wait for other
 * ranks.  Without it each call starts a thread, which takes 50 us, and milliseconds where other programs keep all cores
 * busy. */
typedef struct { nccl_comm comm; nccl_members members; nccl_config config; int device; nccl_result result; } joining;

static void *join_there(void *of)
{
    joining *j = of;
    const nccl_members *m = &j->members;
    cudaSetDevice(j->device);
    j->result = functions()->ncclCommInitRankConfig(&j->comm, m->ranks, m->id, m->rank, &j->config);
    return NULL;
}

static struct timespec time_after(double seconds)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (struct timespec){ now.tv_sec + (time_t)seconds, now.tv_nsec };
}

/* A blocking call is made in a separate thread, because it might never return; j then belongs to that thread. */
static bool join(nccl *n, const nccl_members *m, failure *f)
{
    const bool blocks = nccl_goes_into_graphs();
    joining *j = memory_alloc(sizeof *j, "a communicator of NCCL");
    pthread_t thread;
    const struct timespec until = time_after(m->limit);
    *j = (joining){ .members = *m, .config = { sizeof j->config, NCCL_CONFIG_MAGIC, NCCL_CONFIG_VERSION, blocks } };
    bool made = cuda_is_fine(cudaGetDevice(&j->device), "asking for the GPU", f);
    if (made && !blocks)
        join_there(j);
    else if (made && pthread_create(&thread, NULL, join_there, j) != 0)
        made = fail(f, "NCCL: no thread can be started");
    else if (made && pthread_timedjoin_np(thread, NULL, &until) != 0) {
        pthread_detach(thread);
        return fail_at_limit(f, m->limit, "joining the ranks");
    }
    n->comm = j->comm;
    made = made && finish_call(n, j->result, "joining the ranks", f);
    memory_free(j);
    return made;
}

nccl *nccl_join(const nccl_members *m, failure *f)
{
    if (!nccl_version(f))
        return NULL;
    nccl *n = memory_alloc(sizeof *n, "a communicator of NCCL");
    n->limit = m->limit;
    if (create_events(n, f) && join(n, m, f))
        return n;
    nccl_abandon(n);
    return NULL;
}

void nccl_leave(nccl *n)
{
    if (!n)
        return;
    failure unused;
    if (finish_call(n, functions()->ncclCommFinalize(n->comm), "leaving the ranks", &unused))
        functions()->ncclCommDestroy(n->comm);
    else
        functions()->ncclCommAbort(n->comm);
    free_nccl(n);
}

static void *abort_comm(void *of)
{
    functions()->ncclCommAbort(of);
    return NULL;
}

/* Aborts in a separate thread, because ncclCommAbort might never return either. */
void nccl_abandon(nccl *n)
{
    enum { SECONDS = 10 };
    pthread_t thread;
    const struct timespec until = time_after(SECONDS);
    if (n->comm && pthread_create(&thread, NULL, abort_comm, n->comm) == 0) {
        if (pthread_timedjoin_np(thread, NULL, &until) != 0)
            pthread_detach(thread);
    }
    free_nccl(n);
}

/* ---- work on the stream */

/* Removes finished operations from the ring; false if one has failed, or the oldest exceeds its limit. */
static bool poll_operations(nccl *n, failure *f)
{
    for (; n->count > 0; n->first = (n->first + 1) % OPERATIONS, n->count--) {
        operation *o = &n->of[n->first];
        const cudaError_t ended = cudaEventQuery(o->ended), begun = cudaEventQuery(o->begun);
        if (is_not_ready(ended) && is_not_ready(begun))
            return true;
        if (ended != cudaErrorNotReady) {
            if (!cuda_is_fine(ended, o->what, f))
                return false;
            continue;
        }
        const double now = clock_now();
        if (o->since == 0)
            o->since = now;
        return now - o->since <= n->limit || fail_at_limit(f, now - o->since, o->what);
    }
    return true;
}

bool nccl_check(nccl *n, failure *f)
{
    nccl_result state = NCCL_SUCCESS;
    return is_fine(n, functions()->ncclCommGetAsyncError(n->comm, &state), "asking for errors", f)
           && is_fine(n, state, "work of the ranks", f) && poll_operations(n, f);
}

bool nccl_wait(nccl *n, failure *f)
{
    const double begin = clock_now();
    cudaError_t status;
    while (is_not_ready(status = cudaStreamQuery(device_stream()))) {
        if (!nccl_check(n, f))
            return false;
        pause_wait(clock_now() - begin);
    }
    return cuda_is_fine(status, "work on the GPU", f) && nccl_check(n, f);
}

/* Whether work on the stream is captured into a graph instead of run. */
static bool is_captured(void)
{
    enum cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    return cudaStreamIsCapturing(device_stream(), &status) == cudaSuccess && status == cudaStreamCaptureStatusActive;
}

/* A place in the ring for an operation that begins now. */
static operation *begin_operation(nccl *n, const char *what, failure *f)
{
    const double begin = clock_now();
    if (is_captured()) {
        n->captured.what = what;
        return &n->captured;
    }
    while (n->count == OPERATIONS) {
        if (!nccl_check(n, f))
            return NULL;
        pause_wait(clock_now() - begin);
    }
    operation *o = &n->of[(n->first + n->count) % OPERATIONS];
    o->what = what;
    o->since = 0;
    return cuda_is_fine(cudaEventRecord(o->begun, device_stream()), "recording an event", f) ? o : NULL;
}

/* `result`: of the call that began the operation. */
static bool end_operation(nccl *n, operation *o, nccl_result result, failure *f)
{
    if (!finish_call(n, result, o->what, f))
        return false;
    if (o == &n->captured)
        return true;
    if (!cuda_is_fine(cudaEventRecord(o->ended, device_stream()), "recording an event", f))
        return false;
    n->count++;
    return true;
}

static bool add_messages(nccl *n, const nccl_message *m, int count, failure *f)
{
    void *stream = device_stream();
    for (int i = 0; i < count; i++)
        if (!is_fine(n, functions()->ncclSend(m[i].out, m[i].out_bytes, NCCL_INT8, m[i].to, n->comm, stream),
                     "sending", f)
            || !is_fine(n, functions()->ncclRecv(m[i].in, m[i].in_bytes, NCCL_INT8, m[i].from, n->comm, stream),
                        "receiving", f))
            return false;
    return true;
}

bool nccl_exchange(nccl *n, const nccl_message *m, int count, failure *f)
{
    operation *o = begin_operation(n, "an exchange of ghosts", f);
    if (!o || !is_fine(n, functions()->ncclGroupStart(), "beginning a group of messages", f))
        return false;
    const bool added = add_messages(n, m, count, f);
    const nccl_result result = functions()->ncclGroupEnd();
    return added && end_operation(n, o, result, f);
}

bool nccl_sum(nccl *n, long long *words, int count, failure *f)
{
    operation *o = begin_operation(n, "a sum over ranks", f);
    if (!o)
        return false;
    return end_operation(n, o, functions()->ncclAllReduce(words, words, (size_t)count, NCCL_INT64, NCCL_SUM, n->comm,
                                                          device_stream()), f);
}
