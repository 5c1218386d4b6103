/* rank_bodies.c - bodies for ranks that are threads (test_comm.c) and processes (test_mpi.sh). */
#include "tests/comm/rank_bodies.h"

#include "src/base/rank.h"
#include "src/comm/comm.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int knows_itself(void *ranks)
{
    const comm *c = comm_world();
    return !(comm_size(c) == *(int *)ranks && comm_rank(c) >= 0 && comm_rank(c) < comm_size(c)
             && comm_is_root(c) == (comm_rank(c) == 0) && rank_number() == comm_rank(c)
             && comm_local_rank(c) == comm_rank(c) && comm_local_size(c) == comm_size(c));
}

static int broadcasts(void *ranks)
{
    const comm *c = comm_world();
    int value[3] = { comm_rank(c), 7 * comm_rank(c), *(int *)ranks + comm_rank(c) };
    comm_broadcast(c, value, sizeof value);
    return !(value[0] == 0 && value[1] == 0 && value[2] == *(int *)ranks);
}

static int gathers(void *ranks)
{
    const comm *c = comm_world();
    int64_t mine[2] = { comm_rank(c), -comm_rank(c) }, all[MOST_RANKS][2];
    bool right = true;
    (void)ranks;
    comm_gather_all(c, all, mine, sizeof mine);
    for (int r = 0; r < comm_size(c); r++)
        right = right && all[r][0] == r && all[r][1] == -r;
    return !right;
}

/* A ring in both directions, a shift to oneself, and an empty one; of 1 and 2 ranks several shifts have one partner. */
static int shifts(void *ranks)
{
    enum { COUNT = 1000, SHIFTS = 4 };
    const comm *c = comm_world();
    const int n = *(int *)ranks, me = comm_rank(c), up = (me + 1) % n, down = (me + n - 1) % n;
    int *out = malloc(SHIFTS * COUNT * sizeof *out), *in = malloc(SHIFTS * COUNT * sizeof *in);
    for (int i = 0; i < SHIFTS * COUNT; i++) {
        out[i] = me * SHIFTS * COUNT + i;
        in[i] = -1;
    }
    const size_t bytes = COUNT * sizeof *out;
    const comm_shift list[SHIFTS] = { { up, down, out, in, bytes, bytes },
                                      { down, up, out + COUNT, in + COUNT, bytes, bytes },
                                      { me, me, out + 2 * COUNT, in + 2 * COUNT, bytes, bytes },
                                      { up, down, out + 3 * COUNT, in + 3 * COUNT, 0, 0 } };
    comm_exchange(c, list, SHIFTS);
    bool right = true;
    for (int i = 0; i < SHIFTS * COUNT; i++) {
        const int from = i / COUNT == 0 ? down : i / COUNT == 1 ? up : me;
        right = right && in[i] == (i / COUNT < 3 ? from * SHIFTS * COUNT + i : -1);
    }
    free(out);
    free(in);
    return !right;
}

static int decides(void *ranks)
{
    const comm *c = comm_world();
    const bool root = comm_is_root(c), last = comm_rank(c) == comm_size(c) - 1;
    (void)ranks;
    return !(comm_decide(c, root) && !comm_decide(c, !root) && comm_any(c, last) && !comm_any(c, false)
             && comm_number(c, 0.1 + comm_rank(c)) == 0.1);
}

static int agrees(void *ranks)
{
    const comm *c = comm_world();
    const int me = comm_rank(c), n = *(int *)ranks;
    failure why = { .why = "" };
    bool right = comm_agree(c, true, &why) && why.why[0] == '\0';
    fail(&why, "sentence of %d", me);
    right = right && !comm_agree(c, me < n - 1, &why);
    char want[64];
    snprintf(want, sizeof want, n > 1 ? "rank %d: sentence of %d" : "sentence of 0", n - 1, n - 1);
    right = right && strcmp(why.why, want) == 0;
    fail_system(&why, me == 0 ? ENOSPC : EIO, "sentence of %d", me);
    right = right && !comm_agree(c, false, &why) && strcmp(why.why, "sentence of 0") == 0 && why.error == ENOSPC;
    return !(right && !comm_agree(c, false, NULL));
}

