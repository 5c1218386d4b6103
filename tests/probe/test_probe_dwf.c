/* test_probe_dwf.c - kiln probe with domain-wall quarks: numbers of another implementation, solutions, forces and
 * energies of the library, through the program; and what makes no sense is refused. */
#include "src/io/links_file.h"
#include "tests/analytic_field.h"
#include "tests/cli/program.h"
#include "tests/io/scratch.h"
#include "tests/io/whole_links.h"
#include "tests/on_every_backend.h"
#include "tests/operators/dwf_forces.h"
#include "tests/operators/golden_dwf.h"
#include "tests/operators/golden_wilson.h"
#include "tests/probe/probe_arrays.h"

/* The field of the golden numbers. */
static const int n[4] = { 4, 4, 6, 8 };
enum { SITES = 4 * 4 * 6 * 8, SPINOR = 24, LINKS_COUNT = SITES * 72 };
#define WIDTH 1.2

#define APPLY "probe apply --operator domain-wall "
#define SOLVE "probe solve --operator domain-wall "

typedef struct {
    char config[600], source[600], turned[600], out[600], other[600], input[600], phi[600];
    double *links;
    const char *device;
} files;

static void write_config(const char *path, const double *links, int bits)
{
    failure f;
    links_info info = { .bits = bits };
    memcpy(info.extents, n, sizeof info.extents);
    if (!links_write_ildg(path, links, &info, true, &f))
        note("%s", f.why);
}

/* ---- spinors: [slice][t][z][y][x][spin][color][re,im] */

static size_t count_of(int Ls)
{
    return (size_t)Ls * SITES * SPINOR;
}

static void spinor_write(const char *path, const double *numbers, int Ls)
{
    const size_t shape[8] = { (size_t)Ls, 8, 6, 4, 4, 4, 3, 2 };
    failure f;
    if (!npy_write(path, numbers, 8, shape, &f))
        note("%s", f.why);
}

static double *spinor_read(const char *path, int Ls)
{
    const size_t shape[8] = { (size_t)Ls, 8, 6, 4, 4, 4, 3, 2 };
    failure f;
    double *numbers = npy_read(path, 8, shape, &f);
    if (!numbers)
        note("%s", f.why);
    return numbers;
}

static bool is_odd(size_t at)
{
    size_t x = at / SPINOR % SITES;
    return (x % 4 + x / 4 % 4 + x / 16 % 6 + x / 96) % 2 == 1;
}

static void drop_even(double *v, int Ls)
{
    for (size_t at = 0; at < count_of(Ls); at++)
        if (!is_odd(at))
            v[at] = 0;
}

/* ---- the operator */

/* What kiln probe apply --operator domain-wall makes of a file with these options; memory_free. */
static double *apply(const files *f, const char *source, int Ls, const char *options)
{
    int status = program_run(APPLY "'%s' '%s' --source '%s' --Ls %d %s --device %s", f->config, f->out,
                             source, Ls, options, f->device)->status;
    fact(status == 0, "%s: probe apply --operator domain-wall %s", f->device, options);
    return spinor_read(f->out, Ls);
}

static const char *action_options(const dwf_weights_params *p)
{
    static char words[200];
    int at = snprintf(words, sizeof words, "--action %s --M5 %g", dwf_kind_names[p->kind], p->M5);
    if (p->kind == DWF_MOBIUS)
        snprintf(words + at, sizeof words - (size_t)at, " --b %g --c %g", p->b, p->c);
    if (p->kind == DWF_OPTIMAL)
        snprintf(words + at, sizeof words - (size_t)at, " --lambda-min %g --lambda-max %g", p->lambda_min,
                 p->lambda_max);
    return words;
}

static void golden_operators(const files *f, const golden_dwf *g)
{
    const int Ls = g->params.Ls;
    const struct { const char *op; const golden_numbers *want; } all[] = {
        { "D5", &g->d }, { "D5dag", &g->d_dagger }, { "C", &g->c },
    };
    double *v = golden_array(SITES, (size_t)Ls);
    spinor_write(f->source, v, Ls);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        char options[300], name[100];
        snprintf(options, sizeof options, "--part %s --mass %g %s", all[i].op, g->mass, action_options(&g->params));
        snprintf(name, sizeof name, "%s, %s", g->name, all[i].op);
        double *out = apply(f, f->source, Ls, options);
        golden_compare_array(out, v, count_of(Ls), all[i].want, f->device, name);
        memory_free(out);
    }
    memory_free(v);
}

/* The golden hop is the sum over neighbors alone. */
#define WILSON_HOP (-0.5)

