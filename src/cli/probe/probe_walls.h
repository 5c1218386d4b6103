/* probe_walls.h - the domain-wall operator that a command line names, and its spinors. */
#ifndef KILN_CLI_PROBE_PROBE_WALLS_H
#define KILN_CLI_PROBE_PROBE_WALLS_H

#include "actions/wall_params.h"
#include "src/cli/probe/probe.h"

#define WALL_SITES "over all sites; C, Cdag and normal ignore the source on even sites, where the result is zero"

#define REUNITARIZE_ADVICE "--reunitarize brings the links of a file of 32 bits there"

/* The options, with what the operator is one of. */
#define WALL_AT(member) offsetof(probe_options, walls.member)
#define WALL_OPTIONS(names, words, obligatory)                                                                         \
    { .name = "operator", .value = "OP", .doc = words, .type = OPTION_CHOICE, .offset = WALL_AT(op),                   \
      .choices = names, .required = obligatory },                                                                      \
    { .name = "action", .value = "A", .doc = "the weights b_s, c_s of D5 (default shamir)", .type = OPTION_CHOICE,     \
      .offset = WALL_AT(action), .choices = wall_kind_names },                                                         \
    { .name = "slices", .value = "LS", .doc = "extent of the fifth dimension", .type = OPTION_INT,                     \
      .offset = WALL_AT(slices), .required = true, .min = 2, .max = SLICES_MAX },                                      \
    { .name = "mass", .value = "M", .doc = "of the quarks", .type = OPTION_REAL, .offset = WALL_AT(mass),              \
      .required = true, .max = WALL_MASS_MAX },                                                                        \
    { .name = "mass-convention", .value = "W", .doc = "rbc (default), or chiu: 2 M5 m", .type = OPTION_CHOICE,         \
      .offset = WALL_AT(mass_convention), .choices = wall_conventions },                                               \
    { .name = "height", .value = "M5", .doc = "of the domain wall (default 1.8)", .type = OPTION_REAL,                 \
      .offset = WALL_AT(height), .min = 1e-6, .max = 2 },                                                              \
    { .name = "b", .value = "B", .doc = "mobius (default 1.5)", .type = OPTION_REAL, .offset = WALL_AT(b),             \
      .min = -100, .max = 100 },                                                                                       \
    { .name = "c", .value = "C", .doc = "mobius (default 0.5)", .type = OPTION_REAL, .offset = WALL_AT(c),             \
      .min = -100, .max = 100 },                                                                                       \
    { .name = "scale", .value = "S", .doc = "scaled_shamir: b + c (default 2)", .type = OPTION_REAL,                   \
      .offset = WALL_AT(scale), .min = 1e-6, .max = 100 },                                                             \
    { .name = "lambda-min", .value = "L", .doc = "optimal, optimal_symmetric: lower end of |gamma5 Dw|\n"              \
      "(default 0.05)", .type = OPTION_REAL, .offset = WALL_AT(lambda_min), .min = 1e-12, .max = 100 },                \
    { .name = "lambda-max", .value = "L", .doc = "its upper end (default 6.2)", .type = OPTION_REAL,                   \
      .offset = WALL_AT(lambda_max), .min = 1e-12, .max = 100 },                                                       \
    { .name = "boundary", .value = "B", .doc = "phase of the boundary in t, in units of pi:\n"                         \
      "1 antiperiodic (default), 0 periodic", .type = OPTION_INT, .offset = WALL_AT(boundary), .max = 1 },             \
    BASIS_OPTION

/* What the options amount to; false with what is wrong about them. */
typedef struct { wall_matrix matrix; double boundary; } wall_chosen;
bool wall_choice_read(wall_chosen *chosen, const wall_choice *c, failure *f);

/* Append "operator" of that name and what belongs to it. */
void wall_choice_to_json(json *j, const char *op, const wall_choice *c, const wall_chosen *chosen, int basis);

/* From and to files: false after a message on stderr; an exit status, told where it is not EXIT_OK. */
bool wall_field_read(wall_field to, const char *path, int basis);
int  wall_field_write(const char *path, wall_field from, int basis);

#endif
