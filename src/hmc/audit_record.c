/* audit_record.c - is every line of run.jsonl the next trajectory, of the parameters that held, as it was written? */
#include "src/hmc/audit.h"

#include "src/hmc/sealed_line.h"
#include "src/io/links_file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A line of the file, as far as it could be read. */
typedef struct { seal_state seal; record_line l; char *unreadable; } audit_line;          /* NULL, or why */
typedef struct { int64_t count, capacity; audit_line *item; bool torn; } audit_lines;

static void take_line(audit_lines *all, const char *line, size_t length)
{
    if (all->count == all->capacity) {
        all->capacity = all->capacity ? 2 * all->capacity : 256;
        all->item = realloc(all->item, (size_t)all->capacity * sizeof *all->item);
        require(all->item != NULL, "out of host memory: the record of a run");
    }
    audit_line *item = &all->item[all->count++];
    failure why;
    *item = (audit_line){ .seal = seal_of(line) };
    if (strlen(line) == length ? !record_line_read(&item->l, line, &why) : !fail(&why, "it holds zero bytes"))
        item->unreadable = strdup(why.why);
}

static void free_lines(audit_lines *all)
{
    for (int64_t i = 0; i < all->count; i++)
        free(all->item[i].unreadable);
    free(all->item);
}

static bool read_lines(audit_lines *all, const char *path, failure *f)
{
    char *line = NULL;
    size_t capacity = 0;
    ssize_t length;
    FILE *file = fopen(path, "r");
    if (!file && errno == ENOENT)
        return true;
    if (!file)
        return fail(f, "%s", strerror(errno));
    while ((length = getline(&line, &capacity, file)) > 0)
        if (line[length - 1] == '\n')
            take_line(all, line, (size_t)length);
        else
            all->torn = true;
    bool ok = !ferror(file) || fail(f, "%s", strerror(errno));
    free(line);
    fclose(file);
    return ok;
}

/* The trajectory with the newest state.  A file whose name does not fit its state says nothing. */
static void find_newest(audit *a)
{
    for (int i = 0; i < a->files.count && a->newest < 0; i++) {
        links_info info;
        bool readable = links_read_info(a->files.file[i].path, &info, NULL);
        bool fits = readable && info.bits == 64 && info.has_state
                    && info.state.trajectory == a->files.file[i].trajectory
                    && info.state.seed == (uint64_t)a->params.random.seed
                    && info.state.stream == (uint32_t)a->params.random.stream;
        if (fits)
            a->newest = a->files.file[i].trajectory;
    }
}

static bool stands_later(const audit_lines *all, int64_t from, int64_t trajectory)
{
    for (int64_t i = from; i < all->count; i++)
        if (!all->item[i].unreadable && all->item[i].l.link.trajectory == trajectory)
            return true;
    return false;
}

#define FROM_A_COPY "put the line back from a copy of the record"

static bool check_number(audit *a, const audit_lines *all, int64_t i, int64_t expected, const char *where)
{
    int64_t found = all->item[i].l.link.trajectory;
    if (found == expected)
        return true;
    audit_words wanted = words("trajectory %" PRId64, expected), there = words("trajectory %" PRId64, found);
    if (found < expected)
        return audit_found(a, where, "a repeated line", wanted.s,
                           words("trajectory %" PRId64 " a second time", found).s, "remove the second line");
    if (stands_later(all, i + 1, expected))
        return audit_found(a, where, "lines in another order", wanted.s, there.s,
                           "put the lines back into the order of their trajectories");
    return audit_found(a, where, "a missing line", wanted.s, there.s, FROM_A_COPY);
}

