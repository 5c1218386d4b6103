/* test_audit_faults.c - faults behind valid digests: what only a comparison with other files of a stream can find. */
#include "src/base/checksum.h"
#include "src/base/log.h"
#include "src/base/memory.h"
#include "src/audit/audit.h"
#include "src/ensemble/ensemble.h"
#include "src/ensemble/ensemble_state.h"
#include "src/io/links_file.h"
#include "src/report/run_history.h"
#include "tests/facts.h"
#include "tests/hmc/run_text.h"
#include "tests/io/whole_links.h"

#include <math.h>

enum { CHANGE = 3, ALL = 6 };          /* trajectories of the first parameters; of both */

static void make_input(run_input *in, const scratch *s, int steps)
{
    run_from_text(in, "lattice: [2, 2, 2, 4]\nrandom: { seed: 5 }\nstart: { from: hot }\n"
                      "monomials: [ { kind: gauge, action: wilson, beta: 5 } ]\n"
                      "hmc: { trajectory_length: 0.5, trajectories: 6, thermalization: 2,\n"
                      "       levels: [ { integrator: omelyan, steps: %d, monomials: [gauge] } ] }\n"
                      "output: { directory: %s, name: c, configuration_every: 2, checkpoint_every: 1 }\n",
                  steps, s->folder);
}

static void ignore_progress(const ensemble_progress *p)
{
    (void)p;
}

static bool go_on(const scratch *s, int64_t until, int steps, bool new_parameters)
{
    static const volatile sig_atomic_t stop;
    const run_limits limits = { &stop, walltime_begin(INFINITY), -1, NULL, NULL };
    run_input in;
    failure why = { .why = "" };
    make_input(&in, s, steps);
    ensemble *e = new_parameters ? ensemble_open_segment(&in.p, PLACE_CPU, NULL, &why)
                                 : ensemble_open(&in.p, PLACE_CPU, NULL, &why);
    bool ok = e && ensemble_run(e, until, &limits, ignore_progress, &why) == ENSEMBLE_DONE;
    if (!ok)
        note("%s", why.why);
    ensemble_close(e);
    run_input_free(&in);
    return ok;
}

static scratch new_stream(void)
{
    scratch s = scratch_create();
    fact(go_on(&s, CHANGE, 3, false) && go_on(&s, ALL, 4, true), "a stream of two segments");
    return s;
}

/* Replace `from` by `to`, of the same length, in line `number` of a file, and give the line the digest of its text. */
static bool forge(scratch *s, const char *name, int number, const char *from, const char *to)
{
    static const char digest_key[] = ", \"digest\": \"0x";
    blob b = blob_read(scratch_path(s, name));
    b.bytes[b.n] = '\0';
    char *line = (char *)b.bytes, hex[17];
    for (int i = 1; i < number; i++)
        line = strchr(line, '\n') + 1;
    char *at = strstr(line, from), *end = strchr(line, '\n'), *digest = NULL;
    for (char *next = line; (next = strstr(next, digest_key)) && next < end; next++)
        digest = next;
    bool ok = at && at < end && digest && strlen(from) == strlen(to);
    if (ok) {
        memcpy(at, to, strlen(to));
        snprintf(hex, sizeof hex, "%016" PRIx64, digest64(DIGEST64_START, line, (size_t)(digest - line)));
        memcpy(digest + strlen(digest_key), hex, 16);
        blob_write(scratch_path(s, name), b.bytes, b.n);
    }
    free(b.bytes);
    return ok;
}

/* The audit's verdict: NULL for a whole stream, else what is the fault. */
static bool audited(const scratch *s, const char *what, const char *where)
{
    audit a;
    audit_stream(&a, s->folder, false, PLACE_CPU);
    bool as_expected = what ? a.faulty && strcmp(text_string(&a.fault.what), what) == 0
                              && strstr(text_string(&a.fault.where), where)
                        : !a.faulty;
    if (!as_expected)
        note("%s: %s", text_string(&a.fault.where), text_string(&a.fault.what));
    audit_free(&a);
    return as_expected;
}

/* One digit of the 16 in a line's member of this name, another one. */
static bool forge_digit(scratch *s, const char *name, int number, const char *member)
{
    char from[64] = "", to[64];
    blob b = blob_read(scratch_path(s, name));
    b.bytes[b.n] = '\0';
    char *line = (char *)b.bytes;
    for (int i = 1; i < number; i++)
        line = strchr(line, '\n') + 1;
    const char *at = strstr(line, member);
    if (at)
        snprintf(from, sizeof from, "%.*s", (int)strlen(member) + 16, at);
    free(b.bytes);
    memcpy(to, from, sizeof to);
    to[strlen(to) - 1] = to[strlen(to) - 1] == '0' ? '1' : '0';
    return at && forge(s, name, number, from, to);
}

static void facts_of_lines(void)
{
    scratch s = new_stream();
    fact(audited(&s, NULL, NULL), "it is whole");
    fact(forge(&s, "run.jsonl", 2, "\"thermalization\": true,", "\"thermalization\":false,")
             && audited(&s, "a thermalization that differs from the parameters", "run.jsonl: line 2"),
         "a thermalization trajectory that its line calls another is found by the parameters");
    fact(!go_on(&s, ALL + 1, 4, false), "the run refuses it as well");
    scratch_remove(&s);

    s = new_stream();
    fact(forge_digit(&s, "segments.jsonl", 2, "\"chain\": \"0x")
             && audited(&s, "a segment that begins elsewhere", "run.jsonl: line 4"),
         "a segment whose chain is not that of the line before it is found");
    fact(!go_on(&s, ALL + 1, 4, false), "the run refuses it as well");
    scratch_remove(&s);

    s = new_stream();
    fact(forge_digit(&s, "run.jsonl", ALL, "\"chain\": \"0x")
             && audited(&s, "a line that does not follow from the one before", "run.jsonl: line 6"),
         "a chain that is not that of its line is found");
    scratch_remove(&s);
}

