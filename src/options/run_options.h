/* run_options.h - options shared by the subcommands that take an INPUT.yaml. */
#ifndef KILN_OPTIONS_RUN_OPTIONS_H
#define KILN_OPTIONS_RUN_OPTIONS_H

#include "src/hmc/run_input.h"
#include "src/options/options.h"

#define SET_OPTION(owner, member)                                                                                      \
    { .name = "set", .value = "KEY.PATH=VALUE",                                                                        \
      .doc = "replace a value of the input (a number selects an item of a list:\n"                                     \
      "hmc.levels.0.steps=12, also hmc.levels[0].steps=12); may be given several times", .type = OPTION_TEXTS,         \
      .offset = offsetof(owner, member) }

/* For OPTION_READ: a time such as 11:55:00 (ensemble/walltime.h) as a double, in seconds. */
bool run_options_read_walltime(const char *words, void *seconds, failure *f);

/* Read the input and replace the values of --set.  False after printing every fault on stderr; then there is nothing to
 * free. */
bool run_options_read_input(run_input *in, const char *path, const text_refs *sets);

/* Check the start file of an input that has been read.  False after printing its faults; the input remains. */
bool run_options_start_input(const run_input *in, const char *path);

#endif
