/* doublet_measurement.c - K, D and D_s of a non-degenerate doublet of twisted-mass quarks, and pions of light quarks,
 * from the quarks of doublet_quarks.h. */
#include "src/measure/doublet_measurement.h"

#include "src/base/memory.h"
#include "src/measure/doublet_quarks.h"
#include "src/measure/meson_mass.h"

#include <string.h>

typedef struct {
    measurement_params common;
    wilson_quarks light;                     /* masses: of wilson_mass; the operator is that of the doublet, too */
    wilson_mass_input bare;                  /* of the doublet */
    double mu_sigma, mu_delta;
    bool heavy;                              /* mesons of the doublet */
    meson_source_params sources;
    quark_smearing_params smearing;
    param_list momenta;                      /* of spatial_momentum */
} doublet_measurement_params;

/* Borrows the parameters. */
static doublet_quarks_task task_of(const doublet_measurement_params *p)
{
    return (doublet_quarks_task){
        .name = p->common.name,
        .light = &p->light,
        .doublet = { .of = p->light.of, .light = p->bare, .mu_sigma = p->mu_sigma, .mu_delta = p->mu_delta },
        .heavy = p->heavy,
        .sources = &p->sources,
        .smearing = &p->smearing,
        .momenta = &p->momenta,
    };
}

static void advise(text *lines, const char *key, const void *params, const lattice_shape *shape)
{
    (void)shape;
    momenta_advise(lines, key, &((const doublet_measurement_params *)params)->momenta);
}

static bool check_params(const void *params, const lattice_shape *shape, failure *f)
{
    const doublet_quarks_task task = task_of(params);
    return doublet_quarks_check(&task, shape, f);
}

typedef struct {
    measurement base;
    const doublet_measurement_params *params;
    const lattice *lattice;
    doublet_quarks *quarks;
    int origin[4];                           /* of positions and times: the source; open boundaries: t = 0 */
} doublet_measured;

static measurement *create_measurement(const void *params, const gauge *u)
{
    doublet_measured *w = memory_alloc(sizeof *w, "a measurement of a doublet of quarks");
    const doublet_quarks_task task = task_of(params);
    w->base = (measurement){ &doublet_measurement, w };
    w->params = params;
    w->lattice = u->links.lattice;
    w->quarks = doublet_quarks_create(&task, u);
    memcpy(w->origin, task.sources->point, sizeof w->origin);
    if (lattice_is_open(w->lattice))
        w->origin[3] = 0;
    return &w->base;
}

static void free_measurement(measurement *m)
{
    doublet_measured *w = m->data;
    doublet_quarks_free(w->quarks);
    memory_free(w);
}

static memory_need count_bytes(const void *params, const lattice_shape *shape)
{
    const doublet_quarks_task task = task_of(params);
    return doublet_quarks_bytes(&task, shape);
}

/* ---- results */

static doublet_mesons_request request_of(const doublet_measured *w, const doublet_meson *meson, int count)
{
    const meson_source_params *sources = &w->params->sources;
    return (doublet_mesons_request){ w->origin, meson_source_norm(sources, lattice_shape_of(w->lattice)),
                                     &w->params->momenta, meson, count };
}

/* The mesons of a light quark at local or smeared sinks; with_mass: and pion_mass. */
static void light_to_json(json *j, const doublet_measured *w, const doublet_mesons *mesons, int mass, bool with_mass)
{
    const int times = lattice_global(w->lattice)[3];
    const double mu = wilson_mass_at(&w->params->light, sizeof(wilson_mass), mass)->mu;
    const doublet_meson physical[2] = { doublet_kaon(mu), doublet_d_meson(mu) };
    const doublet_mesons_request of = request_of(w, physical, mu != 0 ? 2 : 0);
    double *pion = memory_alloc((size_t)times * sizeof *pion, "correlators");
    doublet_mesons_pion(pion, mesons, mass, &of);
    if (with_mass)
        json_real(j, "pion_mass", meson_mass(pion, times));
    json_reals(j, "pion", pion, times);
    doublet_mesons_pion_momenta(j, mesons, mass, &of);
    doublet_mesons_to_json(j, "heavy_light", mesons, mass, &of);
    memory_free(pion);
}

/* Open boundaries in t: lists of time slices are in an object of their own, without a mass. */
static void open_slices(json *j, const doublet_measured *w)
{
    if (lattice_is_open(w->lattice))
        json_open(j, "slices", '{');
}

static void close_slices(json *j, const doublet_measured *w)
{
    if (lattice_is_open(w->lattice))
        json_close(j);
}

static void mass_to_json(json *j, const doublet_measured *w, int mass)
{
    const doublet_mesons *smeared = doublet_quarks_smeared(w->quarks);
    json_open(j, NULL, '{');
    wilson_mass_to_json(j, wilson_mass_at(&w->params->light, sizeof(wilson_mass), mass));
    open_slices(j, w);
    light_to_json(j, w, doublet_quarks_mesons(w->quarks), mass, !lattice_is_open(w->lattice));
    if (smeared) {
        json_open(j, "smeared", '{');
        light_to_json(j, w, smeared, mass, false);
        json_close(j);
    }
    close_slices(j, w);
    json_real(j, "residual", doublet_quarks_solves_of(w->quarks, mass).residual);
    json_close(j);
}

static void heavy_to_json(json *j, const doublet_measured *w, const doublet_mesons *mesons)
{
    const doublet_meson d_s = doublet_d_s_meson();
    const doublet_mesons_request of = request_of(w, &d_s, 1);
    doublet_mesons_to_json(j, "heavy_heavy", mesons, -1, &of);
}

static void heavy_sinks_to_json(json *j, const doublet_measured *w)
{
    const doublet_mesons *smeared = doublet_quarks_smeared(w->quarks);
    open_slices(j, w);
    heavy_to_json(j, w, doublet_quarks_mesons(w->quarks));
    if (smeared) {
        json_open(j, "smeared", '{');
        heavy_to_json(j, w, smeared);
        json_close(j);
    }
    close_slices(j, w);
}

static void doublet_to_json(json *j, const doublet_measured *w)
{
    const wilson_mass_input *bare = &w->params->bare;
    json_open(j, "doublet", '{');
    json_real(j, "mass", wilson_bare_mass(bare));
    json_real(j, "kappa", bare->given.kappa ? bare->kappa : wilson_kappa(bare->mass));
    json_real(j, "mu_sigma", w->params->mu_sigma);
    json_real(j, "mu_delta", w->params->mu_delta);
    if (w->params->heavy)
        heavy_sinks_to_json(j, w);
    json_real(j, "residual", doublet_quarks_solves(w->quarks).residual);
    json_close(j);
}

static bool run_measurement(measurement *m, const gauge *u, rng_key key, json *j, clock_tree *clock, failure *f)
{
    doublet_measured *w = m->data;
    const bool ok = doublet_quarks_measure(j, w->quarks, u, key, clock, f);
    if (ok) {
        json_open(j, "masses", '[');
        for (int k = 0; k < w->params->light.masses.count; k++)
            mass_to_json(j, w, k);
        json_close(j);
        doublet_to_json(j, w);
    }
    json_int(j, "iterations", doublet_quarks_iterations(w->quarks));
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
    QUARK_SMEARING_SPEC(AT),
    MOMENTA_SPEC(AT),
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
    .open_in_time = true,
    .quark_keys = quark_keys,
    .compare = compare_action,
    .results = doublet_results,
    .check = check_params,
    .advise = advise,
    .create = create_measurement,
    .free = free_measurement,
    .run = run_measurement,
    .bytes = count_bytes,
};
