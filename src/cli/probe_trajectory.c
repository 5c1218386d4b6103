/* probe_trajectory.c - kiln probe trajectory: molecular dynamics from given links and momenta, nothing drawn. */
#include "src/base/json.h"
#include "src/base/log.h"
#include "src/base/text.h"
#include "src/cli/file_json.h"
#include "src/cli/probe.h"
#include "src/cli/run_options.h"
#include "src/hmc/hmc.h"

#include <stdio.h>
#include <string.h>

static const usage trajectory_usage = {
    "probe trajectory", "CONFIG OUT.npy", 2, 2,
    "Integrates the equations of motion over one trajectory as INPUT.yaml describes it, from the links of\n"
    "CONFIG and the momenta of P.npy.  Writes the final links, as integrated, to OUT.npy; prints H and its terms\n"
    "at start and end as JSON.  Nothing is random, nothing is accepted or rejected.  Arrays are float64\n"
    "[t][z][y][x][mu = x,y,z,t][row][col][re,im].",
    (const option[]){ { .name = "input", .value = "INPUT.yaml", .doc = "an input of kiln run: its monomials and hmc",
                        .type = OPTION_TEXT, .offset = offsetof(probe_options, input), .required = true },
                      { .name = "momenta", .value = "P.npy", .doc = "the momenta: antihermitian traceless matrices",
                        .type = OPTION_TEXT, .offset = offsetof(probe_options, momenta), .required = true },
                      { .name = "final-momenta", .value = "P.npy", .doc = "write the final momenta there",
                        .type = OPTION_TEXT, .offset = offsetof(probe_options, final_momenta) },
                      SET_OPTION(probe_options, sets), PROBE_OPTIONS, { 0 } },
};

static void energies_to_json(json *j, const char *key, const hmc *h, const hmc_energies *e, double plaquette)
{
    json_open(j, key, '{');
    json_real(j, "H", e->total);
    json_real(j, "kinetic", e->kinetic);
    for (int t = 0; t < hmc_term_count(h); t++)
        json_real(j, hmc_terms(h)[t].name, e->term[t]);
    json_real(j, "plaquette", plaquette);
    json_close(j);
}

static int integrate(const run_params *params, const probe_options *o, const operands *files,
                     const configuration_facts *facts, gauge *u, momentum *p)
{
    json j = { 0 };
    hmc_energies before, after;
    hmc_trouble trouble;
    hmc *h = hmc_create(params, u);
    json_open(&j, NULL, '{');
    file_to_json(&j, files->item[0], &facts->info);

    bool done = hmc_hamiltonian(&before, h, u, p, NULL, &trouble);
    double plaquette = gauge_plaquette(u).average;
    done = done && hmc_evolve(h, u, p, NULL, NULL, &trouble) == EVOLVE_DONE
           && hmc_hamiltonian(&after, h, u, p, NULL, &trouble);
    if (done) {
        energies_to_json(&j, "start", h, &before, plaquette);
        energies_to_json(&j, "end", h, &after, gauge_plaquette(u).average);
        json_real(&j, "dH", hmc_energy_difference(h, &before, &after));
        json_real(&j, "plaquette", gauge_plaquette(u).average);
    } else
        log_line(LOG_ERROR, "%s: %s: %s", hmc_terms(h)[trouble.term].name, hmc_step_names[trouble.step],
                 trouble.why.why);
    json_close(&j);
    hmc_free(h);

    int status = done ? probe_write_links(files->item[1], u) : EXIT_FAILED;
    if (status == EXIT_OK && o->final_momenta)
        status = probe_write_momenta(o->final_momenta, p);
    if (status == EXIT_OK)
        puts(json_string(&j));
    json_free(&j);
    return status;
}

static bool same_lattice(const run_params *params, const configuration_facts *facts)
{
    if (memcmp(params->extents, facts->info.extents, sizeof params->extents) == 0)
        return true;
    log_line(LOG_ERROR, "the configuration is %s, but the input describes %s (--set lattice=[...] puts another there)",
             extents_to_text(facts->info.extents).s, extents_to_text(params->extents).s);
    return false;
}

int probe_trajectory(int argc, char **argv)
{
    probe_options o = { 0 };
    operands files;
    run_input in;
    configuration_facts facts;
    int status = options_read(&trajectory_usage, argc, argv, &o, &files);
    if (status != GO_ON)
        return status;
    if (!input_read_or_tell(&in, o.input, &o.sets))
        return EXIT_USAGE;
    gauge *u = probe_open(&o, files.item[0], &facts);
    bool fits = u && same_lattice(&in.p, &facts);
    momentum *p = fits ? probe_momenta(o.momenta, u) : NULL;
    if (p)
        status = integrate(&in.p, &o, &files, &facts, u, p);
    else
        status = u && !fits ? EXIT_USAGE : EXIT_FAILED;
    momentum_free(p);
    configuration_close(u);
    run_input_free(&in);
    return status;
}
