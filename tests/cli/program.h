/* program.h - run the program kiln in a test, and check its output. */
#ifndef KILN_TESTS_CLI_PROGRAM_H
#define KILN_TESTS_CLI_PROGRAM_H

#include "src/base/text.h"
#include "src/config/yaml.h"

#include <stdbool.h>

/* Whether $KILN_PROGRAM names the program; if not, reports a fact as skipped. */
bool program_is_there(void);

typedef struct { int status; text out,
                 err; } program_output;      /* exit status (-1: ended by a signal), stdout, stderr */

/* Run the shell command `kiln WORDS`.  The result is valid until the next run. */
const program_output *program_run(const char *words, ...) __attribute__((format(printf, 1, 2)));

/* Does stderr (stdout) contain `piece`? */
bool stderr_has(const program_output *s, const char *piece);
bool stdout_has(const program_output *s, const char *piece);

/* Stdout parsed as JSON, to be released with yaml_tree_free; NULL if it is not JSON. */
yaml_node *output_json(const program_output *s);

/* The value at "plaquette.average" or "0.file" (a number picks an item): NaN or NULL if there is none. */
double json_number(const yaml_node *tree, const char *path);
const char *json_scalar(const yaml_node *tree, const char *path);

#endif
