/* run_params.c - the table of a run's input. */
#include "src/hmc/run_params.h"

#include "src/base/checksum.h"
#include "src/kernels/heatbath_args.h"
#include "src/lattice/grid.h"
#include "src/lattice/rng.h"

#include <string.h>

const char *const start_names[] = { "cold", "hot", "file", NULL };

const char *const time_boundary_names[] = { "periodic", "open", NULL };

#define AT(member) offsetof(run_params, member)

static const param_spec boundary_specs[] = {
    { .key = "time", .type = PARAM_CHOICE, .offset = AT(boundary.time) - AT(boundary), .fallback = "periodic",
      .choices = time_boundary_names,
      .doc = "periodic, or open: the links in t from the last time slice to the first are inactive, so that the "
             "topological charge can flow in and out" },
    { 0 }
};

static const param_spec random_specs[] = {
    { .key = "seed", .type = PARAM_INT, .offset = AT(random.seed) - AT(random), .min = 0, .max = 9223372036854775807.0,
      .doc = "seed of all random numbers of the ensemble" },
    { .key = "stream", .type = PARAM_INT, .offset = AT(random.stream) - AT(random), .fallback = "0", .min = 0,
      .max = RNG_STREAMS - 1, .doc = "number of an independent stream with the same seed" },
    { 0 }
};

static const param_spec start_heatbath_specs[] = {
    { .key = "sweeps", .type = PARAM_INT, .offset = AT(start.heatbath.sweeps) - AT(start.heatbath), .fallback = "0",
      .min = 0, .max = HEATBATH_SWEEPS, .doc = "number of sweeps before the first trajectory" },
    { .key = "beta", .type = PARAM_REAL, .offset = AT(start.heatbath.beta) - AT(start.heatbath),
      .given = AT(start.heatbath.beta_given) - AT(start.heatbath), .formerly = "0", .min = 0, .max = 1000,
      .flags = PARAM_OPTIONAL,
      .doc = "beta of these sweeps, e.g. a value at which the pure gauge theory has the lattice spacing that you want; "
             "without it the beta of the gauge action" },
    { .key = "settle", .type = PARAM_INT, .offset = AT(start.heatbath.settle) - AT(start.heatbath), .fallback = "0",
      .min = 0, .max = HEATBATH_SWEEPS,
      .doc = "number of further sweeps with the beta of the gauge action, if `beta` is given; a few such sweeps bring "
             "the plaquette close to its mean and hardly change long-distance modes" },
    { 0 }
};

static const param_spec start_specs[] = {
    { .key = "from", .type = PARAM_CHOICE, .offset = AT(start.from) - AT(start), .fallback = "cold",
      .choices = start_names, .doc = "start links: unit links, random links, or the links in `file`" },
    { .key = "file", .type = PARAM_TEXT, .offset = AT(start.file) - AT(start), .fallback = "\"\"",
      .flags = PARAM_FREE_TO_CHANGE | PARAM_PATH,
      .doc = "configuration to start from (ILDG, SciDAC, NERSC, MILC or openQCD)" },
    { .key = "copies", .type = PARAM_INT4, .offset = AT(start.copies) - AT(start), .fallback = "[1, 1, 1, 1]",
      .min = 1, .max = 1024, .choice = "from", .chosen = "file",
      .doc = "periodic copies of the links in `file` in x, y, z, t: the extents of the file times these numbers are "
             "the `lattice`" },
    { .key = "trajectory", .type = PARAM_INT, .offset = AT(start.trajectory) - AT(start), .fallback = "0", .min = 0,
      .max = RNG_TRAJECTORIES, .choice = "from", .chosen = "file",
      .doc = "number of the configuration in `file`: the first trajectory has the next number. Keys that count "
             "trajectories count from there; keys with `every` mean multiples of their value. Another number gives "
             "other random numbers" },
    { .key = "reunitarize", .type = PARAM_BOOL, .offset = AT(start.reunitarize) - AT(start), .fallback = "true",
      .doc = "project the links of the file to SU(3) in double precision before the first trajectory; without it "
             "Wilson and domain-wall quarks refuse links of 32 bits" },
    { .key = "heatbath", .type = PARAM_GROUP, .offset = AT(start.heatbath) - AT(start), .fallback = "{}",
      .group = start_heatbath_specs, .doc = "heat-bath sweeps over the start links, with the gauge action alone",
      .example = "{ sweeps: 300, beta: 2.53, settle: 5 }", .see = "operations.md#start-near-equilibrium" },
    { 0 }
};

