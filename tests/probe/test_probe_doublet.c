/* test_probe_doublet.c - kiln probe with a non-degenerate doublet of twisted-mass quarks: M of each flavor is that of
 * Wilson or clover quarks, the flavors mix as its help says; solutions; and what makes no sense is refused. */
#include "tests/on_every_backend.h"
#include "tests/probe/probe_spinor_files.h"

#include <stdio.h>
#include <string.h>

#define MUS "--mu-sigma 0.3 --mu-delta -0.2"
#define SIGMA 0.3
#define DELTA (-0.2)
enum { FLAVORS = 2, COUNT = FLAVORS * SPINOR_COUNT };
static const size_t shape[8] = { FLAVORS, 8, 6, 4, 4, 4, 3, 2 };

/* Both flavors; NULL after a note. */
static double *doublet_read(const char *path)
{
    failure f;
    double *v = npy_read(path, 8, shape, &f);
    if (!v)
        note("%s", f.why);
    return v;
}

static void doublet_write(const char *path, const double *v)
{
    failure f;
    if (!npy_write(path, v, 8, shape, &f))
        note("%s", f.why);
}

static double *doublet_result(const spinor_files *f, const char *options)
{
    const program_output *s = program_run("probe apply --operator wilson-doublet '%s' '%s' --source '%s' %s "
                                          "--device %s", f->config, f->out, f->source, options, f->device);
    fact(s->status == 0, "%s: probe apply --operator wilson-doublet %s", f->device, options);
    return doublet_read(f->out);
}

/* A source in one flavor: this one of M v is M of Wilson quarks, the other one mu_delta +- mu_sigma times v. */
static void flavors(spinor_files *f, const char *wilson, const char *mass)
{
    double *v = golden_array(SPINOR_SITES, 1);
    char options[200];
    spinor_config(f, 1);
    array_write(f->source, v, SPINORS, spinor_extents);
    double *one = spinor_result_of(f, wilson, mass);
    snprintf(options, sizeof options, "%s " MUS, mass);
    for (int flavor = 0; flavor < FLAVORS; flavor++) {
        double *source = memory_alloc(COUNT * sizeof *source, "a source");
        memcpy(source + flavor * SPINOR_COUNT, v, SPINOR_COUNT * sizeof *v);
        doublet_write(f->source, source);
        double *m = doublet_result(f, options), off = m && one ? 0 : INFINITY;
        for (size_t at = 0; m && one && at < SPINOR_COUNT; at++) {
            const double sign = (at % SPINOR < SPINOR / 2) == (flavor == 1) ? 1 : -1;
            off = worse(off, fabs(m[flavor * SPINOR_COUNT + at] - one[at]));
            off = worse(off, fabs(m[(1 - flavor) * SPINOR_COUNT + at] - (DELTA + sign * SIGMA) * v[at]));
        }
        fact_close(off, 0, 1e-13, "%s: M of a source in flavor %d, %s", f->device, flavor, options);
        memory_free(source);
        memory_free(m);
    }
    memory_free(one);
    memory_free(v);
}

/* The solution of M x = v, or of the normal equations, and what the operator makes of it. */
static void solution(const spinor_files *f, const char *options, const char *more, const char *part, double residual)
{
    char apply[300];
    double *v = golden_array(SPINOR_SITES, FLAVORS), rest = 0, size = 0;
    doublet_write(f->source, v);
    yaml_node *tree = output_json(program_run("probe solve --operator wilson-doublet '%s' '%s' --source '%s' %s "
                                              "%s --part %s --residual %g --device %s", f->config, f->out, f->source,
                                              options, more, part, residual, f->device));
    fact(json_number(tree, "true_residual") <= 1.01 * residual && json_number(tree, "iterations") > 10,
         "%s: %s x = v, %s %s: a small residual after iterations", f->device, part, options, more);
    yaml_tree_free(tree);
    spinor_files again = *f;
    strcpy(again.source, f->out);
    snprintf(apply, sizeof apply, "%.200s --part %s", options, part);
    double *back = doublet_result(&again, apply);
    const bool on_odd = strcmp(part, "normal") == 0;
    for (size_t at = 0; back && at < COUNT; at++) {
        const double want = !on_odd || spinor_is_odd(at % SPINOR_COUNT) ? v[at] : 0;
        rest += (back[at] - want) * (back[at] - want);
        size += want * want;
    }
    fact(back && sqrt(rest / size) <= 1.01 * residual, "%s: and %s of the solution is v (%g)", f->device, part,
         sqrt(rest / size));
    memory_free(back);
    memory_free(v);
}

static void refusals(const spinor_files *f)
{
    static const struct { const char *words, *options, *message; } wrong[] = {
        { "no mu_delta", "--mass 0.1 --mu-sigma 0.1", "--mu-delta MU is missing" },
        { "no mass", MUS, "--mass M or --kappa K is missing" },
        { "a mass twice", "--mass 0.1 --kappa 0.12 " MUS, "both give the bare mass; give one of them" },
        { "|mu_delta| = mu_sigma", "--mass 0.1 --mu-sigma 0.1 --mu-delta -0.1",
          "--mu-delta: |mu_delta| and mu_sigma must differ, but both are 0.1" },
        { "a part of another operator", "--mass 0.1 " MUS " --part Mhat", "\"Mhat\" is not one of M, Mdag, C, Cdag" },
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const program_output *s = program_run("probe apply --operator wilson-doublet '%s' '%s' --source '%s' %s "
                                              "--device cpu", f->config, f->out, f->source, wrong[i].options);
        fact(s->status == 2 && stderr_has(s, wrong[i].message), "%s: refused, and said why", wrong[i].words);
    }
}

int main(void)
{
    if (!program_is_there())
        return facts_end();
    scratch s = scratch_create();
    spinor_files f = spinor_files_in(&s, "wilson-doublet", "");
    FOR_EVERY_PLACE(where) {
        f.device = place_name(where);
        flavors(&f, "wilson", "--mass 0.2");
        flavors(&f, "clover", "--mass 0.2 --c-sw 1.2 --clover exponential");
        solution(&f, "--mass 0.2 " MUS, "", "M", 1e-10);
        solution(&f, "--mass 0.2 --c-sw 1.2 " MUS, "--solver double-single", "M", 1e-9);
        solution(&f, "--mass 0.2 --c-sw 1.2 " MUS, "", "normal", 1e-10);
        solution(&f, "--kappa 0.12 " MUS, "", "M", 1e-10);
        solution(&f, "--mass 0.2 " MUS, "--method bicgstab2", "normal", 1e-9);
        solution(&f, "--mass 0.2 --mu-sigma 0.2 --mu-delta 0.3", "", "M", 1e-10);
    }
    refusals(&f);
    scratch_remove(&s);
    return facts_end();
}
