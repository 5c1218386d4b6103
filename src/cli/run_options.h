/* run_options.h - what the subcommands that take an INPUT.yaml share. */
#ifndef KILN_CLI_RUN_OPTIONS_H
#define KILN_CLI_RUN_OPTIONS_H

#include "src/cli/options.h"
#include "src/hmc/run_input.h"

#define SET_OPTION(type, member)                                                                                       \
    { "set", "KEY.PATH=VALUE", "put a value over the one of the input (a number picks an item of a\nlist: "            \
      "hmc.levels.0.steps=12); may be given several times",                                                            \
      OPTION_TEXTS, offsetof(type, member), false, 0, 0, NULL, NULL }

/* For OPTION_READ: a time in words (ensemble/walltime.h) into a double, in seconds. */
bool run_options_read_walltime(const char *words, void *seconds, failure *f);

/* Read the input, with --set values over it.  False after every fault has been told on stderr; then there
 * is nothing to free. */
bool run_options_read_input(run_input *in, const char *path, const text_refs *sets);

/* Look at the start file of an input that has been read; a fault is told in the same way, and the input stays. */
bool run_options_start_input(const run_input *in, const char *path);

#endif
