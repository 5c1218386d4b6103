/* hdf5_file_none.c - a program that was built without HDF5. */
#include "src/io/hdf5_file.h"

const char *hdf5_version(void)
{
    return NULL;
}

static bool fail_without(failure *f)
{
    return fail(f, "this program was built without HDF5; install the library (Debian and Ubuntu: libhdf5-dev), and run "
                   "configure and make again");
}

hdf5_file *hdf5_file_create(const char *path, failure *f)
{
    (void)path;
    fail_without(f);
    return NULL;
}

bool hdf5_file_commit(hdf5_file *h, failure *f)
{
    (void)h;
    return fail_without(f);
}

void hdf5_file_abandon(hdf5_file *h)
{
    (void)h;
}

bool hdf5_put_reals(hdf5_file *h, const char *name, const double *value, size_t rows, size_t columns, failure *f)
{
    (void)h, (void)name, (void)value, (void)rows, (void)columns;
    return fail_without(f);
}

bool hdf5_put_integers(hdf5_file *h, const char *name, const int64_t *value, size_t rows, size_t columns, failure *f)
{
    (void)h, (void)name, (void)value, (void)rows, (void)columns;
    return fail_without(f);
}

bool hdf5_put_texts(hdf5_file *h, const char *name, const char *value, size_t length, size_t rows, failure *f)
{
    (void)h, (void)name, (void)value, (void)length, (void)rows;
    return fail_without(f);
}

bool hdf5_put_attribute(hdf5_file *h, const char *object, const char *key, const char *value, failure *f)
{
    (void)h, (void)object, (void)key, (void)value;
    return fail_without(f);
}

bool hdf5_put_count(hdf5_file *h, const char *object, const char *key, int64_t value, failure *f)
{
    (void)h, (void)object, (void)key, (void)value;
    return fail_without(f);
}
