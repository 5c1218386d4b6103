/* test_sum_carries.c - sums of more terms than 64 bits hold; words that are the same whoever merged what.
 *
 * The reference is an integer of 128 bits in units of bound 2^-108. */
#include "src/comm/comm.h"
#include "src/gauge/gauge.h"
#include "src/lattice/grid.h"
#include "src/lattice/kernels.h"
#include "src/lattice/rng.h"
#include "src/lattice/vec.h"
#include "src/site/site.h"
#include "tests/facts.h"
#include "tests/nightly.h"
#include "tests/on_every_backend.h"

#include <math.h>
#include <omp.h>
#include <string.h>

#define ONES ((1LL << SUM_WIDTH) - 1)

static bool same_cells(const sum_cell *a, const sum_cell *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

static sum_cell normal_of(sum_cell c)
{
    sum_cell_carry(&c);
    return c;
}

/* Words of an integer, in normal form. */
static sum_cell cell_of(__int128 units)
{
    return (sum_cell){ { (long long)(units >> 72), (long long)(units >> 36) & ONES, (long long)units & ONES }, 0 };
}

/* As a thread leaves it: `terms` times a term with these words. */
static sum_cell many(long long terms, long long high, long long middle, long long low)
{
    return (sum_cell){ { terms * high, terms * middle, terms * low }, 0 };
}

/* 2^14 cells of 2^26 terms; and 2^27 terms just below the bound, which is all that a cell holds. */
static void merged_cells(void)
{
    enum { MERGES = 1 << 14 };
    const __int128 word = (__int128)1 << 36;
    for (int sign = 1; sign >= -1; sign -= 2) {
        const char *what = sign > 0 ? "positive" : "negative";
        sum_cell sum = { 0 };
        for (int n = 0; n < MERGES; n++)
            sum_cell_merge(&sum, many(SUM_TERMS, sign * 1000, sign * ONES, sign * ONES));
        const __int128 want = sign * ((1000 * word + ONES) * word + ONES) * SUM_TERMS * MERGES;
        sum_cell normal = normal_of(sum), expected = cell_of(want);
        fact(same_cells(&normal, &expected), "2^40 %s terms in %d merges: every bit", what, MERGES);
        fact(sum_cell_value(&sum, 1) == ldexp((double)want, -108), "and their value, rounded once");
        sum_cell most = { 0 };
        sum_cell_merge(&most, many(SUM_TERMS, sign * ONES, sign * ONES, sign * ONES));
        sum_cell_merge(&most, many(SUM_TERMS, sign * ONES, sign * ONES, sign * ONES));
        fact(sum_cell_value(&most, 1) == sign * 0x1p27, "2^27 %s terms just below the bound", what);
    }
}

/* Cells of all sizes and both signs, merged in four orders, in halves too. */
static void orders(void)
{
    enum { CELLS = 64, ORDERS = 4 };
    sum_cell part[CELLS], first = { 0 };
    bool same = true;
    for (int n = 0; n < CELLS; n++) {
        philox_words w = rng_words(rng_key_for(41, 0, 0, RNG_TEST), (uint32_t)n, 0);
        const long long sign = w.v[0] & 1 ? 1 : -1;
        part[n] = many(SUM_TERMS, sign * (w.v[1] >> 4), sign * (ONES - w.v[2]), sign * (ONES - w.v[3]));
    }
    for (int order = 0; order < ORDERS; order++) {
        static const int step[ORDERS] = { 1, 5, 27, 63 };
        sum_cell half[2] = { { .refused = 0 } }, all = { 0 };
        for (int n = 0; n < CELLS; n++)
            sum_cell_merge(order % 2 ? &half[n % 2] : &all, part[n * step[order] % CELLS]);
        for (int n = 0; n < 2; n++)
            sum_cell_merge(&all, half[n]);
        sum_cell_carry(&all);
        if (order == 0)
            first = all;
        same &= same_cells(&all, &first);
    }
    fact(same, "%d cells merged in %d orders have the same words in normal form", CELLS, ORDERS);
    const sum_cell again = normal_of(first);
    fact(same_cells(&again, &first), "which is its own normal form");
}

/* Terms that refuse are counted through merges and reductions; maxima go their own way. */
static void refused_and_maxima(const lattice *l)
{
    sum_cell sum[2] = { { .refused = 0 } }, none = { 0 };
    max_cell largest[2] = { { .refused = 0 } };
    for (int n = 0; n < 3; n++) {
        sum_cell part = { 0 };
        max_cell of_part = { 0 };
        sum_cell_add(&part, n == 1 ? 2 : 0.25, SUM_WORD);
        max_cell_add(&of_part, n == 1 ? 3 : 0.5 * n);
        sum_cell_merge(&sum[0], part);
        max_cell_merge(&largest[0], of_part);
    }
    sums_reduce((sum_cells){ sum, largest }, l, 2, 2);
    fact(sum[0].refused == 1 && isnan(sum_cell_value(&sum[0], 1)), "a refused term is counted, whoever merges");
    fact(same_cells(&sum[1], &none), "and is of no other sum");
    sum[0].refused = 0;
    fact(sum_cell_value(&sum[0], 1) == 0.5, "the other terms stand");
    fact(max_cell_value(&largest[0]) == 3 && max_cell_value(&largest[1]) == 0, "the largest of merged maxima");
    sum[1] = many(SUM_TERMS, -1, ONES, -ONES);
    const sum_cell normal = normal_of(sum[1]);
    sums_reduce((sum_cells){ sum, largest }, l, 2, 2);
    fact(same_cells(&sum[1], &normal), "what is reduced is in normal form");
}

/* The same terms at every site. */
typedef struct { double term, largest; } constant_args;

SITE_SUM(constant_terms, 2, 1, constant_args, a, x, s)
{
    (void)x;
    s[0] = spread((scalar)a->term);
    s[1] = spread((scalar)-a->term);
    s[2] = spread((scalar)a->largest);
}

/* More terms than 2^27 by one thread, which fill the low words. */
static void one_thread(const lattice *l)
{
    const int terms = (1 << 27) + (1 << 21);
    const constant_args args = { ldexp((double)ONES, -108), 5 };
    sum_array s = sums_create(l, PLACE_CPU, 2, 1);
    sum_cell sum[2];
    max_cell largest;
    const int before = omp_get_max_threads();
    omp_set_num_threads(1);
    K(constant_terms)(&args, range_of_list(terms), NULL, SUM_WORD, s.cells);
    omp_set_num_threads(before);
    sums_read((sum_cells){ sum, &largest }, &s);
    for (int n = 0; n < 2; n++) {
        sum_cell want = cell_of((n ? -1 : 1) * (__int128)ONES * terms);
        fact(same_cells(&sum[n], &want), "one thread adds more than 2^27 %s terms", n ? "negative" : "positive");
    }
    fact(max_cell_value(&largest) == 5, "and knows the largest");
    sums_free(&s);
}

SUM_KERNEL_FORMATS(vector_norms, 1, 1);
SUM_KERNEL(momentum_norms, 1, 1);

/* Nothing, in words that hold no more than 2^43 in the middle or in the low one. */
static sum_cell full_cell(bool low)
{
    const long long most = INT64_MAX - (1LL << 43) + 1;
    const long long above = -(most >> SUM_WIDTH);
    return low ? (sum_cell){ { 0, above, most }, 0 } : (sum_cell){ { above, most, 0 }, 0 };
}

static sum_cell norm_from(sum_cell begin, const vec *v)
{
    vector_args args = { vec_view(v), vec_view(v), 0 };
    const sum_launch all = { .where = v->f.where, .precision = v->f.precision, .args = &args, .range = vec_sites(v) };
    sum_array s = sums_create(v->f.lattice, v->f.where, 1, 1);
    sum_cell sum;
    max_cell largest = { 0 };
    sums_put(&s, (sum_cells){ &begin, &largest });
    run_sum_into(&vector_norms[0], &all, s.cells);
    sums_read((sum_cells){ &sum, &largest }, &s);
    sums_free(&s);
    return sum;
}

/* Kernels carry before they merge: 4096 terms would overflow a full word, a few blocks or threads do not. */
static void full_words(lattice *l, place where)
{
    vec *v = vec_create(l, ON_ALL, where, PRECISION_DOUBLE);
    vec_set_gaussian(v, rng_key_for(42, 0, 0, RNG_TEST), 0);
    for (int low = 0; low < 2; low++) {
        const sum_cell want = norm_from((sum_cell){ .refused = 0 }, v), full = norm_from(full_cell(low), v);
        fact(same_cells(&full, &want), "%s: a sum that begins with a full %s word", place_name(where),
             low ? "low" : "middle");
        vec_combine(v, 0x1p-18, v, NULL, NULL, 0);
    }
    vec_free(v);
}

/* What is read has the words of one process with one thread, on the CPU. */
static void sums_of_thread_counts(lattice *l, place where, sum_cell *first)
{
    static const int threads[] = { 1, 2, 3, 7 };
    const int before = omp_get_max_threads();
    momentum *p = momentum_create(l, where, PRECISION_DOUBLE);
    momentum_set_gaussian(p, rng_key_for(43, 0, 0, RNG_TEST));
    momentum_args args = { lattice_on(l, where), momentum_view_of(p), momentum_view_of(p), 0 };
    bool same = true;
    for (int n = 0; n < 4; n++) {
        sum_array s = sums_create(l, where, 1, 1);
        sum_cell sum;
        max_cell largest;
        omp_set_num_threads(threads[n]);
        const sum_launch all = { .where = where, .precision = PRECISION_DOUBLE, .args = &args,
                                 .range = lattice_all(l) };
        run_sum_into(&momentum_norms, &all, s.cells);
        sums_read((sum_cells){ &sum, &largest }, &s);
        sums_free(&s);
        if (where == PLACE_CPU && n == 0)
            *first = sum;
        same &= same_cells(&sum, first);
    }
    omp_set_num_threads(before);
    fact(same, "%s: cells that are read have the same words with 1, 2, 3 and 7 threads, and on any place",
         place_name(where));
    momentum_free(p);
}

/* ---- more than 2^27 terms on two ranks, fewer on each */

enum { FLAT_RANKS = 2, FLAT_SLABS = 272 };

/* A spinor field of 2.3 GB with |v|^2 = 6 (0.4)^2 in each color vector, just below a bound. */
static int flat_norm(void *of)
{
    static const int extents[4] = { 32, 32, 32, 32 }, grid[4] = { 1, 1, 1, FLAT_RANKS };
    double *norm2 = of;
    grid_want(grid);
    const lattice_shape shape = grid_shape_here(extents, GRID_HOPS_LEAST);
    lattice *l = lattice_create(&shape);
    vec *v = vec_create_slabs_format(l, ON_EVEN, PLACE_CPU, VECTOR_HALF, FLAT_SLABS);
    const float scale = 0.4f;
    uint32_t *word = v->f.data, ones = 0x7fff7fff, scale_bits;
    memcpy(&scale_bits, &scale, sizeof scale_bits);
    for (size_t i = 0; i < v->f.bytes / sizeof *word; i++)
        word[i] = i % 4 == 3 ? scale_bits : ones;
    norm2[comm_rank(comm_world())] = vec_norm2(v);
    vec_free(v);
    lattice_free(l);
    return 0;
}

static void terms_of_all_ranks(void)
{
    const char *sentence = "a norm of more than 2^27 terms on two ranks, fewer on each";
    const double want = 6 * (double)0.4f * (double)0.4f * FLAT_SLABS * (1 << 19);
    double norm2[FLAT_RANKS] = { 0 };
    comm_run_threads(FLAT_RANKS, flat_norm, norm2);
    for (int r = 0; r < FLAT_RANKS; r++)
        fact_close(norm2[r] / want, 1, 1e-6, "%s: rank %d", sentence, r);
}

int main(void)
{
    lattice *l = lattice_create_single((const int[4]){ 8, 8, 8, 8 });
    sum_cell first;
    merged_cells();
    orders();
    refused_and_maxima(l);
    one_thread(l);
    if (nightly())                   /* 2.3 GB */
        terms_of_all_ranks();
    FOR_EVERY_PLACE(where) {
        full_words(l, where);
        sums_of_thread_counts(l, where, &first);
    }
    lattice_free(l);
    return facts_end();
}
