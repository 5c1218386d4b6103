/* doublet_measurement.c - K, D and D_s of a non-degenerate doublet of twisted-mass quarks, and pions of light quarks.
 *
 * A column eta of the source has one chirality: that of its spin, or one of the two parts of a random source.  For each
 *     quarks of the doublet: S'_ij eta for both slices j of the source
 *     light quarks: q = M^-1 eta for each mass, pion(t) = sum |q|^2
 * and all products are added (doublet_mesons.h) before the next columns. */
#include "src/measure/doublet_measurement.h"

#include "actions/doublet_params.h"
#include "src/base/memory.h"
#include "src/base/progress_tick.h"
#include "src/measure/doublet_mesons.h"
#include "src/measure/meson_mass.h"
#include "src/measure/meson_sources.h"
#include "src/measure/quark_propagator.h"
#include "src/measure/wilson_masses.h"
#include "src/operators/dwf_embed.h"
#include "src/operators/quark_density.h"

#include <math.h>

enum { SLICES = DOUBLET_FLAVORS, CHIRALITIES = 2 };

typedef struct {
    measurement_params common;
    wilson_quarks light;                     /* masses: of wilson_mass; the operator is that of the doublet, too */
    wilson_mass_input bare;                  /* of the doublet */
    double mu_sigma, mu_delta;
    bool heavy;                              /* mesons of the doublet */
    meson_source_params sources;
} doublet_measurement_params;

static doublet_input input_of(const doublet_measurement_params *p)
{
    return (doublet_input){ .of = p->light.of, .light = p->bare, .mu_sigma = p->mu_sigma, .mu_delta = p->mu_delta };
}

/* What creates the operators, and the columns that are solved together. */
typedef struct {
    doublet_input in;
    doublet_operator_params heavy;
    clover_operator_params light;
    dirac_plan heavy_plan, light_plan;
    solver_precision heavy_solver, light_solver;
    int together;
} plans;

static void make_plans(plans *of, const doublet_measurement_params *p, const lattice_shape *shape)
{
    of->in = input_of(p);
    of->heavy = doublet_operator_of(&of->in);
    of->light = wilson_quarks_operator(&p->light, sizeof(wilson_mass), NULL);
    of->heavy_plan = doublet_plan_of(&of->heavy, &of->in);
    of->light_plan = wilson_operator_plan(&of->light, &p->light.of);
    of->heavy_solver = dwf_solver_choose((solver_precision)p->light.solver, false, shape, SLICES, p->light.residual);
    of->light_solver = wilson_quarks_solver(&p->light, shape);
    of->together = p->light.max_rhs < SLICES ? 1 : (int)p->light.max_rhs / SLICES;
}

static bool check_params(const void *params, const lattice_shape *shape, failure *f)
{
    const doublet_measurement_params *p = params;
    const char *name = p->common.name;
    const doublet_input in = input_of(p);
    failure why;
    plans of;
    if (!wilson_quarks_check(&p->light, sizeof(wilson_mass), shape, name, f))
        return false;
    if (!wilson_mass_is_given_once(&p->bare))
        return fail(f, "%s: mass: give either mass, which is above -4, or kappa, of the doublet", name);
    if (!doublet_is_possible(&in, &why))
        return fail(f, "%s: mu_delta: %s", name, why.why);
    if (!lattice_slabs_are_possible(shape, SLAB_GROUP * SLICES, &why))
        return fail(f, "%s: %s", name, why.why);
    make_plans(&of, p, shape);
    if (of.light.matrices != p->light.masses.count)
        return fail(f, "%s: two light masses are the same", name);
    return meson_source_check(&p->sources, shape, name, f);
}

typedef struct {
    measurement base;
    const doublet_measurement_params *params;
    lattice *lattice;
    plans of;
    quark_propagator *heavy, *light;
    gauge_rotation *coulomb;                 /* NULL if the source needs none */
    spinor_field source;
    field *pion;                             /* densities, of each light mass */
    doublet_mesons *mesons;
    solve_totals of_doublet, *of_mass;
} doublet_measured;

static int masses_of(const doublet_measured *w)
{
    return w->params->light.masses.count;
}

