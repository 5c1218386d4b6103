/* test_domain_wall.c - the domain-wall operator: numbers of another implementation, adjoints, solutions on all sites,
 * every vector format, batches. */
#include "src/operators/domain_wall.h"

#include "src/base/memory.h"
#include "src/lattice/rng.h"
#include "src/lattice/vec_mixed.h"
#include "src/operators/wall_weights.h"
#include "src/solvers/solver.h"
#include "tests/analytic_field.h"
#include "tests/facts.h"
#include "tests/lattice/batch_state.h"
#include "tests/on_every_backend.h"
#include "tests/operators/golden_walls.h"

#include <math.h>
#include <string.h>

enum { SPINOR = 24 };

static const int golden_extents[4] = { 4, 4, 6, 8 };
static const fifth_corner none = { 0, 0, 0 };

/* ---- the test vector of the golden numbers: sin(1 + 0.7 k) + i cos(0.3 + 1.1 k), k = (site, slice, spin, colour) */

static void test_number(double *z, double k)
{
    z[0] = sin(1 + 0.7 * k);
    z[1] = cos(0.3 + 1.1 * k);
}

/* [s][t][z][y][x][spin][colour][re,im] */
static double *test_vector(int64_t volume, int slices)
{
    double *v = memory_alloc((size_t)(volume * slices * SPINOR) * sizeof *v, "a test vector");
    for (int64_t site = 0; site < volume; site++)
        for (int s = 0; s < slices; s++)
            for (int i = 0; i < SPINOR / 2; i++)
                test_number(v + (s * volume + site) * SPINOR + 2 * i, (double)((site * slices + s) * (SPINOR / 2) + i));
    return v;
}

typedef struct { double norm2, first[6], weighted[2]; } numbers;

static void add_numbers(numbers *n, const double *out, const double *test, int64_t count)
{
    for (int64_t i = 0; i < count; i += 2) {
        n->norm2 += out[i] * out[i] + out[i + 1] * out[i + 1];
        n->weighted[0] += test[i] * out[i] + test[i + 1] * out[i + 1];
        n->weighted[1] += test[i] * out[i + 1] - test[i + 1] * out[i];
    }
}

static numbers numbers_of(wall_field f, int slices)
{
    int64_t volume = lattice_volume(f.odd->f.lattice), count = volume * slices * SPINOR;
    double *test = test_vector(volume, slices), *out = memory_alloc((size_t)count * sizeof *out, "a vector");
    numbers n = { 0 };
    vec_export(out, f.odd);
    add_numbers(&n, out, test, count);
    if (f.even) {
        vec_export(out, f.even);
        add_numbers(&n, out, test, count);
        memcpy(n.first, out, sizeof n.first);
    }
    memory_free(test);
    memory_free(out);
    return n;
}

static void compare(const numbers *got, double test_norm2, const golden_wall_numbers *want, place where,
                    const char *name, const char *of)
{
    double size = sqrt(want->norm2 * test_norm2), off = 0;
    fact_close(got->norm2 / want->norm2, 1, 3e-14, "%s, %s: |%s v|^2", place_name(where), name, of);
    fact_close(got->weighted[0], want->weighted[0], 1e-13 * size, "%s, %s: Re <v, %s v>", place_name(where), name, of);
    fact_close(got->weighted[1], want->weighted[1], 1e-13 * size, "%s, %s: Im <v, %s v>", place_name(where), name, of);
    for (int i = 0; i < 6; i++)
        off = fmax(off, fabs(got->first[i] - want->first[i]));
    fact_close(off, 0, 1e-13, "%s, %s: %s v at the first site", place_name(where), name, of);
}

/* ---- an operator at work */

typedef struct {
    place where;
    lattice *l;
    gauge *u;
    wall_links *links;
    int slices;
    wall_field v, out, room;
} workplace;

static wall_field pair(lattice *l, place where, int slices)
{
    return (wall_field){ wall_vec_create(l, ON_EVEN, where, PRECISION_DOUBLE, slices),
                         wall_vec_create(l, ON_ODD, where, PRECISION_DOUBLE, slices) };
}

