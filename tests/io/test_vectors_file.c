/* test_vectors_file.c - vectors in a LIME file: read back bit for bit; what is damaged or something else is refused. */
#include "src/base/memory.h"
#include "src/io/vectors_file.h"
#include "src/lattice/rng.h"
#include "tests/facts.h"
#include "tests/io/scratch.h"
#include "tests/on_every_backend.h"

enum { COUNT = 3, NUMBERS = 5 };

#define LINKS 0x0123456789abcdef

/* The last record of a file: header, and 16 digits. */
enum { LINKS_RECORD_BYTES = 144 + 16 };

static const int extents[4] = { 4, 2, 6, 4 };

static void fill(vec **x, lattice *l, place where, parity_set on, int slabs, unsigned seed)
{
    for (int i = 0; i < COUNT; i++) {
        x[i] = vec_create_slabs(l, on, where, PRECISION_DOUBLE, slabs);
        if (seed)
            vec_set_gaussian(x[i], rng_key_for(seed, 0, (unsigned)i, RNG_TEST), 0);
    }
}

static void release(vec **x)
{
    for (int i = 0; i < COUNT; i++)
        vec_free(x[i]);
}

static double difference(vec **x, vec *const *y)
{
    double sum = 0;
    for (int i = 0; i < COUNT; i++) {
        vec_axpy(x[i], -1, y[i]);
        sum += vec_norm2(x[i]);
    }
    return sum;
}

/* A fact: the state, and that the reason has these words. */
static void reads(const char *path, const vectors_of_file *v, vectors_state want, const char *words)
{
    failure f = { .why = "" };
    const vectors_state state = vectors_file_read(path, v, &f);
    fact(state == want && strstr(f.why, words), "state %d: %s", state, f.why);
}

static void one_kind(place where, parity_set on, int slabs)
{
    lattice *l = lattice_create_single(extents);
    scratch s = scratch_create();
    const char *path = scratch_path(&s, "vectors.lime");
    double numbers[NUMBERS] = { 1, -0.1, 1e300, 3e-310, 0 }, again[NUMBERS] = { 0 };
    vec *x[COUNT], *y[COUNT];
    failure f = { .why = "" };
    fill(x, l, where, on, slabs, 5);
    fill(y, l, where, on, slabs, 0);
    const vectors_of_file out = { "things", x, COUNT, numbers, NUMBERS, LINKS, NULL };
    vectors_of_file in = { "things", y, COUNT, again, NUMBERS, 0, NULL };
    reads(path, &in, VECTORS_ABSENT, "");
    fact(vectors_file_write(path, &out, false, &f), "%s, %d slabs: written %s", place_name(where), slabs, f.why);
    reads(path, &in, VECTORS_READ, "");
    fact(memcmp(numbers, again, sizeof numbers) == 0, "the same numbers, bit for bit");
    fact(difference(y, x) == 0, "the same vectors, bit for bit");
    fact(vectors_file_links(path, LINKS) == LINKS_SAME && vectors_file_links(path, LINKS + 1) == LINKS_OTHER,
         "the digest of their links");
    fact(!vectors_file_write(path, &out, false, &f), "an existing file is not overwritten: %s", f.why);
    fact(vectors_file_write(path, &out, true, &f), "unless that is requested");
    blob whole = blob_read(path);
    blob_write(path, whole.bytes, whole.n - LINKS_RECORD_BYTES);
    reads(path, &in, VECTORS_READ, "");
    fact(vectors_file_links(path, LINKS) == LINKS_UNKNOWN, "a file of earlier versions does not name its links");
    blob_write(path, whole.bytes, whole.n);
    free(whole.bytes);
    fact(scratch_count(&s) == 1, "no other file is left");
    in.count = COUNT - 1;
    reads(path, &in, VECTORS_OTHER, "2 vectors");
    in.count = COUNT;
    in.what = "others";
    reads(path, &in, VECTORS_OTHER, "others");
    in.what = "things";
    blob b = blob_read(path);
    b.bytes[b.n / 2] ^= 1;
    blob_write(path, b.bytes, b.n);
    reads(path, &in, VECTORS_OTHER, "digest");
    b.bytes[b.n / 2] ^= 1;
    blob_write(path, b.bytes, b.n / 2);
    reads(path, &in, VECTORS_FOREIGN, path);
    blob_write(path, "no such file", 12);
    reads(path, &in, VECTORS_FOREIGN, path);
    fact(vectors_file_links(path, LINKS) == LINKS_UNKNOWN, "another file is of no known links");
    free(b.bytes);
    release(x);
    release(y);
    scratch_remove(&s);
    lattice_free(l);
}

int main(void)
{
    FOR_EVERY_PLACE(where) {
        one_kind(where, ON_EVEN, 1);
        one_kind(where, ON_ODD, 8);
    }
    return facts_end();
}
