/* record_check.c - compare lines of run.jsonl with each other and with the segments; compare states with lines. */
#include "src/ensemble/record_check.h"

#include <inttypes.h>
#include <stdlib.h>

static bool stands_later(const record_lines *all, int64_t from, int64_t trajectory)
{
    for (int64_t i = from; i < all->count; i++)
        if (!all->item[i].unreadable && all->item[i].l.link.trajectory == trajectory)
            return true;
    return false;
}

#define FROM_A_COPY "restore the line from a copy of the record; without a copy, save the record elsewhere and " \
                    "remove this line and all that follow: kiln run generates their trajectories again"

static bool check_number(stream_fault *fault, const record_lines *all, int64_t i, int64_t expected, const char *where)
{
    int64_t found = all->item[i].l.link.trajectory;
    if (found == expected)
        return true;
    fault_reason wanted = fault_format("trajectory %" PRId64, expected);
    fault_reason there = fault_format("trajectory %" PRId64, found);
    if (found < expected)
        return stream_fault_set(fault, where, "a repeated line", wanted.s,
                                fault_format("trajectory %" PRId64 " a second time", found).s,
                                "remove the second line");
    if (stands_later(all, i + 1, expected))
        return stream_fault_set(fault, where, "lines in the wrong order", wanted.s, there.s,
                                "sort the lines by their trajectories");
    return stream_fault_set(fault, where, "a missing line", wanted.s, there.s, FROM_A_COPY);
}

/* Checks for lines with a chain. */
static bool check_ties(stream_fault *fault, const record_rules *rules, const record_item *line, uint64_t before,
                       const char *where)
{
    const record_line *l = &line->l;
    int index = segments_at(rules->segments, l->link.trajectory);
    const segment *s = &rules->segments->item[index];
    chain_link link = l->link;
    link.seed = rules->seed;
    link.stream = rules->stream;
    if (line->checksum == CHECKSUM_MISSING || !l->chain.begun)
        return stream_fault_set(fault, where, "a line without its digests", "\"chain\" and \"digest\"",
                                "at most one of them", FROM_A_COPY);
    if (link.input_digest != s->input_digest)
        return stream_fault_set(fault, where, "other parameters",
                                fault_format("input digest 0x%016" PRIx64 " of segment %d", s->input_digest,
                                             index + 1).s,
                                fault_format("0x%016" PRIx64, link.input_digest).s,
                                "the line or " SEGMENTS_FILE " belongs to another ensemble: " FROM_A_COPY);
    if (link.trajectory == s->first && before != s->chain)
        return stream_fault_set(fault, where, "a segment that begins elsewhere",
                                fault_format("chain 0x%016" PRIx64 " before it (" SEGMENTS_FILE " line %d)", s->chain,
                                             index + 1).s,
                                fault_format("0x%016" PRIx64, before).s, "restore " SEGMENTS_FILE " from a copy");
    uint64_t value = chain_next(before, &link);
    if (value != l->chain.value)
        return stream_fault_set(fault, where, "a line that does not follow from the one before",
                                fault_format("chain 0x%016" PRIx64, value).s,
                                fault_format("0x%016" PRIx64, l->chain.value).s,
                                "this line or the one before belongs to another run: restore both from a copy of the "
                                "record");
    return true;
}

static bool check_line(stream_fault *fault, const record_rules *rules, const record_lines *all, int64_t i,
                       uint64_t *chain, const char *where)
{
    const record_item *line = &all->item[i];
    const record_line *l = &line->l;
    const int64_t expected = rules->start + i + 1;
    if (line->checksum == CHECKSUM_DIFFERS)
        return stream_fault_set(fault, where, "a changed line", "the text that agrees with its digest",
                                fault_format("another text%s%s", line->unreadable ? ": " : "",
                                             line->unreadable ? line->unreadable : "").s, FROM_A_COPY);
    if (line->unreadable)
        return stream_fault_set(fault, where, "an unreadable line",
                                fault_format("trajectory %" PRId64, expected).s, line->unreadable, FROM_A_COPY);
    if (!check_number(fault, all, i, expected, where))
        return false;
    const bool thermalizing = rules->segments->count > 0
                              && i < rules->thermalization[segments_at(rules->segments, expected)];
    if (rules->segments->count > 0 && l->link.thermalization != thermalizing)
        return stream_fault_set(fault, where, "a thermalization that differs from the parameters",
                                fault_format("\"thermalization\": %s", thermalizing ? "true" : "false").s,
                                l->link.thermalization ? "true" : "false", FROM_A_COPY);
    if (expected < segments_chain_begins(rules->segments))
        return true;
    if (!check_ties(fault, rules, line, *chain, where))
        return false;
    *chain = l->chain.value;
    return true;
}

