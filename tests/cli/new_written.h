/* new_written.h - run kiln new in a test, and read numbers from its output. */
#ifndef KILN_TESTS_CLI_NEW_WRITTEN_H
#define KILN_TESTS_CLI_NEW_WRITTEN_H

/* The input for these options, "" if they are refused; freed by the caller. */
char *new_written(const char *words);

/* The number after occurrence `nth` (from 0) of `key`; NAN if there is none. */
double new_number(const char *input, const char *key, int nth);

int new_count(const char *input, const char *piece);

/* A number of the JSON for these options, with the input in this folder; NAN if it is null. */
double new_chosen(const char *folder, const char *words, const char *key);

#endif
