/* options.h - the options of a subcommand: a table, read by getopt_long into a struct.
 *
 *     typedef struct { const char *what; bool json; device_choice device; } measure_options;
 *     static const usage measure = {
 *         "measure", "CONFIG...", 1, -1, "What it does.",
 *         (const option[]){ { .name = "what", .value = "NAMES", .doc = "...", .type = OPTION_TEXT,
 *                             .offset = offsetof(measure_options, what) },
 *                           JSON_OPTION(measure_options, json), DEVICE_OPTIONS(measure_options, device), { 0 } }
 *     };
 *     int cmd_measure(int argc, char **argv)
 *     {
 *         measure_options o = { 0 };
 *         operands configs;
 *         int status = options_read(&measure, argc, argv, &o, &configs);
 *         if (status != GO_ON)
 *             return status;
 */
#ifndef KILN_OPTIONS_OPTIONS_H
#define KILN_OPTIONS_OPTIONS_H

#include "src/config/text_refs.h"
#include "src/options/usage.h"

typedef struct { int count; char **item; } operands;    /* borrowed from argv */

enum { GO_ON = -1 };

/* Read argv[1..] into `values`, which holds the defaults, and the operands.  Returns GO_ON, or the exit
 * status: EXIT_OK after --help or --help=FORMAT (help.h), EXIT_USAGE after a message about what is wrong.  May reorder
 * argv. */
int options_read(const usage *u, int argc, char **argv, void *values, operands *found);

/* Read the OPTION_CHOICE `name` of `u` alone, when its value selects the table for all other options: GO_ON and the
 * index of the value (-1: not given), or an exit status as above.  --help without the option prints the help of `u`;
 * for a completion, which needs the options of all tables, it returns GO_ON. */
int options_choose(const usage *u, const char *name, int argc, char **argv, int *choice);

/* Print "kiln NAME: sentence" and "See kiln NAME --help." on stderr; returns EXIT_USAGE. */
int usage_error(const usage *u, const char *format, ...) PRINTF_LIKE(2, 3);

/* For completion after an option that takes the precision of links in bits. */
extern const char *const option_bits[];

#define JSON_OPTION(owner, member)                                                                                     \
    { .name = "json", .doc = "print results as JSON", .type = OPTION_FLAG, .offset = offsetof(owner, member) }

#endif
