/* test_tempering.c - parallel tempering in the boundary condition: swaps against actions computed anew, and means of
 * every replica against runs without tempering.
 *
 * Random numbers have fixed seeds: a fact that holds once holds always.  Facts of chance allow 4.5 standard errors. */
#include "actions/gauge_action.h"
#include "src/base/json_read.h"
#include "src/base/memory.h"
#include "src/gauge/gauge_observables.h"
#include "src/hmc/tempering.h"
#include "src/lattice/rng.h"
#include "tests/facts.h"
#include "tests/hmc/run_system.h"
#include "tests/hmc/run_text.h"
#include "tests/on_every_backend.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define ERRORS_ALLOWED 4.5
#define BETA 5.2
#define INPUT                                                                                         \
    "lattice: [4, 4, 4, 4]\nrandom: { seed: %d }\nmonomials:\n"                                       \
    "  - { kind: gauge, name: gauge, action: wilson, beta: 5.2 }\n%s\noutput: { directory: unused }\n"
#define SWEEPS "heatbath: { sweeps: 1, overrelaxation: 1 }\nhmc: { trajectories: 1000000 }\n"
#define DYNAMICS                                                                           \
    "hmc: { trajectories: 1000000, thermalization: 100, trajectory_length: 0.7, levels: [" \
    " { integrator: omelyan, steps: 5, monomials: [gauge] } ] }\n"
#define FACTORS "factors: [ { c: 1 }, { c: 0.5 }, { c: 0 } ], "

enum { REPLICAS = 3, SIZE = 1 };
static const double factors[REPLICAS] = { 1, 0.5, 0 };

/* ---- one round of swaps */

/* The action with the factor c at the box, by a monomial that knows nothing of the run. */
static double action_with(const gauge *u, const defect_box *box, double c)
{
    const gauge_params p = { .action = 0, .beta = BETA };
    monomial *m = monomial_create(&gauge_monomial, &p, u);
    gauge *memory = gauge_create(u->links.lattice, u->links.where, u->links.precision);
    monomial_call call = { .clock = NULL };
    double s = 0;
    gauge_monomial.set_defect(m, &(link_defect){ *box, c }, memory);
    monomial_action(&s, m, u, &call);
    gauge_free(memory);
    monomial_free(m);
    return s;
}

typedef struct { int origin[REPLICAS]; double ds[REPLICAS - 1]; bool accepted[REPLICAS - 1]; } swap_round;

static swap_round read_round(const tempering *t)
{
    json j = { 0 };
    failure why;
    swap_round r;
    memset(&r, 0, sizeof r);
    json_open(&j, NULL, '{');
    tempering_to_json(t, &j);
    json_close(&j);
    yyjson_doc *doc = json_read_string(json_string(&j), "swaps", &why);
    require(doc != NULL, "%s", why.why);
    yyjson_val *all = yyjson_obj_get(yyjson_doc_get_root(doc), "tempering");
    for (size_t n = 0; n < REPLICAS; n++)
        r.origin[n] = yyjson_get_int(yyjson_arr_get(yyjson_obj_get(all, "origins"), n));
    for (size_t n = 0; n + 1 < REPLICAS; n++) {
        yyjson_val *one = yyjson_arr_get(yyjson_obj_get(all, "swaps"), n);
        r.ds[n] = yyjson_get_num(yyjson_obj_get(one, "dS"));
        r.accepted[n] = yyjson_get_bool(yyjson_obj_get(one, "accepted"));
    }
    yyjson_doc_free(doc);
    json_free(&j);
    return r;
}

/* The place that the defect of the first replica gets after trajectory `number`. */
static defect_box moved_box(int number)
{
    defect_box box = { 0, SIZE, { 0 } };
    for (int mu = 0; mu < 4; mu++) {
        const philox_words w = rng_words(rng_key_for(71, 0, (uint64_t)number, RNG_SWAP), 0, 1 + (uint32_t)mu);
        box.corner[mu] = (int)(4 * rng_uniform(w.v[0], w.v[1]));
    }
    return box;
}

/* Whether a replica has these links and the place of their defect. */
static bool is_in_replica(tempering *t, int replica, gauge *u, const gauge *links, const defect_box *box)
{
    state_memory memory = { 0 };
    char name[32];
    tempering_get_memory(t, &memory);
    snprintf(name, sizeof name, "replica.%d", replica);
    const state_list *list = state_memory_find(&memory, name);
    bool same = gauge_distance(tempering_select(t, replica, u), links) == 0;
    for (int mu = 0; mu < 4; mu++)
        same &= list->value[1 + mu] == box->corner[mu];
    return same;
}

/* Replicas with links kept[0], kept[1], kept[2], for the rounds 1, 2, ...: each dS and decision, and where the links
 * and the places of their defects go. */
