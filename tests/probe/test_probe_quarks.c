/* test_probe_quarks.c - kiln probe with staggered quarks: operator, solutions, forces and dynamics agree with each
 * other, and what makes no sense is refused. */
#include "src/io/links_file.h"
#include "tests/analytic_field.h"
#include "tests/cli/program.h"
#include "tests/io/scratch.h"
#include "tests/io/whole_links.h"
#include "tests/on_every_backend.h"
#include "tests/probe/probe_arrays.h"

static const int n[4] = { 4, 4, 4, 6 };
enum { SITES = 4 * 4 * 4 * 6, VECTOR_COUNT = SITES * 6, LINKS_COUNT = SITES * 72, FIELDS = 3 };

/* The width of the links: smooth enough that no smeared link is nearly singular, where the force is filtered. */
#define SMOOTH 0.7

static const char input[] =
    "lattice: [4, 4, 4, 6]\n"
    "random: {seed: 1}\n"
    "monomials:\n"
    "  - {kind: gauge, action: wilson, beta: 5.6}\n"
    "  - kind: staggered\n"
    "    determinants:\n"
    "      - {quarks: [{mass: 0.1, flavors: 2}], hasenbusch: [{mass: 0.4}]}\n"
    "      - {quarks: [{mass: 0.5, flavors: 1}], naik_epsilon: auto}\n"
    "    residuals: {refresh: 1e-12, action: 1e-12, force: 1e-12}\n"
    "    errors: {force: 1e-11}\n"
    "hmc:\n"
    "  trajectory_length: 0.1\n"
    "  levels:\n"
    "    - {integrator: omelyan, steps: 4, monomials: [quarks]}\n"
    "    - {integrator: omelyan, steps: 2, monomials: [gauge]}\n"
    "  trajectories: 1\n"
    "output: {directory: nowhere}\n";

typedef struct {
    char config[600], source[600], out[600], other[600], input[600], momenta[600], phi[FIELDS][600];
    const char *device;
} files;

static void name_files(files *f, scratch *s)
{
    strcpy(f->config, scratch_path(s, "config.lime"));
    strcpy(f->source, scratch_path(s, "source.npy"));
    strcpy(f->out, scratch_path(s, "out.npy"));
    strcpy(f->other, scratch_path(s, "other.npy"));
    strcpy(f->input, scratch_path(s, "input.yaml"));
    strcpy(f->momenta, scratch_path(s, "momenta.npy"));
    for (int i = 0; i < FIELDS; i++) {
        char name[20];
        snprintf(name, sizeof name, "phi%d.npy", i);
        strcpy(f->phi[i], scratch_path(s, name));
    }
}

static void write_config(const char *path, const double *links)
{
    failure f;
    links_info info = { .bits = 64 };
    memcpy(info.extents, n, sizeof info.extents);
    if (!links_write_ildg(path, links, &info, true, &f))
        note("%s", f.why);
}

static void write_noise(const char *path, uint64_t seed)
{
    static double v[VECTOR_COUNT];
    for (int i = 0; i < VECTOR_COUNT; i++)
        v[i] = 2 * scratch_uniform(&seed) - 1;
    array_write(path, v, VECTOR, n);
}

static bool is_even(int real)
{
    int x = real / 6;
    return (x % 4 + x / 4 % 4 + x / 16 % 4 + x / 64) % 2 == 0;
}

static double product(const double *a, const double *b)
{
    double sum = a && b ? 0 : NAN;
    for (int i = 0; a && b && i < VECTOR_COUNT; i++)
        sum += a[i] * b[i];
    return sum;
}

/* What kiln probe apply makes of the source with these options; memory_free. */
static double *apply(const files *f, const char *source, const char *options)
{
    int status = program_run("probe apply '%s' '%s' --source '%s' %s --device %s", f->config, f->out, source, options,
                             f->device)->status;
    fact(status == 0, "%s: probe apply %s", f->device, options);
    return array_read(f->out, VECTOR, n);
}

