/* ensemble_measurements.c - compare the measurements of an input with those of the segments of a stream, by name. */
#include "src/ensemble/ensemble_measurements.h"

#include "src/base/log.h"
#include "src/ensemble/ensemble_parameters.h"
#include "src/ensemble/parameter_differences.h"
#include "src/measure/measurement_changes.h"

#include <inttypes.h>

static bool read_segment(parameters_file *file, const segments *s, int index, const char *directory, failure *f)
{
    text path = segments_parameters_path(s, directory, index);
    const bool ok = parameters_file_read(file, text_string(&path), f);
    text_free(&path);
    return ok;
}

/* Compare the settings of the names that are not known yet with those that they have in this segment, as if its action
 * were the present one: an action changes with a new segment alone, so results of another action are meant to be
 * another set, although they have the same name. */
static void compare_settings(bool *known, text *differences, const run_params *earlier, const run_params *p)
{
    const param_list *then = &earlier->measurements, *now = &p->measurements;
    for (int i = 0; i < now->count; i++) {
        const char *name = measurement_name(now, i);
        const int before = measurement_index(then, name);
        if (known[i] || before < 0)
            continue;
        known[i] = true;
        const measurement_input with_present_action = { then, &p->monomials };
        if (measurement_settings(with_present_action, before) != measurement_settings(run_measurements(p), i))
            measurement_add_differences(differences, then, before, now, i);
    }
}

/* Refuse `differences` in a trajectory of segment `index`. */
static bool refuse(const text *differences, const segments *s, int index, const char *directory, failure *f)
{
    text own = segments_parameters_path(s, directory, index), remedy = { 0 };
    if (index + 1 < s->count)
        text_add(&remedy, "generate the missing trajectories with those of their segment: kiln run %s",
                 text_string(&own));
    else
        text_add(&remedy, "use --new-segment, from which on the names mean these settings");
    fail(f, "%s: measurements of the input have the names of others in the ensemble, but other settings; their results "
            "must not be averaged: give them other names, or %s:%s", directory, text_string(&remedy),
         text_string(differences));
    text_free(&own);
    text_free(&remedy);
    return false;
}

/* Compare with all segments: first with that of index, then with earlier ones, then with later ones. */
static bool settings_agree(text *changes, const segments *s, int index, const run_params *p, failure *f)
{
    const param_list *now = &p->measurements;
    bool known[MEASUREMENTS_MAX] = { false };            /* names that one of these segments has */
    text differences = { 0 };
    bool ok = true;
    for (int i = 0; ok && i < s->count; i++) {
        const int k = i <= index ? index - i : i;
        parameters_file then;
        failure why;
        const bool readable = read_segment(&then, s, k, p->output.directory, &why);
        if (readable) {
            if (k == index)
                measurements_compare(changes, &then.in.p.measurements, now);
            if (k == index && changes->length > 0)
                parameter_changes_add(changes, &then.in.p, p);
            compare_settings(known, &differences, &then.in.p, p);
        } else if (k == index) {
            ok = fail_because(f, &why, "%s: the measurements of this ensemble cannot be read: %s", p->output.directory,
                              why.why);
        }
        parameters_file_free(&then);
    }
    if (ok && differences.length > 0)
        ok = refuse(&differences, s, index, p->output.directory, f);
    text_free(&differences);
    return ok;
}

bool ensemble_measurements_settle(segments *s, const run_params *p, int64_t next, uint64_t chain, failure *f)
{
    const int index = segments_at(s, next);
    text changes = { 0 };
    if (s->item[index].input_digest != run_params_digest(p))
        return true;                                     /* the caller refuses these parameters */
    bool ok = settings_agree(&changes, s, index, p, f);
    if (ok && index + 1 == s->count && changes.length > 0) {
        const segments_change change = { "other measurements", &changes, next, chain };
        ok = segments_add(s, p, &change, f);
        if (ok)
            log_line(LOG_INFO, "a new segment begins with trajectory %" PRId64 ", for other measurements:%s", next,
                     text_string(&changes));
    }
    text_free(&changes);
    return ok;
}
