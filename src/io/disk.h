/* disk.h - the disk as rank 0 sees it.
 *
 * Only rank 0 reads, writes and changes files; all ranks get its result.  So they decide alike even where one machine
 * sees a file later than another, or not at all.  Each function is collective (comm/comm.h) in the world of the
 * calling thread and uses the path of rank 0; where it fails, errno is that of rank 0.  In a world of one rank the
 * functions are those of the system. */
#ifndef KILN_IO_DISK_H
#define KILN_IO_DISK_H

#include "src/base/error.h"
#include "src/base/text.h"
#include "src/base/json_read.h"
#include "src/config/yaml_node.h"

#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>

/* Open a file for reading: every rank reads the bytes that rank 0 reads, if all of them make the same calls.  NULL with
 * errno.  With several ranks the stream has no descriptor.  fseek works in regular files; SEEK_END is the size
 * when the file was opened. */
FILE *disk_open(const char *path);
bool disk_size(uint64_t *bytes, FILE *stream);                  /* false if it is not a regular file */

/* Append a whole file; false with the reason. */
bool disk_add_file(text *t, const char *path, failure *f);

/* The tree of a YAML file (config/yaml.h), and the document of a JSON file, or NULL with the reason. */
yaml_node *disk_read_yaml(const char *path, failure *f);
yyjson_doc *disk_read_json(const char *path, failure *f);

bool disk_has(const char *path);                                /* access: false with errno (ENOENT) */
bool disk_has_name(const char *path);                           /* true also for a dangling symbolic link */
int disk_status(struct stat *status, const char *path);         /* stat: 0, or -1 with errno */

/* The names in a folder without "." and "..", in no order; false with errno.  Call disk_names_free in either case. */
typedef struct { int count; char **name; text bytes; } disk_names;
bool disk_list(disk_names *names, const char *folder);
bool disk_match(disk_names *names, const char *pattern);        /* paths that match a shell pattern (* ? []) */
void disk_names_free(disk_names *names);

/* 0, or -1 with errno. */
int disk_make_folder(const char *path);
int disk_make_folders(const char *path);                        /* with its parents; 0, too, if it is there */
int disk_remove_folder(const char *path);                       /* an empty one */
int disk_rename(const char *from, const char *to);
int disk_unlink(const char *path);
int disk_synchronize_folder(const char *path);                  /* make the names in it durable */

#endif
