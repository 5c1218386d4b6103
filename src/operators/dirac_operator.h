/* dirac_operator.h - the interface between actions and Dirac operators, the same for all discretizations.
 *
 * A kind is a constant table of functions.  An operator has a kind, the links that it has computed from a gauge
 * field, and the memory of a force.  One set of links serves many matrices C: one for each mass (domain-wall quarks,
 * Wilson), or one for each Naik epsilon (staggered quarks, whose mass is a shift).
 *
 *     C      from vectors on one parity, `home`, to vectors on `image`, the same parity or the other one
 *     C^+C   on `home`, hermitian and >= 0: solvers get it as a linop, for one system or a batch
 *
 *     staggered      C = D_oe,                                    C^+C = -D_eo D_oe = K         even -> odd
 *     domain-wall    C = 1 - K hop_oe K hop_eo                    (dwf.h)                       odd -> odd
 *     Wilson         C = 4 + m - hop_oe hop_eo / (4 + m)          (clover.h)                    odd -> odd
 *     clover         C = T_o - hop_oe T_e^-1 hop_eo               (clover.h)                    odd -> odd
 *     twisted        C = T_o + i (mu + rho) gamma5 - hop_oe (T_e + i mu gamma5)^-1 hop_eo       odd -> odd
 *     symmetric      C = (T_o + i (mu + rho) gamma5)^-1 times C of `clover` or `twisted`        odd -> odd
 *     doublet        two flavors in one vector                    (doublet.h)                   odd -> odd
 *
 * The header of each discretization states the normalization of C.  Up to a factor that does not depend on the links,
 * det M is det C, times the determinant of the site-diagonal blocks where a kind has log_det.  For staggered quarks
 * det M is det (C^+C + 4m^2).
 *
 * Vectors have `slabs` slabs on one parity (lattice/vec.h), at the operator's place.  Without a given storage they
 * are native, in the operator's precision.
 *
 * Scratch: an application of C, C^+ or C^+C to one system overwrites `work_vectors` vectors, the k-th on the parity
 * work[k].  The caller owns them, passes them in this order, and may use them between calls; they are neither `out`
 * nor `in`.
 *
 * Stout links: if the plan asks for them, dirac_create and the functions after it give the kind the smeared field as
 * its gauge field (with thin_blocks: for its hops alone), and take its force back to the thin links.  A kind knows
 * nothing of the smearing.  So callers use dirac_create, dirac_update, ... where there is such a function, and
 * d->kind->function for all else.
 *
 * A new discretization needs a file with such a table, and a file of parameters in actions. */
#ifndef KILN_OPERATORS_DIRAC_OPERATOR_H
#define KILN_OPERATORS_DIRAC_OPERATOR_H

#include "src/base/json.h"
#include "src/base/number_row.h"
#include "src/base/text.h"
#include "src/gauge/gauge.h"
#include "src/operators/linop.h"
#include "src/operators/spinor_field.h"
#include "src/operators/stout.h"
#include "src/site/exact_sum.h"

enum { DIRAC_WORK_VECTORS = 3 };           /* the largest number of scratch vectors */

typedef struct dirac_kind dirac_kind;
typedef struct dirac_matrix dirac_matrix;   /* one C: the kind's own struct, cast */

/* A twisted mass: i mu gamma5 on all sites, and i rho gamma5 in addition on the sites of C. */
typedef struct { double mu, rho; } dirac_twist;

/* The parameters of a C whose kind has masses in C (not staggered quarks).  Without twisted masses the twist is 0. */
typedef struct { double mass; dirac_twist twist; } quark_mass;

/* What is needed to create an operator, or to estimate its memory and work.  `params` contains the list of the matrices
 * C, without repetitions: a quark_mass for each, or for staggered quarks a Naik epsilon.  Actions and measurements
 * refer to a C by its index in this list, which has at most DIRAC_MATRICES_MAX entries. */
enum { DIRAC_MATRICES_MAX = 64 };
typedef struct {
    const dirac_kind *kind;
    const void *params;                     /* the kind's own; borrowed */
    int slabs;                              /* of its vectors */
    stout_params stout;                     /* smearing of the gauge field; levels 0: none */
    bool thin_blocks;                       /* site-diagonal blocks (clover term) from thin links, not stout ones */
} dirac_plan;

