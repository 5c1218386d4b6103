/* record_reader.c - batches of lines, which threads fill while the caller takes lines of one before. */
#include "src/ensemble/record_reader.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { BATCHES = 4, WORKERS = 2 };

typedef struct {
    char *text;
    size_t capacity, length;
    checksum_state checksum;
    yyjson_doc *doc;                    /* NULL with the reason: not parsed, or none of JSON */
    yyjson_alc *memory;                 /* of the object */
    failure why;
} line_ahead;

/* Fewer lines than CHECKSUMMED_LINES: the stream ends after them. */
typedef struct { int count; bool torn, filled; line_ahead line[CHECKSUMMED_LINES]; } line_batch;

typedef struct record_ahead {
    FILE *stream;
    line_batch batch[BATCHES];
    line_batch *now;                    /* NULL before the first one */
    int next;                           /* line of it */
    /* How many batches threads have begun, in the order of the lines, and how many the caller no longer needs; whether
     * one of them reads now, and has read the last lines.  With threads, `lock` guards these and `filled`. */
    int64_t begun, released;
    bool reading, ended, stop;
    int workers;
    pthread_t thread[WORKERS];
    pthread_mutex_t lock;
    pthread_cond_t change;
} record_ahead;

static void parse(line_ahead *l)
{
    if (!l->memory)
        l->memory = yyjson_alc_dyn_new();
    yyjson_doc_free(l->doc);
    l->doc = NULL;
    if (memchr(l->text, '\0', l->length))
        fail(&l->why, "it holds zero bytes");
    else
        l->doc = json_read(l->text, l->length, "line", l->memory, &l->why);
}

static void check_checksums(line_batch *b)
{
    const char *line[CHECKSUMMED_LINES];
    checksum_state checksum[CHECKSUMMED_LINES];
    for (int i = 0; i < b->count; i++)
        line[i] = b->line[i].text;
    checksummed_lines_check(checksum, line, b->count);
    for (int i = 0; i < b->count; i++)
        b->line[i].checksum = checksum[i];
}

static void read_lines(line_batch *b, FILE *stream)
{
    b->count = 0;
    while (b->count < CHECKSUMMED_LINES && !b->torn) {
        line_ahead *l = &b->line[b->count];
        const ssize_t length = getline(&l->text, &l->capacity, stream);
        if (length <= 0)
            break;
        b->torn = l->text[length - 1] != '\n';
        l->length = (size_t)length;
        b->count += !b->torn;
    }
}

/* ---- threads that fill: one reads while others check and parse */

/* Wait for the turn to read, and for a batch that the caller does not need; NULL: there is no more to read. */
static line_batch *wait_for_turn(record_ahead *a)
{
    pthread_mutex_lock(&a->lock);
    while ((a->reading || a->begun - a->released == BATCHES) && !a->ended && !a->stop)
        pthread_cond_wait(&a->change, &a->lock);
    line_batch *b = a->ended || a->stop ? NULL : &a->batch[a->begun++ % BATCHES];
    a->reading = b != NULL || a->reading;
    pthread_mutex_unlock(&a->lock);
    return b;
}

static void end_turn(record_ahead *a, const line_batch *b)
{
    pthread_mutex_lock(&a->lock);
    a->reading = false;
    a->ended = b->count < CHECKSUMMED_LINES;
    pthread_cond_broadcast(&a->change);
    pthread_mutex_unlock(&a->lock);
}

static void set_filled(record_ahead *a, line_batch *b, bool filled)
{
    pthread_mutex_lock(&a->lock);
    b->filled = filled;
    a->released += !filled;
    pthread_cond_broadcast(&a->change);
    pthread_mutex_unlock(&a->lock);
}

static void *fill_batches(void *of)
{
    record_ahead *a = of;
    for (line_batch *b; (b = wait_for_turn(a));) {
        read_lines(b, a->stream);
        end_turn(a, b);
        check_checksums(b);
        for (int i = 0; i < b->count; i++)
            parse(&b->line[i]);
        set_filled(a, b, true);
    }
    return NULL;
}

static line_batch *pop_filled(record_ahead *a)
{
    if (a->now)
        set_filled(a, a->now, false);
    pthread_mutex_lock(&a->lock);
    line_batch *b = &a->batch[a->released % BATCHES];
    while (!b->filled)
        pthread_cond_wait(&a->change, &a->lock);
    pthread_mutex_unlock(&a->lock);
    return b;
}

/* ---- the reader */

static record_ahead *begin(record_reader *r)
{
    record_ahead *a = calloc(1, sizeof *a);
    require(a != NULL, "out of host memory: lines of a record");
    a->stream = r->stream;
    pthread_mutex_init(&a->lock, NULL);
    pthread_cond_init(&a->change, NULL);
    while (r->threaded && a->workers < WORKERS && pthread_create(&a->thread[a->workers], NULL, fill_batches, a) == 0)
        a->workers++;
    r->threaded = a->workers > 0;
    return a;
}

/* The next batch; false at the end. */
static bool go_to_next_batch(record_reader *r)
{
    record_ahead *a = r->ahead;
    if (a->now && a->now->count < CHECKSUMMED_LINES)
        return false;
    if (r->threaded)
        a->now = pop_filled(a);
    else {
        a->now = &a->batch[0];
        read_lines(a->now, a->stream);
        check_checksums(a->now);
    }
    a->next = 0;
    r->torn = a->now->torn;
    return a->now->count > 0;
}

bool record_reader_next(record_reader *r)
{
    record_ahead *a = r->ahead = r->ahead ? r->ahead : begin(r);
    if ((!a->now || a->next == a->now->count) && !go_to_next_batch(r))
        return false;
    const line_ahead *l = &a->now->line[a->next++];
    r->line = l->text;
    r->length = l->length;
    r->checksum = l->checksum;
    return true;
}

yyjson_val *record_reader_object(record_reader *r, failure *f)
{
    record_ahead *a = r->ahead;
    line_ahead *l = &a->now->line[a->next - 1];
    if (!r->threaded)
        parse(l);
    if (!l->doc)
        fail(f, "%s", l->why.why);
    return yyjson_doc_get_root(l->doc);
}

void record_reader_free(record_reader *r)
{
    record_ahead *a = r->ahead;
    if (a && r->threaded) {
        pthread_mutex_lock(&a->lock);
        a->stop = true;
        pthread_cond_broadcast(&a->change);
        pthread_mutex_unlock(&a->lock);
        for (int n = 0; n < a->workers; n++)
            pthread_join(a->thread[n], NULL);
    }
    for (int b = 0; a && b < BATCHES; b++)
        for (int i = 0; i < CHECKSUMMED_LINES; i++) {
            line_ahead *l = &a->batch[b].line[i];
            yyjson_doc_free(l->doc);
            if (l->memory)
                yyjson_alc_dyn_free(l->memory);
            free(l->text);
        }
    if (a) {
        pthread_cond_destroy(&a->change);
        pthread_mutex_destroy(&a->lock);
    }
    free(a);
    r->ahead = NULL;
}
