/* overlap_measurement.c - the lowest eigenvalues of the overlap operator in each chirality, and its index, a charge of
 * the links beside that of the gradient flow. */
#include "src/measure/overlap_measurement.h"

#include "src/base/memory.h"
#include "src/overlap/overlap_modes.h"

#include <math.h>

enum { CHIRALITIES = 2, MODE_RESTARTS = 1000 };

typedef struct {
    measurement_params common;
    double M0, accuracy, residual;
    int64_t boundary, modes, kernel_modes, poles, max_iterations;
    int sign;
} overlap_measurement_params;

static overlap_params operator_of(const overlap_measurement_params *p)
{
    const double none[3] = { 0 };
    return (overlap_params){ .M0 = p->M0, .boundary = quark_boundary_of(p->boundary, none),
                             .sign = (sign_method)p->sign, .modes = (int)p->kernel_modes,
                             .poles = (int)p->poles, .accuracy = p->accuracy,
                             .max_iterations = (int)p->max_iterations };
}

static bool check_params(const void *params, const lattice_shape *shape, failure *f)
{
    const overlap_measurement_params *p = params;
    const double spinors = 6 * (double)lattice_global_sites(shape);           /* of one chirality */
    failure why;
    if (!(p->M0 < 2))
        return fail(f, "%s: M0 must lie between 0 and 2 for one flavor, not %g", p->common.name, p->M0);
    if (!(p->accuracy <= p->residual))
        return fail(f, "%s: the accuracy %g of the sign must not exceed the residual %g of the modes", p->common.name,
                    p->accuracy, p->residual);
    if (!(eigen_basis((int)p->modes) < spinors) || !(eigen_basis((int)p->kernel_modes) < 2 * spinors))
        return fail(f, "%s: the lattice has too few sites for these modes", p->common.name);
    return lattice_slabs_are_possible(shape, PAIR_SLABS, &why) || fail(f, "%s: %s", p->common.name, why.why);
}

typedef struct {
    measurement base;
    const overlap_measurement_params *params;
    overlap *o;
    overlap_modes *modes;
} overlap_measured;

static measurement *create_measurement(const void *params, const gauge *u)
{
    overlap_measured *w = memory_alloc(sizeof *w, "a measurement of overlap quarks");
    w->params = params;
    w->base = (measurement){ &overlap_measurement, w };
    const overlap_params op = operator_of(w->params);
    w->o = overlap_create(&op, u);
    w->modes = overlap_modes_create(u, (int)w->params->modes);
    return &w->base;
}

static void free_overlap(measurement *m)
{
    overlap_measured *w = m->data;
    overlap_modes_free(w->modes);
    overlap_free(w->o);
    memory_free(w);
}

static memory_need count_bytes(const void *params, const lattice_shape *shape)
{
    const overlap_measurement_params *p = params;
    const overlap_params op = operator_of(p);
    const memory_need modes = { .lasting = overlap_modes_bytes(shape, (int)p->modes) };
    return memory_need_add(overlap_bytes(&op, shape), modes);
}

/* ---- results */

static void chirality_to_json(json *j, const char *key, const chiral_modes *c)
{
    json_open(j, key, '{');
    json_int(j, "zero_modes", c->zeros);
    json_reals(j, "eigenvalues", c->value, c->count);
    json_reals(j, "residuals", c->residual, c->count);
    json_close(j);
}

static double smallest_of(const chiral_modes *c)
{
    return c->zeros < c->count ? sqrt(c->value[c->zeros]) : NAN;
}

/* If all computed modes of a chirality are zero modes, there may be more. */
static bool check_zeros(const chiral_modes *c, failure *f)
{
    return c->zeros < c->count
           || fail(f, "all %d computed modes of a chirality are zero modes: compute more modes", c->count);
}

static bool run_measurement(measurement *m, const gauge *u, rng_key key, json *j, clock_tree *clock, failure *f)
{
    overlap_measured *w = m->data;
    const overlap_measurement_params *p = w->params;
    static const char *const keys[CHIRALITIES] = { "positive", "negative" };
    chiral_modes *c = memory_alloc(CHIRALITIES * sizeof *c, "modes of overlap quarks");
    overlap_modes_goal goal = { .residual = p->residual, .max_restarts = MODE_RESTARTS, .key = key };
    clock_begin(clock, "kernel");
    bool ok = overlap_update(w->o, u, key, 0, f);
    clock_end(clock);
    clock_begin(clock, "modes");
    if (ok)
        overlap_kernel_to_json(j, w->o);
    for (int i = 0; ok && i < CHIRALITIES; i++) {
        ok = overlap_modes_compute(&c[i], w->modes, w->o, i, &goal, f) && check_zeros(&c[i], f);
        chirality_to_json(j, keys[i], &c[i]);
    }
    clock_end(clock);
    if (ok) {
        json_int(j, "index", c[1].zeros - c[0].zeros);
        json_real(j, "smallest", fmin(smallest_of(&c[0]), smallest_of(&c[1])));
    }
    json_int(j, "applications", overlap_work_done(w->o).applications);
    json_int(j, "iterations", overlap_work_done(w->o).iterations);
    memory_free(c);
    return ok;
}

/* <Q^2> / V */
static double susceptibility(double slope[2], const double mean[2], const int *extents, double xi)
{
    const double volume = (double)extents[0] * extents[1] * extents[2] * extents[3];
    (void)xi;
    slope[0] = 0;
    slope[1] = 1 / volume;
    return mean[1] / volume;
}
static const measured_moments index_moments = { "susceptibility_index", "1/a\u2074", susceptibility, NULL };

