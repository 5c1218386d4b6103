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
#include "src/lattice/gauge.h"
#include "src/lattice/link_colors.h"
#include "src/lattice/sums.h"

typedef struct monomial monomial;

/* Sum and maximum over links of Tr F^+F, of one evaluation of a force: so many cells where the field is. */
enum { FORCE_SUMS = 1, FORCE_MAXIMA = 1 };

/* What an evaluation costs one process, counted from the algorithm: compulsory bytes, floating-point operations. */
typedef struct { double flops, bytes; } work;

/* What a call may use of its driver, and what it tells it. */
typedef struct {
    clock_tree *clock;                  /* the parts of the call are timed under the timer now open; NULL: untimed */
    failure failure;                    /* after a call that returned false: why, e.g. a solve that did not converge */
    double drawn;                       /* after a refresh: |eta|^2 of its random numbers, which is S at these links */
} monomial_call;

/* Numbers of a monomial that the trajectories to come depend on, and that links, input and random numbers do not
 * give: part of every state on disk. */
enum { MONOMIAL_MEMORY = 8 };

typedef struct monomial_kind monomial_kind;
struct monomial_kind {
    param_kind input;                   /* name and parameters; their struct begins with `char *name` */
    /* What the table cannot say: which parameters go together, what the lattice must be. */
    bool      (*check)(const monomial_kind *kind, const void *params, const lattice_shape *shape, failure *f);
    monomial *(*create)(const monomial_kind *kind, const void *params, const gauge *u);          /* params are copied */
    void      (*free)(monomial *m);

    /* False where numbers disappoint; c->failure says how.  The fields stay as they were at that moment.
     * A refresh adds |eta|^2 of what it draws to c->drawn. */
    bool      (*refresh)(monomial *m, const gauge *u, rng_key key, monomial_call *c);
    bool      (*action)(double *value, monomial *m, const gauge *u, monomial_call *c);
    bool      (*add_force)(monomial *m, const gauge *u, momentum *p, double weight, sum_cells size, monomial_call *c);

    /* Before trajectory `number` of links `u`: the time to measure spectral bounds and to change approximations.
     * What comes of it depends on links, number and memory alone. */
    bool      (*prepare)(monomial *m, const gauge *u, int64_t number, monomial_call *c);
    int       (*get_memory)(const monomial *m, double values[MONOMIAL_MEMORY]);       /* how many there are */
    void      (*set_memory)(monomial *m, const double *values, int count);

    /* What happened since the last report (iterations, residuals, spectra) as members of an object that is open; a
     * line for people goes to the log where something deserves one. */
    void      (*report)(monomial *m, json *j);

    /* Its pseudofermions: field number `index`, NULL past the last; `name` (may be NULL) is borrowed. */
    field    *(*pseudofermion_at)(monomial *m, int index, const char **name);

    /* Beside memory and pseudofermions, what the rest of a trajectory and the report at its end depend on, between two
     * steps of the dynamics: numbers, as many at any time; fields (start vectors of solves), as many as the numbers
     * say.  Together they put a monomial of the same parameters where this one is. */
    void      (*progress)(monomial *m, number_row *row);
    field    *(*start_vector_at)(monomial *m, int index);

    /* Device memory that create takes, or that comes with the first use. */
    size_t    (*bytes)(const monomial_kind *kind, const void *params, const lattice_shape *shape);
    /* The fields of start_vector_at, at the most; NULL: there are none. */
    size_t    (*kept_bytes)(const monomial_kind *kind, const void *params, const lattice_shape *shape);
    work      (*force_work)(const monomial_kind *kind, const void *params, const lattice_shape *shape);
    /* Of one iteration of each solve of a force, which force_work leaves out; NULL: there are none. */
    work      (*iteration_work)(const monomial_kind *kind, const void *params, const lattice_shape *shape);
    /* How residuals and errors of these parameters carry into S (energy_error.h), added to `e`; NULL: they do not. */
    void      (*energy_errors)(energy_errors *e, const monomial_kind *kind, const void *params,
                               const lattice_shape *shape);
    /* For `kiln check`: what these parameters amount to, a line a fact; NULL: nothing to tell. */
    void      (*describe)(text *lines, const monomial_kind *kind, const void *params, const lattice_shape *shape);
    /* Values that are allowed but probably a mistake: a line of text for each; NULL: nothing is known to be one. */
    void      (*advise)(text *lines, const void *params);
    /* For updates of links one by one: exp(-S) as weights of loops, with `beta` in the place of its own where that is
     * not 0; NULL: S is more than a sum over loops. */
    loop_weights (*link_weights)(const void *params, double beta);
    const qcdml_term *qcdml;            /* for documents of QCDml; NULL: it has no words for this kind */
    const void *family;                 /* of kinds that share these functions: what is their own; or NULL */
};

struct monomial {
    const monomial_kind *kind;
    void *data;                         /* the kind's own */
};

/* Each calls the kind's function of that name; what a kind does not have is NULL there, and does nothing (true). */
bool   monomial_check(const monomial_kind *kind, const void *params, const lattice_shape *shape, failure *f);
monomial *monomial_create(const monomial_kind *kind, const void *params, const gauge *u);
size_t monomial_bytes(const monomial_kind *kind, const void *params, const lattice_shape *shape);
size_t monomial_kept_bytes(const monomial_kind *kind, const void *params, const lattice_shape *shape);
bool   monomial_refresh(monomial *m, const gauge *u, rng_key key, monomial_call *c);
bool   monomial_action(double *value, monomial *m, const gauge *u, monomial_call *c);
/* P <- P + weight F; `size` (zeroed cells at the place of u, as monomial_size_create makes) takes the size of F, not of
 * weight F. */
bool   monomial_add_force(monomial *m, const gauge *u, momentum *p, double weight, sum_cells size, monomial_call *c);
sum_array monomial_size_create(const gauge *u);
bool   monomial_prepare(monomial *m, const gauge *u, int64_t number, monomial_call *c);
int    monomial_get_memory(const monomial *m, double values[MONOMIAL_MEMORY]);
void   monomial_set_memory(monomial *m, const double *values, int count);
void   monomial_report(monomial *m, json *j);
field *monomial_field(monomial *m, int index, const char **name);
void   monomial_progress(monomial *m, number_row *row);
field *monomial_kept(monomial *m, int index);
void   monomial_free(monomial *m);

/* A part of a call, timed: until the device has done it. */
void monomial_time_begin(monomial_call *c, const char *part);
void monomial_time_end(monomial_call *c);

/* The kinds there are, NULL at the end: the `input` of each, which is where the kind begins. */
extern const param_kind *const monomial_kinds[];
const monomial_kind *monomial_kind_at(int index);

#endif
