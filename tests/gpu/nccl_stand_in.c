/* nccl_stand_in.c - a library with those functions of NCCL that Kiln uses (gpu/nccl_api.h), for tests.
 *
 * Ranks are processes or threads of one machine, and may share a GPU, which NVIDIA's library refuses.  Messages go by
 * way of files in a folder in memory.  As with non-blocking communicators of NCCL, a call returns at once, and a thread
 * does the work; here it waits for the stream, copies, and is done when all has arrived.
 *
 * KILN_NCCL_FAULT=FAULT:N:RANK makes the N-th group of calls of a rank fail, counted from 1; 0: joining.
 *     error    the work ends with an error
 *     refuse   the call returns an error
 *     busy     the call never comes to its end
 *     stall    the call ends, but not the work on the stream
 *     wrong    false data arrive */
#include "gpu/nccl_api.h"

#include <cuda_runtime_api.h>
#include <dirent.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { OPERATIONS = 4096, FOLDER_BYTES = 100, NAME_BYTES = 80, PATH_BYTES = FOLDER_BYTES + NAME_BYTES + 2 };

typedef enum { SENDING, RECEIVING, ADDING } operation_kind;
typedef struct { operation_kind kind; const char *from; char *to; size_t bytes; int rank; } operation;

typedef struct {
    int rank, ranks, device;
    char folder[FOLDER_BYTES];
    long groups, sums, *sent, *received;     /* counts; of messages, by rank */
    cudaStream_t stream;
    operation of[OPERATIONS];
    int count;
    char fault[16];
    long fault_at;                           /* -1: none */
    pthread_t worker;
    bool working;
    _Atomic bool done, aborted;
    _Atomic nccl_result result;
} communicator;

static _Thread_local int depth;
static _Thread_local communicator *grouped;      /* that of the calls of the group */
static char last_error[PATH_BYTES] = "";

#define FUNCTION(result, name, arguments) result name arguments;
NCCL_FUNCTIONS(FUNCTION)

static nccl_result refuse(nccl_result r, const char *why)
{
    snprintf(last_error, sizeof last_error, "%s", why);
    return r;
}

static bool has_fault(const communicator *c, const char *fault)
{
    return c->groups == c->fault_at && strcmp(c->fault, fault) == 0;
}

/* ---- files that are messages */

static void path_of(char *path, const communicator *c, const char *name)
{
    snprintf(path, PATH_BYTES, "%.*s/%.*s", FOLDER_BYTES, c->folder, NAME_BYTES, name);
}

static bool put(const communicator *c, const char *name, const void *data, size_t bytes)
{
    char path[PATH_BYTES], before[PATH_BYTES + 8];
    path_of(path, c, name);
    snprintf(before, sizeof before, "%s.part", path);
    FILE *f = fopen(before, "wb");
    if (!f)
        return false;
    const bool ok = fwrite(data, 1, bytes, f) == bytes;
    return fclose(f) == 0 && ok && rename(before, path) == 0;
}

/* Wait for a file, which may be removed then.  False if it has another size, or the communicator was aborted. */
static bool get(const communicator *c, const char *name, void *data, size_t bytes, bool remove_it)
{
    char path[PATH_BYTES], more;
    FILE *f;
    path_of(path, c, name);
    for (long turns = 0; !(f = fopen(path, "rb")); turns++) {
        if (c->aborted)
            return false;
        if (turns < 1000)
            sched_yield();
        else
            usleep(50);
    }
    const bool ok = fread(data, 1, bytes, f) == bytes && fread(&more, 1, 1, f) == 0;
    fclose(f);
    if (remove_it)
        unlink(path);
    return ok;
}

/* The sum of the words of all ranks; every rank reads the files of all.  Nobody reads the files of the sum before the
 * latest any more. */
static bool add_over_ranks(communicator *c, long long *words, size_t count)
{
    char name[NAME_BYTES], path[PATH_BYTES];
    long long *theirs = malloc(count * sizeof *theirs + 1);
    snprintf(name, sizeof name, "sum.%ld.%d", ++c->sums, c->rank);
    bool ok = put(c, name, words, count * sizeof *words);
    memset(words, 0, count * sizeof *words);
    for (int r = 0; ok && r < c->ranks; r++) {
        snprintf(name, sizeof name, "sum.%ld.%d", c->sums, r);
        ok = get(c, name, theirs, count * sizeof *theirs, false);
        for (size_t i = 0; ok && i < count; i++)
            words[i] += theirs[i];
    }
    snprintf(name, sizeof name, "sum.%ld.%d", c->sums - 2, c->rank);
    path_of(path, c, name);
    unlink(path);
    free(theirs);
    return ok;
}

