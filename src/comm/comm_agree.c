/* comm_agree.c - decisions that are the same on all ranks. */
#include "src/comm/comm_inside.h"

#include "src/base/checksum.h"
#include "src/base/memory.h"

bool comm_agree(const comm *c, bool ok, failure *f)
{
    if (comm_size(c) == 1)
        return ok;
    bool *all = memory_alloc((size_t)comm_size(c) * sizeof *all, "answers of ranks");
    int first = 0;
    comm_gather_all(c, all, &ok, sizeof ok);
    while (first < comm_size(c) && all[first])
        first++;
    memory_free(all);
    if (first == comm_size(c))
        return true;
    /* The failure of the first rank without `ok` goes to all ranks. */
    failure mine = { .why = "" };
    if (comm_rank(c) == first && f)
        mine = *f;
    failure *said = memory_alloc((size_t)comm_size(c) * sizeof *said, "sentences of ranks");
    comm_gather_all(c, said, &mine, sizeof mine);
    /* The sentence may come from an earlier comm_agree, which has named the rank. */
    const bool names = c->first + first > 0;
    if (names && !said[first].names_rank)
        fail_because(f, &said[first], "%s: %s", comm_rank_name(c, first).s, said[first].why);
    else
        fail_because(f, &said[first], "%s", said[first].why);
    if (f)
        f->names_rank = names;
    memory_free(said);
    return false;
}

bool comm_same(const comm *c, const void *data, size_t bytes, const char *what, failure *f)
{
    if (comm_size(c) == 1)
        return true;
    const uint64_t mine = digest64(DIGEST64_START, data, bytes);
    uint64_t *all = memory_alloc((size_t)comm_size(c) * sizeof *all, "digests of ranks");
    comm_gather_all(c, all, &mine, sizeof mine);
    int r = 1;
    while (r < comm_size(c) && all[r] == all[0])
        r++;
    memory_free(all);
    return r == comm_size(c) || fail(f, "%s of %s differs from that of %s; all ranks need the same", what,
                                     comm_rank_name(c, r).s, comm_rank_name(c, 0).s);
}

bool comm_decide(const comm *c, bool of_root)
{
    comm_broadcast(c, &of_root, sizeof of_root);
    return of_root;
}

bool comm_any(const comm *c, bool mine)
{
    return !comm_agree(c, !mine, NULL);
}

double comm_number(const comm *c, double of_root)
{
    comm_broadcast(c, &of_root, sizeof of_root);
    return of_root;
}
