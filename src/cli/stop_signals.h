/* stop_signals.h - SIGINT, SIGTERM, SIGHUP, and SIGUSR1, which batch systems send before the time is up, end a command
 * at its next safe point. */
#ifndef KILN_CLI_STOP_SIGNALS_H
#define KILN_CLI_STOP_SIGNALS_H

#include <signal.h>

/* The flag that these signals set from now on, 0 until then.  A SIGHUP that is ignored stays so: under nohup the
 * command goes on. */
const volatile sig_atomic_t *stop_signals_catch(void);

/* "SIGTERM": the signal that came last; NULL before any came. */
const char *stop_signal_name(void);

#endif