/* ---- the work of a group */

static bool copy(communicator *c, void *to, const void *from, size_t bytes)
{
    return cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, c->stream) == cudaSuccess
           && cudaStreamSynchronize(c->stream) == cudaSuccess;
}

static bool work_on(communicator *c, const operation *o)
{
    char name[NAME_BYTES], *host = malloc(o->bytes + 1);
    bool ok = true;
    if (o->kind != RECEIVING)
        ok = copy(c, host, o->from, o->bytes);
    switch (o->kind) {
    case SENDING:
        snprintf(name, sizeof name, "message.%d.%d.%ld", c->rank, o->rank, c->sent[o->rank]++);
        ok = ok && put(c, name, host, o->bytes);
        break;
    case RECEIVING:
        snprintf(name, sizeof name, "message.%d.%d.%ld", o->rank, c->rank, c->received[o->rank]++);
        ok = ok && get(c, name, host, o->bytes, true);
        break;
    case ADDING:
        ok = ok && add_over_ranks(c, (long long *)host, o->bytes / sizeof(long long));
        break;
    }
    if (has_fault(c, "wrong") && o->bytes > 0)
        host[0] ^= 1;
    if (o->kind != SENDING)
        ok = ok && copy(c, o->to, host, o->bytes);
    free(host);
    return ok;
}

static void stand_still(communicator *c)
{
    while (!c->aborted)
        usleep(1000);
}

static void CUDART_CB stand_still_on_stream(void *c)
{
    stand_still(c);
}

static nccl_result result_of_work(communicator *c)
{
    long long nothing = 0;
    if (has_fault(c, "busy"))
        stand_still(c);
    if (has_fault(c, "error"))
        return refuse(NCCL_REMOTE_ERROR, "the stand-in was asked to fail");
    if (c->aborted)
        return NCCL_INTERNAL_ERROR;
    if (c->groups == 0)
        return add_over_ranks(c, &nothing, 1) ? NCCL_SUCCESS : NCCL_SYSTEM_ERROR;
    if (has_fault(c, "stall"))
        return cudaLaunchHostFunc(c->stream, stand_still_on_stream, c) == cudaSuccess ? NCCL_SUCCESS : NCCL_CUDA_ERROR;
    if (cudaStreamSynchronize(c->stream) != cudaSuccess)
        return NCCL_CUDA_ERROR;
    for (int sends = 1; sends >= 0; sends--)         /* first what others wait for */
        for (int i = 0; i < c->count; i++)
            if ((c->of[i].kind == SENDING) == sends && !work_on(c, &c->of[i]))
                return NCCL_SYSTEM_ERROR;
    return NCCL_SUCCESS;
}

static void *work(void *of)
{
    communicator *c = of;
    cudaSetDevice(c->device);
    c->result = result_of_work(c);
    c->count = 0;
    c->done = true;
    return NULL;
}

static nccl_result begin_work(communicator *c)
{
    if (has_fault(c, "refuse"))
        return refuse(NCCL_SYSTEM_ERROR, "the stand-in was asked to refuse");
    c->done = false;
    c->working = pthread_create(&c->worker, NULL, work, c) == 0;
    return c->working ? NCCL_IN_PROGRESS : refuse(NCCL_SYSTEM_ERROR, "no thread");
}

static nccl_result state_of(communicator *c)
{
    if (c->working && !c->done)
        return NCCL_IN_PROGRESS;
    if (c->working)
        pthread_join(c->worker, NULL);
    c->working = false;
    return c->result;
}

/* ---- the functions of NCCL */

nccl_result ncclGetVersion(int *version)
{
    *version = NCCL_CONFIG_VERSION;
    return NCCL_SUCCESS;
}

nccl_result ncclGetUniqueId(nccl_id *id)
{
    const char *where = getenv("TMPDIR");
    memset(id, 0, sizeof *id);
    snprintf(id->bytes, sizeof id->bytes, "%s/kiln-nccl-XXXXXX", where && strlen(where) < 64 ? where : "/dev/shm");
    return mkdtemp(id->bytes) ? NCCL_SUCCESS : refuse(NCCL_SYSTEM_ERROR, "no folder for messages");
}

static void read_fault(communicator *c)
{
    const char *given = getenv("KILN_NCCL_FAULT");
    int rank = -1;
    c->fault_at = -1;
    if (!given || sscanf(given, "%15[a-z]:%ld:%d", c->fault, &c->fault_at, &rank) != 3 || rank != c->rank)
        c->fault_at = -1;
}

