/* subcommand_group.h - a table of subcommands: `kiln NAME`, `kiln probe NAME`. */
#ifndef KILN_CLI_SUBCOMMAND_GROUP_H
#define KILN_CLI_SUBCOMMAND_GROUP_H

typedef int subcommand_main(int argc, char **argv);

typedef struct {
    const char *name, *summary;
    subcommand_main *run;
} subcommand;

/* The subcommands of `kiln`, or those of `kiln probe`. */
typedef struct {
    const char *name;              /* "kiln probe" */
    const char *about;             /* a paragraph for --help */
    const subcommand *table;       /* ends with { 0 } */
} subcommand_group;

/* Run the subcommand that argv[1] names, or print help (--help, help, help NAME) or what is wrong. */
int subcommand_group_run(const subcommand_group *group, int argc, char **argv);

#endif
