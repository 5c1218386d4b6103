/* overlap.c - the overlap operator of a configuration. */
#include "src/overlap/overlap.h"

#include "src/base/memory.h"
#include "src/solvers/solver.h"

#include <assert.h>
#include <math.h>

/* The shares of the error of the sign: of the function, and of solves or truncation. */
#define SHARE 0.5

/* Scratch pairs.  KERNEL: of H^2; REST, IMAGE, FORMER: of the sign; SIGN, TURNED: of D, and embedded halves. */
enum { KERNEL, REST, IMAGE, FORMER, SIGN, TURNED, SCRATCH };

struct overlap {
    overlap_params params;
    hop_links *links;
    wilson_kernel kernel;
    kernel_modes *modes;
    sign_function function;
    vec *scratch[SCRATCH];
    cg_space *space;                     /* zolotarev, as the next ones */
    vec *x[RATIONAL_POLES], *p[RATIONAL_POLES];
    overlap_work work;
};

overlap *overlap_create(const overlap_params *p, const gauge *u)
{
    overlap *o = memory_alloc(sizeof *o, "an overlap operator");
    const vec_storage full = { VECTOR_NATIVE, PRECISION_DOUBLE };
    assert(u->links.precision == PRECISION_DOUBLE && p->modes > 0 && p->modes <= KERNEL_MODES_MAX);
    o->params = *p;
    o->links = hop_links_create_for(u->links.lattice, u->links.where, full, p->boundary);
    o->modes = kernel_modes_create(u, p->modes);
    for (int i = 0; i < SCRATCH; i++)
        o->scratch[i] = spinor_pair_create(u);
    o->kernel = wilson_kernel_of(o->links, p->M0, o->scratch[KERNEL]);
    if (p->sign == SIGN_ZOLOTAREV) {
        o->space = cg_space_create_refining(o->scratch[KERNEL], 1);
        for (int k = 0; k < p->poles; k++) {
            o->x[k] = spinor_pair_create(u);
            o->p[k] = spinor_pair_create(u);
        }
    }
    return o;
}

void overlap_free(overlap *o)
{
    if (!o)
        return;
    for (int k = 0; k < RATIONAL_POLES; k++) {
        vec_free(o->x[k]);
        vec_free(o->p[k]);
    }
    cg_space_free(o->space);
    for (int i = 0; i < SCRATCH; i++)
        vec_free(o->scratch[i]);
    sign_function_free(&o->function);
    kernel_modes_free(o->modes);
    hop_links_free(o->links);
    memory_free(o);
}

memory_need overlap_bytes(const overlap_params *p, const lattice_shape *shape)
{
    const vec_storage full = { VECTOR_NATIVE, PRECISION_DOUBLE };
    memory_need need = { .lasting = SCRATCH * spinor_pair_bytes(shape) + kernel_modes_bytes(shape, p->modes)
                                    + hop_links_bytes_for(shape, full) };
    if (p->sign == SIGN_ZOLOTAREV) {
        need = memory_need_add(need, cg_space_bytes(shape, PRECISION_DOUBLE, ON_ODD, PAIR_SLABS, 1));
        need.lasting += 2 * (size_t)p->poles * spinor_pair_bytes(shape);
    }
    return need;
}

/* The approximation for the interval that the modes leave. */
static bool make_function(overlap *o, failure *f)
{
    const overlap_params *p = &o->params;
    const sign_goal wanted = { .method = p->sign, .lower = kernel_modes_rest(o->modes), .upper = 8 - p->M0,
                               .error = SHARE * p->accuracy, .poles = p->poles };
    sign_function_free(&o->function);
    return sign_function_make(&o->function, &wanted, f);
}

bool overlap_update(overlap *o, const gauge *u, rng_key key, uint32_t first_draw, failure *f)
{
    const kernel_modes_goal goal = { o->params.accuracy, key, first_draw };
    o->work = (overlap_work){ 0 };
    return hop_links_update(o->links, u, f) && kernel_modes_compute(o->modes, &o->kernel, &goal, f)
           && make_function(o, f);
}

bool overlap_use_polynomial(overlap *o, failure *f)
{
    o->params.sign = SIGN_CHEBYSHEV;
    return make_function(o, f);
}

overlap_work overlap_work_done(const overlap *o) { return o->work; }
const overlap_params *overlap_params_of(const overlap *o) { return &o->params; }
const kernel_modes *overlap_kernel_modes(const overlap *o) { return o->modes; }
const sign_function *overlap_sign_function(const overlap *o) { return &o->function; }

bool overlap_check_work(const overlap *o, failure *f)
{
    return o->work.failed == 0
           || fail(f, "the sign of the kernel: %lld of %lld solves did not converge in %d iterations",
                   (long long)o->work.failed, (long long)o->work.applications, o->params.max_iterations);
}

/* ---- R(H^2) v */

