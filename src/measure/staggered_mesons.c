/* staggered_mesons.c - pions, kaons and rho mesons of staggered quarks with local operators, spin x taste.
 *
 * Operators chibar(x) phi(x) chi'(x) with phi of gamma_S x xi_S, S a set of directions (M. F. L. Golterman, Nucl. Phys.
 * B 273 (1986) 663; G. W. Kilcup, S. R. Sharpe, Nucl. Phys. B 283 (1987) 493):
 *     phi(x) = prod over mu in S of (-1)^x_mu, times epsilon(x) = (-1)^(x+y+z+t) if S has an odd number of directions
 * With G(y, x) = epsilon(x) epsilon(y) G(x, y)^+ and x counted from the source, the correlators are
 *     C_k(t) = sum over the sites of slice t of (-1)^(k.x) Re Tr G'(x, 0)^+ G(x, 0),   G = (m + D/2)^-1,
 * with Tr over the colors of source and sink, and k in {0, 1}^3 in space:
 *     k                     for all t the state          with a further (-1)^t
 *     0                     gamma5 x xi5                 gamma_t x xi_t (no state if m = m')
 *     (1, 1, 1)             gamma_t gamma5 x xi_t xi5    1 x 1
 *     one direction i       gamma_i x xi_i               gamma_j gamma_k x xi_j xi_k
 *     two, without i        gamma_i gamma_t x xi_i xi_t  gamma_i gamma5 x xi_i xi5
 * For k = 0 and m = m' the Ward identity is exact: m sum over t of C_0(t) = Re Tr G(0, 0). */
#include "src/measure/staggered_mesons.h"

#include "gpu/device.h"
#include "src/base/memory.h"
#include "src/base/progress_tick.h"
#include "src/measure/effective_mass.h"
#include "src/measure/meson_mass.h"
#include "src/measure/meson_pairs.h"
#include "src/measure/meson_sources.h"
#include "src/measure/staggered_masses.h"
#include "src/operators/quark_density.h"
#include "src/measure/quark_members.h"

typedef struct {
    measurement_params common;
    staggered_quarks quarks;
    param_list pairs;                       /* of meson_pair */
    meson_source_params sources;
    double residual;
    int64_t max_iterations;
} mesons_params;

/* Correlators are the mean over their corners k: bit i is direction i. */
typedef struct { const char *name; int corners, corner[3]; } channel;
static const channel channels[] = {
    { "pion", 1, { 0 } }, { "pion_t5", 1, { 7 } }, { "rho_i", 3, { 1, 2, 4 } }, { "rho_it", 3, { 6, 5, 3 } },
};
enum { CHANNELS = sizeof channels / sizeof *channels };

/* The number of channels of the source, which are the first ones of the table. */
static int channels_of(const mesons_params *p)
{
    static const int count[] = { [SOURCE_POINT] = CHANNELS, [SOURCE_CORNER_WALL] = CHANNELS,
                                 [SOURCE_Z2_CORNERS] = CHANNELS, [SOURCE_EVEN_WALL] = 2, [SOURCE_WALL] = 1,
                                 [SOURCE_Z2_WALL] = 1 };
    return count[p->sources.kind];
}

static int masses_of(const mesons_params *p)
{
    return p->quarks.masses.count;
}

/* Mesons: first those of each mass, then the pairs. */
static int mesons_of(const mesons_params *p)
{
    return masses_of(p) + p->pairs.count;
}

static meson_pair meson_at(const mesons_params *p, int index)
{
    return index < masses_of(p) ? (meson_pair){ index, index } : *meson_pair_at(&p->pairs, index - masses_of(p));
}

static bool check_params(const void *params, const lattice_shape *shape, failure *f)
{
    const mesons_params *p = params;
    const char *name = p->common.name;
    return staggered_quarks_check(&p->quarks, name, f) && meson_pairs_check(&p->pairs, masses_of(p), name, f)
           && meson_source_check(&p->sources, shape, name, f);
}

typedef struct {
    measurement base;
    const mesons_params *params;
    staggered_measured quarks;
    quark_tracer *tracer;
    gauge_rotation *coulomb;                /* NULL if the source needs none */
    vec *eta[2];                            /* on even and on odd sites */
    vec *quark[2][TRACE_MASSES];            /* of one column */
    field density[TRACE_MASSES + MESON_PAIRS_MAX];
    double *corner[SPATIAL_CORNERS];        /* of one meson: on time slices */
    double *correlator;
    double residual[TRACE_MASSES];          /* the largest of all columns */
    int64_t iterations;
} mesons;

