/* run_params.h - the parameters of a run: one struct, one table.
 *
 * The same table checks an input, prints its echo, and makes the reference page of the documentation. */
#ifndef KILN_HMC_RUN_PARAMS_H
#define KILN_HMC_RUN_PARAMS_H

#include "actions/monomial.h"
#include "integrators/evolve.h"
#include "src/config/schema.h"
#include "src/hmc/tempering_params.h"
#include "src/measure/measurement.h"

enum { HMC_TERMS = 32 };                         /* largest number of monomials */

typedef enum { START_COLD, START_HOT, START_FILE } start_kind;
typedef enum { TIME_PERIODIC, TIME_OPEN } time_boundary;
extern const char *const time_boundary_names[]; /* "periodic", "open", NULL */
extern const char *const start_names[];          /* "cold", ..., NULL */

typedef struct {
    const char *file;                           /* path of the input as given; borrowed from its tree */
    int extents[4];                             /* of the whole lattice, x y z t */
    struct { int time; } boundary;              /* of the gauge field: time_boundary */
    struct { int64_t seed, stream; } random;
    struct {
        int from;
        char *file;
        int copies[4];                          /* of the lattice of `file` in x, y, z, t */
        int64_t trajectory;                     /* the number of the start links; 0 unless they are from a file */
        bool reunitarize;
        struct { int64_t sweeps, settle; double beta; bool beta_given; } heatbath;
    } start;
    param_list monomials;                       /* of kind_item */
    param_list measurements;                    /* of kind_item: src/measure/measurement.h */
    struct {
        double length;                          /* of a trajectory, in the unit of dU/dtau = P U */
        param_list levels;                      /* of level_params */
        int64_t trajectories, thermalization;   /* both count the trajectories after the start links */
        int64_t reunitarize_every;
        int64_t start_action_every;             /* run_solves_start_action */
        char *tuning;                           /* origin of the levels; "": unknown */
    } hmc;
    struct { int64_t sweeps, overrelaxation; bool sweeps_given; } heatbath;       /* src/hmc/pure_gauge.h */
    struct { double gamma; bool gamma_given; } smd;                               /* src/hmc/smd.h */
    tempering_params tempering;                                                   /* src/hmc/tempering.h */
    struct { double rate; } sdc_check;
    struct {
        char *directory, *name;
        int64_t configuration_every, checkpoint_every, bits;
        char *lfn;
    } output;
} run_params;

extern const param_spec run_param_specs[];

/* Identifies the physics of a run: digest64 of all parameters as text, without the keys that are free to change. */
uint64_t run_params_digest(const run_params *p);

/* The largest distance in one direction that the kernels of the run read: 2 sites or more. */
int run_hops(const run_params *p);

/* The lattice of the input, and the part of this process (lattice/grid.h). */
lattice_shape run_shape(const run_params *p);

/* The monomials of the input: their number, and kind, parameters and name of each. */
int run_monomial_count(const run_params *p);
const monomial_kind *run_monomial_kind(const run_params *p, int index);
const void *run_monomial_params(const run_params *p, int index);
const char *run_monomial_name(const run_params *p, int index);

/* Its measurements, with its action. */
measurement_input run_measurements(const run_params *p);

/* Trajectories have the numbers start.trajectory + 1, ...: the number of the last requested trajectory, and whether
 * trajectory `number` belongs to thermalization. */
int64_t run_last_trajectory(const run_params *p);
bool run_is_thermalization(const run_params *p, int64_t number);

/* Whether trajectory `number` computes the action of new pseudofermions at its start by solves, instead of from |eta|^2
 * (hmc.start_action_every); the mean number of energies of a trajectory that need solves, between 1 and 2. */
bool run_solves_start_action(const run_params *p, int64_t number);
double run_solved_energies(const run_params *p);

/* Whether sweeps replace molecular dynamics (src/hmc/pure_gauge.h). */
bool run_is_pure_gauge(const run_params *p);

/* Whether a trajectory keeps its start links: for a rejection, or for sdc_check. */
bool run_keeps_links(const run_params *p);

/* Whether there are several replicas of the gauge field (src/hmc/tempering.h). */
bool run_is_tempered(const run_params *p);
bool run_same_tempering(const run_params *a, const run_params *b);     /* none at all, or the same replicas */

/* Whether the state between trajectories has fields besides the links: of SMD, or of tempering. */
bool run_has_fields(const run_params *p);

/* Whether momenta and pseudofermions are carried from trajectory to trajectory (src/hmc/smd.h). */
bool run_is_smd(const run_params *p);

#endif
