/* terminal.h - a terminal as a page that is redrawn, and keys that need no return. */
#ifndef KILN_CLI_TERMINAL_H
#define KILN_CLI_TERMINAL_H

#include <stdbool.h>
#include <termios.h>

/* Whether standard output is a terminal that pages can be drawn on. */
bool terminal_is_there(void);

/* Whether the locale of the environment has UTF-8. */
bool terminal_has_unicode(void);

/* Columns and lines of the terminal; if unknown, COLUMNS and LINES of the environment, or 80 and 50. */
typedef struct { int width, height; } terminal_size;
terminal_size terminal_size_now(void);

/* terminal_open switches to the alternate screen and to keys without echo and return; terminal_close switches back.
 * After terminal_open, SIGINT, SIGTERM and SIGHUP end terminal_key. */
typedef struct { struct termios before; bool has_keys; } terminal;
void terminal_open(terminal *t);
void terminal_close(const terminal *t);

/* Draw the page `lines`: each line ends with '\n', none is longer than the width. */
void terminal_draw(const char *lines);

/* Wait for a key, at most `seconds`.  Returns its code; 0 if no key came or the window changed its size; -1 after a
 * signal or at the end of the input. */
int terminal_key(const terminal *t, double seconds);

#endif