/* out <- R(H^2) v, by partial fractions; |v| > 0 */
static void apply_fraction(vec *out, overlap *o, double error, const vec *v)
{
    const rational *r = &o->function.fraction;
    shifted system[RATIONAL_POLES];
    for (int k = 0; k < r->order; k++)
        system[k] = (shifted){ r->pole[k], sign_function_tolerance(&o->function, k, error) };
    const shifted_family family = { .b = v, .system = system, .count = r->order, .x = o->x, .p = o->p };
    const multishift_result solved = multishift_solve(&o->kernel.base, family, o->params.max_iterations, false,
                                                      o->space);
    o->work.iterations += solved.iterations;
    o->work.failed += !solved.converged;
    vec_combine(out, r->constant, v, r->residue, o->x, r->order);
}

/* out <- R(H^2) v, by Clenshaw's recursion: b_j = c_j v + 2 Z b_(j+1) - b_(j+2), R = c_0/2 + Z b_1 - b_2, with
 * Z = (2 H^2 - upper^2 - lower^2) / (upper^2 - lower^2) */
static void apply_polynomial(vec *out, overlap *o, double error, const vec *v)
{
    const sign_function *s = &o->function;
    const double low = s->lower * s->lower, high = s->upper * s->upper, unit = 2 / (high - low);
    const int degree = sign_function_degree(s, error);
    vec *b = out, *former = o->scratch[FORMER], *next = o->scratch[IMAGE];
    vec_zero(b);
    vec_zero(former);
    for (int j = degree; j >= 0; j--) {
        const double c[] = { j > 0 ? s->coefficient[j] : s->coefficient[0] / 2, -1 };
        const double twice = j > 0 ? 2 : 1;
        o->kernel.base.apply(&o->kernel.base, next, -(high + low) / 2, b);
        vec_combine(next, twice * unit, next, c, (vec *const[]){ (vec *)v, former }, 2);
        vec *oldest = former;
        former = b;
        b = next;
        next = oldest;
    }
    if (b != out)
        vec_copy(out, b);
    o->work.iterations += degree;
}

void overlap_sign(vec *out, overlap *o, double accuracy, const vec *in)
{
    const double error = fmax(accuracy, o->params.accuracy) - SHARE * o->params.accuracy;
    complex_number part[KERNEL_MODES_MAX];
    vec *rest = o->scratch[REST], *image = o->scratch[IMAGE];
    assert(out != in && in != rest && in != image && in != o->scratch[FORMER]);
    kernel_modes_remove(rest, part, o->modes, in);
    o->work.applications++;
    if (vec_norm2(rest) == 0) {
        vec_zero(out);
    } else if (o->params.sign == SIGN_ZOLOTAREV) {
        apply_fraction(image, o, error, rest);
        wilson_kernel_hermitian(out, &o->kernel, image);
    } else {
        apply_polynomial(out, o, error, rest);
        vec_copy(image, out);
        wilson_kernel_hermitian(out, &o->kernel, image);
    }
    kernel_modes_add_signs(out, o->modes, part);
}

/* ---- D */

void overlap_apply(vec *out, overlap *o, double mass, bool dagger, const vec *in)
{
    const double M0 = o->params.M0, a = M0 + mass / 2, b = M0 - mass / 2;
    vec *sign = o->scratch[SIGN], *turned = o->scratch[TURNED];
    if (dagger) {
        spinor_pair_gamma5(turned, in);
        overlap_sign(sign, o, 0, turned);
        vec_combine(out, a, in, &b, &sign, 1);
        return;
    }
    overlap_sign(sign, o, 0, in);
    spinor_pair_gamma5(turned, sign);
    vec_combine(out, a, in, &b, &turned, 1);
}

void overlap_normal(vec *out, overlap *o, double mass, int chirality, double accuracy, const vec *in)
{
    const double M0 = o->params.M0, a = 2 * M0 * M0 + mass * mass / 2, b = M0 * M0 - mass * mass / 4;
    vec *whole = o->scratch[TURNED], *sign = o->scratch[SIGN];
    spinor_half_embed(whole, in, chirality);
    overlap_sign(sign, o, accuracy, whole);
    spinor_half_get(out, sign, chirality);
    vec_combine(out, chirality == 0 ? 2 * b : -2 * b, out, &a, (vec *const[]){ (vec *)in }, 1);
}

void overlap_kernel_to_json(json *j, const overlap *o)
{
    const sign_function *s = &o->function;
    json_open(j, "kernel", '{');
    json_text(j, "sign", sign_method_names[s->method]);
    json_reals(j, "eigenvalues", kernel_modes_values(o->modes), kernel_modes_count(o->modes));
    json_reals(j, "residuals", kernel_modes_residuals(o->modes), kernel_modes_count(o->modes));
    json_real(j, "lower", s->lower);
    json_real(j, "upper", s->upper);
    json_int(j, s->method == SIGN_ZOLOTAREV ? "poles" : "degree",
             s->method == SIGN_ZOLOTAREV ? s->fraction.order : s->degree);
    json_real(j, "error", s->error);
    json_int(j, "applications", kernel_modes_applications(o->modes));
    json_close(j);
}
