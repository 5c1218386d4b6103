/* test_probe.c - kiln probe: fields bit by bit, numbers of MILC, molecular dynamics there and back. */
#include "src/base/memory.h"
#include "src/io/links_file.h"
#include "tests/analytic_field.h"
#include "tests/cli/program.h"
#include "tests/facts.h"
#include "tests/gauge/golden_numbers.h"
#include "tests/io/npy_array.h"
#include "tests/io/scratch.h"
#include "tests/io/whole_links.h"
#include "tests/on_every_backend.h"

#include <math.h>

static const char input[] =
    "lattice: [4, 4, 6, 8]\n"
    "random: {seed: 1}\n"
    "monomials:\n"
    "  - {kind: gauge, action: symanzik_1loop, beta: 6.7, u0: 0.89, flavors: 4}\n"
    "hmc:\n"
    "  trajectory_length: 0.5\n"
    "  levels: [{integrator: omelyan, steps: 24, monomials: [gauge]}]\n"
    "  trajectories: 1\n"
    "output: {directory: nowhere}\n";

typedef struct { char config[600], momenta[600], input[600], out[600], out_momenta[600]; } files;

static files name_files(scratch *s)
{
    files f;
    strcpy(f.config, scratch_path(s, "config.lime"));
    strcpy(f.momenta, scratch_path(s, "momenta.npy"));
    strcpy(f.input, scratch_path(s, "input.yaml"));
    strcpy(f.out, scratch_path(s, "out.npy"));
    strcpy(f.out_momenta, scratch_path(s, "out_momenta.npy"));
    return f;
}

enum { DIMENSIONS = 8 };

static double *read_field(const char *path, const int n[4])
{
    failure f;
    size_t shape[DIMENSIONS] = { (size_t)n[3], (size_t)n[2], (size_t)n[1], (size_t)n[0], 4, 3, 3, 2 };
    double *field = npy_read(path, DIMENSIONS, shape, &f);
    if (!field)
        note("%s", f.why);
    return field;
}

static void write_field(const char *path, const double *field, const int n[4])
{
    failure f;
    size_t shape[DIMENSIONS] = { (size_t)n[3], (size_t)n[2], (size_t)n[1], (size_t)n[0], 4, 3, 3, 2 };
    if (!npy_write(path, field, DIMENSIONS, shape, &f))
        note("%s", f.why);
}

static void write_config(const char *path, const double *links, const int n[4])
{
    failure f;
    links_info info = { .bits = 64 };
    memcpy(info.extents, n, sizeof info.extents);
    if (!links_write_ildg(path, links, &info, true, &f))
        note("%s", f.why);
}

/* Infinite where there is no field. */
static double distance(const double *a, const double *b, const int n[4])
{
    return a && b ? largest_difference(a, b, links_count(n)) : INFINITY;
}

static void links_and_energy(const files *f, const double *links, const int n[4], place where)
{
    const char *device = place_name(where);
    fact(program_run("probe links '%s' '%s' --device %s", f->config, f->out, device)->status == 0, "%s: probe links",
         device);
    double *got = read_field(f->out, n);
    fact(distance(got, links, n) == 0, "%s: probe links writes the links of the file, bit by bit", device);
    memory_free(got);
    for (int a = 0; a < 4; a++) {
        const golden_action *g = &golden_fields[0].action[a];
        yaml_node *tree = output_json(program_run("probe energy '%s' --action %s --beta 6 --device %s", f->config,
                                                  g->action, device));
        fact_close(json_number(tree, "gauge") / g->energy, 1, 1e-13, "%s: probe energy: %s", device, g->action);
        yaml_tree_free(tree);
    }
}

/* The force at one site is -2 F of the golden numbers. */
static void force_at_site(const files *f, const int n[4], place where)
{
    const golden_action *g = &golden_fields[0].action[0];
    int status = program_run("probe gauge-force '%s' '%s' --action %s --beta 6 --device %s", f->config, f->out,
                             g->action, place_name(where))->status;
    double *force = read_field(f->out, n), worst = force ? 0 : INFINITY;
    int site = 1 + n[0] * (0 + n[1] * (1 + n[2] * 1));
    for (int i = 0; force && i < 72; i++) {
        int mu = i / 18, row = i / 6 % 3, column = i / 2 % 3, part = i % 2;
        worst = worse(worst, fabs(force[72 * site + i] + 2 * g->force[mu][row][column][part]));
    }
    fact(status == 0, "%s: probe gauge-force", place_name(where));
    fact_close(worst, 0, 1e-13, "%s: probe gauge-force writes dP/dtau", place_name(where));
    memory_free(force);
}

