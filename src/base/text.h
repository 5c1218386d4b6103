/* text.h - strings that grow, for messages, XML and JSON. */
#ifndef KILN_BASE_TEXT_H
#define KILN_BASE_TEXT_H

#include "src/base/error.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* A growing string, always terminated.  Start from `text t = { 0 };`, end with text_free. */
typedef struct { char *s; size_t length, capacity; } text;

void text_add(text *t, const char *format, ...) PRINTF_LIKE(2, 3);
void text_add_bytes(text *t, const char *bytes, size_t n);
void text_clear(text *t);
void text_cut(text *t, size_t length);     /* keep the first `length` bytes */
void text_free(text *t);
const char *text_string(const text *t);     /* "" for an empty one; borrowed */

/* Append all bytes of a file; false with the reason, after which some of them may have been appended. */
bool text_add_file(text *t, const char *path, failure *f);
bool text_add_stream(text *t, FILE *stream);     /* to its end; false with errno */

/* Append `word` for the shell: always in single quotes, each ' within it as '\''. */
void text_add_shell_word(text *t, const char *word);

/* "FOLDER/NAME", to be released with text_free. */
text path_in_folder(const char *folder, const char *name);

/* `path` as an absolute path, to be released with text_free: a relative path is relative to the folder of `file`, or to
 * the working directory if `file` is NULL.  The result has no "." and no "/" at its end (but "/" itself), and ".." only
 * after names that do not exist.  An empty path stays empty; a relative path stays relative if the working directory
 * was removed. */
text path_absolute(const char *path, const char *file);

/* "24x24x24x48" for extents in the order x, y, z, t. */
typedef struct { char s[48]; } extents_text;
extents_text extents_to_text(const int extents[4]);

/* Three digits: "81.5 J", "12.3 kJ", "4.56 kWh" (from 0.1 kWh on), "1.21 MWh" (from 1000 kWh on). */
typedef struct { char s[32]; } joules_text;
joules_text joules_to_text(double joules);

/* The unit for a mean and its error, J, kJ, MJ or GJ, such that the mean has at most three digits before the point.
 * `joules`: the unit in joules; `from`: the smallest mean with this unit, in joules. */
typedef struct { double from, joules; const char *name; } joules_unit;
joules_unit joules_unit_of(double joules);

/* "1.50 GiB", "96.0 KiB", "17 B" */
typedef struct { char s[32]; } bytes_text;
bytes_text bytes_to_text(double bytes);

/* "1 checkpoint", "2 checkpoints": a number with its noun; nouns_to_text for irregular plurals. */
typedef struct { char s[64]; } count_text;
count_text count_to_text(int64_t count, const char *noun);
count_text nouns_to_text(int64_t count, const char *singular, const char *plural);

#endif
