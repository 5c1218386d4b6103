/* terminal_line.c - the unfinished line of a terminal. */
#include "src/base/terminal_line.h"

#include <stdatomic.h>
#include <stdio.h>

static _Atomic(terminal_line) last_line;

terminal_line terminal_line_now(void)
{
    return atomic_load(&last_line);
}

void terminal_line_set(terminal_line line)
{
    atomic_store(&last_line, line);
}

void terminal_line_end(void)
{
    const terminal_line line = atomic_exchange(&last_line, LINE_ENDED);
    if (line == LINE_STATUS)
        fputs(ERASE_LINE, stderr);
    else if (line == LINE_PROGRESS)
        fputc('\n', stderr);
}