static void check_lines(record_check *c, const char *path, const record_lines *all, const record_rules *rules,
                        int64_t last)
{
    uint64_t chain = rules->segments->count > 0 ? rules->segments->item[0].chain : 0;
    c->lines = all->count;
    c->torn = all->torn;
    c->line = calloc((size_t)all->count + 1, sizeof *c->line);
    require(c->line != NULL, "out of host memory: the record of a run");
    for (int64_t i = 0; i < all->count; i++)
        c->chained = c->chained || (!all->item[i].unreadable && all->item[i].l.chain.begun);
    for (int64_t i = 0; i < all->count && !c->faulty; i++) {
        c->faulty = !check_line(&c->fault, rules, all, i, &chain, path);
        if (c->faulty)
            text_add(&c->fault.where, ": line %" PRId64, i + 1);
        else if (i < last - rules->start)
            c->line[c->count++] = all->item[i].l;
    }
}

void record_check_lines(record_check *c, const char *directory, const record_lines *all, const record_rules *rules,
                        int64_t last)
{
    text path = path_in_folder(directory, "run.jsonl");
    *c = (record_check){ .start = rules->start };
    check_lines(c, text_string(&path), all, rules, last);
    text_free(&path);
}

void record_check_file(record_check *c, const char *directory, const record_rules *rules, int64_t last)
{
    record_lines all = { 0 };
    failure why;
    text path = path_in_folder(directory, "run.jsonl");
    *c = (record_check){ .start = rules->start };
    if (!record_lines_read(&all, text_string(&path), &why))
        c->faulty = !stream_fault_set(&c->fault, text_string(&path), "no record", "a line for every trajectory",
                                      why.why, "make it readable");
    check_lines(c, text_string(&path), &all, rules, last);
    record_lines_free(&all);
    text_free(&path);
}

void record_check_free(record_check *c)
{
    free(c->line);
    stream_fault_free(&c->fault);
    *c = (record_check){ 0 };
}

int64_t record_check_last(const record_check *c)
{
    return c->start + c->count;
}

const record_line *record_check_line(const record_check *c, int64_t trajectory)
{
    return &c->line[trajectory - c->start - 1];
}

bool record_check_state(stream_fault *fault, const record_check *c, const record_rules *rules, const run_state *state,
                        const char *path, const char *advice)
{
    const int64_t n = state->trajectory, begun = segments_chain_begins(rules->segments) - 1;
    const record_line *line = n > c->start ? record_check_line(c, n) : NULL;
    if (n < c->start)
        return stream_fault_set(fault, path, "a state from before the start",
                                fault_format("trajectories from %" PRId64 " (start.trajectory) on", c->start).s,
                                fault_format("trajectory %" PRId64, n).s, advice);
    if (rules->segments->count > 0) {
        const int index = segments_at(rules->segments, n);
        const uint64_t input = rules->segments->item[index].input_digest;
        if (state->input_digest != input)
            return stream_fault_set(fault, path, "a state with other parameters",
                                    fault_format("input digest 0x%016" PRIx64 " of segment %d", input, index + 1).s,
                                    fault_format("0x%016" PRIx64, state->input_digest).s, advice);
    }
    if (n > begun && !state->chained)
        return stream_fault_set(fault, path, "a state without a chain", "\"chain\" in its record kiln-run-state",
                                "none", advice);
    if (n >= begun && state->chained) {
        const uint64_t chain = n > begun ? line->chain.value : rules->segments->item[0].chain;
        if (state->chain != chain)
            return stream_fault_set(fault, path, "a state with another past",
                                    fault_format("chain 0x%016" PRIx64 " of trajectory %" PRId64, chain, n).s,
                                    fault_format("0x%016" PRIx64, state->chain).s, advice);
    }
    if (line && state->plaquette != line->link.plaquette.average)
        return stream_fault_set(fault, path, "a plaquette that differs from its line in the record",
                                fault_format("%.17g", line->link.plaquette.average).s,
                                fault_format("%.17g", state->plaquette).s, advice);
    return true;
}
