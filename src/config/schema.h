/* schema.h - tables of the parameters of an input, and the check of a YAML tree against them.
 *
 * A module describes its own input by a table of param_spec, which ends with { 0 }, and by a struct for
 * the values.  src/config knows no module: a new action or option changes only its own table.
 * The same tables generate docs/input.md and the parameters.yaml of a run. */
#ifndef KILN_CONFIG_SCHEMA_H
#define KILN_CONFIG_SCHEMA_H

#include "src/base/error.h"
#include "src/base/text.h"
#include "src/config/yaml.h"

#include <stddef.h>
#include <stdint.h>

typedef enum {
    PARAM_INT,        /* int64_t, within [min, max] */
    PARAM_REAL,       /* double, within [min, max] (an open end: exclusive flags below) */
    PARAM_BOOL,       /* bool: true, false */
    PARAM_TEXT,       /* char *, owned by the struct */
    PARAM_CHOICE,     /* int: index into `choices`; written as the word */
    PARAM_INT4,       /* int[4], each within [min, max]: extents in the order x, y, z, t */
    PARAM_REAL3,      /* double[3], each within [min, max]: in the order x, y, z */
    PARAM_TEXTS,      /* text_list: a list of strings */
    PARAM_GROUP,      /* a nested struct, described by `group` */
    PARAM_LIST,       /* param_list: a list of structs of element_size bytes, described by `group` */
    PARAM_KINDS       /* param_list of kind_item: `key: name` of an item picks its table from `kinds` */
} param_type;

enum {
    PARAM_EVEN          = 1,   /* an even integer (each of the four) */
    PARAM_ABOVE_MIN     = 2,   /* min itself is not allowed */
    PARAM_NOT_EMPTY     = 4,   /* a list or a text with something in it */
    PARAM_FREE_TO_CHANGE = 8,  /* may differ when an ensemble is continued; not part of the digest */
    PARAM_PATH          = 16,  /* a text, the path of a file or folder: a relative one counts from the folder of the
                                * input, or, given by --set, from the working directory.  It is kept as an absolute
                                * path, since the parameters are copied into other folders */
    PARAM_BELOW_MAX     = 32,  /* max itself is not allowed */
    PARAM_TUNABLE       = 64,  /* a number that kiln tune may change */
    PARAM_NUMERICAL     = 128, /* changes how a number is computed or links are updated (a residual, a method, an
                                * intermediate mass), not the number itself or the weight of the links */
    PARAM_OPTIONAL      = 256  /* may be left out, without default (`fallback` is NULL): the bool at `given` says if it
                                * was given, so that no value has the additional meaning "not given" */
};

typedef struct param_spec param_spec;
typedef struct {               /* a kind of PARAM_KINDS: e.g. the monomial "gauge" */
    const char *name, *doc;
    const param_spec *params;  /* fields of the struct that kind_item.params points to */
    size_t size;               /* bytes of that struct */
    const char *example;       /* one item of the list as YAML, without "- ", for the reference page; NULL: none */
    const char *see;           /* where the documents explain it, e.g. "physics.md#integrator"; NULL: nowhere */
} param_kind;

struct param_spec {
    const char *key;
    param_type type;
    size_t offset;             /* in the struct */
    const char *fallback;      /* default as YAML text ("[4, 4, 4, 4]", "wilson", "[]"); NULL: must be given.
                                * PARAM_GROUP: "{}" for a group that may be left out: its members' defaults hold */
    size_t given;              /* PARAM_OPTIONAL: of a bool in the struct, true if the key was given */
    const char *formerly;      /* PARAM_OPTIONAL: the value by which files of earlier versions say that it was not
                                * given, as they write it ("0"); NULL: they leave it out (schema_read_former) */
    double min, max;           /* both 0: any value (any above 0 with PARAM_ABOVE_MIN); INFINITY for an open end */
    unsigned flags;
    const char *const *choices;   /* PARAM_CHOICE: words, NULL at the end */
    const param_spec *group;      /* PARAM_GROUP, PARAM_LIST */
    size_t element_size;          /* PARAM_LIST */
    const param_kind *const *kinds;   /* PARAM_KINDS: ends with NULL; the key "kind" of an item picks one */
    /* The key belongs to some values of another key of its table, a PARAM_CHOICE or PARAM_INT that has a value in any
     * case: `chosen` lists them, separated by spaces.  If `chosen` is NULL, it is a PARAM_OPTIONAL key, and this one
     * needs it to be given.  Where the key does not apply, it is refused where it is written (schema_read_former
     * ignores it: earlier versions may have let it pass), and the echo leaves it out.  NULL: it always applies. */
    const char *choice, *chosen;
    const char *lean;             /* values that may take less memory, separated by spaces, for advice; NULL: none */
    const char *doc;              /* one line for the reference page, with the unit */
    /* PARAM_GROUP, PARAM_LIST: for the reference page, the value as YAML in flow style, and where the documents explain
     * it, e.g. "physics.md#integrator".  NULL: none. */
    const char *example, *see;
};