static void golden_hop(const files *f)
{
    double *v = memory_alloc(count_of(2) * sizeof *v, "a test vector"), *slice = golden_array(SITES, 1);
    memcpy(v, slice, count_of(1) * sizeof *v);
    memcpy(v + count_of(1), slice, count_of(1) * sizeof *v);
    memory_free(slice);
    spinor_write(f->source, v, 2);
    double *out = apply(f, f->source, 2, "--part hop --mass 0");
    golden_numbers want = golden_wilsons[0].hop;
    want.norm2 *= 2 * WILSON_HOP * WILSON_HOP;
    for (int i = 0; i < 2; i++)
        want.weighted[i] *= 2 * WILSON_HOP;
    for (int i = 0; i < 6; i++)
        want.first[i] *= WILSON_HOP;
    golden_compare_array(out, v, count_of(2), &want, f->device, "hop of both slices");
    memory_free(out);
    memory_free(v);
}

#define MOBIUS "--action mobius --M5 1.4 --mass 0.1"
enum { SLICES = 8 };

static double product(const double *a, const double *b)
{
    double sum = a && b ? 0 : NAN;
    for (size_t i = 0; a && b && i < count_of(SLICES); i++)
        sum += a[i] * b[i];
    return sum;
}

/* v is in the file of sources. */
static void operator_relations(const files *f, const double *v)
{
    double *c = apply(f, f->source, SLICES, MOBIUS " --part C"), *odd = golden_array(SITES, SLICES);
    spinor_write(f->other, c, SLICES);
    double *both = apply(f, f->other, SLICES, MOBIUS " --part Cdag");
    double *normal = apply(f, f->source, SLICES, MOBIUS " --part normal");
    fact_close(array_distance(both, normal, count_of(SLICES)), 0, 1e-12, "%s: normal is C^+ C", f->device);
    drop_even(odd, SLICES);
    fact_close(product(odd, normal) / product(c, c), 1, 1e-13, "%s: <v, C^+C v> = |C v|^2", f->device);
    yaml_node *tree = output_json(program_run(APPLY "'%s' '%s' --source '%s' --Ls %d " MOBIUS
                                              " --part C --device %s", f->config, f->out, f->source, SLICES,
                                              f->device));
    fact_close(json_number(tree, "source_norm2") / product(odd, odd), 1, 1e-13, "%s: |v|^2 is told of odd sites alone",
               f->device);
    yaml_tree_free(tree);
    drop_even(normal, SLICES);
    fact(array_distance(both, normal, count_of(SLICES)) < 1e-12, "%s: and nothing is on even sites", f->device);
    double *d = apply(f, f->source, SLICES, MOBIUS " --part D5"), *turned_v = spinors_turned(v, count_of(SLICES));
    spinor_write(f->turned, turned_v, SLICES);
    double *d_turned = apply(f, f->turned, SLICES, MOBIUS " --part D5 --basis nonrelativistic");
    double *want = spinors_turned(d, count_of(SLICES));
    fact_close(array_distance(d_turned, want, count_of(SLICES)), 0, 1e-13,
               "%s: in the non-relativistic basis S D5 psi comes from S psi", f->device);
    fact(array_distance(d_turned, d, count_of(SLICES)) > 0.1, "%s: which is another array than D5 psi", f->device);
    double *of_turned = apply(f, f->turned, SLICES, MOBIUS " --part D5");
    fact(array_distance(of_turned, want, count_of(SLICES)) > 0.1, "%s: nor is D5 the same matrix in both", f->device);
    double *const made[] = { c, odd, both, normal, d, turned_v, d_turned, want, of_turned };
    for (size_t i = 0; i < sizeof made / sizeof *made; i++)
        memory_free(made[i]);
}

static void same(const files *f, const double *want, const char *options, const char *words)
{
    double *got = apply(f, f->source, SLICES, options);
    fact_close(array_distance(got, want, count_of(SLICES)), 0, 1e-12, "%s: %s", f->device, words);
    memory_free(got);
}

static void options_mean_the_same(const files *f)
{
    double *d = apply(f, f->source, SLICES, MOBIUS " --part D5");
    same(f, d, "--part D5 --action mobius --M5 1.4 --mass 0.28 --mass-convention chiu",
         "Chiu's mass is 2 M5 m");
    same(f, d, "--part D5 --action scaled_shamir --scale 2 --M5 1.4 --mass 0.1",
         "twice Shamir's kernel is b = 1.5, c = 0.5");
    double *periodic = apply(f, f->source, SLICES, MOBIUS " --part D5 --boundary 0"), at_ends = 0, inside = 0;
    for (size_t i = 0; d && periodic && i < count_of(SLICES); i++) {
        size_t t = i / SPINOR % SITES / (4 * 4 * 6);
        double *worst = t == 0 || t == 7 ? &at_ends : &inside;
        *worst = worse(*worst, fabs(d[i] - periodic[i]));
    }
    fact(at_ends > 0.1 && inside == 0, "%s: the boundary is felt on the first and the last time slice alone",
         f->device);
    memory_free(periodic);
    memory_free(d);
}

