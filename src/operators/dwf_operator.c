/* dwf_operator.c - domain-wall quarks as a dirac_operator. */
#include "src/operators/dwf_operator.h"

#include "src/base/memory.h"

#include <assert.h>
#include <math.h>

typedef struct {
    hop_operator base;
    dwf_operator_params params;
} dwf_operator;

/* In the order of `work`: C takes the first, C^+ the first two. */
enum { AT_EVEN, AT_ODD, AT_SECOND_ODD, SCRATCH };

static const dwf_operator *dwf_of(const dirac_operator *d)
{
    return (const dwf_operator *)d;
}

static const dwf_matrix *matrix_of(const dirac_matrix *m)
{
    return (const dwf_matrix *)m;
}

dirac_plan dwf_operator_plan(const dwf_operator_params *p)
{
    return (dirac_plan){ .kind = &dwf_operator_kind, .params = p, .slabs = SLAB_GROUP * p->weights.Ls };
}

int dwf_operator_add_mass(dwf_operator_params *p, double mass)
{
    int at = 0;
    while (at < p->masses && p->mass[at] != mass)
        at++;
    require(at < DIRAC_MATRICES_MAX, "dwf_operator.c: more than %d masses: raise DIRAC_MATRICES_MAX",
            DIRAC_MATRICES_MAX);
    p->mass[at] = mass;
    p->masses += at == p->masses;
    return at;
}

const dwf_operator_params *dwf_operator_params_of(const dirac_operator *d) { return &dwf_of(d)->params; }
const dirac_matrix *dwf_operator_matrix(const dwf_matrix *m) { return (const dirac_matrix *)m; }

static dirac_operator *create_operator(const dirac_plan *plan, const gauge *u, bool with_force)
{
    dwf_operator *d = memory_alloc(sizeof *d, "domain-wall quarks");
    d->params = *(const dwf_operator_params *)plan->params;
    hop_operator_begin(&d->base, plan, u, (quark_boundary){ .t = d->params.boundary }, with_force);
    return &d->base.base;
}

static dirac_matrix *matrix(const dirac_operator *base, int index)
{
    const dwf_operator_params *p = &dwf_of(base)->params;
    dwf_matrix *m = memory_alloc(sizeof *m, "a matrix of domain-wall quarks");
    assert(index >= 0 && index < p->masses);
    *m = dwf_matrix_of(&p->weights, p->mass[index], (fifth_corner){ 0, 0, 0 });
    return (dirac_matrix *)m;
}

static void apply_operator(vec *out, const dirac_operator *d, const dirac_matrix *m, bool dagger, const vec *in,
                  vec *const *work)
{
    if (dagger)
        dwf_c_dagger(out, hop_operator_links(d), matrix_of(m), in, work[AT_EVEN], work[AT_ODD]);
    else
        dwf_c(out, hop_operator_links(d), matrix_of(m), in, work[AT_EVEN]);
}

static void apply_all(spinor_field out, const dirac_operator *d, const dirac_matrix *m, bool dagger, spinor_field in,
                      spinor_field work)
{
    dwf_apply(out, hop_operator_links(d), matrix_of(m), dagger, in, work);
}

static void prepare(vec *rhs, const dirac_operator *d, const dirac_matrix *m, spinor_field v, vec *even)
{
    dwf_prepare(rhs, hop_operator_links(d), matrix_of(m), v, even);
}

static void reconstruct(spinor_field x, const dirac_operator *d, const dirac_matrix *m, spinor_field v,
                        const vec *solution, vec *even)
{
    dwf_reconstruct(x, hop_operator_links(d), matrix_of(m), v, solution, even);
}

/* Scratch vectors by kind. */
typedef struct { vec *even[BATCH_MAX_RHS], *odd[BATCH_MAX_RHS][2]; } dwf_work;

static dwf_work work_of(vec *const (*work)[DIRAC_WORK_VECTORS], int systems)
{
    dwf_work r = { 0 };
    for (int n = 0; n < systems; n++) {
        r.even[n] = work[n][AT_EVEN];
        r.odd[n][0] = work[n][AT_ODD];
        r.odd[n][1] = work[n][AT_SECOND_ODD];
    }
    return r;
}

static linop *normal(dirac_operator *d, vec_storage in, const dirac_matrix *m, vec *const (*work)[DIRAC_WORK_VECTORS],
                     int systems)
{
    dwf_op *op = memory_alloc(sizeof *op, "a matrix of domain-wall quarks");
    const dwf_work r = work_of(work, systems);
    *op = dwf_normal_operator(hop_operator_links_for(d, in), matrix_of(m), r.even, (vec *const (*)[2])r.odd, systems);
    return &op->base;
}

static linop *square(dirac_operator *d, vec_storage in, const dirac_matrix *m, bool dagger,
                     vec *const (*work)[DIRAC_WORK_VECTORS], int systems)
{
    dwf_op *op = memory_alloc(sizeof *op, "a matrix of domain-wall quarks");
    const dwf_work r = work_of(work, systems);
    *op = dwf_c_operator(hop_operator_links_for(d, in), matrix_of(m), dagger, r.even, (vec *const (*)[2])r.odd,
                         systems);
    return &op->base;
}

static void force_add(dirac_operator *d, const dirac_matrix *m, const double *c, vec *const *x, vec *const *y,
                      int count)
{
    hop_force_add(hop_operator_force(d), hop_operator_links(d), matrix_of(m),
                   (hop_force_terms){ .count = count, .c = c, .y = y, .x = x });
}

/* ---- plans */

static const dwf_operator_params *params_of(const dirac_plan *plan)
{
    return plan->params;
}

/* Eigenvalues of C^+C range from about (m M5 (2 - M5))^2 to 4; M5 (2 - M5) is the normalization of the mode at the
 * walls.  For m near 0, NORMAL_LEAST stands for the effect of a small residual mass. */
#define NORMAL_LARGEST 4.0
#define NORMAL_LEAST 1e-6

static spectral_range range(const dirac_plan *plan, int index)
{
    const dwf_operator_params *p = params_of(plan);
    const double M5 = p->weights.M5, wall = p->mass[index] * M5 * (2 - M5);
    return (spectral_range){ fmax(wall * wall, NORMAL_LEAST), NORMAL_LARGEST };
}

static void describe(text *out, const dirac_plan *plan, int index)
{
    text_add(out, "%g", params_of(plan)->mass[index]);
}

static work_count normal_work(const dirac_plan *plan, const lattice_shape *shape)
{
    return dwf_normal_work(shape, params_of(plan)->weights.Ls, VECTOR_NATIVE, PRECISION_DOUBLE);
}

const dirac_kind dwf_operator_kind = {
    .name = "domain-wall quarks",
    .work_vectors = SCRATCH,
    .work = { [AT_EVEN] = ON_EVEN, [AT_ODD] = ON_ODD, [AT_SECOND_ODD] = ON_ODD },
    .create = create_operator,
    .matrix = matrix,
    .describe = describe,
    .apply = apply_operator,
    .apply_all = apply_all,
    .prepare = prepare,
    .reconstruct = reconstruct,
    .normal = normal,
    .square = square,
    .force_add = force_add,
    .range = range,
    .normal_work = normal_work,
    HOP_OPERATOR,
};
