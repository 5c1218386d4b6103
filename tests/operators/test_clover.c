/* test_clover.c - the clover operator: numbers of another implementation, symmetries, inverse blocks, every vector
 * format, batches, and the same bits on CPU and GPU. */
#include "src/base/memory.h"
#include "src/lattice/rng.h"
#include "src/operators/clover.h"
#include "tests/facts.h"
#include "tests/on_every_backend.h"
#include "tests/operators/format_facts.h"
#include "tests/operators/golden_clover.h"
#include "tests/operators/wilson_workplace.h"

#include <complex.h>
#include <math.h>
#include <string.h>

#define MASS 0.3
#define C_SW 1.7

typedef struct { wilson_workplace w; clover_term *term; clover_links links; } workplace;

static workplace begin(place where, const int extents[4], double width, double mass, double c_sw)
{
    workplace p = { .w = wilson_begin(where, extents, width, -1) };
    failure why;
    p.term = clover_term_create(p.w.l, where, PRECISION_DOUBLE, CLOVER_LINEAR, c_sw);
    require(clover_term_update(p.term, p.w.u, mass, &why), "%s", why.why);
    p.links = (clover_links){ .links = p.w.links, .term = p.term };
    return p;
}

static void end(workplace *p)
{
    clover_term_free(p->term);
    wilson_end(&p->w);
}

/* ---- golden numbers */

static void operator_is_known(place where, const golden_clover *g)
{
    workplace p = begin(where, (int[]){ 4, 4, 6, 8 }, g->width, GOLDEN_CLOVER_MASS, GOLDEN_CLOVER_C_SW);
    golden_vector(p.w.v.even);
    golden_vector(p.w.v.odd);
    clover_apply(p.w.out, p.links, false, p.w.v);
    golden_compare(p.w.out, &g->m, g->name, "M");
    clover_apply(p.w.out, p.links, true, p.w.v);
    golden_compare(p.w.out, &g->m_dagger, g->name, "M^+");
    clover_mhat(p.w.out.odd, p.links, false, p.w.v.odd, p.w.even);
    golden_compare((spinor_field){ NULL, p.w.out.odd }, &g->mhat, g->name, "Mhat");
    fact_close(p.term->log_det / g->log_det - 1, 0, 1e-14, "%s, %s: log det T_e", place_name(where), g->name);
    end(&p);
}

/* ---- properties */

static double distance(complex_number a, complex_number b)
{
    return hypot(a.re - b.re, a.im + b.im);
}

static void adjoints_and_inverse(place where)
{
    workplace p = begin(where, (int[]){ 4, 2, 6, 4 }, 1.2, MASS, C_SW);
    spinor_field a = spinor_field_create(p.w.u, 1), after = spinor_field_create(p.w.u, 1);
    wilson_set_random(p.w.v, 1);
    wilson_set_random(a, 2);
    clover_apply(p.w.out, p.links, false, p.w.v);
    clover_apply(after, p.links, true, a);
    const double size = sqrt(spinor_field_norm2(p.w.out) * spinor_field_norm2(a));
    fact_close(distance(spinor_field_dot(a, p.w.out), spinor_field_dot(p.w.v, after)) / size, 0, 1e-14,
               "%s: <a, M b> = <M^+ a, b>", place_name(where));
    clover_mhat(p.w.out.odd, p.links, false, p.w.v.odd, p.w.even);
    clover_mhat(after.odd, p.links, true, a.odd, p.w.even);
    fact_close(distance(vec_dot(a.odd, p.w.out.odd), vec_dot(p.w.v.odd, after.odd)) / size, 0, 1e-14,
               "%s: <a, Mhat b> = <Mhat^+ a, b>", place_name(where));
    clover_multiply(p.w.out.even, p.term, CLOVER_T, p.w.v.even, 0, NULL);
    clover_multiply(p.w.out.even, p.term, CLOVER_INVERSE, p.w.out.even, -1, p.w.v.even);
    fact_close(sqrt(vec_norm2(p.w.out.even) / vec_norm2(p.w.v.even)), 0, 1e-14, "%s: T_e^-1 T_e v = v",
               place_name(where));
    spinor_field_free(a);
    spinor_field_free(after);
    end(&p);
}

