/* rank.c - the rank of a thread, or else of its process. */
#include "src/base/rank.h"

#include <stdio.h>

enum { NOT_SET = -1 };

static int of_process, groups_of_process;
static _Thread_local int of_thread = NOT_SET, groups_of_thread;

int rank_number(void)
{
    return of_thread == NOT_SET ? of_process : of_thread;
}

rank_text rank_name(int rank)
{
    const int ranks = of_thread == NOT_SET ? groups_of_process : groups_of_thread;
    rank_text t;
    if (ranks > 0)
        snprintf(t.s, sizeof t.s, "rank %d (group %d)", rank, rank / ranks);
    else
        snprintf(t.s, sizeof t.s, "rank %d", rank);
    return t;
}

void rank_groups(int ranks)
{
    if (of_thread == NOT_SET)
        groups_of_process = ranks;
    else
        groups_of_thread = ranks;
}

void rank_of_thread(int rank)
{
    of_thread = rank;
}

void rank_of_process(int rank)
{
    of_process = rank;
}
