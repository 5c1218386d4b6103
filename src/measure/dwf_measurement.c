/* dwf_measurement.c - residual mass, condensate, pion and kaon of domain-wall quarks, and the spectrum of their kernel.
 *
 * For the columns of a source (spin_mesons.h), with q and q' of dwf_walls.h and t counted from the source,
 *     pion(t) = sum |q|^2,   midpoint(t) = sum |q'|^2,   residual mass (t) = midpoint(t) / pion(t)
 * and for any weights, over all sites, by the Ward identity: residual mass = Re sum eta^+ q / sum |q|^2 - m.
 * Gaussian sources eta, of weight exp(-|eta|^2) on all sites, give this residual mass, and
 *     condensate = (1/V) Tr q = (1/V) mean of Re eta^+ q, the trace over spin, color and sites. */
#include "src/measure/dwf_measurement.h"

#include "actions/dwf_params.h"
#include "src/base/log.h"
#include "src/base/memory.h"
#include "src/config/number.h"
#include "src/measure/dwf_spectrum.h"
#include "src/measure/dwf_walls.h"
#include "src/measure/dwf_ward.h"
#include "src/measure/meson_mass.h"
#include "src/measure/spin_quarks.h"
#include "src/operators/quark_density.h"

#include <math.h>

typedef struct { double mass; } mass_params;

typedef struct {
    measurement_params common;
    dwf_action_input of;
    int solver;                              /* solver_precision */
    int64_t max_iterations;
    param_list masses;                       /* of mass_params */
    param_list pairs;                        /* of meson_pair */
    bool correlators, spectrum;
    meson_source_params sources;
    hadron_params hadrons;
    stored_quarks_params stored;
    double plateau;
    int64_t random_sources, max_rhs;
    double residual;
    low_modes_params modes;
} dwf_measurement_params;

static double mass_at(const dwf_measurement_params *p, int index)
{
    return ((const mass_params *)p->masses.item)[index].mass;
}

static bool read_operator(dwf_operator_params *op, const dwf_measurement_params *p, failure *f)
{
    failure why;
    return dwf_parameters.read(op, &p->of, &why) || fail(f, "%s: %s", p->common.name, why.why);
}

/* Borrows the plan. */
static spin_quarks_task task_of(const dwf_measurement_params *p, const dirac_plan *plan, const lattice_shape *shape)
{
    return (spin_quarks_task){
        .name = p->common.name,
        .plan = plan,
        .walls = &dwf_walls,
        .mesons = { &p->sources, &p->pairs, &p->hadrons, p->correlators ? p->masses.count : 0, false,
                    p->of.boundary ? -1 : 1 },
        .stored = &p->stored,
        .modes = &p->modes,
        .solver = dwf_solver_choose((solver_precision)p->solver, false, shape, (int)p->of.Ls, p->residual),
        .goal = { .residual = p->residual, .max_iterations = (int)p->max_iterations },
        .random_sources = (int)p->random_sources,
        .max_rhs = (int)p->max_rhs,
    };
}

static void advise(text *lines, const char *key, const void *params, const lattice_shape *shape)
{
    (void)shape;
    momenta_advise(lines, key, &((const dwf_measurement_params *)params)->hadrons.momenta);
}

static bool check_params(const void *params, const lattice_shape *shape, failure *f)
{
    const dwf_measurement_params *p = params;
    const char *name = p->common.name;
    dwf_operator_params op;
    failure why;
    if (!read_operator(&op, p, f))
        return false;
    if (!stout_params_check(&p->of.stout, &why)
        || !lattice_slabs_are_possible(shape, SLAB_GROUP * op.weights.Ls, &why))
        return fail(f, "%s: %s", name, why.why);
    if (p->masses.count > SPIN_MASSES_MAX)
        return fail(f, "%s: %d masses, but at most %d are allowed", name, p->masses.count, SPIN_MASSES_MAX);
    for (int m = 0; m < p->masses.count; m++)
        if (!(dwf_mass_of(mass_at(p, m), &p->of) < 1))
            return fail(f, "%s: the mass %g is not below that of the Pauli-Villars fields", name, mass_at(p, m));
    const dirac_plan operator = dwf_parameters.plan(&op, &p->of);
    const spin_quarks_task task = task_of(p, &operator, shape);
    return spin_quarks_check(&task, shape, f);
}

