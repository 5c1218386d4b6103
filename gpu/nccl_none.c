/* nccl_none.c - NCCL is missing in a program that was built without CUDA, or with --with-nccl=no. */
#include "gpu/nccl.h"

const nccl_version_text *nccl_version(failure *f)
{
    fail(f, "NCCL: this program was built without it");
    return NULL;
}

bool nccl_goes_into_graphs(void) { return false; }

bool nccl_make_id(nccl_id *id, failure *f)
{
    (void)id;
    return nccl_version(f) != NULL;
}

nccl *nccl_join(const nccl_members *m, failure *f)
{
    (void)m;
    nccl_version(f);
    return NULL;
}

void nccl_leave(nccl *n) { (void)n; }
void nccl_abandon(nccl *n) { (void)n; }

bool nccl_exchange(nccl *n, const nccl_message *m, int count, failure *f)
{
    (void)n, (void)m, (void)count;
    return nccl_version(f) != NULL;
}

bool nccl_sum(nccl *n, long long *words, int count, failure *f)
{
    (void)n, (void)words, (void)count;
    return nccl_version(f) != NULL;
}

bool nccl_check(nccl *n, failure *f)
{
    (void)n;
    return nccl_version(f) != NULL;
}

bool nccl_wait(nccl *n, failure *f)
{
    return nccl_check(n, f);
}