static void free_pair(wall_field f)
{
    vec_free(f.even);
    vec_free(f.odd);
}

static workplace begin(place where, const int extents[4], int slices, double boundary)
{
    workplace w = { .where = where, .l = lattice_create(extents), .slices = slices };
    failure f;
    double *links = analytic_links(extents, 1.2);
    w.u = gauge_create(w.l, where, PRECISION_DOUBLE);
    gauge_import(w.u, links);
    memory_free(links);
    w.links = wall_links_create(w.l, where, PRECISION_DOUBLE, boundary);
    fact(wall_links_update(w.links, w.u, &f), "%s: the test field is SU(3)", place_name(where));
    w.v = pair(w.l, where, slices);
    w.out = pair(w.l, where, slices);
    w.room = pair(w.l, where, slices);
    return w;
}

static void end(workplace *w)
{
    free_pair(w->v);
    free_pair(w->out);
    free_pair(w->room);
    wall_links_free(w->links);
    gauge_free(w->u);
    lattice_free(w->l);
}

static void random_field(wall_field f, unsigned key)
{
    vec_set_gaussian(f.even, rng_key_for(77, 0, key, RNG_TEST), 0);
    vec_set_gaussian(f.odd, rng_key_for(77, 0, key, RNG_TEST), 0);
}

static wall_weights weights_of(const wall_weights_params *p)
{
    wall_weights w;
    failure f;
    fact(wall_weights_make(&w, p, &f), "there are weights %s", wall_kind_names[p->kind]);
    return w;
}

static complex_number product(wall_field a, wall_field b)
{
    complex_number even = vec_dot(a.even, b.even), odd = vec_dot(a.odd, b.odd);
    return (complex_number){ even.re + odd.re, even.im + odd.im };
}

static void hop_is_known(place where)
{
    workplace w = begin(where, golden_extents, 1, -1);
    double *test = test_vector(lattice_volume(w.l), 1);
    vec_import(w.v.even, test);
    vec_import(w.v.odd, test);
    memory_free(test);
    fifth_table one = fifth_one(1, 1);
    wall_hop_with(w.out.even, w.links, &one, false, w.v.odd, 0, NULL, 0, NULL);
    wall_hop_with(w.out.odd, w.links, &one, false, w.v.even, 0, NULL, 0, NULL);
    numbers n = numbers_of(w.out, 1);
    compare(&n, product(w.v, w.v).re, &golden_wilson_hop, where, "Wilson", "hop");
    end(&w);
}

static void operators_are_known(place where, const golden_wall *g)
{
    workplace w = begin(where, golden_extents, g->params.slices, -1);
    const int slices = g->params.slices;
    wall_weights weights = weights_of(&g->params);
    wall_matrix m = wall_matrix_of(&weights, g->mass, none);
    double *test = test_vector(lattice_volume(w.l), slices);
    vec_import(w.v.even, test);
    vec_import(w.v.odd, test);
    memory_free(test);
    double size = product(w.v, w.v).re;
    wall_apply(w.out, w.links, &m, false, w.v, w.room);
    numbers n = numbers_of(w.out, slices);
    compare(&n, size, &g->d, where, g->name, "D5");
    wall_apply(w.out, w.links, &m, true, w.v, w.room);
    n = numbers_of(w.out, slices);
    compare(&n, size, &g->d_dagger, where, g->name, "D5^+");
    wall_c(w.out.odd, w.links, &m, w.v.odd, w.room.even);
    n = numbers_of((wall_field){ NULL, w.out.odd }, slices);
    compare(&n, size, &g->c, where, g->name, "C");
    end(&w);
}

/* ---- properties, for weights that differ from slice to slice */

static const int extents[4] = { 4, 2, 6, 4 };

static wall_weights uneven(int slices)
{
    wall_weights w = { .slices = slices, .height = 1.7 };
    for (int s = 0; s < slices; s++) {
        w.b[s] = 0.5 + 0.3 * s;
        w.c[s] = 0.8 - 0.25 * s;
    }
    return w;
}

static double distance(complex_number a, complex_number b) { return hypot(a.re - b.re, a.im + b.im); }

