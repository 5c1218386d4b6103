/* wilson_measurement.c - pion, kaon, PCAC mass, condensate and spectrum of Wilson quarks, without and with a clover
 * term and a twisted mass.
 *
 * For the columns of a source (spin_mesons.h), with q = M^-1 eta and t counted from the source,
 *     pion(t) = sum |q|^2,   axial(t) = -sum q^+ gamma_t q,   PCAC mass as in pcac.h
 * the correlators C_PP and C_AP of two quarks of this mass, with twists mu and -mu, because
 * gamma5 M(mu) gamma5 = M(-mu)^+.  For Gaussian sources eta, of weight exp(-|eta|^2) on all sites,
 *     condensate = (1/V) Tr M^-1 = (1/V) mean of Re eta^+ q, the trace over spin, colour and sites,
 *     twisted_condensate = (1/V) Tr i gamma5 M^-1 = -(1/V) mean of Im eta^+ gamma5 q,
 * and the ends of the spectrum of (Mhat^+ Mhat)^1/2. */
#include "src/measure/wilson_measurement.h"

#include "gpu/device.h"
#include "src/base/memory.h"
#include "src/base/progress_tick.h"
#include "src/measure/dirac_spectrum.h"
#include "src/measure/low_modes.h"
#include "src/measure/meson_mass.h"
#include "src/measure/pcac.h"
#include "src/measure/spin_mesons.h"
#include "src/measure/wilson_masses.h"
#include "src/measure/wilson_propagator.h"

typedef struct {
    measurement_params common;
    wilson_quarks quarks;                    /* masses: of wilson_mass */
    param_list pairs;                        /* of meson_pair */
    bool correlators, spectrum;
    meson_source_params sources;
    double c_A, plateau;
    int64_t random_sources;
    low_modes_params modes;
} wilson_measurement_params;

static const low_modes_sites modes_on = { ON_ODD, SLAB_GROUP };

/* A mass has the same index in the operator and in the input, because all masses are different. */
static clover_operator_params operator_of(const wilson_measurement_params *p)
{
    return wilson_quarks_operator(&p->quarks, sizeof(wilson_mass));
}

static spin_mesons_task mesons_of(const wilson_measurement_params *p)
{
    return (spin_mesons_task){ &p->sources, &p->pairs, p->correlators ? p->quarks.masses.count : 0, true };
}

static bool check_params(const void *params, const lattice_shape *shape, failure *f)
{
    const wilson_measurement_params *p = params;
    const char *name = p->common.name;
    if (!wilson_quarks_check(&p->quarks, sizeof(wilson_mass), shape, name, f))
        return false;
    if (operator_of(p).masses != p->quarks.masses.count)
        return fail(f, "%s: two masses are the same", name);
    return low_modes_check(&p->modes, shape, modes_on, name, f) && spin_mesons_check(mesons_of(p), shape, name, f);
}

typedef struct {
    measurement base;
    const wilson_measurement_params *params;
    wilson_propagator *propagator;
    dirac_spectrum *spectrum;                /* NULL if not requested */
    low_modes *modes;                        /* of the present mass; NULL if not requested */
    const lattice *lattice;                  /* borrowed */
    spin_mesons *mesons;
    double *in_time[3];                      /* pion, axial, PCAC mass on time slices */
    double *condensate, *twisted;            /* condensates of each Gaussian source */
    solve_totals solves;
} wilson_measured;

static solver_precision solver_of(const wilson_measurement_params *p, const lattice_shape *shape)
{
    return wilson_quarks_solver(&p->quarks, shape);
}

static measurement *create_measurement(const void *params, const gauge *u)
{
    wilson_measured *w = memory_alloc(sizeof *w, "a measurement of Wilson quarks");
    const wilson_measurement_params *p = w->params = params;
    const clover_operator_params op = operator_of(p);
    lattice *l = u->links.lattice;
    w->base = (measurement){ &wilson_measurement, w };
    w->lattice = l;
    w->propagator = wilson_propagator_create(u, &op, &p->quarks.stout, solver_of(p, lattice_shape_of(l)),
                                             (int)p->quarks.max_rhs);
    w->spectrum = p->spectrum ? dirac_spectrum_create(wilson_propagator_operator(w->propagator)) : NULL;
    w->modes = low_modes_create(&p->modes, l, u->links.where, modes_on);
    w->mesons = spin_mesons_create(mesons_of(p), u);
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
    spin_mesons_free(w->mesons);
    low_modes_free(w->modes);
    dirac_spectrum_free(w->spectrum);
    wilson_propagator_free(w->propagator);
    memory_free(w);
}

static memory_need count_bytes(const void *params, const lattice_shape *shape)
{
    const wilson_measurement_params *p = params;
    const clover_operator_params op = operator_of(p);
    memory_need need = wilson_propagator_bytes(shape, &op, &p->quarks.stout, solver_of(p, shape),
                                               (int)p->quarks.max_rhs);
    const dirac_plan plan = clover_operator_plan(&op);
    need = memory_need_add(need, spin_mesons_bytes(mesons_of(p), shape));
    need = memory_need_add(need, low_modes_bytes(&p->modes, shape, modes_on));
    return p->spectrum ? memory_need_add(need, dirac_spectrum_bytes(&plan, shape)) : need;
}

