/* test_probe_stout.c - kiln probe with stout links: the links are those of operators/stout.h, every operator with
 * smearing is the one without it on a configuration of the smeared links, bit for bit, and what smears nothing is
 * refused. */
#include "src/io/links_file.h"
#include "src/operators/stout.h"
#include "tests/analytic_field.h"
#include "tests/cli/program.h"
#include "tests/io/scratch.h"
#include "tests/io/whole_links.h"
#include "tests/on_every_backend.h"
#include "tests/operators/link_fields.h"
#include "tests/probe/probe_arrays.h"

#include <stdio.h>
#include <string.h>

static const int n[4] = { 4, 4, 4, 6 };
enum { SITES = 4 * 4 * 4 * 6, LINKS_COUNT = SITES * 72 };
#define ROUGHNESS 0.7

static const stout_params smearing = { 2, 0.125, true };
#define STOUT "--stout-levels 2 --stout-rho 0.125 --stout-spatial-only"

static const struct { const char *options; array_kind kind; } operators[] = {
    { "--operator hisq --mass 0.1", VECTOR },
    { "--operator naive --mass 0.1", VECTOR },
    { "--operator wilson --mass 0.1", SPINORS },
    { "--operator clover --mass 0.1 --c-sw 1.2", SPINORS },
};

typedef struct { char thin[600], smeared[600], source[600], out[600]; const char *device; } files;

static void write_config(const char *path, const double *links)
{
    failure f;
    links_info info = { .bits = 64 };
    memcpy(info.extents, n, sizeof info.extents);
    if (!links_write_ildg(path, links, &info, true, &f))
        note("%s", f.why);
}

static void write_noise(const char *path, array_kind kind)
{
    static double v[SITES * 24];
    uint64_t seed = 5;
    for (int i = 0; i < SITES * 24; i++)
        v[i] = 2 * scratch_uniform(&seed) - 1;
    array_write(path, v, kind, n);
}

/* The configuration of smeared links is what the probe wrote. */
static void links_facts(const files *f, place where)
{
    lattice *l = lattice_create_single(n);
    double *links = analytic_links(n, ROUGHNESS);
    write_config(f->thin, links);
    gauge *u = links_on(l, where, PRECISION_DOUBLE, links);
    stout *s = stout_create(&smearing, u);
    double *want = links_of(stout_links(s, u));
    const program_output *a = program_run("probe links '%s' '%s' --level stout " STOUT " --device %s", f->thin, f->out,
                                          f->device);
    fact(a->status == 0 && stdout_has(a, "\"stout\": {\"levels\": 2, \"rho\": 0.125, \"spatial_only\": true}"),
         "%s: probe links --level stout, and what it prints", f->device);
    double *got = array_read(f->out, MATRICES, n);
    fact(array_distance(got, want, LINKS_COUNT) == 0, "%s: the smeared links, bit for bit", f->device);
    fact(array_distance(got, links, LINKS_COUNT) > 0.01, "%s: which are not the thin ones", f->device);
    write_config(f->smeared, want);
    memory_free(got);
    memory_free(want);
    stout_free(s);
    gauge_free(u);
    memory_free(links);
    lattice_free(l);
}

static double *result(const files *f, const char *config, const char *command, const char *options, array_kind kind)
{
    const program_output *a = program_run("probe %s '%s' '%s' --source '%s' %s --device %s", command, config, f->out,
                                          f->source,
                                options, f->device);
    fact(a->status == 0, "%s: probe %s %s", f->device, command, options);
    return array_read(f->out, kind, n);
}

static void operator_facts(const files *f, const char *command, const char *options, array_kind kind)
{
    char with_stout[200];
    write_noise(f->source, kind);
    snprintf(with_stout, sizeof with_stout, "%s " STOUT, options);
    const size_t count = array_shape_of(kind, n).count;
    double *got = result(f, f->thin, command, with_stout, kind), *want = result(f, f->smeared, command, options, kind);
    double *thin = result(f, f->thin, command, options, kind);
    fact(array_distance(got, want, count) == 0, "%s: the operator of the smeared links, bit for bit", f->device);
    fact(array_distance(got, thin, count) > 0.01, "%s: not of the thin ones", f->device);
    memory_free(thin);
    memory_free(want);
    memory_free(got);
}

static void refusals(const files *f)
{
    static const struct { const char *options, *message; } wrong[] = {
        { "--level stout", "--level stout needs --stout-levels and --stout-rho" },
        { "--level stout --stout-levels 2", "rho is 0" },
        { "--level fat --operator hisq --stout-rho 0.1", "levels is 0" },
        { STOUT, "thin links are not smeared" },
        { "--level stout --stout-levels 17 --stout-rho 0.1", "outside the range" },
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const program_output *a = program_run("probe links '%s' '%s' %s --device cpu", f->thin, f->out,
                                              wrong[i].options);
        fact(a->status == 2 && stderr_has(a, wrong[i].message), "%s: refused, and said why", wrong[i].options);
    }
    const program_output *a = program_run("probe apply --operator wilson '%s' '%s' --source '%s' --mass 1 "
                                          "--stout-levels 1 "
                                          "--device cpu", f->thin, f->out, f->source);
    fact(a->status == 2 && stderr_has(a, "rho is 0") && stderr_has(a, "See kiln probe apply --operator wilson --help."),
         "smearing without rho: refused by the operator");
}

int main(void)
{
    if (!program_is_there())
        return facts_end();
    scratch s = scratch_create();
    files f;
    strcpy(f.thin, scratch_path(&s, "thin.lime"));
    strcpy(f.smeared, scratch_path(&s, "smeared.lime"));
    strcpy(f.source, scratch_path(&s, "source.npy"));
    strcpy(f.out, scratch_path(&s, "out.npy"));
    FOR_EVERY_PLACE(where) {
        f.device = place_name(where);
        links_facts(&f, where);
        for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
            operator_facts(&f, "apply", operators[i].options, operators[i].kind);
        operator_facts(&f, "solve", "--operator clover --mass 0.5 --c-sw 1.2 --residual 1e-8", SPINORS);
    }
    refusals(&f);
    scratch_remove(&s);
    return facts_end();
}
