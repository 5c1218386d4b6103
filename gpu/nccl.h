/* nccl.h - messages between the GPUs of ranks, and sums of integers over ranks, by NVIDIA's library NCCL.
 *
 * The library is libnccl.so.2 of the machine or of configure's --with-nccl=DIR, or the file that the environment
 * variable KILN_NCCL_LIBRARY names.  It is opened at the first call.  nccl_none.c is for programs without NCCL.
 *
 * Work goes to the device's stream (gpu/device.h), in order.  Every call, and every message or sum on the GPU, has a
 * time limit in seconds.  Work in a graph (gpu/device_loop.h) has no separate limit: the caller that waits for the
 * graph must have one.  After a failure, a communicator can only be abandoned.  The message of a failure begins with
 * "NCCL". */
#ifndef KILN_GPU_NCCL_H
#define KILN_GPU_NCCL_H

#include "gpu/nccl_api.h"
#include "src/base/error.h"

typedef struct nccl nccl;

/* "2.28.9"; NULL with the reason if there is no usable NCCL. */
typedef struct { char s[16]; } nccl_version_text;
const nccl_version_text *nccl_version(failure *f);

/* Whether messages and sums may become part of a graph: from version 2.20 on. */
bool nccl_goes_into_graphs(void);

bool nccl_make_id(nccl_id *id, failure *f);

/* The communicator of ranks that have one GPU each.  Collective.  NULL with the reason. */
typedef struct { nccl_id id; int rank, ranks; double limit; } nccl_members;
nccl *nccl_join(const nccl_members *m, failure *f);
void nccl_leave(nccl *n);                    /* collective, after all work is done */
void nccl_abandon(nccl *n);                  /* ends work on the GPU that waits for other ranks */

/* `out` goes to rank `to`, `in` comes from rank `from`; between two ranks messages keep their order. */
typedef struct { int to, from; const void *out; void *in; size_t out_bytes, in_bytes; } nccl_message;
bool nccl_exchange(nccl *n, const nccl_message *m, int count, failure *f);

/* Replaces each word by its sum over all ranks. */
bool nccl_sum(nccl *n, long long *words, int count, failure *f);

/* Polls NCCL: false if it reports an error, or if work is not done within the limit. */
bool nccl_check(nccl *n, failure *f);

/* Waits until the work on the stream is done. */
bool nccl_wait(nccl *n, failure *f);

#endif