/* What holds only of lines with a chain. */
static bool check_ties(audit *a, const audit_line *line, uint64_t before, const char *where)
{
    const record_line *l = &line->l;
    int index = strata_at(&a->strata, l->link.trajectory);
    const stratum *s = &a->strata.item[index];
    chain_link link = l->link;
    link.seed = (uint64_t)a->params.random.seed;
    link.stream = (uint32_t)a->params.random.stream;
    if (line->seal == SEAL_NONE || !l->chain.begun)
        return audit_found(a, where, "a line without its digests", "\"chain\" and \"digest\"", "at most one of them",
                           FROM_A_COPY);
    if (link.input_digest != s->input_digest)
        return audit_found(a, where, "other parameters",
                           words("input digest 0x%016" PRIx64 " of stratum %d", s->input_digest, index + 1).s,
                           words("0x%016" PRIx64, link.input_digest).s,
                           "the line is another ensemble's, or " STRATA_FILE " is: " FROM_A_COPY);
    if (link.trajectory == s->first && before != s->chain)
        return audit_found(a, where, "a stratum that begins elsewhere",
                           words("chain 0x%016" PRIx64 " before it (" STRATA_FILE " line %d)", s->chain, index + 1).s,
                           words("0x%016" PRIx64, before).s, "put " STRATA_FILE " back from a copy");
    uint64_t value = chain_next(before, &link);
    if (value != l->chain.value)
        return audit_found(a, where, "a line that does not follow from the one before",
                           words("chain 0x%016" PRIx64, value).s, words("0x%016" PRIx64, l->chain.value).s,
                           "this line or the one before is another run's: put both back from a copy of the record");
    return true;
}

static bool check_line(audit *a, const audit_lines *all, int64_t i, int64_t expected, uint64_t *chain,
                       const char *where)
{
    const audit_line *line = &all->item[i];
    const record_line *l = &line->l;
    if (line->seal == SEAL_BROKEN)
        return audit_found(a, where, "a line that was changed", "the text that its digest was taken of",
                           words("another text%s%s", line->unreadable ? ": " : "",
                                 line->unreadable ? line->unreadable : "").s, FROM_A_COPY);
    if (line->unreadable)
        return audit_found(a, where, "a line that cannot be read", words("trajectory %" PRId64, expected).s,
                           line->unreadable, FROM_A_COPY);
    if (!check_number(a, all, i, expected, where))
        return false;
    bool warm_up = expected <= a->warm_up[strata_at(&a->strata, expected)];
    if (l->link.thermalization != warm_up)
        return audit_found(a, where, "a warm-up that is not that of the parameters",
                           words("\"thermalization\": %s", warm_up ? "true" : "false").s,
                           l->link.thermalization ? "true" : "false", FROM_A_COPY);
    if (expected < a->strata.item[0].first)
        return true;
    if (!check_ties(a, line, *chain, where))
        return false;
    *chain = l->chain.value;
    return true;
}

static void note_what_follows(audit *a, const audit_lines *all)
{
    if (all->count > a->trajectories)
        audit_note(a, "%" PRId64 " lines of the record are later than the newest state, that of %" PRId64 ": they are "
                      "made again when the run continues", all->count - a->trajectories, a->newest);
    if (all->torn)
        audit_note(a, "the last line of the record is not complete: it is being written, or cut off when the run "
                      "continues");
}

static bool check_lines(audit *a, const audit_lines *all, const char *path)
{
    uint64_t chain = a->strata.item[0].chain;
    for (int64_t i = 0; i < all->count && a->trajectories < a->newest; i++) {
        if (!check_line(a, all, i, a->trajectories + 1, &chain, words("%s: line %" PRId64, path, i + 1).s))
            return false;
        a->line[a->trajectories++] = all->item[i].l;
    }
    if (a->trajectories < a->newest)
        return audit_found(a, path, "missing lines at its end",
                           words("trajectories up to %" PRId64 ", the newest state", a->newest).s,
                           words("up to %" PRId64, a->trajectories).s, FROM_A_COPY);
    note_what_follows(a, all);
    return true;
}

bool audit_record(audit *a)
{
    audit_lines all = { 0 };
    failure why;
    text path = path_in_folder(a->directory, "run.jsonl");
    a->files = state_files_list(&a->params);
    find_newest(a);
    bool ok = read_lines(&all, text_string(&path), &why)
              || audit_found(a, text_string(&path), "no record", "a line for every trajectory", why.why,
                             "let it be read");
    if (ok && a->newest < 0)
        ok = audit_found(a, a->directory, "no state", "a configuration or checkpoint to continue from",
                         words("%d files of such names, %" PRId64 " lines in the record", a->files.count, all.count).s,
                         "put a configuration or checkpoint back from a copy");
    a->line = calloc((size_t)all.count + 1, sizeof *a->line);
    require(a->line != NULL, "out of host memory: the record of a run");
    ok = ok && check_lines(a, &all, text_string(&path));
    free_lines(&all);
    text_free(&path);
    return ok;
}
