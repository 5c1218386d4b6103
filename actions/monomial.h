/* monomial.h - one term of the action: a kind is a constant table of functions.
 *
 * A monomial refreshes its fields, gives its action, and adds its force:
 *     dS/dtau = -sum Re Tr P^+F along dU/dtau = P U.
 * Adding a kind touches its own file and one line of monomials.c. */
#ifndef KILN_ACTIONS_MONOMIAL_H
#define KILN_ACTIONS_MONOMIAL_H

#include "actions/energy_error.h"
#include "actions/qcdml_term.h"
#include "src/base/clock.h"
#include "src/base/number_row.h"
#include "src/config/schema.h"
#include "src/gauge/defect.h"
#include "src/gauge/link_colors.h"
#include "src/lattice/sums.h"

typedef struct monomial monomial;

/* The size of a force, for one evaluation: the sum and the maximum of Tr F^+F over links.  These are the numbers of
 * cells (site/exact_sum.h) that hold them, at the place of the field. */
enum { FORCE_SUMS = 1, FORCE_MAXIMA = 1 };

/* The work of an evaluation for one process, counted from the algorithm: floating-point operations, compulsory bytes.
 * solves: the number of solves, set by iteration_work only. */
typedef struct { double flops, bytes, solves; } work;

/* Further inputs and outputs of a call. */
typedef struct {
    bool unchecked;                     /* in, for a refresh: the caller takes S from `drawn`; no action at these links
                                         * will check it */
    clock_tree *clock;                  /* in: parts of the call are timed under the timer now open; NULL: untimed */
    failure failure;                    /* out, if the call returns false: why, e.g. a solve that did not converge */
    double drawn;                       /* out, of a refresh: S at these links, from |eta|^2 of the random numbers and
                                         * the terms without pseudofermions */
} monomial_call;

/* The memory of a monomial: the numbers, besides links, input and random numbers, on which later trajectories depend; a
 * part of every state on disk.  MONOMIAL_MEMORY: their largest count. */
enum { MONOMIAL_MEMORY = 8 };

typedef struct monomial_kind monomial_kind;
struct monomial_kind {
    param_kind input;                   /* name and parameters; their struct begins with `char *name` */
    int        hops;                    /* the distance in one direction that its kernels read, if above 2 sites */
    bool       su3_links;               /* its operators keep links as SU(3) matrices in double precision, and refuse
                                         * others (gauge/packed_links.h) */
    bool       open_in_time;            /* supports open boundaries in t (lattice/shape.h) */
    /* Checks beyond the table: parameters that depend on each other, requirements on the lattice.  A
     * sentence about one value begins with its path, "determinants.1.mass: ...", and is reported at its line. */
    bool      (*check)(const monomial_kind *kind, const void *params, const lattice_shape *shape, failure *f);
    monomial *(*create)(const monomial_kind *kind, const void *params, const gauge *u);          /* params are copied */
    void      (*free)(monomial *m);

    /* False with the reason in c->failure, e.g. a solve that did not converge; the fields stay as they were at that
     * moment.  A refresh adds S, computed from its random numbers, to c->drawn. */
    bool      (*refresh)(monomial *m, const gauge *u, rng_key key, monomial_call *c);
    bool      (*action)(double *value, monomial *m, const gauge *u, monomial_call *c);
    bool      (*add_force)(monomial *m, const gauge *u, momentum *p, double weight, sum_cells size, monomial_call *c);

    /* Called before trajectory `number` with links `u`: measure spectral bounds and change approximations.  The result
     * depends only on links, number and memory. */
    bool      (*prepare)(monomial *m, const gauge *u, int64_t number, monomial_call *c);
    int       (*get_memory)(const monomial *m, double values[MONOMIAL_MEMORY]);       /* returns their count */
    void      (*set_memory)(monomial *m, const double *values, int count);

    /* Report on the time since the last report (iterations, residuals, spectra) as members of an open object. */
    void      (*report)(monomial *m, json *j);
    /* Warnings about the same time, before the report: each a sentence and a line feed; NULL: there are none. */
    void      (*warn)(monomial *m, text *lines);

    /* Its pseudofermions: field `index`, borrowed; NULL after the last.  *name (name may be NULL) is borrowed. */
    field    *(*pseudofermion_at)(monomial *m, int index, const char **name);

    /* Called after a refresh if SMD has mixed the new pseudofermions with the previous ones (hmc/smd.h): then S differs
     * from `drawn`. */
    void      (*mixed)(monomial *m);
    /* Bytes of the fields of pseudofermion_at; NULL: there are none. */
    size_t    (*pseudofermion_bytes)(const monomial_kind *kind, const void *params, const lattice_shape *shape);

    /* For mid-trajectory checkpoints: the state between two steps, besides memory and pseudofermions, on which the rest
     * of the trajectory and its report depend.  With it, another monomial with the same parameters gives the same bits.
     * progress         numbers, always the same count; among them the number of the fields below
     * start_vector_at  fields: start vectors of solves, and vectors of the state of a solver (solver_kind.state);
     *                  NULL after the last */
    void      (*progress)(monomial *m, number_row *row);
    field    *(*start_vector_at)(monomial *m, int index);

