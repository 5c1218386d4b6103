/* test_old_ensemble.c - ensembles of programs that knew no chain go on, and it begins where they do. */
#include "src/base/log.h"
#include "src/base/memory.h"
#include "src/audit/audit.h"
#include "src/ensemble/ensemble.h"
#include "src/io/links_file.h"
#include "tests/facts.h"
#include "tests/hmc/run_text.h"
#include "tests/io/whole_links.h"

#include <math.h>

enum { OLD = 5, ALL = 8 };             /* trajectories made without a chain; in the end */

static void make_input(run_input *in, const scratch *s, int steps)
{
    run_from_text(in, "lattice: [4, 4, 4, 4]\nrandom: { seed: 5 }\nstart: { from: hot }\n"
                      "monomials: [ { kind: gauge, action: wilson, beta: 5 } ]\n"
                      "hmc: { trajectory_length: 0.5, trajectories: 8, thermalization: 2,\n"
                      "       levels: [ { integrator: omelyan, steps: %d, monomials: [gauge] } ] }\n"
                      "output: { directory: %s, name: c, configuration_every: 2, checkpoint_every: 1 }\n",
                  steps, s->folder);
}

static void ignore_progress(const ensemble_progress *p)
{
    (void)p;
}

/* Go on up to a trajectory; with other steps than 4 as a new segment.  Whether it could. */
static bool go_on(const scratch *s, int64_t until, int steps)
{
    static const volatile sig_atomic_t stop;
    const run_limits limits = { &stop, walltime_begin(INFINITY), -1, NULL, NULL };
    run_input in;
    failure why = { .why = "" };
    make_input(&in, s, steps);
    ensemble *e = steps == 4 ? ensemble_open(&in.p, PLACE_CPU, NULL, &why)
                             : ensemble_open_segment(&in.p, PLACE_CPU, NULL, &why);
    bool ok = e && ensemble_run(e, until, &limits, ignore_progress, &why) == ENSEMBLE_DONE;
    if (!ok)
        note("%s", why.why);
    ensemble_close(e);
    run_input_free(&in);
    return ok;
}

/* The states as they were before there was a chain: all of them name the start links. */
static void forget_chain_of_states(scratch *s)
{
    run_input in;
    make_input(&in, s, 4);
    state_files files = state_files_list(&in.p);
    for (int i = 0; i < files.count; i++) {
        links_info info;
        double *links = links_read(files.file[i].path, &info, NULL);
        info.state.chained = false;
        info.state.chain = 0;
        info.state.parent_digest = 12345;
        links_write_ildg(files.file[i].path, links, &info, true, NULL);
        memory_free(links);
    }
    state_files_free(&files);
    run_input_free(&in);
}

/* Cut out what stands between two members of a line; `to` NULL: the end of the object. */
static void cut(char *line, const char *from, const char *to)
{
    char *begin = strstr(line, from), *end = to ? strstr(line, to) : strrchr(line, '}');
    memmove(begin, end, strlen(end) + 1);
}

static void forget_chain_of_lines(scratch *s)
{
    char path[300], *line = NULL;
    size_t capacity = 0;
    snprintf(path, sizeof path, "%s/old", s->folder);
    FILE *in = fopen(scratch_path(s, "run.jsonl"), "r"), *out = fopen(path, "w");
    while (getline(&line, &capacity, in) > 0) {
        cut(line, ", \"input_digest\"", ", \"bytes_to_device\"");
        cut(line, ", \"configuration\"", NULL);
        fputs(line, out);
    }
    free(line);
    fclose(in);
    fclose(out);
    rename(path, scratch_path(s, "run.jsonl"));
}

static scratch old_ensemble(void)
{
    scratch s = scratch_create();
    go_on(&s, OLD, 4);
    forget_chain_of_states(&s);
    forget_chain_of_lines(&s);
    unlink(scratch_path(&s, SEGMENTS_FILE));
    return s;
}

/* The audit's verdict, and whether its fault or notes have `words_in_it`. */
static bool audited(const scratch *s, bool whole, const char *words_in_it)
{
    audit a;
    audit_stream(&a, s->folder, false, PLACE_CPU);
    bool as_expected = a.faulty != whole && strstr(text_string(whole ? &a.notes : &a.fault.what), words_in_it);
    if (!as_expected)
        note("%s: %s: expected %s, found %s; %s", text_string(&a.fault.where), text_string(&a.fault.what),
             text_string(&a.fault.expected), text_string(&a.fault.found), text_string(&a.notes));
    audit_free(&a);
    return as_expected;
}

static bool advised(const scratch *s, const char *words_in_it)
{
    audit a;
    audit_stream(&a, s->folder, false, PLACE_CPU);
    bool as_expected = a.faulty && strstr(text_string(&a.fault.advice), words_in_it);
    if (!as_expected)
        note("the advice is: %s", text_string(&a.fault.advice));
    audit_free(&a);
    return as_expected;
}

static void remove_states_after(scratch *s, int64_t last)
{
    run_input in;
    make_input(&in, s, 4);
    state_files files = state_files_list(&in.p);
    for (int i = 0; i < files.count; i++)
        if (files.file[i].trajectory > last)
            unlink(files.file[i].path);
    state_files_free(&files);
    run_input_free(&in);
}

static const char noted[] = "trajectories 1 to 5 have no chain";

static void facts_of_going_on(void)
{
    scratch s = old_ensemble();
    fact(audited(&s, false, "an ensemble without a chain"), "an audit of an old ensemble says that it has no chain");
    fact(advised(&s, "kiln run continues the ensemble and begins a chain"), "and that kiln run continues it");
    fact(go_on(&s, ALL, 4), "it is continued");
    fact(audited(&s, true, noted), "then it passes, and the audit tells where the chain begins");
    blob there = blob_read(scratch_path(&s, "c.000006.lime"));

    remove_states_after(&s, 2);
    fact(go_on(&s, ALL, 4), "it is continued from a state before the chain");
    fact(audited(&s, true, noted), "and the chain begins where it did");
    blob again = blob_read(scratch_path(&s, "c.000006.lime"));
    fact(there.n == again.n && memcmp(there.bytes, again.bytes, there.n) == 0, "with the same files");
    free(there.bytes);
    free(again.bytes);

    unlink(scratch_path(&s, SEGMENTS_FILE));
    fact(!go_on(&s, ALL + 1, 4), "without the record of its segments it is not continued: the chain would begin anew");
    scratch_remove(&s);
}

static void facts_of_change(void)
{
    scratch s = old_ensemble();
    fact(go_on(&s, ALL, 5), "parameters of an old ensemble change on the way");
    fact(audited(&s, true, noted), "the audit passes");
    remove_states_after(&s, 4);
    fact(!go_on(&s, ALL, 6), "what the old parameters made must be made again before they can change");
    scratch_remove(&s);
}

int main(void)
{
    log_set_quiet(true);
    facts_of_going_on();
    facts_of_change();
    return facts_end();
}
