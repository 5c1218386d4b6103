/* cmd_publish.c - kiln publish: an ensemble as a package for the International Lattice Data Grid. */
#include "src/base/json.h"
#include "src/base/log.h"
#include "src/cli/subcommands.h"
#include "src/io/configuration.h"
#include "src/io/safe_file.h"
#include "src/options/options.h"
#include "src/publish/publish_ensemble.h"
#include "src/publish/publish_folder.h"
#include "src/publish/qcdml.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef struct {
    const char *about, *output;
    publish_request request;
    bool print_template, json;
} publish_options;

static const usage publish_usage = {
    .name = "publish", .operands = "DIRECTORY", .least = 0, .most = 1,
    .about =
        "Makes an ILDG package of the ensemble in DIRECTORY: every stored configuration after thermalization as an\n"
        "ILDG file with its logical file name, its QCDml document (trajectory, plaquette, cksum of the data), the\n"
        "QCDml document of the ensemble, and a manifest of checksums.  Facts come from the run's own record, except\n"
        "those of --about.  Kiln first audits the ensemble (kiln audit) and refuses a faulty one.  If entries of\n"
        "--about are missing, Kiln lists all of them and writes nothing.  No file is ever overwritten.\n"
        "  kiln publish --template > about.yaml        prints the entries to fill in",
    .options = (const option[]){
        { .name = "about", .value = "FILE", .doc = "collaboration, project, license, ...: see --template",
          .type = OPTION_TEXT, .path = PATH_READ, .offset = offsetof(publish_options, about) },
        { .name = "output", .value = "FOLDER", .doc = "a new folder (default: DIRECTORY/ildg)", .type = OPTION_TEXT,
          .path = PATH_WRITE, .offset = offsetof(publish_options, output) },
        { .name = "bits", .value = "BITS", .doc = "precision of the links, 32 or 64 (default: as stored)",
          .type = OPTION_INT, .offset = offsetof(publish_options, request.bits), .min = 32, .max = 64,
          .choices = option_bits },
        { .name = "from", .value = "N", .doc = "first trajectory (default: the first after thermalization)",
          .type = OPTION_INT, .offset = offsetof(publish_options, request.from), .min = 1, .max = 9e15 },
        { .name = "so-far", .doc = "publish an ensemble that is not complete, or has lost files",
          .type = OPTION_FLAG, .offset = offsetof(publish_options, request.so_far) },
        { .name = "copies", .doc = "publish an ensemble whose configurations are mostly copies of each other,\n"
                                    "because trajectories were rejected",
          .type = OPTION_FLAG, .offset = offsetof(publish_options, request.copies) },
        { .name = "template", .doc = "print a file for --about", .type = OPTION_FLAG,
          .offset = offsetof(publish_options, print_template) },
        JSON_OPTION(publish_options, json),
        { 0 }
    },
};

static bool write_document(const publish_folder *folder, const char *name, const text *content, failure *f)
{
    text path = publish_folder_path(folder, name);
    bool ok = safe_file_write_text(text_string(&path), text_string(content), false, f);
    text_free(&path);
    return ok;
}

/* Writes the ILDG file of a configuration and its QCDml document. */
static bool publish_configuration(const publication *p, published *c, int bits, const publish_folder *folder,
                                  failure *f)
{
    configuration_facts facts;
    gauge *u = configuration_open(PLACE_CPU, &facts, c->path, f);
    if (!u)
        return false;
    const slice_source links = field_slices(&u->links);
    c->info = facts.info;
    c->info.format = FORMAT_ILDG;
    c->info.bits = bits ? bits : facts.info.bits;
    text path = publish_folder_path(folder, text_string(&c->file)), lfn = { 0 }, content = { 0 }, name = { 0 };
    publish_lfn(&lfn, &p->about, text_string(&c->file));
    bool ok = lfn.length < sizeof c->info.lfn
              || fail(f, "%s: the logical file name is longer than %zu characters", text_string(&lfn),
                      sizeof c->info.lfn - 1);
    if (ok)
        memcpy(c->info.lfn, text_string(&lfn), lfn.length + 1);
    if (ok && c->info.bits < facts.info.bits)
        configuration_measure_stored(&c->info, u);
    ok = ok && links_write(text_string(&path), &links, &c->info, false, &c->change, f);
    if (ok) {
        c->cksum = links_ildg_cksum(&links, &c->info);
        qcdml_configuration(&content, &(qcdml_configuration_facts){
            .about = &p->about, .p = c->p, .file = text_string(&c->file), .version = c->info.state.version,
            .time = c->line->time, .trajectory = c->line->trajectory, .bits = c->info.bits, .cksum = c->cksum,
            .plaquette = c->info.bits < facts.info.bits ? c->info.plaquette : facts.plaquette_of_all });
        text_add_bytes(&name, text_string(&c->file), c->file.length - strlen("lime"));
        text_add(&name, "xml");
        ok = write_document(folder, text_string(&name), &content, f);
    }
    text_free(&path);
    text_free(&lfn);
    text_free(&content);
    text_free(&name);
    configuration_close(u);
    return ok;
}

