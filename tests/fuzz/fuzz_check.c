/* fuzz_check.c - arbitrary bytes as the input of a run, with all that is asked before a run begins.
 *
 * Rational functions are made for it where there are staggered quarks: thousands of inputs a minute, not millions. */
#include "tests/fuzz/targets.h"

#include "src/hmc/run_input.h"

#include <stdlib.h>

bool fuzz_check(const uint8_t *bytes, size_t n)
{
    run_input in;
    fault_list faults = { 0 };
    char *yaml = fuzz_text(bytes, n);
    setenv("KILN_CACHE", "", 1);        /* nothing is kept */
    bool ok = run_input_read_text(&in, yaml, FUZZ_NAME, NULL, 0, &faults);
    expect(ok == (faults.count == 0), "an input without faults, or the faults");
    expect(ok || (faults.lines.length > 2 && faults.lines.s[faults.lines.length - 1] == '\n'), "faults in lines");
    run_input_free(&in);
    fault_list_free(&faults);
    free(yaml);
    return ok;
}
