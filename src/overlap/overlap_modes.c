/* overlap_modes.c - the lowest eigenvalues of the overlap operator in each chirality. */
#include "src/overlap/overlap_modes.h"

#include "src/base/memory.h"
#include "src/base/progress_tick.h"

/* The accuracy of the sign over the requested residual: errors of 2 M0^2 P sign(H) P are then below 4 M0^2 residual. */
#define SIGN_ACCURACY 0.1

struct overlap_modes {
    int count;
    eigen_space *space;
};

overlap_modes *overlap_modes_create(const gauge *u, int count)
{
    overlap_modes *m = memory_alloc(sizeof *m, "modes of overlap quarks");
    vec *like = spinor_half_create(u);
    m->count = count;
    m->space = eigen_space_create(like, count, eigen_basis(count));
    vec_free(like);
    return m;
}

void overlap_modes_free(overlap_modes *m)
{
    if (!m)
        return;
    eigen_space_free(m->space);
    memory_free(m);
}

size_t overlap_modes_bytes(const lattice_shape *shape, int count)
{
    return (size_t)(1 + eigen_space_vectors(count, eigen_basis(count))) * spinor_half_bytes(shape);
}

/* D^+D on one chirality, for the eigensolver. */
typedef struct { linop base; overlap *o; int chirality; double accuracy; } chiral_square;

static void apply(const linop *base, vec *out, double shift, const vec *in)
{
    const chiral_square *a = (const chiral_square *)base;
    overlap_normal(out, a->o, 0, a->chirality, a->accuracy, in);
    if (shift != 0)
        vec_axpy(out, shift, in);
    progress_tick();
}

static double apply_dot(const linop *base, vec *out, double shift, const vec *in, double guess)
{
    (void)guess;
    apply(base, out, shift, in);
    return vec_dot(in, out).re;
}

bool overlap_modes_compute(chiral_modes *c, overlap_modes *m, overlap *o, int chirality,
                           const overlap_modes_goal *goal, failure *f)
{
    const chiral_square a = { { apply_dot, apply, NULL, 1, { 0, 0 } }, o, chirality, SIGN_ACCURACY * goal->residual };
    const double M0 = overlap_params_of(o)->M0, largest = 4 * M0 * M0;
    const eigen_goal lowest = { .count = m->count, .basis = eigen_basis(m->count), .residual = goal->residual,
                                .max_restarts = goal->max_restarts };
    const eigen_result r = eigen_lowest(&a.base, m->space, &lowest, goal->key, goal->first_draw);
    *c = (chiral_modes){ .count = r.found, .applications = r.applications };
    for (int i = 0; i < r.found; i++) {
        c->value[i] = eigen_pairs(m->space)[i].value;
        c->residual[i] = eigen_pairs(m->space)[i].residual * r.upper / largest;
        c->zeros += c->value[i] <= largest * goal->residual;
    }
    if (!overlap_check_work(o, f))
        return false;
    return r.converged || fail(f, "chirality %s1: %s", chirality == 0 ? "+" : "-", r.why.why);
}
