/* folder_warnings.c - warnings about the files of an ensemble. */
#include "src/report/folder_warnings.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static text *add_warning(run_warnings *w, const char *kind, int64_t count)
{
    return run_warnings_add(w, (run_warning){ .kind = kind, .count = count });
}

static void check_continuity(run_warnings *w, const run_history *h)
{
    static const struct { const char *kind, *why; } reasons[LINE_VERDICTS] = {
        [LINE_IS_REPEATED] = { "repeated lines", "its trajectory is not after that of the lines before" },
        [LINE_HAS_OTHER_PARAMETERS] = { "other parameters", "it does not have the parameters of the ensemble" },
        [LINE_HAS_ANOTHER_PAST] = { "another past", "it does not follow from the lines before (chain)" },
    };
    for (int v = LINE_CONTINUES + 1; v < LINE_VERDICTS; v++)
        if (h->left_out[v].count > 0)
            text_add(add_warning(w, reasons[v].kind, h->left_out[v].count),
                     "%s left out of all means; the first is line %" PRId64 ": %s; see kiln audit",
                     nouns_to_text(h->left_out[v].count, "line of the record is", "lines of the record are").s,
                     h->left_out[v].first, reasons[v].why);
}

static void check_record(run_warnings *w, const run_history *h, int64_t start)
{
    const int64_t missing = history_missing(h, start);
    if (h->damaged > 0)
        text_add(add_warning(w, "record", h->damaged), "%s of the record cannot be read, the first is line %" PRId64,
                 count_to_text(h->damaged, "line").s, h->first_damaged);
    if (h->changed > 0)
        text_add(add_warning(w, "changed lines", h->changed),
                 "%s of the record changed after writing; the means do not include changed lines; the first is "
                 "line %" PRId64 "; see kiln audit", count_to_text(h->changed, "line").s, h->first_changed);
    if (missing > 0)
        text_add(add_warning(w, "gaps", missing), "%s no line in the record",
                 nouns_to_text(missing, "trajectory has", "trajectories have").s);
}

static void check_files(run_warnings *w, const run_folder *folder)
{
    if (folder->failures > 0)
        text_add(add_warning(w, "failure", folder->failures),
                 "failed trajectories left %s, the last one is %s; repeat the "
                 "failed step with kiln replay", count_to_text(folder->failures, "folder").s,
                 text_string(&folder->failure));
    if (folder->mismatches > 0)
        text_add(add_warning(w, "sdc_check", folder->mismatches),
                 "two evaluations of the same force, action or sweep differ "
                 "bit for bit: suspect the hardware; see %s sdc.*, the last one is %s",
                 count_to_text(folder->mismatches, "folder").s, text_string(&folder->mismatch));
    if (*folder->segments_failure.why)
        text_add(add_warning(w, "segments", 1), "%s", folder->segments_failure.why);
    if (folder->set_aside > 0)
        text_add(add_warning(w, "damaged files", folder->set_aside), "%s renamed to *.corrupt",
                 nouns_to_text(folder->set_aside, "damaged file was", "damaged files were").s);
}

/* Warns of means over segments with different actions: no ensemble has these means. */
static void check_segments(run_warnings *w, const run_summary *s, const run_folder *folder)
{
    const segments *all = &folder->segments;
    text firsts = { 0 };
    int64_t count = 0, newest = 0, first = 0;
    for (int i = 1; i < all->count; i++) {
        const int64_t begins = all->item[i].first;
        if (begins <= s->from || begins > s->last || !folder->segment[i].new_action)
            continue;
        newest = begins;
        text_add(&firsts, "%s%" PRId64, count > 0 ? ", " : "", newest);
        first = count++ == 0 ? newest : first;
    }
    if (count > 0)
        text_add(run_warnings_add(w, (run_warning){ "segments", count, first, s->last, { 0 } }),
                 "the means include segments with different actions: new ones begin at trajectory %s; average only "
                 "the newest segment with --from %" PRId64, text_string(&firsts), newest);
    text_free(&firsts);
}