#define CHIRAL_MEMBERS(key, sign)                                                                                      \
    MEMBER(key ".zero_modes", NULL, NULL, "number of zero modes with gamma5 = " sign "1: eigenvalues up to 4 M0^2 x "  \
           "`residual`"),                                                                                              \
    MEMBER(key ".eigenvalues", "1/a\u00b2", "[mode]", "the lowest eigenvalues \\|lambda\\|^2 of D(0)^+ D(0) on "       \
           "spinors with gamma5 = " sign "1, ascending"),                                                              \
    MEMBER(key ".residuals", NULL, "[mode]", "their residuals, in units of 4 M0^2")

static const result_member members[] = {
    MEMBER("index", NULL, NULL, "number of zero modes of D(0) with negative chirality minus that with positive "
           "chirality: the topological charge, with the sign of the `charge` of the flow", .headline = true,
           .moments = &index_moments),
    MEMBER("smallest", "1/a", NULL, "smallest \\|lambda\\| of D(0) that is not zero", .headline = true),
    CHIRAL_MEMBERS("positive", "+"),
    CHIRAL_MEMBERS("negative", "-"),
    MEMBER("kernel.sign", NULL, NULL, "approximation of the sign function: `zolotarev` or `chebyshev`"),
    MEMBER("kernel.eigenvalues", "1/a", "[mode]", "the eigenvalues of the kernel H on which sign(H) is exact, by "
           "ascending modulus"),
    MEMBER("kernel.residuals", "1/a", "[mode]", "\\|H x - lambda x\\| of \\|x\\| = 1"),
    MEMBER("kernel.lower", "1/a", NULL, "lower end of the approximation: a lower bound of \\|H\\| on all other modes"),
    MEMBER("kernel.upper", "1/a", NULL, "upper end: 8 - M0"),
    MEMBER("kernel.poles", NULL, NULL, "`zolotarev`: number of poles"),
    MEMBER("kernel.degree", NULL, NULL, "`chebyshev`: degree in H^2"),
    MEMBER("kernel.error", NULL, NULL, "bound on the error of the approximation of the sign"),
    MEMBER("kernel.applications", NULL, NULL, "applications of H^2 for the modes of the kernel"),
    MEMBER("applications", NULL, NULL, "applications of sign(H)"),
    MEMBER("iterations", NULL, NULL, "applications of H^2 for these"),
    { 0 }
};
static const result_group results[] = { { "Overlap quarks", NULL, NULL, members }, { 0 } };

/* ---- input */

#define AT(member) offsetof(overlap_measurement_params, member)

static const param_spec specs[] = {
    MEASUREMENT_SPECS("overlap"),
    { .key = "M0", .type = PARAM_REAL, .offset = AT(M0), .fallback = "1.4", .min = 0, .max = 2,
      .flags = PARAM_ABOVE_MIN, .doc = "minus the mass of the Wilson kernel H = gamma5 D_w(-M0), below 2" },
    { .key = "boundary", .type = PARAM_INT, .offset = AT(boundary), .fallback = "1", .min = 0, .max = 1,
      .doc = "phase of the boundary in t, in units of pi: 1 antiperiodic, 0 periodic" },
    { .key = "modes", .type = PARAM_INT, .offset = AT(modes), .fallback = "4", .min = 1, .max = OVERLAP_MODES_MAX,
      .doc = "number of eigenvalues of D^+ D in each chirality, more than zero modes are expected" },
    { .key = "residual", .type = PARAM_REAL, .offset = AT(residual), .fallback = "1e-8", .min = 1e-12, .max = 0.01,
      .flags = PARAM_NUMERICAL,
      .doc = "largest residual of these modes, in units of 4 M0^2; an eigenvalue below it is zero" },
    { .key = "sign", .type = PARAM_CHOICE, .offset = AT(sign), .fallback = "zolotarev",
      .choices = sign_method_names, .flags = PARAM_NUMERICAL,
      .doc = "approximation of the sign function; chebyshev needs less memory and more applications of H^2" },
    { .key = "accuracy", .type = PARAM_REAL, .offset = AT(accuracy), .fallback = "1e-10", .min = 1e-14, .max = 0.01,
      .flags = PARAM_NUMERICAL, .doc = "smallest error of sign(H) v, over |v|; at most `residual`" },
    { .key = "kernel_modes", .type = PARAM_INT, .offset = AT(kernel_modes), .fallback = "8", .min = 1,
      .max = KERNEL_MODES_MAX, .flags = PARAM_NUMERICAL,
      .doc = "number of lowest eigenvectors of H on which the sign is exact" },
    { .key = "poles", .type = PARAM_INT, .offset = AT(poles), .fallback = "24", .min = 1, .max = RATIONAL_POLES,
      .flags = PARAM_NUMERICAL, .choice = "sign", .chosen = "zolotarev",
      .doc = "zolotarev: largest number of poles, for which there is memory" },
    { .key = "max_iterations", .type = PARAM_INT, .offset = AT(max_iterations), .fallback = "20000", .min = 1,
      .max = 10000000, .flags = PARAM_NUMERICAL, .choice = "sign", .chosen = "zolotarev",
      .doc = "zolotarev: largest number of iterations of a solve with H^2; if one does not converge, the record "
             "reports it; the run continues" },
    { 0 }
};

const measurement_kind overlap_measurement = {
    .input = { .name = "overlap",
               .doc = "lowest eigenvalues of the overlap operator in each chirality, and its index",
               .params = specs,
               .example = "every: 10\nmodes: 6\nkernel_modes: 16",
               .see = "overlap.md#measurement",
               .size = sizeof(overlap_measurement_params) },
    .results = results,
    .check = check_params,
    .create = create_measurement,
    .free = free_overlap,
    .run = run_measurement,
    .bytes = count_bytes,
};
