/* publish_folder.h - a folder that is complete or absent: it gets its final name when everything is in it. */
#ifndef KILN_PUBLISH_PUBLISH_FOLDER_H
#define KILN_PUBLISH_PUBLISH_FOLDER_H

#include "src/base/text.h"

/* `lock`: held by the process that writes (io/partial_file.h). */
typedef struct { text path, temporary; int lock; } publish_folder;

/* Create a temporary folder beside `path`, which must not exist; false with the reason. */
bool publish_folder_begin(publish_folder *p, const char *path, failure *f);

/* "TEMPORARY/NAME", to be freed with text_free. */
text publish_folder_path(const publish_folder *p, const char *name);

/* Write the checksums of all *.xml and *.lime in the folder to a file in it: "manifest.sha256", by the command
 * sha256sum, or, where that is not installed, "manifest.cksum", by cksum.  *name <- its name (static). */
bool publish_folder_manifest(publish_folder *p, const char **name, failure *f);

/* Give the folder its name, or remove it with everything in it.  Both release p.  If the folder has its name but fsync
 * fails, commit logs a warning and returns true. */
bool publish_folder_commit(publish_folder *p, failure *f);
void publish_folder_abandon(publish_folder *p);

#endif
