/* probe.h - code for all probes.  A probe exchanges fields with other codes as NumPy files, to compare results.
 *
 * A probe is src/probe/probe_<name>.c, a declaration here, and a line in cmd_probe.c. */
#ifndef KILN_PROBE_PROBE_H
#define KILN_PROBE_PROBE_H

#include "actions/dwf_action.h"
#include "actions/gauge_action.h"
#include "actions/stout_params.h"
#include "actions/wilson_operator.h"
#include "src/io/configuration.h"
#include "src/lattice/grid.h"
#include "src/lattice/vec.h"
#include "src/options/device_choice.h"
#include "src/options/multigrid_options.h"
#include "src/options/rank_options.h"
#include "src/options/subcommand_group.h"
#include "src/probe/probe_operator.h"

#define MATRICES_SHAPE "float64 [t][z][y][x][mu = x,y,z,t][row][col][re,im]"
#define VECTOR_SHAPE   "float64 [t][z][y][x][color][re,im]"
#define SPINOR_SHAPE   "float64 [slice][t][z][y][x][spin][color][re,im]"
#define WILSON_SHAPE   "float64 [t][z][y][x][spin][color][re,im]"
#define VECTOR_SITES   "over all sites; with --normal, odd sites of the source are ignored, and those of the result 0"

/* Domain-wall quarks of a command line (probe_dwf.c); the smearing is that of all operators. */
typedef struct { dwf_action_input of; double mass; } dwf_choice;

/* Wilson quarks of a command line; the smearing is that of all operators. */
typedef struct { wilson_operator_input of; wilson_mass_input bare; bool c_sw_given; double mu, rho; } wilson_choice;

/* A doublet of a command line, with the smearing of all operators; of `of`, only c_sw, clover, boundary and theta are
 * used. */
typedef struct { wilson_operator_input of; wilson_mass_input bare; double mu_sigma, mu_delta; } doublet_choice;

/* Overlap quarks of a command line. */
typedef struct {
    double mass, M0, accuracy;
    int sign;                       /* a sign_method */
    int64_t modes, poles, inner_iterations, boundary;
    bool full_accuracy;
    struct { bool poles, inner_iterations; } given;
} overlap_choice;

/* The gamma basis of spinors in files: that of DeGrand and Rossi, which Kiln uses, or the non-relativistic one,
 * psi' = S psi with S = [[1, 1], [1, -1]]/sqrt2 (x) 1. */
typedef enum { BASIS_DEGRAND_ROSSI, BASIS_NONRELATIVISTIC } gamma_basis;
extern const char *const gamma_basis_names[];

/* The values of the options of all probes; each probe has the options that it needs. */
typedef struct {
    gauge_params action;
    operator_choice quarks;
    dwf_choice dwf;
    wilson_choice wilson;
    doublet_choice doublet;
    overlap_choice overlap;
    multigrid_params multigrid;     /* of the method */
    multigrid_given multigrid_given;
    stout_params stout;             /* of the links of a Dirac operator */
    int family;                     /* index of --operator in its table */
    int part;                       /* of an operator on spinors */
    int solver;                     /* a solver_precision */
    int method;                     /* a solver_kind_index */
    int updates;                    /* a probe_updates */
    bool history;
    double delta, inner;
    int basis;                      /* a gamma_basis */
    int level;
    bool dagger, normal;
    double residual;
    int64_t max_iterations, only;
    const char *source, *momenta, *final_momenta, *input, *monomial;
    text_refs sets, pseudofermions;
    bool reunitarize;
    device_choice device;
    rank_options ranks;
} probe_options;

/* Stout smearing, for Dirac operators and links. */
#define STOUT_OPTIONS                                                                                                  \
    { .name = "stout-levels", .value = "N", .doc = "levels of stout smearing of the links, before all else\n"          \
      "(default 0: none)", .type = OPTION_INT, .offset = offsetof(probe_options, stout.levels),                        \
      .max = STOUT_LEVELS_MAX },                                                                                       \
    { .name = "stout-rho", .value = "R", .doc = "weight of the staples of stout smearing", .type = OPTION_REAL,        \
      .offset = offsetof(probe_options, stout.rho), .max = 10 },                                                       \
    { .name = "stout-spatial-only", .doc = "stout smearing without links in t", .type = OPTION_FLAG,                   \
      .offset = offsetof(probe_options, stout.spatial_only) }

/* Options of all probes, read by rank_options_read. */
#define PROBE_OPTIONS                                                                                                  \
    { .name = "reunitarize", .doc = "project the links to SU(3) in double precision after reading\n"                   \
      "(default: links as stored)", .type = OPTION_FLAG, .offset = offsetof(probe_options, reunitarize) },             \
    DEVICE_OPTIONS(probe_options, device), RANK_OPTIONS(probe_options, ranks, device)