/* The struct of each kind begins with this one. */
typedef struct {
    const dirac_kind *kind;
    lattice *lattice;                       /* borrowed */
    place where;
    precision precision;
    int slabs;
    uint64_t version;                       /* of the thin links of the last update; 0: none yet */
    stout *stout;                           /* NULL: the kind gets the thin links */
    bool thin_blocks;                       /* with stout links, blocks of the thin ones */
} dirac_operator;

/* Estimated range of the eigenvalues of C^+C. */
typedef struct { double smallest, largest; } spectral_range;

struct dirac_kind {
    const char *name;
    parity_set home, image;
    int work_vectors;
    parity_set work[DIRAC_WORK_VECTORS];

    /* For gauge fields like u, in the precision of u or the one that the kind requires; the parameters are copied.
     * Allocates memory for forces only if `with_force`. */
    dirac_operator *(*create)(const dirac_plan *plan, const gauge *u, bool with_force);
    void            (*free)(dirac_operator *d);

    /* Allocates memory for the links in the form that vectors in this storage need; a second call does nothing. */
    void            (*open)(dirac_operator *d, vec_storage in);

    /* Computes the links from u; does nothing if they are those of u already (gauge.version).  False, with the reason,
     * if the kind cannot use u. */
    bool            (*update)(dirac_operator *d, const gauge *u, failure *why);

    /* The C of an index in the list of the plan, for the caller, who frees it with memory_free.  Valid until the next
     * update. */
    dirac_matrix   *(*matrix)(const dirac_operator *d, int index);

    /* The parameters of a C for people, "0.01, mu 0.2"; NULL: staggered quarks, whose masses are not in C. */
    void            (*describe)(text *out, const dirac_plan *plan, int index);

    /* out <- C in, from home to image; or C^+ in, from image to home. */
    void            (*apply)(vec *out, const dirac_operator *d, const dirac_matrix *m, bool dagger, const vec *in,
                             vec *const *work);

    /* M on all sites, of which C is the even-odd form, on spinors in full precision.  apply_all: out <- M in, or M^+
     * in.  To solve M x = v: prepare computes the right-hand side of C x' = rhs, reconstruct x from x', which may be
     * x.odd.  `work` and `even` are scratch, neither in nor out.  All NULL: staggered quarks. */
    void            (*apply_all)(spinor_field out, const dirac_operator *d, const dirac_matrix *m, bool dagger,
                                 spinor_field in, spinor_field work);
    void            (*prepare)(vec *rhs, const dirac_operator *d, const dirac_matrix *m, spinor_field v, vec *even);
    void            (*reconstruct)(spinor_field x, const dirac_operator *d, const dirac_matrix *m, spinor_field v,
                                   const vec *solution, vec *even);

    /* C^+C on vectors of an open storage, for `systems` at a time; work[n][k] are the scratch vectors of system n, in
     * this storage.  Valid until the next update, while operator, matrix and scratch exist; memory_free frees it. */
    linop          *(*normal)(dirac_operator *d, vec_storage in, const dirac_matrix *m,
                              vec *const (*work)[DIRAC_WORK_VECTORS], int systems);

    /* C or C^+ on vectors of an open storage, for solvers of systems that are not hermitian; else as `normal`.  NULL:
     * C maps to the other parity. */
    linop          *(*square)(dirac_operator *d, vec_storage in, const dirac_matrix *m, bool dagger,
                              vec *const (*work)[DIRAC_WORK_VECTORS], int systems);

    /* A force.
     * begin    starts with dS = 0.
     * add      dS <- dS + sum_n 2 c_n Re y_n^+ dC x_n for `count` pairs, x_n on home, y_n on image; any number of
     *          times, for any matrices of the current links.  Up to `max_rhs` pairs are summed in registers.
     * finish   P <- P + weight F; it applies the chain rule from the links of C to those of u once.  `size` as in
     *          actions/monomial.h.
     * reserve  allocates the scratch vectors of `add` for `pairs` pairs in a call.  Without it they are allocated on
     *          first use.  NULL: there are none. */
    int             max_rhs;
    void            (*force_reserve)(dirac_operator *d, int pairs);
    void            (*force_begin)(dirac_operator *d);
    void            (*force_add)(dirac_operator *d, const dirac_matrix *m, const double *c, vec *const *x,
                                 vec *const *y, int count);
    void            (*force_finish)(dirac_operator *d, const gauge *u, momentum *p, double weight, sum_cells size);

