/* test_tempering.c - parallel tempering in the boundary condition: swaps against actions computed anew, and means of
 * every replica against runs without tempering.
 *
 * Random numbers have fixed seeds: a fact that holds once holds always.  Facts of chance allow 4.5 standard errors. */
#include "actions/gauge_action.h"
#include "src/base/json_read.h"
#include "src/base/log.h"
#include "src/base/memory.h"
#include "src/gauge/gauge_observables.h"
#include "src/hmc/tempering.h"
#include "src/lattice/rng.h"
#include "tests/facts.h"
#include "tests/hmc/defect_means.h"
#include "tests/hmc/run_system.h"
#include "tests/hmc/run_text.h"
#include "tests/on_every_backend.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define BETA 5.2
#define INPUT                                                                                         \
    "lattice: [4, 4, 4, 4]\nrandom: { seed: %d }\nmonomials:\n"                                       \
    "  - { kind: gauge, name: gauge, action: wilson, beta: 5.2 }\n%s\noutput: { directory: unused }\n"
#define SWEEPS "heatbath: { sweeps: 1, overrelaxation: 1 }\nhmc: { trajectories: 1000000 }\n"
#define DYNAMICS                                                                           \
    "hmc: { trajectories: 1000000, thermalization: 100, trajectory_length: 0.7, levels: [" \
    " { integrator: omelyan, steps: 5, monomials: [gauge] } ] }\n"
#define QUARKS                                                                                             \
    "  - { kind: wilson, name: quarks, determinants: [ { flavors: 2, mass: 0.4 }, { flavors: 1, mass: 0.5 } ],\n" \
    "      residuals: { refresh: 1e-9, action: 1e-9, force: 1e-6 } }\n"                                     \
    "hmc: { trajectories: 1000000, thermalization: 1, trajectory_length: 0.3,\n"                          \
    "       levels: [ { integrator: omelyan, steps: 2, monomials: [gauge, quarks] } ] }\n"
#define IMPROVED                                                                                           \
    "  - { kind: gauge, name: improved, action: symanzik_tree, beta: 2 }\n"                               \
    "hmc: { trajectories: 1000000, thermalization: 1, trajectory_length: 0.3,\n"                          \
    "       levels: [ { integrator: omelyan, steps: 2, monomials: [gauge, improved] } ] }\n"
#define FACTORS "factors: [ { c: 1 }, { c: 0.5 }, { c: 0 } ], "

enum { REPLICAS = 3, SIZE = 1 };
static const double factors[REPLICAS] = { 1, 0.5, 0 };
static const defect_scale at_beta = { BETA, 4 };

