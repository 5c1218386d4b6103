/* gauge_action.c - Wilson, Symanzik, Iwasaki, DBW2, isotropic and anisotropic: rows of one table, one action and one
 * force. */
#include "actions/gauge_action.h"

#include "src/base/memory.h"
#include "src/comm/comm.h"
#include "src/gauge/gauge_observables.h"
#include "src/lattice/kernels.h"

#include <math.h>
#include <string.h>

SUM_KERNEL_TUNED(gauge_force_plaquette, 1, 1);
SUM_KERNEL_TUNED(gauge_force_rectangle, 1, 1);
SUM_KERNEL_TUNED(gauge_force_parallelogram, 1, 1);
SUM_KERNEL(weighted_force_plaquette, 1, 1);
SUM_KERNEL(weighted_force_rectangle, 1, 1);
SUM_KERNEL(weighted_force_parallelogram, 1, 1);

/* c_plaq = 1 - 8 c1, c_rect = c1: the continuum limit fixes c_plaq + 8 c_rect = 1. */
static loop_coefficients from_c1(double c1)
{
    return (loop_coefficients){ 1 - 8 * c1, c1, 0 };
}

static loop_coefficients wilson(const gauge_params *p) { (void)p; return from_c1(0); }
static loop_coefficients symanzik_tree(const gauge_params *p) { (void)p; return from_c1(-1.0 / 12); }
static loop_coefficients iwasaki(const gauge_params *p) { (void)p; return from_c1(-0.331); }
static loop_coefficients dbw2(const gauge_params *p) { (void)p; return from_c1(-1.4088); }
static loop_coefficients rectangle_free(const gauge_params *p) { return from_c1(p->c1); }

/* c_plaq = 1, so that beta = 10/g^2 as in MILC; the terms with n are the fermion loops. */
static loop_coefficients symanzik_1loop(const gauge_params *p)
{
    double log_u0 = comm_number(comm_world(), log(p->u0)), u0_2 = p->u0 * p->u0, n = (double)p->flavors;
    return (loop_coefficients){ 1, -(1 - (0.6264 - 1.1746 * n) * log_u0) / (20 * u0_2),
                                (0.0433 - 0.0156 * n) * log_u0 / u0_2 };
}

/* How an action depends on xi_0.  ONE_FACTOR: loops with links in t have the factor xi_0, others 1/xi_0;
 * ISOTROPIC_ONLY: it has no xi_0; TADPOLES: it needs xi_0, u_s and u_t. */
typedef enum { ONE_FACTOR, ISOTROPIC_ONLY, TADPOLES } anisotropy;

static const struct {
    loop_coefficients (*coefficients)(const gauge_params *p);
    bool has_c1, has_u0;
    anisotropy xi;
    double least;                           /* the smallest usual beta */
    const char *source;
} rows[] = {
    { wilson, false, false, ONE_FACTOR, 1, "K. G. Wilson, Phys. Rev. D 10 (1974) 2445; beta = 6/g^2; with xi_0: "
      "F. Karsch, Nucl. Phys. B 205 (1982) 285; T. R. Klassen, Nucl. Phys. B 533 (1998) 557" },
    { symanzik_tree, false, false, ONE_FACTOR, 1,
      "M. Luescher and P. Weisz, Commun. Math. Phys. 97 (1985) 59; beta = 6/g^2; with xi_0, this action and those with "
      "other c1: S. Sakai, T. Saito, A. Nakamura, Nucl. Phys. B 584 (2000) 528" },
    { iwasaki, false, false, ONE_FACTOR, 1, "Y. Iwasaki, UTHEP-118 (1983), arXiv:1111.7054; c1 = -0.331" },
    { dbw2, false, false, ONE_FACTOR, 0.5,
      "QCD-TARO, P. de Forcrand et al., Nucl. Phys. B 577 (2000) 263; c1 = -1.4088" },
    { rectangle_free, true, false, ONE_FACTOR, 0.5, "c_plaq = 1 - 8 c1, c_rect = c1 with c1 from the input" },
    { symanzik_1loop, false, true, ISOTROPIC_ONLY, 1,
      "M. Luescher and P. Weisz, Phys. Lett. B 158 (1985) 250; M. Alford et al., Phys. Lett. B 361 (1995) 87; "
      "loops of HISQ quarks: A. Hart, G. M. von Hippel, R. R. Horgan, Phys. Rev. D 79 (2009) 074008; these numbers: "
      "MILC, Phys. Rev. D 82 (2010) 074501, eq. (A2); beta = 10/g^2" },
    { symanzik_tree, false, false, TADPOLES, 1,
      "C. Morningstar and M. Peardon, Phys. Rev. D 60 (1999) 034509, hep-lat/9901004; beta = 6/g^2" },
};

