/* log_file.c - the log file of a process, which any of its threads can end with a fatal error. */
#include "src/base/log_file.h"

#include <pthread.h>
#include <stdio.h>
#include <time.h>

static int open_descriptor = -1;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

log_stamp log_file_stamp(void)
{
    log_stamp stamp;
    time_t now = time(NULL);
    struct tm parts;
    gmtime_r(&now, &parts);
    strftime(stamp.s, sizeof stamp.s, "%Y-%m-%dT%H:%M:%SZ", &parts);
    return stamp;
}

/* With a lock: after the file is closed, its descriptor may belong to another one. */
void log_file_set(int descriptor)
{
    pthread_mutex_lock(&lock);
    open_descriptor = descriptor;
    pthread_mutex_unlock(&lock);
}

void log_file_add_error(const char *sentence)
{
    pthread_mutex_lock(&lock);
    if (open_descriptor >= 0)
        dprintf(open_descriptor, "%s error: %s\n", log_file_stamp().s, sentence);
    pthread_mutex_unlock(&lock);
}
