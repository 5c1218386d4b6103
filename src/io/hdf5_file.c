/* hdf5_file.c - write an HDF5 file through libhdf5. */
#include "src/io/hdf5_file.h"

#include "src/base/memory.h"
#include "src/base/open_file.h"
#include "src/base/text.h"
#include "src/io/safe_file.h"

#include <hdf5.h>

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

struct hdf5_file {
    text path, temporary;
    hid_t file, groups;                  /* groups: the property list that creates missing groups */
};

#define TEXT_OF(number) #number
#define NUMBER_AS_TEXT(number) TEXT_OF(number)

const char *hdf5_version(void)
{
    return NUMBER_AS_TEXT(H5_VERS_MAJOR) "." NUMBER_AS_TEXT(H5_VERS_MINOR) "." NUMBER_AS_TEXT(H5_VERS_RELEASE);
}

static void release(hdf5_file *h)
{
    if (h->groups >= 0)
        H5Pclose(h->groups);
    text_free(&h->path);
    text_free(&h->temporary);
    memory_free(h);
}

/* ": No space left on device"; empty where the system gave no reason. */
typedef struct { char s[128]; } reason_text;

static reason_text reason(void)
{
    reason_text r = { "" };
    if (errno)
        snprintf(r.s, sizeof r.s, ": %s", strerror(errno));
    return r;
}

hdf5_file *hdf5_file_create(const char *path, failure *f)
{
    hdf5_file *h = memory_alloc(sizeof *h, "an HDF5 file");
    H5dont_atexit();                                 /* its exit handler crashes after a failed close */
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);           /* Kiln reports errors itself */
    text_add(&h->path, "%s", path);
    partial_file_name(&h->temporary, path);
    h->groups = H5Pcreate(H5P_LINK_CREATE);
    H5Pset_create_intermediate_group(h->groups, 1);
    const bool is_free = access(path, F_OK) != 0 || fail(f, "%s: exists already; it is not overwritten", path);
    errno = 0;
    h->file = is_free ? H5Fcreate(text_string(&h->temporary), H5F_ACC_EXCL, H5P_DEFAULT, H5P_DEFAULT) : -1;
    if (h->file >= 0)
        return h;
    if (is_free) {
        fail_system(f, errno, "%s: cannot be created%s", path, reason().s);
        unlink(text_string(&h->temporary));
    }
    release(h);
    return NULL;
}

void hdf5_file_abandon(hdf5_file *h)
{
    H5Fclose(h->file);
    unlink(text_string(&h->temporary));
    release(h);
}

static bool synchronize(const char *path)
{
    const int descriptor = open_file(path, O_RDONLY);
    const bool ok = descriptor >= 0 && fsync(descriptor) == 0;
    if (descriptor >= 0)
        close(descriptor);
    return ok;
}

bool hdf5_file_commit(hdf5_file *h, failure *f)
{
    const char *path = text_string(&h->path), *temporary = text_string(&h->temporary);
    bool ok = H5Fclose(h->file) >= 0 && synchronize(temporary);
    /* A link, unlike a rename, never replaces a file. */
    ok = (ok && link(temporary, path) == 0) || fail_system(f, errno, "%s: cannot be written: %s", path,
                                                           strerror(errno));
    unlink(temporary);
    ok = ok && safe_file_keep_name(path, f);
    release(h);
    return ok;
}

/* ---- arrays and attributes: the library may delay writing until they are closed, so that closing can fail, too */

/* Values in memory; `given` is their type in memory, `stored` their type in the file. */
typedef struct { const void *value; hid_t given, stored; size_t rows, columns; } array;

static bool put(hdf5_file *h, const char *name, array a, failure *f)
{
    const hsize_t dims[2] = { a.rows, a.columns };
    const hid_t space = H5Screate_simple(a.columns > 0 ? 2 : 1, dims, NULL);
    const hid_t set = H5Dcreate2(h->file, name, a.stored, space, h->groups, H5P_DEFAULT, H5P_DEFAULT);
    errno = 0;
    const bool written = set >= 0 && H5Dwrite(set, a.given, H5S_ALL, H5S_ALL, H5P_DEFAULT, a.value) >= 0;
    const bool closed = set >= 0 && H5Dclose(set) >= 0;
    H5Sclose(space);
    return (written && closed)
           || fail_system(f, errno, "%s: the array %s cannot be written%s", text_string(&h->path), name, reason().s);
}

bool hdf5_put_reals(hdf5_file *h, const char *name, const double *value, size_t rows, size_t columns, failure *f)
{
    return put(h, name, (array){ value, H5T_NATIVE_DOUBLE, H5T_IEEE_F64LE, rows, columns }, f);
}

bool hdf5_put_integers(hdf5_file *h, const char *name, const int64_t *value, size_t rows, size_t columns, failure *f)
{
    return put(h, name, (array){ value, H5T_NATIVE_INT64, H5T_STD_I64LE, rows, columns }, f);
}

static hid_t text_type(size_t length)
{
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, length > 0 ? length : 1);
    H5Tset_cset(type, H5T_CSET_UTF8);
    H5Tset_strpad(type, H5T_STR_NULLPAD);
    return type;
}

bool hdf5_put_texts(hdf5_file *h, const char *name, const char *value, size_t length, size_t rows, failure *f)
{
    const hid_t type = text_type(length);
    const bool ok = put(h, name, (array){ value, type, type, rows, 0 }, f);
    H5Tclose(type);
    return ok;
}

/* Closes `type`. */
static bool put_attribute(hdf5_file *h, const char *object, const char *key, hid_t type, const void *value, failure *f)
{
    const hid_t space = H5Screate(H5S_SCALAR);
    const hid_t attribute = H5Acreate_by_name(h->file, object, key, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    errno = 0;
    const bool written = attribute >= 0 && H5Awrite(attribute, type, value) >= 0;
    const bool closed = attribute >= 0 && H5Aclose(attribute) >= 0;
    H5Sclose(space);
    H5Tclose(type);
    return (written && closed)
           || fail_system(f, errno, "%s: the attribute %s of %s cannot be written%s", text_string(&h->path), key,
                          object, reason().s);
}

bool hdf5_put_attribute(hdf5_file *h, const char *object, const char *key, const char *value, failure *f)
{
    return put_attribute(h, object, key, text_type(strlen(value)), value, f);
}

bool hdf5_put_count(hdf5_file *h, const char *object, const char *key, int64_t value, failure *f)
{
    return put_attribute(h, object, key, H5Tcopy(H5T_NATIVE_INT64), &value, f);
}
