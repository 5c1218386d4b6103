/* nccl.h - messages between the GPUs of ranks, and sums of integers over ranks, by NVIDIA's library NCCL.
 *
 * The library is libnccl.so.2 of the machine, that of configure's --with-nccl=DIR, or the file that the environment
 * variable KILN_NCCL_LIBRARY names.  It is opened at the first call.  nccl_none.c is for programs without it.
 *
 * Work goes to the device's stream (gpu/device.h), in order.  Nothing waits for ever: a call, and a message or a sum on
 * the GPU, has a limit of seconds from its begin.  In a graph (gpu/device_loop.h) work has no limit of its own: whoever
 * waits for the graph has one.  After a failure a communicator can only be abandoned.  The sentence
 * of a failure begins with "NCCL". */
#ifndef KILN_GPU_NCCL_H
#define KILN_GPU_NCCL_H

#include "gpu/nccl_api.h"
#include "src/base/error.h"

typedef struct nccl nccl;

/* "2.28.9"; NULL with the reason if there is no NCCL that can be used. */
typedef struct { char s[16]; } nccl_version_text;
const nccl_version_text *nccl_version(failure *f);

/* Whether messages and sums may become part of a graph: from version 2.20 on. */
bool nccl_goes_into_graphs(void);

bool nccl_make_id(nccl_id *id, failure *f);

/* The communicator of ranks with a GPU each.  Collective.  NULL with the reason. */
typedef struct { nccl_id id; int rank, ranks; double limit; } nccl_members;
nccl *nccl_join(const nccl_members *m, failure *f);
void nccl_leave(nccl *n);                    /* collective, after all work is done */
void nccl_abandon(nccl *n);                  /* ends what waits on the GPU for other ranks */

/* `out` goes to rank `to`, `in` comes from rank `from`; between two ranks messages keep their order. */
typedef struct { int to, from; const void *out; void *in; size_t out_bytes, in_bytes; } nccl_message;
bool nccl_exchange(nccl *n, const nccl_message *m, int count, failure *f);

/* Each word becomes the sum of those of all ranks. */
bool nccl_sum(nccl *n, long long *words, int count, failure *f);

/* Whether all is well so far: false if NCCL reports an error, or work has not come to its end within the limit. */
bool nccl_look(nccl *n, failure *f);

/* Until the work on the stream is done. */
bool nccl_wait(nccl *n, failure *f);

#endif