static measurement *create_measurement(const void *params, const gauge *u)
{
    doublet_measured *w = memory_alloc(sizeof *w, "a measurement of a doublet of quarks");
    const doublet_measurement_params *p = w->params = params;
    w->base = (measurement){ &doublet_measurement, w };
    w->lattice = u->links.lattice;
    make_plans(&w->of, p, lattice_shape_of(w->lattice));
    w->heavy = quark_propagator_create(u, &w->of.heavy_plan, NULL, w->of.heavy_solver, SLICES * w->of.together);
    w->light = quark_propagator_create(u, &w->of.light_plan, NULL, w->of.light_solver, w->of.together);
    w->coulomb = meson_gauge_create(&p->sources, u);
    w->source = spinor_field_create(u, 1);
    w->pion = memory_alloc((size_t)masses_of(w) * sizeof *w->pion, "densities of pions");
    for (int k = 0; k < masses_of(w); k++)
        w->pion[k] = quark_density_create(w->lattice, u->links.where);
    w->mesons = doublet_mesons_create(u, masses_of(w), p->heavy);
    w->of_mass = memory_alloc((size_t)masses_of(w) * sizeof *w->of_mass, "residuals of solves");
    return &w->base;
}

static void free_measurement(measurement *m)
{
    doublet_measured *w = m->data;
    memory_free(w->of_mass);
    doublet_mesons_free(w->mesons);
    for (int k = 0; k < masses_of(w); k++)
        field_free(&w->pion[k]);
    memory_free(w->pion);
    spinor_field_free(w->source);
    gauge_rotation_free(w->coulomb);
    quark_propagator_free(w->light);
    quark_propagator_free(w->heavy);
    memory_free(w);
}

static memory_need count_bytes(const void *params, const lattice_shape *shape)
{
    const doublet_measurement_params *p = params;
    const int masses = p->light.masses.count;
    plans of;
    make_plans(&of, p, shape);
    memory_need heavy = quark_propagator_bytes(shape, &of.heavy_plan, NULL, of.heavy_solver, SLICES * of.together);
    heavy.lasting += heavy.shared;           /* the vectors of the light solver come after, not in place of these */
    heavy.shared = 0;
    const memory_need light = quark_propagator_bytes(shape, &of.light_plan, NULL, of.light_solver, of.together);
    memory_need need = memory_need_add(memory_need_add(heavy, light), meson_gauge_bytes(&p->sources, shape));
    need.lasting += 2 * SLAB_GROUP * vec_bytes(shape, PRECISION_DOUBLE, ON_ODD)
                    + (size_t)masses * field_bytes(shape, PRECISION_DOUBLE, 1)
                    + doublet_mesons_bytes(shape, masses, p->heavy);
    return need;
}

/* ---- columns */

/* A column of a random source has both chiralities, and is taken apart. */
static int parts_of(const doublet_measured *w)
{
    return meson_source_is_random(&w->params->sources) ? CHIRALITIES : 1;
}

static int columns_of(const doublet_measured *w)
{
    return parts_of(w) * meson_source_columns(&w->params->sources, SLAB_GROUP);
}

static int chirality_of(const doublet_measured *w, int column)
{
    return parts_of(w) > 1 ? column % CHIRALITIES : column / (columns_of(w) / CHIRALITIES);
}

/* eta of a column as the source of line number `line` of light quarks, and of the lines of both slices of the
 * doublet. */
static void set_sources(const doublet_measured *w, int line, int column, rng_key key)
{
    const int chirality = chirality_of(w, column);
    meson_source_set(w->source.even, w->source.odd, &w->params->sources, w->coulomb, column / parts_of(w), key);
    for (int j = 0; j < SLICES; j++) {
        const spinor_field heavy = quark_propagator_line(w->heavy, SLICES * line + j)->source;
        dwf_set_slice(heavy.even, j, chirality, w->source.even);
        dwf_set_slice(heavy.odd, j, chirality, w->source.odd);
    }
    const spinor_field light = quark_propagator_line(w->light, line)->source;
    dwf_set_slice(light.even, 0, chirality, w->source.even);
    dwf_set_slice(light.odd, 0, chirality, w->source.odd);
}

static bool solve(quark_propagator *p, int index, double mass, int count, const doublet_measured *w,
                  solve_totals *totals, failure *f)
{
    const dirac_operator *d = quark_propagator_operator(p);
    const dirac_goal goal = { .residual = w->params->light.residual,
                              .max_iterations = (int)w->params->light.max_iterations };
    const quark_matrix m = { d->kind->matrix(d, index), mass };
    const bool ok = quark_propagator_run(p, m, count, &goal, totals, f);
    memory_free(m.matrix);
    return ok;
}

/* The quarks of the doublet from both slices of the source of a line. */
static void heavy_quarks(spinor_field quarks[SLICES], const doublet_measured *w, int line)
{
    for (int j = 0; j < SLICES; j++)
        quarks[j] = quark_propagator_line(w->heavy, SLICES * line + j)->quark;
}

