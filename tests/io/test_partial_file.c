/* test_partial_file.c - the temporary files of killed processes are removed, those of living ones never. */
#include "src/io/partial_file.h"
#include "tests/facts.h"
#include "tests/io/scratch.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/wait.h>

/* A process that creates a file or a folder and waits. */
static pid_t begin_writer(text *name, const char *path, bool folder)
{
    int said[2];
    char words[512] = "";
    if (pipe(said) != 0)
        exit(1);
    const pid_t child = fork();
    if (child == 0) {
        const int descriptor = folder ? partial_folder_create(name, path) : partial_file_create(name, path);
        if (folder && descriptor >= 0)
            close(openat(descriptor, "inside", O_CREAT | O_WRONLY, 0666));
        if (write(said[1], text_string(name), name->length + 1) < 0)
            _exit(1);
        for (;;)
            pause();
    }
    close(said[1]);
    size_t n = 0;
    for (ssize_t got = 1; got > 0 && (n == 0 || words[n - 1]); n += (size_t)(got > 0 ? got : 0))
        got = read(said[0], words + n, sizeof words - n);
    close(said[0]);
    text_clear(name);
    text_add(name, "%s", words);
    return child;
}

static void kill_writer(pid_t child)
{
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
}

static bool exists(const text *name)
{
    return access(text_string(name), F_OK) == 0;
}

static void check(scratch *s, bool folder)
{
    const char *what = folder ? "folder" : "file";
    char path[700], other[700];
    snprintf(path, sizeof path, "%s", scratch_path(s, "out"));
    snprintf(other, sizeof other, "%s", scratch_path(s, "out2"));
    text name = { 0 }, neighbor = { 0 };
    const pid_t child = begin_writer(&name, path, folder), second = begin_writer(&neighbor, other, folder);
    fact(exists(&name) && strstr(text_string(&name), "/out" SAFE_FILE_TEMPORARY), "a %s is created: %s", what,
         text_string(&name));
    partial_files_sweep(path);
    fact(exists(&name), "the %s of a living process stays", what);

    /* A lock in another process protects it, whoever made it: processes of containers may not see each other. */
    const int held = open(text_string(&name), O_RDONLY);
    kill_writer(child);
    kill_writer(second);
    fact(flock(held, LOCK_EX | LOCK_NB) == 0, "the lock ends with its process");
    partial_files_sweep(path);
    fact(exists(&name), "a %s that is locked stays", what);
    close(held);

    partial_files_sweep(path);
    fact(!exists(&name), "the %s of a killed process is removed", what);
    fact(exists(&neighbor), "that of another path is not");
    partial_files_sweep(other);
    fact(!exists(&neighbor), "but with its own path");
    text_free(&name);
    text_free(&neighbor);
}

int main(void)
{
    scratch s = scratch_create();
    check(&s, false);
    check(&s, true);

    char path[700];
    snprintf(path, sizeof path, "%s", scratch_path(&s, "other"));
    const char *const foreign[] = { "other.partial-notes", "other.partial-1", "other.partial-1-999999999-0",
                                    "other.partial-", "other" };
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++)
        close(open(scratch_path(&s, foreign[i]), O_CREAT | O_WRONLY, 0666));
    partial_files_sweep(path);
    bool all = true;
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++)
        all = all && access(scratch_path(&s, foreign[i]), F_OK) == 0;
    fact(all, "names that may be of other programs, processes or machines stay");
    scratch_remove(&s);
    return facts_end();
}
