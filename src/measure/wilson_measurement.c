/* wilson_measurement.c - pion, kaon, PCAC mass, condensate and spectrum of Wilson quarks, without and with a clover
 * term and a twisted mass.
 *
 * For the columns of a source (spin_mesons.h), with q = M^-1 eta and t counted from the source,
 *     pion(t) = sum |q|^2,   axial(t) = -sum q^+ gamma_t q,   PCAC mass as in pcac.h
 * the correlators C_PP and C_AP of two quarks of this mass, with twists mu and -mu, because
 * gamma5 M(mu) gamma5 = M(-mu)^+.  For Gaussian sources eta, of weight exp(-|eta|^2) on all sites,
 *     condensate = (1/V) Tr M^-1 = (1/V) mean of Re eta^+ q, the trace over spin, color and sites,
 *     twisted_condensate = (1/V) Tr i gamma5 M^-1 = -(1/V) mean of Im eta^+ gamma5 q,
 * and the ends of the spectrum of (Mhat^+ Mhat)^1/2. */
#include "src/measure/wilson_measurement.h"

#include "src/base/memory.h"
#include "src/config/number.h"
#include "src/measure/dirac_spectrum.h"
#include "src/measure/meson_mass.h"
#include "src/measure/pcac.h"
#include "src/measure/slice_plateau.h"
#include "src/measure/spin_quarks.h"
#include "src/measure/wilson_masses.h"

#include <math.h>
#include <stdlib.h>

#define PLATEAU "0.25"                       /* default of the key */

typedef struct {
    measurement_params common;
    wilson_quarks quarks;                    /* masses: of wilson_mass */
    param_list pairs;                        /* of meson_pair */
    bool correlators, spectrum;
    meson_source_params sources;
    hadron_params hadrons;
    stored_quarks_params stored;
    double c_A, plateau;
    slice_plateau slices;                    /* open boundaries in t */
    int64_t random_sources;
    low_modes_params modes;
} wilson_measurement_params;

/* A mass has the same index in the operator and in the input, because all masses are different. */
static clover_operator_params operator_of(const wilson_measurement_params *p)
{
    return wilson_quarks_operator(&p->quarks, sizeof(wilson_mass), NULL);
}

/* Borrows the plan. */
static spin_quarks_task task_of(const wilson_measurement_params *p, const dirac_plan *plan, const lattice_shape *shape)
{
    return (spin_quarks_task){
        .name = p->common.name,
        .plan = plan,
        .mesons = { &p->sources, &p->pairs, &p->hadrons, p->correlators ? p->quarks.masses.count : 0, true,
                    quark_boundary_of(p->quarks.of.boundary, p->quarks.of.theta).t },
        .stored = &p->stored,
        .modes = &p->modes,
        .solver = wilson_quarks_solver(&p->quarks, shape),
        .goal = { .residual = p->quarks.residual, .max_iterations = (int)p->quarks.max_iterations },
        .random_sources = (int)p->random_sources,
        .max_rhs = (int)p->quarks.max_rhs,
    };
}

/* Open boundaries in t: what has no meaning beside them. */
static bool check_open(const wilson_measurement_params *p, const lattice_shape *shape, failure *f)
{
    const char *name = p->common.name;
    if (!shape->open_in_time || p->correlators)
        if (!slice_plateau_check(&p->slices, shape, name, "pcac_mass", f))
            return false;
    if (!shape->open_in_time)
        return true;
    const int64_t source = p->sources.point[3];
    if (p->correlators && p->slices.first <= source + 1 && source - 1 <= p->slices.last)
        return fail(f, "%s: the plateau of time slices %lld to %lld has the source, in slice %lld, or a neighbor of "
                       "it, where the PCAC mass has contact terms", name, (long long)p->slices.first,
                    (long long)p->slices.last, (long long)source);
    if (p->random_sources > 0)
        return fail(f, "%s: with open boundaries in time random_sources must be 0: the condensate is a mean over all "
                       "time slices", name);
    return !stored_quarks_have_files(&p->stored)
           || fail(f, "%s: propagators: files need periodic boundaries in time", name);
}

static void advise(text *lines, const char *key, const void *params, const lattice_shape *shape)
{
    const wilson_measurement_params *p = params;
    if (shape->open_in_time && p->plateau != strtod(PLATEAU, NULL))
        text_add(lines, "%s.plateau: %g has no effect with open boundaries in time, where plateau_first and "
                 "plateau_last are the plateau\n", key, p->plateau);
    momenta_advise(lines, key, &p->hadrons.momenta);
}

