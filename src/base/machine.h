/* machine.h - the machine and the environment of this process, for reports of errors. */
#ifndef KILN_BASE_MACHINE_H
#define KILN_BASE_MACHINE_H

#include "src/base/text.h"

/* A text is empty, and memory_bytes 0, if it is not known.  Release with machine_free. */
typedef struct {
    text system;                    /* "Debian GNU/Linux 12 (bookworm)" */
    text kernel;                    /* "Linux 6.1.0 x86_64" */
    text cpu;                       /* "AMD EPYC 9454 48-Core Processor" */
    int cores;                      /* that this process may use */
    uint64_t memory_bytes;
} machine_facts;
machine_facts machine_describe(void);
void machine_free(machine_facts *m);

/* The environment variables that change what Kiln, OpenMP, CUDA or NCCL do, as "NAME=VALUE", sorted; NULL at the end.
 * The strings are those of the environment; the list is to be freed with memory_free. */
const char **machine_environment(void);

#endif
