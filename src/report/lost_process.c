/* lost_process.c - what the lock, the log and the states of an ensemble say of a process that was killed. */
#include "src/report/lost_process.h"

#include "src/io/folder_lock.h"
#include "src/report/log_tail.h"

#include <inttypes.h>
#include <string.h>

lost_process lost_process_find(const char *directory, const char *command, int64_t state,
                               const midtrajectory_point *newest)
{
    lost_process l = { .name = folder_lost_holder(directory), .state = -1 };
    if (l.name.length == 0)
        return l;
    l.log_end = log_tail_read(directory, 1);
    text_cut(&l.log_end, strcspn(text_string(&l.log_end), "\n"));
    l.state = state;
    l.step = state >= 0 && newest->trajectory == state + 1 ? newest->step : 0;
    if (*command)
        text_add(&l.command, "%s", command);
    return l;
}

void lost_process_free(lost_process *l)
{
    text_free(&l->name);
    text_free(&l->log_end);
    text_free(&l->command);
    *l = (lost_process){ .state = -1 };
}

void lost_process_add(text *out, const lost_process *l, const char *between)
{
    if (l->name.length == 0)
        return;
    text_add(out, "%s did not end normally: it was killed, its machine went down, or it had a fatal error",
             text_string(&l->name));
    if (l->log_end.length > 0)
        text_add(out, "%sits log ends with: %s", between, text_string(&l->log_end));
    if (l->state < 0)
        text_add(out, "%sthere is no checkpoint yet", between);
    else
        text_add(out, "%sthe newest checkpoint is of trajectory %" PRId64, between, l->state);
    if (l->step > 0)
        text_add(out, ", and of step %" PRId64 " of the next one", l->step);
    text_add(out, "%sto continue, give the same command again%s%s", between, l->command.length > 0 ? ", or " : "",
             text_string(&l->command));
}

void lost_process_to_json(json *j, const lost_process *l)
{
    if (l->name.length == 0) {
        json_text(j, "lost_process", NULL);
        return;
    }
    json_open(j, "lost_process", '{');
    json_text(j, "name", text_string(&l->name));
    json_text(j, "log_end", l->log_end.s);
    if (l->state >= 0)
        json_int(j, "trajectory", l->state);
    else
        json_text(j, "trajectory", NULL);
    if (l->step > 0)
        json_int(j, "step", l->step);
    else
        json_text(j, "step", NULL);
    json_text(j, "command", l->command.s);
    json_close(j);
}
