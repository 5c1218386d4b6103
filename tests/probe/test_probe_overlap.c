/* test_probe_overlap.c - kiln probe with overlap quarks: parts of the operator and solutions through the program. */
#include "tests/on_every_backend.h"
#include "tests/probe/probe_spinor_files.h"

#define KERNEL_KEYS "--modes 4 --accuracy 1e-12"
#define KEYS "--mass 0.3 " KERNEL_KEYS

static double distance(const double *a, const double *b)
{
    return array_distance(a, b, SPINOR_COUNT);
}

/* D = (1 - m / (2 M0)) M0 (1 + gamma5 sign(H)) + m from the part `sign`, whose square is 1. */
static void parts(const spinor_files *f, const double *v)
{
    double *d = spinor_result(f, ""), *sign = spinor_result(f, "--part sign");
    double *polynomial = spinor_result(f, "--sign chebyshev"), *want = golden_array(SPINOR_SITES, 1);
    for (size_t i = 0; sign && i < SPINOR_COUNT; i++) {
        const double gamma5 = i % SPINOR < SPINOR / 2 ? 1 : -1;
        want[i] = (1 - 0.3 / 2.8) * 1.4 * (v[i] + gamma5 * sign[i]) + 0.3 * v[i];
    }
    fact_close(distance(d, want), 0, 1e-11, "%s: D from the part sign, with M0 = 1.4", f->device);
    fact_close(distance(polynomial, d), 0, 1e-11, "%s: the same with polynomials", f->device);
    array_write(f->source, sign, SPINORS, spinor_extents);
    double *square = spinor_result_of(f, f->op, "--part sign " KERNEL_KEYS);
    fact_close(distance(square, v), 0, 1e-11, "%s: sign(H)^2 = 1, which needs no mass", f->device);
    array_write(f->source, v, SPINORS, spinor_extents);
    memory_free(square);
    memory_free(want);
    memory_free(polynomial);
    memory_free(sign);
    memory_free(d);
}

static void solution(const spinor_files *f, const double *v, const char *solver)
{
    const program_output *s = program_run("probe solve --operator overlap '%s' '%s' --source '%s' " KEYS
                                          " --residual 1e-6 --solver %s --device %s", f->config, f->out, f->source,
                                          solver, f->device);
    fact(s->status == 0 && stdout_has(s, "\"converged\": true") && stdout_has(s, "\"poles\"") && stdout_has(s, solver),
         "%s: the solve in %s converges", f->device, solver);
    double *x = array_read(f->out, SPINORS, spinor_extents), norm2 = spinor_product(v, v), off = 0;
    array_write(f->source, x, SPINORS, spinor_extents);
    double *back = spinor_result(f, "");
    for (size_t i = 0; back && i < SPINOR_COUNT; i++)
        off += (back[i] - v[i]) * (back[i] - v[i]);
    fact(back && sqrt(off / norm2) <= 1.001e-6, "%s: and D x is v within the residual (%.2e)", f->device,
         sqrt(off / norm2));
    array_write(f->source, v, SPINORS, spinor_extents);
    memory_free(back);
    memory_free(x);
}

static void refusals(const spinor_files *f)
{
    static const struct { const char *words, *options, *message; } wrong[] = {
        { "no mass", "", "--mass M is missing" },
        { "no mass of D^+", "--part Ddag", "--mass M is missing" },
        { "a mass above 2 M0", "--mass 2 --M0 0.9", "below 2 M0" },
        { "M0 of no single flavor", "--mass 0.1 --M0 2", "between 0 and 2" },
        { "poles of a polynomial", "--mass 0.1 --sign chebyshev --poles 8", "--poles is not an option of --sign cheb" },
        { "solves of a polynomial", "--mass 0.1 --sign chebyshev --inner-iterations 9",
          "--inner-iterations is not an option of --sign chebyshev" },
        { "another part", "--mass 0.1 --part Mhat", "D, Ddag, sign" },
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const program_output *s = program_run("probe apply --operator overlap '%s' '%s' --source '%s' %s --device cpu",
                                              f->config, f->out, f->source, wrong[i].options);
        fact(s->status == 2 && stderr_has(s, wrong[i].message), "%s: refused, and said why", wrong[i].words);
    }
    const program_output *s = program_run("probe apply --operator overlap '%s' '%s' --source '%s' --mass 0.1 --poles 3 "
                                          "--device cpu", f->config, f->out, f->source);
    fact(s->status == 1 && stderr_has(s, "poles"), "too few poles: refused, and said why");
    s = program_run("probe solve --operator overlap '%s' '%s' --source '%s' --mass 0.1 --residual 1e-4 --accuracy 1e-3 "
                    "--device cpu", f->config, f->out, f->source);
    fact(s->status == 0 && stderr_has(s, "errors up to 0.001 (--accuracy)"), "an accuracy above the residual: warned");
    s = program_run("probe solve --operator overlap '%s' '%s' --source '%s' --mass 0.1 --residual 1e-6 --full-accuracy "
                    "--solver double-single --device cpu", f->config, f->out, f->source);
    fact(s->status == 2 && stderr_has(s, "--full-accuracy"), "full accuracy in single precision: refused");
}

int main(void)
{
    if (!program_is_there())
        return facts_end();
    scratch s = scratch_create();
    spinor_files f = spinor_files_in(&s, "overlap", KEYS);
    double *v = golden_array(SPINOR_SITES, 1);
    spinor_config(&f, 1.2);
    array_write(f.source, v, SPINORS, spinor_extents);
    FOR_EVERY_PLACE(where) {
        f.device = place_name(where);
        parts(&f, v);
        solution(&f, v, "double");
        solution(&f, v, "double-single");
    }
    refusals(&f);
    memory_free(v);
    scratch_remove(&s);
    return facts_end();
}
