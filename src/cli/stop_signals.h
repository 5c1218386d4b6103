/* stop_signals.h - SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2 and SIGXCPU stop a command at its next safe point.  Batch
 * systems send one of them before the time limit. */
#ifndef KILN_CLI_STOP_SIGNALS_H
#define KILN_CLI_STOP_SIGNALS_H

#include <signal.h>

/* Catch these signals.  Returns the flag that they set, 0 before.  The first one prints a line on stderr at once,
 * "SIGTERM: WHEN": when the command will stop.  It is copied; more than about 150 characters are cut, and the end of
 * the line with them.  Of several processes that a launcher started, only the first prints.  A SIGHUP that is ignored
 * stays ignored: under nohup the command continues. */
const volatile sig_atomic_t *stop_signals_catch(const char *when);

/* The set of signals that stop_signals_catch catches in this process. */
void stop_signals_caught(sigset_t *caught);

/* "SIGTERM": the latest signal of any rank; NULL if none has got one.  Collective (comm/comm.h). */
const char *stop_signal_name(void);
const char *stop_signal_name_of(int number);            /* NULL if it is none of these signals */

#endif
