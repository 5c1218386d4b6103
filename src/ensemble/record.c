/* record.c - append lines to the record of a run; cut it where a run continues. */
#include "src/ensemble/record.h"

#include "src/base/memory.h"
#include "src/base/open_file.h"
#include "src/comm/comm.h"
#include "src/ensemble/record_reader.h"
#include "src/io/disk.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct record { FILE *stream; char *path; };          /* the stream of rank 0; NULL on the others */

/* The beginning of every line; it is enough to find where to cut. */
#define LINE_HEAD "{\"trajectory\": %" SCNd64
#define SDC_CHECK_HEAD ", \"sdc_check\": {"
#define BEFORE_SDC_CHECK "\"reunitarized\": "
#define TARGET_HEAD    ", \"target\": "

bool record_is_empty(const char *directory)
{
    text path = path_in_folder(directory, "run.jsonl");
    struct stat there;
    const bool is_there = disk_status(&there, text_string(&path)) == 0;
    const bool empty = is_there ? there.st_size == 0 : errno == ENOENT || errno == ENOTDIR;
    text_free(&path);
    return empty;
}

/* The value of the last member "target": the line may have the same text earlier, in names that the user chose. */
static int64_t target_of(const char *line)
{
    const char *last = NULL;
    for (const char *at = strstr(line, TARGET_HEAD); at; at = strstr(last, TARGET_HEAD))
        last = at + sizeof TARGET_HEAD - 1;
    return last ? strtoll(last, NULL, 10) : 0;
}

/* Whether a line has an SDC check: the member after "reunitarized", which is true or false.  The line may have members
 * with this name in objects, for monomials and measurements that the user named so. */
static bool has_sdc_check(const char *line)
{
    static const char *const checked[] = { BEFORE_SDC_CHECK "true" SDC_CHECK_HEAD,
                                           BEFORE_SDC_CHECK "false" SDC_CHECK_HEAD };
    return strstr(line, checked[0]) || strstr(line, checked[1]);
}

/* The position after the first line of trajectory `last`, or else after the last line of an earlier one, and the number
 * of lines, complete or torn, after it.  Damaged lines before that position stay. */
static off_t find_cut(FILE *stream, int64_t start, int64_t last, record_cut *cut)
{
    record_reader r = { .stream = stream };
    off_t end = 0, kept = 0;
    int64_t previous = start, lines = 0;
    bool checksummed = false;            /* a line with a checksum was found: all later lines have one */
    *cut = (record_cut){ .missing = last - start };
    while (record_reader_next(&r)) {
        int64_t number;
        end += (off_t)r.length;
        lines++;
        cut->dropped++;
        if (sscanf(r.line, LINE_HEAD, &number) == 1 && number <= last && previous < last) {
            kept = end;
            cut->dropped = 0;
            cut->missing -= number > previous;
            previous = number > previous ? number : previous;
            if (checksum_is_changed(&checksummed, r.checksum))
                cut->first_changed = cut->changed++ ? cut->first_changed : lines;
            cut->target = target_of(r.line);
            if (has_sdc_check(r.line))
                cut->sdc_checked = number;
        }
    }
    cut->torn = r.torn;
    cut->dropped += r.torn;
    record_reader_free(&r);
    return kept;
}

/* Open the file and cut it after trajectory `last`; NULL with errno. */
static FILE *open_and_cut(const char *path, int64_t start, int64_t last, record_cut *cut)
{
    const int descriptor = open_file_own(path, O_RDWR | O_CREAT | O_APPEND);
    FILE *stream = descriptor >= 0 ? fdopen(descriptor, "a+") : NULL;
    if (!stream)
        return NULL;
    rewind(stream);
    off_t kept = find_cut(stream, start, last, cut);
    if (!ferror(stream)
        && (cut->dropped == 0
            || (fflush(stream) == 0 && ftruncate(fileno(stream), kept) == 0 && fsync(fileno(stream)) == 0)))
        return stream;
    const int reason = errno;
    fclose(stream);
    errno = reason;
    return NULL;
}

record *record_open(const char *directory, int64_t start, int64_t last, record_cut *cut, failure *f)
{
    const comm *world = comm_world();
    text path = path_in_folder(directory, "run.jsonl");
    FILE *stream = comm_is_root(world) ? open_and_cut(text_string(&path), start, last, cut) : NULL;
    bool ok = stream || !comm_is_root(world)
              || fail_system(f, errno, "%s: cannot open the record: %s", text_string(&path), open_file_reason(errno));
    comm_broadcast(world, cut, sizeof *cut);
    if (!comm_agree(world, ok, f)) {
        text_free(&path);
        return NULL;
    }
    record *r = memory_alloc(sizeof *r, "the record");
    *r = (record){ stream, path.s };
    return r;
}

void record_close(record *r)
{
    if (!r)
        return;
    if (r->stream)
        fclose(r->stream);
    free(r->path);
    memory_free(r);
}

record_observables record_measure(const gauge *u)
{
    return (record_observables){ gauge_plaquette(u), gauge_rectangle(u), gauge_parallelogram(u), gauge_polyakov(u, 3) };
}

static void add_energies(json *j, const char *key, const hmc *h, const hmc_energies *e)
{
    json_open(j, key, '{');
    json_real(j, "kinetic", e->kinetic);
    for (int t = 0; t < hmc_term_count(h); t++)
        json_real(j, hmc_terms(h)[t].name, e->term[t]);
    json_real(j, "total", e->total);
    json_close(j);
}

