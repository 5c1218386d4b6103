/* run_advice.c - warnings about values that are allowed but probably a mistake. */
#include "src/hmc/run_advice.h"

#include "src/base/log.h"
#include "src/hmc/action_advice.h"
#include "src/hmc/quark_advice.h"

#include <inttypes.h>
#include <string.h>

/* Only a warning: a user may begin with a part of the thermalization, and extend the ensemble later. */
static void advise_thermalization(text *lines, const run_params *p)
{
    const int64_t all = p->hmc.trajectories, first = p->hmc.thermalization;
    if (all > 0 && first > all)
        text_add(lines, "hmc.thermalization: %" PRId64 " is larger than hmc.trajectories: %" PRId64 ": no trajectories "
                        "follow thermalization; raise hmc.trajectories, or lower hmc.thermalization before the "
                        "ensemble begins\n", first, all);
}

static void advise_measurements(text *lines, const run_params *p)
{
    const lattice_shape shape = run_shape(p);
    for (int n = 0; n < p->measurements.count; n++)
        measurement_advise(lines, &p->measurements, n, &shape);
}

/* strtok is not safe for ranks that are threads. */
static void emit_lines(text *lines, advice_listener *emit, void *out)
{
    char *rest = NULL;
    for (char *line = lines->length ? strtok_r(lines->s, "\n", &rest) : NULL; line; line = strtok_r(NULL, "\n", &rest))
        emit(out, line);
    text_free(lines);
}

void run_advice_add(const run_params *p, advice_listener *emit, void *out)
{
    const lattice_shape shape = run_shape(p);
    text lines = { 0 };
    advise_thermalization(&lines, p);
    action_advice_add(&lines, p);
    quark_advice_add(&lines, p);
    for (int m = 0; m < run_monomial_count(p); m++) {
        const monomial_kind *kind = run_monomial_kind(p, m);
        energy_errors errors = { 0 };
        if (kind->advise)
            kind->advise(&lines, run_monomial_params(p, m));
        if (!kind->energy_errors || run_is_pure_gauge(p))
            continue;
        kind->energy_errors(&errors, kind, run_monomial_params(p, m), &shape);
        energy_errors_advise(&lines, &errors, run_monomial_name(p, m));
    }
    advise_measurements(&lines, p);
    emit_lines(&lines, emit, out);
}

void run_advice_log(void *nothing, const char *sentence)
{
    (void)nothing;
    log_line(LOG_WARNING, "%s", sentence);
}

void run_advice_warn(const run_params *p)
{
    run_advice_add(p, run_advice_log, NULL);
}

void run_advice_warn_of_measurements(const run_params *p)
{
    text lines = { 0 };
    quark_advice_add_measured(&lines, p);
    advise_measurements(&lines, p);
    emit_lines(&lines, run_advice_log, NULL);
}
