/* study_output.h - the JSON output of kiln bench solver, and its refusals. */
#ifndef KILN_TESTS_BENCH_STUDY_OUTPUT_H
#define KILN_TESTS_BENCH_STUDY_OUTPUT_H

#include "tests/cli/program.h"

/* Run `kiln bench solver WORDS`: its JSON, to be released with yaml_tree_free, and a fact that it has some. */
yaml_node *bench_study_json(const char *words);

/* The number at a path, which is formatted as by printf; NaN if there is none. */
double number_at(const yaml_node *tree, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Is the value at the path `word`? */
bool holds(const yaml_node *tree, const char *path, const char *word);

/* A fact: `kiln bench solver WORDS` exits with this status, and stderr contains `reported`. */
void bench_refused(const char *words, int status, const char *reported);

#endif