const char *const gauge_action_names[] = { "wilson", "symanzik_tree", "iwasaki", "dbw2", "rectangle",
                                           "symanzik_1loop", "symanzik_anisotropic", NULL };

int gauge_action_find(const char *name)
{
    for (int i = 0; gauge_action_names[i]; i++)
        if (strcmp(gauge_action_names[i], name) == 0)
            return i;
    return -1;
}

loop_coefficients gauge_action_coefficients(const gauge_params *p)
{
    return rows[p->action].coefficients(p);
}

double gauge_action_xi(const gauge_params *p)
{
    return p->given.xi_0 ? p->xi_0 : 1;
}

/* For TADPOLES: factors that multiply the coefficients 5/3 and -1/12.  Rectangles with two steps in t have factor 0:
 * they would cause spurious modes of high energy. */
static time_weights tadpole_weights(double xi, double u_s, double u_t)
{
    const double s2 = u_s * u_s, t2 = u_t * u_t;
    return (time_weights){ .plaquette = { 1 / (xi * s2 * s2), 0.8 * xi / (s2 * t2) },
                           .rectangle = { 1 / (xi * s2 * s2 * s2), xi / (s2 * s2 * t2), 0 },
                           .parallelogram = { 1, 1 }, .ends = 1 };
}

double gauge_action_end_weight(const gauge_params *p)
{
    return p->given.c_G ? p->c_G : 1;
}

time_weights gauge_action_weights(const gauge_params *p, bool open)
{
    const double xi = gauge_action_xi(p), less = 1 / xi;
    time_weights w = { { less, xi }, { less, xi, xi }, { less, xi }, 1, 0 };
    if (rows[p->action].xi == TADPOLES)
        w = tadpole_weights(xi, p->u_s, p->u_t);
    w.open = open;
    w.ends = open ? gauge_action_end_weight(p) / 2 : 1;
    return w;
}

static bool check_anisotropy(const gauge_params *p, failure *f)
{
    const char *name = gauge_action_names[p->action];
    const bool all = p->given.xi_0 && p->given.u_s && p->given.u_t;
    if (p->given.xi_0 && !(p->xi_0 > 0))
        return fail(f, "xi_0 is %g, but an anisotropy is above 0", p->xi_0);
    if ((p->given.u_s && !(p->u_s > 0)) || (p->given.u_t && !(p->u_t > 0)))
        return fail(f, "u_s or u_t is 0, but a tadpole factor is above 0");
    if (rows[p->action].xi == TADPOLES && p->given.xi_0 && p->xi_0 == 1)
        return fail(f, "xi_0: 1: action %s is anisotropic at xi_0 = 1, too: use symanzik_tree", name);
    if (rows[p->action].xi == TADPOLES)
        return all || fail(f, "action %s needs xi_0, the bare anisotropy, and u_s and u_t, the tadpole factors of "
                              "links in space and in t", name);
    if (p->given.u_s || p->given.u_t)
        return fail(f, "action %s has no u_s and u_t: only symanzik_anisotropic has these keys", name);
    return !p->given.xi_0 || rows[p->action].xi == ONE_FACTOR
           || fail(f, "xi_0: action %s is isotropic: on anisotropic lattices use symanzik_anisotropic, or wilson and "
                      "others without tadpole factors", name);
}