/* Means read a growing record, perhaps before they know of a new segment. */
static void facts_of_segments_read_later(void)
{
    scratch s = new_stream();
    run_input in;
    failure f = { .why = "" };
    segments all;
    run_history h = { 0 };
    make_input(&in, &s, 4);
    fact(segments_read(&all, s.folder, &f) && all.count == 2, "its segments: %s", f.why);
    const segments first = { 1, all.item };
    const continuity_rules early = continuity_rules_make(&first, NULL), late = continuity_rules_make(&all, &in.p);
    fact(run_history_update(&h, &early, NULL, scratch_path(&s, "run.jsonl"), &f) && h.count == CHANGE
             && h.left_out[LINE_HAS_OTHER_PARAMETERS].count == ALL - CHANGE,
         "lines of a segment that is not known yet are left out");
    fact(run_history_update(&h, &late, NULL, scratch_path(&s, "run.jsonl"), &f) && h.count == ALL
             && history_left_out(&h) == 0 && late.seeded, "they count as soon as it is known");
    run_history_free(&h);
    segments_free(&all);
    run_input_free(&in);
    scratch_remove(&s);
}

/* The last bits of the plaquette in a state: within what reading the links allows, but not what the line has. */
static void facts_of_plaquettes(void)
{
    scratch s = new_stream();
    links_info info;
    failure f = { .why = "" };
    char path[600];
    snprintf(path, sizeof path, "%s", scratch_path(&s, "c.000004.lime"));
    double *links = links_read(path, &info, &f);
    info.state.plaquette *= 1 + 1e-14;
    fact(links && links_write_ildg(path, links, &info, true, &f), "a state with another plaquette: %s", f.why);
    memory_free(links);
    fact(audited(&s, "a plaquette that differs from its line in the record", "c.000004.lime"),
         "a state whose plaquette is not the one in its line is found, to the last bits");
    fact(!go_on(&s, ALL + 1, 4, false), "the run refuses it as well");
    scratch_remove(&s);
}

/* A file that is about to be written is there already: equal links are the same state only with the same past. */
static void facts_of_pasts(void)
{
    scratch s = new_stream();
    configuration_facts there;
    failure f;
    uint64_t digest;
    char path[600];
    snprintf(path, sizeof path, "%s", scratch_path(&s, "c.000004.lime"));
    gauge *u = configuration_open(PLACE_CPU, &there, path, &f);
    run_state state = there.info.state;
    fact(state_file_compare(u, path, &state, &digest, &f) == STATE_VALID && digest == there.digest,
         "a state is itself");
    state.chain++;
    fact(state_file_compare(u, path, &state, &digest, &f) == STATE_UNTOUCHABLE,
         "but not one with the same links and another chain");
    state = there.info.state;
    state.parent_digest++;
    fact(state_file_compare(u, path, &state, &digest, &f) == STATE_VALID,
         "which configuration is named before does not matter where there is a chain");
    state.chained = false;
    fact(state_file_compare(u, path, &state, &digest, &f) == STATE_UNTOUCHABLE, "nor is it one without a chain");
    state = there.info.state;
    state.trajectory++;
    fact(state_file_compare(u, path, &state, &digest, &f) == STATE_UNTOUCHABLE, "nor of another trajectory");
    configuration_close(u);
    scratch_remove(&s);
}

/* Which of checkpoints 1 .. 8 are left: a bit for each. */
static int left_by(int keep, int64_t newest, int64_t confirmed)
{
    scratch s = scratch_create();
    run_input in;
    int left = 0;
    char name[64];
    make_input(&in, &s, 3);
    for (int n = 1; n <= 8; n++) {
        snprintf(name, sizeof name, "c.checkpoint.%06d.lime", n);
        blob_write(scratch_path(&s, name), "", 0);
    }
    state_files_prune(&in.p, keep, newest, confirmed);
    for (int n = 1; n <= 8; n++) {
        snprintf(name, sizeof name, "c.checkpoint.%06d.lime", n);
        left |= (access(scratch_path(&s, name), F_OK) == 0) << n;
    }
    run_input_free(&in);
    scratch_remove(&s);
    return left;
}

static void facts_of_pruning(void)
{
    fact(left_by(2, 8, -1) == (1 << 8 | 1 << 7), "the two newest checkpoints stay");
    fact(left_by(2, 8, 8) == (1 << 8 | 1 << 7), "no more of them if the newest one is confirmed");
    fact(left_by(2, 8, 3) == (1 << 8 | 1 << 7 | 1 << 3), "and the newest confirmed one, however old");
    fact(left_by(1, 8, 0) == 1 << 8, "none where nothing is confirmed");
    fact(left_by(2, 5, -1) == (1 << 8 | 1 << 7 | 1 << 6 | 1 << 5 | 1 << 4), "later ones are not counted, nor removed");
}

int main(void)
{
    log_set_quiet(true);
    facts_of_lines();
    facts_of_segments_read_later();
    facts_of_plaquettes();
    facts_of_pasts();
    facts_of_pruning();
    return facts_end();
}
