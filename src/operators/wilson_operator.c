/* wilson_operator.c - Wilson quarks as a dirac_operator. */
#include "src/operators/wilson_operator.h"

#include "src/base/memory.h"

#include <math.h>

/* A dirac_matrix */
typedef struct { double mass; } wilson_matrix;

/* In the order of `work`: Mhat takes the first. */
enum { AT_EVEN, AT_ODD, SCRATCH };

double wilson_operator_mass(const dirac_matrix *m)
{
    return ((const wilson_matrix *)m)->mass;
}

dirac_plan wilson_operator_plan(const wilson_operator_params *p)
{
    return (dirac_plan){ .kind = &wilson_operator_kind, .params = p, .slabs = SLAB_GROUP };
}

static dirac_operator *create_operator(const dirac_plan *plan, const gauge *u, bool with_force)
{
    hop_operator *d = memory_alloc(sizeof *d, "Wilson quarks");
    hop_operator_begin(d, plan, u, ((const wilson_operator_params *)plan->params)->boundary, with_force);
    return &d->base;
}

static dirac_matrix *matrix(const dirac_operator *d, double mass)
{
    wilson_matrix *m = memory_alloc(sizeof *m, "a matrix of Wilson quarks");
    (void)d;
    m->mass = mass;
    return (dirac_matrix *)m;
}

static void apply_operator(vec *out, const dirac_operator *d, const dirac_matrix *m, bool dagger, const vec *in,
                  vec *const *work)
{
    wilson_mhat(out, hop_operator_links(d), wilson_operator_mass(m), dagger, in, work[AT_EVEN]);
}

static linop *normal(dirac_operator *d, vec_storage in, const dirac_matrix *m, vec *const (*work)[DIRAC_WORK_VECTORS],
                     int systems)
{
    wilson_op *op = memory_alloc(sizeof *op, "a matrix of Wilson quarks");
    vec *even[BATCH_MAX_RHS], *odd[BATCH_MAX_RHS];
    for (int n = 0; n < systems; n++) {
        even[n] = work[n][AT_EVEN];
        odd[n] = work[n][AT_ODD];
    }
    *op = wilson_operator(hop_operator_links_for(d, in), wilson_operator_mass(m), even, odd, systems);
    return &op->base;
}

static linop *square(dirac_operator *d, vec_storage in, const dirac_matrix *m, bool dagger,
                     vec *const (*work)[DIRAC_WORK_VECTORS], int systems)
{
    wilson_op *op = memory_alloc(sizeof *op, "a matrix of Wilson quarks");
    vec *even[BATCH_MAX_RHS];
    for (int n = 0; n < systems; n++)
        even[n] = work[n][AT_EVEN];
    *op = wilson_mhat_operator(hop_operator_links_for(d, in), wilson_operator_mass(m), dagger, even, systems);
    return &op->base;
}

static void force_add(dirac_operator *d, const dirac_matrix *m, const double *c, vec *const *x, vec *const *y,
                      int count)
{
    wilson_force_add(hop_operator_force(d), hop_operator_links(d), wilson_operator_mass(m),
                     (hop_force_terms){ .count = count, .c = c, .y = y, .x = x });
}

/* The hop is no larger than 4, hence |Mhat| <= 4 + m + 16 / (4 + m).  The smallest eigenvalue of Mhat is
 * 4 + m - 16 / (4 + m) on unit links, which is no guide where m is near zero or below. */
#define NORMAL_LEAST 1e-4

static spectral_range range(const dirac_plan *plan, double mass)
{
    const double diagonal = 4 + mass, inverse = 16 / diagonal, least = fmax(diagonal - inverse, 0);
    (void)plan;
    return (spectral_range){ fmax(least * least, NORMAL_LEAST), (diagonal + inverse) * (diagonal + inverse) };
}

static work_count normal_work(const dirac_plan *plan, const lattice_shape *shape)
{
    (void)plan;
    return wilson_normal_work(shape, VECTOR_NATIVE, PRECISION_DOUBLE);
}

const dirac_kind wilson_operator_kind = {
    .name = "Wilson",
    .work_vectors = SCRATCH,
    .work = { [AT_EVEN] = ON_EVEN, [AT_ODD] = ON_ODD },
    .create = create_operator,
    .matrix = matrix,
    .apply = apply_operator,
    .normal = normal,
    .square = square,
    .force_add = force_add,
    .range = range,
    .normal_work = normal_work,
    HOP_OPERATOR,
};
