/* long_record.h - a record of some hundred trajectories whose chains are known, for what reads records.
 *
 * The plaquette has rho(t) = 0.8^t after a start that dies out as exp(-t/2); the charge of a flow, after every second
 * trajectory, 0.95^t in its own steps. */
#ifndef KILN_TESTS_REPORT_LONG_RECORD_H
#define KILN_TESTS_REPORT_LONG_RECORD_H

#include <stdbool.h>

enum { LONG_RECORD = 800, LONG_THERMALIZATION = 10 };

/* `unusual`: trajectory 500 has all that a person should look at, 600 to 606 are rejected, solves need more and more
 * iterations, and the range of the rational functions changes at 301.  `lines` of LONG_RECORD are written. */
void long_record_write(const char *path, int lines, bool unusual);

/* Parameters that such a record could have been made with, units of length 0.5. */
void long_record_parameters(const char *path, int trajectories);

#endif
