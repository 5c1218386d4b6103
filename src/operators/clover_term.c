/* clover_term.c - T of Wilson quarks and its inverse. */
#include "src/operators/clover_term.h"

#include "src/base/memory.h"
#include "src/base/text.h"
#include "src/kernels/open_args.h"
#include "src/lattice/kernels.h"

#include <assert.h>
#include <math.h>

MAP_KERNEL(blocks_pack);
MAP_KERNEL(clover_blocks);
MAP_KERNEL(clover_exponential);
MAP_KERNEL(open_clover);
SUM_KERNEL(clover_inverse, 1, 1);
SUM_KERNEL(twisted_inverse, 1, 1);

enum { CLOVER_ROWS = 12 };                  /* of T at a site */

/* The smallest pivot of an invertible block; T is about 4. */
#define LEAST_PIVOT 1e-10

const char *const clover_kind_names[] = { "linear", "exponential", NULL };

static clover_view view_of(const field *f)
{
    return (clover_view){ field_view_of(f).data };
}

bool clover_blocks_are_packed(vec_storage in)
{
    return in.format == VECTOR_HALF && in.precision == PRECISION_SINGLE;
}

bool clover_term_fits(const clover_term *t, const vec *v)
{
    const vec_storage in = { v->format, v->f.precision };
    return !t->blocks || (t->inverse.precision == in.precision && t->inverse.where == v->f.where
                          && clover_blocks_are_packed(t->blocks->in) == clover_blocks_are_packed(in));
}

/* Numbers of a site, of the storage's precision; or words. */
static int numbers_of_site(vec_storage in)
{
    return clover_blocks_are_packed(in) ? CLOVER_WORDS : CLOVER_REALS;
}

static field blocks_on(lattice *l, parity_set on, place where, vec_storage in)
{
    const field kind = { .lattice = l, .where = where, .precision = in.precision, .reals = numbers_of_site(in),
                         .slabs = 1, .on = on, .ghosts = GHOSTS_NONE };
    return field_create_slabs(&kind, "clover term");
}

size_t clover_blocks_bytes(const lattice_shape *shape, vec_storage in, parity_set on)
{
    return field_bytes_on(shape, on, GHOSTS_NONE, in.precision, numbers_of_site(in));
}

clover_term *clover_term_create_number(lattice *l)
{
    clover_term *t = memory_alloc(sizeof *t, "clover term");
    t->lattice = l;
    t->on = ON_EVEN;
    return t;
}

static clover_term *term_of(clover_field *blocks, clover_kind kind, double c_sw, parity_set on)
{
    const field *f = &blocks->f;
    clover_term *t = clover_term_create_number(f->lattice);
    t->kind = kind;
    t->on = on;
    t->blocks = blocks;
    if (kind == CLOVER_EXPONENTIAL)
        t->exponential = blocks_on(f->lattice, on == ON_EVEN ? ON_ALL : on, f->where, blocks->in);
    t->inverse = blocks_on(f->lattice, on, f->where, blocks->in);
    t->c_sw = c_sw;
    return t;
}

clover_term *clover_term_create_for(lattice *l, place where, vec_storage in, clover_kind kind, double c_sw)
{
    clover_field *blocks = memory_alloc(sizeof *blocks, "clover term");
    blocks->in = in;
    blocks->f = blocks_on(l, ON_ALL, where, in);
    blocks->planes = (clover_planes){ 1, 1 };
    return term_of(blocks, kind, c_sw, ON_EVEN);
}

clover_term *clover_term_create(lattice *l, place where, precision p, clover_kind kind, double c_sw)
{
    return clover_term_create_for(l, where, (vec_storage){ VECTOR_NATIVE, p }, kind, c_sw);
}

static clover_term *create_beside(const clover_term *other, parity_set on)
{
    clover_term *t = other->blocks ? term_of(other->blocks, other->kind, other->c_sw, on)
                                   : clover_term_create_number(other->lattice);
    t->on = on;
    t->beside = other;
    return t;
}

clover_term *clover_term_create_beside(const clover_term *other)
{
    return create_beside(other, ON_EVEN);
}

clover_term *clover_term_create_odd(const clover_term *other)
{
    return create_beside(other, ON_ODD);
}

