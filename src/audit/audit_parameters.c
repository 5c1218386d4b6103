/* audit_parameters.c - check the parameter files against the segments, and that all belong to one stream. */
#include "src/audit/audit_parts.h"

#include "src/base/memory.h"
#include "src/ensemble/ensemble_check.h"
#include "src/ensemble/ensemble_parameters.h"
#include "src/ensemble/ensembles_below.h"
#include "src/io/disk.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

static bool is_folder(audit *a)
{
    struct stat there;
    errno = 0;
    if (disk_status(&there, a->directory) == 0 && S_ISDIR(there.st_mode))
        return true;
    return audit_found(a, a->directory, "no folder", "the folder of an ensemble",
                       errno ? strerror(errno) : "not a folder", "give the folder of an ensemble");
}

/* Read the newest parameters.  The ensemble may have been moved: its files are in the present folder. */
static bool newest_parameters(audit *a)
{
    parameters_file file;
    failure why;
    text path = ensemble_parameters_path(a->directory, INT64_MAX);
    bool ok = parameters_file_read(&file, text_string(&path), &why);
    a->input = file.in;
    if (ok) {
        run_params *p = &a->input.p;
        memory_free(p->output.directory);
        p->output.directory = memory_alloc(strlen(a->directory) + 1, "the name of a folder");
        memcpy(p->output.directory, a->directory, strlen(a->directory));
        a->params = *p;
        a->known = true;
    } else {
        text advice = { 0 };
        text_add(&advice, "this folder ");
        if (!ensembles_below_add(&advice, a->directory, "audit")) {
            text_clear(&advice);
            text_add(&advice, "give the folder of an ensemble; if it is one, restore the file from a copy");
        }
        audit_found(a, text_string(&path), "no parameters", "the complete parameters of the ensemble", why.why,
                    text_string(&advice));
        text_free(&advice);
    }
    text_free(&path);
    return ok;
}

static bool same_stream(const run_params *a, const run_params *b)
{
    return memcmp(a->extents, b->extents, sizeof a->extents) == 0 && a->random.seed == b->random.seed
           && a->random.stream == b->random.stream && a->start.trajectory == b->start.trajectory;
}

static fault_reason stream_to_text(const run_params *p)
{
    return fault_format("%s, seed %" PRId64 ", stream %" PRId64 ", start.trajectory %" PRId64,
                        extents_to_text(p->extents).s, p->random.seed, p->random.stream, p->start.trajectory);
}

static bool check_segment(audit *a, int index)
{
    const segment *s = &a->segments.item[index];
    parameters_file file;
    failure why;
    text path = segments_parameters_path(&a->segments, a->directory, index);
    const char *name = text_string(&path);
    bool ok = parameters_file_read(&file, name, &why)
              || audit_found(a, name, "no parameters", fault_format("the parameters of segment %d", index + 1).s,
                             why.why, "restore the file from a copy");
    if (ok && file.input_digest != s->input_digest)
        ok = audit_found(a, name, "changed parameters",
                         fault_format("input digest 0x%016" PRIx64 " (" SEGMENTS_FILE " line %d)", s->input_digest,
                                      index + 1).s, fault_format("0x%016" PRIx64, file.input_digest).s,
                         "restore the original file: run.log and " SEGMENTS_FILE " record all changes of parameters");
    if (ok && file.file_digest != s->file_digest)
        ok = audit_found(a, name, "a changed file of parameters",
                         fault_format("digest of its bytes 0x%016" PRIx64, s->file_digest).s,
                         fault_format("0x%016" PRIx64 "; the physics parameters are the same", file.file_digest).s,
                         "restore the file from a copy");
    if (ok && !same_stream(&file.in.p, &a->params))
        ok = audit_found(a, name, "parameters of another stream", stream_to_text(&a->params).s,
                         stream_to_text(&file.in.p).s, "restore the file from a copy");
    if (ok)
        a->thermalization[index] = file.in.p.hmc.thermalization;
    parameters_file_free(&file);
    text_free(&path);
    return ok;
}

/* The advice says what kiln run does with such an ensemble. */
static bool no_segments(audit *a, const char *path)
{
    static const char fault[] = "an ensemble without a chain", expected[] = "the file, made with the first trajectory";
    if (ensemble_is_chained(&a->params))
        return audit_found(a, path, fault, expected, "no file, although trajectories here belong to a chain",
                           "restore it from a copy; kiln run does not continue the ensemble without it");
    return audit_found(a, path, fault, expected, "no file, and no line or state has a chain",
                       "the existing files cannot be verified; kiln run continues the ensemble and begins a chain");
}

bool audit_parameters(audit *a)
{
    failure why;
    text path = { 0 };
    if (!is_folder(a) || !newest_parameters(a))
        return false;
    text_add(&path, "%s/" SEGMENTS_FILE, a->directory);
    bool ok = segments_read(&a->segments, a->directory, &why)
              || audit_found(a, text_string(&path), "an invalid record of segments",
                             "lines with checksum, one per segment", why.why, "restore the file from a copy");
    if (ok && a->segments.count == 0)
        ok = no_segments(a, text_string(&path));
    a->thermalization = memory_alloc((size_t)(a->segments.count + 1) * sizeof *a->thermalization,
                                     "segments of an ensemble");
    for (int i = a->segments.count - 1; i >= 0; i--)   /* newest first: it determines the stream of all */
        ok = check_segment(a, i) && ok;
    const int64_t first = a->params.start.trajectory + 1;
    if (ok && a->segments.item[0].first > first)
        audit_note(a, "trajectories %" PRId64 " to %" PRId64 " have no chain: only their numbers, files and seeds are "
                      "checked", first, a->segments.item[0].first - 1);
    if (ok)
        audit_measurements(a);
    text_free(&path);
    return ok;
}
