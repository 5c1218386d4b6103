/* cmd_publish.c - kiln publish: an ensemble as the International Lattice Data Grid wants it. */
#include "src/base/json.h"
#include "src/base/log.h"
#include "src/base/memory.h"
#include "src/cli/options.h"
#include "src/cli/publish_folder.h"
#include "src/cli/qcdml.h"
#include "src/cli/run_folder.h"
#include "src/cli/run_history.h"
#include "src/cli/subcommands.h"
#include "src/io/configuration.h"
#include "src/io/safe_file.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const char *about, *output;
    int64_t bits, from;
    bool so_far, print_template, json;
} publish_options;

static const usage publish_usage = {
    .name = "publish", .operands = "DIRECTORY", .least = 0, .most = 1,
    .about =
        "Makes an ILDG package of the ensemble in DIRECTORY: every kept configuration behind the warm-up as an ILDG file\n"
        "with its logical file name, its QCDml document (trajectory, plaquette, cksum of the binary data), the QCDml\n"
        "document of the ensemble, and a manifest of checksums.  Everything but --about comes from the run's own record.\n"
        "What is missing is told as a list, and then nothing is written; nothing is ever overwritten.\n"
        "  kiln publish --template > about.yaml        what has to be told of an ensemble, to be filled in",
    .options = (const option[]){
        { .name = "about", .value = "FILE", .doc = "collaboration, project, licence, ...: see --template",
          .type = OPTION_TEXT, .offset = offsetof(publish_options, about) },
        { .name = "output", .value = "FOLDER", .doc = "a new folder (default: DIRECTORY/ildg)", .type = OPTION_TEXT,
          .offset = offsetof(publish_options, output) },
        { .name = "bits", .value = "BITS", .doc = "of the reals, 32 or 64 (default: as they were kept)",
          .type = OPTION_INT, .offset = offsetof(publish_options, bits), .min = 32, .max = 64 },
        { .name = "from", .value = "N", .doc = "first trajectory (default: the first behind the warm-up)",
          .type = OPTION_INT, .offset = offsetof(publish_options, from), .min = 1, .max = 9e15 },
        { .name = "so-far", .doc = "what there is of an ensemble that is not finished, or kept at another cadence",
          .type = OPTION_FLAG, .offset = offsetof(publish_options, so_far) },
        { .name = "template", .doc = "print a file for --about", .type = OPTION_FLAG,
          .offset = offsetof(publish_options, print_template) },
        JSON_OPTION(publish_options, json),
        { 0 }
    },
};

/* A configuration of the package. */
typedef struct {
    const char *path;                   /* where it was kept */
    text file;                          /* its name in the package */
    const history_line *line;
    links_info info;
    uint32_t cksum;
    double change;
} published;

typedef struct {
    const publish_options *o;
    publish_about about;
    run_folder folder;
    run_history history;
    state_files files;
    text parameters;
    int count;
    published *item;
    fault_list missing;                 /* a line for everything that stands in the way */
} publication;

