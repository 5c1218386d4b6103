/* help.h - the help of commands, written from the tables that describe them, in several formats:
 *
 *     --help, --help=text     for people
 *     --help=man              a manual page
 *     --help=names            the commands that have a page of their own, one a line
 *     --help=bash, =zsh       a completion script: of `kiln` the whole, of a command its part
 */
#ifndef KILN_OPTIONS_HELP_H
#define KILN_OPTIONS_HELP_H

#include "src/base/text.h"
#include "src/options/usage.h"

typedef enum { HELP_TEXT, HELP_MAN, HELP_NAMES, HELP_BASH, HELP_ZSH, HELP_FORMATS } help_format;

/* Whether a word of a command line is "--help", "--help=FORMAT" or "-h". */
bool help_is_asked(const char *word);

/* Whether the command line asks for what a group collects from all commands: names or a completion. */
bool help_is_collected(int argc, char *const *argv);

/* The format: `given` is what follows "--help=", NULL for "--help".  False with the reason. */
bool help_format_read(help_format *format, const char *given, failure *f);

/* Print the help of a command, or of a group with the parts of all its commands, on stdout. */
void help_print(help_format format, const usage *u);
void help_print_group(help_format format, const subcommand_group *group);

/* The text of a group. */
void help_add_overview(text *out, const subcommand_group *group);

/* For HELP_NAMES: "kiln probe apply --operator wilson". */
void help_print_name(const char *name);
void help_print_name_with(const char *name, const char *option_name, const char *value);

/* ---- for the formats */

#define HELP_EXIT_STATUS "0 success, 1 failure, 2 wrong usage or input"

/* "--beta B [options] CONFIG": what follows the name of the command. */
void help_add_synopsis(text *out, const usage *u);

/* The explanation of an option with its choices and its range, in several lines. */
text help_explanation(const option *o);

/* In the help of each command, after the options of its table. */
extern const option help_option;

/* Whether a group is that of `kiln` itself. */
bool help_is_program(const subcommand_group *group);

/* Let each command of a group print its part of --help=FORMAT. */
void help_print_parts(help_format format, const subcommand_group *group);

/* A completion: of a group its part, by `part`; of `kiln` between the head, with %s for the version, and the tail. */
void help_print_script(const subcommand_group *group, const char *head, void (*part)(const subcommand_group *group),
                       const char *tail);

void help_text(const usage *u);
void help_text_group(const subcommand_group *group);
void help_man(const usage *u);
void help_man_group(const subcommand_group *group);
void help_names(const usage *u);
void help_names_group(const subcommand_group *group);
void help_bash(const usage *u);
void help_bash_group(const subcommand_group *group);
void help_zsh(const usage *u);
void help_zsh_group(const subcommand_group *group);

#endif
