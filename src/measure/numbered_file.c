/* numbered_file.c - names of files that measurements write after a trajectory. */
#include "src/measure/numbered_file.h"

#include <inttypes.h>

void numbered_file_add(text *path, rng_key key, int number)
{
    const unsigned stream = rng_key_stream(key);
    if (stream > 0)
        text_add(path, ".stream%u", stream);
    text_add(path, ".%06" PRId64 ".%d.lime", rng_key_trajectory(key), number);
}
