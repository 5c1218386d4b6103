/* test_npy.c - arrays that NumPy writes and reads. */
#include "src/base/memory.h"
#include "src/io/npy.h"
#include "tests/facts.h"
#include "tests/io/npy_array.h"
#include "tests/io/scratch.h"

/* A .npy file of version 1 or 2 with this header and 6 doubles. */
static blob npy_file(int version, const char *header, const double *data)
{
    size_t preamble = version == 1 ? 10 : 12, n = strlen(header);
    blob b = { NULL, preamble + n + 48 };
    b.bytes = calloc(b.n, 1);
    memcpy(b.bytes, "\x93NUMPY", 6);
    b.bytes[6] = (unsigned char)version;
    b.bytes[8] = (unsigned char)n;
    memcpy(b.bytes + preamble, header, n);
    memcpy(b.bytes + preamble + n, data, 48);
    return b;
}

static const struct { const char *header, *message; } refused[] = {
    { "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }\n", "the type is '<f4', but '<f8' (float64)" },
    { "{'descr': '<c16', 'fortran_order': False, 'shape': (2, 3), }\n", "the type is '<c16', but" },
    { "{'descr': [('re', '<f8'), ('im', '<f8')], 'fortran_order': False, }\n", "the type is [('re', '<f8'), ('im" },
    { "{'descr': '>f8', 'fortran_order': False, 'shape': (2, 3), }\n", "float64" },
    { "{'descr': '<f8', 'fortran_order': True, 'shape': (2, 3), }\n", "C order" },
    { "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 2), }\n", "the shape is (3, 2), expected (2, 3)" },
    { "{'descr': '<f8', 'fortran_order': False, 'shape': (6,), }\n", "the shape is (6,)" },
    { "{'descr': '<f8', 'fortran_order': False, 'shape': (2, -3), }\n", "no readable shape" },
    { "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 99999999999999999999), }\n", "no readable shape" },
    { "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3", "no readable shape" },
    { "{'descr': '<f8', 'fortran_order': False, }\n", "no readable shape" },
    { "", "float64" },
};

/* Every byte before the numbers, changed in three ways: refused with a reason, or read as the same numbers. */
static void flips(const char *path, const double *data, const size_t shape[2])
{
    static const unsigned char mask[] = { 0x01, 0x20, 0xff };
    int reported = 0, harmless = 0, wrong = 0;
    blob b = blob_read(path);
    for (size_t i = 0; i < b.n - 48; i++)
        for (size_t k = 0; k < sizeof mask; k++) {
            failure f = { .why = "" };
            b.bytes[i] ^= mask[k];
            blob_write(path, b.bytes, b.n);
            b.bytes[i] ^= mask[k];
            double *again = npy_read(path, 2, shape, &f);
            if (again)
                *(memcmp(again, data, 48) == 0 ? &harmless : &wrong) += 1;
            else
                *(strncmp(f.why, path, strlen(path)) == 0 ? &reported : &wrong) += 1;
            memory_free(again);
        }
    blob_write(path, b.bytes, b.n);
    free(b.bytes);
    fact(wrong == 0 && reported > 0, "every byte of the header may change without harm (%d refused, %d harmless)",
         reported,
         harmless);
}

int main(void)
{
    scratch s = scratch_create();
    failure f = { .why = "" };
    const double data[6] = { 0, -1.5, 1e300, 0.1, -0.0, 5e-324 };
    const size_t shape[2] = { 2, 3 }, flat[1] = { 6 }, huge[2] = { (size_t)1 << 40, (size_t)1 << 40 };
    const char *path = scratch_path(&s, "a.npy");

    fact(npy_write(path, data, 2, shape, &f), "an array is written%s", f.why);
    blob b = blob_read(path);
    fact(b.n == 128 + 48 && memcmp(b.bytes, "\x93NUMPY\1\0\x76\0", 10) == 0 && b.bytes[127] == '\n',
         "its header is padded to a multiple of 64 bytes");
    double *again = npy_read(path, 2, shape, &f);
    fact(again && memcmp(again, data, sizeof data) == 0, "and read again, bit for bit");
    memory_free(again);
    flips(path, data, shape);
    fact(!npy_read(path, 1, flat, &f) && strstr(f.why, "(2, 3), expected (6,)"), "another shape is refused: %s", f.why);
    fact(!npy_read(path, 2, huge, &f) && strstr(f.why, "too large"), "an absurd shape is refused: %s", f.why);

    int unseen = 0;
    for (size_t n = 0; n < b.n; n++) {
        blob_write(path, b.bytes, n);
        unseen += npy_read(path, 2, shape, &f) != NULL;
    }
    fact(unseen == 0, "a file cut anywhere is refused");
    b.bytes[b.n] = 0;
    blob_write(path, b.bytes, b.n + 1);
    fact(!npy_read(path, 2, shape, &f) && strstr(f.why, "177 bytes, but an array of this shape needs 176"),
         "so is a longer one: %s", f.why);
    free(b.bytes);

    for (int version = 1; version <= 2; version++) {
        b = npy_file(version, "{'shape': ( 2 ,3),'fortran_order':False,  'descr':'<f8'}\n", data);
        blob_write(path, b.bytes, b.n);
        again = npy_read(path, 2, shape, &f);
        fact(again && memcmp(again, data, sizeof data) == 0, "version %d.0 is read, whatever the order of its keys",
             version);
        memory_free(again);
        free(b.bytes);
    }
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        b = npy_file(1, refused[i].header, data);
        blob_write(path, b.bytes, b.n);
        fact(!npy_read(path, 2, shape, &f) && strstr(f.why, refused[i].message), "refused: %s", f.why);
        free(b.bytes);
    }
    fact(!npy_read(scratch_path(&s, "none.npy"), 2, shape, &f) && strstr(f.why, "No such file"),
         "a missing file is told: %s", f.why);
    blob_write(path, "links", 5);
    fact(!npy_write(path, data, 2, shape, &f) && strstr(f.why, "does not overwrite"),
         "what is no array is not overwritten: %s", f.why);
    fact(memory_bytes_now() == 0, "no memory is left behind");
    scratch_remove(&s);
    return facts_end();
}