static const param_spec heatbath_specs[] = {
    { .key = "sweeps", .type = PARAM_INT, .offset = AT(heatbath.sweeps) - AT(heatbath),
      .given = AT(heatbath.sweeps_given) - AT(heatbath), .formerly = "0", .min = 1, .max = HEATBATH_SWEEPS,
      .flags = PARAM_OPTIONAL,
      .doc = "number of heat-bath sweeps (Cabibbo-Marinari) in a compound sweep; without it hybrid Monte Carlo" },
    { .key = "overrelaxation", .type = PARAM_INT, .offset = AT(heatbath.overrelaxation) - AT(heatbath),
      .fallback = "0", .min = 0, .max = 10000, .doc = "number of overrelaxation sweeps after each heat-bath sweep" },
    { 0 }
};

static const param_spec hmc_specs[] = {
    { .key = "trajectory_length", .type = PARAM_REAL, .offset = AT(hmc.length) - AT(hmc), .fallback = "1", .min = 0,
      .max = 100, .flags = PARAM_ABOVE_MIN,
      .doc = "molecular-dynamics time of a trajectory, with dU/dtau = P U (MILC's unit)" },
    { .key = "levels", .type = PARAM_LIST, .offset = AT(hmc.levels) - AT(hmc), .fallback = "[]", .group = level_specs,
      .element_size = sizeof(level_params),
      .doc = "levels of the nested integrator, outermost first; required, except with `heatbath`",
      .example = "[ { integrator: omelyan, steps: 6, monomials: [quarks] },\n"
                 "          { integrator: 4mn4fp, steps: 2, monomials: [gauge] } ]",
      .see = "physics.md#integrator" },
    { .key = "trajectories", .type = PARAM_INT, .offset = AT(hmc.trajectories) - AT(hmc), .min = 0,
      .max = RNG_TRAJECTORIES, .flags = PARAM_FREE_TO_CHANGE,
      .doc = "number of trajectories of the ensemble, thermalization included; after a start with "
             "`start.trajectory: N` the last one has this number plus N" },
    { .key = "thermalization", .type = PARAM_INT, .offset = AT(hmc.thermalization) - AT(hmc), .fallback = "0",
      .min = 0, .max = RNG_TRAJECTORIES, .doc = "number of initial trajectories accepted unconditionally" },
    { .key = "reunitarize_every", .type = PARAM_INT, .offset = AT(hmc.reunitarize_every) - AT(hmc), .fallback = "1",
      .min = 0, .max = RNG_TRAJECTORIES,
      .doc = "number of trajectories between two projections of the links to SU(3); a projection follows an accepted "
             "trajectory and is never within one; 0: never" },
    { .key = "start_action_every", .type = PARAM_INT, .offset = AT(hmc.start_action_every) - AT(hmc), .fallback = "1",
      .min = 1, .max = RNG_TRAJECTORIES,
      .doc = "n: the action of new pseudofermions is solved for at the start of trajectories 1, n + 1, 2 n + 1, "
             "..., and compared with |eta|^2 of their random numbers; in the others it is |eta|^2, which saves half of "
             "the solves of energies",
      .see = "physics.md#the-action-at-the-start" },
    { .key = "tuning", .type = PARAM_TEXT, .offset = AT(hmc.tuning) - AT(hmc), .fallback = "\"\"",
      .flags = PARAM_FREE_TO_CHANGE, .doc = "a note on how `levels` were chosen; `kiln tune` writes it" },
    { 0 }
};

static const param_spec smd_specs[] = {
    { .key = "gamma", .type = PARAM_REAL, .offset = AT(smd.gamma) - AT(smd), .given = AT(smd.gamma_given) - AT(smd),
      .min = 0, .max = 1e6, .flags = PARAM_OPTIONAL | PARAM_ABOVE_MIN,
      .doc = "friction coefficient, the inverse of a molecular dynamics time: each refresh keeps the fraction "
             "exp(-gamma * hmc.trajectory_length) of momenta and pseudofermions and adds new noise; if not given, "
             "hybrid Monte Carlo, the limit of large gamma" },
    { 0 }
};

