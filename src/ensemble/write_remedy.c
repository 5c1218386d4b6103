/* write_remedy.c - finds the remedy by the error number that a failure carries. */
#include "src/ensemble/write_remedy.h"

#include <errno.h>

/* The remedies; the folder of the ensemble follows. */
static const struct { int error; const char *remedy; } remedies[] = {
    { ENOSPC, "free space in" },
    { EDQUOT, "free space or raise the quota in" },
    { EROFS, "make it possible to write in" },
    { EACCES, "give this user permission to read and write in" },
    { EPERM, "give this user permission to read and write in" },
    { EEXIST, "to go on with other links, move this file and all later states out of" },
    { EFBIG, "raise the limit on the size of files (ulimit -f) for" },
};

bool write_remedy_add(text *out, const char *directory, const failure *why)
{
    for (size_t i = 0; i < sizeof remedies / sizeof *remedies; i++)
        if (why->error == remedies[i].error) {
            text_add(out, "%s %s", remedies[i].remedy, directory);
            return true;
        }
    text_add(out, "remove the cause of the failure");
    return false;
}
