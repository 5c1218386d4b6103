/* dwf_operator.c - domain-wall quarks as a dirac_operator. */
#include "src/operators/dwf_operator.h"

#include "src/base/memory.h"

#include <assert.h>
#include <math.h>

typedef struct {
    dirac_operator base;
    dwf_operator_params params;
    wall_links *links, *single;                /* in double; in single precision, NULL where no storage needs them */
    wall_force *force;                         /* NULL: not asked for */
} dwf_operator;

/* In the order of `room`: C takes the first, C^+ the first two. */
enum { AT_EVEN, AT_ODD, AT_TURNED, SCRATCH };

static const dwf_operator *dwf_of(const dirac_operator *d)
{
    return (const dwf_operator *)d;
}

static const wall_matrix *matrix_of(const dirac_matrix *m)
{
    return (const wall_matrix *)m;
}

dirac_plan dwf_operator_plan(const dwf_operator_params *p)
{
    return (dirac_plan){ .kind = &dwf_operator_kind, .params = p, .slabs = SLAB_GROUP * p->weights.slices };
}

const wall_weights *dwf_operator_weights(const dirac_operator *d) { return &dwf_of(d)->params.weights; }
const wall_links *dwf_operator_links(const dirac_operator *d) { return dwf_of(d)->links; }
wall_force *dwf_operator_force(dirac_operator *d) { return dwf_of(d)->force; }
const dirac_matrix *dwf_operator_matrix(const wall_matrix *m) { return (const dirac_matrix *)m; }

static dirac_operator *create(const dirac_plan *plan, const gauge *u, bool with_force)
{
    dwf_operator *d = memory_alloc(sizeof *d, "domain-wall quarks");
    const field *f = &u->links;
    d->base = (dirac_operator){ .kind = plan->kind, .lattice = f->lattice, .where = f->where,
                                .precision = PRECISION_DOUBLE, .slabs = plan->slabs };
    d->params = *(const dwf_operator_params *)plan->params;
    d->links = wall_links_create(f->lattice, f->where, PRECISION_DOUBLE, d->params.boundary);
    if (with_force)
        d->force = wall_force_create(u, d->params.weights.slices);
    return &d->base;
}

static void free_operator(dirac_operator *base)
{
    dwf_operator *d = (dwf_operator *)base;
    wall_force_free(d->force);
    wall_links_free(d->single);
    wall_links_free(d->links);
    memory_free(d);
}

static void open(dirac_operator *base, vec_storage in)
{
    dwf_operator *d = (dwf_operator *)base;
    if (in.precision == PRECISION_SINGLE && !d->single)
        d->single = wall_links_create(base->lattice, base->where, PRECISION_SINGLE, d->params.boundary);
}

static bool update(dirac_operator *base, const gauge *u, failure *why)
{
    dwf_operator *d = (dwf_operator *)base;
    if (!wall_links_update(d->links, u, why) || (d->single && !wall_links_update(d->single, u, why)))
        return false;
    base->version = u->version;
    return true;
}

static dirac_matrix *matrix(const dirac_operator *base, double mass)
{
    wall_matrix *m = memory_alloc(sizeof *m, "a matrix of domain-wall quarks");
    *m = wall_matrix_of(&dwf_of(base)->params.weights, mass, (fifth_corner){ 0, 0, 0 });
    return (dirac_matrix *)m;
}

static void apply(vec *out, const dirac_operator *d, const dirac_matrix *m, bool dagger, const vec *in,
                  vec *const *room)
{
    if (dagger)
        wall_c_dagger(out, dwf_of(d)->links, matrix_of(m), in, room[AT_EVEN], room[AT_ODD]);
    else
        wall_c(out, dwf_of(d)->links, matrix_of(m), in, room[AT_EVEN]);
}

static linop *normal(dirac_operator *d, vec_storage in, const dirac_matrix *m, vec *const (*room)[DIRAC_ROOMS],
                     int systems)
{
    wall_op *op = memory_alloc(sizeof *op, "a matrix of domain-wall quarks");
    vec *even[BATCH_TOGETHER], *odd[BATCH_TOGETHER][2];
    for (int n = 0; n < systems; n++) {
        even[n] = room[n][AT_EVEN];
        odd[n][0] = room[n][AT_ODD];
        odd[n][1] = room[n][AT_TURNED];
    }
    *op = wall_operator(in.precision == PRECISION_SINGLE ? dwf_of(d)->single : dwf_of(d)->links, matrix_of(m), even,
                        (vec *const (*)[2])odd, systems);
    return &op->base;
}

