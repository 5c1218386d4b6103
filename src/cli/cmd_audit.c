/* cmd_audit.c - kiln audit: is a stream complete and unchanged, and are several streams independent? */
#include "src/base/json.h"
#include "src/base/log.h"
#include "src/base/memory.h"
#include "src/cli/device_choice.h"
#include "src/cli/subcommands.h"
#include "src/audit/audit.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef struct {
    bool json;
    device_choice device;
} audit_options;

static const usage audit_usage = {
    .name = "audit", .operands = "DIRECTORY...", .least = 1, .most = -1,
    .about = "Checks that a stream of trajectories has no gap, no fork, no repeated seed and no silent change: it\n"
             "compares the parameter files with the segments, every line of the record with the previous line,\n"
             "every configuration and checkpoint with its line and with the previous configuration, and all links\n"
             "with their checksums.  Prints the first fault: where it is, what was expected, what was found and\n"
             "what to do.  Given several folders, it also searches them for equal random numbers, forks and copies.\n"
             "Changes no file.  Exit status 1 if there is a fault.",
    .options = (const option[]){ JSON_OPTION(audit_options, json), DEVICE_OPTIONS(audit_options, device), { 0 } },
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
    json_int(j, "configurations", a->configurations);
    json_int(j, "checkpoints", a->checkpoints);
    segments_to_json(j, a);
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
    printf("  %-10s %s\n", "fault", text_string(&fault->what));
    printf("  %-10s %s\n", "where", text_string(&fault->where));
    printf("  %-10s %s\n", "expected", text_string(&fault->expected));
    printf("  %-10s %s\n", "found", text_string(&fault->found));
    printf("  %-10s %s\n", "to do", text_string(&fault->advice));
}

static void print_audit(const audit *a)
{
    printf("%s: %s\n", a->directory, a->faulty ? "FAULTY" : "ok");
    if (a->known)
        printf("  %-10s seed %" PRId64 ", stream %" PRId64 "\n", "stream", a->params.random.seed,
               a->params.random.stream);
    printf("  %-10s %s, %s, %s\n", "verified", nouns_to_text(a->record.count, "trajectory", "trajectories").s,
           count_to_text(a->configurations, "configuration").s, count_to_text(a->checkpoints, "checkpoint").s);
    for (int i = 1; i < a->segments.count; i++)
        printf("  %-10s new parameters from trajectory %" PRId64 " on\n", "segment", a->segments.item[i].first);
    if (a->faulty)
        print_fault(&a->fault);
    for (const char *line = text_string(&a->notes); *line; line += strcspn(line, "\n") + 1)
        printf("  %-10s %.*s\n", "note", (int)strcspn(line, "\n"), line);
}

/* Two names of one folder: there is nothing to compare. */
static void print_same(const audit *a, const audit *b)
{
    printf("%s and %s: the same folder\n", a->directory, b->directory);
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
                printf("%s: FAULTY\n", text_string(&fault.where));
                print_fault(&fault);
            }
            stream_fault_free(&fault);
        }
    json_close(j);
    return apart;
}

int cmd_audit(int argc, char **argv)
{
    audit_options o = { 0 };
    operands folders;
    place where;
    failure f;
    json j = { 0 };
    int status = options_read(&audit_usage, argc, argv, &o, &folders);
    if (status != GO_ON)
        return status;
    if (!device_choice_open(&o.device, &where, &f)) {
        log_line(LOG_ERROR, "%s", f.why);
        return EXIT_FAILED;
    }
    audit *all = memory_alloc((size_t)folders.count * sizeof *all, "audits");
    bool ok = true;
    json_open(&j, NULL, '{');
    json_open(&j, "streams", '[');
    for (int i = 0; i < folders.count; i++) {
        char *name = folders.item[i];
        for (size_t end = strlen(name); end > 1 && name[end - 1] == '/'; end--)
            name[end - 1] = '\0';
        audit_stream(&all[i], name, false, where);
        ok = ok && !all[i].faulty;
        if (o.json)
            audit_to_json(&j, &all[i]);
        else
            print_audit(&all[i]);
    }
    json_close(&j);
    ok = compare(all, folders.count, &j, o.json) && ok;
    json_bool(&j, "ok", ok);
    json_close(&j);
    if (o.json)
        puts(json_string(&j));
    json_free(&j);
    for (int i = 0; i < folders.count; i++)
        audit_free(&all[i]);
    memory_free(all);
    return ok ? EXIT_OK : EXIT_FAILED;
}
