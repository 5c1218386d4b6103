/* checkpoint_folder.c - make and lock the folder of a checkpoint. */
#include "src/tune/checkpoint_folder.h"

#include "src/base/log.h"
#include "src/comm/comm.h"
#include "src/ensemble/ensembles_below.h"
#include "src/ensemble/write_remedy.h"
#include "src/io/disk.h"
#include "src/io/folder_lock.h"

#include <errno.h>
#include <string.h>

bool checkpoint_folder_fail(const char *folder, const failure *why, failure *f)
{
    text remedy = { 0 };
    if (!write_remedy_add(&remedy, folder, why)) {
        text_clear(&remedy);
        text_add(&remedy, "choose another folder, or remove this one");
    }
    fail_because(f, why, "%s; %s", why->why, text_string(&remedy));
    text_free(&remedy);
    return false;
}

/* Whether the name is free, or that of a folder that is not an ensemble's: on all ranks alike. */
static bool is_suitable(const char *folder, const char *ensemble, failure *f)
{
    struct stat there;
    text path = path_absolute(folder, NULL);
    bool other = strcmp(text_string(&path), ensemble) != 0;
    text_free(&path);
    if (!other)
        fail(f, "--checkpoint %s: is the folder of the ensemble; choose another folder", folder);
    other = comm_agree(comm_world(), other, f);
    if (!other)
        return false;
    if (disk_status(&there, folder) != 0)
        return true;
    if (!S_ISDIR(there.st_mode))
        return fail(f, "--checkpoint %s: expected a folder, found a file; choose another name", folder);
    return !folder_is_ensemble(folder)
           || fail(f, "--checkpoint %s: is the folder of an ensemble; choose another folder", folder);
}

/* Fail as a disk does that refuses a new file or folder in `place`. */
static bool fail_to_make(const char *place, const failure *why, failure *f)
{
    text remedy = { 0 };
    if (write_remedy_add(&remedy, place, why))
        fail_because(f, why, "%s; %s, or choose another folder", why->why, text_string(&remedy));
    else
        *f = *why;
    text_free(&remedy);
    return false;
}

static bool make_folder(const char *folder, failure *f)
{
    failure why;
    if (disk_make_folders(folder) == 0)
        return true;
    fail_system(&why, errno, "--checkpoint %s: cannot be made: %s", folder, strerror(errno));
    text above = path_absolute(".", folder);
    fail_to_make(text_string(&above), &why, f);
    text_free(&above);
    return false;
}

bool checkpoint_folder_lock(int *lock, const char *folder, const char *ensemble, failure *f)
{
    static const folder_holder other = { .does = "tunes with this checkpoint",
                                         .remedy = "wait until it ends, or choose another folder" };
    text lost = { 0 };
    failure why = { .why = "" };
    *lock = -1;
    if (!is_suitable(folder, ensemble, f) || !make_folder(folder, f))
        return false;
    const bool locked = folder_lock(lock, &lost, folder, &other, &why);
    if (lost.length > 0)
        log_line(LOG_INFO, "%s worked here before, and did not end normally", text_string(&lost));
    text_free(&lost);
    return locked || fail_to_make(folder, &why, f);
}

void checkpoint_folder_unlock(int *lock)
{
    folder_unlock(lock, &(text){ 0 });
}
