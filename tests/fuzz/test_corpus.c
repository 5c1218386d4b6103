/* test_corpus.c - the kept inputs of every fuzzer, those that once showed a fault among them, with any compiler. */
#include "tests/facts.h"
#include "tests/fuzz/targets.h"

#include <dirent.h>
#include <stdlib.h>

/* `valid`: so many inputs at least are taken, so that what happens to a valid input is tested too. */
static const struct { const char *name; fuzz_target *take; int valid; } targets[] = {
    { "check", fuzz_check, 3 }, { "input", fuzz_input, 8 }, { "lime", fuzz_lime, 4 },
    { "metadata", fuzz_metadata, 3 }, { "milc", fuzz_milc, 5 }, { "nersc", fuzz_nersc, 3 }, { "npy", fuzz_npy, 3 },
    { "openqcd", fuzz_openqcd, 3 }, { "propagator", fuzz_propagator, 4 }, { "rational", fuzz_rational, 4 },
    { "record", fuzz_record, 5 }, { "state", fuzz_state, 16 },
    { "xml", fuzz_xml, 6 },
};

/* A copy that ends where the bytes end, so that a sanitizer sees what is read behind them. */
static uint8_t *read_bytes(const char *path, size_t *n)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    fseek(file, 0, SEEK_END);
    *n = (size_t)ftell(file);
    rewind(file);
    uint8_t *bytes = malloc(*n ? *n : 1);
    *n = fread(bytes, 1, *n, file);
    fclose(file);
    return bytes;
}

static int replay(const char *folder, fuzz_target *take, int *valid)
{
    int taken = 0;
    char path[1024];
    DIR *corpus = opendir(folder);
    for (struct dirent *entry; corpus && (entry = readdir(corpus));) {
        size_t n;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        uint8_t *bytes = entry->d_name[0] == '.' ? NULL : read_bytes(path, &n);
        if (!bytes)
            continue;
        fprintf(stderr, "%s\n", path);       /* the last one told is the one that ends the program */
        *valid += take(bytes, n);
        free(bytes);
        taken++;
    }
    if (corpus)
        closedir(corpus);
    return taken;
}

int main(void)
{
    char folder[512];
    const char *source = getenv("srcdir");
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
        snprintf(folder, sizeof folder, "%s/tests/fuzz/corpus/%s", source ? source : ".", targets[i].name);
        int valid = 0, taken = replay(folder, targets[i].take, &valid);
        fact(taken > 0, "%s: %d kept inputs are read, or refused with a reason", targets[i].name, taken);
        fact(valid >= targets[i].valid && valid < taken, "%s: %d of them are valid, %d at least, and not all",
             targets[i].name, valid, targets[i].valid);
    }
    return facts_end();
}
