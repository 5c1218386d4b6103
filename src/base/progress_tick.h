/* progress_tick.h - lets a program show that it is alive while one computation takes minutes.
 *
 *     progress_listen(draw, of);             from now on this thread draws
 *     ...  progress_tick();  ...             in loops that take long; src/base/clock.h does so for every timer
 *     progress_listen(NULL, NULL);
 *
 * Ticks cost a comparison where nobody listens. */
#ifndef KILN_BASE_PROGRESS_TICK_H
#define KILN_BASE_PROGRESS_TICK_H

#include <stdint.h>

#define PROGRESS_PAUSE 0.25              /* seconds between two calls of the listener, at least */

/* Called on the thread that ticks.  It must not tick itself, and must not change what is computed. */
typedef void progress_listener(void *of);

/* Set the listener of this thread and what it is called with (borrowed); NULL: none. */
void progress_listen(progress_listener *listener, void *of);

/* "Part `number` of `all` of what is running begins", counted from 1; also ticks.  It holds until the next one, or the
 * next timer; 0 of 0: no parts. */
typedef struct { int64_t number, all; } progress_part;
void progress_set_part(int64_t number, int64_t all);
progress_part progress_part_now(void);

/* Call the listener, unless its last call is less than PROGRESS_PAUSE ago. */
void progress_tick(void);

#endif
