/* utf8.h - which bytes are characters of UTF-8, and how texts of JSON keep those that are not.
 *
 * Names of files are bytes; texts of JSON are characters.  A byte B that is part of no character is written as the
 * character U+F700 + B, from the private use area.  If a name has such a character (U+F780 to U+F7FF), its bytes are
 * written in the same way, so that utf8_add_bytes returns every name unchanged. */
#ifndef KILN_BASE_UTF8_H
#define KILN_BASE_UTF8_H

#include "src/base/text.h"

#include <stdbool.h>
#include <stdint.h>

/* The character at the beginning of a text that is not empty.  Returns its number of bytes: 1 to 4, or 0 if there is
 * none. */
int utf8_character(uint32_t *character, const char *s);

/* Whether a text has only characters. */
bool utf8_is_valid(const char *s);

/* Append the name whose JSON text is `read`: the inverse of json_text. */
void utf8_add_bytes(text *bytes, const char *read);

enum { UTF8_BYTE = 0xf700 };       /* the character of byte 0; only bytes from 0x80 on are written so */

#endif