typedef struct {
    measurement base;
    const dwf_measurement_params *params;
    dwf_operator_params op;
    int matrix[SPIN_MASSES_MAX];             /* index of each mass in the list of the operator */
    spin_quarks quarks;
    dwf_spectrum *spectrum;                 /* NULL if not requested */
    field midpoint;                          /* density */
    double *in_time[3];                      /* pion, midpoint on time slices, and their ratio */
    double *condensate;                      /* of each Gaussian source */
    ward_terms *terms;                       /* of each column, then of each Gaussian source */
} dwf_measured;

static int columns_of(const dwf_measured *w)
{
    return meson_source_columns(&w->params->sources, SLAB_GROUP);
}

static const spin_family family;

static measurement *create_measurement(const void *params, const gauge *u)
{
    dwf_measured *w = memory_alloc(sizeof *w, "a measurement of domain-wall quarks");
    const dwf_measurement_params *p = w->params = params;
    lattice *l = u->links.lattice;
    failure f;
    w->base = (measurement){ &dwf_measurement, w };
    require(read_operator(&w->op, p, &f), "%s", f.why);
    for (int m = 0; m < p->masses.count; m++)
        w->matrix[m] = dwf_operator_add_mass(&w->op, dwf_mass_of(mass_at(p, m), &p->of));
    const dirac_plan plan = dwf_parameters.plan(&w->op, &p->of);
    const spin_quarks_task task = task_of(p, &plan, lattice_shape_of(l));
    w->quarks = spin_quarks_create(&task, &family, w, u);
    w->spectrum = p->spectrum ? dwf_spectrum_create(u, p->of.M5) : NULL;
    w->midpoint = quark_density_create(l, u->links.where);
    for (int i = 0; i < 3; i++)
        w->in_time[i] = memory_alloc((size_t)lattice_global(l)[3] * sizeof(double), "correlators");
    w->terms = memory_alloc((size_t)(columns_of(w) + p->random_sources) * sizeof *w->terms, "results of sources");
    w->condensate = memory_alloc((size_t)p->random_sources * sizeof(double), "condensates of sources");
    return &w->base;
}

static void free_dwf(measurement *m)
{
    dwf_measured *w = m->data;
    memory_free(w->condensate);
    memory_free(w->terms);
    for (int i = 0; i < 3; i++)
        memory_free(w->in_time[i]);
    field_free(&w->midpoint);
    dwf_spectrum_free(w->spectrum);
    spin_quarks_free(&w->quarks);
    memory_free(w);
}

static memory_need count_bytes(const void *params, const lattice_shape *shape)
{
    const dwf_measurement_params *p = params;
    const dwf_operator_params op = { .weights = { .Ls = (int)p->of.Ls } };
    const dirac_plan plan = dwf_parameters.plan(&op, &p->of);
    const spin_quarks_task task = task_of(p, &plan, shape);
    memory_need need = spin_quarks_bytes(&task, shape);
    need.lasting += field_bytes(shape, PRECISION_DOUBLE, 1);
    return p->spectrum ? memory_need_add(need, dwf_spectrum_bytes(shape)) : need;
}

/* ---- solves */

static quark_matrix matrix_of(const void *measured, int number)
{
    const dwf_measured *w = measured;
    const dirac_operator *d = spin_quarks_operator(&w->quarks);
    const int index = w->matrix[number];
    return (quark_matrix){ d->kind->matrix(d, index), w->op.mass[index] };
}

static void begin_mass(void *measured)
{
    field_zero(&((dwf_measured *)measured)->midpoint);
}

/* Whether there is a midpoint correlator: files of propagators have quarks at the walls alone. */
static bool has_midpoint(const dwf_measured *w)
{
    return dwf_ward_identity_holds(&w->op.weights) && !stored_quarks_are_loaded(&w->params->stored);
}

static void add_column(void *measured, const quark_line *line, int column)
{
    dwf_measured *w = measured;
    w->terms[column] = ward_terms_of(line);
    if (has_midpoint(w)) {
        quark_density_add(&w->midpoint, line->midpoint.even, line->midpoint.even);
        quark_density_add(&w->midpoint, line->midpoint.odd, line->midpoint.odd);
    }
}

static void add_noise_source(void *measured, const quark_line *line, int number)
{
    dwf_measured *w = measured;
    w->terms[columns_of(w) + number] = ward_terms_of(line);
}

/* ---- results */

/* Residual masses are reported in the convention of the masses. */
static double reported_mass(const dwf_measured *w, double mass)
{
    return dwf_mass_as_given(mass, &w->params->of);
}

static void pion_to_json(json *j, void *measured)
{
    const dwf_measured *w = measured;
    double *pion = w->in_time[0];
    spin_mesons_in_time(pion, NULL, w->quarks.mesons);
    json_real(j, "pion_mass", meson_mass(pion, lattice_global(w->quarks.lattice)[3]));
    json_reals(j, "pion", pion, lattice_global(w->quarks.lattice)[3]);
    spin_mesons_more_to_json(j, w->quarks.mesons);
}