static measurement *create_measurement(const void *params, const gauge *u)
{
    static const parity_set sites[2] = { ON_EVEN, ON_ODD };
    mesons *w = memory_alloc(sizeof *w, "a measurement of staggered mesons");
    const mesons_params *p = w->params = params;
    const field *l = &u->links;
    const size_t times = (size_t)lattice_global(l->lattice)[3];
    w->base = (measurement){ &staggered_mesons_measurement, w };
    w->quarks = staggered_measured_create(&p->quarks, u);
    w->tracer = quark_tracer_create(l->lattice, l->where, l->precision, staggered_masses_at_once(&p->quarks));
    w->coulomb = meson_gauge_create(&p->sources, u);
    for (int parity = 0; parity < 2; parity++) {
        w->eta[parity] = vec_create(l->lattice, sites[parity], l->where, l->precision);
        for (int m = 0; m < masses_of(p); m++)
            w->quark[parity][m] = vec_create(l->lattice, sites[parity], l->where, l->precision);
    }
    for (int i = 0; i < mesons_of(p); i++)
        w->density[i] = quark_density_create(l->lattice, l->where);
    for (int k = 0; k < SPATIAL_CORNERS; k++)
        w->corner[k] = memory_alloc(times * sizeof(double), "correlators");
    w->correlator = memory_alloc(times * sizeof(double), "a correlator");
    return &w->base;
}

static void free_mesons(measurement *m)
{
    mesons *w = m->data;
    memory_free(w->correlator);
    for (int k = 0; k < SPATIAL_CORNERS; k++)
        memory_free(w->corner[k]);
    for (int i = 0; i < mesons_of(w->params); i++)
        field_free(&w->density[i]);
    for (int parity = 0; parity < 2; parity++) {
        vec_free(w->eta[parity]);
        for (int k = 0; k < masses_of(w->params); k++)
            vec_free(w->quark[parity][k]);
    }
    gauge_rotation_free(w->coulomb);
    quark_tracer_free(w->tracer);
    staggered_measured_free(&w->quarks);
    memory_free(w);
}

static memory_need count_bytes(const void *params, const lattice_shape *shape)
{
    const mesons_params *p = params;
    const memory_need own = { .lasting = (size_t)(1 + masses_of(p)) * vec_bytes(shape, PRECISION_DOUBLE, ON_ALL)
                                  + (size_t)mesons_of(p) * field_bytes(shape, PRECISION_DOUBLE, 1) };
    memory_need need = quark_tracer_bytes(shape, PRECISION_DOUBLE, staggered_masses_at_once(&p->quarks));
    need = memory_need_add(need, staggered_measured_bytes(&p->quarks, shape));
    return memory_need_add(memory_need_add(need, own), meson_gauge_bytes(&p->sources, shape));
}

/* ---- solves */

/* Computes the quarks of the current source, for all masses with the same set of links. */
static bool solve_set(mesons *w, int set, failure *f)
{
    const mesons_params *p = w->params;
    double mass[TRACE_MASSES], residual[TRACE_MASSES];
    vec *even[TRACE_MASSES], *odd[TRACE_MASSES];
    int number[TRACE_MASSES], count = 0;
    for (int m = 0; m < masses_of(p); m++)
        if (w->quarks.set[m] == set) {
            mass[count] = staggered_mass_at(&p->quarks, m);
            residual[count] = w->residual[m];
            even[count] = w->quark[0][m];
            odd[count] = w->quark[1][m];
            number[count++] = m;
        }
    const quark_trace_task task = { .links = staggered_measured_terms(&w->quarks, set), .eta = w->eta, .mass = mass,
                                    .count = count, .stop = { p->residual, (int)p->max_iterations } };
    const bool ok = quark_tracer_quarks((vec *const *[2]){ even, odd }, residual, w->tracer, &task, &w->iterations, f);
    for (int k = 0; k < count; k++)
        w->residual[number[k]] = residual[k];
    return ok;
}

/* Solves for all columns of the source, and adds them to the correlators. */
static bool solve_columns(mesons *w, rng_key key, failure *f)
{
    const mesons_params *p = w->params;
    const int columns = meson_source_columns(&p->sources, 1);
    for (int column = 0; column < columns; column++) {
        progress_set_part(column + 1, columns);
        meson_source_set(w->eta[0], w->eta[1], &p->sources, w->coulomb, column, key);
        for (int set = 0; set < w->quarks.op.links.epsilons; set++)
            if (!solve_set(w, set, f))
                return false;
        for (int i = 0; i < mesons_of(p); i++) {
            const meson_pair of = meson_at(p, i);
            for (int parity = 0; parity < 2; parity++)
                quark_density_add(&w->density[i], w->quark[parity][of.antiquark], w->quark[parity][of.quark]);
        }
    }
    return true;
}

/* ---- results */

/* The propagators are M^-1 = G/2: both together give a factor 4. */
#define OF_BOTH_PROPAGATORS 4.0

static void correlators_to_json(json *j, mesons *w, int meson)
{
    const mesons_params *p = w->params;
    const lattice *l = w->density[meson].lattice;
    const int times = lattice_global(l)[3];
    const double normal = OF_BOTH_PROPAGATORS / meson_source_norm(&p->sources, lattice_shape_of(l));
    quark_density_at_corners(w->corner, &w->density[meson], p->sources.point);
    for (int c = 0; c < channels_of(p); c++) {
        for (int t = 0; t < times; t++) {
            double sum = 0;
            for (int i = 0; i < channels[c].corners; i++)
                sum += w->corner[channels[c].corner[i]][t];
            w->correlator[t] = normal * sum / channels[c].corners;
        }
        if (c == 0)
            json_real(j, "pion_mass", meson_mass(w->correlator, times));
        json_reals(j, channels[c].name, w->correlator, times);
    }
}

