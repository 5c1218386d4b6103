/* test_corrupt_files.c - a damaged file is refused with a reason, or the damage is harmless: it never
 * changes a link unseen, and never brings the reader down. */
#include "src/base/memory.h"
#include "src/io/links_file.h"
#include "tests/facts.h"
#include "tests/io/lime_bytes.h"
#include "tests/io/scratch.h"
#include "tests/io/whole_links.h"

/* What reading the file says: refused, or read with exactly these links. */
typedef enum { REFUSED, HARMLESS, WRONG } verdict;

static verdict judge(const char *path, const double *links, const run_state *state)
{
    links_info info;
    failure f = { .why = "" };
    double *read = links_read(path, &info, &f);
    if (!read)
        return f.why[0] && strncmp(f.why, path, strlen(path)) == 0 ? REFUSED : WRONG;    /* a reason is due */
    bool same = memcmp(info.extents, lattice, sizeof lattice) == 0
                && memcmp(read, links, SITES * 72 * sizeof *links) == 0
                && (!info.has_state || memcmp(&info.state, state, sizeof *state) == 0);
    memory_free(read);
    return same ? HARMLESS : WRONG;
}

typedef struct { int refused, harmless, wrong; } tally;

static void count(tally *t, verdict v)
{
    t->refused += v == REFUSED;
    t->harmless += v == HARMLESS;
    t->wrong += v == WRONG;
}

static verdict judge_blob(const char *path, blob b, const double *links, const run_state *state)
{
    blob_write(path, b.bytes, b.n);
    return judge(path, links, state);
}

static void poke(const char *path, size_t at, unsigned char byte)
{
    FILE *file = fopen(path, "r+b");
    if (!file || fseek(file, (long)at, SEEK_SET) != 0 || fputc(byte, file) != byte || fclose(file) != 0) {
        perror(path);
        exit(1);
    }
}

/* `b` is a good file whose links start at byte `start` and take `n` bytes. */
static void damage(scratch *s, const char *what, blob b, size_t start, size_t n)
{
    static const unsigned char flips[] = { 0x01, 0x20, 0xff };
    const char *path = scratch_path(s, "damaged");
    blob_write(path, b.bytes, b.n);
    links_info info;
    failure f = { .why = "" };
    double *links = links_read(path, &info, &f);
    if (!fact(links != NULL, "%s: the good file is read%s", what, links ? "" : f.why))
        return;

    tally header = { 0 }, data = { 0 }, cut = { 0 }, longer = { 0 }, wild = { 0 };
    for (size_t i = 0; i < b.n; i++) {
        bool in_data = i >= start && i < start + n;
        if (in_data && i % 5 != 0)
            continue;
        for (size_t k = 0; k < (in_data ? 1 : sizeof flips); k++) {
            poke(path, i, b.bytes[i] ^ flips[k]);
            count(in_data ? &data : &header, judge(path, links, &info.state));
        }
        poke(path, i, b.bytes[i]);
    }
    fact(header.wrong == 0 && header.refused > 0, "%s: every byte around the links may change without harm "
         "(%d refused, %d harmless)", what, header.refused, header.harmless);
    fact(data.wrong == 0 && data.harmless == 0, "%s: a changed byte of the links is always seen (%d)", what,
         data.refused);

    for (size_t i = 0; i < b.n; i += i < start || i >= start + n ? 1 : 37)
        count(&cut, judge_blob(path, (blob){ b.bytes, i }, links, &info.state));
    /* Harmless at most where a whole message behind the links is missing. */
    fact(cut.wrong == 0 && cut.harmless <= 1, "%s: wherever the file is cut it is refused (%d)", what, cut.refused);

    static const size_t more[] = { 1, 7, 8, 143, 144, 160, 1000 };
    for (size_t i = 0; i < sizeof more / sizeof *more; i++) {
        blob l = { calloc(b.n + more[i], 1), b.n + more[i] };
        memcpy(l.bytes, b.bytes, b.n);
        memset(l.bytes + b.n, 'x', more[i]);                   /* zero bytes and blanks are padding */
        count(&longer, judge_blob(path, l, links, &info.state));
        free(l.bytes);
    }
    fact(longer.refused == sizeof more / sizeof *more, "%s: bytes behind the end are refused", what);

    uint64_t random = 99;
    blob copy = { malloc(b.n), b.n };
    for (int i = 0; i < 500; i++) {
        memcpy(copy.bytes, b.bytes, b.n);
        int changes = 1 + (int)(scratch_uniform(&random) * 20);
        for (int k = 0; k < changes; k++)
            copy.bytes[(size_t)(scratch_uniform(&random) * (double)b.n)] =
                (unsigned char)(256 * scratch_uniform(&random));
        count(&wild, judge_blob(path, copy, links, &info.state));
    }
    fact(wild.wrong == 0, "%s: many changes at once do no harm (%d refused, %d harmless)", what, wild.refused,
         wild.harmless);
    free(copy.bytes);
    memory_free(links);
}

