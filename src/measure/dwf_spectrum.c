/* dwf_spectrum.c - the ends of |gamma5 Dw|.
 *
 * Dw = hop + T is D5 of a single slice with b = 1, c = 0, m = -1; H^-1 is a solve with this operator. */
#include "src/measure/dwf_spectrum.h"

#include "src/base/memory.h"
#include "src/measure/lanczos_end.h"
#include "src/operators/dwf_embed.h"

#define SOLVE_RESIDUAL 1e-9            /* of solves with Dw^+Dw; |H| down to about its square root is resolved */

struct dwf_spectrum {
    dwf_matrix matrix;                /* Dw */
    spinor_field v, former, next;        /* of Lanczos */
    spinor_field reflected;              /* gamma5 v */
    vec *even, *odd[2], *rhs, *solution;
    cg_space *space;
};

dwf_spectrum *dwf_spectrum_create(const gauge *u, double M5)
{
    dwf_spectrum *s = memory_alloc(sizeof *s, "the spectrum of the kernel");
    const dwf_weights single = { .Ls = 1, .M5 = M5, .b = { 1 }, .c = { 0 } };
    s->matrix = dwf_matrix_of(&single, -1, (fifth_corner){ 0, 0, 0 });
    s->v = spinor_field_create(u, 1);
    s->former = spinor_field_create(u, 1);
    s->next = spinor_field_create(u, 1);
    s->reflected = spinor_field_create(u, 1);
    s->even = vec_create_native(s->v.even, PRECISION_DOUBLE);
    vec **of[] = { &s->odd[0], &s->odd[1], &s->rhs, &s->solution };
    for (int i = 0; i < 4; i++)
        *of[i] = vec_create_native(s->v.odd, PRECISION_DOUBLE);
    s->space = cg_space_create_like(s->rhs, 1);
    return s;
}

void dwf_spectrum_free(dwf_spectrum *s)
{
    if (!s)
        return;
    spinor_field_free(s->v);
    spinor_field_free(s->former);
    spinor_field_free(s->next);
    spinor_field_free(s->reflected);
    vec_free(s->even);
    vec_free(s->odd[0]);
    vec_free(s->odd[1]);
    vec_free(s->rhs);
    vec_free(s->solution);
    cg_space_free(s->space);
    memory_free(s);
}

memory_need dwf_spectrum_bytes(const lattice_shape *shape)
{
    memory_need need = cg_space_bytes(shape, PRECISION_DOUBLE, ON_ODD, SLAB_GROUP, 1);
    need.lasting += SLAB_GROUP * 13 * vec_bytes(shape, PRECISION_DOUBLE, ON_ODD);
    return need;
}

/* ---- H and its inverse */

/* The context of a Lanczos step, with the sum of the iterations of its solves. */
typedef struct { dwf_spectrum *s; const dwf_spectrum_task *task; int64_t iterations; } kernel_steps;

static spinor_field field_of(lanczos_vector v)
{
    return (spinor_field){ v.part[0], v.part[1] };
}

static lanczos_vector vector_of(spinor_field v)
{
    return (lanczos_vector){ { v.even, v.odd } };
}

static void reflect(spinor_field out, lanczos_vector in)
{
    dwf_reflect(out.even, in.part[0]);
    dwf_reflect(out.odd, in.part[1]);
}

/* gamma5 Dw = Dw^+ gamma5 */
static bool apply(void *of, lanczos_vector next, lanczos_vector v, failure *f)
{
    const kernel_steps *k = of;
    dwf_spectrum *s = k->s;
    const spinor_field work = { s->even, s->rhs };
    (void)f;
    reflect(s->reflected, v);
    dwf_apply(field_of(next), k->task->links, &s->matrix, true, s->reflected, work);
    return true;
}

/* Dw^-1 gamma5 */
static bool solve(void *of, lanczos_vector next, lanczos_vector v, failure *f)
{
    kernel_steps *k = of;
    dwf_spectrum *s = k->s;
    const hop_links *links = k->task->links;
    const dwf_op op = dwf_normal_operator(links, &s->matrix, &s->even, (vec *const (*)[2])&s->odd, 1);
    const stop_rule stop = { SOLVE_RESIDUAL, k->task->max_iterations };
    reflect(s->reflected, v);
    dwf_prepare(s->solution, links, &s->matrix, s->reflected, s->even);
    dwf_c_dagger(s->rhs, links, &s->matrix, s->solution, s->even, s->odd[0]);
    vec_zero(s->solution);
    const solve_result r = cg_solve(&op.base, s->solution, 0, s->rhs, stop, s->space);
    k->iterations += r.iterations;
    dwf_reconstruct(field_of(next), links, &s->matrix, s->reflected, s->solution, s->even);
    return r.converged
           || fail(f, "the smallest eigenvalue of gamma5 Dw: residual %.1e after %d iterations, requested %.1e",
                   r.residual, r.iterations, SOLVE_RESIDUAL);
}

/* A lower bound of the largest modulus of an eigenvalue of the operator. */
static bool largest_of(double *largest, kernel_steps *k, lanczos_apply *step, failure *f)
{
    dwf_spectrum *s = k->s;
    const lanczos_task task = { .parts = 2, .v = vector_of(s->v), .former = vector_of(s->former),
                                .next = vector_of(s->next), .apply = step, .of = k,
                                .what = "the spectrum of gamma5 Dw" };
    vec_set_gaussian(s->v.even, k->task->key, k->task->first_draw);
    vec_set_gaussian(s->v.odd, k->task->key, k->task->first_draw);
    return lanczos_largest(largest, &task, f);
}

bool dwf_spectrum_measure(kernel_range *r, dwf_spectrum *s, const dwf_spectrum_task *task, failure *f)
{
    kernel_steps k = { s, task, 0 };
    double inverse;
    const bool ok = largest_of(&r->largest, &k, apply, f) && largest_of(&inverse, &k, solve, f);
    r->iterations = k.iterations;
    r->smallest = ok ? 1 / inverse : 0;
    return ok;
}
