/* usage.h - tables that describe commands: their options, and groups of subcommands.
 *
 * The command line is read from them (options.h, subcommand_group.h); help, manual pages and completions are written
 * from them (help.h). */
#ifndef KILN_OPTIONS_USAGE_H
#define KILN_OPTIONS_USAGE_H

#include "src/base/text.h"

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

/* An OPTION_TEXT or _TEXTS that is the path of a file or folder.  PATH_READ: it must exist; PATH_WRITE: its folder must
 * exist.  options_read checks this (path_check.h). */
typedef enum { PATH_NONE, PATH_READ, PATH_WRITE } path_use;

typedef struct {
    const char *name;               /* "beta" for --beta */
    const char *value;              /* "B", the placeholder of its value in --help; NULL for a flag */
    const char *doc;                /* a line or several */
    option_type type;
    size_t offset;                  /* in the struct */
    bool required;
    bool optional;                  /* has no default: the bool at `given` in the struct says whether it was given */
    size_t given;
    double min, max;                /* OPTION_INT, OPTION_REAL; both 0: any */
    const char *const *choices;     /* OPTION_CHOICE: words, NULL at the end; other types: for completion, or NULL */
    bool (*read)(const char *text, void *value, failure *f);  /* OPTION_READ, _READS: f says what is wrong with it */
    path_use path;
    const char *also;               /* words that a user may try in place of the name, with blanks between; or NULL */
    void (*list)(text *words);      /* in place of `choices` for completion, with blanks between the words; or NULL */
} option;

/* Whether numbers outside [min, max] are refused, and the range in words: all digits of integers. */
bool option_has_range(const option *o);
void option_add_range(text *out, const option *o);

typedef struct {
    const char *name;               /* "measure", "probe links", "probe apply --operator wilson" */
    const char *operands;           /* "CONFIG..."; path_check.c has the words that are paths */
    int least, most;                /* number of operands; most < 0: any number */
    const char *about;              /* what the subcommand does; --help prints it verbatim */
    const option *options;          /* ends with { 0 } */
} usage;

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

#endif