    /* For operators whose site-diagonal blocks depend on the links (clover).
     * log_det            log |det| of these blocks, a factor of det M beside det C
     * log_det_force_add  between begin and finish: dS <- dS + c d(log_det)
     * blocks             the first index whose C has the same blocks: both C then differ by a constant.  NULL: each C
     *                    has blocks of its own
     * describe_blocks    their formula and parameters, for people
     * All NULL: there is no such factor. */
    double          (*log_det)(const dirac_operator *d, const dirac_matrix *m);
    void            (*log_det_force_add)(dirac_operator *d, const dirac_matrix *m, double c);
    int             (*blocks)(const dirac_plan *plan, int index);
    void            (*describe_blocks)(text *out, const dirac_plan *plan, int index);

    /* For plans with thin_blocks: update and force_finish with links `u` for the hops and `thin` for the blocks.  The
     * caller calls force_finish_hops, then force_finish_blocks, in place of force_finish.  All three NULL: no such
     * blocks. */
    bool            (*update_with)(dirac_operator *d, const gauge *u, const gauge *thin, failure *why);
    void            (*force_finish_hops)(dirac_operator *d, const gauge *u, momentum *p, double weight, sum_cells size);
    void            (*force_finish_blocks)(dirac_operator *d, const gauge *thin, momentum *p, double weight,
                                           sum_cells size);

    /* For estimates, before anything is allocated or measured.
     * range            eigenvalues of C^+C
     * bytes            device memory of the links in double and in `count` other storages; `shared`: in the workspace,
     *                  from its start, during an update
     * force_bytes      device memory of forces with `pairs` pairs in a call; `shared`: during force_add, without the
     *                  vectors of the pairs
     * force_end_bytes  memory in the workspace, from its start, during force_finish; NULL: none
     * normal_work      one C^+C v in double
     * force_work       a whole force with `pairs` pairs in all */
    spectral_range  (*range)(const dirac_plan *plan, int index);
    memory_need     (*bytes)(const dirac_plan *plan, const lattice_shape *shape, const vec_storage *in, int count);
    memory_need     (*force_bytes)(const dirac_plan *plan, const lattice_shape *shape, int pairs);
    size_t          (*force_end_bytes)(const dirac_plan *plan, const lattice_shape *shape);
    work_count      (*normal_work)(const dirac_plan *plan, const lattice_shape *shape);
    work_count      (*force_work)(const dirac_plan *plan, const lattice_shape *shape, double pairs);

    /* To find NaN or infinity after a failed solve: the links of C by index, with their name; NULL after the last. */
    const field    *(*links_at)(const dirac_operator *d, const dirac_matrix *m, int index, const char **name);

    /* Facts about smearing and the chain rule, collected until they are reported, for operators created with force.
     * facts_report: writes them as members of an open object, and logs a warning for `name` if needed.  facts_row:
     * writes or reads them as numbers (base/number_row.h).  facts_drop: discards those about smearing since the last of
     * these three calls, but not those about forces.  All three are NULL if there are no facts. */
    void            (*facts_report)(dirac_operator *d, const char *name, json *j);
    void            (*facts_row)(dirac_operator *d, number_row *row);
    void            (*facts_drop)(dirac_operator *d);
};

/* Each does the work of the kind's function of the same name for thin links u, with the stout smearing of the plan.
 * dirac_create also reserves workspace for the chain rule of the smearing, after that of the kind's force_finish.
 * dirac_links: the gauge field that the kind gets for u: the stout links, or u itself; borrowed. */
dirac_operator *dirac_create(const dirac_plan *plan, const gauge *u, bool with_force);
void dirac_free(dirac_operator *d);
bool dirac_update(dirac_operator *d, const gauge *u, failure *why);
const gauge *dirac_links(dirac_operator *d, const gauge *u);
void dirac_force_finish(dirac_operator *d, const gauge *u, momentum *p, double weight, sum_cells size);
memory_need dirac_bytes(const dirac_plan *plan, const lattice_shape *shape, const vec_storage *in, int count);
memory_need dirac_force_bytes(const dirac_plan *plan, const lattice_shape *shape, int pairs);
size_t dirac_force_end_bytes(const dirac_plan *plan, const lattice_shape *shape);
work_count dirac_force_work(const dirac_plan *plan, const lattice_shape *shape, double pairs);

/* A vector for the operator, in a storage. */
vec *dirac_vec_create(const dirac_operator *d, parity_set on, vec_storage in);
size_t dirac_vec_bytes(const dirac_plan *plan, const lattice_shape *shape, vec_storage in);     /* on one parity */

/* The storage of vectors in the operator's precision, where none is given. */
vec_storage dirac_full_storage(const dirac_operator *d);

#endif