typedef struct { int count; char **item; } text_list;
typedef struct { int count; void *item; } param_list;                    /* count elements, contiguous */
typedef struct { int kind; void *params; yaml_place place; } kind_item;  /* elements of a PARAM_KINDS list */

/* The faults found so far, one line "file:line:column: sentence\n" each: reading continues after a fault, so that the
 * user sees all of them.  After FAULTS_SHOWN lines follows "and N more\n"; `count` counts all. */
enum { FAULTS_SHOWN = 50 };
typedef struct { int count; text lines; size_t shown; } fault_list;
void fault_add(fault_list *faults, yaml_place place, const char *format, ...) PRINTF_LIKE(3, 4);
void fault_add_line(fault_list *faults, const char *line);               /* a sentence without a place in a file */
void fault_list_free(fault_list *faults);

/* Check `tree` (a mapping) against `specs` and fill `values`; every fault goes into `faults`.
 * Unknown keys get a suggestion, duplicates the place of the first.  A missing key gets its fallback, or is
 * marked as not given (PARAM_OPTIONAL).
 * `values` must be zeroed; release what it owns with schema_free_values, after faults too (they leave
 * gaps in it: kind_item.kind is -1 where the kind is unknown).  A default that its own table refuses is fatal. */
void schema_read(const yaml_node *tree, const param_spec *specs, void *values, fault_list *faults);
void schema_free_values(const param_spec *specs, void *values);

/* The same for a file that an earlier version wrote: a key that has its value `formerly` was not given. */
void schema_read_former(const yaml_node *tree, const param_spec *specs, void *values, fault_list *faults);

/* The row of a key; NULL: there is no table, or it has no such row. */
const param_spec *param_find(const param_spec *specs, const char *key);
/* The number of the kind that an item of a list of kinds names by its key "kind"; -1: it names none of these. */
int param_kind_of(const param_kind *const *kinds, const yaml_node *item);

/* Whether a parameter has a value: false for a PARAM_OPTIONAL that was not given.  `field` points to the value. */
bool param_is_given(const param_spec *spec, const void *field);
void param_set_given(const param_spec *spec, void *values, bool given);       /* of a PARAM_OPTIONAL; else nothing */

/* *field <- the fallback of a parameter, which must have one. */
void schema_read_default(const param_spec *spec, void *field);

/* The complete values, defaults filled in, as YAML that reads back to the same bits.  With `digest_only` it
 * is the text of the digest: it has no parameters that are PARAM_FREE_TO_CHANGE and none with its default
 * value, so that ensembles made before a new key existed keep their digest.  Hence the rule: the
 * default of a key that is part of the digest never changes. */
void schema_echo(text *out, const param_spec *specs, const void *values, bool digest_only);

/* The same as with digest_only, also without parameters that are PARAM_NUMERICAL: what the measured number depends
 * on. */
void schema_echo_physical(text *out, const param_spec *specs, const void *values);

/* A line "hmc.levels.0.steps: 4" for each parameter that may not change, defaults filled in, in the order of the
 * tables: two lists can be compared line by line. */
void schema_list_fixed(text *out, const param_spec *specs, const void *values);

/* The same for each parameter that is PARAM_FREE_TO_CHANGE; no lines for a list that may change as a whole. */
void schema_list_free(text *out, const param_spec *specs, const void *values);

/* Calls `visit` for every row of the tables and its value; `key` is a path of --set: "monomials.1.rational_file".
 * `visit` returns whether to visit the rows inside a group or list, too. */
typedef bool schema_visitor(const char *key, const param_spec *spec, const void *value, void *context);
void schema_each(const param_spec *specs, const void *values, schema_visitor *visit, void *context);

/* The path of a PARAM_PATH; NULL where it is empty, and for any other row. */
const char *schema_path_of(const param_spec *spec, const void *value);

/* Append the example of a kind as the list of an input: "monomials:\n  - kind: gauge\n ...". */
void schema_example_of_kind(text *out, const char *key, const param_kind *kind);

/* The reference page (Markdown) of a table. */
void schema_document(text *out, const param_spec *specs);

/* The default of a key as the echo writes it; nothing if it must be given or is PARAM_OPTIONAL. */
void schema_echo_default(text *out, const param_spec *spec);

/* A JSON object with a line for each key, "monomials.gauge.beta" (a kind stands for the number of an item): what
 * another program needs to compare two files of parameters as the digest does.
 *     default         as schema_echo_default writes it
 *     formerly        the value that means "not given" in files of earlier versions; only_formerly: it is not allowed
 * in
 *                     new files
 *     may_differ      true for keys that are PARAM_FREE_TO_CHANGE or PARAM_NUMERICAL, and so for all keys below them */
void schema_defaults(text *out, const param_spec *specs);

#endif