static void operator_facts(const files *f, const char *name)
{
    char options[200];
    double *v = array_read(f->source, VECTOR, n), *w = array_read(f->phi[0], VECTOR, n);
    snprintf(options, sizeof options, "--operator %s --mass 0.3", name);
    double *mv = apply(f, f->source, options);
    snprintf(options, sizeof options, "--operator %s --mass 0.3 --dagger", name);
    double *mw = apply(f, f->phi[0], options);
    fact_close(product(w, mv), product(mw, v), 1e-10, "%s: %s: Re w^+ M v = Re (M^+ w)^+ v", f->device, name);

    snprintf(options, sizeof options, "--operator %s --mass 0", name);
    double *dv = apply(f, f->source, options);
    double worst = dv && mv ? 0 : INFINITY;
    for (int i = 0; dv && mv && i < VECTOR_COUNT; i++)
        worst = worse(worst, fabs(mv[i] - dv[i] - 0.6 * v[i]));
    fact_close(worst, 0, 1e-13, "%s: %s: M = 2m + D", f->device, name);

    for (int i = 0; i < VECTOR_COUNT; i++)
        v[i] *= is_even(i);
    array_write(f->other, v, VECTOR, n);
    memory_free(dv);
    dv = apply(f, f->other, options);
    array_write(f->other, dv, VECTOR, n);
    double *ddv = apply(f, f->other, options);
    snprintf(options, sizeof options, "--operator %s --mass 0.3 --normal", name);
    double *kv = apply(f, f->source, options);
    worst = ddv && kv ? 0 : INFINITY;
    for (int i = 0; ddv && kv && i < VECTOR_COUNT; i++)
        worst = worse(worst, fabs(kv[i] - (is_even(i) ? 0.36 * v[i] - ddv[i] : 0)));
    fact_close(worst, 0, 1e-12, "%s: %s: K + 4m^2 = 4m^2 - D_eo D_oe, and zero on odd sites", f->device, name);
    memory_free(v);
    memory_free(w);
    memory_free(mv);
    memory_free(mw);
    memory_free(dv);
    memory_free(ddv);
    memory_free(kv);
}

static void solution_facts(const files *f, const char *options, const char *method, bool even_only)
{
    yaml_node *tree = output_json(program_run("probe solve '%s' '%s' --source '%s' %s %s --residual 1e-11 --device %s",
                                              f->config, f->other, f->source, options, method, f->device));
    fact(json_number(tree, "true_residual") <= 1.01e-11, "%s: probe solve %s %s: a small residual", f->device, options,
         method);
    yaml_tree_free(tree);
    double *s = array_read(f->source, VECTOR, n), *mx = apply(f, f->other, options), rest = 0, size = 0;
    for (int i = 0; s && mx && i < VECTOR_COUNT; i++) {
        double want = even_only && !is_even(i) ? 0 : s[i];
        rest += (mx[i] - want) * (mx[i] - want);
        size += want * want;
    }
    fact_close(s && mx ? sqrt(rest / size) : INFINITY, 0, 1.01e-11, "%s: probe apply to the solution gives the source",
               f->device);
    memory_free(s);
    memory_free(mx);
}

/* ---- forces and dynamics */

static const char *fields(const files *f)
{
    static text t;
    text_clear(&t);
    text_add(&t, "--input '%s' --device %s", f->input, f->device);
    for (int i = 0; i < FIELDS; i++)
        text_add(&t, " --pseudofermion '%s'", f->phi[i]);
    return text_string(&t);
}

static double *force_of(const files *f, const char *monomial, const char *options)
{
    const program_output *s = program_run("probe force '%s' '%s' --monomial %s %s", f->config, f->out, monomial,
                                          options);
    fact(s->status == 0, "%s: probe force --monomial %s", f->device, monomial);
    double *force = array_read(f->out, MATRICES, n), sum = 0;
    yaml_node *tree = output_json(s);
    for (int i = 0; force && i < LINKS_COUNT; i++)
        sum += force[i] * force[i];
    fact_close(json_number(tree, "force.rms") / sqrt(sum / (4 * SITES)), 1, 1e-12, "%s: and its size", f->device);
    yaml_tree_free(tree);
    return force;
}