/* A gauge action: the parameters of a monomial `gauge`. */
#define GAUGE_ACTION(member) offsetof(probe_options, action.member)
#define GAUGE_ACTION_OPTIONS(needed)                                                                                   \
    { .name = "action", .value = "A", .doc = "gauge action", .type = OPTION_CHOICE, .offset = GAUGE_ACTION(action),    \
      .choices = gauge_action_names, .required = needed },                                                             \
    { .name = "beta", .value = "B", .doc = "coupling 6/g^2; 10/g^2 for symanzik_1loop", .type = OPTION_REAL,           \
      .offset = GAUGE_ACTION(beta), .max = 1000, .required = needed },                                                 \
    { .name = "c1", .value = "C", .doc = "action rectangle: coefficient c1 (no default)", .type = OPTION_REAL,         \
      .offset = GAUGE_ACTION(c1), .optional = true, .given = GAUGE_ACTION(given.c1), .min = -10, .max = 10 },          \
    { .name = "u0", .value = "U", .doc = "symanzik_1loop: tadpole factor (no default)", .type = OPTION_REAL,           \
      .offset = GAUGE_ACTION(u0), .optional = true, .given = GAUGE_ACTION(given.u0), .max = 1 },                       \
    { .name = "xi-0", .value = "X", .doc = "anisotropic lattices: bare anisotropy (default: isotropic)",               \
      .type = OPTION_REAL, .offset = GAUGE_ACTION(xi_0), .optional = true, .given = GAUGE_ACTION(given.xi_0),          \
      .max = 100 },                                                                                                    \
    { .name = "u-s", .value = "U", .doc = "symanzik_anisotropic: tadpole factor in space (no default)",                \
      .type = OPTION_REAL, .offset = GAUGE_ACTION(u_s), .optional = true, .given = GAUGE_ACTION(given.u_s),            \
      .max = 1 },                                                                                                      \
    { .name = "u-t", .value = "U", .doc = "symanzik_anisotropic: tadpole factor in t (no default)",                    \
      .type = OPTION_REAL, .offset = GAUGE_ACTION(u_t), .optional = true, .given = GAUGE_ACTION(given.u_t),            \
      .max = 1 },                                                                                                      \
    { .name = "flavors", .value = "N", .doc = "symanzik_1loop: dynamical flavors (default 0)", .type = OPTION_INT,     \
      .offset = GAUGE_ACTION(flavors), .optional = true, .given = GAUGE_ACTION(given.flavors), .max = 16 },            \
    { .name = "c-G", .value = "C", .doc = "links with open boundaries in t: C/2 is the weight of loops in space\n"     \
      "in the first and the last slice (default 1, the value at tree level)", .type = OPTION_REAL,                     \
      .offset = GAUGE_ACTION(c_G), .optional = true, .given = GAUGE_ACTION(given.c_G), .min = -100, .max = 100 }

#define SOURCE_OPTION                                                                                                  \
    { .name = "source", .value = "S.npy", .doc = "the source vector", .type = OPTION_TEXT, .path = PATH_READ,          \
      .offset = offsetof(probe_options, source), .required = true }

#define BASIS_OPTION                                                                                                   \
    { .name = "basis", .value = "G", .doc = "gamma basis of spinors in files (default degrand-rossi)",                 \
      .type = OPTION_CHOICE, .offset = offsetof(probe_options, basis), .choices = gamma_basis_names }

#define MOMENTA_OPTION(needed)                                                                                         \
    { .name = "momenta", .value = "P.npy", .doc = "momenta: antihermitian traceless matrices", .type = OPTION_TEXT,    \
      .path = PATH_READ, .offset = offsetof(probe_options, momenta), .required = needed }

/* What each rank gets of a command line; for rank_options_run. */
typedef struct { const probe_options *options; const operands *files; } probe_task;

/* The functions below are collective (comm.h): rank 0 reads and writes the files and prints, all ranks get the same
 * results. */

/* The configuration at `path` on the chosen device, for kernels that reach `hops` sites (grid.h); NULL after a message
 * on stderr. */
gauge *probe_open(const probe_options *o, configuration_request request, const char *path, configuration_facts *facts);

/* EXIT_OK if the gauge action of a command line is possible on the links of a file; with open boundaries in t it logs a
 * line about them.  Else an exit status, after a message. */
int probe_gauge_action_check(const usage *words, const gauge_params *action, const char *path, const gauge *u);

/* Print an object on standard output, and free it. */
void probe_print(json *j);

/* Momenta from a file, on the lattice and device of `u`, owned by the caller; NULL after a message on stderr. */
momentum *probe_momenta(const char *path, const gauge *u);

/* Vectors in files, on all sites: color vectors, spinors, and spinors with a fifth dimension. */
typedef enum { ARRAY_COLORS, ARRAY_SPINORS, ARRAY_SLICES } probe_array;
/* Copy a file to the pieces of a vector, or back.  The pieces have equal numbers of slabs; each holds the numbers of
 * its own sites.  Spinors change between the gamma basis of the file and that of Kiln.  Reading returns false after a
 * message; writing returns an exit status. */
bool probe_read_quarks(field *const *piece, int pieces, const char *path, probe_array array, int basis);
int probe_write_quarks(const char *path, field *const *piece, int pieces, probe_array array, int basis);

/* Write links times a factor, or momenta.  Returns an exit status; if it is not EXIT_OK, after a message on stderr. */
int probe_write_links(const char *path, const gauge *u, double factor);
int probe_write_momenta(const char *path, const momentum *p);

subcommand_main probe_links, probe_apply, probe_solve, probe_gauge_force, probe_force, probe_energy, probe_trajectory;

#endif