static void add_mass(doublet_measured *w, int mass, int line, int column)
{
    const spinor_field light = quark_propagator_line(w->light, line)->quark;
    spinor_field heavy[SLICES];
    heavy_quarks(heavy, w, line);
    quark_density_add(&w->pion[mass], light.even, light.even);
    quark_density_add(&w->pion[mass], light.odd, light.odd);
    doublet_mesons_add_light(w->mesons, mass, chirality_of(w, column), heavy, light);
}

/* Columns `first` to first + count - 1 */
static bool add_columns(doublet_measured *w, int first, int count, rng_key key, failure *f)
{
    spinor_field heavy[SLICES];
    for (int i = 0; i < count; i++)
        set_sources(w, i, first + i, key);
    if (!solve(w->heavy, 0, w->of.heavy.matrix[0].mass, SLICES * count, w, &w->of_doublet, f))
        return false;
    for (int i = 0; i < count; i++) {
        heavy_quarks(heavy, w, i);
        doublet_mesons_add_heavy(w->mesons, chirality_of(w, first + i), heavy);
    }
    for (int k = 0; k < masses_of(w); k++) {
        if (!solve(w->light, k, w->of.light.matrix[k].of.mass, count, w, &w->of_mass[k], f))
            return false;
        for (int i = 0; i < count; i++)
            add_mass(w, k, i, first + i);
    }
    return true;
}

static bool add_all_columns(doublet_measured *w, rng_key key, failure *f)
{
    const int end = columns_of(w);
    bool ok = true;
    for (int done = 0, count; ok && done < end; done += count) {
        progress_set_part(done + 1, end);
        count = end - done < w->of.together ? end - done : w->of.together;
        ok = add_columns(w, done, count, key, f);
    }
    return ok;
}

/* ---- results */

static double norm_of(const doublet_measured *w)
{
    return meson_source_norm(&w->params->sources, lattice_shape_of(w->lattice));
}

static void mass_to_json(json *j, const doublet_measured *w, int mass)
{
    const int times = lattice_global(w->lattice)[3];
    const wilson_mass *given = wilson_mass_at(&w->params->light, sizeof *given, mass);
    const doublet_meson mesons[2] = { doublet_kaon(given->mu), doublet_d_meson(given->mu) };
    const doublet_mesons_request of = { w->params->sources.point, norm_of(w), mesons, given->mu != 0 ? 2 : 0 };
    double *pion = memory_alloc((size_t)times * sizeof *pion, "correlators");
    quark_density_in_time(pion, &w->pion[mass], w->params->sources.point[3]);
    for (int t = 0; t < times; t++)
        pion[t] /= norm_of(w);
    json_open(j, NULL, '{');
    wilson_mass_to_json(j, given);
    json_real(j, "pion_mass", meson_mass(pion, times));
    json_reals(j, "pion", pion, times);
    doublet_mesons_to_json(j, "heavy_light", w->mesons, mass, &of);
    json_real(j, "residual", w->of_mass[mass].residual);
    json_close(j);
    memory_free(pion);
}

static void doublet_to_json(json *j, const doublet_measured *w)
{
    const doublet_meson d_s = doublet_d_s_meson();
    const doublet_mesons_request of = { w->params->sources.point, norm_of(w), &d_s, 1 };
    const wilson_mass_input *bare = &w->params->bare;
    json_open(j, "doublet", '{');
    json_real(j, "mass", wilson_bare_mass(bare));
    json_real(j, "kappa", bare->given.kappa ? bare->kappa : wilson_kappa(bare->mass));
    json_real(j, "mu_sigma", w->params->mu_sigma);
    json_real(j, "mu_delta", w->params->mu_delta);
    if (w->params->heavy)
        doublet_mesons_to_json(j, "heavy_heavy", w->mesons, -1, &of);
    json_real(j, "residual", w->of_doublet.residual);
    json_close(j);
}

