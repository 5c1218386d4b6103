/* new_input_lines.h - what a new input is written from, and its lines. */
#ifndef KILN_CLI_NEW_NEW_INPUT_LINES_H
#define KILN_CLI_NEW_NEW_INPUT_LINES_H

#include "src/literature/bare_choice.h"

#include <stdint.h>

typedef struct {
    const bare_parameters *b;
    int extents[4];
    int64_t seed, trajectories;
    const char *name;                   /* of the ensemble's folder, under ensembles/ */
    const char *command;                /* that writes this input again */
} new_input;

/* Append a line of the input with a comment in a column of its own; no comment if it is NULL. */
void new_input_line(text *t, const char *comment, const char *line, ...) PRINTF_LIKE(3, 4);

/* The number of steps that follows from `base` on 16^3x32: as many as keep the acceptance of a scheme of second order,
 * which falls with volume^(1/2) step^2; even. */
int new_input_steps(const new_input *in, double base);

/* The number of trajectories of the input for this number of length 1: more of SMD, whose trajectories are shorter. */
int new_input_interval(const new_input *in, int trajectories);

/* The residual of refresh and action: the error of dH that it may cause grows with the number of sites (and slices);
 * kiln check warns above 0.05. */
double new_input_residual(const new_input *in);

#endif
