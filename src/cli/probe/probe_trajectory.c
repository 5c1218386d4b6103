/* probe_trajectory.c - kiln probe trajectory: molecular dynamics from given fields, nothing drawn. */
#include "src/base/log.h"
#include "src/cli/probe/probe_run.h"
#include "src/io/file_json.h"

#include <stdio.h>

static const usage trajectory_usage = {
    "probe trajectory", "CONFIG OUT.npy", 2, 2,
    "Integrates the equations of motion over one trajectory as INPUT.yaml describes it, from the links of\n"
    "CONFIG, the momenta of P.npy and given pseudofermions.  Writes the final links, as integrated, to OUT.npy;\n"
    "prints H and its terms at start and end and the reports of the monomials as JSON.  Nothing is random, nothing\n"
    "is accepted or rejected.  Links and momenta are " MATRICES_SHAPE ",\n"
    "pseudofermions " PSEUDOFERMION_SHAPES ".",
    (const option[]){ INPUT_OPTION(true), MOMENTA_OPTION(true), PSEUDOFERMION_OPTION,
                      { .name = "final-momenta", .value = "P.npy", .doc = "write the final momenta there",
                        .type = OPTION_TEXT, .offset = offsetof(probe_options, final_momenta) },
                      SET_OPTION(probe_options, sets), PROBE_OPTIONS, { 0 } },
};

static void energies_to_json(json *j, const char *key, const probe_run *r, const hmc_energies *e, double plaquette)
{
    json_open(j, key, '{');
    probe_energies_to_json(j, r, e, true, plaquette);
    json_close(j);
}

/* Whether the input has equations of motion. */
static bool has_dynamics(const probe_run *r, const char *input)
{
    if (!run_is_pure_gauge(&r->in.p))
        return true;
    log_line(LOG_ERROR, "%s: a quenched ensemble has no molecular dynamics; its links are drawn one by one", input);
    return false;
}

static int integrate(probe_run *r, const probe_options *o, const char *out)
{
    json j = { 0 };
    hmc_energies before, after;
    hmc_failure problem;
    double plaquette = gauge_plaquette(r->u).average;
    if (!hmc_hamiltonian(&before, r->h, r->u, r->p, NULL, &problem)
        || hmc_evolve(r->h, r->u, r->p, NULL, NULL, &problem) != EVOLVE_DONE
        || !hmc_hamiltonian(&after, r->h, r->u, r->p, NULL, &problem))
        return probe_run_failure(r, &problem);

    json_open(&j, NULL, '{');
    file_to_json(&j, r->path, &r->facts.info);
    energies_to_json(&j, "start", r, &before, plaquette);
    energies_to_json(&j, "end", r, &after, gauge_plaquette(r->u).average);
    json_real(&j, "dH", hmc_energy_difference(r->h, &before, &after));
    json_real(&j, "plaquette", gauge_plaquette(r->u).average);
    probe_reports_to_json(&j, r, 0, hmc_term_count(r->h));
    json_close(&j);

    int status = probe_write_links(out, r->u, 1);
    if (status == EXIT_OK && o->final_momenta)
        status = probe_write_momenta(o->final_momenta, r->p);
    if (status == EXIT_OK)
        puts(json_string(&j));
    json_free(&j);
    return status;
}

int probe_trajectory(int argc, char **argv)
{
    probe_options o = { 0 };
    operands files;
    probe_run r;
    int status = options_read(&trajectory_usage, argc, argv, &o, &files);
    if (status == GO_ON)
        status = probe_run_open(&r, &o, files.item[0]);
    if (status != GO_ON)
        return status;
    status = has_dynamics(&r, o.input) ? GO_ON : EXIT_USAGE;
    if (status == GO_ON)
        status = probe_run_prepare(&r, &trajectory_usage, &o, 0, hmc_term_count(r.h));
    if (status == GO_ON)
        status = integrate(&r, &o, files.item[1]);
    probe_run_close(&r);
    return status;
}