static bool check_params(const void *params, const lattice_shape *shape, failure *f)
{
    const wilson_measurement_params *p = params;
    const char *name = p->common.name;
    if (!wilson_quarks_check(&p->quarks, sizeof(wilson_mass), shape, name, f))
        return false;
    if (!check_open(p, shape, f))
        return false;
    const bool three = p->hadrons.baryons || p->hadrons.hyperons;
    if ((p->hadrons.smearing.steps > 0 || three) && wilson_quarks_have_theta(&p->quarks))
        return fail(f, "%s: smearing, baryons and hyperons need theta: [0, 0, 0]", name);
    for (int m = 0; m < p->quarks.masses.count; m++)
        if (three && wilson_mass_at(&p->quarks, sizeof(wilson_mass), m)->mu != 0)
            return fail(f, "%s: masses.%d: baryons and hyperons need mu: 0, because they contain quarks of both signs "
                           "of mu", name, m);
    const clover_operator_params op = operator_of(p);
    if (op.matrices != p->quarks.masses.count)
        return fail(f, "%s: two masses are the same", name);
    const dirac_plan plan = wilson_operator_plan(&op, &p->quarks.of);
    const spin_quarks_task task = task_of(p, &plan, shape);
    return spin_quarks_check(&task, shape, f);
}

typedef struct {
    measurement base;
    const wilson_measurement_params *params;
    clover_operator_params op;
    spin_quarks quarks;
    dirac_spectrum *spectrum;                /* NULL if not requested */
    double *in_time[3];                      /* pion, axial, PCAC mass on time slices */
    double *condensate, *twisted;            /* condensates of each Gaussian source */
} wilson_measured;

static const spin_family family;

static measurement *create_measurement(const void *params, const gauge *u)
{
    wilson_measured *w = memory_alloc(sizeof *w, "a measurement of Wilson quarks");
    const wilson_measurement_params *p = w->params = params;
    const lattice *l = u->links.lattice;
    w->base = (measurement){ &wilson_measurement, w };
    w->op = operator_of(p);
    const dirac_plan plan = wilson_operator_plan(&w->op, &p->quarks.of);
    const spin_quarks_task task = task_of(p, &plan, lattice_shape_of(l));
    w->quarks = spin_quarks_create(&task, &family, w, u);
    w->spectrum = p->spectrum ? dirac_spectrum_create(spin_quarks_operator(&w->quarks)) : NULL;
    for (int i = 0; i < 3; i++)
        w->in_time[i] = memory_alloc((size_t)lattice_global(l)[3] * sizeof(double), "correlators");
    w->condensate = memory_alloc((size_t)p->random_sources * sizeof(double), "condensates of sources");
    w->twisted = memory_alloc((size_t)p->random_sources * sizeof(double), "condensates of sources");
    return &w->base;
}

static void free_wilson(measurement *m)
{
    wilson_measured *w = m->data;
    memory_free(w->condensate);
    memory_free(w->twisted);
    for (int i = 0; i < 3; i++)
        memory_free(w->in_time[i]);
    dirac_spectrum_free(w->spectrum);
    spin_quarks_free(&w->quarks);
    memory_free(w);
}

static memory_need count_bytes(const void *params, const lattice_shape *shape)
{
    const wilson_measurement_params *p = params;
    const clover_operator_params op = operator_of(p);
    const dirac_plan plan = wilson_operator_plan(&op, &p->quarks.of);
    const spin_quarks_task task = task_of(p, &plan, shape);
    const memory_need need = spin_quarks_bytes(&task, shape);
    return p->spectrum ? memory_need_add(need, dirac_spectrum_bytes(&plan, shape)) : need;
}

/* ---- solves */

static const wilson_mass *mass_number(const wilson_measured *w, int mass)
{
    return wilson_mass_at(&w->params->quarks, sizeof(wilson_mass), mass);
}

static quark_matrix matrix_of(const void *measured, int mass)
{
    const wilson_measured *w = measured;
    const dirac_operator *d = spin_quarks_operator(&w->quarks);
    return (quark_matrix){ d->kind->matrix(d, mass), wilson_bare_mass(&mass_number(w, mass)->bare) };
}

static void add_noise_source(void *measured, const quark_line *line, int number)
{
    wilson_measured *w = measured;
    const double volume = (double)lattice_volume(w->quarks.lattice);
    w->condensate[number] = spinor_field_dot(line->source, line->quark).re / volume;
    w->twisted[number] = -quark_propagator_dot5(w->quarks.propagator, line).im / volume;
}

/* ---- results */