void clover_term_free(clover_term *t)
{
    if (!t)
        return;
    if (t->blocks)
        field_free(&t->inverse);
    if (t->blocks && t->mu != 0)
        field_free(&t->twisted);
    if (t->kind == CLOVER_EXPONENTIAL)
        field_free(&t->exponential);
    if (t->blocks && !t->beside) {
        field_free(&t->blocks->f);
        memory_free(t->blocks);
    }
    memory_free(t);
}

size_t clover_term_bytes(const lattice_shape *shape, vec_storage in, clover_kind kind, int masses)
{
    const size_t all = clover_blocks_bytes(shape, in, ON_ALL), even = clover_blocks_bytes(shape, in, ON_EVEN);
    return all + (size_t)masses * (even + (kind == CLOVER_EXPONENTIAL ? all : 0));
}

size_t clover_term_odd_bytes(const lattice_shape *shape, vec_storage in, clover_kind kind)
{
    const size_t odd = clover_blocks_bytes(shape, in, ON_ODD);
    return odd + (kind == CLOVER_EXPONENTIAL ? odd : 0);
}

void clover_term_twist(clover_term *t, double mu)
{
    assert(t->mu == 0 && t->version == 0);
    t->mu = mu;
    if (t->blocks && mu != 0)
        t->twisted = blocks_on(t->lattice, t->on, t->inverse.where, t->blocks->in);
}

void clover_term_twist_imaginary(clover_term *t, double nu)
{
    clover_term_twist(t, nu);
    t->imaginary = true;
}

/* The sign of mu^2: -1 if mu is imaginary. */
static double sign_of_twist(const clover_term *t)
{
    return t->imaginary ? -1 : 1;
}

size_t clover_term_twist_bytes(const lattice_shape *shape, vec_storage in)
{
    return clover_blocks_bytes(shape, in, ON_EVEN);
}

static void compute_blocks(clover_term *t, const gauge *u)
{
    const field *f = &t->blocks->f;
    gauge_exchange(u, GHOSTS_SIDES);
    const clover_blocks_args args = { .l = lattice_on(f->lattice, f->where), .u = gauge_view_of(u),
                                      .out = view_of(f), .c_sw = t->c_sw, .planes = t->blocks->planes };
    run_map(&clover_blocks, f->where, f->precision, &args, lattice_all(f->lattice));
    const open_clover_args ends = { args.l, args.out, t->blocks->beside_ends };
    if (lattice_is_open(f->lattice))
        run_map(&open_clover, f->where, f->precision, &ends, lattice_all(f->lattice));
    t->blocks->version = u->version;
}

/* out <- factor exp(scale c_sw A) */
static void exponentiate(field *out, const clover_term *t, double scale, double factor)
{
    const clover_exponential_args args = { .in = view_of(&t->blocks->f), .out = view_of(out), .scale = scale,
                                           .factor = factor };
    run_map(&clover_exponential, out->where, out->precision, &args, lattice_range(out->lattice, out->on));
}

static void describe_pivot(text *t, const clover_term *of)
{
    if (of->mu == 0)
        text_add(t, "T");
    else
        text_add(t, of->imaginary ? "T^2 - nu^2, nu %g," : "T^2 + mu^2, mu %g,", fabs(of->mu));
}

/* inverse <- (diagonal + B)^-1 for the blocks B; with a twisted mass, inverse <- R and twisted <- -mu S. */
static bool invert(clover_term *t, const field *blocks, double diagonal, failure *why)
{
    const field *f = &t->inverse;
    const clover_inverse_args plain = { .in = view_of(blocks), .out = view_of(f), .diagonal = diagonal };
    const twisted_inverse_args twisted = { .in = view_of(blocks), .real = view_of(f), .diagonal = diagonal,
                                           .twisted = t->mu != 0 ? view_of(&t->twisted) : (clover_view){ NULL },
                                           .mu = t->mu, .sign = sign_of_twist(t) };
    const sum_launch sum = { .where = f->where, .precision = f->precision,
                             .args = t->mu != 0 ? (const void *)&twisted : &plain,
                             .range = lattice_range(f->lattice, t->on) };
    double result[2];
    run_sum(t->mu != 0 ? &twisted_inverse : &clover_inverse, f->lattice, &sum, result);
    t->log_det = result[0];
    const clover_planes *c = &t->blocks->planes;
    text pivot = { 0 };
    describe_pivot(&pivot, t);
    const bool ok = result[1] <= 1 / LEAST_PIVOT
           || fail(why, "the clover term has no inverse: a pivot of %s is %.3g (without the term T = %g; coefficients "
                   "in planes of space and with t %g, %g)", text_string(&pivot),
                   result[1] > 0 ? 1 / result[1] : 0, 4 + t->mass, t->c_sw * c->space,     /* it may be NaN */
                   t->c_sw * c->time);
    text_free(&pivot);
    return ok;
}

