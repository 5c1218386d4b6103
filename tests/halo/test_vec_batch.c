/* test_vec_batch.c - verbs on the vectors of a batch are, to the last bit, those on single vectors; who takes part. */
#include "src/lattice/vec_mixed.h"
#include "src/lattice/rng.h"
#include "src/lattice/vec_steps.h"
#include "tests/facts.h"
#include "tests/halo/batch_state.h"
#include "tests/on_every_backend.h"
#include "tests/operators/milc_quarks.h"

#include <math.h>
#include <string.h>

static const int extents[4] = { 4, 6, 2, 6 };
enum { SYSTEMS = BATCH_MAX_RHS };

#define GUESS 500.0                      /* of |r|^2 */

typedef struct {
    place where;
    const batch_kind *kind;
    lattice *l;
    loop *body;
    krylov_state host, *at;
} workplace;

static workplace begin(place where, const batch_kind *kind, int count)
{
    workplace w = { .where = where, .kind = kind, .l = lattice_create_single(extents), .body = loop_create(where) };
    batch_state_begin(&w.host, count);
    w.at = batch_state_create(where, &w.host);
    return w;
}

static void end(workplace *w)
{
    batch_state_free(w->at, w->where);
    loop_free(w->body);
    lattice_free(w->l);
}

/* Once: the batch is not going, or does not go on afterwards. */
static void run(workplace *w)
{
    loop_run(w->body, &w->at->going);
    batch_state_get(&w->host, w->at, w->where);
}

static vec *random_vec(const workplace *w, unsigned n)
{
    vec *v = batch_kind_vec(w->kind, w->l, ON_ODD, w->where);
    vec_set_gaussian(v, rng_key_for(93, 0, n, RNG_TEST), 0);
    return v;
}

static vec *copy_of(const vec *v)
{
    vec *c = vec_create_like(v);
    vec_copy(c, v);
    return c;
}

static void free_all(vec **v, int count)
{
    for (int n = 0; n < count; n++)
        vec_free(v[n]);
}

/* |r|^2 and beta of each; one of them has made no step. */
static void residuals(place where, const batch_kind *kind, int count)
{
    workplace w = begin(where, kind, count);
    vec *r[SYSTEMS], *q[SYSTEMS], *want[SYSTEMS];
    residual_sums sums[SYSTEMS];
    const int still = count - 1;
    bool vectors = true, norms = true, betas = true;
    for (int n = 0; n < count; n++) {
        krylov_system *s = &w.host.system[n];
        r[n] = random_vec(&w, 2 * (unsigned)n);
        q[n] = random_vec(&w, 2 * (unsigned)n + 1);
        want[n] = copy_of(r[n]);
        s->alpha = 0.3 - 0.11 * n;
        s->rr = 700 + n;
        s->polak_ribiere = n % 2;
        s->norm_per_bound = SUM_WORD / sum_bound_guessed(GUESS);
        if (count > 1 && n == still) {
            s->alpha = 0;
            s->stepped = 0;
            s->status = SYSTEM_NEGATIVE;
        }
        sums[n] = vec_residual_update(want[n], -s->alpha, q[n], GUESS);
    }
    batch_state_put(w.at, where, &w.host);
    krylov_batch b = batch_of(w.at, 0, count, true);
    vec_batch_residual(w.body, &b, r, q);
    run(&w);
    for (int n = 0; n < count; n++) {
        const krylov_system *s = &w.host.system[n];
        bool stepped = count == 1 || n != still;
        double change = n % 2 && sums[n].change >= 0 ? sums[n].change : sums[n].norm2;
        vectors &= same_numbers(r[n], want[n]);
        norms &= s->rr == (stepped ? sums[n].norm2 : 700 + n) && s->steps == stepped;
        betas &= !stepped || (s->before == 700 + n && s->beta == change / (700 + n));
    }
    fact(vectors, "%s, %s: r - alpha q of %d", place_name(where), kind->name, count);
    fact(norms && !w.host.going, "%s, %s: |r|^2 of %d, but of one that stands", place_name(where), kind->name, count);
    fact(betas, "%s, %s: and both kinds of beta", place_name(where), kind->name);
    free_all(r, count);
    free_all(q, count);
    free_all(want, count);
    end(&w);
}

