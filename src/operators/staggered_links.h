/* staggered_links.h - the links of staggered quarks: smeared, projected, with phases; several Naik epsilons.
 *
 *     U --first path table--> V --projection--> W --second path table--> X (fat), N (three links in a row)
 *
 * HISQ: E. Follana et al., hep-lat/0610092; Asqtad: K. Orginos, D. Toussaint, R. L. Sugar, hep-lat/9903032.
 * docs/conventions.md has the formulas.  V and W carry no phases; X and N carry the staggered phases (order t,x,y,z)
 * and the boundary in t.  X = X_0 + epsilon/8 W with phases, and the Naik term is naik (1 + epsilon) N: all sets share
 * V, W, X_0 and N. */
#ifndef KILN_OPERATORS_STAGGERED_LINKS_H
#define KILN_OPERATORS_STAGGERED_LINKS_H

#include "src/gauge/gauge.h"
#include "src/kernels/staggered_args.h"

typedef enum { STAGGERED_NAIVE, STAGGERED_ASQTAD, STAGGERED_HISQ } staggered_kind;
typedef enum { PROJECTION_U3, PROJECTION_SU3 } projection_group;
extern const char *const staggered_kind_names[];          /* "naive", "asqtad", "hisq", NULL */
extern const char *const projection_names[];              /* "u3", "su3", NULL */

enum { EPSILONS_MAX = 8 };

typedef struct {
    staggered_kind kind;
    double u0;                        /* Asqtad's tadpole factor; 1 for the others */
    projection_group projection;      /* HISQ */
    double boundary;                  /* phase of quarks around the lattice in t, in units of pi: 1 antiperiodic, 0
                                       * periodic; an imaginary mu adds mu_I/(pi T) */
    int epsilons;                     /* sets of links; naive and Asqtad: 1 */
    double epsilon[EPSILONS_MAX];     /* any order; need not hold 0 */
} staggered_links_params;

/* The index of an epsilon in the list, to which it is added if it is not there yet; -1 if there are too many. */
int staggered_links_add_epsilon(staggered_links_params *p, double epsilon);

/* Coefficients of the two levels.  A level with one = 1 and all others 0 does nothing. */
path_table staggered_first_table(const staggered_links_params *p);
path_table staggered_second_table(const staggered_links_params *p);      /* of epsilon 0 */
bool staggered_has_projection(const staggered_links_params *p);

/* Whether a level leaves links unchanged (apart from the Naik term, which is a separate field). */
bool staggered_level_does_nothing(const path_table *level);

/* The published series in the bare mass a m: hep-lat/0610092; docs/conventions.md. */
double naik_epsilon_of_mass(double mass);

/* Reads an epsilon of the input: "auto" (the series in `mass`), or a number with |epsilon| < 10; else false. */
bool naik_epsilon_read(double *epsilon, const char *given, double mass);

typedef struct staggered_links staggered_links;

/* Memory for the links of gauge fields like `u`; working memory of an update is in the workspace. */
staggered_links *staggered_links_create(const staggered_links_params *p, const gauge *u);
void staggered_links_free(staggered_links *s);
memory_need staggered_links_bytes(const staggered_links_params *p, const lattice_shape *shape, precision prec);

/* Smears u; does nothing if the links are those of u already (gauge.version). */
void staggered_links_update(staggered_links *s, const gauge *u);

const staggered_links_params *staggered_links_params_of(const staggered_links *s);

/* The links of the last update, borrowed.  set: index of a Naik epsilon.  V is NULL if the first level does nothing
 * (V = U); W is NULL if there is no projection (W = V). */
const gauge *staggered_v(const staggered_links *s);
const gauge *staggered_w(const staggered_links *s);
const gauge *staggered_fat(const staggered_links *s, int set);
const gauge *staggered_naik(const staggered_links *s);                   /* N without coefficient; NULL: no Naik term */
double staggered_naik_coefficient(const staggered_links *s, int set);    /* naik (1 + epsilon) */

/* How a copy of N is stored (staggered_low.h): in full, or in 13 numbers (site/formats.h), which needs U(3)
 * matrices. */
typedef enum { NAIK_IN_18, NAIK_IN_13, NAIK_STORAGES } naik_storage;

/* For the projections since the last call: number of links that needed the SVD, and the smallest eigenvalue of V^+V. */
typedef struct { double svd_links, smallest_eigenvalue; } projection_facts;
projection_facts staggered_projection_facts(staggered_links *s);

#endif