static const param_spec output_specs[] = {
    { .key = "directory", .type = PARAM_TEXT, .offset = AT(output.directory) - AT(output),
      .flags = PARAM_NOT_EMPTY | PARAM_FREE_TO_CHANGE | PARAM_PATH, .doc = "the folder of the ensemble" },
    { .key = "name", .type = PARAM_TEXT, .offset = AT(output.name) - AT(output), .fallback = "cfg",
      .flags = PARAM_NOT_EMPTY, .doc = "first part of the names of configurations: name.000010.lime" },
    { .key = "configuration_every", .type = PARAM_INT, .offset = AT(output.configuration_every) - AT(output),
      .fallback = "10", .min = 1, .max = RNG_TRAJECTORIES, .flags = PARAM_FREE_TO_CHANGE,
      .doc = "number of trajectories between two saved configurations" },
    { .key = "checkpoint_every", .type = PARAM_INT, .offset = AT(output.checkpoint_every) - AT(output),
      .fallback = "10", .min = 1, .max = RNG_TRAJECTORIES, .flags = PARAM_FREE_TO_CHANGE,
      .doc = "number of trajectories between two checkpoints; Kiln keeps the two newest checkpoints" },
    { .key = "bits", .type = PARAM_INT, .offset = AT(output.bits) - AT(output), .fallback = "64", .min = 32, .max = 64,
      .flags = PARAM_FREE_TO_CHANGE,
      .doc = "bits of each real number in configurations, 32 or 64 (no value between them); checkpoints always have "
             "64; only a continuation from a file with 64 bits is exact" },
    { .key = "lfn", .type = PARAM_TEXT, .offset = AT(output.lfn) - AT(output), .fallback = "\"\"",
      .flags = PARAM_FREE_TO_CHANGE, .doc = "ILDG logical file name; .NNNNNN is added to it" },
    { 0 }
};

static const param_spec sdc_check_specs[] = {
    { .key = "rate", .type = PARAM_REAL, .offset = AT(sdc_check.rate) - AT(sdc_check), .fallback = "0", .min = 0,
      .max = 1, .flags = PARAM_FREE_TO_CHANGE,
      .doc = "fraction of the trajectories in which Kiln evaluates a force or an action (with `heatbath`: all "
             "sweeps) twice and compares all bits; if the two results differ, Kiln keeps both and returns to the "
             "newest configuration or checkpoint that a later successful check confirms" },
    { 0 }
};

const param_spec run_param_specs[] = {
    { .key = "lattice", .type = PARAM_INT4, .offset = AT(extents), .min = 2, .max = 1024, .flags = PARAM_EVEN,
      .doc = "extents x, y, z, t" },
    { .key = "boundary", .type = PARAM_GROUP, .offset = AT(boundary), .fallback = "{}", .group = boundary_specs,
      .doc = "boundary conditions of the gauge field; periodic in space", .example = "{ time: open }",
      .see = "physics.md#open-boundaries-in-time" },
    { .key = "random", .type = PARAM_GROUP, .offset = AT(random), .group = random_specs,
      .doc = "seed and stream of the random numbers", .example = "{ seed: 20260301, stream: 0 }",
      .see = "conventions.md#random-numbers" },
    { .key = "start", .type = PARAM_GROUP, .offset = AT(start), .fallback = "{}", .group = start_specs,
      .doc = "the links before the first trajectory", .example = "{ from: hot, heatbath: { sweeps: 40 } }",
      .see = "physics.md#start" },
    { .key = "monomials", .type = PARAM_KINDS, .offset = AT(monomials), .flags = PARAM_NOT_EMPTY,
      .kinds = monomial_kinds, .doc = "the terms of the action", .see = "physics.md" },
    { .key = "hmc", .type = PARAM_GROUP, .offset = AT(hmc), .group = hmc_specs, .doc = "hybrid Monte Carlo",
      .example = "{ trajectory_length: 1, trajectories: 1000, thermalization: 100,\n"
                 "       levels: [ { integrator: omelyan, steps: 10, monomials: [gauge] } ] }",
      .see = "physics.md#integrator" },
    { .key = "heatbath", .type = PARAM_GROUP, .offset = AT(heatbath), .fallback = "{}", .group = heatbath_specs,
      .doc = "pure gauge ensembles by heat bath and overrelaxation: a compound sweep replaces a trajectory",
      .example = "{ sweeps: 1, overrelaxation: 4 }", .see = "operations.md#make-a-pure-gauge-ensemble" },
    { .key = "smd", .type = PARAM_GROUP, .offset = AT(smd), .fallback = "{}", .group = smd_specs,
      .doc = "stochastic molecular dynamics (SMD) in place of hybrid Monte Carlo: short trajectories, between which "
             "momenta and pseudofermions are only partly refreshed",
      .example = "{ gamma: 0.3 }", .see = "physics.md#stochastic-molecular-dynamics" },
    { .key = "tempering", .type = PARAM_GROUP, .offset = AT(tempering), .fallback = "{}", .group = tempering_specs,
      .doc = "parallel tempering in the boundary condition: replicas of the gauge field between periodic and open "
             "boundaries at a defect of the gauge action; the first replica is the ensemble",
      .example = "{ replicas: 6, defect: { direction: x, size: 2 } }", .see = "tempering.md" },
    { .key = "measurements", .type = PARAM_KINDS, .offset = AT(measurements), .fallback = "[]",
      .flags = PARAM_FREE_TO_CHANGE, .kinds = measurement_kinds, .lean = "[]",
      .doc = "measurements after trajectories, in addition to plaquette, rectangle and Polyakov loop, which every line "
             "of the record has",
      .see = "observables.md" },
    { .key = "sdc_check", .type = PARAM_GROUP, .offset = AT(sdc_check), .fallback = "{}", .group = sdc_check_specs,
      .doc = "detection of silent data corruption", .example = "{ rate: 0.05 }",
      .see = "operations.md#detect-silent-data-corruption" },
    { .key = "output", .type = PARAM_GROUP, .offset = AT(output), .group = output_specs,
      .doc = "the files of the ensemble",
      .example = "{ directory: ../ensembles/mine, name: mine, configuration_every: 5, checkpoint_every: 5 }",
      .see = "operations.md#files-of-an-ensemble" },
    { 0 }
};