static void force_begin(dirac_operator *d)
{
    wall_force_begin(dwf_of(d)->force);
}

static void force_add(dirac_operator *d, const dirac_matrix *m, const double *c, vec *const *x, vec *const *y,
                      int count)
{
    wall_force_add(dwf_of(d)->force, dwf_of(d)->links, matrix_of(m), c, y, x, count);
}

static void force_finish(dirac_operator *d, const gauge *u, momentum *p, double weight, sum_cell *size)
{
    wall_force_finish(dwf_of(d)->force, u, p, weight, size);
}

/* ---- plans */

static const dwf_operator_params *params_of(const dirac_plan *plan)
{
    return plan->params;
}

/* Eigenvalues of C^+C reach from about (m M5 (2 - M5))^2, M5 (2 - M5) the weight of the wall's mode, or from that of a
 * small residual mass, up to 4. */
#define NORMAL_LARGEST 4.0
#define NORMAL_LEAST 1e-6

static spectral_range range(const dirac_plan *plan, double mass)
{
    const double height = params_of(plan)->weights.height, wall = mass * height * (2 - height);
    return (spectral_range){ fmax(wall * wall, NORMAL_LEAST), NORMAL_LARGEST };
}

static size_t bytes(const dirac_plan *plan, const lattice_shape *shape, const vec_storage *in, int count)
{
    bool has_single = false;
    (void)plan;
    for (int i = 0; i < count; i++)
        has_single |= in[i].precision == PRECISION_SINGLE;
    return wall_links_bytes(shape, PRECISION_DOUBLE) + (has_single ? wall_links_bytes(shape, PRECISION_SINGLE) : 0);
}

static size_t force_bytes(const dirac_plan *plan, const lattice_shape *shape, int pairs)
{
    return wall_force_bytes(shape, PRECISION_DOUBLE, params_of(plan)->weights.slices, pairs);
}

static work_count normal_work(const dirac_plan *plan, const lattice_shape *shape)
{
    return wall_normal_work(shape, params_of(plan)->weights.slices, VECTOR_NATIVE, PRECISION_DOUBLE);
}

/* A pair takes an application of C^+C, the most of it for its two inner vectors, and on each link and slice outer
 * products of two half spinors at either end, 72 flops each (domain_wall_force.c). */
enum { PRODUCT_FLOPS = 2 * 2 * 72 };

static work_count force_work(const dirac_plan *plan, const lattice_shape *shape, double pairs)
{
    const vec_storage high = { VECTOR_NATIVE, PRECISION_DOUBLE };
    const work_count apply = normal_work(plan, shape);
    const double links = 4 * (double)lattice_local_sites(shape);
    const double h_bytes = 2 * links * MATRIX_REALS * sizeof(double);                /* read and written */
    const double vector = (double)dirac_vec_bytes(plan, shape, high);
    return (work_count){ pairs * (apply.flops + links * params_of(plan)->weights.slices * PRODUCT_FLOPS),
                         pairs * (apply.bytes + 4 * vector + h_bytes) };
}

const dirac_kind dwf_operator_kind = {
    .name = "domain walls",
    .home = ON_ODD,
    .image = ON_ODD,
    .rooms = SCRATCH,
    .room = { [AT_EVEN] = ON_EVEN, [AT_ODD] = ON_ODD, [AT_TURNED] = ON_ODD },
    .create = create,
    .free = free_operator,
    .open = open,
    .update = update,
    .matrix = matrix,
    .apply = apply,
    .normal = normal,
    .together = WALL_TERMS_TOGETHER,
    .force_begin = force_begin,
    .force_add = force_add,
    .force_finish = force_finish,
    .range = range,
    .bytes = bytes,
    .force_bytes = force_bytes,
    .normal_work = normal_work,
    .force_work = force_work,
};