/* There; the momenta flipped; and back: the same links. */
static void there_and_back(const files *f, const double *links, const int n[4], place where)
{
    const char *device = place_name(where);
    blob_write(f->input, input, sizeof input - 1);
    double *momenta = analytic_momenta(n);
    write_field(f->momenta, momenta, n);
    const program_output *s = program_run("probe trajectory '%s' '%s' --input '%s' --momenta '%s' --final-momenta '%s' "
                                          "--device %s", f->config, f->out, f->input, f->momenta, f->out_momenta,
                                          device);
    yaml_node *tree = output_json(s);
    double dh = json_number(tree, "dH"), start = json_number(tree, "start.H"), end = json_number(tree, "end.H");
    fact(s->status == 0 && fabs(dh) < 1 && dh != 0, "%s: probe trajectory: dH is small (%g)", device, dh);
    fact_close(end - start, dh, 1e-9, "%s: dH is the difference of H", device);
    fact_close(json_number(tree, "start.kinetic") + json_number(tree, "start.gauge"), start, 1e-9,
               "%s: H is the sum of its terms", device);
    fact_close(json_number(tree, "start.plaquette"), golden_fields[0].plaquette, 1e-13, "%s: plaquette at the start",
               device);
    yaml_tree_free(tree);

    double *there = read_field(f->out, n), *final = read_field(f->out_momenta, n);
    fact(distance(there, links, n) > 0.1 && isfinite(distance(there, links, n)), "%s: the links have moved", device);
    for (size_t i = 0; final && i < links_count(n); i++)
        final[i] = -final[i];
    if (there && final) {
        write_config(f->config, there, n);
        write_field(f->momenta, final, n);
    }
    s = program_run("probe trajectory '%s' --input '%s' --momenta '%s' '%s' --device %s", f->config, f->input,
                    f->momenta, f->out, device);
    double *back = read_field(f->out, n);
    fact_close(distance(back, links, n), 0, 1e-12, "%s: with flipped momenta the links return", device);
    tree = output_json(s);
    fact_close(json_number(tree, "dH"), -dh, 1e-9, "%s: and so does H", device);
    yaml_tree_free(tree);
    write_config(f->config, links, n);
    memory_free(momenta);
    memory_free(there);
    memory_free(final);
    memory_free(back);
}

static const double not_finite[] = { NAN, INFINITY, -INFINITY };

/* One real of one matrix, at t = 1, z = 2, y = 3, x = 0, mu = 1. */
static void not_finite_momenta(const files *f, const int n[4], double value)
{
    double *momenta = analytic_momenta(n);
    momenta[72 * (n[0] * (3 + n[1] * (2 + n[2] * 1))) + 18 + 3] = value;
    write_field(f->momenta, momenta, n);
    memory_free(momenta);
    const program_output *s = program_run("probe energy '%s' --action wilson --beta 6 --momenta '%s'", f->config,
                                          f->momenta);
    fact(s->status == 1 && s->out.length == 0 && stderr_has(s, f->momenta) && stderr_has(s, "[1, 2, 3, 0, 1, 0, 1, 1]"),
         "probe energy refuses momenta with %g, and says where it stands", value);
    s = program_run("probe trajectory '%s' --input '%s' --momenta '%s' '%s'", f->config, f->input, f->momenta, f->out);
    fact(s->status == 1 && s->out.length == 0 && stderr_has(s, f->momenta) && stderr_has(s, "[1, 2, 3, 0, 1, 0, 1, 1]"),
         "probe trajectory does too");
}