int run_hops(const run_params *p)
{
    int hops = GRID_HOPS_LEAST;
    for (int i = 0; i < run_monomial_count(p); i++)
        if (run_monomial_kind(p, i)->hops > hops)
            hops = run_monomial_kind(p, i)->hops;
    for (int i = 0; i < p->measurements.count; i++)
        if (measurement_hops(run_measurements(p), i) > hops)
            hops = measurement_hops(run_measurements(p), i);
    return hops;
}

lattice_shape run_shape(const run_params *p)
{
    lattice_shape shape = grid_shape_here(p->extents, run_hops(p));
    shape.open_in_time = p->boundary.time == TIME_OPEN;
    return shape;
}

int run_monomial_count(const run_params *p)
{
    return p->monomials.count;
}

static const kind_item *item_at(const run_params *p, int index)
{
    return (const kind_item *)p->monomials.item + index;
}

const monomial_kind *run_monomial_kind(const run_params *p, int index)
{
    return monomial_kind_at(item_at(p, index)->kind);
}

const void *run_monomial_params(const run_params *p, int index)
{
    return item_at(p, index)->params;
}

const char *run_monomial_name(const run_params *p, int index)
{
    return *(char *const *)run_monomial_params(p, index);
}

uint64_t run_params_digest(const run_params *p)
{
    text echo = { 0 };
    schema_echo(&echo, run_param_specs, p, true);
    uint64_t digest = digest64(DIGEST64_START, text_string(&echo), echo.length);
    text_free(&echo);
    return digest;
}

measurement_input run_measurements(const run_params *p)
{
    return (measurement_input){ &p->measurements, &p->monomials };
}

int64_t run_last_trajectory(const run_params *p)
{
    return p->start.trajectory + p->hmc.trajectories;
}

bool run_is_thermalization(const run_params *p, int64_t number)
{
    return number <= p->start.trajectory + p->hmc.thermalization;
}

bool run_solves_start_action(const run_params *p, int64_t number)
{
    return (number - p->start.trajectory - 1) % p->hmc.start_action_every == 0;
}

double run_solved_energies(const run_params *p)
{
    return 1 + 1 / (double)p->hmc.start_action_every;
}

bool run_is_pure_gauge(const run_params *p)
{
    return p->heatbath.sweeps_given;
}

bool run_keeps_links(const run_params *p)
{
    return !run_is_pure_gauge(p) || p->sdc_check.rate > 0;
}

bool run_is_smd(const run_params *p)
{
    return p->smd.gamma_given;
}

bool run_is_tempered(const run_params *p)
{
    return p->tempering.replicas_given;
}

bool run_same_tempering(const run_params *a, const run_params *b)
{
    text of_a = { 0 }, of_b = { 0 };
    schema_list_fixed(&of_a, tempering_specs, &a->tempering);
    schema_list_fixed(&of_b, tempering_specs, &b->tempering);
    const bool same = strcmp(text_string(&of_a), text_string(&of_b)) == 0;
    text_free(&of_a);
    text_free(&of_b);
    return same;
}

bool run_has_fields(const run_params *p)
{
    return run_is_smd(p) || run_is_tempered(p);
}