static void forces(const files *f)
{
    char options[4000];
    double *all = force_of(f, "quarks", fields(f)), *sum = memory_alloc(LINKS_COUNT * sizeof *sum, "a sum");
    for (int i = 0; i < FIELDS; i++) {
        snprintf(options, sizeof options, "%s --only %d", fields(f), i);
        double *one = force_of(f, "quarks", options);
        for (int j = 0; one && j < LINKS_COUNT; j++)
            sum[j] += one[j];
        memory_free(one);
    }
    fact(array_largest(all, LINKS_COUNT) > 0.01, "%s: pseudofermions push the links", f->device);
    fact_close(array_distance(all, sum, LINKS_COUNT), 0, 1e-11, "%s: forces of fields add up", f->device);
    memory_free(all);

    snprintf(options, sizeof options, "--input '%s' --device %s", f->input, f->device);
    all = force_of(f, "gauge", options);
    program_run("probe gauge-force '%s' '%s' --action wilson --beta 5.6 --device %s", f->config, f->out, f->device);
    double *gauge = array_read(f->out, MATRICES, n);
    fact(array_distance(all, gauge, LINKS_COUNT) == 0, "%s: probe force of a gauge monomial is probe gauge-force",
         f->device);
    memory_free(all);
    memory_free(gauge);
    memory_free(sum);
}

static void energies(const files *f)
{
    yaml_node *tree = output_json(program_run("probe energy '%s' %s", f->config, fields(f)));
    double quarks = json_number(tree, "quarks");
    fact(quarks > 0 && !json_scalar(tree, "H"), "%s: probe energy without momenta: the terms alone", f->device);
    fact(json_number(tree, "monomials.quarks.pseudofermions.0.action.true_residual") <= 1e-12,
         "%s: and the reports of the monomials", f->device);
    yaml_tree_free(tree);
    tree = output_json(program_run("probe energy '%s' %s --momenta '%s'", f->config, fields(f), f->momenta));
    fact(json_number(tree, "quarks") == quarks, "%s: the same action again", f->device);
    fact_close((quarks + json_number(tree, "gauge") + json_number(tree, "kinetic")) / json_number(tree, "H"), 1, 1e-14,
               "%s: H is the sum of terms and kinetic energy", f->device);
    yaml_tree_free(tree);
}

static double run_trajectory(const files *f, const char *out)
{
    yaml_node *tree = output_json(program_run("probe trajectory '%s' '%s' %s --momenta '%s' --final-momenta '%s'",
                                              f->config, out, fields(f), f->momenta, f->momenta));
    double dh = json_number(tree, "dH");
    yaml_tree_free(tree);
    return dh;
}

static void there_and_back(const files *f, const double *links)
{
    double *momenta = analytic_momenta(n);
    array_write(f->momenta, momenta, MATRICES, n);
    energies(f);
    double dh = run_trajectory(f, f->out);
    double *there = array_read(f->out, MATRICES, n), *final = array_read(f->momenta, MATRICES, n);
    fact(fabs(dh) < 1 && dh != 0, "%s: probe trajectory with pseudofermions: dH is small (%g)", f->device, dh);
    fact(array_distance(there, links, LINKS_COUNT) > 0.1, "%s: the links have moved", f->device);
    for (int i = 0; final && i < LINKS_COUNT; i++)
        final[i] = -final[i];
    if (there && final) {
        write_config(f->config, there);
        array_write(f->momenta, final, MATRICES, n);
    }
    double back_dh = run_trajectory(f, f->out);
    double *back = array_read(f->out, MATRICES, n);
    fact_close(array_distance(back, links, LINKS_COUNT), 0, 1e-11, "%s: with flipped momenta the links return",
               f->device);
    fact_close(back_dh, -dh, 1e-8, "%s: and so does H", f->device);
    write_config(f->config, links);
    memory_free(momenta);
    memory_free(there);
    memory_free(final);
    memory_free(back);
}

/* ---- refusals */

#define HERE "/dev/null"                    /* a path that exists */