/* Warns of means over trajectories of different lengths: tau in trajectories then has no definite unit of time. */
static void check_lengths(run_warnings *w, const run_summary *s, const run_folder *folder)
{
    const segments *all = &folder->segments;
    int64_t count = 0, first = 0, newest = 0;
    double length = NAN;
    for (int i = 1; i < all->count && all->item[i].first <= s->last; i++) {
        if (all->item[i].first <= s->from || folder->segment[i].length == folder->segment[i - 1].length
            || !folder->segment[i].known || !folder->segment[i - 1].known)
            continue;
        newest = all->item[i].first;
        length = folder->segment[i].length;
        first = count++ == 0 ? newest : first;
    }
    if (count > 0)
        text_add(run_warnings_add(w, (run_warning){ "lengths", count, first, s->last, { 0 } }),
                 "the means include trajectories of different lengths: hmc.trajectory_length is %g from trajectory %"
                 PRId64 " on; tau is a number of trajectories, so use --from %" PRId64 " for the tau of this length",
                 length, newest, newest);
}

/* Warns of times of different devices: their mean is not the cost on any of them. */
static void check_devices(run_warnings *w, const run_summary *s, const run_folder *folder)
{
    const device_log *all = &folder->devices;
    text changes = { 0 };
    int64_t count = 0, first = 0, newest = 0;
    for (int i = 1; i < all->count; i++) {
        const device_span *now = &all->item[i];
        if (now->first <= s->from || now->first > s->last)
            continue;
        if (count == 0)
            text_add(&changes, "%s", text_string(&now[-1].name));
        newest = now->first;
        if (count == 0)
            text_add(&changes, "; from trajectory %" PRId64 " on %s", newest, text_string(&now->name));
        first = count++ == 0 ? newest : first;
    }
    if (count > 1)
        text_add(&changes, "; %s", nouns_to_text(count - 1, "more change", "more changes").s);
    if (count > 0)
        text_add(run_warnings_add(w, (run_warning){ "devices", count, first, s->last, { 0 } }),
                 "the seconds of a trajectory are a mean over different devices (%s); with --from %" PRId64 ", the "
                 "cost of an independent configuration is that on the newest device", text_string(&changes), newest);
    text_free(&changes);
}

/* Warns of a larger hmc.thermalization that came too late: the trajectories it names were tested. */
static void check_thermalization(run_warnings *w, const run_summary *s, const run_folder *folder)
{
    const run_params *p = &folder->in.p;
    const int64_t end = p->start.trajectory + p->hmc.thermalization, last = end < s->last ? end : s->last;
    if (folder->known && s->used > 0 && s->from <= end)
        text_add(run_warnings_add(w, (run_warning){ "thermalization", 1, s->from, last, { 0 } }),
                 "hmc.thermalization is %" PRId64 ", but trajectory %" PRId64 " was made before with a smaller one, "
                 "and the means begin with it; begin them later with --from %" PRId64, p->hmc.thermalization, s->from,
                 end + 1);
}

/* Warns of results that no mean includes, because their measurement had other settings. */
static void check_sets(run_warnings *w, const run_history *h)
{
    for (int i = 0; i < h->sets; i++) {
        const history_set *s = &h->set[i];
        if (!s->shown)
            text_add(run_warnings_add(w, (run_warning){ "settings", s->results, s->first, s->last, { 0 } }),
                     "measurement %s: means leave out %s of trajectories %" PRId64 " to %" PRId64 " with other "
                     "settings (%s) than the newest result; to have means of both, give them different names", s->name,
                     count_to_text(s->results, "result").s, s->first, s->last,
                     *s->settings ? s->settings : "not recorded");
    }
}

void folder_warnings_add(run_warnings *w, const run_history *h, const run_summary *s, const run_folder *folder)
{
    check_record(w, h, folder ? folder->start : 0);
    check_continuity(w, h);
    check_sets(w, h);
    if (!folder)
        return;
    check_files(w, folder);
    check_segments(w, s, folder);
    check_lengths(w, s, folder);
    check_devices(w, s, folder);
    check_thermalization(w, s, folder);
}