/* ---- solutions */

static void solution(const files *f, const double *v, const char *op, const char *more, double residual)
{
    char options[200];
    double *odd = golden_array(SITES, SLICES), rest = 0, size = 0;
    yaml_node *tree = output_json(program_run(SOLVE "'%s' '%s' --source '%s' --Ls %d " MOBIUS
                                              " --part %s %s --residual %g --device %s", f->config, f->other,
                                              f->source, SLICES, op, more, residual, f->device));
    fact(json_number(tree, "true_residual") <= 1.01 * residual, "%s: %s x = v, %s: a small residual", f->device, op,
         more);
    fact(json_number(tree, "iterations") > 10, "%s: which takes iterations", f->device);
    yaml_tree_free(tree);
    drop_even(odd, SLICES);
    const double *b = strcmp(op, "normal") == 0 ? odd : v;
    snprintf(options, sizeof options, MOBIUS " --part %s", op);
    double *back = apply(f, f->other, SLICES, options);
    for (size_t i = 0; back && i < count_of(SLICES); i++) {
        rest += (back[i] - b[i]) * (back[i] - b[i]);
        size += b[i] * b[i];
    }
    fact(back && sqrt(rest / size) <= 1.02 * residual, "%s: and %s gives v back, %s", f->device, op, more);
    memory_free(odd);
    memory_free(back);
}

/* ---- the force and the energy of two flavors, on the library's own terms */

enum { FORCE_SLICES = 4 };

static const char input[] =
    "lattice: [4, 4, 6, 8]\n"
    "random: {seed: 1}\n"
    "monomials:\n"
    "  - {kind: gauge, action: wilson, beta: 5.6}\n"
    "  - kind: domain_wall\n"
    "    action: mobius\n"
    "    Ls: 4\n"
    "    M5: 1.4\n"
    "    determinants: [{flavors: 2, mass: 0.2, heavy: 0.6}]\n"
    "    residuals: {refresh: 1e-13, action: 1e-13, force: 1e-13}\n"
    "hmc:\n"
    "  trajectory_length: 0.1\n"
    "  levels: [{integrator: omelyan, steps: 4, monomials: [quarks, gauge]}]\n"
    "  trajectories: 1\n"
    "output: {directory: nowhere}\n";

static void dynamics(const files *f, place where)
{
    const dwf_weights_params params = { .kind = DWF_MOBIUS, .Ls = FORCE_SLICES, .M5 = 1.4, .b = 1.5,
                                         .c = 0.5 };
    quark_action action = { .name = "two flavors", .mass = 0.2, .heavy = 0.6, .value = quarks_ratio };
    failure why;
    double *v = golden_array(SITES, FORCE_SLICES), *turned_v = spinors_turned(v, count_of(FORCE_SLICES));
    require(dwf_weights_make(&action.weights, &params, &why), "%s", why.why);
    lattice *l = lattice_create_single(n);
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
    gauge_import(u, f->links);
    quarks q = quarks_open(l, where, FORCE_SLICES);
    vec *phi = quarks_vec(&q, ON_ODD, 0);
    vec_import(phi, v);
    double value = quarks_value(&q, &action, u, phi, NULL);
    momentum *force = quarks_force(&q, &action, u, phi, NULL);
    double *want = momentum_matrices(force), largest = array_largest(want, LINKS_COUNT);
    spinor_write(f->phi, v, FORCE_SLICES);
    spinor_write(f->turned, turned_v, FORCE_SLICES);

    const struct { const char *phi, *options, *words; } bases[] = {
        { f->phi, "", "" }, { f->turned, "--basis nonrelativistic", ", its field in the non-relativistic basis" },
    };
    for (int i = 0; i < 2; i++) {
        program_run("probe force '%s' '%s' --input '%s' --monomial quarks --pseudofermion '%s' %s --device %s",
                    f->config, f->out, f->input, bases[i].phi, bases[i].options, f->device);
        double *got = array_read(f->out, MATRICES, n);
        fact_close(array_distance(got, want, LINKS_COUNT) / largest, 0, 1e-10,
                   "%s: the force of two flavors is the library's%s", f->device, bases[i].words);
        memory_free(got);
        yaml_node *tree = output_json(program_run("probe energy '%s' --input '%s' --pseudofermion '%s' %s --device %s",
                                                  f->config, f->input, bases[i].phi, bases[i].options, f->device));
        fact_close(json_number(tree, "quarks") / value, 1, 1e-11, "%s: so is the action%s", f->device, bases[i].words);
        yaml_tree_free(tree);
    }
    memory_free(want);
    momentum_free(force);
    vec_free(phi);
    quarks_close(&q);
    gauge_free(u);
    lattice_free(l);
    memory_free(turned_v);
    memory_free(v);
}

