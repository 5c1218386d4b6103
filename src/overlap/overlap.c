/* overlap.c - the overlap operator of a configuration. */
#include "src/overlap/overlap.h"

#include "src/base/memory.h"
#include "src/overlap/sign_product.h"

#include <assert.h>
#include <float.h>
#include <math.h>

/* The fraction of the allowed error of the sign for the approximation; the rest is for solves or truncation. */
#define SHARE 0.5

/* Scratch pairs.  REST: the input of the sign without its modes; SIGN, TURNED: in D, sign(H) v and gamma5 v; TURNED
 * also holds an embedded half. */
enum { REST, SIGN, TURNED, SCRATCH };

/* Scratch pairs in single precision: REST, and the approximated sign of it. */
enum { SINGLE_REST, SINGLE_IMAGE, SINGLE_SCRATCH };

struct overlap {
    overlap_params params;
    sign_product *full, *single;         /* single: NULL if not mixed */
    vec *single_scratch[SINGLE_SCRATCH]; /* NULL if not mixed */
    vec *scratch[SCRATCH];
    kernel_modes *modes;
    sign_function function;
    overlap_work work;
};

static sign_product_params product_of(const overlap_params *p, precision in)
{
    return (sign_product_params){ .in = in, .M0 = p->M0, .boundary = p->boundary, .max_iterations = p->max_iterations,
                                  .poles = p->sign == SIGN_ZOLOTAREV ? p->poles : 0 };
}

overlap *overlap_create(const overlap_params *p, const gauge *u)
{
    overlap *o = memory_alloc(sizeof *o, "an overlap operator");
    const sign_product_params full = product_of(p, PRECISION_DOUBLE), single = product_of(p, PRECISION_SINGLE);
    assert(u->links.precision == PRECISION_DOUBLE && p->modes > 0 && p->modes <= KERNEL_MODES_MAX);
    o->params = *p;
    o->modes = kernel_modes_create(u, p->modes);
    for (int i = 0; i < SCRATCH; i++)
        o->scratch[i] = spinor_pair_create(u);
    o->full = sign_product_create(&full, u);
    if (p->mixed) {
        o->single = sign_product_create(&single, u);
        for (int i = 0; i < SINGLE_SCRATCH; i++)
            o->single_scratch[i] = vec_create_native(o->scratch[0], PRECISION_SINGLE);
    }
    return o;
}

void overlap_free(overlap *o)
{
    if (!o)
        return;
    for (int i = 0; i < SINGLE_SCRATCH; i++)
        vec_free(o->single_scratch[i]);
    sign_product_free(o->single);
    sign_product_free(o->full);
    for (int i = 0; i < SCRATCH; i++)
        vec_free(o->scratch[i]);
    sign_function_free(&o->function);
    kernel_modes_free(o->modes);
    memory_free(o);
}

memory_need overlap_bytes(const overlap_params *p, const lattice_shape *shape)
{
    const sign_product_params full = product_of(p, PRECISION_DOUBLE), single = product_of(p, PRECISION_SINGLE);
    memory_need need = sign_product_bytes(&full, shape);
    need.lasting += SCRATCH * spinor_pair_bytes(shape) + kernel_modes_bytes(shape, p->modes);
    if (p->mixed) {
        need = memory_need_add(need, sign_product_bytes(&single, shape));
        need.lasting += SINGLE_SCRATCH * PAIR_SLABS * vec_bytes(shape, PRECISION_SINGLE, ON_ODD);
    }
    return need;
}

/* The approximation for the spectrum of H without the modes. */
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
    return sign_product_update(o->full, u, f) && (!o->single || sign_product_update(o->single, u, f))
           && kernel_modes_compute(o->modes, sign_product_kernel(o->full), &goal, f) && make_function(o, f);
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

/* ---- the sign */

double overlap_single_least(const overlap *o)
{
    return o->single ? FLT_EPSILON * o->function.upper / o->function.lower : INFINITY;
}

static sign_work apply_single(vec *out, overlap *o, double error, const vec *v)
{
    vec *const *s = o->single_scratch;
    vec_convert(s[SINGLE_REST], v);
    o->work.single++;
    const sign_work work = sign_product_apply(s[SINGLE_IMAGE], o->single, &o->function, error, s[SINGLE_REST]);
    vec_convert(out, s[SINGLE_IMAGE]);
    return work;
}

void overlap_sign(vec *out, overlap *o, double accuracy, const vec *in)
{
    const double error = fmax(accuracy, o->params.accuracy) - SHARE * o->params.accuracy;
    complex_number part[KERNEL_MODES_MAX];
    vec *rest = o->scratch[REST];
    sign_work work = { 0, true };
    assert(out != in && in != rest);
    kernel_modes_remove(rest, part, o->modes, in);
    o->work.applications++;
    if (vec_norm2(rest) == 0)
        vec_zero(out);
    else if (accuracy >= overlap_single_least(o))
        work = apply_single(out, o, error, rest);
    else
        work = sign_product_apply(out, o->full, &o->function, error, rest);
    o->work.iterations += work.iterations;
    o->work.failed += !work.converged;
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
