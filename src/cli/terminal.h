/* terminal.h - a terminal as a page that is drawn again and again, and keys that need no return. */
#ifndef KILN_CLI_TERMINAL_H
#define KILN_CLI_TERMINAL_H

#include <stdbool.h>
#include <termios.h>

/* Whether standard output is a terminal that pages can be drawn on. */
bool terminal_is_there(void);

/* Whether the locale of the environment has UTF-8. */
bool terminal_has_unicode(void);

/* Columns and lines: those of the terminal; else COLUMNS and LINES of the environment, or 80 and 50. */
typedef struct { int width, height; } terminal_size;
terminal_size terminal_size_now(void);

/* Another page than that of the shell, keys at once and unseen; and back again.  SIGINT, SIGTERM and SIGHUP end waits
 * from then on. */
typedef struct { struct termios before; bool has_keys; } terminal;
void terminal_open(terminal *t);
void terminal_close(const terminal *t);

/* The page is `lines` (each ends with '\n', none is longer than the width). */
void terminal_draw(const char *lines);

/* Wait for a key, at most so long: its code; 0 when nothing came, or the window has another size; -1 when a signal or
 * the end of the input asks to leave. */
int terminal_key(const terminal *t, double seconds);

#endif
