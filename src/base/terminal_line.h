/* terminal_line.h - the unfinished line of a terminal on stderr, which the next message ends or erases. */
#ifndef KILN_BASE_TERMINAL_LINE_H
#define KILN_BASE_TERMINAL_LINE_H

#define ERASE_LINE "\r\033[K"

typedef enum { LINE_ENDED, LINE_PROGRESS, LINE_STATUS } terminal_line;

/* What the last line is; one for all threads, since only rank 0 writes such lines. */
terminal_line terminal_line_now(void);
void terminal_line_set(terminal_line line);

/* Erase a status, end a line of progress; a message can follow. */
void terminal_line_end(void);

#endif
