/* shared_rows.c - shared memory of a node.  Its first process creates it, the others open it by name; then the name is
 * removed, so that nothing is left in /dev/shm however the processes end. */
#include "src/comm/shared_rows.h"

#include "src/base/log.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

static bool all_agree(bool mine, MPI_Comm node)
{
    int all = mine;
    MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MIN, node);
    return all;
}

/* An empty object of the right size, or -1. */
static int make(const char *name, size_t bytes)
{
    const int file = shm_open(name, O_RDWR | O_CREAT | O_EXCL, 0600);
    if (file >= 0 && ftruncate(file, (off_t)bytes) == 0)
        return file;
    if (file >= 0)
        close(file);
    return -1;
}

static bool map(shared_rows *s, int file)
{
    void *p = file >= 0 ? mmap(NULL, s->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0) : MAP_FAILED;
    s->row = p == MAP_FAILED ? NULL : p;
    if (file >= 0)
        close(file);
    return s->row;
}

bool shared_rows_open(shared_rows *s, int ranks, MPI_Comm node)
{
    int rank;
    char name[64];
    struct timespec now;
    MPI_Comm_rank(node, &rank);
    *s = (shared_rows){ .bytes = (size_t)ranks * sizeof *s->row };
    clock_gettime(CLOCK_REALTIME, &now);
    snprintf(name, sizeof name, "/kiln-%ld-%ld-%ld", (long)getpid(), (long)now.tv_sec, now.tv_nsec);
    int file = rank == 0 ? make(name, s->bytes) : -1;
    MPI_Bcast(name, sizeof name, MPI_CHAR, 0, node);
    bool ok = all_agree(rank > 0 || file >= 0, node);
    if (ok && rank > 0)
        file = shm_open(name, O_RDWR, 0);
    ok = all_agree(map(s, file), node);
    if (rank == 0)
        shm_unlink(name);
    if (!ok) {
        log_line(LOG_WARNING, "no shared memory on this node: other ranks will not detect a rank that is stopped");
        shared_rows_close(s);
    }
    return ok;
}

void shared_rows_close(shared_rows *s)
{
    if (s->row)
        munmap(s->row, s->bytes);
    s->row = NULL;
}
