/* clock_jump.c - a clock of the day that jumps, to be loaded before a program (LD_PRELOAD): every second question is
 * answered hours later or earlier than it should be.  The monotonic clock is left alone. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE      /* RTLD_NEXT */
#endif
#include <dlfcn.h>
#include <sys/time.h>
#include <time.h>

static long jump(void)
{
    static const long hours[] = { 0, 5, 0, -7, 26, 0, -30, 1 };
    static unsigned asked;
    return 3600 * hours[asked++ % (sizeof hours / sizeof *hours)];
}

int clock_gettime(clockid_t clock, struct timespec *t)
{
    typedef int get_time(clockid_t, struct timespec *);
    get_time *real = (get_time *)dlsym(RTLD_NEXT, "clock_gettime");
    int status = real(clock, t);
    if (status == 0 && clock == CLOCK_REALTIME)
        t->tv_sec += jump();
    return status;
}

time_t time(time_t *t)
{
    struct timespec now = { 0 };
    clock_gettime(CLOCK_REALTIME, &now);
    if (t)
        *t = now.tv_sec;
    return now.tv_sec;
}

int gettimeofday(struct timeval *restrict t, void *restrict zone)
{
    struct timespec now = { 0 };
    (void)zone;
    int status = clock_gettime(CLOCK_REALTIME, &now);
    t->tv_sec = now.tv_sec;
    t->tv_usec = now.tv_nsec / 1000;
    return status;
}