static void correlators_to_json(json *j, dwf_measured *w, double mass)
{
    const int times = lattice_global(w->quarks.lattice)[3];
    double *pion = w->in_time[0], *midpoint = w->in_time[1], *ratio = w->in_time[2];
    json_real(j, "residual_mass", reported_mass(w, ward_residual_mass(w->terms, columns_of(w), mass)));
    pion_to_json(j, w);
    if (!has_midpoint(w))
        return;
    quark_density_in_time(midpoint, &w->midpoint, w->params->sources.point[3]);
    const double norm = meson_source_norm(&w->params->sources, lattice_shape_of(w->quarks.lattice));
    for (int t = 0; t < times; t++)
        ratio[t] = (midpoint[t] /= norm) / pion[t];
    json_real(j, "residual_mass_midpoint", reported_mass(w, plateau_mean(ratio, times, w->params->plateau)));
    json_reals(j, "midpoint", midpoint, times);
    for (int t = 0; t < times; t++)
        ratio[t] = reported_mass(w, ratio[t]);
    json_reals(j, "residual_mass_in_time", ratio, times);
}

static void noise_to_json(json *j, const dwf_measured *w, double mass)
{
    const int count = (int)w->params->random_sources;
    const ward_terms *terms = w->terms + columns_of(w);
    for (int n = 0; n < count; n++)
        w->condensate[n] = terms[n].source_quark / (double)lattice_volume(w->quarks.lattice);
    source_mean_to_json(j, "condensate", w->condensate, count, true);
    json_real(j, "residual_mass_noise", reported_mass(w, ward_residual_mass(terms, count, mass)));
    json_real(j, "residual_mass_noise_error", reported_mass(w, ward_residual_mass_error(terms, count, mass)));
}

static void write_parameters(json *j, const void *measured, int number)
{
    json_real(j, "mass", mass_at(((const dwf_measured *)measured)->params, number));
}

static void write_mass(json *j, void *measured, int number, double mass)
{
    dwf_measured *w = measured;
    (void)number;
    if (w->params->correlators)
        correlators_to_json(j, w, mass);
    if (w->params->random_sources > 0)
        noise_to_json(j, w, mass);
}

#define OPERATOR_AT(member) offsetof(dwf_measurement_params, of.member)
static const param_spec operator_specs[] = { DWF_ACTION_SPECS(OPERATOR_AT), STOUT_SPEC(OPERATOR_AT), { 0 } };
#undef OPERATOR_AT

static void describe(text *out, const void *measured, int number)
{
    const dwf_measured *w = measured;
    text_add(out, "mass: ");
    number_add_real(out, mass_at(w->params, number));
    text_add(out, "\n");
    schema_list_fixed(out, operator_specs, w->params);
}

static const spin_family family = {
    .quark = "domain_wall", .describe = describe, .matrix = matrix_of, .begin = begin_mass,
    .add_column = add_column, .add_noise_source = add_noise_source, .write_parameters = write_parameters,
    .write = write_mass, .write_pair = pion_to_json,
};

static bool measure_spectrum(json *j, dwf_measured *w, rng_key key, clock_tree *clock, failure *f)
{
    const dwf_action_input *p = &w->params->of;
    const bool given = p->action == DWF_OPTIMAL || p->action == DWF_OPTIMAL_SYMMETRIC;
    const dwf_spectrum_task task = { .links = hop_operator_links(spin_quarks_operator(&w->quarks)), .key = key,
                                      .first_draw = spin_quarks_free_draw(&w->quarks),
                                      .max_iterations = (int)w->params->max_iterations };
    kernel_range r;
    clock_begin(clock, "spectrum");
    bool ok = dwf_spectrum_measure(&r, w->spectrum, &task, f);
    clock_end(clock);
    w->quarks.solves.iterations += r.iterations;
    if (!ok)
        return false;
    json_open(j, "kernel", '{');
    json_real(j, "smallest", r.smallest);
    json_real(j, "largest", r.largest);
    json_close(j);
    if (given && (r.smallest < p->lambda_min || r.largest > p->lambda_max))
        log_line(LOG_WARNING, "measurement %s: |gamma5 Dw| lies between %.4g and %.4g, but the weights (%s) were made "
                              "for %.4g to %.4g", w->params->common.name, r.smallest, r.largest,
                 dwf_kind_names[p->action], p->lambda_min, p->lambda_max);
    return true;
}

