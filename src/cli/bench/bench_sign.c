/* bench_sign.c - the time of sign(H) v of overlap quarks, by partial fractions and by Clenshaw's recursion, and of the
 * lowest modes of H, on which it is exact.
 *
 * As Figure 3 of M. A. Clark, arXiv:0912.2268, after H. Wittig and B. Walk, who use single precision.  More modes make
 * the interval of the approximation smaller.  Flops are those of the products with H^2 alone: the rest counts as time
 * only.  Every sign is compared with the first one of its modes. */
#include "gpu/device.h"
#include "src/base/clock.h"
#include "src/base/log.h"
#include "src/bench/bench.h"
#include "src/cli/bench/bench_studies.h"
#include "src/io/configuration.h"
#include "src/overlap/overlap.h"
#include "src/solvers/solver_choice.h"

#include <math.h>

static const double M0 = 1.4;                /* the default of kiln probe and of measurements */
enum { MOST_ITERATIONS = 100000, SPIN_COMPONENTS = 12 };

static const char *word_of(precision in)
{
    return stored_names[in == PRECISION_DOUBLE ? STORED_DOUBLE : STORED_SINGLE];
}

/* What is the same for all rows. */
typedef struct {
    solver_bench *b;
    const gauge *u;
    vec *v, *image, *first;                  /* first: the image of the first sign of the same modes */
    double flops, copy;                      /* of H^2 v; bytes a second */
    double largest;                          /* difference of signs in double precision */
} sign_study;

typedef struct { double seconds; int64_t products; } timed;

/* A sign of a row: its work, its requested accuracy, and its distance from the first one, over |v|. */
typedef struct { timed work; precision in; double accuracy, difference; } sign_row;

static double now(const sign_study *s)
{
    if (s->u->links.where == PLACE_GPU)
        device_wait();
    return clock_now();
}

static double gflops(const sign_study *s, timed t)
{
    return 1e-9 * s->flops * (double)t.products / t.seconds;
}

static void timed_to_json(json *j, const sign_study *s, timed t)
{
    json_real(j, "seconds", t.seconds);
    json_int(j, "products", t.products);
    json_real(j, "gflops", gflops(s, t));
}

/* The distance of the image from the first one, relative to v; |sign(H) v| = |v|. */
static double difference(const sign_study *s)
{
    vec_axpy(s->image, -1, s->first);
    return sqrt(vec_norm2(s->image) / vec_norm2(s->v));
}

/* The sign of the accuracy of the options in double precision, or of the best one in single precision; timed when it is
 * computed a second time. */
static sign_row time_sign(const sign_study *s, overlap *o, precision in, bool is_first)
{
    const double accuracy = in == PRECISION_SINGLE ? overlap_single_least(o) : 0;
    overlap_sign(s->image, o, accuracy, s->v);
    const int64_t before = overlap_work_done(o).iterations;
    const double began = now(s);
    overlap_sign(s->image, o, accuracy, s->v);
    const timed work = { now(s) - began, overlap_work_done(o).iterations - before };
    if (is_first)
        vec_copy(s->first, s->image);
    return (sign_row){ work, in, fmax(accuracy, overlap_params_of(o)->accuracy), difference(s) };
}

static overlap_params params_of(const bench_solver_options *o, int modes)
{
    return (overlap_params){ .M0 = M0, .boundary = { .t = -1 }, .sign = SIGN_ZOLOTAREV, .modes = modes,
                             .poles = RATIONAL_POLES, .accuracy = o->accuracy, .mixed = true,
                             .max_iterations = MOST_ITERATIONS };
}

static void add_row(sign_study *s, const overlap *o, timed modes, const sign_row *sign)
{
    solver_bench *b = s->b;
    const sign_function *f = overlap_sign_function(o);
    const bool fractions = f->method == SIGN_ZOLOTAREV;
    const int terms = fractions ? f->fraction.order : f->degree, count = kernel_modes_count(overlap_kernel_modes(o));
    const double rate = gflops(s, sign->work), per_byte = 1e9 * rate / s->copy;
    json_open(&b->j, NULL, '{');
    json_int(&b->j, "modes", count);
    json_real(&b->j, "lower", f->lower);
    json_open(&b->j, "lanczos", '{');
    timed_to_json(&b->j, s, modes);
    json_close(&b->j);
    json_text(&b->j, "sign", sign_method_names[f->method]);
    json_int(&b->j, fractions ? "poles" : "degree", terms);
    json_text(&b->j, "precision", word_of(sign->in));
    json_real(&b->j, "accuracy", sign->accuracy);
    json_real(&b->j, "difference", sign->difference);
    timed_to_json(&b->j, s, sign->work);
    json_real(&b->j, "flops_per_byte_of_copy", per_byte);
    json_close(&b->j);
    text_add(&b->table, "%5d %9.4f %9lld %9.3f %8.0f  %-9s %12d %-6s %8.1e %10.1e %9lld %9.4f %8.0f %10.3f\n", count,
             f->lower, (long long)modes.products, modes.seconds, gflops(s, modes), sign_method_names[f->method], terms,
             word_of(sign->in), sign->accuracy, sign->difference,
             (long long)sign->work.products, sign->work.seconds, rate, per_byte);
    text_add(&b->columns, "%d %.6e %lld %.6e %s %d %s %.6e %.6e %lld %.6e %.6e\n", count, f->lower,
             (long long)modes.products, modes.seconds, sign_method_names[f->method], terms,
             word_of(sign->in), sign->accuracy, sign->difference,
             (long long)sign->work.products, sign->work.seconds, rate);
    solver_bench_print(b);
}

