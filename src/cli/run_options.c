/* run_options.c - reading an input, telling all its faults. */
#include "src/cli/run_options.h"

#include <stdio.h>

bool input_read_or_tell(run_input *in, const char *path, const option_texts *sets)
{
    fault_list faults = { 0 };
    bool ok = run_input_read(in, path, (char *const *)sets->item, sets->count, &faults);
    if (!ok) {
        fputs(text_string(&faults.lines), stderr);
        fprintf(stderr, "kiln: %d fault%s in %s; nothing was done\n", faults.count, faults.count == 1 ? "" : "s", path);
        run_input_free(in);
    }
    fault_list_free(&faults);
    return ok;
}