/* The inputs of all segments with published configurations. */
static text inputs_of(const publication *p)
{
    text out = { 0 };
    for (int i = 0; i < p->count; i++)
        if (i == 0 || p->item[i].p != p->item[i - 1].p) {
            text_add(&out, "# input from trajectory %" PRId64 " on\n", p->item[i].line->trajectory);
            schema_echo(&out, run_param_specs, p->item[i].p, false);
        }
    return out;
}

static bool publish_ensemble(const publication *p, const publish_folder *folder, failure *f)
{
    text content = { 0 }, inputs = inputs_of(p);
    const qcdml_ensemble_facts facts = { &p->about, publication_params(p), text_string(&inputs), p->count };
    bool ok = qcdml_ensemble(&content, &facts, f) && write_document(folder, "ensemble.xml", &content, f);
    text_free(&content);
    text_free(&inputs);
    return ok;
}

static bool write_publication(publication *p, int bits, const char *output, const char **manifest, failure *f)
{
    publish_folder folder;
    if (!publish_folder_begin(&folder, output, f))
        return false;
    bool ok = publish_ensemble(p, &folder, f);
    for (int i = 0; ok && i < p->count; i++) {
        ok = publish_configuration(p, &p->item[i], bits, &folder, f);
        if (ok)
            log_line(LOG_INFO, "%s", text_string(&p->item[i].file));
    }
    if (ok && publish_folder_manifest(&folder, manifest, f))
        return publish_folder_commit(&folder, f);
    publish_folder_abandon(&folder);
    return false;
}

static void report_publication(const publication *p, bool as_json, const char *output, const char *manifest)
{
    text uri = { 0 };
    publish_chain_uri(&uri, &p->about);
    if (!as_json) {
        printf("%s: %s, ensemble.xml, %s\n  %s\n", output, count_to_text(p->count, "configuration").s, manifest,
               text_string(&uri));
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

static int publish_directory(const publish_options *o, const char *directory)
{
    publication p;
    const char *manifest = NULL;
    failure f;
    text output = { 0 };
    text_add(&output, "%s%s", o->output ? o->output : directory, o->output ? "" : "/ildg");
    publication_inspect(&p, &o->request, o->about, directory);
    bool ok = p.missing.count == 0;
    if (!ok)
        log_line(LOG_ERROR, "nothing written; %s missing or wrong:\n%.*s",
                 nouns_to_text(p.missing.count, "entry is", "entries are").s, (int)p.missing.lines.length - 1,
                 text_string(&p.missing.lines));
    else if (!(ok = write_publication(&p, (int)o->request.bits, text_string(&output), &manifest, &f)))
        log_line(LOG_ERROR, "%s", f.why);
    else
        report_publication(&p, o->json, text_string(&output), manifest);
    publication_free(&p);
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
        return usage_error(&publish_usage, "DIRECTORY and --about FILE are needed (--template prints such a file)");
    if (o.request.bits != 0 && o.request.bits != 32 && o.request.bits != 64)
        return usage_error(&publish_usage, "--bits must be 32 or 64");
    return publish_directory(&o, directories.item[0]);
}