/* The search for modes needs a basis that is smaller than the space of spinors. */
static bool modes_fit(const gauge *u, int modes)
{
    const int64_t spinors = SPIN_COMPONENTS * lattice_volume(u->links.lattice);
    if (eigen_basis(modes) >= spinors)
        log_line(LOG_ERROR, "the lattice has too few sites for %d modes", modes);
    return eigen_basis(modes) < spinors;
}

/* Of the method that `o` has now, in both precisions; `found`: the work of its modes.  False with the reason. */
static bool study_method(sign_study *s, overlap *o, timed found, bool is_first, failure *f)
{
    for (int i = 0; i < 2; i++) {
        const sign_row sign = time_sign(s, o, i ? PRECISION_SINGLE : PRECISION_DOUBLE, is_first && i == 0);
        if (!overlap_check_work(o, f))
            return false;
        add_row(s, o, found, &sign);
        s->largest = fmax(s->largest, i ? 0 : sign.difference);
    }
    return true;
}

/* Both methods with the same modes, which are searched once.  False after a message. */
static bool study_both(sign_study *s, int modes)
{
    const overlap_params p = params_of(s->b->o, modes);
    failure f;
    if (!modes_fit(s->u, modes))
        return false;
    overlap *o = overlap_create(&p, s->u);
    const double began = now(s);
    bool ok = overlap_update(o, s->u, rng_key_for(1, 0, 0, RNG_TEST), 0, &f);
    const timed found = { now(s) - began, kernel_modes_applications(overlap_kernel_modes(o)) };
    ok = ok && study_method(s, o, found, true, &f) && overlap_use_polynomial(o, &f)
         && study_method(s, o, found, false, &f);
    if (!ok)
        log_line(LOG_ERROR, "%s", f.why);
    overlap_free(o);
    return ok;
}

static bool study_modes(sign_study *s)
{
    const number_list *list = &s->b->o->modes;
    bool ok = true;
    for (int i = 0; ok && i < list->count; i++)
        ok = study_both(s, (int)list->of[i]);
    return ok;
}

static sign_study open_study(solver_bench *b, const gauge *u)
{
    sign_study s = { .b = b, .u = u, .copy = bench_copy_rate(b->where, 0, 20) };
    s.flops = wilson_kernel_work(lattice_shape_of(u->links.lattice), PRECISION_DOUBLE).flops;
    s.v = spinor_pair_create(u);
    for (int i = 0; i < 2; i++) {
        vec part;
        spinor_pair_part(&part, s.v, i ? ON_ODD : ON_EVEN);
        vec_set_gaussian(&part, rng_key_for(1, 0, 1, RNG_TEST), 0);
    }
    s.image = spinor_pair_create(u);
    s.first = spinor_pair_create(u);
    return s;
}

static void close_study(sign_study *s)
{
    vec_free(s->first);
    vec_free(s->image);
    vec_free(s->v);
}

bool bench_sign(solver_bench *b)
{
    text story = { 0 };
    gauge *u = bench_field(b->o, b->where, &b->j, &story);
    bool ok = u != NULL;
    if (ok) {
        sign_study s = open_study(b, u);
        json_real(&b->j, "M0", M0);
        json_real(&b->j, "accuracy", b->o->accuracy);
        json_real(&b->j, "copy_bytes_per_second", s.copy);
        text_add(&b->table, "lattice %s on %s: %s; a copy reads and writes %.1f GB/s\n"
                            "sign(H) v with an error of at most `accuracy`, M0 = %g\n\n"
                            "%5s %9s %9s %9s %8s  %-9s %12s %-6s %8s %10s %9s %9s %8s %10s\n",
                 extents_to_text(lattice_global(u->links.lattice)).s, place_name(b->where), text_string(&story),
                 1e-9 * s.copy, M0, "modes", "lower end", "products", "time [s]", "Gflop/s", "sign",
                 "poles/degree", "in", "accuracy", "difference", "products", "time [s]", "Gflop/s", "flops/byte");
        text_add(&b->columns, "# modes, lower end of the interval, products with H^2 and seconds of the modes, method, "
                              "poles or degree, precision, accuracy, difference from the first sign, products and "
                              "seconds of sign(H) v, its Gflop/s\n");
        json_open(&b->j, "rows", '[');
        ok = study_modes(&s);
        json_close(&b->j);
        json_real(&b->j, "largest_difference", s.largest);
        text_add(&b->table, "\nleft of the sign: the search for the modes, once for all signs; right of it: "
                            "sign(H) v.\n"
                            "lower end: of the interval of |H| in which the sign is approximated; products: with H^2.\n"
                            "Gflop/s count the flops of these products alone; flops/byte: Gflop/s of sign(H) v over "
                            "GB/s of a copy.\n"
                            "accuracy: the requested one, in single precision the smallest one that it reaches;\n"
                            "difference: from the first sign of the same modes, over |v|; in double precision at "
                            "most %.1e\n", s.largest);
        close_study(&s);
    }
    text_free(&story);
    configuration_close(u);
    return ok;
}