static void miss(publication *p, const char *format, ...) PRINTF_LIKE(2, 3);
static void miss(publication *p, const char *format, ...)
{
    char sentence[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    text_add(&p->missing.lines, "%s\n", sentence);
    p->missing.count++;
}

static const run_params *params_of(const publication *p)
{
    return &p->folder.in.p;
}

static void look_at_run(publication *p, const char *directory)
{
    failure f;
    text path = run_folder_path(directory, "run.jsonl");
    run_folder_look(&p->folder, directory);
    if (!p->folder.known)
        miss(p, "%s", text_string(&p->folder.why));
    if (!run_history_update(&p->history, text_string(&path), &f))
        miss(p, "%s", f.why);
    else if (p->history.damaged > 0 || p->history.missing > 0)
        miss(p, "%s: the record is not whole: %" PRId64 " damaged lines, %" PRId64 " trajectories without a line",
             text_string(&path), p->history.damaged, p->history.missing);
    text_free(&path);
}

static int64_t last_trajectory(const publication *p)
{
    return p->history.count > 0 ? p->history.line[p->history.count - 1].trajectory : 0;
}

static bool is_kept(const publication *p, int64_t trajectory)
{
    for (int i = 0; i < p->count; i++)
        if (p->item[i].line->trajectory == trajectory)
            return true;
    return false;
}

/* Every trajectory that the input says is kept has to be there. */
static void check_whole(publication *p, const char *directory, int64_t first)
{
    const run_params *run = params_of(p);
    int64_t last = last_trajectory(p), every = run->output.configuration_every;
    if (last < run->hmc.trajectories)
        miss(p, "%s: %" PRId64 " of %" PRId64 " trajectories are made: continue the run, or give --so-far", directory,
             last, run->hmc.trajectories);
    int64_t absent = 0, an_absent = 0;
    for (int64_t t = (first + every - 1) / every * every; t <= last; t += every)
        if (!is_kept(p, t)) {
            absent++;
            an_absent = an_absent ? an_absent : t;
        }
    if (absent > 0)
        miss(p, "%s: %" PRId64 " configurations of every %" PRId64 "th trajectory are not there, the first of "
             "trajectory %" PRId64 ": bring them back, or give --so-far", directory, absent, every, an_absent);
}

/* Agreement of the plaquette with the record: all its digits, or what rounded links leave of them. */
#define RECORD_TOLERANCE_64 1e-12
#define RECORD_TOLERANCE_32 1e-5

static void check_file(publication *p, published *c)
{
    failure f;
    const run_params *run = params_of(p);
    if (!links_read_info(c->path, &c->info, &f)) {
        miss(p, "%s", f.why);
        return;
    }
    const run_state *state = &c->info.state;
    double tolerance = c->info.bits == 32 ? RECORD_TOLERANCE_32 : RECORD_TOLERANCE_64;
    if (!c->info.has_state || state->trajectory != c->line->trajectory || state->seed != (uint64_t)run->random.seed
        || state->stream != (uint32_t)run->random.stream || state->input_digest != run_params_digest(run))
        miss(p, "%s: was not made as trajectory %" PRId64 " by this input", c->path, c->line->trajectory);
    else if (!(fabs(state->plaquette - c->line->plaquette) <= tolerance))
        miss(p, "%s: its plaquette is %.17g, but the record says %.17g", c->path, state->plaquette,
             c->line->plaquette);
    if (p->o->bits == 64 && c->info.bits == 32)
        miss(p, "%s: was kept in 32 bits: 64 cannot be had of it", c->path);
    if (!c->line->time[0])
        miss(p, "%s: the record does not say when trajectory %" PRId64 " was made", c->path, c->line->trajectory);
}

/* "DIRECTORY/cfg.000010.lime" -> "ENSEMBLE.000010.lime" */
static void name_file(published *c, const publish_about *about)
{
    const char *label = about->ensemble ? about->ensemble : "";
    for (const char *s = label; *s; s++)
        text_add_bytes(&c->file, *s == '/' || *s == ' ' ? "_" : s, 1);
    text_add(&c->file, ".%06" PRId64 ".lime", c->line->trajectory);
}

static void choose(publication *p, const char *directory)
{
    const run_params *run = params_of(p);
    int64_t first = p->o->from ? p->o->from : run->hmc.thermalization + 1;
    p->files = state_files_list(run);
    p->item = memory_alloc((size_t)(p->files.count + 1) * sizeof *p->item, "configurations of a package");
    for (int i = p->files.count - 1; i >= 0; i--) {           /* oldest first */
        const state_file *file = &p->files.file[i];
        int64_t at = history_line_from(&p->history, file->trajectory);
        if (file->kind != FILE_CONFIGURATION || file->trajectory < first)
            continue;
        if (at == p->history.count || p->history.line[at].trajectory != file->trajectory) {
            miss(p, "%s: the record has no trajectory %" PRId64, file->path, file->trajectory);
            continue;
        }
        published *c = &p->item[p->count++];
        *c = (published){ .path = file->path, .line = &p->history.line[at] };
        name_file(c, &p->about);
        check_file(p, c);
    }
    if (p->count == 0)
        miss(p, "%s: no configuration from trajectory %" PRId64 " on", directory, first);
    if (!p->o->so_far)
        check_whole(p, directory, first);
}

static void look_at_action(publication *p)
{
    failure f;
    xml_document x = { 0 };
    if (!qcdml_action(&x, params_of(p), &f))
        miss(p, "the action: %s", f.why);
    text_free(&x.out);
}

static bool write_document(const publish_folder *folder, const char *name, const text *content, failure *f)
{
    text path = publish_folder_path(folder, name);
    bool ok = safe_file_write_text(text_string(&path), text_string(content), false, f);
    text_free(&path);
    return ok;
}

/* The ILDG file and its document. */
static bool publish_configuration(publication *p, published *c, const publish_folder *folder, failure *f)
{
    configuration_facts facts;
    double *links = configuration_read_checked(c->path, &facts, f);
    if (!links)
        return false;
    c->info = facts.info;
    c->info.format = FORMAT_ILDG;
    c->info.bits = p->o->bits ? (int)p->o->bits : facts.info.bits;
    text path = publish_folder_path(folder, text_string(&c->file)), lfn = { 0 }, content = { 0 }, name = { 0 };
    publish_lfn(&lfn, &p->about, text_string(&c->file));
    bool ok = lfn.length < sizeof c->info.lfn
              || fail(f, "%s: is longer than the %zu characters there are", text_string(&lfn), sizeof c->info.lfn - 1);
    if (ok)
        memcpy(c->info.lfn, text_string(&lfn), lfn.length + 1);
    ok = ok && links_write(text_string(&path), links, &c->info, false, &c->change, f);
    if (ok) {
        c->cksum = links_ildg_cksum(links, &c->info);
        qcdml_configuration(&content, &(qcdml_configuration_facts){
            .about = &p->about, .p = params_of(p), .file = text_string(&c->file), .version = c->info.state.version,
            .time = c->line->time, .trajectory = c->line->trajectory, .bits = c->info.bits, .cksum = c->cksum,
            .plaquette = facts.plaquette.average });
        text_add_bytes(&name, text_string(&c->file), c->file.length - strlen("lime"));
        text_add(&name, "xml");
        ok = write_document(folder, text_string(&name), &content, f);
    }
    text_free(&path);
    text_free(&lfn);
    text_free(&content);
    text_free(&name);
    memory_free(links);
    return ok;
}

static bool publish_ensemble(publication *p, const publish_folder *folder, failure *f)
{
    text content = { 0 }, echo = { 0 };
    schema_echo(&echo, run_param_specs, params_of(p), false);
    bool ok = qcdml_ensemble(&content, &(qcdml_ensemble_facts){ &p->about, params_of(p), text_string(&echo), p->count },
                             f)
              && write_document(folder, "ensemble.xml", &content, f);
    text_free(&content);
    text_free(&echo);
    return ok;
}

static bool publish(publication *p, const char *output, const char **manifest, failure *f)
{
    publish_folder folder;
    if (!publish_folder_begin(&folder, output, f))
        return false;
    bool ok = publish_ensemble(p, &folder, f);
    for (int i = 0; ok && i < p->count; i++) {
        ok = publish_configuration(p, &p->item[i], &folder, f);
        if (ok)
            log_line(LOG_INFO, "%s", text_string(&p->item[i].file));
    }
    if (ok && publish_folder_manifest(&folder, manifest, f))
        return publish_folder_commit(&folder, f);
    publish_folder_abandon(&folder);
    return false;
}

static void tell(const publication *p, const char *output, const char *manifest)
{
    text uri = { 0 };
    publish_chain_uri(&uri, &p->about);
    if (!p->o->json) {
        printf("%s: %d configurations, ensemble.xml, %s\n  %s\n", output, p->count, manifest, text_string(&uri));
        text_free(&uri);
        return;
    }
    json j = { 0 };
    json_open(&j, NULL, '{');
    json_text(&j, "folder", output);
    json_text(&j, "chain", text_string(&uri));
    json_text(&j, "manifest", manifest);
    json_open(&j, "configurations", '[');
    for (int i = 0; i < p->count; i++) {
        const published *c = &p->item[i];
        json_open(&j, NULL, '{');
        json_text(&j, "file", text_string(&c->file));
        json_text(&j, "lfn", c->info.lfn);
        json_int(&j, "trajectory", c->line->trajectory);
        json_int(&j, "bits", c->info.bits);
        json_int(&j, "cksum", c->cksum);
        json_real(&j, "largest_change", c->change);
        json_close(&j);
    }
    json_close(&j);
    json_close(&j);
    puts(json_string(&j));
    json_free(&j);
    text_free(&uri);
}

static int print_template(void)
{
    text out = { 0 };
    publish_about_template(&out);
    printf("%s", text_string(&out));
    text_free(&out);
    return EXIT_OK;
}

static void release(publication *p)
{
    for (int i = 0; i < p->count; i++)
        text_free(&p->item[i].file);
    memory_free(p->item);
    state_files_free(&p->files);
    run_history_free(&p->history);
    run_folder_free(&p->folder);
    publish_about_free(&p->about);
    fault_list_free(&p->missing);
}

static int publish_directory(const publish_options *o, const char *directory)
{
    publication p = { .o = o };
    const char *manifest = NULL;
    failure f;
    text output = { 0 };
    text_add(&output, "%s%s", o->output ? o->output : directory, o->output ? "" : "/ildg");
    publish_about_read(&p.about, o->about, &p.missing);
    look_at_run(&p, directory);
    if (p.folder.known) {
        choose(&p, directory);
        look_at_action(&p);
    }
    bool ok = p.missing.count == 0;
    if (!ok)
        log_line(LOG_ERROR, "nothing is written: %d things are missing or wrong:\n%.*s", p.missing.count,
                 (int)p.missing.lines.length - 1, text_string(&p.missing.lines));
    else if (!(ok = publish(&p, text_string(&output), &manifest, &f)))
        log_line(LOG_ERROR, "%s", f.why);
    else
        tell(&p, text_string(&output), manifest);
    release(&p);
    text_free(&output);
    return ok ? EXIT_OK : EXIT_FAILED;
}

int cmd_publish(int argc, char **argv)
{
    publish_options o = { 0 };
    operands directories;
    int status = options_read(&publish_usage, argc, argv, &o, &directories);
    if (status != GO_ON)
        return status;
    if (o.print_template)
        return print_template();
    if (directories.count != 1 || !o.about)
        return usage_error(&publish_usage, "the folder of an ensemble and --about FILE are needed (--template prints "
                                           "such a file)");
    if (o.bits != 0 && o.bits != 32 && o.bits != 64)
        return usage_error(&publish_usage, "--bits is 32 or 64");
    return publish_directory(&o, directories.item[0]);
}