static void refusals(const files *f, const int n[4])
{
    double *noise = random_links(n, 3);
    write_field(f->momenta, noise, n);
    free(noise);
    const program_output *s = program_run("probe energy '%s' --action wilson --beta 6 --momenta '%s'", f->config,
                                          f->momenta);
    fact(s->status == 1 && stderr_has(s, "not momenta"), "matrices that are not antihermitian are refused");
    s = program_run("probe trajectory '%s' --input '%s' --momenta '%s' '%s' --set 'lattice=[4,4,4,4]'", f->config,
                    f->input, f->momenta, f->out);
    fact(s->status == 2 && stderr_has(s, "4x4x6x8") && stderr_has(s, "4x4x4x4"),
         "an input of another lattice is wrong input");
    for (size_t i = 0; i < sizeof not_finite / sizeof *not_finite; i++)
        not_finite_momenta(f, n, not_finite[i]);
    int small[4] = { 4, 4, 4, 4 };
    double *momenta = analytic_momenta(small);
    write_field(f->momenta, momenta, small);
    memory_free(momenta);
    s = program_run("probe energy '%s' --action wilson --beta 6 --momenta '%s'", f->config, f->momenta);
    fact(s->status == 1 && stderr_has(s, f->momenta), "momenta of another shape are refused");
    s = program_run("probe links '%s' /nowhere/out.npy", f->config);
    fact(s->status == 2 && stderr_has(s, "/nowhere/out.npy"), "an array in a folder that does not exist: status 2");
}

/* MILC's numbers for its sample configuration: links as it uses them, force, energies. */
static void milc(const files *f, place where)
{
    static const int n[4] = { 6, 6, 6, 6 };
    const char *shared = reference_folder(), *device = place_name(where);
    const char *action = "--action symanzik_1loop --beta 6.7 --u0 0.89 --flavors 4 --reunitarize";
    char config[600], file[700];
    if (!shared) {
        skip("MILC's links, force and energies", "there is no folder of reference data");
        return;
    }
    snprintf(config, sizeof config, "%s/conf/f211b670.l6666.milc", shared);
    snprintf(file, sizeof file, "%s/reference/milc/f211b670.l6666/gauge_force.npy", shared);
    program_run("probe gauge-force '%s' '%s' %s --device %s", config, f->out, action, device);
    double *want = read_field(file, n), *got = read_field(f->out, n);
    fact_close(distance(got, want, n), 0, 1e-12, "%s: the force is MILC's", device);
    memory_free(want);
    memory_free(got);

    snprintf(file, sizeof file, "%s/reference/milc/f211b670.l6666/U.npy", shared);
    program_run("probe links '%s' '%s' --reunitarize --device %s", config, f->out, device);
    want = read_field(file, n);
    got = read_field(f->out, n);
    fact_close(distance(got, want, n), 0, 1e-14, "%s: links after --reunitarize are MILC's", device);
    memory_free(want);
    memory_free(got);

    snprintf(file, sizeof file, "%s/reference/milc/f211b670.l6666/mom_start.npy", shared);
    yaml_node *tree = output_json(program_run("probe energy '%s' %s --momenta '%s' --device %s", config, action, file,
                                              device));
    fact_close(json_number(tree, "gauge") / 20858.774251939594, 1, 1e-12, "%s: the gauge action is MILC's", device);
    fact_close(json_number(tree, "kinetic") / (-205.282772130477 + 16 * 1296), 1, 1e-12,
               "%s: the kinetic energy is MILC's", device);
    fact_close(json_number(tree, "plaquette"), 0.55933992627001528, 1e-14, "%s: the plaquette is MILC's", device);
    yaml_tree_free(tree);
}

int main(void)
{
    static const int n[4] = { 4, 4, 6, 8 };
    if (!program_is_there())
        return facts_end();
    scratch s = scratch_create();
    files f = name_files(&s);
    double *links = analytic_links(n, golden_fields[0].width);
    write_config(f.config, links, n);
    FOR_EVERY_PLACE(where) {
        links_and_energy(&f, links, n, where);
        force_at_site(&f, n, where);
        there_and_back(&f, links, n, where);
        milc(&f, where);
    }
    refusals(&f, n);
    memory_free(links);
    scratch_remove(&s);
    return facts_end();
}
