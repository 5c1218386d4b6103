/* bench_help.h - the help of kiln bench solver: the explanation of each option begins with the studies that use it. */
#ifndef KILN_CLI_BENCH_BENCH_HELP_H
#define KILN_CLI_BENCH_BENCH_HELP_H

#include "src/options/usage.h"

enum { BENCH_OPTIONS_MAX = 96 };
typedef struct { usage of; option options[BENCH_OPTIONS_MAX + 1]; text docs[BENCH_OPTIONS_MAX]; } bench_usage;

/* A usage with the studies, from one without; `u` outlives it.  Release it with bench_usage_free. */
bench_usage *bench_usage_create(const usage *u);
void bench_usage_free(bench_usage *b);

#endif