nccl_result ncclCommInitRankConfig(nccl_comm *made, int ranks, nccl_id id, int rank, nccl_config *config)
{
    communicator *c = calloc(1, sizeof *c);
    if (config->magic != NCCL_CONFIG_MAGIC || config->size < sizeof *config || config->blocking != 0)
        return refuse(NCCL_INVALID_ARGUMENT, "the stand-in has non-blocking communicators only");
    c->rank = rank;
    c->ranks = ranks;
    c->sent = calloc((size_t)ranks, sizeof *c->sent);
    c->received = calloc((size_t)ranks, sizeof *c->received);
    snprintf(c->folder, sizeof c->folder, "%.*s", FOLDER_BYTES - 1, id.bytes);
    cudaGetDevice(&c->device);
    read_fault(c);
    *made = c;
    return begin_work(c);
}

nccl_result ncclCommGetAsyncError(nccl_comm of, nccl_result *state)
{
    *state = state_of(of);
    return NCCL_SUCCESS;
}

/* The last rank that goes removes the folder. */
static void leave(communicator *c)
{
    char name[NAME_BYTES], path[PATH_BYTES + NAME_MAX];
    int gone = 0;
    snprintf(name, sizeof name, "gone.%d", c->rank);
    put(c, name, name, 1);
    for (int r = 0; r < c->ranks; r++) {
        snprintf(name, sizeof name, "gone.%d", r);
        path_of(path, c, name);
        gone += access(path, F_OK) == 0;
    }
    DIR *files = gone == c->ranks ? opendir(c->folder) : NULL;
    for (struct dirent *d; files && (d = readdir(files));) {
        snprintf(path, sizeof path, "%s/%s", c->folder, d->d_name);
        unlink(path);
    }
    if (files)
        closedir(files);
    rmdir(c->folder);
}

nccl_result ncclCommFinalize(nccl_comm of)
{
    return state_of(of);
}

nccl_result ncclCommDestroy(nccl_comm of)
{
    communicator *c = of;
    leave(c);
    free(c->sent);
    free(c->received);
    free(c);
    return NCCL_SUCCESS;
}

/* What hangs sees it; the memory stays, since a thread or a stream may look at it. */
nccl_result ncclCommAbort(nccl_comm of)
{
    communicator *c = of;
    c->aborted = true;
    if (c->working)
        pthread_join(c->worker, NULL);
    c->working = false;
    leave(c);
    return NCCL_SUCCESS;
}

const char *ncclGetErrorString(nccl_result of)
{
    static const char *const names[] = { "no error", "unhandled CUDA error", "system error", "internal error",
                                         "invalid argument", "invalid usage", "remote process exited", "in progress" };
    return names[of];
}

const char *ncclGetLastError(nccl_comm of)
{
    (void)of;
    return last_error;
}

nccl_result ncclGroupStart(void)
{
    depth++;
    return NCCL_SUCCESS;
}

nccl_result ncclGroupEnd(void)
{
    communicator *c = grouped;
    if (--depth > 0 || !c)
        return NCCL_SUCCESS;
    grouped = NULL;
    c->groups++;
    return begin_work(c);
}

static nccl_result add(communicator *c, operation o, nccl_stream stream)
{
    if (state_of(c) != NCCL_SUCCESS || c->count == OPERATIONS)
        return refuse(NCCL_INVALID_USAGE, "a call while another one is in progress, or too many calls");
    ncclGroupStart();
    c->stream = stream;
    c->of[c->count++] = o;
    grouped = c;
    return ncclGroupEnd();
}

nccl_result ncclSend(const void *from, size_t count, int type, int rank, nccl_comm c, nccl_stream s)
{
    return type != NCCL_INT8 ? NCCL_INVALID_ARGUMENT
                             : add(c, (operation){ .kind = SENDING, .from = from, .bytes = count, .rank = rank }, s);
}

nccl_result ncclRecv(void *to, size_t count, int type, int rank, nccl_comm c, nccl_stream s)
{
    return type != NCCL_INT8 ? NCCL_INVALID_ARGUMENT
                             : add(c, (operation){ .kind = RECEIVING, .to = to, .bytes = count, .rank = rank }, s);
}

nccl_result ncclAllReduce(const void *from, void *to, size_t count, int type, int what, nccl_comm c, nccl_stream s)
{
    const operation o = { .kind = ADDING, .from = from, .to = to, .bytes = count * sizeof(long long) };
    return type != NCCL_INT64 || what != NCCL_SUM ? NCCL_INVALID_ARGUMENT : add(c, o, s);
}
