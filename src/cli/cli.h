/* cli.h - the program.
 *
 * A subcommand `xxx` is a function cmd_xxx in src/cli/cmd_xxx.c and one line of subcommands.h.  It gets its own name
 * as argv[0], prints results on stdout and everything else on stderr, and returns EXIT_OK, EXIT_FAILED or
 * EXIT_USAGE. */
#ifndef KILN_CLI_CLI_H
#define KILN_CLI_CLI_H

/* The whole program; returns its exit status. */
int cli_main(int argc, char **argv);

#endif
