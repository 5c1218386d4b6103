/* numbered_file.c - names of files that measurements write after a trajectory. */
#include "src/measure/numbered_file.h"

#include <inttypes.h>

static void add_trajectory(text *path, rng_key key)
{
    const unsigned stream = rng_key_stream(key);
    if (stream > 0)
        text_add(path, ".stream%u", stream);
    text_add(path, ".%06" PRId64, rng_key_trajectory(key));
}

void numbered_file_add(text *path, rng_key key, int number)
{
    add_trajectory(path, key);
    text_add(path, ".%d.lime", number);
}

void numbered_file_add_of_links(text *path, rng_key key, uint64_t links, int number)
{
    add_trajectory(path, key);
    text_add(path, ".links%016" PRIx64 ".%d.lime", links, number);
}
