/* new_input_lines.h - the data for a new input, and functions for its lines. */
#ifndef KILN_CLI_NEW_NEW_INPUT_LINES_H
#define KILN_CLI_NEW_NEW_INPUT_LINES_H

#include "src/literature/bare_choice.h"

#include <stdint.h>

typedef struct {
    const bare_parameters *b;
    int extents[4];
    int64_t seed, trajectories;
    const char *name;                   /* of the ensemble's folder, under ensembles/ */
    const char *command;                /* the command that writes this input again */
} new_input;

/* Append a line of the input, with a comment (may be NULL) in a fixed column. */
void new_input_line(text *t, const char *comment, const char *line, ...) PRINTF_LIKE(3, 4);

/* The number of steps, from `base` steps on 16^3x32, that keeps the acceptance of a second-order scheme, which depends
 * on volume^(1/2) step^2; even. */
int new_input_steps(const new_input *in, double base);

/* The number of trajectories with the time of this number of trajectories of length 1: more for SMD, whose trajectories
 * are shorter. */
int new_input_interval(const new_input *in, int trajectories);

/* The residual of refresh and action: the error of dH that it may cause grows with the number of sites (and slices);
 * kiln check warns above 0.05. */
double new_input_residual(const new_input *in);

#endif
