/* test_comm.c - ranks that are threads: what each tells the others arrives, decisions are taken by all alike, and a
 * program whose ranks do not agree ends with a sentence.  `mpirun -n N test_comm NAME` calls one body of rank_bodies.h
 * on ranks that are processes. */
#include "src/base/log.h"
#include "src/base/memory.h"
#include "src/base/rank.h"
#include "src/base/terminal_line.h"
#include "src/comm/comm.h"
#include "src/comm/comm_mpi.h"
#include "src/lattice/place_memory.h"
#include "tests/comm/rank_bodies.h"
#include "tests/facts.h"
#include "tests/io/scratch.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SECONDS_TO_END = 20 };

static bool on_ranks(int ranks, rank_body *body)
{
    return comm_run_threads(ranks, body, &ranks) == 0;
}

/* ---- collective functions */

/* No rank leaves a barrier before the last has reached it. */
static volatile int reached;

static int meets(void *ranks)
{
    const comm *c = comm_world();
    bool right = true;
    for (int round = 1; round <= 100; round++) {
        __atomic_add_fetch(&reached, 1, __ATOMIC_SEQ_CST);
        comm_barrier(c);
        right = right && __atomic_load_n(&reached, __ATOMIC_SEQ_CST) == round * *(int *)ranks;
        comm_barrier(c);
    }
    return !right;
}

static int counts_memory(void *ranks)
{
    const comm *c = comm_world();
    const size_t mine = 1000 * (size_t)(comm_rank(c) + 1);
    (void)ranks;
    void *p = place_alloc(PLACE_CPU, mine, "memory of a rank");
    comm_barrier(c);
    const bool right = memory_bytes_now() == mine && place_bytes_now(PLACE_CPU) == mine
                       && place_bytes_peak(PLACE_CPU) == mine;
    comm_barrier(c);
    place_free(PLACE_CPU, p);
    return !(right && memory_bytes_now() == 0 && place_bytes_now(PLACE_CPU) == 0);
}

/* One rank of all returns 5, the others 1. */
static int result_of(void *largest)
{
    return comm_rank(comm_world()) == *(const int *)largest ? 5 : 1;
}

static bool largest_result_counts(int ranks)
{
    bool counts = true;
    for (int largest = 0; largest < ranks; largest++)
        counts = counts && comm_run_threads(ranks, result_of, &largest) == 5;
    return counts;
}

static void every_function(void)
{
    static const int sizes[] = { 1, 2, 3, MOST_RANKS };
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const int n = sizes[i];
        reached = 0;
        for (const rank_fact *r = rank_facts; r->name; r++)
            fact(on_ranks(n, r->body), "%d ranks: %s", n, r->sentence);
        fact(on_ranks(n, meets), "%d ranks: no rank leaves a barrier before the last reaches it", n);
        fact(on_ranks(n, counts_memory), "%d ranks: each counts its own memory", n);
        fact(largest_result_counts(n), "%d ranks: the largest result counts, whichever rank returns it", n);
    }
    fact(comm_size(comm_world()) == 1 && strcmp(comm_kind(comm_world()), "single") == 0 && rank_number() == 0,
         "a thread that entered no world is alone");
}

/* ---- what ends a program */

typedef struct { int status; bool in_time; char err[4096]; } ended;

/* Run the body on ranks in a child process. */
static ended run_child(int ranks, rank_body *body)
{
    ended e = { .status = -1 };
    int pipes[2];
    fflush(stdout);
    if (pipe(pipes) != 0)
        return e;
    const pid_t child = fork();
    if (child == 0) {
        dup2(pipes[1], STDERR_FILENO);
        close(pipes[0]);
        alarm(SECONDS_TO_END);
        exit(comm_run_threads(ranks, body, &ranks));
    }
    close(pipes[1]);
    size_t count = 0;
    for (ssize_t got = 1; got > 0 && count + 1 < sizeof e.err; count += got > 0 ? (size_t)got : 0)
        got = read(pipes[0], e.err + count, sizeof e.err - 1 - count);
    e.err[count] = '\0';
    close(pipes[0]);
    int status = 0;
    waitpid(child, &status, 0);
    e.in_time = WIFEXITED(status);
    e.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return e;
}

static void ends_with(const char *sentence, int status, const char *piece, int ranks, rank_body *body)
{
    const ended e = run_child(ranks, body);
    if (!fact(e.in_time && e.status == status && (piece ? strstr(e.err, piece) != NULL : !*e.err), "%s", sentence))
        note("status %d%s, %s", e.status, e.in_time ? "" : " after a signal", e.err);
}

static int root_ends_first(void *ranks)
{
    (void)ranks;
    if (rank_number() > 0) {
        usleep(100000);
        comm_barrier(comm_world());
    }
    return 0;
}

static int last_logs(void *ranks)
{
    if (rank_number() == *(int *)ranks - 1) {
        log_line(LOG_ERROR, "a line of the last rank");
        log_progress("progress of the last rank");
    }
    return 0;
}

static int root_logs(void *ranks)
{
    (void)ranks;
    comm_barrier(comm_world());
    if (rank_number() > 0)
        log_set_quiet(true);
    comm_barrier(comm_world());
    log_line(LOG_INFO, "a line of rank %d", rank_number());
    return 0;
}

