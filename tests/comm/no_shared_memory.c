/* no_shared_memory.c - a node where one rank cannot open shared memory, to be loaded before a program (LD_PRELOAD).
 *
 *     WITHOUT_SHARED_MEMORY=R      shm_open of a name of Kiln's fails on rank R, as launchers number ranks */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE      /* RTLD_NEXT */
#endif
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

static int is_the_one(void)
{
    static const char *const ranks[] = { "OMPI_COMM_WORLD_RANK", "PMI_RANK", "MV2_COMM_WORLD_RANK" };
    const char *wanted = getenv("WITHOUT_SHARED_MEMORY");
    for (size_t i = 0; i < sizeof ranks / sizeof *ranks; i++) {
        const char *rank = getenv(ranks[i]);
        if (rank && wanted && strcmp(rank, wanted) == 0)
            return 1;
    }
    return 0;
}

int shm_open(const char *name, int flags, mode_t mode)
{
    if (strncmp(name, "/kiln-", 6) == 0 && is_the_one()) {
        errno = EMFILE;
        return -1;
    }
    int (*open_it)(const char *, int, mode_t) = (int (*)(const char *, int, mode_t))dlsym(RTLD_NEXT, "shm_open");
    return open_it(name, flags, mode);
}
