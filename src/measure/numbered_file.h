/* numbered_file.h - names of files that measurements write after a trajectory. */
#ifndef KILN_MEASURE_NUMBERED_FILE_H
#define KILN_MEASURE_NUMBERED_FILE_H

#include "src/base/text.h"
#include "src/lattice/rng.h"

/* Appends ".TRAJECTORY.NUMBER.lime" with six digits of the trajectory; ".streamS.TRAJECTORY.NUMBER.lime" if the stream
 * is not 0, so that several streams can write into one folder.  Stream and trajectory are those of the key. */
void numbered_file_add(text *path, rng_key key, int number);

/* The same with ".linksDIGEST" before the number, for a file whose first name is that of other links: those of a run
 * with another seed, or of another file without the number of a trajectory. */
void numbered_file_add_of_links(text *path, rng_key key, uint64_t links, int number);

#endif
