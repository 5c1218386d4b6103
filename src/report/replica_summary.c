/* replica_summary.c - count swaps and round trips. */
#include "src/report/replica_summary.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const history_column *column_of(const run_history *h, column_kind kind, int replica)
{
    char title[16];
    snprintf(title, sizeof title, "%d", replica);
    return history_find(h, kind, title);
}

/* A trip begins at the first replica; `returning`: it has been at the last. */
typedef struct { bool begun, returning; } trip;

static void visit(replica_summary *s, trip *t, bool at_first, bool at_last)
{
    if (at_first) {
        s->round_trips += t->begun && t->returning;
        *t = (trip){ .begun = true };
    }
    t->returning |= at_last;
}

/* Whether the replicas of line i began as copies of the first one after line i - 1. */
static bool begins_with_copies(const run_history *h, const segments *all, int64_t i)
{
    const int64_t before = i > 0 ? h->line[i - 1].trajectory : 0;
    for (int k = 1; k < all->count; k++)
        if (all->item[k].first > before && all->item[k].first <= h->line[i].trajectory
            && segments_change_at(all, all->item[k].first))
            return true;
    return false;
}

static void count_trips(replica_summary *s, const run_history *h, const segments *all, int64_t from)
{
    trip trips[REPLICAS_MAX] = { { false } };
    const history_column *first = column_of(h, COLUMN_ORIGIN, 0);
    const history_column *last = column_of(h, COLUMN_ORIGIN, s->replicas - 1);
    for (int64_t i = from; i < h->count; i++) {
        if (begins_with_copies(h, all, i))
            memset(trips, 0, sizeof trips);
        for (int n = 0; n < s->replicas; n++)
            visit(s, &trips[n], first->value[i] == n, last->value[i] == n);
    }
}

/* The replicas of the newest line. */
static int replicas_now(const run_history *h)
{
    const history_column *origin;
    int n = 0;
    while (n < REPLICAS_MAX && (origin = column_of(h, COLUMN_ORIGIN, n)) && isfinite(origin->value[h->count - 1]))
        n++;
    return n;
}

replica_summary replica_summary_make(const run_history *h, const segments *all, int64_t from)
{
    replica_summary s = { .replicas = 0 };
    const int64_t begin = history_line_from(h, from);
    s.replicas = replicas_now(h);
    for (int r = 0; r + 1 < s.replicas; r++) {
        const history_column *swaps = column_of(h, COLUMN_SWAP, r);
        for (int64_t i = begin; swaps && i < h->count; i++) {
            s.tried[r] += isfinite(swaps->value[i]);
            s.accepted[r] += swaps->value[i] == 1;
        }
    }
    for (int r = 0; r < s.replicas; r++) {
        const history_column *updates = column_of(h, COLUMN_UPDATE, r);
        for (int64_t i = begin; updates && i < h->count; i++) {
            s.updates[r] += isfinite(updates->value[i]);
            s.updated[r] += updates->value[i] == 1;
        }
    }
    if (s.replicas > 0)
        count_trips(&s, h, all, begin);
    return s;
}

static double share_updated(const replica_summary *s, int r)
{
    return s->updates[r] > 0 ? (double)s->updated[r] / (double)s->updates[r] : 1;
}

static int least_updated(const replica_summary *s)
{
    int worst = 0;
    for (int r = 1; r < s->replicas; r++)
        if (share_updated(s, r) < share_updated(s, worst))
            worst = r;
    return worst;
}

void replica_summary_add(text *words, const replica_summary *s)
{
    int64_t tried = 0;
    for (int r = 0; r + 1 < s->replicas; r++)
        tried += s->tried[r];
    text_add(words, "%d, swaps accepted by pair:%s", s->replicas, tried == 0 ? " none tried after thermalization" : "");
    for (int r = 0; r + 1 < s->replicas && tried > 0; r++)
        if (s->tried[r] > 0)
            text_add(words, " %.2f", (double)s->accepted[r] / (double)s->tried[r]);
        else
            text_add(words, " -");
    text_add(words, "; %s", count_to_text(s->round_trips, "round trip").s);
    const int worst = least_updated(s);
    if (s->updated[worst] < s->updates[worst])
        text_add(words, "; updates accepted: %.2f at least (replica %d)", share_updated(s, worst), worst);
}

void replica_summary_to_json(const replica_summary *s, json *j)
{
    if (s->replicas == 0)
        return;
    json_open(j, "tempering", '{');
    json_int(j, "replicas", s->replicas);
    json_int(j, "round_trips", s->round_trips);
    json_open(j, "swaps", '[');
    for (int r = 0; r + 1 < s->replicas; r++) {
        json_open(j, NULL, '{');
        json_int(j, "tried", s->tried[r]);
        json_int(j, "accepted", s->accepted[r]);
        json_close(j);
    }
    json_close(j);
    json_open(j, "updates", '[');
    for (int r = 0; r < s->replicas; r++) {
        json_open(j, NULL, '{');
        json_int(j, "tried", s->updates[r]);
        json_int(j, "accepted", s->updated[r]);
        json_close(j);
    }
    json_close(j);
    json_close(j);
}