static void add_forces(json *j, const hmc *h, const hmc_outcome *o)
{
    json_open(j, "force", '[');
    for (int t = 0; t < hmc_term_count(h); t++) {
        json_open(j, NULL, '{');
        json_text(j, "term", hmc_terms(h)[t].name);
        json_int(j, "level", hmc_terms(h)[t].level);
        json_real(j, "rms", o->force[t].rms);
        json_real(j, "max", o->force[t].max);
        json_close(j);
    }
    json_close(j);
}

/* Add the reports of the monomials that have one; for pseudofermions also the difference of S and |eta|^2. */
static void add_reports(json *j, const hmc *h, const hmc_outcome *o)
{
    json_open(j, "monomials", '{');
    for (int t = 0; t < hmc_term_count(h); t++) {
        monomial *m = hmc_terms(h)[t].m;
        if (!m->kind->report && !m->kind->refresh)
            continue;
        json_open(j, hmc_terms(h)[t].name, '{');
        monomial_report(m, j);
        if (m->kind->refresh && !o->swept && !o->mixed && o->start_solved)
            json_real(j, "refresh_error", o->refresh_error[t]);
        json_close(j);
    }
    json_close(j);
}

static void add_observables(json *j, const record_observables *m)
{
    json_open(j, "plaquette", '{');
    json_real(j, "average", m->plaquette.average);
    json_real(j, "spatial", m->plaquette.spatial);
    json_real(j, "temporal", m->plaquette.temporal);
    json_close(j);
    json_real(j, "rectangle", m->rectangle);
    json_real(j, "parallelogram", m->parallelogram);
    json_open(j, "polyakov", '{');
    json_real(j, "re", m->polyakov.re);
    json_real(j, "im", m->polyakov.im);
    json_close(j);
}

chain_link record_chain_link(const run_params *p, uint64_t input_digest, int64_t number, const hmc_outcome *o,
                             const record_observables *m)
{
    return (chain_link){ .input_digest = input_digest,
                         .seed = (uint64_t)p->random.seed,
                         .stream = (uint32_t)p->random.stream,
                         .trajectory = number,
                         .accepted = o->accepted,
                         .thermalization = !o->tested,
                         .random = o->random,
                         .dh = o->dh,
                         .plaquette = m->plaquette,
                         .rectangle = m->rectangle,
                         .parallelogram = m->parallelogram,
                         .polyakov = m->polyakov };
}

static bool append_line(FILE *stream, const char *line)
{
    return fprintf(stream, "%s\n", line) > 0 && fflush(stream) == 0 && fsync(fileno(stream)) == 0;
}

bool record_append(record *r, const record_entry *entry, failure *f)
{
    const hmc *h = entry->h;
    const hmc_outcome *o = entry->outcome;
    json j = { 0 };
    char stamp[32];
    time_t now = time(NULL);
    struct tm parts;
    strftime(stamp, sizeof stamp, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &parts));

    json_open(&j, NULL, '{');
    json_int(&j, "trajectory", entry->trajectory);
    json_bool(&j, "accepted", o->accepted);
    json_bool(&j, "thermalization", !o->tested);
    if (o->swept)
        json_text(&j, "update", "heatbath");
    json_real(&j, "random", o->random);
    json_real(&j, "dH", o->dh);
    json_real(&j, "exp_minus_dH", exp(-o->dh));
    add_observables(&j, entry->observables);
    if (entry->measurements)
        json_insert(&j, "measurements", entry->measurements);
    add_energies(&j, "energy_before", h, &o->before);
    add_energies(&j, "energy_after", h, &o->after);
    add_forces(&j, h, o);
    for (int t = 0; t < hmc_term_count(h); t++)
        hmc_log_warnings(h, t, entry->trajectory);
    add_reports(&j, h, o);
    hmc_replicas_to_json(h, &j);
    json_real(&j, "unitarity", o->unitarity);
    json_bool(&j, "reunitarized", o->reunitarized);
    if (entry->sdc_check)
        json_insert(&j, "sdc_check", entry->sdc_check);
    if (entry->chain.begun) {
        json_hex(&j, "input_digest", entry->input_digest);
        json_hex(&j, "chain", entry->chain.value);
    }
    json_int(&j, "bytes_to_device", (int64_t)o->traffic.to_device);
    json_int(&j, "bytes_from_device", (int64_t)o->traffic.from_device);
    json_text(&j, "time", stamp);
    json_real(&j, "wall_seconds", entry->wall_seconds);
    json_real(&j, "seconds", clock_seconds(entry->clock, "trajectory"));
    if (isfinite(entry->joules))
        json_real(&j, "joules", entry->joules);
    clock_to_json(entry->clock, &j, "timers");
    if (entry->chain.begun) {
        json_bool(&j, "configuration", entry->configuration);
        json_int(&j, "target", entry->target);
        checksummed_line_add(&j);
    }
    json_close(&j);

    const bool ok = !r->stream || append_line(r->stream, json_string(&j))
                    || fail_system(f, errno, "%s: the record of trajectory %" PRId64 " cannot be written: %s", r->path,
                                   entry->trajectory, strerror(errno));
    json_free(&j);
    return comm_agree(comm_world(), ok, f);
}
