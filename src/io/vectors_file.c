/* vectors_file.c - vectors of a lattice and numbers that belong to them, in a LIME file. */
#include "src/io/vectors_file.h"

#include "src/base/checksum.h"
#include "src/base/memory.h"
#include "src/io/disk.h"
#include "src/io/lime_index.h"
#include "src/io/lime_records.h"
#include "src/io/safe_file.h"
#include "src/lattice/field_slices.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#define DESCRIPTION_RECORD "kiln-vectors"
#define NUMBERS_RECORD "kiln-vectors-numbers"
#define DATA_RECORD "kiln-vectors-data"
#define DIGEST_RECORD "kiln-vectors-digest"
#define LINKS_RECORD "kiln-vectors-links"

enum { REAL_BITS = 64, REAL_BYTES = 8, DIGEST_TEXT = 17 };

enum { AT_DESCRIPTION, AT_NUMBERS, AT_DATA, AT_DIGEST };

static void describe(text *t, const vectors_of_file *v)
{
    static const char *const parities[] = { [ON_EVEN] = "even", [ON_ODD] = "odd", [ON_ALL] = "all" };
    const field *f = &v->x[0]->f;
    const int *n = lattice_global(f->lattice);
    assert(v->count > 0 && v->x[0]->format == VECTOR_NATIVE && f->precision == PRECISION_DOUBLE);
    text_add(t, "%s, lattice [%d, %d, %d, %d], %s sites, %d slabs, %d vectors, %d numbers", v->what, n[0], n[1], n[2],
             n[3], parities[f->on], f->slabs, v->count, v->numbers);
}

/* The size of a vector in the file. */
static uint64_t bytes_of(const vec *x)
{
    return (uint64_t)field_slice_count(&x->f) * field_slice_reals(&x->f) * REAL_BYTES;
}

/* ---- writing */

typedef struct { lime_records out; uint64_t digest; } vectors_target;

static bool put_reals(vectors_target *t, const char *type, const double *reals, size_t n)
{
    unsigned char *bytes = memory_alloc(n * REAL_BYTES, "bytes of a file");
    reals_encode(bytes, reals, n, REAL_BITS, true);
    t->digest = digest64(t->digest, bytes, n * REAL_BYTES);
    const bool ok = lime_record_put(&t->out, type, bytes, n * REAL_BYTES);
    memory_free(bytes);
    return ok;
}

static bool put_description(vectors_target *t, const vectors_of_file *v)
{
    text words = { 0 };
    describe(&words, v);
    t->digest = digest64(t->digest, text_string(&words), words.length);
    const bool ok = lime_record_write(&t->out, DESCRIPTION_RECORD, text_string(&words), words.length, MESSAGE_BEGINS);
    text_free(&words);
    return ok;
}

static bool put_numbers(vectors_target *t, const vectors_of_file *v)
{
    const size_t n = (size_t)v->numbers;
    return lime_record_begin(&t->out, NUMBERS_RECORD, n * REAL_BYTES, 0)
           && put_reals(t, NUMBERS_RECORD, v->number, n) && lime_record_end(&t->out, NUMBERS_RECORD);
}

/* Reads every slice even after a fault, because reading is collective. */
static bool put_vector(vectors_target *t, const vec *x)
{
    const slice_source from = field_slices(&x->f);
    double *slice = slice_alloc(from.reals);
    bool ok = true;
    for (int n = 0; n < from.count; n++) {
        from.get(slice, from.from, n);
        ok = ok && put_reals(t, DATA_RECORD, slice, from.reals);
    }
    memory_free(slice);
    return ok;
}

static bool put_digest(vectors_target *t, const char *type, uint64_t digest, int flags)
{
    char words[DIGEST_TEXT];
    snprintf(words, sizeof words, "%016" PRIx64, digest);
    return lime_record_write(&t->out, type, words, DIGEST_TEXT - 1, flags);
}

bool vectors_file_write(const char *path, const vectors_of_file *v, bool replace, failure *f)
{
    safe_file *s = safe_file_create(path, replace, f);
    if (!s)
        return false;
    vectors_target t = { { path, limeCreateWriter(safe_file_stream(s)), f }, DIGEST64_START };
    bool ok = t.out.writer || fail(f, "%s: no LIME writer", path);
    errno = 0;
    ok = ok && put_description(&t, v) && put_numbers(&t, v)
         && lime_record_begin(&t.out, DATA_RECORD, (uint64_t)v->count * bytes_of(v->x[0]), 0);
    for (int i = 0; i < v->count; i++)
        ok = put_vector(&t, v->x[i]) && ok;             /* collective, also after a fault */
    ok = ok && lime_record_end(&t.out, DATA_RECORD) && put_digest(&t, DIGEST_RECORD, t.digest, MESSAGE_ENDS)
         && put_digest(&t, LINKS_RECORD, v->links, MESSAGE_BEGINS | MESSAGE_ENDS);
    if (t.out.writer)
        limeDestroyWriter(t.out.writer);
    if (v->other_name)
        safe_file_set_other_name(s, v->other_name);
    if (ok)
        return safe_file_commit(s, f);
    safe_file_abandon(s);
    return false;
}

/* ---- reading */

typedef struct { const links_source *s; const lime_index *index; uint64_t digest; failure *f; } vectors_reader;

