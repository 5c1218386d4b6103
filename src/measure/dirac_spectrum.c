/* dirac_spectrum.c - the ends of the spectrum of (C^+C)^1/2. */
#include "src/measure/dirac_spectrum.h"

#include "src/base/memory.h"
#include "src/measure/lanczos_end.h"

#include <math.h>

#define SOLVE_RESIDUAL 1e-9            /* of C^+C: far below the accuracy of Lanczos */

struct dirac_spectrum { vec *v, *former, *next, *image; };

/* The number of its vectors: three at home. */
enum { AT_HOME = 3 };

dirac_spectrum *dirac_spectrum_create(const dirac_operator *d)
{
    dirac_spectrum *s = memory_alloc(sizeof *s, "the ends of a spectrum");
    const vec_storage full = dirac_full_storage(d);
    vec **at_home[AT_HOME] = { &s->v, &s->former, &s->next };
    for (int i = 0; i < AT_HOME; i++)
        *at_home[i] = dirac_vec_create(d, d->kind->home, full);
    s->image = dirac_vec_create(d, d->kind->image, full);
    return s;
}

void dirac_spectrum_free(dirac_spectrum *s)
{
    if (!s)
        return;
    vec_free(s->v);
    vec_free(s->former);
    vec_free(s->next);
    vec_free(s->image);
    memory_free(s);
}

memory_need dirac_spectrum_bytes(const dirac_plan *plan, const lattice_shape *shape)
{
    const vec_storage full = { VECTOR_NATIVE, PRECISION_DOUBLE };
    return (memory_need){ .lasting = (AT_HOME + 1) * dirac_vec_bytes(plan, shape, full) };
}

/* The context of a Lanczos step, with the sum of the iterations of its solves. */
typedef struct { dirac_spectrum *s; const dirac_spectrum_task *task; int64_t iterations; } spectrum_steps;

/* C^+C */
static bool apply(void *of, lanczos_vector next, lanczos_vector v, failure *f)
{
    const spectrum_steps *k = of;
    (void)f;
    dirac_solver_apply(k->s->image, k->task->solver, k->task->matrix, false, v.part[0]);
    dirac_solver_apply(next.part[0], k->task->solver, k->task->matrix, true, k->s->image);
    return true;
}

/* (C^+C)^-1 */
static bool solve(void *of, lanczos_vector next, lanczos_vector v, failure *f)
{
    spectrum_steps *k = of;
    dirac_goal goal = k->task->goal;
    goal.residual = SOLVE_RESIDUAL;
    vec_zero(next.part[0]);
    const dirac_solved r = dirac_solve(k->task->solver, k->task->matrix, next.part[0], v.part[0], &goal);
    k->iterations += r.iterations;
    return r.converged || fail(f, "the smallest eigenvalue: residual %.1e after %d iterations, requested %.1e",
                               r.residual, r.iterations, SOLVE_RESIDUAL);
}

static bool largest_of(double *largest, spectrum_steps *k, lanczos_apply *step, failure *f)
{
    const dirac_spectrum *s = k->s;
    const lanczos_task task = { .parts = 1, .v = { { s->v } }, .former = { { s->former } }, .next = { { s->next } },
                                .apply = step, .of = k, .what = "the ends of the spectrum" };
    vec_set_gaussian(s->v, k->task->key, k->task->first_draw);
    return lanczos_largest(largest, &task, f);
}

bool dirac_spectrum_measure(dirac_ends *e, dirac_spectrum *s, const dirac_spectrum_task *task, failure *f)
{
    spectrum_steps k = { s, task, 0 };
    double largest, inverse;
    const bool ok = largest_of(&largest, &k, apply, f) && largest_of(&inverse, &k, solve, f);
    e->iterations = k.iterations;
    e->largest = ok ? sqrt(largest) : 0;
    e->smallest = ok ? 1 / sqrt(inverse) : 0;
    return ok;
}