static void adjoints(place where, fifth_corner corner)
{
    const int slices = 5;
    workplace w = begin(where, extents, slices, -1);
    wall_weights weights = uneven(slices);
    wall_matrix m = wall_matrix_of(&weights, 0.2, corner);
    wall_field a = pair(w.l, where, slices), after = pair(w.l, where, slices);
    vec *even = vec_create_like(a.even), *odd = vec_create_like(a.odd);
    random_field(w.v, 1);
    random_field(a, 2);
    wall_apply(w.out, w.links, &m, false, w.v, w.room);
    wall_apply(after, w.links, &m, true, a, w.room);
    double size = sqrt(product(w.out, w.out).re * product(a, a).re);
    fact_close(distance(product(a, w.out), product(w.v, after)) / size, 0, 1e-14,
               "%s, corner %g: <a, D5 b> = <D5^+ a, b>", place_name(where), corner.strength);
    wall_c(w.out.odd, w.links, &m, w.v.odd, even);
    wall_c_dagger(after.odd, w.links, &m, a.odd, even, odd);
    fact_close(distance(vec_dot(a.odd, w.out.odd), vec_dot(w.v.odd, after.odd)) / size, 0, 1e-14,
               "%s, corner %g: <a, C b> = <C^+ a, b>", place_name(where), corner.strength);
    vec_free(even);
    vec_free(odd);
    free_pair(a);
    free_pair(after);
    end(&w);
}

/* x = D5^-1 v through C^+C x' = C^+ rhs. */
static void solutions(place where, const wall_weights *weights, fifth_corner corner, const char *name)
{
    const int slices = weights->slices;
    workplace w = begin(where, extents, slices, -1);
    wall_matrix m = wall_matrix_of(weights, 0.2, corner);
    vec *rhs = vec_create_like(w.v.odd), *right = vec_create_like(rhs), *x = vec_create_like(rhs);
    vec *even = vec_create_like(w.v.even), *odd[2] = { vec_create_like(rhs), vec_create_like(rhs) };
    vec *const (*rooms)[2] = (vec *const (*)[2])&odd;
    wall_op op = wall_operator(w.links, &m, &even, rooms, 1);
    cg_space *space = cg_space_create_like(x, 1);
    wall_field back = pair(w.l, where, slices);
    random_field(w.v, 3);
    wall_prepare(rhs, w.links, &m, w.v, even);
    wall_c_dagger(right, w.links, &m, rhs, even, odd[0]);
    solve_result r = cg_solve(&op.base, x, 0, right, (stop_rule){ 1e-13, 5000 }, space);
    fact(r.converged, "%s, %s: C^+C x = b is solved", place_name(where), name);
    wall_reconstruct(w.out, w.links, &m, w.v, x, even);
    wall_apply(back, w.links, &m, false, w.out, w.room);
    vec_axpy(back.even, -1, w.v.even);
    vec_axpy(back.odd, -1, w.v.odd);
    fact_close(sqrt(product(back, back).re / product(w.v, w.v).re), 0, 1e-12, "%s, %s: and D5 x = v on all sites",
               place_name(where), name);
    free_pair(back);
    cg_space_free(space);
    vec_free(rhs);
    vec_free(right);
    vec_free(x);
    vec_free(even);
    vec_free(odd[0]);
    vec_free(odd[1]);
    end(&w);
}

/* ---- formats and batches */

typedef struct { vec *even[BATCH_TOGETHER], *odd[BATCH_TOGETHER][2], *p[BATCH_TOGETHER], *q[BATCH_TOGETHER]; } systems;

static vec *vec_of(const batch_kind *k, lattice *l, parity_set on, place where, int slices)
{
    return k->format == VECTOR_NATIVE ? wall_vec_create(l, on, where, k->precision, slices)
                                      : wall_vec_create_format(l, on, where, k->format, slices);
}

static double shift_of(int n) { return 0.05 * n; }