/* ---- refusals */

static void refusals(files *f)
{
    static const struct { const char *words, *options, *message; int status; } wrong[] = {
        { "an array of other slices", "--part D5 --mass 0.1 --Ls 6", "6", 1 },
        { "weights of another action", "--part D5 --mass 0.1 --Ls 8 --b 1.5", "--b is not an option of --action shamir",
          2 },
        { "no mass", "--part D5 --Ls 8", "--mass", 2 },
        { "no slices", "--part D5 --mass 0.1", "--Ls", 2 },
        { "a part that is none", "--part D4 --mass 0.1 --Ls 8", "D4", 2 },
        { "a basis that is none", "--part D5 --mass 0.1 --Ls 8 --basis dirac", "nonrelativistic", 2 },
        { "symmetric weights of odd Ls", "--part D5 --mass 0.1 --Ls 7 --action optimal_symmetric", "--action",
          2 },
    };
    double *v = golden_array(SITES, SLICES);
    spinor_write(f->source, v, SLICES);
    memory_free(v);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const program_output *s = program_run(APPLY "'%s' '%s' --source '%s' %s --device cpu", f->config, f->out,
                                              f->source, wrong[i].options);
        fact(s->status == wrong[i].status && stderr_has(s, wrong[i].message), "%s: refused, and said why",
             wrong[i].words);
    }
    const program_output *s = program_run(APPLY "'%s' '%s' --source '%s' --Ls 8 --mass 0.1 --part D5 --device "
                                          "cpu", f->config, f->out, "/nowhere/source.npy");
    fact(s->status == 2 && stderr_has(s, "/nowhere/source.npy"), "a source that is not there is named");
    s = program_run(SOLVE "'%s' '%s' --source '%s' --Ls 8 --mass 0.1 --residual 1e-10 "
                    "--max-iterations 5 --device cpu", f->config, f->out, f->source);
    fact(s->status == 1 && stderr_has(s, "did not converge") && stdout_has(s, "\"converged\": false"),
         "a solve that is cut short says so, and status 1");
    s = program_run("probe force '%s' '%s' --input '%s' --monomial quarks --pseudofermion '%s' --device cpu", f->config,
                    f->out, f->input, f->source);
    fact(s->status == 1 && stderr_has(s, f->source), "a pseudofermion of other slices is refused");
    write_config(f->other, f->links, 32);
    s = program_run(APPLY "'%s' '%s' --source '%s' --Ls 8 --mass 0.1 --part D5 --device cpu",
                    f->other, f->out, f->source);
    fact(s->status == 1 && stderr_has(s, "--reunitarize"), "links of 32 bits are refused, with advice");
    s = program_run(APPLY "'%s' '%s' --source '%s' --Ls 8 --mass 0.1 --part D5 --reunitarize "
                    "--device cpu", f->other, f->out, f->source);
    fact(s->status == 0, "which helps");
    for (int i = 0; i < 18; i++)
        f->links[i] *= 1.001;
    write_config(f->other, f->links, 64);
    s = program_run(APPLY "'%s' '%s' --source '%s' --Ls 8 --mass 0.1 --part D5 --device cpu",
                    f->other, f->out, f->source);
    fact(s->status == 1 && stderr_has(s, "SU(3)"), "links that are not in SU(3) are refused");
}

int main(void)
{
    if (!program_is_there())
        return facts_end();
    scratch s = scratch_create();
    files f = { .links = analytic_links(n, WIDTH) };
    strcpy(f.config, scratch_path(&s, "config.lime"));
    strcpy(f.source, scratch_path(&s, "source.npy"));
    strcpy(f.turned, scratch_path(&s, "turned.npy"));
    strcpy(f.out, scratch_path(&s, "out.npy"));
    strcpy(f.other, scratch_path(&s, "other.npy"));
    strcpy(f.input, scratch_path(&s, "input.yaml"));
    strcpy(f.phi, scratch_path(&s, "phi.npy"));
    write_config(f.config, f.links, 64);
    blob_write(f.input, input, sizeof input - 1);
    double *v = golden_array(SITES, SLICES);
    FOR_EVERY_PLACE(where) {
        f.device = place_name(where);
        for (int i = 0; i < GOLDEN_DWF; i++)
            golden_operators(&f, &golden_dwf_entries[i]);
        golden_hop(&f);
        spinor_write(f.source, v, SLICES);
        operator_relations(&f, v);
        options_mean_the_same(&f);
        solution(&f, v, "D5", "", 1e-11);
        solution(&f, v, "D5", "--solver double-single", 1e-10);
        solution(&f, v, "normal", "", 1e-11);
        dynamics(&f, where);
    }
    refusals(&f);
    memory_free(v);
    memory_free(f.links);
    scratch_remove(&s);
    return facts_end();
}
