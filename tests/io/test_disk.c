/* test_disk.c - in a world of several ranks, rank 0 alone reads and writes, and all ranks get its results. */
#include "src/comm/comm.h"
#include "src/io/disk.h"
#include "src/io/safe_file.h"
#include "tests/facts.h"
#include "tests/io/scratch.h"

#include <errno.h>
#include <signal.h>
#include <sys/resource.h>

enum { RANKS = 4 };

/* What a rank has found. */
typedef struct { bool ok; char said[1100]; } finding;

typedef struct {
    const char *path[2];                         /* of rank 0; of the others */
    finding (*task)(const char *path, int rank);
    finding found[RANKS];
} trial;

static int run_task(void *of)
{
    trial *t = of;
    const int rank = comm_rank(comm_world());
    t->found[rank] = t->task(t->path[rank > 0], rank);
    return 0;
}

/* An empty folder, where ranks above 0 are sent. */
static scratch elsewhere;

/* The finding of all ranks: ok if it is ok and the same on each. */
static finding on_ranks(const char *path, finding (*task)(const char *path, int rank))
{
    trial t = { .path = { path, elsewhere.folder }, .task = task };
    comm_run_threads(RANKS, run_task, &t);
    bool same = true;
    for (int r = 1; r < RANKS; r++)
        same = same && t.found[r].ok == t.found[0].ok && strcmp(t.found[r].said, t.found[0].said) == 0;
    t.found[0].ok = t.found[0].ok && same;
    return t.found[0];
}

static finding find(bool ok, const char *said)
{
    finding found = { .ok = ok };
    snprintf(found.said, sizeof found.said, "%s", said);
    return found;
}

static finding write_own_text(const char *path, int rank)
{
    failure f = { .why = "" };
    const char *const content[] = { "of rank 0", "of rank 1, longer", "2", "" };
    return find(safe_file_write_text(path, content[rank], false, &f), f.why);
}

static finding find_refusal(const char *path, int rank)
{
    failure f = { .why = "" };
    (void)rank;
    return find(!safe_file_write_text(path, "again", false, &f) && strstr(f.why, "exists already"), f.why);
}

static finding read_text(const char *path, int rank)
{
    text t = { 0 };
    failure f = { .why = "" };
    (void)rank;
    const bool ok = disk_add_file(&t, path, &f);
    const finding found = find(ok, ok ? text_string(&t) : f.why);
    text_free(&t);
    return found;
}

static finding read_folder(const char *path, int rank)
{
    text t = { 0 };
    failure f = { .why = "" };
    (void)rank;
    const finding found = find(!disk_add_file(&t, path, &f) && strstr(f.why, "Is a directory"), "");
    text_free(&t);
    return found;
}

/* Jumps about in a file, as the readers of configurations do. */
static finding read_pieces(const char *path, int rank)
{
    char piece[8] = "", last[8] = "";
    uint64_t size = 0;
    (void)rank;
    FILE *stream = disk_open(path);
    bool ok = stream && disk_size(&size, stream) && size == 9 && fread(piece, 1, 2, stream) == 2
              && fseeko(stream, -1, SEEK_END) == 0 && ftello(stream) == 8 && fread(last, 1, 2, stream) == 1
              && feof(stream) && fseeko(stream, 3, SEEK_SET) == 0 && fread(piece + 2, 1, 4, stream) == 4;
    if (stream)
        fclose(stream);
    return find(ok && strcmp(piece, "ofrank") == 0 && strcmp(last, "0") == 0, piece);
}

static finding find_nothing(const char *path, int rank)
{
    (void)path, (void)rank;
    errno = 0;
    FILE *stream = disk_open("no/such");
    const int of_open = errno;
    struct stat status;
    const bool ok = !stream && of_open == ENOENT && !disk_has("no/such") && errno == ENOENT
                    && disk_status(&status, "no/such") != 0 && errno == ENOENT && disk_unlink("no/such") != 0
                    && errno == ENOENT && disk_rename("no/such", "no/other") != 0 && errno == ENOENT;
    return find(ok, strerror(errno));
}

static finding list_folder(const char *path, int rank)
{
    disk_names names;
    text all = { 0 };
    (void)rank;
    const bool ok = disk_list(&names, path) && names.count == 2;
    for (int i = 0; i < names.count; i++)
        text_add(&all, "%s ", names.name[i]);
    const finding found = find(ok && strstr(text_string(&all), "file ") && strstr(text_string(&all), "other "),
                               text_string(&all));
    disk_names_free(&names);
    text_free(&all);
    return found;
}