bool gauge_params_check(const gauge_params *p, failure *f)
{
    const char *name = gauge_action_names[p->action];
    if (rows[p->action].has_c1 != p->given.c1)
        return rows[p->action].has_c1 ? fail(f, "action %s needs c1, the coefficient of the rectangle", name)
                                      : fail(f, "action %s has a fixed c1: only action rectangle has this key", name);
    if (rows[p->action].has_u0 != p->given.u0)
        return rows[p->action].has_u0 ? fail(f, "action %s needs u0, the tadpole factor", name)
                                      : fail(f, "action %s has no u0: only symanzik_1loop has this key", name);
    if (p->given.u0 && !(p->u0 > 0))
        return fail(f, "u0 is %g, but a tadpole factor is above 0", p->u0);
    if (!rows[p->action].has_u0 && p->given.flavors)
        return fail(f, "action %s has no flavors: only symanzik_1loop has this key", name);
    return check_anisotropy(p, f);
}

static bool check_params(const monomial_kind *kind, const void *params, const lattice_shape *shape, failure *f)
{
    const gauge_params *p = params;
    (void)kind;
    if (p->given.c_G && !shape->open_in_time)
        return fail(f, "c_G: the weight of boundary loops is given, but the lattice is periodic in t (boundary.time); "
                       "remove c_G, or set boundary.time to open");
    return gauge_params_check(p, f);
}

/* defect.factor is 1 without a defect; with_factors: memory for the links times the factors of the defect, borrowed */
typedef struct { monomial base; gauge_params params; link_defect defect; gauge *with_factors; } gauge_term;

static const gauge_params *params_of(const monomial *m)
{
    return &((const gauge_term *)m->data)->params;
}

static monomial *create_action(const monomial_kind *kind, const void *params, const gauge *u)
{
    (void)u;
    gauge_term *term = memory_alloc(sizeof *term, "a gauge action");
    term->params = *(const gauge_params *)params;
    term->defect.factor = 1;
    term->base = (monomial){ kind, term };
    return &term->base;
}

static void free_term(monomial *m)
{
    memory_free(m->data);
}

static void set_defect(monomial *m, const link_defect *d, gauge *with_factors)
{
    gauge_term *term = m->data;
    term->defect = *d;
    term->with_factors = with_factors;
}

/* The links times the factors of the defect; u itself without a defect. */
static const gauge *links_of_loops(const monomial *m, const gauge *u)
{
    const gauge_term *term = m->data;
    if (term->defect.factor == 1)
        return u;
    gauge_copy(term->with_factors, u);
    defect_weight_links(term->with_factors, &term->defect);
    return term->with_factors;
}

static bool weighted_action(double *value, const gauge_params *p, const time_weights *w, const gauge *u)
{
    const loop_coefficients c = gauge_action_coefficients(p);
    const loop_sums s = gauge_weighted_loops(u, w, c.rectangle != 0, c.parallelogram != 0);
    *value = p->beta * (c.plaquette * s.plaquette + c.rectangle * s.rectangle + c.parallelogram * s.parallelogram);
    return true;
}

static bool action(double *value, monomial *m, const gauge *u, monomial_call *call)
{
    (void)call;
    const time_weights w = gauge_action_weights(params_of(m), lattice_is_open(u->links.lattice));
    u = links_of_loops(m, u);
    if (!time_weights_are_equal(&w))
        return weighted_action(value, params_of(m), &w, u);
    loop_coefficients c = gauge_action_coefficients(params_of(m));
    double volume = (double)lattice_volume(u->links.lattice), density = 0;
    density += c.plaquette * 6 * (1 - gauge_plaquette(u).average);
    if (c.rectangle != 0)
        density += c.rectangle * 12 * (1 - gauge_rectangle(u));
    if (c.parallelogram != 0)
        density += c.parallelogram * 16 * (1 - gauge_parallelogram(u));
    *value = params_of(m)->beta * density * volume;
    return true;
}

