/* restart_log.c - find the restarts of a run in its log. */
#include "src/report/restart_log.h"

#include "src/base/open_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

static const char *const after_words = " after trajectory ";

/* A line of the log, without its end. */
static void read_line(restart_log *l, const char *line)
{
    const char *killed = strstr(line, RESTART_LOG_KILLED), *again = strstr(line, RESTART_LOG_AGAIN);
    const char *kind = strstr(line, " warning: ");
    if (!killed || !again || !kind || kind > killed || again < killed)
        return;
    const char *signal = kind + strlen(" warning: "), *after = strstr(killed, after_words);
    l->count++;
    text_clear(&l->last);
    text_add(&l->last, "%.*s", (int)(killed - signal), signal);
    if (after && after < again)
        text_add(&l->last, "%.*s", (int)(again - after), after);
    text_add(&l->last, ", %.*s", (int)(kind - line), line);
}

restart_log restart_log_read(const char *directory)
{
    restart_log l = { 0 };
    text path = path_in_folder(directory, "run.log");
    FILE *stream = open_file_read(text_string(&path));
    char *line = NULL;
    size_t room = 0;
    while (stream && getline(&line, &room, stream) > 0)
        read_line(&l, line);
    free(line);
    if (stream)
        fclose(stream);
    text_free(&path);
    return l;
}

void restart_log_free(restart_log *l)
{
    text_free(&l->last);
    *l = (restart_log){ 0 };
}