/* ---- one round of swaps */

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
static defect_box moved_box(int number, int size)
{
    defect_box box = { 0, size, { 0 } };
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

/* A gauge action that keeps a number between trajectories: what belongs to the links of each replica. */
static double present_number;

static int get_number(const monomial *m, double values[MONOMIAL_MEMORY])
{
    (void)m;
    values[0] = present_number;
    return 1;
}

static void set_number(monomial *m, const double *values, int count)
{
    (void)m, (void)count;
    present_number = values[0];
}

/* The number of the links that are at first in a replica. */
static double number_of(int round, int replica)
{
    return REPLICAS * round + replica + 1;
}

/* The gauge actions of a run. */
static double action_with(const run_params *p, const gauge *u, const defect_box *box, double c)
{
    double sum = 0;
    for (int m = 0; m < run_monomial_count(p); m++)
        if (run_monomial_kind(p, m)->set_defect)
            sum += defect_action(run_monomial_params(p, m), u, box, c);
    return sum;
}

/* Replicas with links kept[0], kept[1], kept[2], for the rounds 1, 2, ...: each dS and decision, and where the links
 * and the places of their defects go. */
static void swaps(place where, const char *rest, int size, const char *name)
{
    static monomial_kind keeping;
    keeping = gauge_monomial;
    keeping.get_memory = get_number;
    keeping.set_memory = set_number;
    enum { ROUNDS = 60 };
    static const int extents[] = { 4, 4, 4, 4 };
    run_input in;
    char all[900];
    snprintf(all, sizeof all, "%stempering: { replicas: 3, " FACTORS "defect: { size: %d } }", rest, size);
    run_from_text(&in, INPUT, 71, all);
    lattice *l = lattice_create_single(extents);
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE), *kept[REPLICAS];
    hmc_term_list terms = { .params = &in.p, .count = run_monomial_count(&in.p) };
    schedule *s = hmc_plan(&in.p, terms.of);
    hmc_terms_create(&terms, u);
    terms.of[0].m->kind = &keeping;
    double off = 0;
    int wrong = 0, misplaced = 0, count[2] = { 0 };
    for (int n = 0; n < REPLICAS; n++)
        kept[n] = gauge_create(l, where, PRECISION_DOUBLE);
    for (int round = 1; round <= ROUNDS; round++) {
        tempering *t = tempering_create(&in.p, &terms, NULL, u);
        tempering_begin(t, u, 1);
        for (int n = REPLICAS - 1; n >= 0; n--) {
            gauge *links = tempering_select(t, n, u);
            present_number = number_of(round, n);
            momentum *p = momentum_create(l, where, PRECISION_DOUBLE);
            momentum_set_gaussian(p, rng_key_for(5, 0, (uint64_t)(REPLICAS * round + n), RNG_MOMENTA));
            gauge_set_unit(links);
            gauge_drift(links, round % 2 ? 0.3 : 0.7, p);
            momentum_free(p);
            gauge_copy(kept[n], links);
            tempering_note(t, n, links, (replica_update){ .accepted = true });
        }
        tempering_end(t, u, round);
        const swap_round r = read_round(t);
        const defect_box first = { 0, size, { 3, 0, 0, 0 } };
        const defect_box box[REPLICAS] = { moved_box(round, size), first, first };
        int now[REPLICAS] = { 0, 1, 2 };
        for (int pair = 0; pair + 1 < REPLICAS; pair++) {            /* pair 0 is even and comes first */
            const gauge *a = kept[now[pair]], *b = kept[now[pair + 1]];
            const defect_box *of_a = &box[now[pair]], *of_b = &box[now[pair + 1]];
            const double c = factors[pair], less = factors[pair + 1];
            const double ds = action_with(&in.p, b, of_b, c) + action_with(&in.p, a, of_a, less)
                              - action_with(&in.p, a, of_a, c) - action_with(&in.p, b, of_b, less);
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
            misplaced += now[n] != r.origin[n] || !is_in_replica(t, n, u, kept[now[n]], &box[now[n]])
                         || present_number != number_of(round, now[n]);
        tempering_free(t);
    }
    fact_close(off, 0, 1e-10, "%s, %s: dS of a swap is the difference of gauge actions computed anew",
               place_name(where), name);
    fact(wrong == 0 && count[0] > 10 && count[1] > 10, "%s, %s: Metropolis test with the random number of its pair: %d "
         "accepted, %d rejected", place_name(where), name, count[1], count[0]);
    fact(misplaced == 0, "%s, %s: links, their numbers, the places of their defects and what monomials keep for them "
         "are in the replicas that the decisions give", place_name(where), name);
    for (int n = 0; n < REPLICAS; n++)
        gauge_free(kept[n]);
    hmc_terms_free(&terms);
    schedule_free(s);
    gauge_free(u);
    lattice_free(l);
    run_input_free(&in);
}

/* The links of the last replica are not finite: its swap is rejected, with a warning; that of the others is not. */
static void undefined_ds(place where)
{
    run_system s = run_system_create(where, PRECISION_DOUBLE, INPUT, 79,
                                     SWEEPS "tempering: { replicas: 3, " FACTORS "defect: { size: 1 } }\n");
    hmc_term_list terms = { .params = &s.in->p, .count = run_monomial_count(&s.in->p) };
    schedule *plan = hmc_plan(&s.in->p, terms.of);
    const size_t reals = (size_t)lattice_volume(s.l) * GAUGE_REALS;
    double *links = memory_alloc(reals * sizeof *links, "links");
    scratch dir = scratch_create();
    failure why;
    hmc_terms_create(&terms, s.u);
    tempering *t = tempering_create(&s.in->p, &terms, NULL, s.u);
    tempering_begin(t, s.u, 1);
    for (int n = REPLICAS - 1; n >= 0; n--) {
        gauge *u = tempering_select(t, n, s.u);
        gauge_export(links, u);
        for (size_t i = 0; i < reals && n == REPLICAS - 1; i++)
            links[i] = NAN;
        gauge_import(u, links);
        tempering_note(t, n, u, (replica_update){ .accepted = true });
    }
    require(log_open_file(scratch_path(&dir, "log"), &why), "%s", why.why);
    tempering_end(t, s.u, 7);
    log_close_file();
    blob said = blob_read(scratch_path(&dir, "log"));
    require(said.bytes != NULL, "%s cannot be read", dir.path);
    said.bytes[said.n] = 0;
    const swap_round r = read_round(t);
    fact(r.accepted[0] && !r.accepted[1], "%s: a swap without a dS is rejected", place_name(where));
    fact(strstr((const char *)said.bytes, "trajectory 7: dS of the swap of replicas 1 and 2 is not finite")
             && !strstr((const char *)said.bytes, "replicas 0 and 1"), "%s: and is a warning", place_name(where));
    free(said.bytes);
    memory_free(links);
    scratch_remove(&dir);
    tempering_free(t);
    hmc_terms_free(&terms);
    schedule_free(plan);
    run_system_free(&s);
}

/* ---- the periodic replica without swaps */

static bool same_energies(const hmc_energies *a, const hmc_energies *b)
{
    return a->total == b->total && a->kinetic == b->kinetic;
}

static void usual_bits(place where, const char *update, const char *name)
{
    char tempered[900];
    snprintf(tempered, sizeof tempered, "%stempering: { replicas: 2, swap_every: 100 }\n", update);
    run_system usual = run_system_create(where, PRECISION_DOUBLE, INPUT, 73, update);
    run_system other = run_system_create(where, PRECISION_DOUBLE, INPUT, 73, tempered);
    int different = 0;
    for (int n = 1; n <= 3; n++) {
        const hmc_outcome a = run_system_trajectory(&usual, n), b = run_system_trajectory(&other, n);
        different += !same_energies(&a.before, &b.before) || !same_energies(&a.after, &b.after)
                     || a.unitarity != b.unitarity || a.unitarity == 0 || a.after.total == 0;
    }
    fact(gauge_distance(usual.u, other.u) == 0, "%s, %s: before the first swap the periodic replica has the bits of a "
         "usual run", place_name(where), name);
    fact(different == 0, "%s, %s: and the record has its energies and the unitarity of its links", place_name(where),
         name);
    run_system_free(&usual);
    run_system_free(&other);
}

/* ---- means */

/* Replicas of a tempered run: means[0] of the first replica, which is periodic, means[1] of the last. */
static void run_tempered(defect_means m[2], place where, const char *update, int seed, int length, const char *name)
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
        const int block = (n - settle) * DEFECT_BLOCKS / length;
        field_copy(&last->links, hmc_state_field(s.h, false, 1));
        gauge_forget_derived(last);
        defect_means_add(&m[0], at_beta, block, s.u, &box[0], (double)DEFECT_BLOCKS / length);
        defect_means_add(&m[1], at_beta, block, last, &box[1], (double)DEFECT_BLOCKS / length);
    }
    fact(moves > length / 20, "%s, %s: the first replica gets other links %d times", place_name(where), name, moves);
    gauge_free(last);
    run_system_free(&s);
}