static const struct { const char *words, *message; } mistakes[] = {
    { "apply " HERE " o --mass 0.1 --source " HERE, "--operator OP is missing" },
    { "apply " HERE " o --operator hisk --mass 0.1 --source " HERE, "did you mean \"hisq\"?" },
    { "apply " HERE " o --operator hisq --source " HERE, "--mass M is missing" },
    { "apply " HERE " o --operator hisq --mass 0.1", "--source S.npy is missing" },
    { "apply " HERE " o --operator hisq --mass 0.1 --source " HERE " --normal --dagger", "its own adjoint" },
    { "apply " HERE " o --operator hisq --mass 0.1 --source " HERE " --u0 0.9", "--u0 is for --operator asqtad" },
    { "apply " HERE " o --operator asqtad --mass 0.1 --source " HERE " --projection su3",
      "--projection is for --operator hisq" },
    { "apply " HERE " o --operator naive --mass 0.1 --source " HERE " --naik-epsilon 0.1",
      "--naik-epsilon is for --operator hisq" },
    { "apply " HERE " o --operator hisq --mass 0.1 --source " HERE " --naik-epsilon 1x",
      "\"1x\" is neither auto nor a number" },
    { "links " HERE " o --level fat", "--operator OP is missing" },
    { "links " HERE " o --level logn", "did you mean \"long\"?" },
    { "links " HERE " o --level fat --operator hisq --naik-epsilon auto", "--mass M is missing" },
    { "links " HERE " o --level projected --operator asqtad", "--level projected is for --operator hisq" },
    { "links " HERE " o --level long --operator naive", "naive has no Naik term" },
    { "solve " HERE " o --operator hisq --mass 0.1 --source " HERE, "--residual R is missing" },
    { "solve " HERE " o --operator hisq --mass 0.1 --source " HERE " --residual 1e-5 --normal --method bicgstab2",
      "is hermitian" },
    { "solve " HERE " o --operator hisq --mass 0.1 --source " HERE " --residual 1e-5 --solver double-half",
      "cg is in double" },
    { "force " HERE " o --monomial quarks", "--input INPUT.yaml is missing" },
    { "energy " HERE " --action wilson --beta 6 --pseudofermion " HERE, "--pseudofermion and --set need --input" },
    { "energy " HERE " --input " HERE " --beta 6", "leave out --action, --beta" },
};

static void refusals(const files *f)
{
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        const program_output *s = program_run("probe %s", mistakes[i].words);
        fact(s->status == 2 && s->out.length == 0 && stderr_has(s, mistakes[i].message), "kiln probe %s: status 2: %s",
             mistakes[i].words, mistakes[i].message);
    }
    const program_output *s = program_run("probe energy '%s' --input '%s' --pseudofermion '%s'", f->config, f->input,
                                          f->phi[0]);
    fact(s->status == 2 && stderr_has(s, "given 1 time, but the input has 3 fields; quarks: pf0 pf1 pf2"),
         "a wrong number of pseudofermions is refused, and the fields are named");
    s = program_run("probe force '%s' '%s' --monomial quark %s", f->config, f->out, fields(f));
    fact(s->status == 2 && stderr_has(s, "\"quark\" is not one of gauge, quarks; did you mean \"quarks\"?"),
         "an unknown monomial is refused");
    s = program_run("probe force '%s' '%s' --monomial quarks --only 3 %s", f->config, f->out, fields(f));
    fact(s->status == 2 && stderr_has(s, "the monomial has 3 fields, counted from 0"),
         "a field that is not there is refused");
    s = program_run("probe apply '%s' '%s' --operator hisq --mass 0.1 --source '%s'", f->config, f->out, f->momenta);
    fact(s->status == 1 && s->out.length == 0 && stderr_has(s, f->momenta), "a source of another shape is refused");
    s = program_run("probe solve '%s' '%s' --operator hisq --mass 0.01 --source '%s' --residual 1e-12 "
                    "--max-iterations 3", f->config, f->out, f->source);
    fact(s->status == 1 && stdout_has(s, "\"converged\": false") && stderr_has(s, "did not converge: true residual")
             && stderr_has(s, "holds an unconverged vector"),
         "a solve that does not converge says so");
}

int main(void)
{
    if (!program_is_there())
        return facts_end();
    scratch s = scratch_create();
    files f;
    name_files(&f, &s);
    double *links = analytic_links(n, SMOOTH);
    write_config(f.config, links);
    write_noise(f.source, 17);
    for (int i = 0; i < FIELDS; i++)
        write_noise(f.phi[i], 100 + (uint64_t)i);
    blob_write(f.input, input, sizeof input - 1);
    FOR_EVERY_PLACE(where) {
        f.device = place_name(where);
        operator_facts(&f, "hisq --naik-epsilon -0.1");
        operator_facts(&f, "hisq --projection su3 --boundary 0");
        operator_facts(&f, "asqtad --u0 0.9");
        operator_facts(&f, "naive");
        solution_facts(&f, "--operator hisq --naik-epsilon auto --mass 0.2", "", false);
        solution_facts(&f, "--operator hisq --naik-epsilon auto --mass 0.2",
                       "--method bicgstab4 --solver double-single-half --updates estimate", false);
        solution_facts(&f, "--operator asqtad --mass 0.1 --normal", "", true);
        forces(&f);
        there_and_back(&f, links);
    }
    refusals(&f);
    memory_free(links);
    scratch_remove(&s);
    return facts_end();
}
