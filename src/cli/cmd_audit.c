/* cmd_audit.c - kiln audit: is a stream complete and unchanged, and are several streams independent? */
#include "src/audit/audit.h"
#include "src/base/json.h"
#include "src/base/log.h"
#include "src/base/memory.h"
#include "src/cli/subcommands.h"
#include "src/comm/comm.h"
#include "src/config/number.h"
#include "src/config/yaml.h"
#include "src/ensemble/ensemble_parameters.h"
#include "src/io/disk.h"
#include "src/lattice/grid.h"
#include "src/options/device_choice.h"
#include "src/options/rank_options.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

typedef struct {
    bool json;
    device_choice device;
    rank_options ranks;
} audit_options;

static const usage audit_usage = {
    .name = "audit", .operands = "DIRECTORY...", .least = 1, .most = -1,
    .about = "Checks that a stream of trajectories has no gap, no fork, no repeated seed and no silent change: it\n"
             "compares the parameter files with the segments, every line of the record with the previous line,\n"
             "every configuration and checkpoint with its line and with the previous configuration, and all links\n"
             "with their checksums.  Prints every fault: where it is, what was expected, what was found and\n"
             "what to do.  Given several folders, it also searches them for equal random numbers, forks and copies.\n"
             "Changes no file.  Exit status 1 if there is a fault.",
    .options = (const option[]){ JSON_OPTION(audit_options, json), DEVICE_OPTIONS(audit_options, device),
                                 RANK_OPTIONS(audit_options, ranks, device), { 0 } },
};

static void segments_to_json(json *j, const audit *a)
{
    json_open(j, "segments", '[');
    for (int i = 0; i < a->segments.count; i++) {
        char digest[24];
        snprintf(digest, sizeof digest, "0x%016" PRIx64, a->segments.item[i].input_digest);
        json_open(j, NULL, '{');
        json_int(j, "first_trajectory", a->segments.item[i].first);
        json_text(j, "input_digest", digest);
        json_close(j);
    }
    json_close(j);
}

static void audit_to_json(json *j, const audit *a)
{
    json_open(j, NULL, '{');
    json_text(j, "directory", a->directory);
    json_bool(j, "ok", !a->faulty);
    if (a->known) {
        json_int(j, "seed", a->params.random.seed);
        json_int(j, "stream", a->params.random.stream);
    }
    json_int(j, "trajectories", a->record.count);
    json_int(j, "start_trajectory", a->record.start);
    json_int(j, "configurations", a->configurations);
    json_int(j, "checkpoints", a->checkpoints);
    segments_to_json(j, a);
    json_open(j, "faults", '[');
    for (int i = 0; i < audit_faults(a); i++)
        stream_fault_to_json(j, NULL, audit_fault(a, i));
    json_close(j);
    json_int(j, "fault_count", a->faulty + a->others);
    stream_fault_to_json(j, "fault", a->faulty ? &a->fault : NULL);
    json_open(j, "notes", '[');
    for (const char *line = text_string(&a->notes); *line; line += strcspn(line, "\n") + 1) {
        text one = { 0 };
        text_add_bytes(&one, line, strcspn(line, "\n"));
        json_text(j, NULL, text_string(&one));
        text_free(&one);
    }
    json_close(j);
    json_close(j);
}

static void print_fault(const stream_fault *fault)
{
    fprintf(result_stream(), "  %-10s %s\n", "fault", text_string(&fault->what));
    fprintf(result_stream(), "  %-10s %s\n", "where", text_string(&fault->where));
    fprintf(result_stream(), "  %-10s %s\n", "expected", text_string(&fault->expected));
    fprintf(result_stream(), "  %-10s %s\n", "found", text_string(&fault->found));
    fprintf(result_stream(), "  %-10s %s\n", "to do", text_string(&fault->advice));
}

static void print_audit(const audit *a)
{
    fprintf(result_stream(), "%s: %s\n", a->directory, a->faulty ? "FAULTY" : "ok");
    if (a->known)
        fprintf(result_stream(), "  %-10s seed %" PRId64 ", stream %" PRId64 "\n", "stream", a->params.random.seed,
                a->params.random.stream);
    fprintf(result_stream(), "  %-10s %s, %s, %s\n", "verified",
            nouns_to_text(a->record.count, "trajectory", "trajectories").s,
            count_to_text(a->configurations, "configuration").s, count_to_text(a->checkpoints, "checkpoint").s);
    if (a->record.start > 0 && a->record.count > 0)
        fprintf(result_stream(), "  %-10s %" PRId64 " to %" PRId64 "\n", "numbers", a->record.start + 1,
                record_check_last(&a->record));
    for (int i = 1; i < a->segments.count; i++)
        fprintf(result_stream(), "  %-10s %s from trajectory %" PRId64 " on\n", "segment",
                a->segments.item[i].input_digest == a->segments.item[i - 1].input_digest
                    ? "other values of keys that may change,"
                    : "new parameters",
                a->segments.item[i].first);
    for (int i = 0; i < audit_faults(a); i++)
        print_fault(audit_fault(a, i));
    if (a->faulty + a->others > audit_faults(a))
        fprintf(result_stream(), "  %-10s %d further faults\n", "and", a->faulty + a->others - audit_faults(a));
    for (const char *line = text_string(&a->notes); *line; line += strcspn(line, "\n") + 1)
        fprintf(result_stream(), "  %-10s %.*s\n", "note", (int)strcspn(line, "\n"), line);
}

