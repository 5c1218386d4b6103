/* checkpoint_state.c - write and read the files of a checkpoint: first the links, then what names them. */
#include "src/tune/checkpoint_state.h"

#include "src/ensemble/latest_links.h"
#include "src/io/configuration.h"
#include "src/io/disk.h"
#include "src/io/safe_file.h"

#include <inttypes.h>

const checkpoint_names checkpoint_of_input = { "tuning.json", "links" };
const checkpoint_names checkpoint_of_verification = { "verification.json", "verification" };

text checkpoint_file_path(const checkpoint_names *names, const char *folder)
{
    text path = { 0 };
    text_add(&path, "%s/%s", folder, names->file);
    return path;
}

text checkpoint_links_path(const checkpoint_names *names, const char *folder, int64_t number)
{
    text path = { 0 };
    text_add(&path, "%s/%s.%06" PRId64 ".lime", folder, names->links, number);
    return path;
}

bool checkpoint_state_save(tuning *t, const checkpoint_names *names, const json *values, int64_t *saved,
                           int64_t stays)
{
    text links = checkpoint_links_path(names, t->w->checkpoint, t->number);
    text path = checkpoint_file_path(names, t->w->checkpoint);
    const configuration_label as = { .bits = 64, .replace = true };
    const bool done = (*saved == t->number || configuration_save(t->u, text_string(&links), &as, NULL, t->f))
                      && safe_file_write_text(text_string(&path), json_string(values), true, t->f);
    if (done && *saved != t->number) {
        if (*saved > 0 && *saved != stays)
            checkpoint_links_remove(t, names, *saved);
        *saved = t->number;
    }
    text_free(&links);
    text_free(&path);
    return done;
}

bool checkpoint_links_read(tuning *t, const checkpoint_names *names, int64_t number, failure *f)
{
    latest_links at;
    text path = checkpoint_links_path(names, t->w->checkpoint, number);
    const bool read = latest_links_load(&at, t->u, &t->in->p, text_string(&path), NULL, f);
    text_free(&at.origin);
    text_free(&path);
    return read;
}

void checkpoint_links_remove(const tuning *t, const checkpoint_names *names, int64_t number)
{
    text path = checkpoint_links_path(names, t->w->checkpoint, number);
    disk_unlink(text_string(&path));
    text_free(&path);
}