static void results_to_json(json *j, mesons *w)
{
    const mesons_params *p = w->params;
    json_open(j, "masses", '[');
    for (int m = 0; m < masses_of(p); m++) {
        json_open(j, NULL, '{');
        json_real(j, "mass", staggered_mass_at(&p->quarks, m));
        json_real(j, "naik_epsilon", w->quarks.op.links.epsilon[w->quarks.set[m]]);
        json_real(j, "residual", w->residual[m]);
        correlators_to_json(j, w, m);
        json_close(j);
    }
    json_close(j);
    if (p->pairs.count == 0)
        return;
    json_open(j, "pairs", '[');
    for (int i = 0; i < p->pairs.count; i++) {
        json_open(j, NULL, '{');
        meson_pair_to_json(j, meson_pair_at(&p->pairs, i));
        correlators_to_json(j, w, masses_of(p) + i);
        json_close(j);
    }
    json_close(j);
}

static bool run_measurement(measurement *m, const gauge *u, rng_key key, json *j, clock_tree *clock, failure *f)
{
    mesons *w = m->data;
    clock_begin(clock, "links");
    staggered_measured_update(&w->quarks, u);
    bool ok = meson_gauge_find(j, w->coulomb, &w->params->sources, u, f);
    device_wait();
    clock_end(clock);
    clock_begin(clock, "solves");
    ok = ok && solve_columns(w, key, f);
    clock_end(clock);
    if (ok)
        results_to_json(j, w);
    json_int(j, "iterations", w->iterations);
    return ok;
}

/* ---- input */

#define AT(member) offsetof(mesons_params, member)
#define AT_QUARKS(member) offsetof(mesons_params, quarks.member)
#define OPERATOR_AT(member) AT_QUARKS(of.member)

static const param_spec specs[] = {
    MEASUREMENT_SPECS("staggered_mesons"),
    STAGGERED_MASSES_SPEC(AT_QUARKS, "observables.md#mesons-of-staggered-quarks"),
    MESON_PAIRS_SPEC(AT, "observables.md#mesons-of-staggered-quarks"),
    MESON_SOURCE_SPECS(AT, meson_source_names, "wall corner_wall even_wall", "z2_wall z2_corners"),
    STAGGERED_SOLVE_SPECS(AT, "1e-10"),
    STAGGERED_KIND_SPEC(OPERATOR_AT),
    STAGGERED_LINKS_SPECS(OPERATOR_AT),
    { 0 }
};

#define CORRELATORS(is_headline, of)                                                                                   \
    MEMBER("pion_mass", "1/a", NULL, "a mass to monitor a run, from `pion` at three times", .headline = is_headline),  \
    MEMBER("pion", NULL, "[t]", "gamma5 x xi5", .table = &of),                                                         \
    MEMBER("pion_t5", NULL, "[t]", "gamma_t gamma5 x xi_t xi5, and the scalar"),                                       \
    MEMBER("rho_i", NULL, "[t]", "gamma_i x xi_i, and b1"),                                                            \
    MEMBER("rho_it", NULL, "[t]", "gamma_i gamma_t x xi_i xi_t, and a1")

static const result_member of_mass[] = {
    MEMBER("mass", "1/a", NULL, "m"),
    MEMBER("naik_epsilon", NULL, NULL, "of the links"),
    RESIDUAL_MEMBER,
    CORRELATORS(true, effective_mass_of_pion),
    { 0 }
};
static const result_member of_pair[] = { PAIR_NUMBERS, CORRELATORS(false, effective_mass_of_staggered_pair), { 0 } };
static const result_member of_all[] = { SOURCE_GAUGE_MEMBERS, ITERATIONS_MEMBER, { 0 } };
static const result_group results[] = {
    { "Mesons of staggered quarks", "masses", "mass [naik_epsilon=]", of_mass },
    { "", "pairs", "quark antiquark", of_pair },
    { "", NULL, NULL, of_all },
    { 0 }
};

static void compare_action(const void *params, const param_list *monomials, action_listener *emit, void *out)
{
    staggered_quarks_compare(&((const mesons_params *)params)->quarks, false, monomials, emit, out);
}

static const char *const quark_keys[] = STAGGERED_QUARK_KEYS;

const measurement_kind staggered_mesons_measurement = {
    .hops = 3,
    .quarks = "staggered",
    .quark_keys = quark_keys,
    .compare = compare_action,
    .input = { .name = "staggered_mesons",
               .doc = "pions, kaons and rho mesons of staggered quarks, with local operators",
               .params = specs,
               .example = "name: mesons\nevery: 10\nmasses: [ { mass: 0.013 }, { mass: 0.065 } ]\n"
                          "pairs: [ { quark: 0, antiquark: 1 } ]",
               .see = "observables.md#mesons-of-staggered-quarks",
               .size = sizeof(mesons_params) },
    .results = results,
    .check = check_params,
    .create = create_measurement,
    .free = free_mesons,
    .run = run_measurement,
    .bytes = count_bytes,
};