/* (A + shift_n) p_n of `count` at once, and alpha_n = 1 / <p_n, .>. */
static void run_batch(const wall_op *op, systems *s, int count, place where, double *alpha)
{
    krylov_state *host = memory_alloc(sizeof *host, "a state"), *at;
    loop *body = loop_create(where);
    batch_state_begin(host, count);
    for (int n = 0; n < count; n++) {
        host->system[n].shift = shift_of(n);
        host->system[n].rr = 1;
    }
    at = batch_state_create(where, host);
    krylov_batch b = batch_of(at, 0, count, true);
    op->base.add_batch(&op->base, body, &b, s->q, s->p);
    vec_batch_residual(body, &b, s->p, s->q);                /* ends the step */
    loop_run(body, &at->going);
    batch_state_get(host, at, where);
    for (int n = 0; n < count; n++)
        alpha[n] = host->system[n].alpha;
    loop_free(body);
    batch_state_free(at, where);
    memory_free(host);
}

static size_t count_of(const vec *v)
{
    return (size_t)lattice_volume(v->f.lattice) * (size_t)v->f.slabs * VEC_REALS;
}

static double *numbers_in(const vec *v)
{
    double *x = memory_alloc(count_of(v) * sizeof *x, "numbers");
    vec_export(x, v);
    return x;
}

static bool same_numbers(const vec *a, const double *b)
{
    double *x = numbers_in(a);
    bool same = b && memcmp(x, b, count_of(a) * sizeof *b) == 0;
    memory_free(x);
    return same;
}

/* On the GPU whether v is what it was on the CPU, where its numbers are kept. */
static bool same_as_on_cpu(place where, const vec *v, double **on_cpu)
{
    return where == PLACE_GPU ? same_numbers(v, *on_cpu) : (*on_cpu = numbers_in(v)) != NULL;
}

/* Sizes about the smallest that half knows, and near the largest float. */
static void ends_of_range(place where, const batch_kind *kind, const wall_links *links, const wall_matrix *m,
                          const systems *s, double *on_cpu[2])
{
    for (int i = 0; i < 2; i++) {
        const int power = i ? 115 : -108;
        double *x = numbers_in(s->p[i]);
        for (size_t j = 0; j < count_of(s->p[i]); j++)
            x[j] = ldexp(x[j], power);
        vec_import(s->p[i], x);
        memory_free(x);
        wall_c(s->q[i], links, m, s->p[i], s->even[i]);
        fact(same_as_on_cpu(where, s->q[i], &on_cpu[i]), "%s, %s: C v of numbers about 2^%d has the CPU's bits",
             place_name(where), kind->name, power);
    }
}