static int compares(void *ranks)
{
    const comm *c = comm_world();
    const int me = comm_rank(c), n = *(int *)ranks;
    failure why = { .why = "" };
    char text[] = "the same text";
    bool right = comm_same(c, text, sizeof text, "the text", &why) && why.why[0] == '\0';
    if (n == 1)
        return !right;
    text[3] = me == n - 1 ? 'S' : ' ';
    char want[100];
    snprintf(want, sizeof want, "the text of rank %d differs from that of rank 0; all ranks need the same", n - 1);
    right = right && !comm_same(c, text, sizeof text, "the text", &why) && strcmp(why.why, want) == 0;
    return !(right && !comm_same(c, "\0", me == n - 1 ? 2 : 1, "the text", NULL));
}

/* Whether a sentence of the last rank of `group` names it by its number among all. */
static bool is_of_last(const failure *why, int groups, int group)
{
    const int last = (group + 1) * comm_size(comm_world()) - 1;
    char want[100];
    if (groups > 1 && last > 0)
        snprintf(want, sizeof want, "rank %d (group %d): sentence of %d", last, group, last);
    else
        snprintf(want, sizeof want, last > 0 ? "rank %d: sentence of %d" : "sentence of 0", last, last);
    return strcmp(why->why, want) == 0;
}

/* Messages in groups: the last rank of each refuses; then all groups but the first refuse with what it said. */
static bool names_ranks(int groups)
{
    const comm *whole = comm_whole(), *c = comm_world();
    failure why;
    fail(&why, "sentence of %d", comm_rank(whole));
    const bool right = !comm_agree(c, comm_rank(c) < comm_size(c) - 1, &why)
                       && (comm_size(c) == 1 || is_of_last(&why, groups, comm_group()));
    return right && (groups == 1 || (!comm_agree(whole, comm_group() == 0, &why) && is_of_last(&why, groups, 1)));
}

/* Whether the world of this rank is one of `groups` groups, in which calls are those of its ranks alone. */
static bool is_group(int groups)
{
    const comm *whole = comm_whole(), *c = comm_world();
    const int ranks = comm_size(whole) / groups, first = comm_group() * ranks;
    int from_first = comm_rank(whole), all[MOST_RANKS], got = -1;
    const int mine = comm_rank(whole), up = (comm_rank(c) + 1) % ranks, down = (comm_rank(c) + ranks - 1) % ranks;
    bool right = comm_groups() == groups && comm_size(c) == ranks && comm_rank(c) == comm_rank(whole) % ranks
                 && comm_group() == comm_rank(whole) / ranks && rank_number() == comm_rank(whole)
                 && comm_local_rank(c) == comm_local_rank(whole);
    for (int call = 0; call <= comm_group(); call++)            /* groups are in different numbers of calls */
        comm_broadcast(c, &from_first, sizeof from_first);
    comm_gather_all(c, all, &mine, sizeof mine);
    for (int r = 0; r < ranks; r++)
        right = right && all[r] == first + r;
    comm_exchange(c, &(comm_shift){ up, down, &mine, &got, sizeof mine, sizeof got }, 1);
    right = right && from_first == first && got == first + down && comm_any(c, false) == false;
    right = right && names_ranks(groups);
    comm_barrier(c);
    comm_gather_all(whole, all, &mine, sizeof mine);            /* the whole is still there */
    for (int r = 0; r < comm_size(whole); r++)
        right = right && all[r] == r;
    return right;
}

static int splits(void *ranks)
{
    const comm *before = comm_world();
    const int n = *(int *)ranks;
    bool right = comm_whole() == before && comm_groups() == 1 && comm_group() == 0;
    for (int groups = 1; groups <= n; groups++) {
        if (n % groups > 0)
            continue;
        comm_split(groups);
        right = is_group(groups) && right;
        comm_join();
        right = right && comm_world() == before && comm_groups() == 1;
    }
    return !right;
}

const rank_fact rank_facts[] = {
    { "knows-itself", "each knows its number and how many there are, in all and on its node", knows_itself },
    { "broadcasts", "all have the bytes of rank 0", broadcasts },
    { "gathers", "all have the bytes of all, in the order of ranks", gathers },
    { "shifts", "every shift brings the bytes of its rank", shifts },
    { "decides", "decisions and numbers are those of rank 0; any rank may say so", decides },
    { "agrees", "all have the sentence and the error number of the first that refuses", agrees },
    { "compares", "all name the first rank whose data differ", compares },
    { "splits", "groups of every size call each other and the whole, and join it again", splits },
    { 0 }
};