/* ---- solves */

/* Adds Gaussian source number `number`, in line i. */
static void add_noise_source(wilson_measured *w, int i, int number)
{
    const wilson_line *line = wilson_propagator_line(w->propagator, i);
    const double volume = (double)lattice_volume(w->lattice);
    w->condensate[number] = spinor_field_dot(line->source, line->quark).re / volume;
    w->twisted[number] = -wilson_propagator_dot5(w->propagator, i).im / volume;
}

/* Solves for all columns of the source, or for all Gaussian sources, max_rhs at a time. */
static bool solve_sources(wilson_measured *w, int mass, bool columns, rng_key key, failure *f)
{
    const wilson_measurement_params *p = w->params;
    const dirac_goal goal = { .residual = p->quarks.residual, .max_iterations = (int)p->quarks.max_iterations };
    const int end = columns ? meson_source_columns(&p->sources, SLAB_GROUP) : (int)p->random_sources;
    for (int done = 0, count; done < end; done += count) {
        progress_set_part(done + 1, end);
        count = end - done < p->quarks.max_rhs ? end - done : (int)p->quarks.max_rhs;
        for (int i = 0; i < count; i++)
            if (columns)
                spin_mesons_set_source(wilson_propagator_line(w->propagator, i)->source, w->mesons, done + i, key);
            else
                quark_noise_set(wilson_propagator_line(w->propagator, i)->source, done + i, key);
        if (!wilson_propagator_run(w->propagator, mass, count, &goal, &w->solves, f))
            return false;
        for (int i = 0; i < count; i++)
            if (columns)
                spin_mesons_add_column(w->mesons, mass, done + i, wilson_propagator_line(w->propagator, i)->quark);
            else
                add_noise_source(w, i, done + i);
    }
    return true;
}

/* ---- results */

static void correlators_to_json(json *j, void *measured)
{
    const wilson_measured *w = measured;
    const int times = lattice_global(w->lattice)[3];
    double *pion = w->in_time[0], *axial = w->in_time[1], *mass = w->in_time[2];
    spin_mesons_in_time(pion, axial, w->mesons);
    pcac_mass_in_time(mass, axial, pion, times, w->params->c_A);
    json_real(j, "pcac_mass", plateau_mean(mass, times, w->params->plateau));
    json_real(j, "pion_mass", meson_mass(pion, times));
    json_reals(j, "pion", pion, times);
    json_reals(j, "axial", axial, times);
    json_reals(j, "pcac_mass_in_time", mass, times);
}

static void noise_to_json(json *j, const wilson_measured *w, bool twisted)
{
    const int count = (int)w->params->random_sources;
    source_mean_to_json(j, "condensate", w->condensate, count, true);
    if (twisted)
        source_mean_to_json(j, "twisted_condensate", w->twisted, count, true);
}

/* The first draw of the start vectors of both spectra, after the draws of the sources. */
static uint32_t spectrum_draw(const wilson_measured *w)
{
    return (uint32_t)w->params->random_sources * SOURCE_DRAWS;
}

/* The low modes of a mass, for the solves that follow. */
static bool compute_modes(wilson_measured *w, int mass, rng_key key, clock_tree *clock, failure *f)
{
    dirac_matrix *m = wilson_propagator_matrix(w->propagator, mass);
    const low_modes_task task = { .a = dirac_solver_normal(wilson_propagator_solver(w->propagator), m), .key = key,
                                  .first_draw = spectrum_draw(w), .name = w->params->common.name, .number = mass };
    const bool ok = low_modes_compute(w->modes, &task, clock, f);
    memory_free(m);
    wilson_propagator_deflate(w->propagator, low_modes_deflation(w->modes));
    return ok;
}

/* Writes the spectrum into the open object. */
static bool measure_spectrum(json *j, wilson_measured *w, int mass, rng_key key, failure *f)
{
    spectrum_ends e;
    const wilson_measurement_params *p = w->params;
    dirac_matrix *m = wilson_propagator_matrix(w->propagator, mass);
    const dirac_spectrum_task task = {
        .solver = wilson_propagator_solver(w->propagator), .matrix = m, .key = key,
        .first_draw = spectrum_draw(w),
        .goal = { .precision = solver_of(p, lattice_shape_of(w->lattice)),
                  .max_iterations = (int)p->quarks.max_iterations },
    };
    const bool ok = dirac_spectrum_measure(&e, w->spectrum, &task, f);
    w->solves.iterations += e.iterations;
    memory_free(m);
    if (!ok)
        return false;
    json_open(j, "spectrum", '{');
    json_real(j, "smallest", e.smallest);
    json_real(j, "largest", e.largest);
    json_close(j);
    return true;
}