static finding change_folder(const char *path, int rank)
{
    char from[800], to[800];
    (void)rank;
    snprintf(from, sizeof from, "%s/a", path);
    snprintf(to, sizeof to, "%s/b", path);
    const bool ok = disk_make_folder(from) == 0 && disk_make_folder(from) != 0 && errno == EEXIST
                    && disk_rename(from, to) == 0 && disk_has(to) && !disk_has(from)
                    && disk_synchronize_folder(path) == 0 && disk_remove_folder(to) == 0 && !disk_has_name(to)
                    && disk_make_folder(to) == 0;
    return find(ok, "");
}

/* Writes more than a disk takes; `rank` may not matter for what the stream says. */
static finding write_too_much(const char *path, int rank)
{
    enum { BYTES = 1 << 20, PIECES = 8 };
    static const char zeros[BYTES];
    failure f = { .why = "" };
    (void)rank;
    safe_file *s = safe_file_create(path, false, &f);
    bool taken = true;
    for (int i = 0; s && i < PIECES; i++)
        taken = taken && fwrite(zeros, 1, BYTES, safe_file_stream(s)) == BYTES;
    const bool refused = s && !safe_file_commit(s, &f);
    return find(taken && refused && strstr(f.why, "File too large"), f.why);
}

static finding write_and_seek(const char *path, int rank)
{
    failure f = { .why = "" };
    safe_file *s = safe_file_create(path, true, &f);
    FILE *stream = s ? safe_file_stream(s) : NULL;
    bool ok = s && fputs("abcdef", stream) >= 0 && ftello(stream) == 6 && fseeko(stream, 2, SEEK_SET) == 0
              && fputs("X", stream) >= 0 && fseeko(stream, 0, SEEK_END) == 0 && ftello(stream) == 6
              && fputs("g", stream) >= 0 && safe_file_flush(s, &f);
    (void)rank;
    return find(s && safe_file_commit(s, &f) && ok, f.why);
}

static void limit_file_size(rlim_t bytes)
{
    struct rlimit limit;
    getrlimit(RLIMIT_FSIZE, &limit);
    limit.rlim_cur = bytes;
    setrlimit(RLIMIT_FSIZE, &limit);
}

static bool contains(const char *path, const char *content)
{
    blob b = blob_read(path);
    bool same = b.bytes && b.n == strlen(content) && memcmp(b.bytes, content, b.n) == 0;
    free(b.bytes);
    return same;
}

int main(void)
{
    scratch s = scratch_create();
    char path[700];
    elsewhere = scratch_create();
    snprintf(path, sizeof path, "%s/file", s.folder);
    finding found = on_ranks(path, write_own_text);
    fact(found.ok && contains(path, "of rank 0") && scratch_count(&s) == 1, "rank 0 alone writes%s", found.said);
    found = on_ranks(path, find_refusal);
    fact(found.ok, "all ranks learn why it does not: %s", found.said);
    found = on_ranks(path, read_text);
    fact(found.ok && strcmp(found.said, "of rank 0") == 0, "all ranks read the file of rank 0: %s", found.said);
    found = on_ranks(path, read_pieces);
    fact(found.ok, "from any position: %s", found.said);
    found = on_ranks(s.folder, read_folder);
    fact(found.ok, "a failure to read is that of rank 0");
    found = on_ranks(path, find_nothing);
    fact(found.ok, "so is what it does not find: %s", found.said);
    found = on_ranks(scratch_path(&s, "other"), write_and_seek);
    fact(found.ok && contains(scratch_path(&s, "other"), "abXdefg"),
         "what is written again at another position replaces what was there%s", found.said);
    found = on_ranks(s.folder, list_folder);
    fact(found.ok, "all ranks list the same names: %s", found.said);
    found = on_ranks(s.folder, change_folder);
    fact(found.ok && scratch_count(&s) == 3, "rank 0 makes, renames and removes folders");

    signal(SIGXFSZ, SIG_IGN);
    limit_file_size(1 << 21);
    found = on_ranks(scratch_path(&s, "large"), write_too_much);
    limit_file_size(RLIM_INFINITY);
    fact(found.ok && scratch_count(&s) == 3,
         "with a full disk the ranks write on alike, then all learn of it, and nothing is left: %s", found.said);
    fact(scratch_count(&elsewhere) == 0, "the others change nothing");
    rmdir(scratch_path(&s, "b"));
    scratch_remove(&s);
    scratch_remove(&elsewhere);
    return facts_end();
}
