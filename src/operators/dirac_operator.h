/* dirac_operator.h - what an action may ask of any Dirac operator, whatever the discretisation.
 *
 * A kind is a constant table of functions; an operator is a kind, the links that it has made of a gauge field, and the
 * memory of a force.  With one set of links there are many matrices C: of a mass (domain-wall quarks, Wilson), or of a
 * Naik epsilon (staggered quarks, whose mass is a shift).
 *
 *     C      from vectors on one parity, `home`, to vectors on `image`, the same parity or the other one
 *     C^+C   on `home`, hermitian and >= 0: what solvers see, as a linop, for one system or a batch
 *
 *     staggered      C = D_oe,                                    C^+C = -D_eo D_oe = K         even -> odd
 *     domain-wall quarks   C = 1 - K hop_oe K hop_eo                    (dwf.h)               odd -> odd
 *     Wilson         C = 4 + m - hop_oe hop_eo / (4 + m)          (wilson.h)                    odd -> odd
 *
 * C is normalised as the file of its discretisation says: determinants are those of C up to a number that does not
 * depend on the links, and forces are derivatives of C as it is applied.
 *
 * Vectors have `slabs` slabs on one parity (lattice/vec.h), at the operator's place; where no storage is given, they
 * are native, in the operator's precision.
 *
 * Scratch: an application of C, C^+ or C^+C to one system overwrites `rooms` vectors, the k-th on the parity room[k].
 * The caller owns them, gives them in this order, and may use them in between; they are neither `out` nor `in`.
 *
 * Adding a discretisation is a file with such a table, and a file of parameters in actions. */
#ifndef KILN_OPERATORS_DIRAC_OPERATOR_H
#define KILN_OPERATORS_DIRAC_OPERATOR_H

#include "src/base/json.h"
#include "src/base/number_row.h"
#include "src/lattice/gauge.h"
#include "src/operators/linop.h"
#include "src/site/exact_sum.h"

enum { DIRAC_ROOMS = 3 };                   /* at the most */

typedef struct dirac_kind dirac_kind;
typedef struct dirac_matrix dirac_matrix;   /* one C: the kind's own struct, cast */

/* An operator before it is made: for plans of memory and work, and for making it. */
typedef struct {
    const dirac_kind *kind;
    const void *params;                     /* the kind's own; borrowed */
    int slabs;                              /* of its vectors */
} dirac_plan;

/* The kind's own struct begins with it. */
typedef struct {
    const dirac_kind *kind;
    lattice *lattice;                       /* borrowed */
    place where;
    precision precision;
    int slabs;
    uint64_t version;                       /* of the gauge field of the last update; 0: none yet */
} dirac_operator;

/* About where the eigenvalues of C^+C lie. */
typedef struct { double smallest, largest; } spectral_range;

struct dirac_kind {
    const char *name;
    parity_set home, image;
    int rooms;
    parity_set room[DIRAC_ROOMS];

    /* For gauge fields like u, in the precision of u or the one that the kind demands; the parameters are copied.
     * Memory for forces only where they are asked for. */
    dirac_operator *(*create)(const dirac_plan *plan, const gauge *u, bool with_force);
    void            (*free)(dirac_operator *d);

    /* Makes memory for the links as vectors in that storage need them, once. */
    void            (*open)(dirac_operator *d, vec_storage in);

    /* The links are those of u from now on; nothing where they are already (gauge.version).  False where u is no gauge
     * field that the kind can use. */
    bool            (*update)(dirac_operator *d, const gauge *u, failure *why);

    /* The C of a parameter: of a mass, or staggered of a Naik epsilon that the plan has.  It holds from one update to
     * the next; memory_free frees it. */
    dirac_matrix   *(*matrix)(const dirac_operator *d, double parameter);

    /* out <- C in, from home to image; or C^+ in, from image to home. */
    void            (*apply)(vec *out, const dirac_operator *d, const dirac_matrix *m, bool dagger, const vec *in,
                             vec *const *room);

    /* C^+C on vectors of a storage that is open, for `systems` at a time, each with scratch vectors of that storage:
     * room[n][k].  Good until the next update, while operator, matrix and scratch are there; memory_free frees it. */
    linop          *(*normal)(dirac_operator *d, vec_storage in, const dirac_matrix *m,
                              vec *const (*room)[DIRAC_ROOMS], int systems);

    /* A force: begin; add dS = sum_n 2 c_n Re y_n^+ dC x_n, x_n on home and y_n on image, any number of times and for
     * any matrices of the links of now; finish with P <- P + weight F, where the chain rule from the links of C to
     * those of u is walked once.  The pairs of one call are summed in registers, up to `max_rhs` of them.  `size` as
     * in actions/monomial.h. */
    int             max_rhs;
    void            (*force_begin)(dirac_operator *d);
    void            (*force_add)(dirac_operator *d, const dirac_matrix *m, const double *c, vec *const *x,
                                 vec *const *y, int count);
    void            (*force_finish)(dirac_operator *d, const gauge *u, momentum *p, double weight, sum_cells size);

    /* What is left of the determinant beside C in blocks of one site that depend on the links (clover): log of its
     * size; and, between begin and finish, dS = c d(log det).  NULL: nothing is left.  No action asks for it yet:
     * quark_plan_make refuses an operator that has one. */
    double          (*log_det)(const dirac_operator *d, const dirac_matrix *m);
    void            (*log_det_force_add)(dirac_operator *d, const dirac_matrix *m, double c);

    /* For plans.  The range before anything is measured; device memory of the links, those of `count` storages beside
     * those of full precision (double), and of forces with `pairs` in a call; what one C^+C v costs in
     * full precision, and a force of `pairs` altogether. */
    spectral_range  (*range)(const dirac_plan *plan, double parameter);
    size_t          (*bytes)(const dirac_plan *plan, const lattice_shape *shape, const vec_storage *in, int count);
    size_t          (*force_bytes)(const dirac_plan *plan, const lattice_shape *shape, int pairs);
    work_count      (*normal_work)(const dirac_plan *plan, const lattice_shape *shape);
    work_count      (*force_work)(const dirac_plan *plan, const lattice_shape *shape, double pairs);

    /* Where a solve has met what is no number: the links of C by number and name, NULL past the last; or NULL. */
    const field    *(*links_at)(const dirac_operator *d, const dirac_matrix *m, int index, const char **name);

    /* What making the links and the chain rule met, gathered until it is reported: members of an open object, and a
     * line in the log of `name` where something deserves one; the same as numbers; dropped.  All three NULL: none. */
    void            (*facts_report)(dirac_operator *d, const char *name, json *j);
    void            (*facts_row)(dirac_operator *d, number_row *row);
    void            (*facts_drop)(dirac_operator *d);
};

/* A vector for the operator, in a storage. */
vec *dirac_vec_create(const dirac_operator *d, parity_set on, vec_storage in);
size_t dirac_vec_bytes(const dirac_plan *plan, const lattice_shape *shape, vec_storage in);     /* on one parity */

/* The storage of vectors in the operator's precision, where none is given. */
vec_storage dirac_full_storage(const dirac_operator *d);

#endif
