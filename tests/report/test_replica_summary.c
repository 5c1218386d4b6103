/* test_replica_summary.c - swaps and round trips from lines of a record that is written here. */
#include "src/report/replica_summary.h"
#include "tests/facts.h"
#include "tests/io/scratch.h"

#include <stdio.h>
#include <string.h>

enum { REPLICAS = 3 };

/* Where the links are after each trajectory, and which swaps were accepted: '1', '0', or none tried ("").
 * Links 0: first, last (3), first (5): a round trip.  Links 1: first (1), last (5), not back.  Links 2: last from the
 * start, first (3) begins a trip. */
static const struct { int at[REPLICAS]; const char *swaps; } lines[] = {
    { { 0, 1, 2 }, "00" }, { { 1, 0, 2 }, "10" }, { { 1, 2, 0 }, "01" }, { { 2, 1, 0 }, "10" }, { { 2, 1, 0 }, "" },
    { { 0, 2, 1 }, "11" },
};
enum { LINES = sizeof lines / sizeof *lines };

static void write_record(const char *path)
{
    FILE *file = fopen(path, "w");
    for (int n = 0; n < LINES; n++) {
        fprintf(file, "{\"trajectory\": %d, \"accepted\": true, \"thermalization\": false, \"update\": \"heatbath\", "
                      "\"random\": 0, \"dH\": 0, \"exp_minus_dH\": 1, \"plaquette\": {\"average\": 0.5}, "
                      "\"tempering\": {\"origins\": [%d, %d, %d], \"swaps\": [",
                n + 1, lines[n].at[0], lines[n].at[1], lines[n].at[2]);
        for (const char *s = lines[n].swaps; *s; s++)
            fprintf(file, "%s{\"dS\": 0.5, \"accepted\": %s}", s == lines[n].swaps ? "" : ", ",
                    *s == '1' ? "true" : "false");
        fprintf(file, "], \"replicas\": [{\"accepted\": true}, {\"accepted\": true}, {\"accepted\": %s}]}, "
                      "\"seconds\": 1}\n", n == 1 || n == 4 ? "false" : "true");
    }
    fclose(file);
}

/* A line of a record that goes on with two replicas. */
static void add_smaller(const char *path)
{
    FILE *file = fopen(path, "a");
    fprintf(file, "{\"trajectory\": %d, \"accepted\": true, \"thermalization\": false, \"update\": \"heatbath\", "
                  "\"random\": 0, \"dH\": 0, \"exp_minus_dH\": 1, \"plaquette\": {\"average\": 0.5}, "
                  "\"tempering\": {\"origins\": [0, 1], \"swaps\": [{\"dS\": 0.5, \"accepted\": true}], "
                  "\"replicas\": [{\"accepted\": true}, {\"accepted\": true}]}, \"seconds\": 1}\n", LINES + 1);
    fclose(file);
}

int main(void)
{
    scratch s = scratch_create();
    const continuity_rules rules = { .segments = NULL };
    run_history h = { 0 };
    failure why;
    write_record(scratch_path(&s, "run.jsonl"));
    require(run_history_update(&h, &rules, NULL, scratch_path(&s, "run.jsonl"), &why), "%s", why.why);
    const segments none = { 0 };
    const replica_summary all = replica_summary_make(&h, &none, 1), later = replica_summary_make(&h, &none, 4);
    fact(all.replicas == REPLICAS, "the number of replicas");
    fact(all.tried[0] == 5 && all.accepted[0] == 3 && all.tried[1] == 5 && all.accepted[1] == 2,
         "swaps of each pair; a line without swaps does not count");
    fact(all.round_trips == 1, "a round trip goes from the first replica to the last and back");
    fact(later.tried[0] == 2 && later.accepted[0] == 2 && later.accepted[1] == 1 && later.round_trips == 0,
         "lines before the first one asked for do not count");
    fact(all.updates[2] == LINES && all.updated[2] == LINES - 2 && all.updated[1] == LINES && later.updated[2] == 2,
         "accepted updates of each replica");
    /* The number 0 at the first replica in line 6 is that of other links than in line 4, if copies began at line 5. */
    segment item[] = { { .first = 1, .input_digest = 1 }, { .first = 5, .input_digest = 1 } };
    const segments two = { 2, item };
    fact(replica_summary_make(&h, &two, 1).round_trips == 1, "a trip goes over a segment with the same parameters");
    item[1].input_digest = 2;
    const replica_summary changed = replica_summary_make(&h, &two, 1);
    fact(changed.round_trips == 0 && changed.tried[0] == 5, "but not over one that begins with copies; swaps count");
    text words = { 0 };
    replica_summary_add(&words, &all);
    fact(strcmp(text_string(&words), "3, swaps accepted by pair: 0.60 0.40; 1 round trip; updates accepted: "
                "0.67 at least (replica 2)") == 0, "in words: %s",
         text_string(&words));
    text_free(&words);
    add_smaller(scratch_path(&s, "run.jsonl"));
    require(run_history_update(&h, &rules, NULL, scratch_path(&s, "run.jsonl"), &why), "%s", why.why);
    fact(replica_summary_make(&h, &none, 1).replicas == 2, "the number of replicas is that of the newest line");
    run_history_free(&h);
    scratch_remove(&s);
    return facts_end();
}
