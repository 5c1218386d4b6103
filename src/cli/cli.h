/* cli.h - the program and its subcommands.
 *
 * A subcommand `xxx` is a function cmd_xxx in src/cli/cmd_xxx.c and one line of subcommands.h.  It is given
 * its own name as argv[0], prints results on stdout and all else on stderr, and returns EXIT_OK, EXIT_FAILED
 * or EXIT_USAGE. */
#ifndef KILN_CLI_CLI_H
#define KILN_CLI_CLI_H

#include "src/base/error.h"

typedef int subcommand_main(int argc, char **argv);

typedef struct {
    const char *name, *summary;
    subcommand_main *run;
} subcommand;

/* Subcommands that are found under one name: those of `kiln`, those of `kiln probe`. */
typedef struct {
    const char *name;              /* "kiln probe" */
    const char *about;             /* a paragraph for --help */
    const subcommand *table;       /* ends with { 0 } */
} subcommand_group;

/* Run the one that argv[1] names; tell what there is (--help, help, help NAME), or what is wrong. */
int subcommand_group_run(const subcommand_group *group, int argc, char **argv);

/* The whole program; returns its exit status. */
int cli_main(int argc, char **argv);

#endif
