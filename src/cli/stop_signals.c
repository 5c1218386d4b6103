/* stop_signals.c - one flag for all signals that stop a command. */
#include "src/cli/stop_signals.h"

#include "src/comm/comm.h"
#include "src/comm/launcher.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static volatile sig_atomic_t stop_signal;

static const struct { int number; const char *name; } signals[] = {
    { SIGINT, "SIGINT" }, { SIGTERM, "SIGTERM" }, { SIGUSR1, "SIGUSR1" }, { SIGHUP, "SIGHUP" },
    { SIGUSR2, "SIGUSR2" }, { SIGXCPU, "SIGXCPU" },
};
enum { SIGNALS = sizeof signals / sizeof *signals, NOTICE = 160 };

/* The line that the first signal prints, by its place in the table; prepared here, because a handler may only write. */
static char notice[SIGNALS][NOTICE];

/* If the reader of stderr ended at the same signal, the failed write must not end this process. */
static void print_notice(int number)
{
    const int error = errno;
    void (*before)(int) = signal(SIGPIPE, SIG_IGN);
    for (int i = 0; i < SIGNALS; i++)
        if (signals[i].number == number && write(STDERR_FILENO, notice[i], strlen(notice[i])) < 0)
            break;                                    /* nobody reads it */
    signal(SIGPIPE, before);
    errno = error;
}

static void note_signal(int number)
{
    const bool first = stop_signal == 0;
    stop_signal = number;
    if (first)
        print_notice(number);
}

/* Of several processes, the first one prints. */
static bool has_notices(void)
{
    launch l;
    return !launcher_started(&l) || l.rank == 0;
}

const volatile sig_atomic_t *stop_signals_catch(const char *when)
{
    struct sigaction action = { .sa_handler = note_signal, .sa_flags = SA_RESTART }, before;
    sigemptyset(&action.sa_mask);
    const char *below = isatty(STDERR_FILENO) ? "\n" : "";   /* the progress line on a terminal */
    const int notices = has_notices() ? SIGNALS : 0;
    for (int i = 0; i < notices; i++)
        snprintf(notice[i], sizeof notice[i], "%s%s: %s\n", below, signals[i].name, when);
    for (int i = 0; i < SIGNALS; i++)
        if (signals[i].number != SIGHUP || (sigaction(SIGHUP, NULL, &before) == 0 && before.sa_handler != SIG_IGN))
            sigaction(signals[i].number, &action, NULL);
    return &stop_signal;
}

void stop_signals_caught(sigset_t *caught)
{
    struct sigaction now;
    sigemptyset(caught);
    for (int i = 0; i < SIGNALS; i++)
        if (sigaction(signals[i].number, NULL, &now) == 0 && now.sa_handler == note_signal)
            sigaddset(caught, signals[i].number);
}

const char *stop_signal_name_of(int number)
{
    for (int i = 0; i < SIGNALS; i++)
        if (signals[i].number == number)
            return signals[i].name;
    return NULL;
}

const char *stop_signal_name(void)
{
    for (int i = 0; i < SIGNALS; i++)
        if (comm_any(comm_world(), stop_signal == signals[i].number))
            return signals[i].name;
    return NULL;
}
