/* ensemble_settings.c - compare the keys of an input that may change with those of the segment of a trajectory. */
#include "src/ensemble/ensemble_settings.h"

#include "src/base/log.h"
#include "src/ensemble/ensemble_parameters.h"
#include "src/ensemble/parameter_differences.h"

#include <inttypes.h>
#include <string.h>

/* The length of the next change of a list, without its indentation; *line is where it begins. */
static int next_change(const char **line)
{
    *line += strspn(*line, "\n ");
    return (int)strcspn(*line, "\n");
}

static void log_changes(const text *changes, int64_t first)
{
    const char *line = text_string(changes);
    for (int length; (length = next_change(&line)) > 0; line += length)
        log_line(LOG_INFO, "from trajectory %" PRId64 " on: %.*s", first, length, line);
}

/* Keys of monomials change the rounding of numbers; the others have no effect on a trajectory. */
static void warn_of_rounding(const text *changes, int64_t first, int64_t last)
{
    static const char monomials[] = "monomials.";
    const char *line = text_string(changes);
    for (int length; (length = next_change(&line)) > 0; line += length)
        if (strncmp(line, monomials, sizeof monomials - 1) == 0)
            log_line(LOG_WARNING, "trajectories %" PRId64 " to %" PRId64 " are generated again, and may differ in "
                     "rounding: %.*s", first, last, length, line);
}

static bool begin_segment(segments *s, const run_params *p, const segments_change *change, failure *f)
{
    if (!segments_add(s, p, change, f))
        return false;
    log_changes(change->changes, change->first);
    return true;
}

bool ensemble_settings_settle(segments *s, const run_params *p, int64_t next, uint64_t chain, failure *f)
{
    const int index = segments_at(s, next);
    parameters_file then;
    failure why;
    text path = segments_parameters_path(s, p->output.directory, index), changes = { 0 };
    bool ok = parameters_file_read(&then, text_string(&path), &why)
              || fail_because(f, &why, "%s: the parameters of this ensemble cannot be read: %s", p->output.directory,
                              why.why);
    if (ok)
        parameter_changes_add(&changes, &then.in.p, p);
    if (ok && index + 1 < s->count)
        warn_of_rounding(&changes, next, segments_last(s, index));
    else if (ok && changes.length > 0)
        ok = begin_segment(s, p, &(segments_change){ .reason = "other values of keys that may change",
                                                     .changes = &changes, .first = next, .chain = chain }, f);
    parameters_file_free(&then);
    text_free(&path);
    text_free(&changes);
    return ok;
}