static void swaps(place where)
{
    enum { ROUNDS = 60 };
    static const int extents[] = { 4, 4, 4, 4 };
    run_input in;
    run_from_text(&in, INPUT, 71, SWEEPS "tempering: { replicas: 3, " FACTORS "defect: { size: 1 } }");
    lattice *l = lattice_create_single(extents);
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE), *kept[REPLICAS];
    hmc_term_list terms = { .params = &in.p, .count = 1 };
    schedule *s = hmc_plan(&in.p, terms.of);
    hmc_terms_create(&terms, u);
    double off = 0;
    int wrong = 0, misplaced = 0, count[2] = { 0 };
    for (int n = 0; n < REPLICAS; n++)
        kept[n] = gauge_create(l, where, PRECISION_DOUBLE);
    for (int round = 1; round <= ROUNDS; round++) {
        tempering *t = tempering_create(&in.p, &terms, NULL, u);
        tempering_begin(t, u);
        for (int n = 0; n < REPLICAS; n++) {
            gauge *links = tempering_select(t, n, u);
            momentum *p = momentum_create(l, where, PRECISION_DOUBLE);
            momentum_set_gaussian(p, rng_key_for(5, 0, (uint64_t)(REPLICAS * round + n), RNG_MOMENTA));
            gauge_set_unit(links);
            gauge_drift(links, round % 2 ? 0.3 : 0.7, p);
            momentum_free(p);
            gauge_copy(kept[n], links);
            tempering_note(t, n, links, (replica_update){ true, 0 });
        }
        tempering_end(t, u, round, NULL);
        const swap_round r = read_round(t);
        const defect_box first = { 0, SIZE, { 3, 0, 0, 0 } }, box[REPLICAS] = { moved_box(round), first, first };
        int now[REPLICAS] = { 0, 1, 2 };
        for (int pair = 0; pair + 1 < REPLICAS; pair++) {            /* pair 0 is even and comes first */
            const gauge *a = kept[now[pair]], *b = kept[now[pair + 1]];
            const defect_box *of_a = &box[now[pair]], *of_b = &box[now[pair + 1]];
            const double ds = action_with(b, of_b, factors[pair]) + action_with(a, of_a, factors[pair + 1])
                              - action_with(a, of_a, factors[pair]) - action_with(b, of_b, factors[pair + 1]);
            const philox_words w = rng_words(rng_key_for(71, 0, (uint64_t)round, RNG_SWAP), (uint64_t)pair, 0);
            const bool accept = rng_uniform(w.v[0], w.v[1]) < exp(-ds);
            off = worse(off, fabs(ds - r.ds[pair]));
            wrong += accept != r.accepted[pair];
            count[accept]++;
            if (accept) {
                const int lower = now[pair];
                now[pair] = now[pair + 1];
                now[pair + 1] = lower;
            }
        }
        for (int n = 0; n < REPLICAS; n++)
            misplaced += now[n] != r.origin[n] || !is_in_replica(t, n, u, kept[now[n]], &box[now[n]]);
        tempering_free(t);
    }
    fact_close(off, 0, 1e-10, "%s: dS of a swap is the difference of actions computed anew", place_name(where));
    fact(wrong == 0 && count[0] > 10 && count[1] > 10, "%s: Metropolis test with the random number of its pair: %d "
         "accepted, %d rejected", place_name(where), count[1], count[0]);
    fact(misplaced == 0, "%s: links, their numbers and the places of their defects are in the replicas that the "
         "decisions give", place_name(where));
    for (int n = 0; n < REPLICAS; n++)
        gauge_free(kept[n]);
    hmc_terms_free(&terms);
    schedule_free(s);
    gauge_free(u);
    lattice_free(l);
    run_input_free(&in);
}

/* ---- the periodic replica without swaps */

static void usual_bits(place where, const char *update, const char *name)
{
    char tempered[400];
    snprintf(tempered, sizeof tempered, "%stempering: { replicas: 2, swap_every: 100 }\n", update);
    run_system usual = run_system_create(where, PRECISION_DOUBLE, INPUT, 73, update);
    run_system other = run_system_create(where, PRECISION_DOUBLE, INPUT, 73, tempered);
    for (int n = 1; n <= 3; n++) {
        run_system_trajectory(&usual, n);
        run_system_trajectory(&other, n);
    }
    fact(gauge_distance(usual.u, other.u) == 0, "%s, %s: before the first swap the periodic replica has the bits of a "
         "usual run", place_name(where), name);
    run_system_free(&usual);
    run_system_free(&other);
}

/* ---- means */

/* Means of the deficits of plaquettes: those with a link of the defect; those with a link of the rest of the slice; all
 * others.  Of each block of trajectories, for the error. */
enum { RINGS = 3, BLOCKS = 20 };
static const char *const ring_names[RINGS] = { "at the defect", "beside it", "elsewhere" };
typedef struct { double ring[RINGS][BLOCKS]; } means;

static void add_links(means *m, int block, const gauge *u, const defect_box *box, double share)
{
    defect_box slice = *box;
    slice.size = 4;
    const double all = action_with(u, box, 1), at = action_with(u, box, 0), off = action_with(u, &slice, 0);
    m->ring[0][block] += share * (at - all);                       /* beta sum of Re Tr / 3 of the plaquettes without */
    m->ring[1][block] += share * (off - at);                       /* the factor */
    m->ring[2][block] += share * off;
}