static bool exponentials(clover_term *t, failure *why)
{
    const double diagonal = 4 + t->mass, sites = (double)lattice_volume(t->lattice) / 2;
    if (diagonal < LEAST_PIVOT)
        return fail(why, "the exponential clover term has no inverse: without the term, T is %.3g", diagonal);
    exponentiate(&t->exponential, t, 1 / diagonal, diagonal);
    if (t->mu != 0)
        return invert(t, &t->exponential, 0, why);
    exponentiate(&t->inverse, t, -1 / diagonal, 1 / diagonal);
    t->log_det = CLOVER_ROWS * sites * log(diagonal);
    return true;
}

static bool number(clover_term *t, failure *why)
{
    const double diagonal = 4 + t->mass, sites = (double)lattice_volume(t->lattice) / 2;
    const double size = t->imaginary ? sqrt(fabs(diagonal * diagonal - t->mu * t->mu)) : hypot(diagonal, t->mu);
    t->log_det = CLOVER_ROWS * sites * log(size);
    return size > LEAST_PIVOT || fail(why, "%s has no inverse (T = %g, %s = %g)", t->imaginary ? "T^2 - nu^2"
                                      : "T + i mu gamma5", 4 + t->mass, t->imaginary ? "nu" : "mu", t->mu);
}

bool clover_term_update(clover_term *t, const gauge *u, double mass, failure *why)
{
    assert(!t->blocks || (u->links.precision == t->inverse.precision && !clover_blocks_are_packed(t->blocks->in)));
    if (t->version == u->version && t->mass == mass)
        return true;
    if (t->blocks && t->blocks->version != u->version)
        compute_blocks(t, u);
    t->version = 0;
    t->mass = mass;
    if (!(!t->blocks ? number(t, why) : t->kind == CLOVER_EXPONENTIAL ? exponentials(t, why)
                                                                       : invert(t, &t->blocks->f, 4 + mass, why)))
        return false;
    t->version = u->version;
    return true;
}

static void convert_blocks(field *out, const clover_term *t, const field *in)
{
    const blocks_pack_args args = { .in = view_of(in), .out = view_of(out) };
    if (!clover_blocks_are_packed(t->blocks->in)) {
        field_convert(out, in);
        return;
    }
    assert(in->precision == PRECISION_DOUBLE && in->where == out->where && in->on == out->on);
    run_map(&blocks_pack, out->where, out->precision, &args, lattice_range(out->lattice, out->on));
}

void clover_term_convert(clover_term *t, const clover_term *from)
{
    assert(t->mu == from->mu && t->imaginary == from->imaginary);
    if (t->blocks && t->blocks->version != from->blocks->version) {
        convert_blocks(&t->blocks->f, t, &from->blocks->f);
        t->blocks->version = from->blocks->version;
    }
    if (t->blocks && (t->version != from->version || t->mass != from->mass)) {
        convert_blocks(&t->inverse, t, &from->inverse);
        if (t->mu != 0)
            convert_blocks(&t->twisted, t, &from->twisted);
        if (t->kind == CLOVER_EXPONENTIAL)
            convert_blocks(&t->exponential, t, &from->exponential);
    }
    t->mass = from->mass;
    t->log_det = from->log_det;
    t->version = from->version;
}

/* ---- as a factor */

clover_factor clover_term_factor(const clover_term *t, double rho)
{
    const bool linear = t->kind == CLOVER_LINEAR;
    clover_factor by = { .diagonal = linear ? 4 + t->mass : 0, .twist = t->mu + rho, .sign = 1 };
    if (t->blocks)
        by.blocks = view_of(linear ? &t->blocks->f : &t->exponential);
    return by;
}

clover_factor clover_term_inverse(const clover_term *t)
{
    const double diagonal = 4 + t->mass, size2 = diagonal * diagonal + sign_of_twist(t) * t->mu * t->mu;
    if (!t->blocks)
        return (clover_factor){ .diagonal = diagonal / size2, .twist = -t->mu / size2, .sign = 1 };
    clover_factor by = { .blocks = view_of(&t->inverse), .sign = 1 };
    if (t->mu != 0)
        by.twisted = view_of(&t->twisted);
    return by;
}
