/* test_probe_staggered.c - staggered quarks against MILC's su3_rhmc_hisq, on its public 2+1+1 sample: links, operator,
 * solutions, forces, energies and whole trajectories, through the program. */
#include "tests/cli/program.h"
#include "tests/io/scratch.h"
#include "tests/on_every_backend.h"
#include "tests/probe/probe_arrays.h"

static const int n[4] = { 6, 6, 6, 6 };

typedef struct {
    char shared[400];                 /* the folder of reference data */
    char data[500];                   /* MILC's numbers for the configuration */
    char config[600];                 /* the configuration, and how to read it */
    char out[600], momenta[600], input[600];
    const char *device;
} milc;

static const char *data_path(const milc *m, const char *name)
{
    static char path[2][700];
    static int next;
    next = !next;
    snprintf(path[next], sizeof path[next], "%s/%s", m->data, name);
    return path[next];
}

static double *reference(const milc *m, const char *name, array_kind kind)
{
    return array_read(data_path(m, name), kind, n);
}

/* ---- links */

/* MILC keeps V and W with staggered phases and boundary; Kiln's have none. */
static void put_phases_in(double *links)
{
    for (size_t site = 0; links && site < volume(n); site++) {
        int x[4];
        size_t rest = site;
        for (int mu = 0; mu < 4; mu++, rest /= 6)
            x[mu] = (int)(rest % 6);
        int before[4] = { x[3], x[3] + x[0], x[3] + x[0] + x[1], x[3] == 5 };
        for (size_t i = 0; i < 72; i++)
            links[72 * site + i] *= before[i / 18] % 2 ? -1 : 1;
    }
}

static const struct { const char *level, *options, *reference; bool phases_out; } levels[] = {
    { "thin", "", "U.npy", false },
    { "fat7", "--operator hisq", "V.npy", true },
    { "projected", "--operator hisq", "W.npy", true },
    { "fat", "--operator hisq", "fat_eps0.npy", false },
    { "long", "--operator hisq", "long_eps0.npy", false },
    { "fat", "--operator hisq --naik-epsilon -0.16875", "fat_eps1.npy", false },
    { "long", "--operator hisq --naik-epsilon -0.16875", "long_eps1.npy", false },
};

static void links(const milc *m)
{
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
        int status = program_run("probe links %s '%s' --level %s %s --device %s", m->config, m->out, levels[i].level,
                                 levels[i].options, m->device)->status;
        double *got = array_read(m->out, MATRICES, n), *want = reference(m, levels[i].reference, MATRICES);
        if (levels[i].phases_out)
            put_phases_in(got);
        double off = array_distance(got, want, volume(n) * 72);
        note("%s: links, %s: largest difference %.2e", m->device, levels[i].reference, off);
        fact(status == 0, "%s: probe links --level %s", m->device, levels[i].level);
        fact_close(off, 0, 1e-12, "%s: links of level %s are MILC's (%s)", m->device, levels[i].level,
                   levels[i].reference);
        memory_free(got);
        memory_free(want);
    }
}

/* ---- operator and solutions */

static void operator_on_vectors(const milc *m)
{
    static const char *const sources[] = { "pt", "lcg" }, *const epsilons[] = { "0", "-0.16875" };
    for (int i = 0; i < 4; i++) {
        char source[50], result[50];
        snprintf(source, sizeof source, "src_%s.npy", sources[i / 2]);
        snprintf(result, sizeof result, "dslash_%s_eps%d.npy", sources[i / 2], i % 2);
        program_run("probe apply %s '%s' --operator hisq --naik-epsilon %s --mass 0 --source '%s' --device %s",
                    m->config, m->out, epsilons[i % 2], data_path(m, source), m->device);
        double *got = array_read(m->out, VECTOR, n), *want = reference(m, result, VECTOR);
        double off = array_distance(got, want, volume(n) * 6);
        note("%s: %s: largest difference %.2e of %.2g", m->device, result, off, array_largest(want, volume(n) * 6));
        fact_close(off, 0, 1e-12, "%s: D v is MILC's (%s)", m->device, result);
        memory_free(got);
        memory_free(want);
    }
}

