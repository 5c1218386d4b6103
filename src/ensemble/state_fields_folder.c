/* state_fields_folder.c - name and removal of the folder of the fields of a state. */
#include "src/ensemble/state_fields_folder.h"

#include "src/base/log.h"
#include "src/ensemble/folder_files.h"
#include "src/io/disk.h"
#include "src/io/safe_file.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

text state_fields_path(const run_params *p, int64_t trajectory)
{
    text path = { 0 };
    text_add(&path, "%s/%s" STATE_FIELDS "%06" PRId64, p->output.directory, p->output.name, trajectory);
    return path;
}

bool state_fields_is_name(const run_params *p, const char *entry, int64_t *trajectory)
{
    const size_t n = strlen(p->output.name), infix = strlen(STATE_FIELDS);
    if (strncmp(entry, p->output.name, n) != 0 || strncmp(entry + n, STATE_FIELDS, infix) != 0)
        return false;
    const char *digits = entry + n + infix;
    const size_t count = strspn(digits, "0123456789");
    *trajectory = strtoll(digits, NULL, 10);
    /* Leading zeros fill up to six digits, so that a number has only one name. */
    return count >= 6 && count <= 10 && !(count > 6 && *digits == '0') && digits[count] == '\0';
}

void state_fields_remove(const run_params *p, int64_t trajectory)
{
    text path = state_fields_path(p, trajectory), partial = { 0 };
    failure why;
    text_add(&partial, "%s" SAFE_FILE_TEMPORARY "gone", text_string(&path));
    if (disk_has_name(text_string(&path))
        && (!folder_keep(p->output.directory, text_string(&path), text_string(&partial), &why)
            || !folder_remove(text_string(&partial))))
        log_line(LOG_WARNING, "%s: cannot remove the fields of this old checkpoint", text_string(&path));
    text_free(&partial);
    text_free(&path);
}
