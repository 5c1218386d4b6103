/* device_choice.h - the options --device and --threads, shared by the subcommands. */
#ifndef KILN_OPTIONS_DEVICE_CHOICE_H
#define KILN_OPTIONS_DEVICE_CHOICE_H

#include "src/lattice/lattice.h"
#include "src/options/options.h"

typedef enum { DEVICE_AUTO, DEVICE_CPU, DEVICE_CUDA } device_kind;
extern const char *const device_kind_names[];       /* NULL at the end */

typedef struct {
    struct device_request { device_kind kind; bool numbered; int index; } request;   /* numbered: GPU `index` */
    int64_t threads;                                              /* of the CPU; 0: as OpenMP finds them */
    bool share_gpu;                                               /* ranks of one node may share a GPU */
} device_choice;

/* "auto", "cpu", "cuda" or "cuda:N" into a device_request: an option's `read`. */
bool device_request_read(const char *given, void *request, failure *f);

/* Set the number of threads and open the GPU, if one is chosen; a line on stderr says what was chosen and why.
 * auto: a GPU if one can be used, else the CPU.  False with the reason if --device cuda cannot be satisfied.
 *
 * Collective: all ranks compute on GPUs, or all on the CPU.  Each rank takes a GPU of its own (gpu_of_rank.h) unless
 * share_gpu is set.  Ranks that are threads of this process share the CPU threads. */
bool device_choice_open(const device_choice *choice, place *where, failure *f);

#define DEVICE_OPTIONS(owner, member)                                                                                  \
    { .name = "device", .value = "D",                                                                                  \
      .doc = "auto (default: a GPU if one can be used), cpu, cuda,\nor cuda:N for GPU number N",                       \
      .type = OPTION_READ, .offset = offsetof(owner, member.request), .choices = device_kind_names,                    \
      .read = device_request_read },                                                                                   \
    { .name = "threads", .value = "N", .doc = "CPU threads (default: OMP_NUM_THREADS, or all cores)",                  \
      .type = OPTION_INT, .offset = offsetof(owner, member.threads), .min = 1, .max = 4096 }

#endif