/* Ends of the spectrum of K, from spectrum.json, and the residual of MILC's solutions, |r| / |b|. */
#define SMALLEST 0.0020281670440093
#define LARGEST 20.961001290157434
#define MILC_RESIDUAL 1e-10

/* MILC's steps at 1e-12, without the two that it counts more. */
static const struct { const char *mass; int steps; } solves[] = { { "0.01", 359 }, { "0.05", 333 }, { "0.5", 64 } };

static double source_norm(const milc *m, bool even_only)
{
    double *s = reference(m, "src_lcg.npy", VECTOR), sum = 0;
    for (size_t i = 0; s && i < volume(n) * 6; i++) {
        size_t x = i / 6, parity = x + x / 6 + x / 36 + x / 216;
        sum += even_only && parity % 2 ? 0 : s[i] * s[i];
    }
    memory_free(s);
    return sqrt(sum);
}

/* The norm of what lies between the two solutions. */
static double distance_of_solutions(const milc *m, const char *name)
{
    double *got = array_read(m->out, VECTOR, n), *want = reference(m, name, VECTOR);
    double off = array_norm_of_difference(got, want, volume(n) * 6);
    memory_free(got);
    memory_free(want);
    return off;
}

/* |x - x'| <= |r| / (smallest eigenvalue) */
static void normal_solutions(const milc *m)
{
    for (size_t i = 0; i < sizeof solves / sizeof *solves; i++) {
        char name[50];
        double mass = atof(solves[i].mass);
        snprintf(name, sizeof name, "cgsol_even_m%s.npy", solves[i].mass);
        yaml_node *tree = output_json(program_run("probe solve %s '%s' --operator hisq --mass %s --source '%s' "
                                                  "--normal "
                                                  "--residual 1e-12 --device %s", m->config, m->out, solves[i].mass,
                                                  data_path(m, "src_lcg.npy"), m->device));
        double residual = json_number(tree, "true_residual"), steps = json_number(tree, "iterations");
        double bound = 1.02 * MILC_RESIDUAL * source_norm(m, true) / (SMALLEST + 4 * mass * mass);
        double off = distance_of_solutions(m, name);
        note("%s: mass %s: %g steps (MILC %d), true residual %.2e; solutions differ by %.2e (at most %.2e)", m->device,
             solves[i].mass, steps, solves[i].steps, residual, off, bound);
        fact(residual <= 1e-12, "%s: (K + 4m^2) x = s at mass %s: the true residual is small", m->device,
             solves[i].mass);
        fact(off <= bound, "%s: MILC's solution at mass %s is Kiln's, within MILC's residual", m->device,
             solves[i].mass);
        fact_close(steps / solves[i].steps, 1, 0.05, "%s: with as many steps", m->device);
        yaml_tree_free(tree);
    }
}

/* MILC's solves have M^+ s on their right-hand side, |M^+ s| <= |s| sqrt(largest + 4m^2). */
static void full_solution(const milc *m)
{
    yaml_node *tree = output_json(program_run("probe solve %s '%s' --operator hisq --mass 0.05 --source '%s' "
                                              "--residual 1e-12 --device %s", m->config, m->out,
                                              data_path(m, "src_lcg.npy"), m->device));
    double residual = json_number(tree, "true_residual");
    double bound = 1.02 * MILC_RESIDUAL * source_norm(m, false) * sqrt(LARGEST + 0.01) / (SMALLEST + 0.01);
    double off = distance_of_solutions(m, "Minv_lcg_m0.05.npy");
    note("%s: M x = s: true residual %.2e; solutions differ by %.2e (at most %.2e)", m->device, residual, off, bound);
    fact(residual <= 1.01e-12, "%s: M x = s: the true residual is small", m->device);
    fact(off <= bound, "%s: MILC's M^-1 s is Kiln's, within MILC's residual", m->device);
    yaml_tree_free(tree);
}

/* ---- forces, energies, trajectories */