    /* Device memory that create or the first use allocates; `shared`: in the workspace, during one call. */
    memory_need (*bytes)(const monomial_kind *kind, const void *params, const lattice_shape *shape);
    /* The largest number of bytes of the fields of start_vector_at; NULL: there are none. */
    size_t    (*start_vector_bytes)(const monomial_kind *kind, const void *params, const lattice_shape *shape);
    work      (*force_work)(const monomial_kind *kind, const void *params, const lattice_shape *shape);
    /* The work of one iteration of each solve of a force, not included in force_work; NULL: there are no solves. */
    work      (*iteration_work)(const monomial_kind *kind, const void *params, const lattice_shape *shape);
    /* Adds to `e` the errors of S by residuals and rational functions (energy_error.h); NULL: there are none. */
    void      (*energy_errors)(energy_errors *e, const monomial_kind *kind, const void *params,
                               const lattice_shape *shape);
    /* For `kiln check`: lines about consequences of these parameters; NULL: none. */
    void      (*describe)(text *lines, const monomial_kind *kind, const void *params, const lattice_shape *shape);
    /* Adds a line for each value that is allowed but probably a mistake; NULL: no checks. */
    void      (*advise)(text *lines, const void *params);
    /* For kiln tune: the value of the PARAM_TUNABLE real `key`, as schema_each names it, changed by a factor.  NULL:
     * the value times the factor. */
    double    (*tuned_value)(const void *params, const char *key, double value, double factor);
    /* For heat-bath updates of single links: S as weights of loops, with *beta instead of its own beta (NULL: its own),
     * and with open boundaries in t if `open`.  No function: S is not a sum over loops. */
    loop_weights (*link_weights)(const void *params, const double *beta, bool open);
    /* The bare anisotropy a_s/a_t of its action, 1 if it is isotropic; NULL: all actions of the kind are isotropic. */
    double    (*anisotropy)(const void *params);
    /* From now on S has the factors of this defect (src/gauge/defect.h); `with_factors`: memory for links K U,
     * borrowed, used only during calls.  A kind with this function also has link_weights, so that the dependence of S
     * on the factor follows from loops (src/gauge/defect_loops.h).  NULL: the kind supports no defects. */
    void      (*set_defect)(monomial *m, const link_defect *d, gauge *with_factors);
    const qcdml_term *qcdml;            /* for documents of QCDml; NULL: QCDml cannot describe this kind */
    const void *family;                 /* specific data of kinds that share functions; or NULL */
};

struct monomial {
    const monomial_kind *kind;
    void *data;                         /* of the kind */
};

/* Each calls the function of the kind; if this is NULL, it does nothing, and returns true, 0 or NULL.  monomial_need
 * calls `bytes`, monomial_pseudofermion pseudofermion_at, monomial_start_vector start_vector_at.  monomial_check also
 * compares open_in_time with the shape. */
bool   monomial_check(const monomial_kind *kind, const void *params, const lattice_shape *shape, failure *f);
monomial *monomial_create(const monomial_kind *kind, const void *params, const gauge *u);
memory_need monomial_need(const monomial_kind *kind, const void *params, const lattice_shape *shape);
size_t monomial_pseudofermion_bytes(const monomial_kind *kind, const void *params, const lattice_shape *shape);
size_t monomial_start_vector_bytes(const monomial_kind *kind, const void *params, const lattice_shape *shape);
bool   monomial_refresh(monomial *m, const gauge *u, rng_key key, monomial_call *c);
bool   monomial_action(double *value, monomial *m, const gauge *u, monomial_call *c);
/* P <- P + weight F; adds the size of F (not of weight F) to `size`, cells at the place of u.  monomial_size_create:
 * such cells, zeroed; free them with sums_free. */
bool   monomial_add_force(monomial *m, const gauge *u, momentum *p, double weight, sum_cells size, monomial_call *c);
sum_array monomial_size_create(const gauge *u);
bool   monomial_prepare(monomial *m, const gauge *u, int64_t number, monomial_call *c);
int    monomial_get_memory(const monomial *m, double values[MONOMIAL_MEMORY]);
void   monomial_set_memory(monomial *m, const double *values, int count);
void   monomial_report(monomial *m, json *j);
void   monomial_log_warnings(monomial *m, const char *where);    /* "WHERE: SENTENCE"; before monomial_report */
field *monomial_pseudofermion(monomial *m, int index, const char **name);
void   monomial_mixed(monomial *m);
void   monomial_progress(monomial *m, number_row *row);
field *monomial_start_vector(monomial *m, int index);
void   monomial_free(monomial *m);

/* Time a part of a call; the end waits until the device has completed it. */
void monomial_time_begin(monomial_call *c, const char *part);
void monomial_time_end(monomial_call *c);

/* All kinds, NULL at the end: pointers to `input`, the first member of each. */
extern const param_kind *const monomial_kinds[];
const monomial_kind *monomial_kind_at(int index);

#endif
