/* probe_energy.c - kiln probe energy: the Hamiltonian of an input, or a gauge action alone. */
#include "src/base/log.h"
#include "src/io/file_json.h"
#include "src/probe/probe_run.h"

static const usage energy_usage = {
    "probe energy", "CONFIG", 1, 1,
    "Prints energies of a configuration as JSON.  With --input: every term of the action of the input for given\n"
    "pseudofermions, and the reports of its monomials.  Without: the gauge action of --action and --beta.\n"
    "Pseudofermions are\n"
    PSEUDOFERMION_SHAPES ".\n"
    "With momenta (" MATRICES_SHAPE ")\n"
    "it also prints the kinetic energy (1/2) sum Tr P^+P and the total.",
    (const option[]){ GAUGE_ACTION_OPTIONS(false), INPUT_OPTION(false), PSEUDOFERMION_OPTION, MOMENTA_OPTION(false),
                      SET_OPTION(probe_options, sets), PROBE_OPTIONS, { 0 } },
};

enum { NO_ACTION = -1 };

/* `p` may be NULL: no momenta, no kinetic energy. */
static bool print_gauge_energy(const char *path, const configuration_facts *facts, const gauge_params *action,
                               const gauge *u, const momentum *p)
{
    json j = { 0 };
    loop_coefficients c = gauge_action_coefficients(action);
    monomial *m = monomial_create(&gauge_monomial, action, u);
    double potential, kinetic = p ? momentum_kinetic(p) : 0;
    monomial_call call = { .clock = NULL };
    bool done = monomial_action(&potential, m, u, &call);
    monomial_free(m);
    if (!done) {
        log_line(LOG_ERROR, "%s", call.failure.why);
        return false;
    }
    json_open(&j, NULL, '{');
    file_to_json(&j, path, &facts->info);
    json_text(&j, "action", gauge_action_names[action->action]);
    json_real(&j, "beta", action->beta);
    if (action->given.xi_0)
        json_real(&j, "xi_0", action->xi_0);
    if (lattice_is_open(u->links.lattice))
        json_real(&j, "c_G", gauge_action_end_weight(action));
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
    probe_print(&j);
    return true;
}

static int gauge_energy(const probe_options *o, const char *path)
{
    configuration_facts facts;
    failure f;
    if (o->action.action == NO_ACTION)
        return usage_error(&energy_usage, "--action A is missing (or --input INPUT.yaml)");
    if (isnan(o->action.beta))
        return usage_error(&energy_usage, "--beta B is missing");
    if (!gauge_params_check(&o->action, &f))
        return usage_error(&energy_usage, "%s", f.why);
    if (o->pseudofermions.count > 0 || o->sets.count > 0)
        return usage_error(&energy_usage, "--pseudofermion and --set need --input");
    gauge *u = probe_open(o, (configuration_request){ .hops = GRID_HOPS_LEAST }, path, &facts);
    int status = u ? probe_gauge_action_check(&energy_usage, &o->action, path, u) : EXIT_FAILED;
    momentum *p = status == EXIT_OK && o->momenta ? probe_momenta(o->momenta, u) : NULL;
    if (status == EXIT_OK && !((p || !o->momenta) && print_gauge_energy(path, &facts, &o->action, u, p)))
        status = EXIT_FAILED;
    momentum_free(p);
    configuration_close(u);
    return status;
}

static int print_run_energies(const probe_run *r, bool with_momenta)
{
    json j = { 0 };
    hmc_energies e;
    hmc_failure problem;
    if (!hmc_hamiltonian(&e, r->h, r->u, r->p, NULL, &problem))
        return probe_run_failure(r, &problem);
    json_open(&j, NULL, '{');
    file_to_json(&j, r->path, &r->facts.info);
    probe_energies_to_json(&j, r, &e, with_momenta, gauge_plaquette(r->u).average);
    probe_reports_to_json(&j, r, 0, hmc_term_count(r->h));
    json_close(&j);
    probe_print(&j);
    return EXIT_OK;
}

static int run_energy(const probe_options *o, const char *path)
{
    probe_run r;
    const gauge_params *a = &o->action;
    if (a->action != NO_ACTION || !isnan(a->beta) || a->given.c1 || a->given.u0 || a->given.flavors
        || a->given.xi_0 || a->given.u_s || a->given.u_t || a->given.c_G)
        return usage_error(&energy_usage, "--input defines the gauge action: leave out --action, --beta, --c1, --u0, "
                                          "--xi-0, --u-s, --u-t, --flavors and --c-G");
    int status = probe_run_open(&r, o, path);
    if (status != GO_ON)
        return status;
    status = probe_run_prepare(&r, &energy_usage, o, 0, hmc_term_count(r.h));
    if (status == GO_ON)
        status = print_run_energies(&r, o->momenta != NULL);
    probe_run_close(&r);
    return status;
}

static int energy_on_rank(void *of)
{
    const probe_task *t = of;
    const char *path = t->files->item[0];
    return t->options->input ? run_energy(t->options, path) : gauge_energy(t->options, path);
}

int probe_energy(int argc, char **argv)
{
    probe_options o = { .action = { .action = NO_ACTION, .beta = NAN } };
    operands files;
    const int status = rank_options_read(&energy_usage, argc, argv, &o, &o.ranks, &files);
    return status == GO_ON ? rank_options_run(&o.ranks, energy_on_rank, &(probe_task){ &o, &files }) : status;
}
