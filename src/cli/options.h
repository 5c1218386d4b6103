/* options.h - the options of a subcommand: a table, read by getopt_long into a struct.
 *
 *     typedef struct { const char *what; bool json; device_choice device; } measure_options;
 *     static const usage measure = {
 *         "measure", "CONFIG...", 1, -1, "What it does.",
 *         (const option[]){ { "what", "NAMES", "...", OPTION_TEXT, offsetof(measure_options, what) },
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
#ifndef KILN_CLI_OPTIONS_H
#define KILN_CLI_OPTIONS_H

#include "src/base/error.h"
#include "src/config/text_refs.h"

#include <stddef.h>
#include <stdint.h>

typedef enum {
    OPTION_FLAG,        /* bool */
    OPTION_TEXT,        /* const char *, borrowed from argv */
    OPTION_TEXTS,       /* text_refs: may be given several times */
    OPTION_INT,         /* int64_t, within [min, max] */
    OPTION_REAL,        /* double, within [min, max] */
    OPTION_CHOICE,      /* int: index into `choices` */
    OPTION_READ,        /* whatever `read` makes of it */
    OPTION_READS        /* the same, and may be given several times */
} option_type;

typedef struct {
    const char *name;               /* "beta" for --beta */
    const char *value;              /* "B", the placeholder of its value in --help; NULL for a flag */
    const char *doc;                /* a line or several */
    option_type type;
    size_t offset;                  /* in the struct */
    bool required;
    double min, max;                /* OPTION_INT, OPTION_REAL; both 0: any */
    const char *const *choices;     /* OPTION_CHOICE: words, NULL at the end */
    bool (*read)(const char *text, void *value, failure *f);  /* OPTION_READ, _READS: f says what is wrong with it */
} option;

typedef struct {
    const char *name;               /* "measure", "probe links", "probe apply --operator wilson" */
    const char *operands;           /* "CONFIG..." */
    int least, most;                /* number of operands; most < 0: any number */
    const char *about;              /* what the subcommand does; --help prints it verbatim */
    const option *options;          /* ends with { 0 } */
} usage;

typedef struct { int count; char **item; } operands;    /* borrowed from argv */

enum { GO_ON = -1 };

/* Read argv[1..] into `values`, which holds the defaults, and the operands.  Returns GO_ON, or the exit
 * status: EXIT_OK after --help, EXIT_USAGE after a message about what is wrong.  May reorder argv. */
int options_read(const usage *u, int argc, char **argv, void *values, operands *found);

/* Read the OPTION_CHOICE `name` of `u` alone, when its value selects the table for all other options: GO_ON and the
 * index of the value (-1: not given), or an exit status as above.  --help without the option prints the help of `u`. */
int options_choose(const usage *u, const char *name, int argc, char **argv, int *choice);

/* Print "kiln NAME: sentence" and "See kiln NAME --help." on stderr; returns EXIT_USAGE. */
int usage_error(const usage *u, const char *format, ...) PRINTF_LIKE(2, 3);

#define JSON_OPTION(type, member) \
    { "json", NULL, "print results as JSON", OPTION_FLAG, offsetof(type, member), false, 0, 0, NULL, NULL }

#endif
