/* cmd_probe.c - kiln probe: fields, forces, energies and trajectories for comparison with other codes. */
#include "src/base/json.h"
#include "src/base/log.h"
#include "src/cli/file_json.h"
#include "src/cli/probe.h"
#include "src/cli/subcommands.h"
#include "src/lattice/kernels.h"

#include <stdio.h>

#define SHAPE "float64 [t][z][y][x][mu = x,y,z,t][row][col][re,im]"

/* The action on the command line: what the input calls the parameters of a monomial `gauge`. */
#define ACTION(member) offsetof(probe_options, action.member)
#define ACTION_OPTIONS                                                                                                 \
    { .name = "action", .value = "A", .doc = "gauge action", .type = OPTION_CHOICE, .offset = ACTION(action),          \
      .choices = gauge_action_names, .required = true },                                                               \
    { .name = "beta", .value = "B", .doc = "coupling: 6/g^2; 10/g^2 for symanzik_1loop", .type = OPTION_REAL,          \
      .offset = ACTION(beta), .max = 1000, .required = true },                                                         \
    { .name = "c1", .value = "C", .doc = "rectangle: coefficient of the rectangles", .type = OPTION_REAL,              \
      .offset = ACTION(c1), .min = -10, .max = 10 },                                                                   \
    { .name = "u0", .value = "U", .doc = "symanzik_1loop: tadpole factor", .type = OPTION_REAL,                        \
      .offset = ACTION(u0), .max = 1 },                                                                                \
    { .name = "flavors", .value = "N", .doc = "symanzik_1loop: dynamical flavours", .type = OPTION_INT,                \
      .offset = ACTION(flavors), .max = 16 }

static const usage links_usage = {
    "probe links", "CONFIG OUT.npy", 2, 2,
    "Writes the links of a configuration as a NumPy array,\n" SHAPE ".",
    (const option[]){ PROBE_OPTIONS, { 0 } },
};

static int probe_links(int argc, char **argv)
{
    probe_options o = { 0 };
    operands files;
    configuration_facts facts;
    int status = options_read(&links_usage, argc, argv, &o, &files);
    if (status != GO_ON)
        return status;
    gauge *u = probe_open(&o, files.item[0], &facts);
    status = u ? probe_write_links(files.item[1], u) : EXIT_FAILED;
    configuration_close(u);
    return status;
}

static int force_to_file(const gauge *u, const gauge_params *action, const char *path)
{
    monomial *m = gauge_monomial.create(action, u);
    momentum *force = momentum_create(u->links.lattice, u->links.where, u->links.precision);
    sum_cell *size = sum_cells_create(u->links.where, FORCE_CELLS);
    monomial_call call = { .clock = NULL };
    bool done = monomial_add_force(m, u, force, 1, size, &call);
    if (!done)
        log_line(LOG_ERROR, "%s", call.trouble.why);
    int status = done ? probe_write_momenta(path, force) : EXIT_FAILED;
    sum_cells_free(size, u->links.where);
    momentum_free(force);
    monomial_free(m);
    return status;
}

static const usage force_usage = {
    "probe gauge-force", "CONFIG OUT.npy", 2, 2,
    "Writes the force dP/dtau of a gauge action as a NumPy array of antihermitian traceless matrices,\n" SHAPE ".\n"
    "Its unit is that of dU/dtau = P U and kinetic energy (1/2) sum Tr P^+P (MILC, CPS, Grid).",
    (const option[]){ ACTION_OPTIONS, PROBE_OPTIONS, { 0 } },
};

static int probe_gauge_force(int argc, char **argv)
{
    probe_options o = { 0 };
    operands files;
    configuration_facts facts;
    failure f;
    int status = options_read(&force_usage, argc, argv, &o, &files);
    if (status != GO_ON)
        return status;
    if (!gauge_params_check(&o.action, &f))
        return usage_error(&force_usage, "%s", f.why);
    gauge *u = probe_open(&o, files.item[0], &facts);
    status = u ? force_to_file(u, &o.action, files.item[1]) : EXIT_FAILED;
    configuration_close(u);
    return status;
}

/* `p` may be NULL: no momenta, no kinetic energy. */
static bool print_energy(const char *path, const configuration_facts *facts, const gauge_params *action, const gauge *u,
                         const momentum *p)
{
    json j = { 0 };
    loop_coefficients c = gauge_action_coefficients(action);
    monomial *m = gauge_monomial.create(action, u);
    double potential, kinetic = p ? momentum_kinetic(p) : 0;
    monomial_call call = { .clock = NULL };
    bool done = monomial_action(&potential, m, u, &call);
    monomial_free(m);
    if (!done) {
        log_line(LOG_ERROR, "%s", call.trouble.why);
        return false;
    }
    json_open(&j, NULL, '{');
    file_to_json(&j, path, &facts->info);
    json_text(&j, "action", gauge_action_names[action->action]);
    json_real(&j, "beta", action->beta);
    json_open(&j, "coefficients", '{');
    json_real(&j, "plaquette", c.plaquette);
    json_real(&j, "rectangle", c.rectangle);
    json_real(&j, "parallelogram", c.parallelogram);
    json_close(&j);
    json_real(&j, "plaquette", gauge_plaquette(u).average);
    json_real(&j, "gauge", potential);
    if (p) {
        json_real(&j, "kinetic", kinetic);
        json_real(&j, "total", potential + kinetic);
    }
    json_close(&j);
    puts(json_string(&j));
    json_free(&j);
    return true;
}

static const usage energy_usage = {
    "probe energy", "CONFIG", 1, 1,
    "Prints the gauge action of a configuration as JSON; with momenta (" SHAPE ")\n"
    "also the kinetic energy (1/2) sum Tr P^+P and the sum of both.",
    (const option[]){ ACTION_OPTIONS,
                      { .name = "momenta", .value = "P.npy", .doc = "antihermitian traceless matrices",
                        .type = OPTION_TEXT, .offset = offsetof(probe_options, momenta) },
                      PROBE_OPTIONS, { 0 } },
};

static int probe_energy(int argc, char **argv)
{
    probe_options o = { 0 };
    operands files;
    configuration_facts facts;
    failure f;
    int status = options_read(&energy_usage, argc, argv, &o, &files);
    if (status != GO_ON)
        return status;
    if (!gauge_params_check(&o.action, &f))
        return usage_error(&energy_usage, "%s", f.why);
    gauge *u = probe_open(&o, files.item[0], &facts);
    momentum *p = u && o.momenta ? probe_momenta(o.momenta, u) : NULL;
    bool ok = u && (p || !o.momenta) && print_energy(files.item[0], &facts, &o.action, u, p);
    momentum_free(p);
    configuration_close(u);
    return ok ? EXIT_OK : EXIT_FAILED;
}

int cmd_probe(int argc, char **argv)
{
    static const subcommand probes[] = {
        { "links", "the links of a configuration", probe_links },
        { "gauge-force", "the force of a gauge action", probe_gauge_force },
        { "energy", "gauge action and kinetic energy", probe_energy },
        { "trajectory", "molecular dynamics from given links and momenta", probe_trajectory },
        { 0 }
    };
    static const subcommand_group group = {
        "kiln probe", "Compares Kiln with other codes: fields as NumPy files, numbers as JSON.", probes
    };
    return subcommand_group_run(&group, argc, argv);
}