static size_t find_bytes(blob b, const void *needle, size_t n)
{
    for (size_t i = 0; i + n <= b.n; i++)
        if (memcmp(b.bytes + i, needle, n) == 0)
            return i;
    return 0;
}

static void damage_everything(scratch *s, const double *links)
{
    double *single = malloc(SITES * 72 * sizeof *single);
    for (int i = 0; i < SITES * 72; i++)
        single[i] = (float)links[i];
    for (int bits = 32; bits <= 64; bits += 32) {
        links_info info = { .extents = { 2, 2, 3, 2 }, .bits = bits, .has_plaquette = true, .plaquette = 0.5,
                            .has_state = true, .state = { .trajectory = 12, .seed = 7, .version = "test" } };
        failure f;
        fact(links_write_ildg(scratch_path(s, "own"), links, &info, true, &f), "a file to damage is written");
        blob b = blob_read(s->path), data = put_links(links, lattice, 3, bits, true, 0);
        damage(s, bits == 32 ? "ILDG, 32 bits" : "ILDG, 64 bits", b, find_bytes(b, data.bytes, 64), data.n);
        free(b.bytes);
        free(data.bytes);
    }

    record r[MOST_RECORDS];
    ildg_records(r, links);
    r[BINARY].type = "scidac-binary-data";
    r[FORMAT].type = "something else";
    blob b = lime_file(r, RECORDS);
    damage(s, "SciDAC", b, find_bytes(b, r[BINARY].data.bytes, 64), r[BINARY].data.n);
    free(r[BINARY].data.bytes);
    free(b.bytes);

    static const struct { const char *what; int rows, bits, big; const char *numbers; } archives[] = {
        { "NERSC, 2 rows, IEEE32BIG", 2, 32, 1, "IEEE32BIG" },
        { "NERSC, 3 rows, IEEE64LITTLE", 3, 64, 0, "IEEE64LITTLE" },
        { "NERSC, 3 rows, IEEE32", 3, 32, 0, "IEEE32" },
    };
    for (size_t i = 0; i < sizeof archives / sizeof *archives; i++) {
        b = nersc_file(links, lattice, archives[i].rows, archives[i].bits, archives[i].big, archives[i].numbers);
        size_t n = SITES * 24 * (size_t)archives[i].rows * (size_t)archives[i].bits / 8;
        damage(s, archives[i].what, b, b.n - n, n);
        free(b.bytes);
    }
    for (int big = 0; big < 2; big++) {
        b = milc_file(links, lattice, big);
        damage(s, big ? "MILC, big endian" : "MILC, little endian", b, 96, b.n - 96);
        free(b.bytes);
    }
    free(single);
}

int main(void)
{
    scratch s = scratch_create();
    double *links = random_links(lattice, 71);
    damage_everything(&s, links);
    fact(memory_bytes_now() == 0, "no memory is left behind");
    free(links);
    scratch_remove(&s);
    return facts_end();
}
