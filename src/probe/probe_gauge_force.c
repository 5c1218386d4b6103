/* probe_gauge_force.c - kiln probe gauge-force: the force of a gauge action. */
#include "src/base/log.h"
#include "src/probe/probe.h"

static const usage force_usage = {
    "probe gauge-force", "CONFIG OUT.npy", 2, 2,
    "Writes the force dP/dtau of a gauge action as a NumPy array of antihermitian traceless matrices,\n"
    MATRICES_SHAPE ".\n"
    "Normalization: dU/dtau = P U, kinetic energy (1/2) sum Tr P^+P (as in MILC, CPS, Grid).",
    (const option[]){ GAUGE_ACTION_OPTIONS(true), PROBE_OPTIONS, { 0 } },
};

static int force_to_file(const gauge *u, const gauge_params *action, const char *path)
{
    monomial *m = monomial_create(&gauge_monomial, action, u);
    momentum *force = momentum_create(u->links.lattice, u->links.where, u->links.precision);
    sum_array size = monomial_size_create(u);
    monomial_call call = { .clock = NULL };
    bool done = monomial_add_force(m, u, force, 1, size.cells, &call);
    if (!done)
        log_line(LOG_ERROR, "%s", call.failure.why);
    int status = done ? probe_write_momenta(path, force) : EXIT_FAILED;
    sums_free(&size);
    momentum_free(force);
    monomial_free(m);
    return status;
}

static int force_on_rank(void *of)
{
    const probe_task *t = of;
    configuration_facts facts;
    failure f;
    if (!gauge_params_check(&t->options->action, &f))
        return usage_error(&force_usage, "%s", f.why);
    gauge *u = probe_open(t->options, (configuration_request){ .hops = GRID_HOPS_LEAST }, t->files->item[0],
                          &facts);
    int status = u ? probe_gauge_action_check(&force_usage, &t->options->action, t->files->item[0], u) : EXIT_FAILED;
    if (status == EXIT_OK)
        status = force_to_file(u, &t->options->action, t->files->item[1]);
    configuration_close(u);
    return status;
}

int probe_gauge_force(int argc, char **argv)
{
    probe_options o = { 0 };
    operands files;
    const int status = rank_options_read(&force_usage, argc, argv, &o, &o.ranks, &files);
    return status == GO_ON ? rank_options_run(&o.ranks, force_on_rank, &(probe_task){ &o, &files }) : status;
}
