/* test_safe_file.c - a file is there complete, or not at all. */
#include "src/base/memory.h"
#include "src/io/safe_file.h"
#include "tests/facts.h"
#include "tests/io/scratch.h"

#include <signal.h>
#include <sys/resource.h>

static bool contains(const char *path, const char *content)
{
    blob b = blob_read(path);
    bool same = b.bytes && b.n == strlen(content) && memcmp(b.bytes, content, b.n) == 0;
    free(b.bytes);
    return same;
}

static void limit_file_size(rlim_t bytes)
{
    struct rlimit limit;
    getrlimit(RLIMIT_FSIZE, &limit);
    limit.rlim_cur = bytes;
    setrlimit(RLIMIT_FSIZE, &limit);
}

int main(void)
{
    scratch s = scratch_create();
    failure f = { .why = "" };
    const char *path = scratch_path(&s, "file");

    fact(safe_file_write_text(path, "one", false, &f) && contains(path, "one"), "a text is written%s", f.why);
    fact(!safe_file_write_text(path, "two", false, &f) && strstr(f.why, "exists") && contains(path, "one"),
         "an existing file stays: %s", f.why);
    fact(safe_file_write_text(path, "two", true, &f) && contains(path, "two"), "unless it is to be replaced");
    fact(scratch_count(&s) == 1, "no temporary is left");
    fact(!safe_file_renew_text(path, "mine: three", "mine:", &f) && strstr(f.why, "does not overwrite")
             && contains(path, "two"), "what has no mark is not renewed: %s", f.why);
    fact(safe_file_write_text(path, "mine: one", true, &f) && safe_file_renew_text(path, "mine: two", "mine:", &f)
             && contains(path, "mine: two"), "what has it is");
    unlink(path);
    blob_write(path, "", 0);
    fact(safe_file_renew_text(path, "one", "mine:", &f) && contains(path, "one"),
         "so is an empty file");
    unlink(path);
    fact(safe_file_renew_text(path, "two", "mine:", &f) && contains(path, "two"), "and what is not there");

    safe_file *file = safe_file_create(path, true, &f);
    fputs("three", safe_file_stream(file));
    fact(contains(path, "two"), "the old file is there while the new one is written");
    fact(safe_file_flush(file, &f) && contains(safe_file_temporary(file), "three"),
         "once flushed, the temporary can be read again");
    safe_file_abandon(file);
    fact(contains(path, "two") && scratch_count(&s) == 1, "an abandoned file leaves the old one and nothing else");

    unlink(path);
    file = safe_file_create(path, false, &f);
    fputs("late", safe_file_stream(file));
    blob_write(path, "early", 5);
    fact(!safe_file_commit(file, &f) && strstr(f.why, "exists") && contains(path, "early") && scratch_count(&s) == 1,
         "a file that appears meanwhile is not overwritten either: %s", f.why);

    unlink(path);
    char other[700];
    snprintf(other, sizeof other, "%s.other", path);
    for (int taken = 0; taken <= 1; taken++) {
        file = safe_file_create(path, false, &f);
        fputs("late", safe_file_stream(file));
        safe_file_set_other_name(file, other);
        if (taken)
            blob_write(path, "early", 5);
        fact(safe_file_commit(file, &f) && contains(path, taken ? "early" : "late") && contains(other, "late") == taken,
             "a file has its other name if one %s under its own: %s", taken ? "appears" : "does not appear", f.why);
        unlink(taken ? other : path);
    }

    safe_file *a = safe_file_create(path, true, &f), *b = safe_file_create(path, true, &f);
    fact(a && b && strcmp(safe_file_temporary(a), safe_file_temporary(b)) != 0, "two writers have two temporaries");
    safe_file_abandon(a);
    safe_file_abandon(b);

    char below[700];
    snprintf(below, sizeof below, "%s/below", path);
    fact(!safe_file_write_text(below, "x", false, &f) && strstr(f.why, "Not a directory"),
         "where a folder cannot be written the reason is told: %s", f.why);
    snprintf(below, sizeof below, "%s/none/file", s.folder);
    fact(!safe_file_write_text(below, "x", true, &f) && strstr(f.why, "No such file"), "so it is where none is: %s",
         f.why);
    fact(!strstr(f.why, SAFE_FILE_TEMPORARY), "the reason names the file, not its temporary");
    fail(&f, "a/b" SAFE_FILE_TEMPORARY "12/c" SAFE_FILE_TEMPORARY "3-4: full");
    safe_file_final_names(&f);
    fact(strcmp(f.why, "a/b/c: full") == 0, "names of temporaries in a reason become final names: %s", f.why);

    /* A limit on the size of files fails as a full disk does: in the middle of writing. */
    static char large[100001];
    memset(large, 'x', sizeof large - 1);
    signal(SIGXFSZ, SIG_IGN);
    limit_file_size(50000);
    bool written = safe_file_write_text(path, large, true, &f);
    limit_file_size(RLIM_INFINITY);
    fact(!written && strstr(f.why, "cannot be written"), "a disk that is full is told: %s", f.why);
    fact(contains(path, "early") && scratch_count(&s) == 1, "and leaves the old file and no temporary");

    fact(chdir(s.folder) == 0 && safe_file_write_text("plain name", "x", false, &f) && contains("plain name", "x"),
         "a name without a folder is one in the present folder");
    fact(memory_bytes_now() == 0, "no memory is left behind");
    scratch_remove(&s);
    return facts_end();
}
