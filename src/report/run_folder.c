/* run_folder.c - read parameters, lock, states, failures and log of an ensemble. */
#include "src/report/run_folder.h"

#include "src/base/memory.h"
#include "src/base/open_file.h"
#include "src/ensemble/midtrajectory_parts.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

/* The test holds the lock, shared, for an instant. */
bool run_folder_is_locked(const char *directory)
{
    text path = path_in_folder(directory, "lock");
    int lock = open_file(text_string(&path), O_RDONLY);
    text_free(&path);
    bool locked = lock >= 0 && flock(lock, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    if (lock >= 0)
        close(lock);
    return locked;
}

static int64_t newest_state(const run_params *p)
{
    state_files files = state_files_list(p);
    int64_t found = -1;
    for (int i = 0; i < files.count && found < 0; i++)          /* newest first */
        if (!state_file_is_incomplete(files.file[i].path))
            found = files.file[i].trajectory;
    state_files_free(&files);
    return found;
}

/* "kiln run DIRECTORY/parameters.yaml" */
static text continuing_command(const char *directory)
{
    text command = { 0 }, input = path_in_folder(directory, "parameters.yaml");
    text_add(&command, "kiln run ");
    text_add_shell_word(&command, text_string(&input));
    text_free(&input);
    return command;
}

void run_folder_check_lock(run_folder *s, const char *directory)
{
    s->running = run_folder_is_locked(directory);
    lost_process_free(&s->lost);
    failed_run_free(&s->failed);
    s->state = -1;
    if (s->running)
        return;
    text command = { 0 };
    if (s->known) {
        command = continuing_command(directory);
        s->state = newest_state(&s->in.p);
    }
    s->lost = lost_process_find(directory, text_string(&command), s->state, &s->midtrajectory);
    if (s->lost.name.length == 0)
        s->failed = failed_run_find(directory, text_string(&command));
    text_free(&command);
}

static void list_states(run_folder *s, const char *directory)
{
    /* The ensemble may have been moved: use the folder of its parameters. */
    memory_free(s->in.p.output.directory);
    s->in.p.output.directory = memory_alloc(strlen(directory) + 1, "the name of a folder");
    memcpy(s->in.p.output.directory, directory, strlen(directory));
    state_files files = state_files_list(&s->in.p);
    for (int i = files.count - 1; i >= 0; i--) {           /* newest first */
        text *newest = &s->newest[files.file[i].kind];
        text_clear(newest);
        text_add(newest, "%s", files.file[i].path);
        s->configurations += files.file[i].kind == FILE_CONFIGURATION;
    }
    state_files_free(&files);
}

/* Folders "NAME.000007" and "NAME.000007.2": their number, and the name of the last one. */
typedef struct { const char *name; int count; text last; } kept_folders;

static void count_folder(kept_folders *k, const char *name)
{
    const size_t n = strlen(k->name);
    if (strncmp(name, k->name, n) != 0 || name[n] != '.' || strspn(name + n, ".0123456789") != strlen(name + n))
        return;
    k->count++;
    if (strcmp(name, text_string(&k->last)) > 0) {
        text_clear(&k->last);
        text_add(&k->last, "%s", name);
    }
}

static int finish_kept(kept_folders *k, text *path, const char *directory)
{
    if (k->count > 0)
        text_add(path, "%s/%s", directory, text_string(&k->last));
    text_free(&k->last);
    return k->count;
}

/* The newest mid-trajectory checkpoint. */
static void find_midtrajectory(run_folder *s, const char *directory)
{
    midtrajectory_name found;
    DIR *d = opendir(directory);
    for (struct dirent *e = d ? readdir(d) : NULL; e; e = readdir(d))
        if (midtrajectory_is_name(&found, directory, e->d_name)
            && (found.trajectory > s->midtrajectory.trajectory
                || (found.trajectory == s->midtrajectory.trajectory && found.step > s->midtrajectory.step)))
            s->midtrajectory = (midtrajectory_point){ found.trajectory, found.step };
    if (d)
        closedir(d);
}

/* Count the folders of failed trajectories and SDC checks, and damaged files (NAME.000010.lime.corrupt, .corrupt.2). */
static void list_others(run_folder *s, const char *directory)
{
    kept_folders problem = { .name = "failure" }, mismatch = { .name = "sdc" };
    DIR *d = opendir(directory);
    for (struct dirent *e = d ? readdir(d) : NULL; e; e = readdir(d)) {
        s->set_aside += strstr(e->d_name, ".corrupt") != NULL;
        count_folder(&problem, e->d_name);
        count_folder(&mismatch, e->d_name);
    }
    if (d)
        closedir(d);
    s->failures = finish_kept(&problem, &s->failure, directory);
    s->mismatches = finish_kept(&mismatch, &s->mismatch, directory);
}

void run_folder_read(run_folder *s, const char *directory)
{
    text path = path_in_folder(directory, "parameters.yaml");
    fault_list faults = { 0 };
    *s = (run_folder){ 0 };
    s->known = run_input_read(&s->in, text_string(&path), NULL, 0, &faults);
    if (!s->known)
        text_add(&s->why, "%.*s", (int)faults.lines.length - 1, text_string(&faults.lines));
    if (!segments_read(&s->segments, directory, &s->segments_failure))
        segments_free(&s->segments);
    s->segment = segment_parameters_read(&s->segments, directory);
    if (s->known)
        s->start = s->in.p.start.trajectory;
    else if (s->segments.count > 0)
        s->start = s->segments.item[0].first - 1;
    fault_list_free(&faults);
    text_free(&path);
}

void run_folder_list(run_folder *s, const char *directory)
{
    if (s->known)
        list_states(s, directory);
    list_others(s, directory);
    find_midtrajectory(s, directory);
    s->restarts = restart_log_read(directory);
    s->devices = device_log_read(directory);
    run_folder_check_lock(s, directory);
}

void run_folder_inspect(run_folder *s, const char *directory)
{
    run_folder_read(s, directory);
    run_folder_list(s, directory);
}

void run_folder_free(run_folder *s)
{
    run_input_free(&s->in);
    text_free(&s->why);
    text_free(&s->newest[FILE_CONFIGURATION]);
    text_free(&s->newest[FILE_CHECKPOINT]);
    text_free(&s->failure);
    text_free(&s->mismatch);
    segments_free(&s->segments);
    memory_free(s->segment);
    restart_log_free(&s->restarts);
    device_log_free(&s->devices);
    lost_process_free(&s->lost);
    failed_run_free(&s->failed);
    *s = (run_folder){ 0 };
}
