/* run_options.c - reading times, and inputs, telling all their faults. */
#include "src/cli/run_options.h"

#include "src/base/log.h"
#include "src/hmc/quenched.h"
#include "src/ensemble/walltime.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

bool read_walltime(const char *words, void *seconds, failure *f)
{
    return walltime_read(seconds, words, f);
}

/* Tells the faults, and frees them. */
static void tell(fault_list *faults, const char *path)
{
    if (faults->count > 0) {
        fputs(text_string(&faults->lines), stderr);
        fprintf(stderr, "kiln: %d fault%s in %s; nothing was done\n", faults->count, faults->count == 1 ? "" : "s",
                path);
    }
    fault_list_free(faults);
}

bool input_read_or_tell(run_input *in, const char *path, const option_texts *sets)
{
    fault_list faults = { 0 };
    bool ok = run_input_read(in, path, (char *const *)sets->item, sets->count, &faults);
    tell(&faults, path);
    if (!ok)
        run_input_free(in);
    return ok;
}

/* No fault: an ensemble may be begun with a part of its thermalization, and made longer later. */
static void advise_thermalization(text *lines, const run_params *p)
{
    const int64_t all = p->hmc.trajectories, first = p->hmc.thermalization;
    if (all > 0 && first > all)
        text_add(lines, "hmc.thermalization: %" PRId64 " of hmc.trajectories: %" PRId64 ": none of them is production; "
                        "raise hmc.trajectories, or lower hmc.thermalization before the ensemble begins\n", first, all);
}

void input_advise(const run_params *p, advice_listener *tell_one, void *out)
{
    text lines = { 0 };
    advise_thermalization(&lines, p);
    for (int m = 0; m < run_monomial_count(p); m++) {
        const monomial_kind *kind = run_monomial_kind(p, m);
        energy_errors errors = { 0 };
        if (!kind->energy_errors || run_is_quenched(p))
            continue;
        kind->energy_errors(&errors, run_monomial_params(p, m), p->extents);
        energy_errors_advise(&lines, &errors, run_monomial_name(p, m));
    }
    for (char *line = lines.length ? strtok(lines.s, "\n") : NULL; line; line = strtok(NULL, "\n"))
        tell_one(out, line);
    text_free(&lines);
}

static void warn(void *nothing, const char *sentence)
{
    (void)nothing;
    log_line(LOG_WARNING, "%s", sentence);
}

void input_warn(const run_params *p)
{
    input_advise(p, warn, NULL);
}

bool input_start_or_tell(const run_input *in, const char *path)
{
    fault_list faults = { 0 };
    bool ok = run_start_check(in, &faults);
    tell(&faults, path);
    return ok;
}