static void directions(place where, const batch_kind *kind)
{
    enum { COUNT = 5, STANDS = 1, STOPPED = 3 };
    workplace w = begin(where, kind, COUNT);
    vec *p[COUNT], *r[COUNT], *from[COUNT], *want[COUNT], *in_place[COUNT];
    w.host.going = 0;                                     /* because of the one that has stopped */
    w.host.system[STANDS].stepped = 0;
    w.host.system[STOPPED].status = SYSTEM_UPDATE;
    for (int n = 0; n < COUNT; n++) {
        double beta = w.host.system[n].beta = 0.4 + 0.2 * n;
        p[n] = random_vec(&w, 3 * (unsigned)n);
        r[n] = random_vec(&w, 3 * (unsigned)n + 1);
        from[n] = random_vec(&w, 3 * (unsigned)n + 2);
        in_place[n] = copy_of(from[n]);
        want[n] = copy_of(from[n]);
        vec_xpay(want[n], r[n], beta);
    }
    vec *p_before[2] = { copy_of(p[STANDS]), copy_of(p[STOPPED]) };
    batch_state_put(w.at, where, &w.host);
    krylov_batch b = batch_of(w.at, 0, COUNT, true);
    vec_batch_direction(w.body, &b, p, r, from);
    vec_batch_direction(w.body, &b, in_place, r, in_place);
    run(&w);
    bool same = true;
    for (int n = 0; n < COUNT; n++)
        same &= n == STANDS || n == STOPPED || (same_numbers(p[n], want[n]) && same_numbers(in_place[n], want[n]));
    fact(same, "%s, %s: directions r + beta p, in place too", place_name(where), kind->name);
    fact(same_numbers(p[STANDS], p_before[0]) && same_numbers(p[STOPPED], p_before[1]),
         "%s, %s: not of a system that has made no step, or has stopped", place_name(where), kind->name);
    free_all(p_before, 2);
    free_all(p, COUNT);
    free_all(r, COUNT);
    free_all(from, COUNT);
    free_all(in_place, COUNT);
    free_all(want, COUNT);
    end(&w);
}

static void gathers(place where, const batch_kind *kind, precision high)
{
    enum { COUNT = 4, STANDS = 1, NOT_FULL = 2, STOPPED = 3 };
    workplace w = begin(where, kind, COUNT);
    vec *y[COUNT], *want[COUNT], *ring[COUNT][KRYLOV_RING], *const *rings[COUNT];
    double unit[COUNT];
    w.host.going = 0;
    w.host.system[STANDS].stepped = 0;
    w.host.system[STOPPED].status = SYSTEM_UPDATE;
    for (int n = 0; n < COUNT; n++) {
        krylov_system *s = &w.host.system[n];
        double c[KRYLOV_RING];
        unit[n] = 1 / (3.0 + n);
        s->pending = n == NOT_FULL ? KRYLOV_RING - 1 : KRYLOV_RING;
        y[n] = vec_create(w.l, ON_ODD, where, high);
        vec_set_gaussian(y[n], rng_key_for(94, 0, (unsigned)n, RNG_TEST), 0);
        want[n] = copy_of(y[n]);
        for (int j = 0; j < KRYLOV_RING; j++) {
            ring[n][j] = random_vec(&w, (unsigned)(n * KRYLOV_RING + j));
            s->ring_alpha[j] = 0.1 + 0.07 * j + 0.01 * n;
            c[j] = unit[n] * s->ring_alpha[j];
        }
        rings[n] = ring[n];
        if (n != STANDS && n != NOT_FULL)
            vec_gather(want[n], c, ring[n], KRYLOV_RING);
    }
    batch_state_put(w.at, where, &w.host);
    krylov_batch b = batch_of(w.at, 0, COUNT, true);
    vec_batch_gather(w.body, &b, y, unit, rings);
    run(&w);
    const char *into = high == PRECISION_DOUBLE ? "double" : "single";
    fact(same_numbers(y[0], want[0]) && same_numbers(y[STOPPED], want[STOPPED]),
         "%s, %s: solutions in %s precision take full rings", place_name(where), kind->name, into);
    fact(same_numbers(y[STANDS], want[STANDS]) && same_numbers(y[NOT_FULL], want[NOT_FULL]),
         "%s, %s: not one that is not full, or was taken already", place_name(where), kind->name);
    for (int n = 0; n < COUNT; n++)
        free_all(ring[n], KRYLOV_RING);
    free_all(y, COUNT);
    free_all(want, COUNT);
    end(&w);
}

