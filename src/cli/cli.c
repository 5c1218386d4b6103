/* cli.c - dispatch to the subcommands of kiln, and the check that their output was written. */
#include "src/cli/cli.h"

#include "src/base/error.h"
#include "src/base/log.h"
#include "src/cli/subcommands.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define ROW(name, summary) { #name, summary, cmd_##name },
static const subcommand subcommands[] = { SUBCOMMANDS(ROW) { 0 } };

static const subcommand_group program = { "kiln", "Kiln generates gauge ensembles for lattice QCD.", subcommands };

int cli_main(int argc, char **argv)
{
    char version[] = "version", *version_argv[] = { argv[0], version, NULL };
    bool asks_for_version = argc == 2 && strcmp(argv[1], "--version") == 0;
    int status = asks_for_version ? subcommand_group_run(&program, 2, version_argv)
                                  : subcommand_group_run(&program, argc, argv);
    log_progress_end();
    /* A failed write to standard output is a failure of the command: think of a full disk and `kiln ... > file`. */
    errno = 0;
    if ((fflush(stdout) != 0 || ferror(stdout)) && status == EXIT_OK) {
        fprintf(stderr, "kiln: cannot write the results: %s\n", errno ? strerror(errno) : "output error");
        return EXIT_FAILED;
    }
    return status;
}
