/* new_request.h - the request of a user to `kiln new`, from options and from answers to questions. */
#ifndef KILN_CLI_NEW_NEW_REQUEST_H
#define KILN_CLI_NEW_NEW_REQUEST_H

#include "src/base/text.h"
#include "src/literature/literature.h"

#include <stdint.h>
#include <stdio.h>

/* NAN, NULL, 0: not given. */
typedef struct {
    const char *family, *output;
    double spacing, beta, pion, light, strange, charm, size;
    int extents[4];
    int64_t ranks, seed, trajectories;
    bool extrapolate;
    int boundary;                       /* a time_boundary (hmc/run_params.h) */
} new_request;

/* The family of this name; NULL with the reason, which lists them. */
const family *new_family_find(const char *name, failure *f);

/* "clover_2p1_32x32x32x64": the name of the ensemble, and with ".yaml" of the file, if no other is given. */
void new_default_name(text *t, const family *of, const int extents[4]);

/* "16,16,16,32" or "16x16x16x32" into four ints. */
bool new_lattice_read(const char *given, int extents[4]);

/* Ask for what is missing in `r`: family, spacing, pion mass, lattice and file.  Questions go to the log stream,
 * answers come from `in`; an empty answer takes the default in brackets.  After an answer that cannot work, Kiln gives
 * the reason and asks again.  `word` holds the name of the file.  False with the reason at the end of `in`, or where
 * what was given contradicts itself. */
bool new_questions_ask(new_request *r, text *word, FILE *in, failure *f);

#endif