static bool run_measurement(measurement *m, const gauge *u, rng_key key, json *j, clock_tree *clock, failure *f)
{
    doublet_measured *w = m->data;
    clock_begin(clock, "links");
    bool ok = quark_propagator_update(w->heavy, u, f) && quark_propagator_update(w->light, u, f)
              && meson_gauge_find(j, w->coulomb, &w->params->sources, u, f);
    clock_end(clock);
    w->of_doublet = (solve_totals){ 0 };
    doublet_mesons_begin(w->mesons);
    for (int k = 0; k < masses_of(w); k++) {
        w->of_mass[k] = (solve_totals){ 0 };
        field_zero(&w->pion[k]);
    }
    clock_begin(clock, "solves");
    ok = ok && add_all_columns(w, key, f);
    clock_end(clock);
    int64_t iterations = w->of_doublet.iterations;
    for (int k = 0; k < masses_of(w); k++)
        iterations += w->of_mass[k].iterations;
    if (ok) {
        json_open(j, "masses", '[');
        for (int k = 0; k < masses_of(w); k++)
            mass_to_json(j, w, k);
        json_close(j);
        doublet_to_json(j, w);
    }
    json_int(j, "iterations", iterations);
    return ok;
}

/* ---- input */

#define AT(member) offsetof(wilson_mass, member)
#define BARE_AT(member) AT(bare.member)

static const param_spec mass_specs[] = { WILSON_MASS_SPECS(BARE_AT), WILSON_MU_SPEC(AT), { 0 } };

#undef AT
#undef BARE_AT
#define AT(member) offsetof(doublet_measurement_params, member)
#define BARE_AT(member) AT(bare.member)
#define LIGHT_AT(member) offsetof(doublet_measurement_params, light.member)
#define OPERATOR_AT(member) LIGHT_AT(of.member)

static const param_spec specs[] = {
    MEASUREMENT_SPECS("wilson_doublet"),
    WILSON_TERM_SPECS(OPERATOR_AT),
    WILSON_BOUNDARY_SPEC(OPERATOR_AT),
    WILSON_THETA_SPEC(OPERATOR_AT),
    WILSON_MASS_SPECS(BARE_AT),
    DOUBLET_MUS_SPECS(AT),
    { .key = "masses", .type = PARAM_LIST, .offset = LIGHT_AT(masses), .flags = PARAM_NOT_EMPTY, .group = mass_specs,
      .element_size = sizeof(wilson_mass), .doc = "light quarks, each with its twisted mass",
      .example = "[ { kappa: 0.17, mu: 0.03 } ]", .see = "observables.md#mesons-of-a-non-degenerate-doublet" },
    { .key = "heavy", .type = PARAM_BOOL, .offset = AT(heavy), .fallback = "false",
      .doc = "mesons of two quarks of the doublet, too: connected diagrams" },
    SPIN_SOURCE_SPECS(AT),
    WILSON_SOLVE_SPECS(LIGHT_AT, "; the doublet has at least 2"),
    { 0 }
};

/* Light quarks against those of `wilson` monomials, mass and mu_sigma against those of doublets. */
static void compare_action(const void *params, const param_list *monomials, action_listener *emit, void *out)
{
    const doublet_measurement_params *p = params;
    const quark_list action = action_quarks(monomials, "wilson_doublet");
    const double mass = wilson_bare_mass(&p->bare);
    const quark_count *nearest = NULL;
    bool found = false;
    for (int i = 0; i < action.count; i++) {
        const quark_count *q = &action.quark[i];
        found |= q->flavors > 0 && action_same_bare_mass(q->mass, mass) && action_same_mass(q->mu, p->mu_sigma);
        nearest = q->flavors > 0 ? q : nearest;
    }
    if (nearest && !found)
        action_report(emit, out, (action_mismatch){ .list = "mu_sigma", .index = -1 },
                      "a doublet of mass %.10g and mu_sigma %.10g is measured, but that of the action has mass %.10g "
                      "and mu_sigma %.10g; give it the values of the doublet that it measures", mass, p->mu_sigma,
                      nearest->mass, nearest->mu);
    wilson_quarks_compare(&p->light, sizeof(wilson_mass), monomials, emit, out);
}

static const char *const quark_keys[] = { "c_sw", "clover", "boundary", "theta", "mu_delta", NULL };

const measurement_kind doublet_measurement = {
    .input = { .name = "wilson_doublet",
               .doc = "mesons of a non-degenerate doublet of twisted-mass quarks, as strange and charm: K, D, D_s, and "
                      "pions of light quarks",
               .params = specs,
               .example = "name: kaon\nevery: 5\nkappa: 0.17\nmu_sigma: 0.325\nmu_delta: 0.275\n"
                          "masses: [ { kappa: 0.17, mu: 0.03 } ]",
               .see = "observables.md#mesons-of-a-non-degenerate-doublet",
               .size = sizeof(doublet_measurement_params) },
    .quark_keys = quark_keys,
    .compare = compare_action,
    .results = doublet_results,
    .check = check_params,
    .create = create_measurement,
    .free = free_measurement,
    .run = run_measurement,
    .bytes = count_bytes,
};