static bool read_reals(vectors_reader *r, double *reals, size_t n, uint64_t offset, const char *type)
{
    unsigned char *bytes = memory_alloc(n * REAL_BYTES, "bytes of a file");
    const bool ok = links_source_read(r->s, offset, bytes, n * REAL_BYTES, type, r->f);
    if (ok) {
        r->digest = digest64(r->digest, bytes, n * REAL_BYTES);
        reals_decode(reals, bytes, n, REAL_BITS, true);
    }
    memory_free(bytes);
    return ok;
}

/* The record of this number, which must have this type and length. */
static bool find_record(const vectors_reader *r, const lime_record **found, int number, const char *type,
                        uint64_t bytes)
{
    *found = number < r->index->count ? &r->index->record[number] : NULL;
    if (!*found || strcmp((*found)->type, type) != 0) {
        fail(r->f, "%s: record %d is %s, expected %s", r->s->path, number + 1, *found ? (*found)->type : "absent",
             type);
        return false;                    /* so that make analyze sees that *found is not NULL after true */
    }
    return (*found)->length == bytes
           || fail(r->f, "%s: record %d, %s: %" PRIu64 " bytes, expected %" PRIu64, r->s->path, number + 1, type,
                   (*found)->length, bytes);
}

static bool check_text(vectors_reader *r, int number, const char *type, const char *want)
{
    char *found = lime_record_text(r->s, &r->index->record[number], r->f);
    if (!found)
        return false;
    const bool same = strcmp(found, want) == 0;
    if (!same)
        fail(r->f, "%s: record %s is \"%.200s\", expected \"%s\"", r->s->path, type, found, want);
    memory_free(found);
    return same;
}

static bool read_vector(vectors_reader *r, vec *x, uint64_t offset)
{
    const slice_sink to = field_slice_sink(&x->f);
    double *slice = slice_alloc(to.reals);
    bool ok = true;
    for (int n = 0; ok && n < to.count; n++) {
        ok = read_reals(r, slice, to.reals, offset + (uint64_t)n * to.reals * REAL_BYTES, DATA_RECORD);
        if (ok)
            to.set(to.to, n, slice);
    }
    memory_free(slice);
    return ok;
}

static bool read_all(vectors_reader *r, const vectors_of_file *v)
{
    char digest[DIGEST_TEXT];
    text words = { 0 };
    const lime_record *record;
    describe(&words, v);
    bool ok = check_text(r, AT_DESCRIPTION, DESCRIPTION_RECORD, text_string(&words));
    r->digest = digest64(r->digest, text_string(&words), words.length);
    text_free(&words);
    ok = ok && find_record(r, &record, AT_NUMBERS, NUMBERS_RECORD, (uint64_t)v->numbers * REAL_BYTES)
         && read_reals(r, v->number, (size_t)v->numbers, record->offset, NUMBERS_RECORD)
         && find_record(r, &record, AT_DATA, DATA_RECORD, (uint64_t)v->count * bytes_of(v->x[0]));
    for (int i = 0; ok && i < v->count; i++)
        ok = read_vector(r, v->x[i], record->offset + (uint64_t)i * bytes_of(v->x[i]));
    snprintf(digest, sizeof digest, "%016" PRIx64, r->digest);
    return ok && find_record(r, &record, AT_DIGEST, DIGEST_RECORD, DIGEST_TEXT - 1)
           && check_text(r, AT_DIGEST, DIGEST_RECORD, digest);
}

vectors_state vectors_file_read(const char *path, const vectors_of_file *v, failure *f)
{
    links_source s;
    lime_index index;
    vectors_state state = VECTORS_FOREIGN;
    if (!disk_has_name(path))
        return VECTORS_ABSENT;
    if (!links_source_open(&s, path, f))
        return VECTORS_FOREIGN;
    if (lime_index_read(&index, &s, f)) {
        vectors_reader r = { &s, &index, DIGEST64_START, f };
        if (index.count == 0 || strcmp(index.record[0].type, DESCRIPTION_RECORD) != 0)
            fail(f, "%s: is not a file of vectors: its first record is not %s", path, DESCRIPTION_RECORD);
        else
            state = read_all(&r, v) ? VECTORS_READ : VECTORS_OTHER;
        lime_index_free(&index);
    }
    links_source_close(&s);
    return state;
}

file_links vectors_file_links(const char *path, uint64_t links)
{
    links_source s;
    lime_index index;
    failure unreadable;
    char digest[DIGEST_TEXT];
    file_links of = LINKS_UNKNOWN;
    snprintf(digest, sizeof digest, "%016" PRIx64, links);
    if (!disk_has_name(path) || !links_source_open(&s, path, &unreadable))
        return LINKS_UNKNOWN;
    if (lime_index_read(&index, &s, &unreadable)) {
        vectors_reader r = { &s, &index, DIGEST64_START, &unreadable };
        const int at = lime_index_first(&index, LINKS_RECORD);
        if (at >= 0 && strcmp(index.record[0].type, DESCRIPTION_RECORD) == 0)
            of = check_text(&r, at, LINKS_RECORD, digest) ? LINKS_SAME : LINKS_OTHER;
        lime_index_free(&index);
    }
    links_source_close(&s);
    return of;
}
