/* cli.c - dispatch to the subcommands of kiln, on the ranks that it runs on, and the check that their output was
 * written. */
#include "src/cli/cli.h"

#include "src/base/error.h"
#include "src/base/log.h"
#include "src/base/text.h"
#include "src/base/version.h"
#include "src/cli/subcommands.h"
#include "src/comm/comm.h"
#include "src/comm/comm_mpi.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROW(name, ranks, summary) { #name, summary, cmd_##name },
static const subcommand subcommands[] = { SUBCOMMANDS(ROW) { 0 } };

#define RANKS(name, ranks, summary) ranks,
static const bool all_ranks[] = { SUBCOMMANDS(RANKS) };

static const subcommand_group program = { "kiln", "Kiln generates gauge ensembles for lattice QCD.", subcommands };

static bool runs_on_all_ranks(const char *name)
{
    for (int i = 0; name && subcommands[i].name; i++)
        if (strcmp(subcommands[i].name, name) == 0)
            return all_ranks[i];
    return false;
}

static int run_subcommand(int argc, char **argv)
{
    char version[] = "version", *version_argv[] = { argv[0], version, NULL };
    bool asks_for_version = argc == 2 && strcmp(argv[1], "--version") == 0;
    int status = asks_for_version ? subcommand_group_run(&program, 2, version_argv)
                                  : subcommand_group_run(&program, argc, argv);
    log_progress_end();
    /* A failed write to standard output is a failure of the command, for example `kiln ... > file` on a full disk. */
    errno = 0;
    if ((fflush(stdout) != 0 || ferror(stdout)) && status == EXIT_OK) {
        fprintf(log_stream(), "kiln: cannot write the results: %s\n", errno ? strerror(errno) : "output error");
        return EXIT_FAILED;
    }
    return status;
}

/* Whether all ranks run the same program with the same command, which they must before one of them acts on it. */
static bool are_alike(const comm *world, int argc, char **argv, failure *f)
{
    text words = { 0 };
    for (int i = 1; i < argc; i++)
        text_add_bytes(&words, argv[i], strlen(argv[i]) + 1);
    const bool same = comm_same(world, version_program(), strlen(version_program()), "the version of Kiln", f)
                      && comm_same(world, text_string(&words), words.length, "the command", f);
    text_free(&words);
    return same;
}

static int run_on_ranks(const comm *world, int argc, char **argv)
{
    failure why;
    if (!are_alike(world, argc, argv, &why)) {
        log_line(LOG_ERROR, "%s", why.why);
        return EXIT_FAILED;
    }
    if (runs_on_all_ranks(argc > 1 ? argv[1] : NULL)) {
        /* Results are printed by rank 0; all ranks have the same. */
        require(comm_is_root(world) || freopen("/dev/null", "w", stdout), "/dev/null: %s", strerror(errno));
        return run_subcommand(argc, argv);
    }
    if (!comm_is_root(world))
        return EXIT_OK;
    comm_enter(NULL);
    int status = run_subcommand(argc, argv);
    comm_enter(world);
    return status;
}

/* Seconds after which a rank that does not respond counts as lost: $KILN_RANK_LIMIT. */
static double rank_limit(void)
{
    const char *value = getenv("KILN_RANK_LIMIT");
    char *end = "";
    const double seconds = value ? strtod(value, &end) : COMM_LIMIT_SECONDS;
    require(seconds >= 1 && !*end, "KILN_RANK_LIMIT=%s is not a number of seconds, at least 1", value);
    return seconds;
}

int cli_main(int argc, char **argv)
{
    failure why;
    if (!comm_mpi_begin(rank_limit(), &why))
        fatal("%s", why.why);
    const comm *world = comm_world();
    return comm_mpi_end(comm_size(world) > 1 ? run_on_ranks(world, argc, argv) : run_subcommand(argc, argv));
}