/* Two names of one folder: there is nothing to compare. */
static void print_same(const audit *a, const audit *b)
{
    fprintf(result_stream(), "%s and %s: the same folder\n", a->directory, b->directory);
}

/* Compares every pair of streams; true if all are independent. */
static bool compare(const audit *all, int count, json *j, bool as_json)
{
    bool apart = true;
    json_open(j, "between", '[');
    for (int i = 0; i < count; i++)
        for (int k = i + 1; k < count; k++) {
            stream_fault fault;
            if (!as_json && audit_same_folder(&all[i], &all[k]))
                print_same(&all[i], &all[k]);
            bool two_are_apart = audit_pair(&fault, &all[i], &all[k]);
            apart = apart && two_are_apart;
            if (!two_are_apart && as_json) {
                stream_fault_to_json(j, NULL, &fault);
            } else if (!two_are_apart) {
                fprintf(result_stream(), "%s: FAULTY\n", text_string(&fault.where));
                print_fault(&fault);
            }
            stream_fault_free(&fault);
        }
    json_close(j);
    return apart;
}

/* Whether the ranks can divide the lattice of a stream; this is not part of the audit.  True if its parameters cannot
 * be read, because the audit then reports it. */
static bool is_divisible(const char *folder, failure *f)
{
    int extents[4];
    text path = ensemble_parameters_path(folder, INT64_MAX);
    yaml_node *tree = comm_size(comm_world()) > 1 ? disk_read_yaml(text_string(&path), NULL) : NULL;
    const yaml_node *list = tree && tree->type == YAML_MAPPING ? yaml_get(tree, "lattice") : NULL;
    bool known = list && list->type == YAML_SEQUENCE && list->count == 4, ok = true;
    for (int mu = 0; known && mu < 4; mu++) {
        int64_t extent = 0;
        text message = { 0 };
        known = list->item[mu]->type == YAML_SCALAR && number_read_integer(list->item[mu]->scalar, &extent, &message)
                && extent > 0 && extent <= INT_MAX;
        extents[mu] = (int)extent;
        text_free(&message);
    }
    failure why;
    if (known && !grid_is_possible_here(extents, GRID_HOPS_MOST, &why))
        ok = fail(f, "%s: %s", folder, why.why);
    yaml_tree_free(tree);
    text_free(&path);
    return ok;
}

/* What each rank gets. */
typedef struct { const audit_options *options; const operands *folders; } audit_task;

static int audit_on_rank(void *of)
{
    const audit_task *t = of;
    const bool as_json = t->options->json;
    const operands *folders = t->folders;
    place where;
    failure f;
    json j = { 0 };
    if (!device_choice_open(&t->options->device, &where, &f)) {
        log_line(LOG_ERROR, "%s", f.why);
        return EXIT_FAILED;
    }
    for (int i = 0; i < folders->count; i++)
        if (!is_divisible(folders->item[i], &f)) {
            log_line(LOG_ERROR, "%s", f.why);
            return EXIT_USAGE;
        }
    audit *all = memory_alloc((size_t)folders->count * sizeof *all, "audits");
    bool ok = true;
    json_open(&j, NULL, '{');
    json_open(&j, "streams", '[');
    for (int i = 0; i < folders->count; i++) {
        audit_stream(&all[i], folders->item[i], false, where);
        ok = ok && !all[i].faulty;
        if (as_json)
            audit_to_json(&j, &all[i]);
        else
            print_audit(&all[i]);
    }
    json_close(&j);
    ok = compare(all, folders->count, &j, as_json) && ok;
    json_bool(&j, "ok", ok);
    json_close(&j);
    if (as_json)
        fprintf(result_stream(), "%s\n", json_string(&j));
    json_free(&j);
    for (int i = 0; i < folders->count; i++)
        audit_free(&all[i]);
    memory_free(all);
    return ok ? EXIT_OK : EXIT_FAILED;
}

static void cut_slashes(char *name)
{
    for (size_t end = strlen(name); end > 1 && name[end - 1] == '/'; end--)
        name[end - 1] = '\0';
}

int cmd_audit(int argc, char **argv)
{
    audit_options o = { 0 };
    operands folders;
    const int status = rank_options_read(&audit_usage, argc, argv, &o, &o.ranks, &folders);
    if (status != GO_ON)
        return status;
    for (int i = 0; i < folders.count; i++)
        cut_slashes(folders.item[i]);
    audit_task task = { &o, &folders };
    return rank_options_run(&o.ranks, audit_on_rank, &task);
}
