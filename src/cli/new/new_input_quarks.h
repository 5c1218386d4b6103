/* new_input_quarks.h - the parts of a new input that depend on its quarks. */
#ifndef KILN_CLI_NEW_NEW_INPUT_QUARKS_H
#define KILN_CLI_NEW_NEW_INPUT_QUARKS_H

#include "src/cli/new/new_input_lines.h"

/* The monomials, levels and measurements of the quarks. */
void new_input_add_monomials(text *t, const new_input *in);
void new_input_add_levels(text *t, const new_input *in);
void new_input_add_measurements(text *t, const new_input *in);

/* With open boundaries in time: the keys of the plateau of a measurement. */
void new_input_add_plateau(text *t, const new_input *in, const char *comment);

#endif
