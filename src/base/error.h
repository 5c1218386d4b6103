/* error.h - report errors to the user or to the caller, whoever can correct them.
 *
 *   an external failure without a way out       fatal / require: one sentence on stderr, exit status 1
 *   the caller may continue (another file, an
 *   older checkpoint)                           a `failure`: the function returns false with the reason in it
 *   a programming error                         assert
 */
#ifndef KILN_BASE_ERROR_H
#define KILN_BASE_ERROR_H

#include <stdbool.h>

enum { EXIT_OK = 0, EXIT_FAILED = 1, EXIT_USAGE = 2 };   /* the program's exit statuses */

#define PRINTF_LIKE(string, first) __attribute__((format(printf, string, first)))

/* Print "kiln: <sentence>", on ranks above 0 "kiln: rank N: <sentence>", on stderr and in the log file, and end
 * the program with status 1: with it all ranks that are threads of this process. */
_Noreturn void fatal(const char *format, ...) PRINTF_LIKE(1, 2);

/* Set the function that fatal calls before it ends the process: MPI then ends the other processes.  NULL: none. */
typedef void fatal_hook(void);
void fatal_set_hook(fatal_hook *last);

/* fatal(...) unless `condition` holds. */
#define require(condition, ...) ((condition) ? (void)0 : fatal(__VA_ARGS__))

/* The reason of a failure: a whole sentence with where, what was expected, what was found. */
typedef struct {
    char why[1024];
    int error;                         /* errno of the system call that failed; 0: none did, or it gave no reason */
    bool names_rank;                   /* the sentence begins with a rank (comm_agree) */
} failure;

/* Write the sentence into `f` (may be NULL) and return false, so that `return fail(f, ...);` reads well. */
bool fail(failure *f, const char *format, ...) PRINTF_LIKE(2, 3);

/* The same after a system call that failed with this errno.  The sentence has the system's words for it. */
bool fail_system(failure *f, int error, const char *format, ...) PRINTF_LIKE(3, 4);

/* The same after another failure, whose sentence is part of this one. */
bool fail_because(failure *f, const failure *cause, const char *format, ...) PRINTF_LIKE(3, 4);

#endif