static const sum_kernel *force_kernel(loop_coefficients c, bool weighted)
{
    if (weighted)
        return c.parallelogram != 0 ? &weighted_force_parallelogram
             : c.rectangle != 0     ? &weighted_force_rectangle
                                    : &weighted_force_plaquette;
    return c.parallelogram != 0 ? &gauge_force_parallelogram
         : c.rectangle != 0     ? &gauge_force_rectangle
                                : &gauge_force_plaquette;
}

static bool add_force(monomial *m, const gauge *u, momentum *p, double weight, sum_cells size, monomial_call *call)
{
    (void)call;
    loop_coefficients c = gauge_action_coefficients(params_of(m));
    double third = params_of(m)->beta / 3;
    u = links_of_loops(m, u);
    gauge_force_args args = { .l = lattice_on(u->links.lattice, u->links.where),
                              .u = gauge_view_of(u),
                              .p = momentum_view_of(p),
                              .weight = weight,
                              .plaquette = third * c.plaquette,
                              .rectangle = third * c.rectangle,
                              .parallelogram = third * c.parallelogram };
    const weighted_force_args weighted_args = { args, gauge_action_weights(params_of(m),
                                                                           lattice_is_open(u->links.lattice)) };
    const bool weighted = !time_weights_are_equal(&weighted_args.w);
    const sum_launch sum = { .where = u->links.where, .precision = u->links.precision,
                             .args = weighted ? (const void *)&weighted_args : &args,
                             .range = lattice_all(u->links.lattice) };
    gauge_exchange(u, GHOSTS_LOOPS);
    run_sum_into(force_kernel(c, weighted), &sum, size);
    return true;
}

static memory_need count_bytes(const monomial_kind *kind, const void *params, const lattice_shape *shape)
{
    (void)kind;
    (void)params;
    (void)shape;
    return (memory_need){ 0 };
}

/* `products`: products of 3x3 matrices for the staples of one signed direction nu (kernels/gauge_force.c).  A link has
 * six signed nu and one more product; a product has 198 flops.  Compulsory bytes: links read, momenta read and
 * written. */
static work force_work(const monomial_kind *kind, const void *params, const lattice_shape *shape)
{
    (void)kind;
    loop_coefficients c = gauge_action_coefficients(params);
    double links = 4.0 * (double)lattice_local_sites(shape);
    double products = (c.rectangle != 0 ? 11 : 2) + (c.parallelogram != 0 ? 4 * 3 + 1 : 0);
    return (work){ .flops = links * (6 * products + 1) * 198, .bytes = links * (18 + 2 * 8) * sizeof(double) };
}

static loop_weights link_weights(const void *params, const double *beta, bool open)
{
    const gauge_params *p = params;
    loop_coefficients c = gauge_action_coefficients(p);
    double third = (beta ? *beta : p->beta) / 3;
    return (loop_weights){ third * c.plaquette, third * c.rectangle, third * c.parallelogram,
                           gauge_action_weights(p, open) };
}

/* Couplings outside `least` and this bound are not used for ensembles; often such a beta has the normalization of
 * another action. */
#define BETA_USUAL_MOST 20

static void advise(text *lines, const void *params)
{
    const gauge_params *p = params;
    const double least = rows[p->action].least;
    if (p->beta < least || p->beta > BETA_USUAL_MOST)
        text_add(lines, "%s: beta: %g is outside %g to %d, the range of usual couplings of action %s; beta is %s "
                        "there\n",
                 p->name, p->beta, least, BETA_USUAL_MOST, gauge_action_names[p->action],
                 rows[p->action].has_u0 ? "10/g^2" : "6/g^2");
}

static double anisotropy_of(const void *params)
{
    return gauge_action_xi(params);
}