/* on_cpu: the numbers of results there, made and then compared with. */
static void formats(place where, const batch_kind *kind, double *on_cpu[3])
{
    const int slices = 5;
    const double tolerance[BATCH_KINDS] = { 1e-14, 1e-6, 3e-4, 3e-5, 3e-8 };
    workplace w = begin(where, extents, slices, -1);
    wall_weights weights = uneven(slices);
    wall_matrix m = wall_matrix_of(&weights, 0.2, none);
    wall_links *links = wall_links_create(w.l, where, kind->precision, -1);
    systems s, high;
    failure f;
    fact(wall_links_update(links, w.u, &f), "%s, %s: links in 12 numbers", place_name(where), kind->name);
    for (int n = 0; n < BATCH_TOGETHER; n++) {
        s.p[n] = vec_of(kind, w.l, ON_ODD, where, slices);
        s.q[n] = vec_create_like(s.p[n]);
        s.even[n] = vec_of(kind, w.l, ON_EVEN, where, slices);
        for (int i = 0; i < 2; i++)
            s.odd[n][i] = vec_create_like(s.p[n]);
        vec_set_gaussian(s.p[n], rng_key_for(78, 0, (unsigned)n, RNG_TEST), 0);
    }
    high.even[0] = w.room.even;
    high.odd[0][0] = w.room.odd;
    high.odd[0][1] = w.out.odd;
    wall_op op = wall_operator(links, &m, s.even, (vec *const (*)[2])s.odd, BATCH_TOGETHER);
    wall_op exact = wall_operator(w.links, &m, high.even, (vec *const (*)[2])high.odd, 1);
    fact(op.base.together == BATCH_TOGETHER, "%s, %s: all systems together", place_name(where), kind->name);
    vec *alone[BATCH_TOGETHER];
    double dot[BATCH_TOGETHER], *want[BATCH_TOGETHER], off = 0;
    for (int n = 0; n < BATCH_TOGETHER; n++) {
        alone[n] = vec_create_like(s.p[n]);
        dot[n] = op.base.apply_dot(&op.base, alone[n], shift_of(n), s.p[n], 1);
        want[n] = numbers_in(alone[n]);
        off = fmax(off, fabs(vec_dot(s.p[n], alone[n]).re / dot[n] - 1));
    }
    fact_close(off, 0, tolerance[kind - batch_kinds], "%s, %s: <v, (A + shift) v>", place_name(where), kind->name);
    vec *p = vec_create_native(s.p[1], PRECISION_DOUBLE), *q = vec_create_like(p), *low = vec_create_like(p);
    vec_convert(p, s.p[1]);
    vec_convert(low, alone[1]);
    exact.base.apply(&exact.base, q, shift_of(1), p);
    double size = vec_norm2(q);
    vec_axpy(low, -1, q);
    fact_close(sqrt(vec_norm2(low) / size), 0, tolerance[kind - batch_kinds], "%s, %s: A v is near that in double",
               place_name(where), kind->name);
    vec *before[BATCH_TOGETHER];
    for (int n = 0; n < BATCH_TOGETHER; n++) {
        before[n] = vec_create_like(s.p[n]);
        vec_copy(before[n], s.p[n]);
    }
    for (int count = 1; count <= BATCH_TOGETHER; count *= 2) {
        double alpha[BATCH_TOGETHER], worst = 0;
        bool same = true;
        for (int n = 0; n < count; n++)
            vec_copy(s.p[n], before[n]);
        run_batch(&op, &s, count, where, alpha);
        for (int n = 0; n < count; n++) {
            same &= same_numbers(s.q[n], want[n]);
            worst = fmax(worst, fabs(alpha[n] * dot[n] - 1));
        }
        fact(same, "%s, %s: (A + shift) v of %d at once are those alone", place_name(where), kind->name, count);
        fact_close(worst, 0, 1e-14, "%s, %s: and their products", place_name(where), kind->name);
    }
    fact(same_as_on_cpu(where, alone[3], &on_cpu[2]), "%s, %s: the CPU's bits", place_name(where), kind->name);
    ends_of_range(where, kind, links, &m, &s, on_cpu);
    for (int n = 0; n < BATCH_TOGETHER; n++) {
        vec_free(s.p[n]);
        vec_free(s.q[n]);
        vec_free(s.even[n]);
        vec_free(s.odd[n][0]);
        vec_free(s.odd[n][1]);
        vec_free(before[n]);
        vec_free(alone[n]);
        memory_free(want[n]);
    }
    vec_free(p);
    vec_free(q);
    vec_free(low);
    wall_links_free(links);
    end(&w);
}

int main(void)
{
    double *on_cpu[BATCH_KINDS][3] = { 0 };
    const fifth_corner upper = { 0, 0.4, -0.3 }, lower = { 1, -0.2, -0.5 };
    FOR_EVERY_PLACE(where) {
        wall_weights weights = uneven(5), moebius = { .slices = 4, .height = 1.8 };
        for (int s = 0; s < 4; s++) {
            moebius.b[s] = 1.5;
            moebius.c[s] = 0.5;
        }
        hop_is_known(where);
        for (int i = 0; i < GOLDEN_WALLS; i++)
            operators_are_known(where, &golden_walls[i]);
        adjoints(where, none);
        adjoints(where, upper);
        adjoints(where, lower);
        solutions(where, &weights, none, "uneven weights");
        solutions(where, &moebius, none, "Moebius");
        solutions(where, &moebius, upper, "a corner above");
        solutions(where, &moebius, lower, "a corner below");
        for (int k = 0; k < BATCH_KINDS; k++)
            formats(where, &batch_kinds[k], on_cpu[k]);
    }
    for (int k = 0; k < 3 * BATCH_KINDS; k++)
        memory_free(on_cpu[k / 3][k % 3]);
    return facts_end();
}
