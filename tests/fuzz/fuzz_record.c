/* fuzz_record.c - arbitrary bytes as run.jsonl: every line is read or counted as damaged, and there is a summary. */
#include "tests/fuzz/targets.h"

#include "src/report/run_summary.h"
#include "src/ensemble/record_line.h"
#include "src/ensemble/checksummed_line.h"

#include <stdlib.h>
#include <string.h>

static void expect_lines(const run_history *h, const uint8_t *bytes, size_t n)
{
    int64_t lines = 0;
    for (size_t i = 0; i < n; i++)
        lines += bytes[i] == '\n';
    const int64_t others = lines - h->count - h->damaged, left_out = history_left_out(h);    /* a line may be both */
    expect(h->lines_read == lines && others <= left_out + h->changed && others >= left_out && others >= h->changed,
           "every line is read, left out, changed or counted as damaged");
    expect(h->torn == (n > 0 && bytes[n - 1] != '\n'), "a last line without an end is told");
    expect((h->damaged > 0) == (h->first_damaged > 0) && h->first_damaged <= lines, "the first damaged line is one");
    for (int64_t i = 0; i < h->count; i++)
        expect(h->line[i].trajectory >= 1, "numbers of trajectories");
    for (int c = 0; c < h->columns; c++)
        expect(h->column[c].reported >= 1 && history_find(h, h->column[c].kind, h->column[c].title) == &h->column[c],
               "columns that lines have, each once");
}

/* As kiln audit reads them: a line with a checksum, or none, and what ties it to its stream. */
static void audit_lines(const uint8_t *bytes, size_t n)
{
    char *all = fuzz_text(bytes, n), *next = NULL;
    for (char *line = strtok_r(all, "\n", &next); line; line = strtok_r(NULL, "\n", &next)) {
        failure f = { .why = "" };
        record_line l;
        checksum_state checksum = checksummed_line_check(line);
        expect(checksum == CHECKSUM_MISSING || checksum == CHECKSUM_HOLDS || checksum == CHECKSUM_DIFFERS,
               "a state of the checksum");
        yyjson_doc *doc = json_read_string(line, "line", &f);
        expect(doc ? record_line_read(&l, yyjson_doc_get_root(doc), &f) || f.why[0] : f.why[0] != '\0',
               "a line of a record, or a reason");
        yyjson_doc_free(doc);
    }
    free(all);
}

bool fuzz_record(const uint8_t *bytes, size_t n)
{
    failure f = { .why = "" };
    const continuity_rules rules = { .segments = NULL };
    run_history h = { 0 };
    record_lines lines = { 0 };
    run_summary s;
    const char *path = fuzz_file(bytes, n);
    expect(run_history_update(&h, &rules, &lines, path, &f), "a record that can be read, whatever is in it");
    expect_lines(&h, bytes, n);
    audit_lines(bytes, n);
    const int64_t count = h.count, read = lines.count;
    expect(read == h.lines_read, "every complete line, for the checks, too");
    expect(run_history_update(&h, &rules, &lines, path, &f) && h.count == count, "nothing new when nothing was added");
    expect(lines.count == read, "nor for the checks");
    run_summary_make(&s, &h, 0, 0, NULL);
    expect(s.trajectories == h.count && s.accepted <= s.tested && s.tested <= s.trajectories, "a summary of the lines");
    expect(run_summary_verdict(&s)[0], "a verdict");
    run_summary_free(&s);
    record_lines_free(&lines);
    run_history_free(&h);
    return count > 0;
}
