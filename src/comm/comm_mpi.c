/* comm_mpi.c - ranks that are processes, over MPI.
 *
 * After the start, all communication uses nonblocking calls of MPI.  A rank that waits tests again and again whether
 * they are complete: first without sleeping, then with short sleeps in which other programs may run.  Between the tests
 * it checks that the other ranks are alive (rank_watch.h). */
#include "src/comm/comm_mpi.h"

#include "src/base/clock.h"
#include "src/base/memory.h"
#include "src/base/rank.h"
#include "src/comm/comm_inside.h"
#include "src/comm/launcher.h"
#include "src/comm/rank_watch.h"
#include "src/comm/shared_rows.h"
#include "src/comm/start_watch.h"

#include <math.h>
#include <mpi.h>
#include <sched.h>
#include <string.h>
#include <time.h>

/* MPI counts bytes in ints: longer messages are sent in pieces. */
#define PIECE_BYTES ((size_t)1 << 30)

typedef struct { MPI_Comm all, node; double limit; rank_watch *watch; shared_rows rows; } inside;

static inside of_process;
static comm world;

static inside *inside_of(const comm *c)
{
    return c->inside;
}

static void check(int status, const char *what)
{
    char words[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    if (status == MPI_SUCCESS)
        return;
    MPI_Error_string(status, words, &length);
    rank_watch_compare(of_process.watch);
    fatal("MPI: %s failed: %s", what, words);
}

/* ---- waiting */

/* If other programs keep all cores busy, a process that yields its core gets it back only after milliseconds, but a
 * process that sleeps gets it back at once.  So for a while after a slow yield this process sleeps instead. */
static double sleeps_until;                  /* clock_now */

/* False, without yielding, if a recent yield was slow. */
static bool yield_core(void)
{
    const double slow = 2e-4, effect = 0.1, begin = clock_now();
    if (begin < sleeps_until)
        return false;
    sched_yield();
    if (clock_now() - begin > slow)
        sleeps_until = begin + effect;
    return true;
}

/* One pause of a rank that has waited for `waited` seconds; in the first `busy` seconds it does not sleep. */
static void pause_wait(double waited, double busy)
{
    const double shortest = 2e-5, longest = 1e-3, share = 1.0 / 32;
    if (waited < busy && yield_core())
        return;
    const struct timespec time = { .tv_nsec = (long)(1e9 * fmax(shortest, fmin(longest, waited * share))) };
    nanosleep(&time, NULL);
}

/* Waits until all requests are complete, which move `bytes` bytes.  `status` may be MPI_STATUSES_IGNORE. */
static void wait_for(const comm *c, MPI_Request *request, int count, MPI_Status *status, size_t bytes, const char *what)
{
    const double begin = clock_now(), busy = 5e-3 + (double)bytes / 0.25e9;
    for (;;) {
        int done = 0;
        check(MPI_Testall(count, request, &done, status), what);
        if (done)
            return;
        pause_wait(clock_now() - begin, busy);
        if (inside_of(c) != &of_process)
            rank_watch_poll_beats(of_process.watch);
        rank_watch_poll(inside_of(c)->watch);
    }
}

static void wait_for_one(const comm *c, MPI_Request request, size_t bytes, const char *what)
{
    wait_for(c, &request, 1, MPI_STATUSES_IGNORE, bytes, what);
}

/* ---- the four collective operations */

static void barrier(const comm *c)
{
    MPI_Request request;
    rank_watch_call(inside_of(c)->watch, CALL_BARRIER, 0);
    check(MPI_Ibarrier(inside_of(c)->all, &request), "a barrier");
    wait_for_one(c, request, 0, "a barrier");
    rank_watch_done(inside_of(c)->watch);
}

static void send_from(const comm *c, int root, void *data, size_t bytes)
{
    for (size_t done = 0; done < bytes; done += PIECE_BYTES) {
        const size_t piece = bytes - done < PIECE_BYTES ? bytes - done : PIECE_BYTES;
        MPI_Request request;
        check(MPI_Ibcast((char *)data + done, (int)piece, MPI_BYTE, root, inside_of(c)->all, &request), "a broadcast");
        wait_for_one(c, request, piece, "a broadcast");
    }
}

static void broadcast(const comm *c, void *data, size_t bytes)
{
    rank_watch_call(inside_of(c)->watch, CALL_BROADCAST, bytes);
    send_from(c, 0, data, bytes);
    rank_watch_done(inside_of(c)->watch);
}

static void gather(const comm *c, void *all, const void *mine, size_t bytes)
{
    if (bytes > PIECE_BYTES) {
        memcpy((char *)all + (size_t)c->rank * bytes, mine, bytes);
        for (int r = 0; r < c->size; r++)
            send_from(c, r, (char *)all + (size_t)r * bytes, bytes);
        return;
    }
    MPI_Request request;
    check(MPI_Iallgather(mine, (int)bytes, MPI_BYTE, all, (int)bytes, MPI_BYTE, inside_of(c)->all, &request),
          "gathering data");
    wait_for_one(c, request, bytes * (size_t)c->size, "gathering data");
}

static void gather_all(const comm *c, void *all, const void *mine, size_t bytes)
{
    rank_watch_call(inside_of(c)->watch, CALL_GATHER_ALL, bytes);
    gather(c, all, mine, bytes);
    rank_watch_done(inside_of(c)->watch);
}

static int pieces_of(size_t bytes)
{
    return (int)((bytes + PIECE_BYTES - 1) / PIECE_BYTES);
}

static int piece_bytes(size_t bytes, int piece)
{
    const size_t left = bytes - (size_t)piece * PIECE_BYTES;
    return (int)(left < PIECE_BYTES ? left : PIECE_BYTES);
}

/* The pieces of a shift have its number as their tag; MPI keeps their order. */
static void exchange(const comm *c, const comm_shift *shift, int count)
{
    const MPI_Comm all = inside_of(c)->all;
    int arriving = 0, pieces = 0, n = 0, sent = 0;
    size_t bytes = 0;
    rank_watch_call(inside_of(c)->watch, CALL_EXCHANGE, (uint64_t)count);
    for (int i = 0; i < count; i++) {
        arriving += pieces_of(shift[i].in_bytes);
        pieces += pieces_of(shift[i].in_bytes) + pieces_of(shift[i].out_bytes);
    }
    MPI_Request *request = memory_alloc((size_t)pieces * sizeof *request, "requests to MPI");
    MPI_Status *status = memory_alloc((size_t)pieces * sizeof *status, "requests to MPI");
    int *expected = memory_alloc((size_t)pieces * sizeof *expected, "requests to MPI");
    for (int i = 0; i < pieces; i++)
        request[i] = MPI_REQUEST_NULL;
    for (int i = 0; i < count; i++) {
        const comm_shift *s = &shift[i];
        require((s->to == c->rank) == (s->from == c->rank),
                "internal error: shift %d of %s goes to %s and comes from %s", i, comm_rank_name(c, c->rank).s,
                comm_rank_name(c, s->to).s, comm_rank_name(c, s->from).s);
        if (s->to == c->rank) {
            memcpy(s->in, s->out, s->in_bytes);
            continue;
        }
        for (int p = 0; p < pieces_of(s->in_bytes); p++, n++) {
            expected[n] = piece_bytes(s->in_bytes, p);
            check(MPI_Irecv((char *)s->in + (size_t)p * PIECE_BYTES, expected[n], MPI_BYTE, s->from, i, all,
                            &request[n]), "receiving");
        }
        for (int p = 0; p < pieces_of(s->out_bytes); p++, sent++)
            check(MPI_Isend((const char *)s->out + (size_t)p * PIECE_BYTES, piece_bytes(s->out_bytes, p), MPI_BYTE,
                            s->to, i, all, &request[arriving + sent]), "sending");
        bytes += s->in_bytes;
    }
    wait_for(c, request, pieces, status, bytes, "an exchange");
    for (int p = 0; p < n; p++) {
        int got = 0;
        check(MPI_Get_count(&status[p], MPI_BYTE, &got), "an exchange");
        require(got == expected[p], "internal error: shift %d from %s is %d bytes; %s expects %d bytes",
                status[p].MPI_TAG, comm_rank_name(c, status[p].MPI_SOURCE).s, got, comm_rank_name(c, c->rank).s,
                expected[p]);
    }
    memory_free(request);
    memory_free(status);
    memory_free(expected);
    rank_watch_done(inside_of(c)->watch);
}

/* ---- groups: each has a communicator and rows of shared memory, as the whole world */

static void open_rows(inside *in, int rank, int ranks, int first)
{
    check(MPI_Comm_set_errhandler(in->all, MPI_ERRORS_RETURN), "entering the world");
    check(MPI_Comm_split_type(in->all, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &in->node), "entering the world");
    if (shared_rows_open(&in->rows, ranks, in->node))
        in->watch = rank_watch_begin(in->rows.row, rank, ranks, first, in->limit);
    /* After this barrier all ranks have their rows. */
    check(MPI_Barrier(in->all), "entering the world");
}

static void close_rows(inside *in)
{
    rank_watch_end(in->watch);
    shared_rows_close(&in->rows);
    MPI_Comm_free(&in->node);
    MPI_Comm_free(&in->all);
}

static void *split(const comm *c, int ranks)
{
    inside *in = memory_alloc(sizeof *in, "a group of ranks");
    in->limit = inside_of(c)->limit;
    start_watch *start = start_watch_begin(START_LIMITS * in->limit);
    check(MPI_Comm_split(inside_of(c)->all, c->rank / ranks, c->rank, &in->all), "splitting the world");
    open_rows(in, c->rank % ranks, ranks, c->rank - c->rank % ranks);
    start_watch_end(start);
    return in;
}

static void join(const comm *c)
{
    inside *in = inside_of(c);
    MPI_Request request;
    rank_watch_call(in->watch, CALL_END, 0);
    check(MPI_Ibarrier(in->all, &request), "leaving a group");
    wait_for_one(c, request, 0, "leaving a group");
    rank_watch_done(in->watch);
    close_rows(in);
    memory_free(in);
}

static const comm_functions mpi_functions = { "mpi", barrier, broadcast, gather_all, exchange, split, join };

/* ---- begin and end */

static void end_all(void)
{
    MPI_Abort(MPI_COMM_WORLD, EXIT_FAILED);
}

bool comm_mpi_begin(double limit, failure *f)
{
    launch l;
    int given = 0;
    if (!launcher_started(&l))
        return true;
    rank_of_process(l.rank);
    start_watch *start = start_watch_begin(START_LIMITS * limit);
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &given) != MPI_SUCCESS || given < MPI_THREAD_FUNNELED)
        return fail(f, "MPI cannot be used in a program with threads");
    fatal_set_hook(end_all);
    inside *in = &of_process;
    in->limit = limit;
    world = (comm){ .functions = &mpi_functions, .inside = in };
    check(MPI_Comm_dup(MPI_COMM_WORLD, &in->all), "entering the world");
    /* Open MPI reports errors of nonblocking collective calls on MPI_COMM_WORLD, whatever their communicator. */
    const MPI_Comm reporting[] = { in->all, MPI_COMM_WORLD, MPI_COMM_SELF };
    for (size_t i = 0; i < sizeof reporting / sizeof *reporting; i++)
        check(MPI_Comm_set_errhandler(reporting[i], MPI_ERRORS_RETURN), "entering the world");
    MPI_Comm_rank(in->all, &world.rank);
    MPI_Comm_size(in->all, &world.size);
    check(MPI_Comm_split_type(in->all, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &in->node), "entering the world");
    MPI_Comm_rank(in->node, &world.local_rank);
    MPI_Comm_size(in->node, &world.local_size);
    world.node = world.rank;
    check(MPI_Bcast(&world.node, 1, MPI_INT, 0, in->node), "entering the world");
    if (world.size != l.size)
        return fail(f, "%s started %d processes, but MPI connects %d of them: %s may belong to another MPI than "
                    "this program (see kiln version)", l.name, l.size, world.size, l.name);
    rank_of_process(world.rank);
    comm_enter(&world);
    if (shared_rows_open(&in->rows, world.size, in->node))
        in->watch = rank_watch_begin(in->rows.row, world.rank, world.size, 0, limit);
    /* After this barrier all ranks have their rows. */
    check(MPI_Barrier(in->all), "entering the world");
    start_watch_end(start);
    return true;
}

int comm_mpi_end(int status)
{
    if (!world.functions)
        return status;
    inside *in = &of_process;
    int *all = memory_alloc((size_t)world.size * sizeof *all, "exit statuses");
    rank_watch_call(in->watch, CALL_END, 0);
    gather(&world, all, &status, sizeof status);
    rank_watch_done(in->watch);
    for (int r = 0; r < world.size; r++)
        status = all[r] > status ? all[r] : status;
    memory_free(all);
    rank_watch_end(in->watch);
    shared_rows_close(&in->rows);
    comm_enter(NULL);
    fatal_set_hook(NULL);
    MPI_Comm_free(&in->node);
    MPI_Comm_free(&in->all);
    MPI_Finalize();
    world = (comm){ 0 };
    return status;
}

const char *comm_mpi_library(void)
{
    static _Thread_local char words[MPI_MAX_LIBRARY_VERSION_STRING];
    int length = 0;
    if (MPI_Get_library_version(words, &length) != MPI_SUCCESS)
        length = 0;
    words[length] = '\0';
    words[strcspn(words, ",\n")] = '\0';        /* Open MPI's package, MPICH's options of configure */
    return words;
}
