/* long_record.h - a record run.jsonl of LONG_RECORD trajectories with known autocorrelations, for tests of its readers.
 *
 * The plaquette has rho(t) = 0.8^t, with t in trajectories, after an initial deviation that decays as exp(-t/2).  The
 * charge, from a gradient flow after every second trajectory, has rho(s) = 0.95^s, with s in measurements. */
#ifndef KILN_TESTS_REPORT_LONG_RECORD_H
#define KILN_TESTS_REPORT_LONG_RECORD_H

#include <stdbool.h>

enum { LONG_RECORD = 800, LONG_THERMALIZATION = 10 };

/* Writes the first `lines` lines.  `unusual`: trajectory 500 has every peculiarity that a report lists, 600 to 606 are
 * rejected, the iterations of solves increase, and the range of the rational functions changes at 301. */
void long_record_write(const char *path, int lines, bool unusual);

/* Writes parameters of a run that fit the record: `trajectories` trajectories of length 0.5. */
void long_record_parameters(const char *path, int trajectories);

#endif