static const param_spec gauge_specs[] = {
    { .key = "name", .type = PARAM_TEXT, .offset = offsetof(gauge_params, name), .fallback = "gauge",
      .flags = PARAM_NOT_EMPTY, .doc = "name of the term in `hmc.levels`" },
    { .key = "action", .type = PARAM_CHOICE, .offset = offsetof(gauge_params, action), .choices = gauge_action_names,
      .doc = "coefficients of the loops" },
    { .key = "beta", .type = PARAM_REAL, .offset = offsetof(gauge_params, beta), .min = 0, .max = 1000,
      .doc = "coupling: 6/g^2, but 10/g^2 for symanzik_1loop (MILC's normalization, c_plaq = 1)" },
    { .key = "c1", .type = PARAM_REAL, .offset = offsetof(gauge_params, c1), .given = offsetof(gauge_params, given.c1),
      .min = -10, .max = 10, .flags = PARAM_OPTIONAL, .choice = "action", .chosen = "rectangle",
      .doc = "action rectangle: coefficient of the rectangles; c_plaq = 1 - 8 c1" },
    { .key = "u0", .type = PARAM_REAL, .offset = offsetof(gauge_params, u0), .given = offsetof(gauge_params, given.u0),
      .min = 0, .max = 1, .flags = PARAM_OPTIONAL | PARAM_ABOVE_MIN, .choice = "action", .chosen = "symanzik_1loop",
      .doc = "action symanzik_1loop: tadpole factor, the fourth root of the plaquette" },
    { .key = "c_G", .type = PARAM_REAL, .offset = offsetof(gauge_params, c_G),
      .given = offsetof(gauge_params, given.c_G), .min = -100, .max = 100, .flags = PARAM_OPTIONAL,
      .doc = "open boundaries in t (`boundary.time`): boundary improvement coefficient; loops in space in the "
             "first and the last time slice have the weight c_G/2; without it 1, the value at tree level" },
    { .key = "xi_0", .type = PARAM_REAL, .offset = offsetof(gauge_params, xi_0),
      .given = offsetof(gauge_params, given.xi_0), .min = 0, .max = 100, .flags = PARAM_OPTIONAL | PARAM_ABOVE_MIN,
      .doc = "anisotropic lattices: bare anisotropy; the coefficients of loops with links in t have the factor xi_0, "
             "those of loops in space 1/xi_0; without it the action is isotropic; required by symanzik_anisotropic" },
    { .key = "u_s", .type = PARAM_REAL, .offset = offsetof(gauge_params, u_s),
      .given = offsetof(gauge_params, given.u_s), .min = 0, .max = 1, .flags = PARAM_OPTIONAL | PARAM_ABOVE_MIN,
      .choice = "action", .chosen = "symanzik_anisotropic",
      .doc = "action symanzik_anisotropic: tadpole factor of links in space, the fourth root of the "
             "spatial plaquette" },
    { .key = "u_t", .type = PARAM_REAL, .offset = offsetof(gauge_params, u_t),
      .given = offsetof(gauge_params, given.u_t), .min = 0, .max = 1, .flags = PARAM_OPTIONAL | PARAM_ABOVE_MIN,
      .choice = "action", .chosen = "symanzik_anisotropic",
      .doc = "action symanzik_anisotropic: tadpole factor of links in t, mostly 1" },
    { .key = "flavors", .type = PARAM_INT, .offset = offsetof(gauge_params, flavors), .fallback = "0", .min = 0,
      .max = 16, .choice = "action", .chosen = "symanzik_1loop",
      .doc = "action symanzik_1loop: dynamical flavors in the one-loop coefficients" },
    { 0 }
};

const monomial_kind gauge_monomial = {
    .input = { .name = "gauge",
               .doc = "pure-gauge action of plaquettes, rectangles and parallelograms",
               .params = gauge_specs,
               .example = "name: gauge\naction: iwasaki\nbeta: 2.13",
               .see = "physics.md#gauge-action",
               .size = sizeof(gauge_params) },
    .open_in_time = true,
    .anisotropy = anisotropy_of,
    .check = check_params,
    .create = create_action,
    .free = free_term,
    .action = action,
    .add_force = add_force,
    .bytes = count_bytes,
    .force_work = force_work,
    .link_weights = link_weights,
    .set_defect = set_defect,
    .advise = advise,
    .qcdml = &gauge_qcdml,
};
