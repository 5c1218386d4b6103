/* cmd_verify.c - kiln verify: check the links of files, and their metadata against them. */
#include "src/base/json.h"
#include "src/base/log.h"
#include "src/cli/configuration_files.h"
#include "src/cli/subcommands.h"
#include "src/cli/verify_propagator.h"
#include "src/io/configuration.h"
#include "src/io/file_json.h"
#include "src/io/propagator_file.h"
#include "src/options/device_choice.h"

#include <stdio.h>

typedef struct {
    bool json;
    device_choice device;
} verify_options;

static const usage verify_usage = {
    .name = "verify", .operands = "CONFIG...", .least = 1, .most = -1,
    .about = "Checks configurations: structure and checksum of the file, every number finite, every link in SU(3),\n"
             "plaquette and link trace equal to those in the metadata.  A file whose links in t of the last\n"
             "time slice are 0, as openQCD writes them, has open boundaries in t.  Of files of propagators:\n"
             "structure, checksums, every number finite; and prints what they are.  Exit status 1 if any file fails.\n"
             CONFIGURATION_FILES_DOC,
    .options = (const option[]){ JSON_OPTION(verify_options, json), DEVICE_OPTIONS(verify_options, device), { 0 } },
};

/* The results of one file.  `read`: structure, checksum, finite numbers; the other checks need the links. */
enum { CHECKS_MAX = 8 };
typedef struct {
    failure read;
    bool was_read;
    configuration_facts facts;
    failure check[CHECKS_MAX];
    bool holds[CHECKS_MAX], ok;
} verdict;

static void judge_file(verdict *v, const char *path, place where)
{
    gauge *u = configuration_read(where, &v->facts, path, &v->read);
    v->ok = v->was_read = u != NULL;
    if (!u)
        return;
    for (int i = 0; configuration_checks[i].name; i++) {
        v->holds[i] = configuration_checks[i].holds(&v->facts, path, &v->check[i]);
        v->ok = v->ok && v->holds[i];
    }
    configuration_close(u);
}

/* By the definition of the metadata. */
static double stored_plaquette(const configuration_facts *facts)
{
    return facts->ends_replaced ? configuration_openqcd_plaquette(facts) : facts->plaquette_of_all;
}

static void stated_number(json *j, const char *key, bool stated, double value, double measured)
{
    json_open(j, key, '{');
    json_real(j, "measured", measured);
    if (stated)
        json_real(j, "stated", value);
    else
        json_text(j, "stated", NULL);
    json_close(j);
}

static void verdict_to_json(json *j, const char *path, const verdict *v)
{
    const links_info *info = &v->facts.info;
    json_open(j, NULL, '{');
    if (v->was_read)
        file_to_json(j, path, info);
    else
        json_text(j, "file", path);
    if (v->was_read && v->facts.ends_replaced)
        json_text(j, "boundary_time", "open");
    json_bool(j, "ok", v->ok);
    json_open(j, "why", '[');
    if (!v->was_read)
        json_text(j, NULL, v->read.why);
    for (int i = 0; v->was_read && configuration_checks[i].name; i++)
        if (!v->holds[i])
            json_text(j, NULL, v->check[i].why);
    json_close(j);
    if (v->was_read) {
        json_text(j, "checksum", info->has_checksum ? info->checksum : NULL);
        json_real(j, "unitarity", v->facts.quality.unitarity);
        stated_number(j, "plaquette", info->has_plaquette, info->plaquette, stored_plaquette(&v->facts));
        stated_number(j, "link_trace", info->has_link_trace, info->link_trace, v->facts.quality.link_trace);
    }
    json_close(j);
}

static void print_verdict(const char *path, const verdict *v)
{
    const links_info *info = &v->facts.info;
    printf("%s: %s\n", path, v->ok ? "ok" : "FAILED");
    if (!v->was_read) {
        printf("  %s\n", v->read.why);
        return;
    }
    printf("  %-12s %s, %s, %d bits\n", "file", extents_to_text(info->extents).s, links_format_name(info->format),
           info->bits);
    if (v->facts.ends_replaced)
        printf("  %-12s open in t: inactive links are 0, as in files of openQCD\n", "boundary");
    printf("  %-12s %s\n", "checksum", info->has_checksum ? info->checksum : "none in the file");
    printf("  %-12s largest deviation from SU(3) %.3g\n", "unitarity", v->facts.quality.unitarity);
    printf("  %-12s %.15g", "plaquette", stored_plaquette(&v->facts));
    if (info->has_plaquette)
        printf(", metadata %.15g", info->plaquette);
    printf("\n  %-12s %.15g", "link trace", v->facts.quality.link_trace);
    if (info->has_link_trace)
        printf(", metadata %.15g", info->link_trace);
    printf("\n");
    for (int i = 0; configuration_checks[i].name; i++)
        if (!v->holds[i])
            printf("  failed: %s\n", v->check[i].why);
}

int cmd_verify(int argc, char **argv)
{
    verify_options o = { 0 };
    operands given;
    configuration_files files;
    place where;
    failure f;
    json j = { 0 };
    int status = options_read(&verify_usage, argc, argv, &o, &given);
    if (status != GO_ON)
        return status;
    if (!configuration_files_find(&files, &given, &f) || !device_choice_open(&o.device, &where, &f)) {
        log_line(LOG_ERROR, "%s", f.why);
        configuration_files_free(&files);
        return EXIT_FAILED;
    }
    status = EXIT_OK;
    if (files.count > 1)
        json_open(&j, NULL, '[');
    for (int i = 0; i < files.count; i++) {
        verdict v = { 0 };
        if (propagator_file_is_one(files.item[i])) {
            if (!verify_propagator(&j, o.json, files.item[i]))
                status = EXIT_FAILED;
            continue;
        }
        judge_file(&v, files.item[i], where);
        if (!v.ok)
            status = EXIT_FAILED;
        if (o.json)
            verdict_to_json(&j, files.item[i], &v);
        else
            print_verdict(files.item[i], &v);
    }
    if (files.count > 1)
        json_close(&j);
    if (o.json)
        puts(json_string(&j));
    json_free(&j);
    configuration_files_free(&files);
    return status;
}
