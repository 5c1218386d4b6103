/* open_file.h - open files without ever waiting for another process, and only files of the right type.
 *
 * A pipe, a device or a socket may stand where a file is expected, by mistake or by intent.  Opening a pipe waits until
 * another process opens its other end; writing to a device replaces no content, and reading it may never end.  Use
 * these functions for all paths that the user gives and for all files that may exist already. */
#ifndef KILN_BASE_OPEN_FILE_H
#define KILN_BASE_OPEN_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

/* Open a regular file, with the flags of open (but O_TRUNC) and mode 0666; -1 with errno.  Where the file is of another
 * type, errno is ESPIPE.  A folder can be opened for reading, as with open; reading it fails. */
int open_file(const char *path, int flags);

/* The same for a file that belongs to Kiln alone: no symbolic link (ELOOP), and without another name (EMLINK), since
 * what Kiln writes would change another file. */
int open_file_own(const char *path, int flags);

/* A regular file for reading; NULL with errno. */
FILE *open_file_read(const char *path);

/* The same, also for pipes and devices.  A signal that is caught ends the wait for their data, with EINTR.  The other
 * two do it with a descriptor: read_or_wait reads as read does, but waits for data. */
FILE *open_stream_read(const char *path);
int open_stream_descriptor(const char *path, bool *regular);
ssize_t read_or_wait(int descriptor, char *bytes, size_t n);

/* Whether the path leads to a pipe or a character device, into which a text can be written. */
bool is_output_stream(const char *path);

/* Write into such a stream; 0, or -1 with errno.  ENXIO: no process reads the pipe. */
int write_to_stream(const char *path, const char *bytes, size_t n);

/* The reason for a failure of one of these functions, from its errno: strerror, or a sentence on the type of file. */
const char *open_file_reason(int error);

#endif
