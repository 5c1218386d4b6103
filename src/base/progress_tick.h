/* progress_tick.h - lets a program show that it is alive while one computation takes minutes.
 *
 *     progress_listen(draw, of);             this thread calls draw(of) at its ticks
 *     ...  progress_tick();  ...             in loops that take long; clock_begin and clock_end tick, too
 *     progress_listen(NULL, NULL);
 *
 * A tick costs a comparison where no listener is set.  A solve that runs on a GPU as one graph or one persistent kernel
 * does not tick (src/halo/loop.c). */
#ifndef KILN_BASE_PROGRESS_TICK_H
#define KILN_BASE_PROGRESS_TICK_H

#include <stdint.h>

/* The least time between two calls of the listener, in seconds.  The environment variable KILN_PROGRESS_PAUSE changes
 * it; 0: a call for each tick. */
#define PROGRESS_PAUSE 0.25

/* Called on the thread that ticks.  It must not tick itself, and must not change what is computed. */
typedef void progress_listener(void *of);

/* Set the listener of this thread and its argument (borrowed); NULL: none. */
void progress_listen(progress_listener *listener, void *of);

/* Say that part `number` (from 1) of `all` parts of the running timer begins, and tick; 0 of 0: it has no parts.  This
 * holds until the next progress_set_part, clock_begin or clock_end. */
typedef struct { int64_t number, all; } progress_part;
void progress_set_part(int64_t number, int64_t all);
progress_part progress_part_now(void);

/* Call the listener, unless its last call is less than the pause ago. */
void progress_tick(void);

#endif
