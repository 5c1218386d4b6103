/* subcommand_group.h - a table of subcommands: `kiln NAME`, `kiln probe NAME`. */
#ifndef KILN_OPTIONS_SUBCOMMAND_GROUP_H
#define KILN_OPTIONS_SUBCOMMAND_GROUP_H

#include "src/options/usage.h"

/* Run the subcommand that argv[1] names, or print help (--help, --help=FORMAT, help, help NAME) or what is
 * wrong. */
int subcommand_group_run(const subcommand_group *group, int argc, char **argv);

#endif