static void estimate(double *mean, double *error, const double block[BLOCKS])
{
    double sum = 0, squares = 0;
    for (int b = 0; b < BLOCKS; b++)
        sum += block[b] / BLOCKS;
    for (int b = 0; b < BLOCKS; b++)
        squares += (block[b] - sum) * (block[b] - sum) / (BLOCKS * (BLOCKS - 1));
    *mean = sum;
    *error = sqrt(squares);
}

static void same_means(const means *a, const means *b, const char *sentence)
{
    for (int r = 0; r < RINGS; r++) {
        double mean_a, error_a, mean_b, error_b;
        estimate(&mean_a, &error_a, a->ring[r]);
        estimate(&mean_b, &error_b, b->ring[r]);
        fact_close(mean_a, mean_b, ERRORS_ALLOWED * hypot(error_a, error_b), "%s, plaquettes %s", sentence,
                   ring_names[r]);
    }
}

/* Replicas of a tempered run: means[0] of the first replica, which is periodic, means[1] of the last. */
static void run_tempered(means m[2], place where, const char *update, int seed, int length, const char *name)
{
    char tempered[600];
    snprintf(tempered, sizeof tempered, "%stempering: { replicas: 3, " FACTORS "defect: { size: 1 } }\n", update);
    run_system s = run_system_create(where, PRECISION_DOUBLE, INPUT, seed, tempered);
    gauge *last = gauge_create(s.l, where, PRECISION_DOUBLE);
    const int settle = length / 5;
    int moves = 0, at = 0;
    memset(m, 0, 2 * sizeof *m);
    for (int n = 0; n < settle + length; n++) {
        run_system_trajectory(&s, n + 1);
        state_memory memory;
        hmc_get_memory(s.h, &memory);
        const double *of_first = state_memory_find(&memory, "replica.0")->value;
        const double *of_last = state_memory_find(&memory, "replica.2")->value;
        defect_box box[2] = { { 0, SIZE, { 0 } }, { 0, SIZE, { 0 } } };
        for (int mu = 0; mu < 4; mu++) {
            box[0].corner[mu] = (int)of_first[1 + mu];
            box[1].corner[mu] = (int)of_last[1 + mu];
        }
        moves += (int)of_first[0] != at;
        at = (int)of_first[0];
        if (n < settle)
            continue;
        const int block = (n - settle) * BLOCKS / length;
        field_copy(&last->links, hmc_state_field(s.h, false, 1));
        gauge_forget_derived(last);
        add_links(&m[0], block, s.u, &box[0], (double)BLOCKS / length);
        add_links(&m[1], block, last, &box[1], (double)BLOCKS / length);
    }
    fact(moves > length / 20, "%s, %s: the first replica gets other links %d times", place_name(where), name, moves);
    gauge_free(last);
    run_system_free(&s);
}

/* Heat bath at a fixed factor, without tempering. */
static void run_fixed(means *m, place where, double c, int seed, int length)
{
    run_system s = run_system_create(where, PRECISION_DOUBLE, INPUT, seed, SWEEPS);
    const link_defect d = { { 0, SIZE, { 2, 1, 3, 1 } }, c };
    pure_gauge *sweeps = pure_gauge_create(&s.in->p, s.u);
    const int settle = length / 5;
    pure_gauge_set_replica(sweeps, 0, &d);
    memset(m, 0, sizeof *m);
    for (int n = 0; n < settle + length; n++) {
        pure_gauge_sweep(sweeps, s.u, n + 1);
        gauge_reunitarize(s.u);
        if (n >= settle)
            add_links(m, (n - settle) * BLOCKS / length, s.u, &d.box, (double)BLOCKS / length);
    }
    pure_gauge_free(sweeps);
    run_system_free(&s);
}

static void distributions(place where)
{
    enum { LENGTH = 2000, SHORTER = 1000 };
    means fixed[2], swept[2], moved[2];
    run_fixed(&fixed[0], where, 1, 75, LENGTH);
    run_fixed(&fixed[1], where, 0, 76, LENGTH);
    run_tempered(swept, where, SWEEPS, 77, LENGTH, "heat bath");
    run_tempered(moved, where, DYNAMICS, 78, SHORTER, "hybrid Monte Carlo");
    same_means(&swept[0], &fixed[0], "heat bath, first replica: means of a periodic run");
    same_means(&swept[1], &fixed[1], "heat bath, last replica: means of a run with c = 0");
    same_means(&moved[0], &fixed[0], "hybrid Monte Carlo, first replica: means of a periodic run");
    same_means(&moved[1], &fixed[1], "hybrid Monte Carlo, last replica: means of a run with c = 0");
    double open, periodic, error;
    estimate(&open, &error, fixed[1].ring[0]);
    estimate(&periodic, &error, fixed[0].ring[0]);
    fact(periodic - open > 20 * error, "the defect changes plaquettes: %.4g with c = 0, %.4g with c = 1", open,
         periodic);
}

int main(void)
{
    FOR_EVERY_PLACE(where) {
        swaps(where);
        usual_bits(where, SWEEPS, "heat bath");
        usual_bits(where, DYNAMICS, "hybrid Monte Carlo");
    }
    distributions(PLACE_CPU);
    return facts_end();
}
