/* file_json.h - a configuration file in the JSON that commands print. */
#ifndef KILN_IO_FILE_JSON_H
#define KILN_IO_FILE_JSON_H

#include "src/base/json.h"
#include "src/io/links_file.h"

/* Append "file", "dims" (x, y, z, t), "format", "bits"; for a file with a run state of Kiln also "trajectory", with
 * open boundaries in t "boundary_time": "open", and with an anisotropic action "xi_0". */
void file_to_json(json *j, const char *path, const links_info *info);

/* The same without "file". */
void links_to_json(json *j, const links_info *info);

#endif
