/* stop_signals.c - one flag for all signals that stop a command. */
#include "src/cli/stop_signals.h"

#include "src/comm/comm.h"

#include <stddef.h>

static volatile sig_atomic_t stop_signal;

static const struct { int number; const char *name; } signals[] = {
    { SIGINT, "SIGINT" }, { SIGTERM, "SIGTERM" }, { SIGUSR1, "SIGUSR1" }, { SIGHUP, "SIGHUP" },
    { SIGUSR2, "SIGUSR2" }, { SIGXCPU, "SIGXCPU" },
};
enum { SIGNALS = sizeof signals / sizeof *signals };

static void note_signal(int number)
{
    stop_signal = number;
}

const volatile sig_atomic_t *stop_signals_catch(void)
{
    struct sigaction action = { .sa_handler = note_signal, .sa_flags = SA_RESTART }, before;
    sigemptyset(&action.sa_mask);
    for (int i = 0; i < SIGNALS; i++)
        if (signals[i].number != SIGHUP || (sigaction(SIGHUP, NULL, &before) == 0 && before.sa_handler != SIG_IGN))
            sigaction(signals[i].number, &action, NULL);
    return &stop_signal;
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