/* Heat bath at a fixed factor, without tempering. */
static void run_fixed(defect_means *m, place where, double c, int seed, int length)
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
            defect_means_add(m, at_beta, (n - settle) * DEFECT_BLOCKS / length, s.u, &d.box,
                             (double)DEFECT_BLOCKS / length);
    }
    pure_gauge_free(sweeps);
    run_system_free(&s);
}

static void distributions(place where)
{
    enum { LENGTH = 2000, SHORTER = 1000 };
    defect_means fixed[2], swept[2], moved[2];
    run_fixed(&fixed[0], where, 1, 75, LENGTH);
    run_fixed(&fixed[1], where, 0, 76, LENGTH);
    run_tempered(swept, where, SWEEPS, 77, LENGTH, "heat bath");
    run_tempered(moved, where, DYNAMICS, 78, SHORTER, "hybrid Monte Carlo");
    defect_means_same(&swept[0], &fixed[0], "heat bath, first replica: means of a periodic run");
    defect_means_same(&swept[1], &fixed[1], "heat bath, last replica: means of a run with c = 0");
    defect_means_same(&moved[0], &fixed[0], "hybrid Monte Carlo, first replica: means of a periodic run");
    defect_means_same(&moved[1], &fixed[1], "hybrid Monte Carlo, last replica: means of a run with c = 0");
    double open, periodic, error;
    defect_means_estimate(&open, &error, fixed[1].ring[0]);
    defect_means_estimate(&periodic, &error, fixed[0].ring[0]);
    fact(periodic - open > 20 * error, "the defect changes plaquettes: %.4g with c = 0, %.4g with c = 1", open,
         periodic);
}

int main(void)
{
    FOR_EVERY_PLACE(where) {
        swaps(where, SWEEPS, SIZE, "without quarks");
        swaps(where, QUARKS, SIZE, "with quarks");
        swaps(where, IMPROVED, 2, "two actions, 2^3 links");
        undefined_ds(where);
        usual_bits(where, SWEEPS, "heat bath");
        usual_bits(where, DYNAMICS, "hybrid Monte Carlo");
        usual_bits(where, QUARKS, "quarks");
    }
    distributions(PLACE_CPU);
    return facts_end();
}
