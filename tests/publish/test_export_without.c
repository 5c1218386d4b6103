/* test_export_without.c - kiln export in a program that was built without HDF5. */
#include "tests/cli/program.h"
#include "tests/facts.h"
#include "tests/io/scratch.h"

int main(void)
{
    if (!program_is_there())
        return facts_end();
    scratch s = scratch_create();
    const program_output *answer = program_run("export '%s' --output '%s/o.h5'", s.folder, s.folder);
    fact(answer->status == 1 && stderr_has(answer, "built without HDF5; install the library"),
         "kiln export says what to install");
    fact(scratch_count(&s) == 0, "and makes no file");
    scratch_remove(&s);
    return facts_end();
}
