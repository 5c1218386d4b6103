/* clock_now.h - the time now, for differences. */
#ifndef KILN_BASE_CLOCK_NOW_H
#define KILN_BASE_CLOCK_NOW_H

double clock_now(void);                              /* seconds, monotonic */

#endif
