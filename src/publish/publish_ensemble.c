/* publish_ensemble.c - collect the record, the parameters and the files of an ensemble, and check that they agree. */
#include "src/publish/publish_ensemble.h"

#include "src/base/memory.h"
#include "src/publish/qcdml.h"
#include "src/audit/audit.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void refuse(publication *p, const char *format, ...) PRINTF_LIKE(2, 3);
static void refuse(publication *p, const char *format, ...)
{
    char sentence[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    text_add(&p->missing.lines, "%s\n", sentence);
    p->missing.count++;
}

const run_params *publication_params(const publication *p)
{
    return &p->input[p->inputs - 1].p;
}

static const run_params *params_at(const publication *p, int64_t trajectory)
{
    return &p->input[p->segments.count > 0 ? segments_at(&p->segments, trajectory) : 0].p;
}

/* The parameters of every segment; those of a folder without segments are its parameters.yaml. */
static void read_parameters(publication *p, const char *directory)
{
    failure f;
    if (!segments_read(&p->segments, directory, &f))
        refuse(p, "%s", f.why);
    p->inputs = p->segments.count > 0 ? p->segments.count : 1;
    p->input = memory_alloc((size_t)p->inputs * sizeof *p->input, "the inputs of a run");
    for (int i = 0; i < p->inputs; i++) {
        text path = p->segments.count > 0 ? segments_parameters_path(&p->segments, directory, i)
                                        : path_in_folder(directory, "parameters.yaml");
        run_input_read(&p->input[i], text_string(&path), NULL, 0, &p->missing);
        text_free(&path);
    }
}

static void check_run(publication *p, const char *directory)
{
    failure f;
    text path = path_in_folder(directory, "run.jsonl");
    run_folder_inspect(&p->folder, directory);
    read_parameters(p, directory);
    const continuity_rules rules = continuity_rules_make(&p->segments, p->folder.known ? &p->folder.in.p : NULL);
    if (!run_history_update(&p->history, &rules, NULL, text_string(&path), &f))
        refuse(p, "%s", f.why);
    const int64_t missing = history_missing(&p->history, p->folder.start);
    if (p->history.damaged > 0 || missing > 0)
        refuse(p, "%s: the record is incomplete: damaged lines: %" PRId64 ", trajectories without a line: %" PRId64,
               text_string(&path), p->history.damaged, missing);
    text_free(&path);
}

/* The number of trajectories from the start to the last one in the record. */
static int64_t trajectories_made(const publication *p)
{
    return p->history.count > 0 ? p->history.line[p->history.count - 1].trajectory - p->folder.start : 0;
}

static bool is_kept(const publication *p, int64_t trajectory)
{
    for (int i = 0; i < p->count; i++)
        if (p->item[i].line->trajectory == trajectory)
            return true;
    return false;
}

/* Whether a configuration was stored after the trajectory: from its line, or else from the parameters. */
static bool was_due(const publication *p, const history_line *l)
{
    return l->kept >= 0 ? l->kept : l->trajectory % params_at(p, l->trajectory)->output.configuration_every == 0;
}

/* Every configuration that the run stored must exist. */
static void check_whole(publication *p, const char *directory, int64_t first)
{
    const run_params *run = publication_params(p);
    const int64_t made = trajectories_made(p);
    const int64_t target = history_target(&p->history, run->hmc.trajectories);
    if (made < target)
        refuse(p, "%s: %" PRId64 "/%" PRId64 " trajectories complete: continue the run, or use --so-far", directory,
               made, target);
    int64_t absent = 0, an_absent = 0;
    for (int64_t i = history_line_from(&p->history, first); i < p->history.count; i++) {
        const history_line *l = &p->history.line[i];
        if (was_due(p, l) && !is_kept(p, l->trajectory)) {
            absent++;
            an_absent = an_absent ? an_absent : l->trajectory;
        }
    }
    if (absent > 0)
        refuse(p, "%s: %s missing, the first of trajectory %" PRId64 ": restore the files, or use --so-far", directory,
               nouns_to_text(absent, "stored configuration is", "stored configurations are").s, an_absent);
}

/* Tolerance of the plaquette against the record, for links in double precision and for rounded links. */
#define RECORD_TOLERANCE_64 1e-12
#define RECORD_TOLERANCE_32 1e-5

static void check_file(publication *p, published *c, const publish_request *request)
{
    failure f;
    const run_params *run = c->p;
    if (!links_read_info(c->path, &c->info, &f)) {
        refuse(p, "%s", f.why);
        return;
    }
    const run_state *state = &c->info.state;
    double tolerance = c->info.bits == 32 ? RECORD_TOLERANCE_32 : RECORD_TOLERANCE_64;
    if (!c->info.has_state || state->trajectory != c->line->trajectory || state->seed != (uint64_t)run->random.seed
        || state->stream != (uint32_t)run->random.stream || state->input_digest != run_params_digest(run))
        refuse(p, "%s: is not trajectory %" PRId64 " of this input", c->path, c->line->trajectory);
    else if (!(fabs(state->plaquette - c->line->plaquette) <= tolerance))
        refuse(p, "%s: the plaquette is %.17g, but the record has %.17g", c->path, state->plaquette,
               c->line->plaquette);
    if (request->bits == 64 && c->info.bits == 32)
        refuse(p, "%s: has 32 bits and cannot be published with 64", c->path);
    if (!c->line->time[0])
        refuse(p, "%s: the record has no time for trajectory %" PRId64, c->path, c->line->trajectory);
}

/* "DIRECTORY/cfg.000010.lime" -> "ENSEMBLE.000010.lime" */
static void name_file(published *c, const publish_about *about)
{
    const char *label = about->ensemble ? about->ensemble : "";
    for (const char *s = label; *s; s++)
        text_add_bytes(&c->file, *s == '/' || *s == ' ' ? "_" : s, 1);
    text_add(&c->file, ".%06" PRId64 ".lime", c->line->trajectory);
}

/* Whether any trajectory changed the links after trajectory `from`, up to trajectory `to`: one that was accepted, or
 * had no Metropolis test. */
static bool has_moved(const publication *p, int64_t from, int64_t to)
{
    bool moved = false;
    for (int64_t i = history_line_from(&p->history, from + 1); i < p->history.count && !moved; i++) {
        const history_line *l = &p->history.line[i];
        if (l->trajectory > to)
            break;
        moved = l->accepted || !l->tested;
    }
    return moved;
}

/* The least number of copies for an error.  A configuration is a copy of the one before if all trajectories between
 * them were rejected, which can happen by chance; with this number, and half of all configurations, it is not
 * chance. */
enum { COPIES_LEAST = 2 };

/* From the first trajectory of the package on. */
static void check_acceptance(publication *p, const char *directory, int64_t first)
{
    int64_t tested = 0, accepted = 0;
    int copies = 0;
    for (int64_t i = history_line_from(&p->history, first); i < p->history.count; i++) {
        tested += p->history.line[i].tested;
        accepted += p->history.line[i].tested && p->history.line[i].accepted;
    }
    for (int i = 1; i < p->count; i++)
        copies += !has_moved(p, p->item[i - 1].line->trajectory, p->item[i].line->trajectory);
    if (tested > 0 && accepted == 0)
        refuse(p, "%s: all %s from %" PRId64 " on were rejected, so that the configurations are copies of one: reduce "
               "the step size, and generate the ensemble again; or use --copies", directory,
               nouns_to_text(tested, "trajectory", "trajectories").s, first);
    else if (copies >= COPIES_LEAST && 2 * copies >= p->count)
        refuse(p, "%s: %d of %d configurations are copies of the one before, because all trajectories between them "
               "were rejected: reduce the step size, and generate the ensemble again; or use --copies", directory,
               copies, p->count);
}

/* The first trajectory after thermalization: the newest segment may have a smaller hmc.thermalization than the one that
 * made the first trajectories. */
static int64_t first_in_equilibrium(const publication *p)
{
    const run_params *run = publication_params(p);
    const int64_t first = run->start.trajectory + run->hmc.thermalization + 1;
    const int64_t from = history_line_from(&p->history, first);
    const int64_t line = history_line_after_thermalization(&p->history, from);
    return line > from ? p->history.line[line - 1].trajectory + 1 : first;
}

static void choose(publication *p, const publish_request *request, const char *directory)
{
    const run_params *run = &p->folder.in.p;                  /* output.directory is the present folder */
    int64_t first = request->from ? request->from : first_in_equilibrium(p);
    p->files = state_files_list(run);
    p->item = memory_alloc((size_t)(p->files.count + 1) * sizeof *p->item, "configurations of a package");
    for (int i = p->files.count - 1; i >= 0; i--) {           /* oldest first */
        const state_file *file = &p->files.file[i];
        int64_t at = history_line_from(&p->history, file->trajectory);
        if (file->kind != FILE_CONFIGURATION || file->trajectory < first)
            continue;
        if (at == p->history.count || p->history.line[at].trajectory != file->trajectory) {
            refuse(p, "%s: the record has no trajectory %" PRId64, file->path, file->trajectory);
            continue;
        }
        published *c = &p->item[p->count++];
        *c = (published){ .path = file->path, .line = &p->history.line[at], .p = params_at(p, file->trajectory) };
        name_file(c, &p->about);
        check_file(p, c, request);
    }
    if (p->count == 0)
        refuse(p, "%s: no configuration from trajectory %" PRId64 " on", directory, first);
    if (!request->so_far)
        check_whole(p, directory, first);
    if (!request->copies)
        check_acceptance(p, directory, first);
}

/* An ensemble has one action; other parameters may change. */
static void check_actions(publication *p)
{
    failure f;
    xml_document newest = { 0 };
    const bool comparable = qcdml_action(&newest, publication_params(p), &f);
    if (!comparable)
        refuse(p, "the action: %s", f.why);
    for (int i = 0; comparable && i < p->count; i++) {
        xml_document x = { 0 };
        bool same = (i > 0 && p->item[i].p == p->item[i - 1].p)
                    || (qcdml_action(&x, p->item[i].p, &f)
                        && strcmp(text_string(&x.out), text_string(&newest.out)) == 0);
        if (!same)
            refuse(p, "%s: trajectory %" PRId64 " has another action than the last one: begin after it, with --from",
                   p->item[i].path, p->item[i].line->trajectory);
        text_free(&x.out);
    }
    text_free(&newest.out);
}

/* An ensemble that fails the audit is not published. */
static void check_audit(publication *p, const char *directory, bool so_far)
{
    failure f;
    audit a;
    audit_stream(&a, directory, so_far, PLACE_CPU);
    for (int i = 0; i < audit_faults(&a); i++) {
        stream_fault_fail(audit_fault(&a, i), &f);
        refuse(p, "kiln audit: %s", f.why);
    }
    audit_free(&a);
}

void publication_inspect(publication *p, const publish_request *request, const char *about, const char *directory)
{
    *p = (publication){ 0 };
    publish_about_read(&p->about, about, &p->missing);
    check_audit(p, directory, request->so_far);
    check_run(p, directory);
    if (!p->folder.known)
        return;
    choose(p, request, directory);
    check_actions(p);
}

void publication_free(publication *p)
{
    for (int i = 0; i < p->count; i++)
        text_free(&p->item[i].file);
    memory_free(p->item);
    for (int i = 0; i < p->inputs; i++)
        run_input_free(&p->input[i]);
    memory_free(p->input);
    segments_free(&p->segments);
    state_files_free(&p->files);
    run_history_free(&p->history);
    run_folder_free(&p->folder);
    publish_about_free(&p->about);
    fault_list_free(&p->missing);
}
