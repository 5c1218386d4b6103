/* rank.c - the rank of a thread, or else of its process. */
#include "src/base/rank.h"

enum { NOT_SAID = -1 };

static int of_process;
static _Thread_local int of_thread = NOT_SAID;

int rank_number(void)
{
    return of_thread == NOT_SAID ? of_process : of_thread;
}

void rank_of_thread(int rank)
{
    of_thread = rank;
}

void rank_of_process(int rank)
{
    of_process = rank;
}
