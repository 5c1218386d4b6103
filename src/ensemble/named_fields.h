/* named_fields.h - the fields of a run by the names of their files, one after the other. */
#ifndef KILN_ENSEMBLE_NAMED_FIELDS_H
#define KILN_ENSEMBLE_NAMED_FIELDS_H

#include "src/hmc/hmc.h"

/* Gets the file name, "momenta.npy" or that of field_file_name, and the field, which the run owns. */
typedef bool named_field_visit(void *with, const char *name, field *x);

/* Calls `visit` for each field, in this order, until it returns false:
 *     momenta        unless NULL
 *     replicas       of tempering, from the second on ("replica.1.npy"); then no pseudofermions follow, because every
 *                    update of a replica draws new ones
 *     each term      its pseudofermions; then, with start_vectors, the start vectors that it keeps
 * reading: the visits change the fields.  To read start vectors, restore the progress of the terms first: it has their
 * number. */
typedef struct { field *momenta; bool start_vectors, replicas, reading; } named_fields;
bool named_fields_visit(hmc *h, named_fields which, named_field_visit *visit, void *with);

#endif
