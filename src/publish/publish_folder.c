/* publish_folder.c - fill a temporary folder, add a manifest of its files, and rename it. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE      /* renameat2 */
#endif
#include "src/publish/publish_folder.h"

#include "src/base/log.h"
#include "src/io/safe_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static void release_folder(publish_folder *p)
{
    if (p->lock >= 0)
        close(p->lock);
    text_free(&p->path);
    text_free(&p->temporary);
}

bool publish_folder_begin(publish_folder *p, const char *path, failure *f)
{
    struct stat there;
    size_t n = strlen(path);
    while (n > 1 && path[n - 1] == '/')
        n--;
    *p = (publish_folder){ 0 };
    text_add_bytes(&p->path, path, n);
    p->lock = -1;
    bool ok = lstat(text_string(&p->path), &there) != 0
              || fail(f, "%s: exists already; it is not overwritten", text_string(&p->path));
    if (ok) {
        p->lock = partial_folder_create(&p->temporary, text_string(&p->path));
        ok = p->lock >= 0 || fail_system(f, errno, "%s: cannot be created: %s", text_string(&p->path), strerror(errno));
    }
    if (!ok)
        release_folder(p);
    return ok;
}

text publish_folder_path(const publish_folder *p, const char *name)
{
    text path = { 0 };
    text_add(&path, "%s/%s", text_string(&p->temporary), name);
    return path;
}

/* Run a checksum program on all *.xml and *.lime of the folder.  Returns its exit status, -1 if it could not run. */
static int run_on_all(const char *folder, const char *program, int output)
{
    char command[64];
    snprintf(command, sizeof command, "exec %s -- *.xml *.lime", program);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        if (chdir(folder) == 0 && dup2(output, STDOUT_FILENO) >= 0)
            execl("/bin/sh", "sh", "-c", command, (char *)NULL);
        _exit(126);
    }
    int status = -1;
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    return child > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

bool publish_folder_manifest(publish_folder *p, const char **name, failure *f)
{
    static const struct { const char *program, *file; } kinds[] = {
        { "sha256sum", "manifest.sha256" }, { "cksum", "manifest.cksum" },
    };
    enum { NOT_FOUND = 127 };
    int status = NOT_FOUND;
    for (int i = 0; i < 2 && status == NOT_FOUND; i++) {
        text path = publish_folder_path(p, kinds[i].file);
        *name = kinds[i].file;
        safe_file *s = safe_file_create(text_string(&path), false, f);
        text_free(&path);
        if (!s)
            return false;
        status = run_on_all(text_string(&p->temporary), kinds[i].program, fileno(safe_file_stream(s)));
        if (status == 0)
            return safe_file_commit(s, f);
        safe_file_abandon(s);
    }
    return fail(f, "%s: no manifest: sha256sum and cksum both failed there (status %d)", text_string(&p->temporary),
                status);
}

bool publish_folder_commit(publish_folder *p, failure *f)
{
    const char *from = text_string(&p->temporary), *to = text_string(&p->path);
    bool ok = renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0;
    if (!ok && (errno == EINVAL || errno == ENOSYS))
        ok = rename(from, to) == 0;                  /* rename does not replace a folder that is not empty, either */
    if (!ok) {
        fail_system(f, errno, "%s: cannot be renamed to %s: %s", from, to, strerror(errno));
        publish_folder_abandon(p);
        return false;
    }
    failure unsure;
    if (!safe_file_keep_name(to, &unsure))
        log_line(LOG_WARNING, "%s; after a power failure, check that the folder still exists", unsure.why);
    release_folder(p);
    return true;
}

void publish_folder_abandon(publish_folder *p)
{
    DIR *folder = opendir(text_string(&p->temporary));
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        text path = publish_folder_path(p, entry->d_name);
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            unlink(text_string(&path));
        text_free(&path);
    }
    if (folder)
        closedir(folder);
    rmdir(text_string(&p->temporary));
    release_folder(p);
}
