/* audit.c - run the parts of an audit in their order, and compare two streams. */
#include "src/audit/audit.h"

#include "src/audit/audit_parts.h"
#include "src/base/memory.h"
#include "src/io/disk.h"

#include <inttypes.h>
#include <stdlib.h>

void audit_stream(audit *a, const char *directory, bool gaps, place where)
{
    *a = (audit){ .directory = directory, .newest = -1, .gaps = gaps };
    if (!audit_parameters(a))
        return;
    audit_record(a, NULL);
    if (a->newest >= 0)
        audit_states(a, where);
    audit_other_files(a);
}

void audit_tables(audit *a, const char *directory, const record_lines *lines)
{
    *a = (audit){ .directory = directory, .newest = -1 };
    if (audit_parameters(a))
        audit_record(a, lines);
}

void audit_free(audit *a)
{
    run_input_free(&a->input);
    segments_free(&a->segments);
    memory_free(a->thermalization);
    state_files_free(&a->files);
    record_check_free(&a->record);
    for (int i = 0; i < audit_faults(a); i++)
        stream_fault_free(i == 0 ? &a->fault : &a->other[i - 1]);
    free(a->other);
    text_free(&a->notes);
}

static int64_t least(int64_t x, int64_t y)
{
    return x < y ? x : y;
}

/* The number of trajectories that both streams have, by their numbers, and the first of them. */
static int64_t common_trajectories(int64_t *first, const audit *a, const audit *b)
{
    const record_check *of_a = &a->record, *of_b = &b->record;
    *first = (of_a->start > of_b->start ? of_a->start : of_b->start) + 1;
    return least(record_check_last(of_a), record_check_last(of_b)) + 1 - *first;
}

/* The first trajectory with a chain in both streams that differs; 0: none. */
static int64_t parting(const audit *a, const audit *b)
{
    int64_t first;
    const int64_t count = common_trajectories(&first, a, b);
    for (int64_t n = first; n < first + count; n++) {
        const chain_value *of_a = &record_check_line(&a->record, n)->chain;
        const chain_value *of_b = &record_check_line(&b->record, n)->chain;
        if (of_a->begun && of_b->begun && of_a->value != of_b->value)
            return n;
    }
    return 0;
}

/* Whether streams with the same seed have no common random numbers: each begins where the other one has not been, and
 * at most one has drawn those of trajectory 0. */
static bool different_numbers(const audit *a, const audit *b)
{
    int64_t first;
    const int64_t count = common_trajectories(&first, a, b);
    return a->record.start != b->record.start && count <= 0
           && (a->params.start.heatbath.sweeps == 0 || b->params.start.heatbath.sweeps == 0);
}

bool audit_same_folder(const audit *a, const audit *b)
{
    struct stat of_a, of_b;
    return disk_status(&of_a, a->directory) == 0 && disk_status(&of_b, b->directory) == 0 && of_a.st_dev == of_b.st_dev
           && of_a.st_ino == of_b.st_ino;
}

bool audit_pair(stream_fault *fault, const audit *a, const audit *b)
{
    const run_params *p = &a->params, *q = &b->params;
    *fault = (stream_fault){ 0 };
    if (audit_same_folder(a, b) || !a->known || !b->known || p->random.seed != q->random.seed
        || p->random.stream != q->random.stream || different_numbers(a, b))
        return true;
    fault_reason pair = fault_format("%s and %s", a->directory, b->directory);
    fault_reason stream = fault_format("seed %" PRId64 ", stream %" PRId64 " in both", p->random.seed,
                                       p->random.stream);
    bool same_start = a->segments.count > 0 && b->segments.count > 0
                      && a->segments.item[0].chain == b->segments.item[0].chain
                      && a->segments.item[0].first == b->segments.item[0].first;
    int64_t parted = parting(a, b);
    int64_t both = least(a->record.count, b->record.count);
    if (same_start && parted > a->segments.item[0].first)
        stream_fault_set(fault, pair.s, "a fork", "one continuation of every trajectory",
                         fault_format("the same trajectories up to %" PRId64 ", then different ones; %s", parted - 1,
                                      stream.s).s,
                         "use only one of the streams; their configurations are not independent");
    else if (same_start && parted == 0)
        stream_fault_set(fault, pair.s, "a copy", "every stream once",
                         fault_format("the same %" PRId64 " trajectories; %s", both, stream.s).s,
                         "use the longer stream; continue only one of them, else they become a fork");
    else
        stream_fault_set(fault, pair.s, "a repeated seed", "different seeds or streams", stream.s,
                         "both have the same random numbers: generate one again with another random.stream");
    return false;
}
