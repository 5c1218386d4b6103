/* run_options.c - options of the subcommands that take an INPUT.yaml: times, and inputs with all their faults. */
#include "src/options/run_options.h"

#include "src/base/log.h"
#include "src/ensemble/walltime.h"
#include "src/io/disk.h"

#include <stdio.h>

bool run_options_read_walltime(const char *words, void *seconds, failure *f)
{
    return walltime_read(seconds, words, f);
}

/* Print the faults on stderr, and free them. */
static void report_faults(fault_list *faults, const char *path)
{
    if (faults->count > 0) {
        fputs(text_string(&faults->lines), log_stream());
        fprintf(log_stream(), "kiln: %s in %s; nothing was done\n", count_to_text(faults->count, "fault").s, path);
    }
    fault_list_free(faults);
}

/* The folder of an ensemble is no input, but has one. */
static void hint_folder(const char *path)
{
    text inside = path_in_folder(path, "parameters.yaml");
    if (disk_has(text_string(&inside)))
        fprintf(log_stream(), "kiln: %s is the folder of an ensemble; its input is %s\n", path, text_string(&inside));
    text_free(&inside);
}

bool run_options_read_input(run_input *in, const char *path, const text_refs *sets)
{
    fault_list faults = { 0 };
    bool ok = run_input_read(in, path, (char *const *)sets->item, sets->count, &faults);
    report_faults(&faults, path);
    if (!ok) {
        hint_folder(path);
        run_input_free(in);
    }
    return ok;
}

bool run_options_start_input(const run_input *in, const char *path)
{
    fault_list faults = { 0 };
    bool ok = run_start_check(in, &faults);
    report_faults(&faults, path);
    return ok;
}
