/* results.h - a file of measurements of configurations: one JSON object a line, with all results that one process
 * measured on one configuration.
 *
 *     {"file": "/path/c.000010.lime", "size": 2097152, "modified": 1700000000000000000, "checksum": "...",
 *      "links": "0x...", "settings": {"flow": "0x..."}, "keys": {"plaquette": "0x...", "flow": "0x..."}, ...,
 *      "digest": "0x..."}
 *
 * "links" is the links_digest of the configuration.  Each of the "keys" is a digest of the name of the measurement, its
 * parameters, the links, and the random numbers that it uses.  So Kiln finds a result again if the configuration has
 * another file name or format.  "settings" are the measurement_settings of the measurements: results of the same name
 * with different settings are different quantities, and must not be averaged; "parameters" has the parameters of each
 * settings as YAML, {"0x...": "kind: flow\n..."}.  "modified" is in nanoseconds since the epoch.  The last member,
 * "digest", is the checksum of the line (checksummed_line.h).
 *
 * A rejected trajectory leaves the links as they were.  Configurations with the same links and different numbers of
 * trajectories are different members of the chain: each has lines of its own, so that means have the right weights.
 * A file without a number has its name, without folders, in place of the number.  If its links are those of a
 * configuration with a number, it is a copy of that one. */
#ifndef KILN_ENSEMBLE_RESULTS_H
#define KILN_ENSEMBLE_RESULTS_H

#include "src/base/json.h"
#include "src/measure/measurement.h"

typedef struct results results;

/* Open a file of results for appending, under a lock; create it if it is missing.  A torn last line, of a process that
 * was killed, is cut off.  Lines whose checksum does not hold count as missing, with a warning.  NULL with the reason:
 * another process writes to it, it is no file of results, it cannot be read.  Collective. */
results *results_open(const char *path, failure *f);
void results_close(results *r);

/* The key of the measurement `name` with these parameters (digest64) of links with this links_digest; random: NULL
 * where no random numbers enter. */
uint64_t results_key(const char *name, uint64_t parameters, uint64_t links, const measurement_point *random);

/* The number of a configuration in a file of results: that of its trajectory (`number`, at least 0); without one
 * (number < 0) a negative number that stands for the name of the file in `path`. */
int64_t results_number(int64_t number, const char *path);
/* Whether a line has this key for a configuration with this number.  Links with a number in one line or file, and
 * without one in the other, are one configuration. */
bool results_have(const results *r, uint64_t key, int64_t number);
/* Whether a line has this key for a file without a number. */
bool results_have_unnumbered(const results *r, uint64_t key);

/* A file of links as it was when it was measured.  `checksum` is that of its metadata, "" for none; borrowed. */
typedef struct { const char *path; int64_t size, modified; const char *checksum; } measured_file;

/* *links <- the links_digest from a line about this file: one with the same path, size, time and checksum.  False if
 * there is none. */
bool results_links_of(uint64_t *links, const results *r, const measured_file *file);

/* A measurement of a line: its name and key, and its settings unless it is an observable without any (0). */
typedef struct { const char *name; uint64_t key, settings; } measured_key;

/* Whether a line has results of the measurement `name` with other settings: `other`. */
bool results_have_others(uint64_t *other, const results *r, const char *name, uint64_t settings);

/* Begin the line of a file in `j`: the members up to "keys"; then the caller adds the results. */
void results_begin_line(json *j, const measured_file *file, uint64_t links, const measured_key *keys, int count);

/* Complete the line of `j` with its checksum, append it, and make it durable (fsync).  The object is closed.
 * Collective; false with the reason. */
bool results_append(results *r, json *j, failure *f);

#endif
