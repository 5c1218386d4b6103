/* digested_array.c - arrays in folders with their digests. */
#include "src/ensemble/digested_array.h"

#include "src/base/checksum.h"
#include "src/base/memory.h"

#include <string.h>

void array_digest_begin(array_digest *d)
{
    d->of_blocks = DIGEST64_START;
    d->pending = 0;
}

static void add_block(array_digest *d, const double *x, size_t count)
{
    const uint64_t digest = digest64(DIGEST64_START, x, count * sizeof *x);
    d->of_blocks = digest64(d->of_blocks, &digest, sizeof digest);
}

/* Add whole blocks; threads share them. */
static void add_blocks(array_digest *d, const double *x, size_t blocks)
{
    enum { AT_ONCE = 256 };
    uint64_t of_block[AT_ONCE];
    for (size_t first = 0; first < blocks; first += AT_ONCE) {
        const size_t n = blocks - first < AT_ONCE ? blocks - first : AT_ONCE;
#pragma omp parallel for if (n > 1)
        for (size_t b = 0; b < n; b++)
            of_block[b] = digest64(DIGEST64_START, x + (first + b) * ARRAY_BLOCK, ARRAY_BLOCK * sizeof *x);
        d->of_blocks = digest64(d->of_blocks, of_block, n * sizeof *of_block);
    }
}

/* Fill the pending block with up to `count` numbers; returns how many it took. */
static size_t fill_pending(array_digest *d, const double *x, size_t count)
{
    const size_t available = ARRAY_BLOCK - d->pending, n = count < available ? count : available;
    memcpy(d->block + d->pending, x, n * sizeof *x);
    d->pending += n;
    if (d->pending == ARRAY_BLOCK) {
        add_block(d, d->block, ARRAY_BLOCK);
        d->pending = 0;
    }
    return n;
}

void array_digest_add(array_digest *d, const double *x, size_t count)
{
    const size_t first = d->pending > 0 ? fill_pending(d, x, count) : 0, blocks = (count - first) / ARRAY_BLOCK;
    const size_t done = first + blocks * ARRAY_BLOCK;
    add_blocks(d, x + first, blocks);
    if (done < count)
        fill_pending(d, x + done, count - done);
}

uint64_t array_digest_end(array_digest *d)
{
    if (d->pending > 0)
        add_block(d, d->block, d->pending);
    return d->of_blocks;
}

/* A source of slices that also computes their digest. */
typedef struct { const slice_source *of; array_digest *digest; } digested_source;

static void get_digested(double *slice, const void *from, int number)
{
    const digested_source *d = from;
    d->of->get(slice, d->of->from, number);
    array_digest_add(d->digest, slice, d->of->reals);
}

bool digested_write(uint64_t *digest, const char *folder, const char *name, const slice_source *from,
                    array_shape shape, failure *f)
{
    const digested_source d = { from, memory_alloc(sizeof *d.digest, "a digest") };
    array_digest_begin(d.digest);
    const slice_source digested = { get_digested, &d, from->count, from->reals };
    const bool ok = folder_write(folder, name, &digested, shape, f);
    *digest = array_digest_end(d.digest);
    memory_free(d.digest);
    return ok;
}

/* A sink of slices that also computes their digest. */
typedef struct { const slice_sink *to; array_digest *digest; } digested_sink;

static void set_digested(void *to, int number, const double *slice)
{
    const digested_sink *d = to;
    array_digest_add(d->digest, slice, d->to->reals);
    d->to->set(d->to->to, number, slice);
}

bool digested_read(uint64_t *digest, const slice_sink *to, const char *folder, const char *name, array_shape shape,
                   failure *f)
{
    digested_sink d = { to, memory_alloc(sizeof *d.digest, "a digest") };
    array_digest_begin(d.digest);
    const slice_sink digested = { set_digested, &d, to->count, to->reals };
    const bool ok = folder_read(&digested, folder, name, shape, f);
    *digest = array_digest_end(d.digest);
    memory_free(d.digest);
    return ok;
}
