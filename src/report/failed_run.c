/* failed_run.c - the last lines of a log: "TIME error: REASON", and after most failures "TIME error: stopped ADVICE".
 *
 * A run that continues the ensemble begins with other lines, and so hides the failure before it. */
#include "src/report/failed_run.h"

#include "src/report/log_tail.h"

#include <string.h>

#define ERROR_MARK " error: "
#define STOPPED "stopped"              /* begins the line that follows the reason (run_failure.c) */

/* The words of a line after ERROR_MARK; NULL if it is another line. */
static const char *error_words(const char *line)
{
    const size_t stamp = strcspn(line, " ");
    return strncmp(line + stamp, ERROR_MARK, strlen(ERROR_MARK)) == 0 ? line + stamp + strlen(ERROR_MARK) : NULL;
}

static void add_to_end_of_line(text *out, const char *words)
{
    text_add_bytes(out, words, strcspn(words, "\n"));
}

failed_run failed_run_find(const char *directory, const char *command)
{
    failed_run r = { 0 };
    text log = log_tail_read(directory, 2);
    const char *before = text_string(&log), *second = strchr(before, '\n');
    const char *last = second && second[1] ? second + 1 : before;
    const char *reason = error_words(last), *advice = NULL;
    if (reason && last > before && strncmp(reason, STOPPED, strlen(STOPPED)) == 0 && error_words(before)) {
        advice = reason;
        reason = error_words(before);
    }
    if (reason) {
        text_add(&r.time, "%.*s", (int)strcspn(last, " "), last);
        add_to_end_of_line(&r.reason, reason);
    }
    if (advice)
        add_to_end_of_line(&r.advice, advice);
    else if (reason)
        text_add(&r.advice, "remove the cause of the failure, then give the same command again%s%s",
                 *command ? ", or " : "", command);
    text_free(&log);
    return r;
}

void failed_run_free(failed_run *r)
{
    text_free(&r->time);
    text_free(&r->reason);
    text_free(&r->advice);
    *r = (failed_run){ 0 };
}

void failed_run_add(text *out, const failed_run *r, const char *between)
{
    if (r->time.length > 0)
        text_add(out, "failed at %s: %s%s%s", text_string(&r->time), text_string(&r->reason), between,
                 text_string(&r->advice));
}

void failed_run_to_json(json *j, const failed_run *r)
{
    if (r->time.length == 0) {
        json_text(j, "failed_run", NULL);
        return;
    }
    json_open(j, "failed_run", '{');
    json_text(j, "time", text_string(&r->time));
    json_text(j, "reason", text_string(&r->reason));
    json_text(j, "advice", text_string(&r->advice));
    json_close(j);
}