static bool run_measurement(measurement *m, const gauge *u, rng_key key, json *j, clock_tree *clock, failure *f)
{
    dwf_measured *w = m->data;
    bool ok = spin_quarks_measure(j, &w->quarks, u, w->params->masses.count, key, clock, f);
    if (ok && w->params->spectrum)
        ok = measure_spectrum(j, w, key, clock, f);
    json_int(j, "iterations", w->quarks.solves.iterations);
    return ok;
}

/* ---- input */

static const param_spec mass_specs[] = {
    { .key = "mass", .type = PARAM_REAL, .offset = offsetof(mass_params, mass), .min = 0, .max = DWF_MASS_MAX,
      .doc = "quark mass, in the convention of the measurement" },
    { 0 }
};

#define AT(member) offsetof(dwf_measurement_params, member)
#define AT_HADRONS(member) AT(hadrons.member)
#define OPERATOR_AT(member) AT(of.member)

static const param_spec specs[] = {
    MEASUREMENT_SPECS("domain_wall"),
    DWF_ACTION_SPECS(OPERATOR_AT),
    STOUT_SPEC(OPERATOR_AT),
    { .key = "masses", .type = PARAM_LIST, .offset = AT(masses), .flags = PARAM_NOT_EMPTY, .group = mass_specs,
      .element_size = sizeof(mass_params), .doc = "masses of the quarks", .example = "[ { mass: 0.01 } ]",
      .see = "observables.md#domain-wall-quarks" },
    { .key = "correlators", .type = PARAM_BOOL, .offset = AT(correlators), .fallback = "true",
      .doc = "solve for the columns of the source: pion, midpoint correlator, residual mass" },
    MESON_PAIRS_SPEC(AT, "observables.md#mesons-of-two-masses"),
    SPIN_SOURCE_SPECS(AT),
    HADRON_SPECS(AT_HADRONS),
    STORED_QUARKS_SPEC(AT),
    { .key = "plateau", .type = PARAM_REAL, .offset = AT(plateau), .fallback = "0.25", .min = 0, .max = 0.5,
      .doc = "residual_mass_midpoint uses times this far or farther from the source, in units of the extent in t" },
    { .key = "random_sources", .type = PARAM_INT, .offset = AT(random_sources), .fallback = "4", .min = 0,
      .max = SOURCES_MAX, .doc = "number of Gaussian sources, each on all sites, for condensate and residual mass" },
    { .key = "spectrum", .type = PARAM_BOOL, .offset = AT(spectrum), .fallback = "true",
      .doc = "smallest and largest absolute eigenvalue of gamma5 Dw" },
    { .key = "residual", .type = PARAM_REAL, .offset = AT(residual), .fallback = "1e-10", .min = 1e-14, .max = 0.1,
      .flags = PARAM_NUMERICAL,
      .doc = "largest relative residual |r|/|b| of a solve with C^+C (C: even-odd preconditioned operator)" },
    { .key = "max_iterations", .type = PARAM_INT, .offset = AT(max_iterations), .fallback = "20000", .min = 1,
      .max = 10000000, .flags = PARAM_NUMERICAL,
      .doc = "largest number of iterations; if a solve does not converge, the record reports it; the run continues" },
    LOW_MODES_SPEC(AT),
    DWF_SOLVER_SPECS(AT),
    { .key = "max_rhs", .type = PARAM_INT, .offset = AT(max_rhs), .fallback = "4", .min = 1, .max = BATCH_MAX_RHS,
      .flags = PARAM_NUMERICAL,
      .doc = "largest number of systems solved together in mixed precision; a smaller number needs less memory" },
    { 0 }
};

static const char *const quark_keys[] = { "action", "Ls", "M5", "mass_convention", "b", "c", "scale",
                                          "lambda_min", "lambda_max", "boundary", NULL };

static const char *saves_to(const void *params)
{
    return ((const dwf_measurement_params *)params)->stored.save;
}

const measurement_kind dwf_measurement = {
    .input = { .name = "domain_wall",
               .doc = "residual mass, condensate and pion of domain-wall quarks; the spectrum of their kernel",
               .params = specs,
               .example = "name: dwf\nevery: 5\naction: mobius\nLs: 12\nb: 1.5\nc: 0.5\nmasses: [ { mass: 0.01 } ]",
               .see = "observables.md#domain-wall-quarks",
               .size = sizeof(dwf_measurement_params) },
    .quark_keys = quark_keys,
    .results = dwf_results,
    .check = check_params,
    .advise = advise,
    .create = create_measurement,
    .free = free_dwf,
    .run = run_measurement,
    .bytes = count_bytes,
    .saves = saves_to,
};