static void write_input(const milc *m, double length, const char *level)
{
    text t = { 0 };
    text_add(&t, "lattice: [6, 6, 6, 6]\n"
                 "random: {seed: 1}\n"
                 "monomials:\n"
                 "  - {kind: gauge, action: symanzik_1loop, beta: 6.7, u0: 0.89, flavors: 4}\n"
                 "  - kind: staggered\n"
                 "    determinants:\n"
                 "      - quarks: [{mass: 0.01, flavors: 2}, {mass: 0.05, flavors: 1}]\n"
                 "        hasenbusch: [{mass: 0.2, fields: 3}]\n"
                 "      - {quarks: [{mass: 0.5, flavors: 1}], naik_epsilon: -0.16875}\n"
                 "    residuals: {refresh: 1e-12, action: 1e-12, force: 1e-12}\n"
                 "    rational_file: %s\n", data_path(m, "rationals.sample.su3_rhmc_hisq_f211"));
    text_add(&t, "hmc:\n"
                 "  trajectory_length: %g\n"
                 "  levels: [{%s}]\n"
                 "  trajectories: 1\n"
                 "output: {directory: nowhere}\n", length, level);
    blob_write(m->input, text_string(&t), t.length);
    text_free(&t);
}

#define LEVEL_3G1F(steps) "integrator: 3g1f, steps: " steps ", monomials: [quarks], gauge_monomials: [gauge]"

/* "--input ... --pseudofermion ..." */
static const char *fields(const milc *m)
{
    static text t;
    text_clear(&t);
    text_add(&t, "--input '%s' --device %s", m->input, m->device);
    for (int i = 0; i < 5; i++)
        text_add(&t, " --pseudofermion '%s/phi%d.npy'", m->data, i);
    return text_string(&t);
}

static void forces(const milc *m)
{
    static const struct { const char *only, *reference; } force[] = {
        { "--only 0", "hisq_force_pf0.npy" },
        { "--only 1", "hisq_force_pf1.npy" },
        { "--only 4", "hisq_force_pf4.npy" },
        { "", "hisq_force_all.npy" },
    };
    write_input(m, 0.08, LEVEL_3G1F("2"));
    for (size_t i = 0; i < sizeof force / sizeof *force; i++) {
        program_run("probe force %s '%s' --monomial quarks %s %s", m->config, m->out, force[i].only, fields(m));
        double *got = array_read(m->out, MATRICES, n), *want = reference(m, force[i].reference, MATRICES);
        double off = array_distance(got, want, volume(n) * 72), largest = array_largest(want, volume(n) * 72);
        note("%s: %s: largest difference %.2e of %.2g", m->device, force[i].reference, off, largest);
        fact_close(off / largest, 0, 1e-10, "%s: the force of the quarks is MILC's (%s)", m->device,
                   force[i].reference);
        memory_free(got);
        memory_free(want);
    }
}

/* MILC subtracts 4 from each link's kinetic energy. */
#define MILC_KINETIC(x) ((x) + 16 * 1296)

static void same_energy(const milc *m, const yaml_node *tree, const char *key, double want, double tolerance)
{
    double got = json_number(tree, key);
    note("%s: %s: relative difference %.2e", m->device, key, fabs(got / want - 1));
    fact_close(got / want, 1, tolerance, "%s: %s is MILC's", m->device, key);
}

static void energies(const milc *m)
{
    write_input(m, 0.08, LEVEL_3G1F("2"));
    yaml_node *tree = output_json(program_run("probe energy %s %s --momenta '%s'", m->config, fields(m),
                                              data_path(m, "mom_start.npy")));
    same_energy(m, tree, "gauge", 20858.774251939594, 1e-12);
    same_energy(m, tree, "kinetic", MILC_KINETIC(-205.28277213047684), 1e-12);
    same_energy(m, tree, "quarks", 9865.112760854148, 1e-12);
    same_energy(m, tree, "H", MILC_KINETIC(30518.604240663262), 1e-12);
    yaml_tree_free(tree);
}

static void same_field(const milc *m, const char *got_path, const char *name)
{
    double *got = array_read(got_path, MATRICES, n), *want = reference(m, name, MATRICES);
    double off = array_distance(got, want, volume(n) * 72);
    note("%s: %s: largest difference %.2e", m->device, name, off);
    fact_close(off, 0, 1e-10, "%s: at the end of the trajectory: %s is Kiln's", m->device, name);
    memory_free(got);
    memory_free(want);
}

