/* test_propagator_file.c - propagators in files: the same numbers again on every place, rounded where that is asked
 * for; the same bytes from every grid of ranks; numbers that a file cannot have are refused. */
#include "src/base/checksum.h"
#include "src/io/propagator_file.h"
#include "src/lattice/rng.h"
#include "src/operators/spinor_field.h"
#include "tests/facts.h"
#include "tests/io/scratch.h"
#include "tests/lattice/grid_digests.h"
#include "tests/on_every_backend.h"

#include <math.h>

static const int extents[4] = { 4, 2, 6, 4 };
static const char description[] = "quark: wilson\nmass: 0.1\n";

/* A source and a quark of each column, random numbers by the global site. */
typedef struct { gauge *u; spinor_field source, quark; } numbers;

static numbers numbers_create(lattice *l, place where)
{
    numbers n = { .u = gauge_create(l, where, PRECISION_DOUBLE) };
    n.source = spinor_field_create(n.u, 1);
    n.quark = spinor_field_create(n.u, 1);
    return n;
}

static void numbers_free(numbers n)
{
    spinor_field_free(n.source);
    spinor_field_free(n.quark);
    gauge_free(n.u);
}

static void set_random(spinor_field q, int column, unsigned seed)
{
    vec_set_gaussian(q.even, rng_key_for(seed, 0, (unsigned)column, RNG_TEST), 0);
    vec_set_gaussian(q.odd, rng_key_for(seed, 0, (unsigned)column, RNG_TEST), 0);
}

static propagator_field field_of(spinor_field q)
{
    return (propagator_field){ q.even, q.odd };
}

static bool write_file(numbers n, const char *path, propagator_type type, int bits, double excess, failure *f)
{
    const propagator_label label = { n.u->links.lattice, type, bits, "<quark>wilson</quark>", description };
    bool taken;
    propagator_writer *w = propagator_writer_open(&taken, path, &label, f);
    bool ok = w != NULL;
    for (int column = 0; ok && column < PROPAGATOR_COLUMNS; column++) {
        set_random(n.source, column, 5);
        set_random(n.quark, column, 6);
        if (excess > 0)
            vec_axpy(n.quark.even, excess, n.source.even);
        ok = propagator_writer_put(w, column, field_of(n.source), field_of(n.quark), f);
    }
    if (ok)
        return propagator_writer_commit(w, description, f);
    propagator_writer_abandon(w);
    return false;
}

/* The largest |file - quark|^2 of a column, in units of |quark|^2. */
static double difference(numbers n, propagator_file *file)
{
    double worst = 0;
    failure f;
    for (int column = 0; column < PROPAGATOR_COLUMNS; column++) {
        if (!propagator_file_read(file, column, field_of(n.source), &f))
            return NAN;
        set_random(n.quark, column, 6);
        spinor_field_axpy(n.source, -1, n.quark);
        worst = worse(worst, spinor_field_norm2(n.source) / spinor_field_norm2(n.quark));
    }
    return worst;
}

static void one_type(place where, propagator_type type, int bits, double tolerance)
{
    lattice *l = lattice_create_single(extents);
    scratch s = scratch_create();
    const char *path = scratch_path(&s, "quark.lime");
    numbers n = numbers_create(l, where);
    propagator_info info;
    failure f = { .why = "" };
    fact(write_file(n, path, type, bits, 0, &f), "%s, %s, %d bits: written %s", place_name(where),
         propagator_type_names[type], bits, f.why);
    fact(scratch_count(&s) == 1 && propagator_file_is_one(path), "no other file is left");
    propagator_file *file = propagator_file_open(path, &info, &f);
    fact(file && info.type == type && info.bits == bits && info.quarks == PROPAGATOR_COLUMNS
         && memcmp(info.extents, extents, sizeof extents) == 0, "what is in it: %s", f.why);
    fact_close(file ? difference(n, file) : NAN, 0, tolerance * tolerance, "the same numbers");
    fact(propagator_description_check(&info, description, path, &f), "the same description");
    text mass = { 0 };
    fact(propagator_description_text(&mass, &info, "mass") && strcmp(text_string(&mass), "0.1") == 0
         && !propagator_description_text(&mass, &info, "mas"), "a line of it");
    text_free(&mass);
    fact(!propagator_description_check(&info, "quark: wilson\nmass: 0.2\n", path, &f) && strstr(f.why, "mass: 0.2"),
         "and no other: %s", f.why);
    fact(!propagator_description_check(&info, "quark: wilson\n", path, &f), "nor a part of it");
    propagator_info_free(&info);
    propagator_file_close(file);
    numbers_free(n);
    scratch_remove(&s);
    lattice_free(l);
}

static void too_large(place where)
{
    lattice *l = lattice_create_single(extents);
    scratch s = scratch_create();
    const char *path = scratch_path(&s, "quark.lime");
    numbers n = numbers_create(l, where);
    failure f = { .why = "" };
    fact(!write_file(n, path, PROPAGATOR_PAIRS, PROPAGATOR_BITS_SINGLE, 1e40, &f) && strstr(f.why, "not finite"),
         "%s: numbers that 32 bits cannot hold: %s", place_name(where), f.why);
    fact(scratch_count(&s) == 0, "leave no file");
    numbers_free(n);
    scratch_remove(&s);
    lattice_free(l);
}

static scratch shared;

static uint64_t digest_bytes(lattice *l, place where)
{
    char path[600];
    numbers n = numbers_create(l, where);
    failure f = { .why = "" };
    snprintf(path, sizeof path, "%s/grid.lime", shared.folder);
    const bool ok = write_file(n, path, PROPAGATOR_ONE_SOURCE, PROPAGATOR_BITS_DOUBLE, 0, &f);
    blob b = blob_read(path);
    const uint64_t digest = ok ? digest64(DIGEST64_START, b.bytes, b.n) : 0;
    free(b.bytes);
    numbers_free(n);
    return digest;
}

int main(void)
{
    shared = scratch_create();
    FOR_EVERY_PLACE(where) {
        one_type(where, PROPAGATOR_ONE_SOURCE, PROPAGATOR_BITS_DOUBLE, 0);
        one_type(where, PROPAGATOR_PAIRS, PROPAGATOR_BITS_DOUBLE, 0);
        one_type(where, PROPAGATOR_PAIRS, PROPAGATOR_BITS_SINGLE, 6e-8);
        too_large(where);
        same_on_grids(where, (const int[]){ 4, 4, 4, 4 }, digest_bytes, "bytes of a propagator");
    }
    scratch_remove(&shared);
    return facts_end();
}