/* Open boundaries in t: by time slice; the PCAC mass between the first and the last one. */
static void slices_to_json(json *j, const wilson_measured *w)
{
    const slice_plateau *over = &w->params->slices;
    const int times = lattice_global(w->quarks.lattice)[3];
    double *pion = w->in_time[0], *axial = w->in_time[1], *mass = w->in_time[2], mean = 0;
    spin_mesons_in_time(pion, axial, w->quarks.mesons);
    pcac_mass_in_time(mass, axial, pion, times, w->params->c_A);
    mass[0] = mass[times - 1] = NAN;
    for (int64_t t = over->first; t <= over->last; t++)
        mean += mass[t] / (double)(over->last - over->first + 1);
    json_real(j, "pcac_mass", mean);
    json_real(j, "c_A", w->params->c_A);
    json_open(j, "slices", '{');
    json_reals(j, "pion", pion, times);
    json_reals(j, "axial", axial, times);
    json_reals(j, "pcac_mass", mass, times);
    spin_mesons_more_to_json(j, w->quarks.mesons);
    json_close(j);
}

static void correlators_to_json(json *j, void *measured)
{
    const wilson_measured *w = measured;
    const int times = lattice_global(w->quarks.lattice)[3];
    if (lattice_is_open(w->quarks.lattice)) {
        slices_to_json(j, w);
        return;
    }
    double *pion = w->in_time[0], *axial = w->in_time[1], *mass = w->in_time[2];
    spin_mesons_in_time(pion, axial, w->quarks.mesons);
    pcac_mass_in_time(mass, axial, pion, times, w->params->c_A);
    json_real(j, "pcac_mass", plateau_mean(mass, times, w->params->plateau));
    json_real(j, "c_A", w->params->c_A);
    json_real(j, "pion_mass", meson_mass(pion, times));
    json_reals(j, "pion", pion, times);
    json_reals(j, "axial", axial, times);
    json_reals(j, "pcac_mass_in_time", mass, times);
    spin_mesons_more_to_json(j, w->quarks.mesons);
}

static void noise_to_json(json *j, const wilson_measured *w, bool twisted)
{
    const int count = (int)w->params->random_sources;
    source_mean_to_json(j, "condensate", w->condensate, count, true);
    if (twisted)
        source_mean_to_json(j, "twisted_condensate", w->twisted, count, true);
}

static void write_parameters(json *j, const void *measured, int mass)
{
    wilson_mass_to_json(j, mass_number(measured, mass));
}

static void write_mass(json *j, void *measured, int mass, double bare)
{
    wilson_measured *w = measured;
    (void)bare;
    if (w->params->correlators)
        correlators_to_json(j, w);
    if (w->params->random_sources > 0)
        noise_to_json(j, w, mass_number(w, mass)->mu != 0);
}

static bool measure_spectrum(json *j, void *measured, const dirac_matrix *m, rng_key key, clock_tree *clock,
                             failure *f)
{
    dirac_ends e;
    wilson_measured *w = measured;
    const dirac_spectrum_task task = {
        .solver = quark_propagator_solver(w->quarks.propagator), .matrix = m, .key = key,
        .first_draw = spin_quarks_free_draw(&w->quarks),
        .goal = { .precision = w->quarks.task.solver, .max_iterations = w->quarks.task.goal.max_iterations },
    };
    if (!w->spectrum)
        return true;
    clock_begin(clock, "spectrum");
    const bool ok = dirac_spectrum_measure(&e, w->spectrum, &task, f);
    clock_end(clock);
    w->quarks.solves.iterations += e.iterations;
    if (!ok)
        return false;
    json_open(j, "spectrum", '{');
    json_real(j, "smallest", e.smallest);
    json_real(j, "largest", e.largest);
    json_close(j);
    return true;
}

#define OPERATOR_AT(member) offsetof(wilson_measurement_params, quarks.of.member)
static const param_spec operator_specs[] = { WILSON_OPERATOR_SPECS(OPERATOR_AT), WILSON_ANISOTROPY_SPECS(OPERATOR_AT),
                                             { 0 } };
#undef OPERATOR_AT

static void describe(text *out, const void *measured, int mass)
{
    const wilson_measured *w = measured;
    const wilson_mass *given = mass_number(w, mass);
    text_add(out, "mass: ");
    number_add_real(out, wilson_bare_mass(&given->bare));
    text_add(out, "\nmu: ");
    number_add_real(out, given->mu);
    text_add(out, "\n");
    schema_list_fixed(out, operator_specs, w->params);
}

static const spin_family family = {
    .quark = "wilson", .describe = describe, .matrix = matrix_of, .add_noise_source = add_noise_source,
    .write_parameters = write_parameters, .write = write_mass, .write_more = measure_spectrum,
    .write_pair = correlators_to_json,
};

