/* excerpt.h - text of the user for a message: at most 40 bytes, then "..."; control characters become "?". */
#ifndef KILN_CONFIG_EXCERPT_H
#define KILN_CONFIG_EXCERPT_H

typedef struct { char s[64]; } excerpt_text;
excerpt_text excerpt(const char *s);

#endif
