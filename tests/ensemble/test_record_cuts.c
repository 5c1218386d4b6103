/* test_record_cuts.c - what a run makes of the record that it finds: where it is cut, what it lacks, and which lines
 * were changed. */
#include "src/ensemble/checksummed_line.h"
#include "src/ensemble/record.h"
#include "tests/facts.h"
#include "tests/io/scratch.h"

/* A record of lines start + 1 .. start + 5 and what stands behind them, opened after trajectory `last`. */
typedef struct { record_cut cut; int lines; bool opened; } reopened;

static reopened reopen(const char *behind, int64_t start, int64_t last)
{
    reopened r = { .cut = { .dropped = -1, .missing = -1 } };
    scratch s = scratch_create();
    FILE *file = fopen(scratch_path(&s, "run.jsonl"), "w");
    for (int n = 1; n <= 5; n++)
        fprintf(file, "{\"trajectory\": %" PRId64 ", \"accepted\": true}\n", start + n);
    fputs(behind, file);
    fclose(file);
    record *opened = record_open(s.folder, start, last, &r.cut, NULL);
    r.opened = opened != NULL;
    record_close(opened);
    blob left = blob_read(scratch_path(&s, "run.jsonl"));
    for (size_t i = 0; i < left.n; i++)
        r.lines += left.bytes[i] == '\n';
    r.lines = left.n > 0 && left.bytes[left.n - 1] != '\n' ? -1 : r.lines;
    free(left.bytes);
    scratch_remove(&s);
    return r;
}

static void facts_of_cuts(void)
{
    static const struct { const char *behind; int last, lines, dropped, missing; const char *sentence; } cuts[] = {
        { "", 5, 5, 0, 0, "a record that ends with the state is left alone" },
        { "", 3, 3, 2, 0, "lines later than the state are cut off" },
        { "", 0, 0, 5, 0, "all of them, for a stream that begins again" },
        { "{\"trajectory\": 1}\n{\"trajectory\": 5}\n", 5, 5, 2, 0, "so are repeated lines behind that of the state" },
        { "{\"trajectory\": 6, \"acc", 5, 5, 1, 0, "a torn line is cut off" },
        { "{\"trajectory\": 6, \"acc", 6, 5, 1, 1, "a torn line is cut off, and missed, if the state would have it" },
        { "{\"trajectory\": 6, \"accepted\": true}\n{\"tra", 5, 5, 2, 0, "a later and a torn line are cut off" },
        { "{\"traj: 6, \"accepted\": true}\n{\"trajectory\": 7}\n", 7, 7, 0, 1,
          "a damaged line between good ones stays, and is missed" },
        { "", 8, 5, 0, 3, "lines between the record's end and the state are missed" },
        { "{\"trajectory\": 8}\n", 8, 6, 0, 2, "so are lines that have been taken out" },
        { "{\"trajectory\": 5}\n", 6, 6, 0, 1, "a line that is there twice makes up for none" },
    };
    for (size_t i = 0; i < sizeof cuts / sizeof *cuts; i++) {
        reopened r = reopen(cuts[i].behind, 0, cuts[i].last);
        fact(r.opened && r.lines == cuts[i].lines && r.cut.dropped == cuts[i].dropped
             && r.cut.missing == cuts[i].missing, "%s: %d lines, %d dropped, %d missing", cuts[i].sentence, r.lines,
             (int)r.cut.dropped, (int)r.cut.missing);
    }
    enum { START = 1200 };
    reopened r = reopen("", START, START + 3), longer = reopen("", START, START + 7), none = reopen("", START, START);
    fact(r.lines == 3 && r.cut.dropped == 2 && r.cut.missing == 0, "after start.trajectory: later lines are cut off");
    fact(longer.lines == 5 && longer.cut.dropped == 0 && longer.cut.missing == 2, "lines that lack are missed");
    fact(none.lines == 0 && none.cut.dropped == 5 && none.cut.missing == 0, "and the start itself has none");
}

/* A line with its digest; `changed`: the number of the trajectory is then another one. */
static void add_checksummed(text *lines, int trajectory, bool changed)
{
    json j = { 0 };
    json_open(&j, NULL, '{');
    json_int(&j, "trajectory", trajectory);
    json_bool(&j, "accepted", true);
    checksummed_line_add(&j);
    json_close(&j);
    text line = { 0 };
    text_add(&line, "%s\n", json_string(&j));
    if (changed)
        memcpy(strstr(line.s, "true"), "TRUE", 4);
    text_add(lines, "%s", text_string(&line));
    text_free(&line);
    json_free(&j);
}

/* After the five lines without a digest. */
static void facts_of_changes(void)
{
    static const struct { bool changed[3]; int count, first; } cases[] = {
        { { false, false, false }, 0, 0 }, { { true, false, false }, 1, 6 }, { { false, true, true }, 2, 7 },
        { { true, false, true }, 2, 6 }, { { false, false, true }, 1, 8 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        text lines = { 0 };
        for (int n = 0; n < 3; n++)
            add_checksummed(&lines, 6 + n, cases[i].changed[n]);
        const reopened r = reopen(text_string(&lines), 0, 8);
        fact(r.opened && r.lines == 8 && r.cut.changed == cases[i].count && r.cut.first_changed == cases[i].first,
             "%d changed lines, the first of them line %d (found %d, %d)", cases[i].count, cases[i].first,
             (int)r.cut.changed, (int)r.cut.first_changed);
        text_free(&lines);
    }
}

/* A monomial and a measurement may have the name of the member that an SDC check adds to a line. */
static void facts_of_sdc_checks(void)
{
    static const char named[] =
        "{\"trajectory\": 6, \"measurements\": {\"p\": {}, \"sdc_check\": {\"kind\": \"polyakov\"}}, \"monomials\": "
        "{\"g\": {}, \"sdc_check\": {\"iterations\": 3}}, \"reunitarized\": true}\n";
    static const char checked[] =
        "{\"trajectory\": 6, \"reunitarized\": true, \"sdc_check\": {\"term\": \"g\", \"what\": \"force\"}}\n"
        "{\"trajectory\": 7, \"reunitarized\": false, \"sdc_check\": {\"term\": \"g\", \"what\": \"force\"}}\n";
    fact(reopen(named, 0, 6).cut.sdc_checked == 0, "a monomial with the name sdc_check is no SDC check");
    fact(reopen(checked, 0, 6).cut.sdc_checked == 6 && reopen(checked, 0, 7).cut.sdc_checked == 7,
         "the last SDC check is found");
}

int main(void)
{
    facts_of_cuts();
    facts_of_changes();
    facts_of_sdc_checks();
    return facts_end();
}