static bool measure_mass(json *j, wilson_measured *w, int number, rng_key key, clock_tree *clock, failure *f)
{
    const wilson_measurement_params *p = w->params;
    const wilson_mass *given = wilson_mass_at(&p->quarks, sizeof *given, number);
    w->solves.residual = 0;
    spin_mesons_begin(w->mesons);
    if (!compute_modes(w, number, key, clock, f))
        return false;
    clock_begin(clock, "solves");
    bool ok = (!p->correlators || solve_sources(w, number, true, key, f))
        && solve_sources(w, number, false, key, f);
    clock_end(clock);
    if (!ok)
        return false;
    json_open(j, NULL, '{');
    wilson_mass_to_json(j, given);
    if (p->correlators)
        correlators_to_json(j, w);
    if (p->random_sources > 0)
        noise_to_json(j, w, given->mu != 0);
    json_real(j, "residual", w->solves.residual);
    low_modes_to_json(j, w->modes);
    if (p->spectrum) {
        clock_begin(clock, "spectrum");
        ok = measure_spectrum(j, w, number, key, f);
        clock_end(clock);
    }
    json_close(j);
    return ok;
}

static bool run_measurement(measurement *m, const gauge *u, rng_key key, json *j, clock_tree *clock, failure *f)
{
    wilson_measured *w = m->data;
    clock_begin(clock, "links");
    bool ok = wilson_propagator_update(w->propagator, u, f) && spin_mesons_find_gauge(j, w->mesons, u, f);
    device_wait();
    clock_end(clock);
    json_open(j, "masses", '[');
    for (int k = 0; ok && k < w->params->quarks.masses.count; k++)
        ok = measure_mass(j, w, k, key, clock, f);
    json_close(j);
    if (ok)
        spin_mesons_pairs_to_json(j, w->mesons, correlators_to_json, w);
    json_int(j, "iterations", w->solves.iterations);
    return ok;
}

/* ---- input */

#define AT(member) offsetof(wilson_mass, member)

static const param_spec mass_specs[] = {
    WILSON_MASS_SPECS(AT),
    { 0 }
};

#undef AT
#define AT(member) offsetof(wilson_measurement_params, member)
#define QUARKS_AT(member) offsetof(wilson_measurement_params, quarks.member)

static const param_spec specs[] = {
    MEASUREMENT_SPECS("wilson"),
    WILSON_OPERATOR_SPECS(QUARKS_AT),
    { .key = "masses", .type = PARAM_LIST, .offset = QUARKS_AT(masses), .flags = PARAM_NOT_EMPTY, .group = mass_specs,
      .element_size = sizeof(wilson_mass), .doc = "masses of the quarks", .example = "[ { kappa: 0.137 } ]",
      .see = "observables.md#wilson-quarks" },
    { .key = "correlators", .type = PARAM_BOOL, .offset = AT(correlators), .fallback = "true",
      .doc = "solve for the columns of the source: pion, axial correlator, PCAC mass" },
    MESON_PAIRS_SPEC(AT, "observables.md#mesons-of-two-masses"),
    SPIN_SOURCE_SPECS(AT),
    { .key = "c_A", .type = PARAM_REAL, .offset = AT(c_A), .fallback = "0", .min = -10, .max = 10,
      .doc = "coefficient of the improved axial current A_0 + c_A d_0 P in the PCAC mass" },
    { .key = "plateau", .type = PARAM_REAL, .offset = AT(plateau), .fallback = "0.25", .min = 0, .max = 0.5,
      .doc = "pcac_mass uses times this far or farther from the source, in units of the extent in t" },
    { .key = "random_sources", .type = PARAM_INT, .offset = AT(random_sources), .fallback = "4", .min = 0,
      .max = SOURCES_MAX, .doc = "number of Gaussian sources, each on all sites, for the condensate" },
    { .key = "spectrum", .type = PARAM_BOOL, .offset = AT(spectrum), .fallback = "true",
      .doc = "ends of the spectrum of (Mhat^+ Mhat)^1/2, the smallest and largest absolute eigenvalue of gamma5 Mhat "
             "(Mhat: even-odd preconditioned operator)" },
    LOW_MODES_SPEC(AT),
    WILSON_SOLVE_SPECS(QUARKS_AT),
    { 0 }
};

static void compare_action(const void *params, const param_list *monomials, action_listener *emit, void *out)
{
    wilson_quarks_compare(&((const wilson_measurement_params *)params)->quarks, sizeof(wilson_mass), monomials, emit,
                          out);
}

static const char *const quark_keys[] = WILSON_QUARK_KEYS;

const measurement_kind wilson_measurement = {
    .input = { .name = "wilson",
               .doc = "pion, PCAC mass, condensate and spectrum of Wilson quarks, without and with a clover term",
               .params = specs,
               .example = "name: light\nevery: 5\nc_sw: 1.715\nmasses: [ { kappa: 0.137 } ]",
               .see = "observables.md#wilson-quarks",
               .size = sizeof(wilson_measurement_params) },
    .quark_keys = quark_keys,
    .compare = compare_action,
    .results = wilson_results,
    .check = check_params,
    .create = create_measurement,
    .free = free_wilson,
    .run = run_measurement,
    .bytes = count_bytes,
};
