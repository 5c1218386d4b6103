/* nccl_api.h - the part of NCCL that Kiln uses: types, numbers and functions as in nccl.h of version 2.14 and later.
 *
 * Kiln declares them itself, since it opens NCCL at run time: a program that was built on a machine without NCCL can
 * use NCCL of the machine it runs on.  If the build finds nccl.h, gpu/nccl.c compares the declarations. */
#ifndef KILN_GPU_NCCL_API_H
#define KILN_GPU_NCCL_API_H

#include <stddef.h>

/* Identifies a new communicator; one rank makes it and sends it to all. */
enum { NCCL_ID_BYTES = 128 };
typedef struct { char bytes[NCCL_ID_BYTES]; } nccl_id;

/* The first members of ncclConfig_t; NCCL reads `size` bytes of it. */
typedef struct { size_t size; unsigned int magic, version; int blocking; } nccl_config;
enum { NCCL_CONFIG_VERSION = 21400 };        /* 2.14 */
#define NCCL_CONFIG_MAGIC 0xcafebeefu

typedef enum {
    NCCL_SUCCESS, NCCL_CUDA_ERROR, NCCL_SYSTEM_ERROR, NCCL_INTERNAL_ERROR, NCCL_INVALID_ARGUMENT, NCCL_INVALID_USAGE,
    NCCL_REMOTE_ERROR, NCCL_IN_PROGRESS
} nccl_result;
enum { NCCL_INT8 = 0, NCCL_INT64 = 4 };      /* types of data */
enum { NCCL_SUM = 0 };                       /* kind of reduction */

typedef void *nccl_comm;
typedef void *nccl_stream;                   /* a cudaStream_t */

/* X(result, name, arguments) for each function. */
#define NCCL_FUNCTIONS(X)                                                                                              \
    X(nccl_result, ncclGetVersion, (int *version))                                                                     \
    X(nccl_result, ncclGetUniqueId, (nccl_id *id))                                                                     \
    X(nccl_result, ncclCommInitRankConfig, (nccl_comm *c, int ranks, nccl_id id, int rank, nccl_config *config))       \
    X(nccl_result, ncclCommGetAsyncError, (nccl_comm c, nccl_result *state))                                           \
    X(nccl_result, ncclCommFinalize, (nccl_comm c))                                                                    \
    X(nccl_result, ncclCommDestroy, (nccl_comm c))                                                                     \
    X(nccl_result, ncclCommAbort, (nccl_comm c))                                                                       \
    X(const char *, ncclGetErrorString, (nccl_result of))                                                              \
    X(const char *, ncclGetLastError, (nccl_comm c))                                                                   \
    X(nccl_result, ncclGroupStart, (void))                                                                             \
    X(nccl_result, ncclGroupEnd, (void))                                                                               \
    X(nccl_result, ncclSend, (const void *from, size_t count, int type, int rank, nccl_comm c, nccl_stream s))         \
    X(nccl_result, ncclRecv, (void *to, size_t count, int type, int rank, nccl_comm c, nccl_stream s))                 \
    X(nccl_result, ncclAllReduce,                                                                                      \
      (const void *from, void *to, size_t count, int type, int what, nccl_comm c, nccl_stream s))

#endif