static int last_fails_behind_status(void *ranks)
{
    if (rank_number() == 0)
        terminal_line_set(LINE_STATUS);
    comm_barrier(comm_world());
    if (rank_number() == *(int *)ranks - 1)
        fatal("the disk is full");
    comm_barrier(comm_world());
    return 0;
}

static void endings(void)
{
    ends_with("ranks in different calls end with a sentence", 1, "internal error: rank ", 3,
              rank_body_named("differs-in-call"));
    ends_with("ranks with different sizes end with a sentence", 1, "internal error: rank ", 3,
              rank_body_named("differs-in-size"));
    ends_with("shifts to other ranks than expected end with a sentence", 1, "internal error: shift 0 from rank ", 3,
              rank_body_named("differs-in-partner"));
    ends_with("a fatal error of a rank ends all, with the number of the rank", 1, "kiln: rank 2: the disk is full\n", 3,
              rank_body_named("last-fails"));
    ends_with("the message erases a status line, also that of another rank", 1,
              ERASE_LINE "kiln: rank 1: the disk is full\n", 2, last_fails_behind_status);
    ends_with("a rank that ends while others wait ends all, with its number and status", 1,
              "rank 2 has ended with status 3 while rank ", 3, rank_body_named("leaves"));
    ends_with("a rank that ends before the others meet ends all", 1,
              "rank 0 has ended with status 0 while rank 1 waits", 2, root_ends_first);
    ends_with("a rank that leaves its group while others wait there is named, with its group", 1,
              "rank 3 (group 1) has ended while rank 2 (group 1) waits for it in barrier", 4,
              rank_body_named("leaves-group"));
    ends_with("so is a rank of a group that has a fatal error", 1, "kiln: rank 3 (group 1): the disk is full\n", 4,
              rank_body_named("last-fails-in-group"));
    const ended e = run_child(MOST_RANKS, rank_body_named("all-fail"));
    const char *first = strstr(e.err, "no such file");
    fact(e.in_time && e.status == 1 && first && !strstr(first + 1, "no such file"),
         "of ranks that fail together one says so");
    ends_with("ranks above 0 log nothing", 0, NULL, 3, last_logs);
    ends_with("the log of rank 0 is its own", 0, "a line of rank 0\n", 3, root_logs);
}

/* ---- fatal errors in the log file */

static const char *log_path;

static void fail_with_log(int rank)
{
    failure f;
    require(log_open_file(log_path, &f), "%s", f.why);
    comm_barrier(comm_world());
    if (rank_number() == rank)
        fatal("the disk is full");
    comm_barrier(comm_world());
}

static int root_fails(void *ranks)
{
    (void)ranks;
    fail_with_log(0);
    return 0;
}

static int last_fails(void *ranks)
{
    fail_with_log(*(int *)ranks - 1);
    return 0;
}

/* The file that is opened after the log has the descriptor of the log. */
static int fails_after_its_log(void *ranks)
{
    (void)ranks;
    failure f;
    require(log_open_file(log_path, &f), "%s", f.why);
    log_line(LOG_INFO, "a line");
    log_close_file();
    comm_barrier(comm_world());
    if (rank_number() == 0)
        require(open(log_path, O_WRONLY | O_APPEND) >= 0, "%s: cannot be opened", log_path);
    comm_barrier(comm_world());
    fatal("the disk is full");
}

static void log_ends_with(const char *sentence, const char *end, int ranks, rank_body *body)
{
    char text[256] = "";
    scratch s = scratch_create();
    log_path = scratch_path(&s, "log");
    const ended e = run_child(ranks, body);
    const int file = open(log_path, O_RDONLY);
    const ssize_t n = file >= 0 ? read(file, text, sizeof text - 1) : 0;
    const size_t length = strlen(end), got = n > 0 ? (size_t)n : 0;
    if (!fact(e.status == 1 && got > length && strcmp(text + got - length, end) == 0, "%s", sentence))
        note("status %d, %s", e.status, text);
    if (file >= 0)
        close(file);
    scratch_remove(&s);
}

static void log_files(void)
{
    log_ends_with("a fatal error of rank 0 is the last line of its log file", "Z error: the disk is full\n", 1,
                  root_fails);
    log_ends_with("so is that of another rank of the process", "Z error: rank 2: the disk is full\n", 3, last_fails);
    log_ends_with("but not in a log file that is closed", "Z a line\n", 2, fails_after_its_log);
}

/* A rank of test_mpi.sh. */
static int rank_of_mpi(const char *name)
{
    failure why;
    const char *limit = getenv("KILN_RANK_LIMIT");
    if (!comm_mpi_begin(limit ? atof(limit) : COMM_LIMIT_SECONDS, &why))
        fatal("%s", why.why);
    int ranks = comm_size(comm_world());
    rank_body *body = rank_body_named(name);
    require(body, "no body is named %s", name);
    return comm_mpi_end(body(&ranks));
}

int main(int argc, char **argv)
{
    if (argc > 1)
        return rank_of_mpi(argv[1]);
    endings();
    log_files();
    every_function();
    return facts_end();
}
