/* study_output.h - what kiln bench solver prints as JSON, and refuses. */
#ifndef KILN_TESTS_BENCH_STUDY_OUTPUT_H
#define KILN_TESTS_BENCH_STUDY_OUTPUT_H

#include "tests/cli/program.h"

/* The JSON of `kiln bench solver WORDS`; a fact that there is one.  To be freed with yaml_tree_free. */
yaml_node *bench_study_json(const char *words);

/* A number at a path with numbers in it; NaN if there is none. */
double number_at(const yaml_node *tree, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Whether `word` is at the path. */
bool holds(const yaml_node *tree, const char *path, const char *word);

/* A fact: `kiln bench solver WORDS` ends with this status, and stderr has `reported` in it. */
void bench_refused(const char *words, int status, const char *reported);

#endif