/* MILC brings the links back to SU(3) after every two steps, Kiln never inside a trajectory: a matter of rounding. */
static void trajectory(const milc *m, const yaml_node *want, const char *name, double length, const char *level)
{
    char key[60];
    write_input(m, length, level);
    yaml_node *tree = output_json(program_run("probe trajectory %s '%s' %s --momenta '%s' --final-momenta '%s'",
                                              m->config, m->out, fields(m), data_path(m, "mom_start.npy"), m->momenta));
    snprintf(key, sizeof key, "%s_dH", name);
    double dh = json_number(tree, "dH");
    note("%s: %s: dH %.12e, difference %.2e", m->device, name, dh, fabs(dh - json_number(want, key)));
    fact_close(dh, json_number(want, key), 1e-8, "%s: dH of the trajectory %s is MILC's", m->device, name);
    snprintf(key, sizeof key, "%s_end_S_f", name);
    same_energy(m, tree, "end.quarks", json_number(want, key), 1e-11);
    snprintf(key, sizeof key, "%s_end_S_g", name);
    same_energy(m, tree, "end.gauge", json_number(want, key), 1e-11);
    snprintf(key, sizeof key, "%s_end_S_mom", name);
    same_energy(m, tree, "end.kinetic", MILC_KINETIC(json_number(want, key)), 1e-11);
    yaml_tree_free(tree);
}

static void trajectories(const milc *m)
{
    failure f;
    yaml_node *want = yaml_read_file(data_path(m, "forcetraj.json"), &f);
    trajectory(m, want, "traj2", 0.08, LEVEL_3G1F("2"));
    same_field(m, m->out, "traj2_U_end.npy");
    same_field(m, m->momenta, "traj2_mom_end.npy");
    trajectory(m, want, "traj12", 0.48, LEVEL_3G1F("12"));
    same_field(m, m->out, "traj12_U_end.npy");
    same_field(m, m->momenta, "traj12_mom_end.npy");
    yaml_tree_free(want);
}

/* Two steps of 0.04.  MILC's Omelyan scheme takes two of them at once and begins with a drift of lambda/2 of one,
 * lambda = 0.8: in Kiln's terms one step of 0.08, and a drift of 0.2 of it. */
static void integrators(const milc *m)
{
    static const struct { const char *name, *level; } scheme[] = {
        { "integ_LEAPFROG", "integrator: leapfrog_position, steps: 2, monomials: [quarks, gauge]" },
        { "integ_OMELYAN", "integrator: omelyan_position, lambda: 0.2, steps: 1, monomials: [quarks, gauge]" },
        { "integ_2G1F", "integrator: 2g1f, steps: 2, monomials: [quarks], gauge_monomials: [gauge]" },
        { "integ_3G1F", LEVEL_3G1F("2") },
        { "integ_5G1F", "integrator: 5g1f, steps: 2, monomials: [quarks], gauge_monomials: [gauge]" },
        { "integ_6G1F", "integrator: 6g1f, steps: 2, monomials: [quarks], gauge_monomials: [gauge]" },
    };
    failure f;
    yaml_node *want = yaml_read_file(data_path(m, "integ.json"), &f);
    for (size_t i = 0; i < sizeof scheme / sizeof *scheme; i++)
        trajectory(m, want, scheme[i].name, 0.08, scheme[i].level);
    yaml_tree_free(want);
}

int main(void)
{
    if (!program_is_there())
        return facts_end();
    if (!reference_folder()) {
        skip("staggered quarks are MILC's", "there is no folder of reference data");
        return facts_end();
    }
    scratch s = scratch_create();
    milc m;
    snprintf(m.shared, sizeof m.shared, "%s", reference_folder());
    snprintf(m.data, sizeof m.data, "%s/reference/milc/f211b670.l6666", m.shared);
    snprintf(m.config, sizeof m.config, "'%s/conf/f211b670.l6666.milc' --reunitarize", m.shared);
    strcpy(m.out, scratch_path(&s, "out.npy"));
    strcpy(m.momenta, scratch_path(&s, "momenta.npy"));
    strcpy(m.input, scratch_path(&s, "input.yaml"));
    FOR_EVERY_PLACE(where) {
        m.device = place_name(where);
        links(&m);
        operator_on_vectors(&m);
        normal_solutions(&m);
        full_solution(&m);
        forces(&m);
        energies(&m);
        trajectories(&m);
        integrators(&m);
    }
    scratch_remove(&s);
    return facts_end();
}
