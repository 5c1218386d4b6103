/* rank_endings.c - bodies of ranks that do not all reach the end. */
#include "tests/comm/rank_bodies.h"

#include "src/base/error.h"
#include "src/comm/comm.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool is_last(void)
{
    return comm_rank(comm_world()) == comm_size(comm_world()) - 1;
}

static int differs_in_call(void *ranks)
{
    const comm *c = comm_world();
    double x = 0, all[MOST_RANKS];
    (void)ranks;
    if (comm_rank(c) == 1)
        comm_barrier(c);
    else
        comm_gather_all(c, all, &x, sizeof x);
    return 0;
}

static int differs_in_size(void *ranks)
{
    const comm *c = comm_world();
    double x[2] = { 0 };
    (void)ranks;
    comm_broadcast(c, x, comm_rank(c) == 1 ? 16 : 8);
    return 0;
}

static int differs_in_partner(void *ranks)
{
    const comm *c = comm_world();
    const int me = comm_rank(c), up = (me + 1) % comm_size(c);
    double out = 0, in;
    (void)ranks;
    comm_exchange(c, &(comm_shift){ up, up, &out, &in, sizeof out, sizeof in }, 1);
    return 0;
}

static int last_fails(void *ranks)
{
    (void)ranks;
    if (is_last())
        fatal("the disk is full");
    comm_barrier(comm_world());
    return 0;
}

/* In groups of two, the last rank leaves its group while the other waits. */
static int leaves_group(void *ranks)
{
    comm_split(*(int *)ranks / 2);
    if (comm_rank(comm_whole()) < comm_size(comm_whole()) - 1)
        comm_barrier(comm_world());
    comm_join();
    return 0;
}

/* In groups of two, the last rank fails. */
static int last_fails_in_group(void *ranks)
{
    comm_split(*(int *)ranks / 2);
    if (comm_rank(comm_whole()) == comm_size(comm_whole()) - 1)
        fatal("the disk is full");
    comm_barrier(comm_world());
    comm_join();
    return 0;
}

static int all_fail(void *ranks)
{
    (void)ranks;
    comm_barrier(comm_world());
    fatal("no such file");
}

static int end_by(int number)
{
    if (is_last())
        raise(number);
    comm_barrier(comm_world());
    return 0;
}

static int killed(void *ranks)
{
    (void)ranks;
    return end_by(SIGKILL);
}

static int stopped(void *ranks)
{
    (void)ranks;
    return end_by(SIGSTOP);
}

/* Works for longer than the limit before it meets the others. */
static int busy(void *ranks)
{
    (void)ranks;
    comm_barrier(comm_world());
    if (is_last())
        sleep(4);
    comm_barrier(comm_world());
    return 0;
}

/* Leaves the world while the others wait. */
static int leaves(void *ranks)
{
    (void)ranks;
    if (is_last())
        return 3;
    comm_barrier(comm_world());
    return 0;
}

/* One rank returns 5, the others 1. */
static int answer_of(int rank)
{
    return comm_rank(comm_world()) == rank ? 5 : 1;
}

static int first_answers(void *ranks)
{
    (void)ranks;
    return answer_of(0);
}

static int second_answers(void *ranks)
{
    (void)ranks;
    return answer_of(1);
}

static int last_answers(void *ranks)
{
    (void)ranks;
    return answer_of(comm_size(comm_world()) - 1);
}

/* More than MPI counts in an int, in every function that takes data. */
static int large(void *ranks)
{
    const comm *c = comm_world();
    const size_t bytes = ((size_t)1 << 31) + 3, n = (size_t)comm_size(c), me = (size_t)comm_rank(c);
    unsigned char *mine = malloc(bytes), *all = malloc(n * bytes);
    const int up = (int)((me + 1) % n), down = (int)((me + n - 1) % n);
    bool right = mine && all;
    (void)ranks;
    for (size_t i = 0; i < bytes && right; i++)
        mine[i] = (unsigned char)(i * 7 + i / 251 + me);
    comm_exchange(c, &(comm_shift){ up, down, mine, all, bytes, bytes }, 1);
    for (size_t i = 0; i < bytes && right; i++)
        right = all[i] == (unsigned char)(mine[i] - me + (size_t)down);
    comm_gather_all(c, all, mine, bytes);
    for (size_t r = 0; r < n; r++)
        for (size_t i = 0; i < bytes && right; i++)
            right = all[r * bytes + i] == (unsigned char)(mine[i] - me + r);
    comm_broadcast(c, mine, bytes);
    right = right && memcmp(mine, all, bytes) == 0;
    free(mine);
    free(all);
    return !right;
}

const rank_ending rank_endings[] = {
    { "differs-in-call", differs_in_call },
    { "differs-in-size", differs_in_size },
    { "differs-in-partner", differs_in_partner },
    { "last-fails", last_fails },
    { "all-fail", all_fail },
    { "leaves", leaves },
    { "leaves-group", leaves_group },
    { "last-fails-in-group", last_fails_in_group },
    { "first-answers", first_answers },
    { "second-answers", second_answers },
    { "last-answers", last_answers },
    { "killed", killed },
    { "stopped", stopped },
    { "busy", busy },
    { "large", large },
    { 0 }
};

rank_body *rank_body_named(const char *name)
{
    for (const rank_fact *r = rank_facts; r->name; r++)
        if (strcmp(r->name, name) == 0)
            return r->body;
    for (const rank_ending *r = rank_endings; r->name; r++)
        if (strcmp(r->name, name) == 0)
            return r->body;
    return NULL;
}