/* M x = v is solved by the steps of prepare and reconstruct if Mhat x_o is the prepared right-hand side. */
static void reconstruction(place where)
{
    workplace p = begin(where, (int[]){ 4, 2, 6, 4 }, 1.2, MASS, C_SW);
    spinor_field x = spinor_field_create(p.w.u, 1), v = spinor_field_create(p.w.u, 1);
    wilson_set_random(x, 3);
    clover_apply(v, p.links, false, x);
    clover_prepare(p.w.out.odd, p.links, v, p.w.even);
    clover_mhat(p.w.v.odd, p.links, false, x.odd, p.w.even);
    vec_axpy(p.w.v.odd, -1, p.w.out.odd);
    fact_close(sqrt(vec_norm2(p.w.v.odd) / vec_norm2(p.w.out.odd)), 0, 1e-14,
               "%s: Mhat x_o is what clover_prepare makes of M x", place_name(where));
    clover_reconstruct(p.w.out, p.links, v, x.odd);
    spinor_field_axpy(p.w.out, -1, x);
    fact_close(sqrt(spinor_field_norm2(p.w.out) / spinor_field_norm2(x)), 0, 1e-14, "%s: clover_reconstruct gives x",
               place_name(where));
    spinor_field_free(x);
    spinor_field_free(v);
    end(&p);
}

/* c_sw = 0 is the Wilson operator. */
static void without_clover(place where)
{
    workplace p = begin(where, (int[]){ 4, 4, 2, 6 }, 1.2, MASS, 0);
    spinor_field want = spinor_field_create(p.w.u, 1);
    wilson_set_random(p.w.v, 4);
    clover_apply(want, clover_plain_links(p.w.links, MASS), false, p.w.v);
    clover_apply(p.w.out, p.links, false, p.w.v);
    spinor_field_axpy(p.w.out, -1, want);
    fact_close(sqrt(spinor_field_norm2(p.w.out) / spinor_field_norm2(want)), 0, 1e-15, "%s: c_sw = 0 gives Wilson's M",
               place_name(where));
    clover_mhat(want.odd, clover_plain_links(p.w.links, MASS), false, p.w.v.odd, p.w.even);
    clover_mhat(p.w.out.odd, p.links, false, p.w.v.odd, p.w.even);
    vec_axpy(p.w.out.odd, -1, want.odd);
    fact_close(sqrt(vec_norm2(p.w.out.odd) / vec_norm2(want.odd)), 0, 1e-15, "%s: and Wilson's Mhat",
               place_name(where));
    spinor_field_free(want);
    end(&p);
}

static void singular(place where)
{
    wilson_workplace w = wilson_begin(where, (int[]){ 2, 2, 2, 2 }, 0, -1);
    clover_term *t = clover_term_create(w.l, where, PRECISION_DOUBLE, CLOVER_LINEAR, 1);
    failure why = { .why = "" };
    fact(!clover_term_update(t, w.u, -4, &why) && strstr(why.why, "has no inverse"),
         "%s: a singular term is refused (%s)", place_name(where), why.why);
    fact(clover_term_update(t, w.u, 1, &why), "%s: and accepted with another mass", place_name(where));
    fact_close(t->log_det, 12 * 8 * log(5), 1e-12, "%s: unit links: log det T_e = 12 V/2 log(4 + m)",
               place_name(where));
    clover_term_free(t);
    wilson_end(&w);
}

static void same_bits(void)
{
    double *numbers[2] = { NULL, NULL };
    size_t count = 0;
    double log_det[2] = { 0, 0 };
    for (place where = PLACE_CPU; where <= PLACE_GPU; where++) {
        workplace p = begin(where, (int[]){ 4, 2, 6, 4 }, 1.2, MASS, C_SW);
        wilson_set_random(p.w.v, 5);
        clover_mhat(p.w.out.odd, p.links, false, p.w.v.odd, p.w.even);
        numbers[where] = vec_numbers(p.w.out.odd);
        count = vec_count(p.w.out.odd);
        log_det[where] = p.term->log_det;
        end(&p);
    }
    fact(memcmp(numbers[0], numbers[1], count * sizeof(double)) == 0 && log_det[0] == log_det[1],
         "the same bits on CPU and GPU: Mhat v, log det T_e");
    memory_free(numbers[0]);
    memory_free(numbers[1]);
}

int main(void)
{
    FOR_EVERY_PLACE(where) {
        for (int n = 0; n < GOLDEN_CLOVERS; n++)
            operator_is_known(where, &golden_clovers[n]);
        adjoints_and_inverse(where);
        reconstruction(where);
        without_clover(where);
        singular(where);
    }
    if (place_is_there(PLACE_GPU))
        same_bits();
    return facts_end();
}
