/* file_calls.h - the system calls that change files, as a listener of a seccomp filter sees them. */
#ifndef KILN_TESTS_ENSEMBLE_FILE_CALLS_H
#define KILN_TESTS_ENSEMBLE_FILE_CALLS_H

#ifdef __linux__
#include <linux/seccomp.h>
#endif

#ifdef SECCOMP_USER_NOTIF_FLAG_CONTINUE
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* `files`: what the arguments are, one by one: d a descriptor, p a path, a the folder that the path after it counts
 * from.  `argument`: which of them must have one of `bits` (an open that creates), or be larger than 2 (a write to a
 * file, not to the terminal); -1: all. */
typedef struct { int number; const char *name, *files; int argument; uint32_t bits; } watched_call;
extern const watched_call watched_calls[];                          /* WATCHED_CALLS at most; ends with { 0 } */
enum { WATCHED_CALLS = 20 };
const watched_call *watched_call_of(int number);                    /* NULL if there is none */

/* Whether a call changes a file or a folder: a driver may write into pipes and devices. */
bool call_is_of_a_file(const struct seccomp_notif *call);

/* A line: the name of the call, and the absolute paths of the files that it works on. */
void call_list(FILE *list, const struct seccomp_notif *call);

/* Write the first `most` bytes of what the caller wants to write, for it; how many were written, or -1. */
int64_t call_write_part(const struct seccomp_notif *call, size_t most);
#endif

#endif