static bool run_measurement(measurement *m, const gauge *u, rng_key key, json *j, clock_tree *clock, failure *f)
{
    wilson_measured *w = m->data;
    const bool ok = spin_quarks_measure(j, &w->quarks, u, w->params->quarks.masses.count, key, clock, f);
    wilson_quarks_xi_to_json(j, &w->params->quarks);
    json_int(j, "iterations", w->quarks.solves.iterations);
    return ok;
}

/* ---- input */

#define AT(member) offsetof(wilson_mass, member)
#define BARE_AT(member) AT(bare.member)

static const param_spec mass_specs[] = { WILSON_MASS_SPECS(BARE_AT), WILSON_MU_SPEC(AT), { 0 } };

#undef AT
#define AT(member) offsetof(wilson_measurement_params, member)
#define AT_HADRONS(member) AT(hadrons.member)
#define QUARKS_AT(member) offsetof(wilson_measurement_params, quarks.member)
#define OPERATOR_AT(member) QUARKS_AT(of.member)
#define SLICES_AT(member) AT(slices.member)

static const param_spec specs[] = {
    MEASUREMENT_SPECS("wilson"),
    WILSON_OPERATOR_SPECS(OPERATOR_AT),
    WILSON_OPEN_SPEC(OPERATOR_AT),
    WILSON_ANISOTROPY_SPECS(OPERATOR_AT),
    { .key = "masses", .type = PARAM_LIST, .offset = QUARKS_AT(masses), .flags = PARAM_NOT_EMPTY, .group = mass_specs,
      .element_size = sizeof(wilson_mass), .doc = "masses of the quarks", .example = "[ { kappa: 0.137 } ]",
      .see = "observables.md#wilson-quarks" },
    { .key = "correlators", .type = PARAM_BOOL, .offset = AT(correlators), .fallback = "true",
      .doc = "solve for the columns of the source: pion, axial correlator, PCAC mass" },
    MESON_PAIRS_SPEC(AT, "observables.md#mesons-of-two-masses"),
    SPIN_SOURCE_SPECS(AT),
    HADRON_SPECS(AT_HADRONS),
    STORED_QUARKS_SPEC(AT),
    { .key = "c_A", .type = PARAM_REAL, .offset = AT(c_A), .fallback = "0", .min = -10, .max = 10,
      .doc = "coefficient of the improved axial current A_0 + c_A d_0 P in the PCAC mass" },
    { .key = "plateau", .type = PARAM_REAL, .offset = AT(plateau), .fallback = PLATEAU, .min = 0, .max = 0.5,
      .doc = "periodic boundaries: pcac_mass uses times this far or farther from the source, in units of the extent "
             "in t" },
    SLICE_PLATEAU_SPECS(SLICES_AT, "pcac_mass is the mean"),
    { .key = "random_sources", .type = PARAM_INT, .offset = AT(random_sources), .fallback = "4", .min = 0,
      .max = SOURCES_MAX, .doc = "number of Gaussian sources, each on all sites, for the condensate" },
    { .key = "spectrum", .type = PARAM_BOOL, .offset = AT(spectrum), .fallback = "true",
      .doc = "ends of the spectrum of (Mhat^+ Mhat)^1/2, the smallest and largest absolute eigenvalue of gamma5 Mhat "
             "(Mhat: even-odd preconditioned operator)" },
    LOW_MODES_SPEC(AT),
    WILSON_SOLVE_SPECS(QUARKS_AT, ""),
    { 0 }
};

static void compare_action(const void *params, const param_list *monomials, action_listener *emit, void *out)
{
    wilson_quarks_compare(&((const wilson_measurement_params *)params)->quarks, sizeof(wilson_mass), monomials, emit,
                          out);
}

static const char *const quark_keys[] = WILSON_QUARK_KEYS;

static double anisotropy_of(const void *params)
{
    return wilson_quarks_anisotropy(&((const wilson_measurement_params *)params)->quarks);
}

static const char *saves_to(const void *params)
{
    return ((const wilson_measurement_params *)params)->stored.save;
}

const measurement_kind wilson_measurement = {
    .input = { .name = "wilson",
               .doc = "pion, PCAC mass, condensate and spectrum of Wilson quarks, without and with a clover term",
               .params = specs,
               .example = "name: light\nevery: 5\nc_sw: 1.715\nmasses: [ { kappa: 0.137 } ]",
               .see = "observables.md#wilson-quarks",
               .size = sizeof(wilson_measurement_params) },
    .open_in_time = true,
    .anisotropy = anisotropy_of,
    .quark_keys = quark_keys,
    .compare = compare_action,
    .results = wilson_results,
    .check = check_params,
    .advise = advise,
    .create = create_measurement,
    .free = free_wilson,
    .run = run_measurement,
    .bytes = count_bytes,
    .saves = saves_to,
};