/* Of the others, one was frozen before and one is with this step. */
static void shifts_updates(place where, const batch_kind *kind, bool goes_on)
{
    enum { COUNT = 4, NUMBER = 2, EARLIER = 1, NOW = 2, STEPS = 7 };
    workplace w = begin(where, kind, NUMBER + 1);
    krylov_system *s = &w.host.system[NUMBER];
    vec *x[COUNT], *p[COUNT], *want_x[COUNT], *want_p[COUNT], *r = random_vec(&w, 100), *taking[2][COUNT];
    double a[COUNT], beta[COUNT], zeta[COUNT];
    int part = 0;
    w.host.going = 0;
    s->status = goes_on ? SYSTEM_GOING : SYSTEM_UPDATE;
    s->alpha = 0.3;
    s->beta = 0.7;
    s->steps = STEPS;
    s->shifts = COUNT - 1;
    for (int k = 0; k < COUNT; k++) {
        krylov_shift o = { .rho = k ? 0.9 - 0.1 * k : 1, .zeta = k ? 0.8 / k : 1, .frozen_at = -1 };
        o.frozen_at = k == EARLIER ? STEPS - 1 : k == NOW ? STEPS : -1;
        if (k > 0)
            s->other[k - 1] = o;
        x[k] = random_vec(&w, 2 * (unsigned)k);
        p[k] = random_vec(&w, 2 * (unsigned)k + 1);
        want_x[k] = copy_of(x[k]);
        want_p[k] = copy_of(p[k]);
        if (k == EARLIER)
            continue;
        a[part] = o.rho * s->alpha;
        beta[part] = o.rho * o.rho * s->beta;
        zeta[part] = o.zeta;
        taking[0][part] = want_x[k];
        taking[1][part++] = want_p[k];
    }
    vec_multishift_update(&(vec_shift_step){ .x = taking[0], .p = taking[1], .a = a, .b = beta, .z = zeta,
                                             .count = part }, r);
    batch_state_put(w.at, where, &w.host);
    vec_shifts_update(w.body, w.at, (shift_vectors){ .number = NUMBER, .count = COUNT, .x = x, .p = p }, r);
    vec *p_before[COUNT];
    for (int k = 0; k < COUNT; k++)
        p_before[k] = copy_of(p[k]);
    run(&w);
    bool solutions = true, turned = true;
    for (int k = 0; k < COUNT; k++) {
        solutions &= same_numbers(x[k], want_x[k]);
        turned &= same_numbers(p[k], goes_on ? want_p[k] : p_before[k]);
    }
    fact(solutions, "%s, %s: solutions of all shifts but the one that was frozen before", place_name(where),
         kind->name);
    fact(turned, "%s, %s: %s", place_name(where), kind->name,
         goes_on ? "and their directions" : "a system that stops keeps its directions");
    w.host.system[NUMBER].stepped = 0;
    batch_state_put(w.at, where, &w.host);
    run(&w);
    bool still = true;
    for (int k = 0; k < COUNT; k++)
        still &= same_numbers(x[k], want_x[k]);
    fact(still, "%s, %s: none without a step", place_name(where), kind->name);
    vec_free(r);
    free_all(x, COUNT);
    free_all(p, COUNT);
    free_all(p_before, COUNT);
    free_all(want_x, COUNT);
    free_all(want_p, COUNT);
    end(&w);
}

int main(void)
{
    FOR_EVERY_PLACE(where)
        for (int k = 0; k < BATCH_KINDS; k++) {
            for (int count = 1; count <= SYSTEMS; count *= 2)
                residuals(where, &batch_kinds[k], count);
            directions(where, &batch_kinds[k]);
            gathers(where, &batch_kinds[k], PRECISION_DOUBLE);
            gathers(where, &batch_kinds[k], PRECISION_SINGLE);
            shifts_updates(where, &batch_kinds[k], true);
            shifts_updates(where, &batch_kinds[k], false);
        }
    return facts_end();
}
