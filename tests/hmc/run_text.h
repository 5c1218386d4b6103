/* run_text.h - the parameters of a run from YAML text, through the reader that reads a user's file. */
#ifndef KILN_TESTS_HMC_RUN_TEXT_H
#define KILN_TESTS_HMC_RUN_TEXT_H

#include "src/hmc/run_input.h"
#include "tests/io/scratch.h"

#include <stdarg.h>

/* Release with run_input_free.  A fault in the text ends the test. */
static inline void run_from_arguments(run_input *in, const char *format, va_list arguments)
{
    scratch s = scratch_create();
    FILE *file = fopen(scratch_path(&s, "run.yaml"), "w");
    vfprintf(file, format, arguments);
    fclose(file);
    fault_list faults = { 0 };
    bool ok = run_input_read(in, scratch_path(&s, "run.yaml"), NULL, 0, &faults);
    scratch_remove(&s);
    require(ok, "%s", text_string(&faults.lines));
    fault_list_free(&faults);
}

__attribute__((format(printf, 2, 3), unused)) static inline void run_from_text(run_input *in, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    run_from_arguments(in, format, arguments);
    va_end(arguments);
}

#endif
