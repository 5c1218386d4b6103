/* named_fields.h - the fields of a run by the names of their files, one after the other. */
#ifndef KILN_ENSEMBLE_NAMED_FIELDS_H
#define KILN_ENSEMBLE_NAMED_FIELDS_H

#include "src/hmc/hmc.h"

/* Called with the file name, "momenta.npy" or that of folder_files.h, and the field, which the run owns. */
typedef bool named_field_visit(void *with, const char *name, field *x);

/* Calls `visit` for the momenta (NULL: none), then for the pseudofermions of all terms, or if `replicas` for the links
 * of the replicas of tempering from the second on ("replica.1.npy"): each of their updates draws pseudofermions.  Ends
 * if it returns false.  With start_vectors, the start vectors that a term keeps follow its pseudofermions; its progress
 * tells how many these are.  reading: the visits change the fields. */
typedef struct { field *momenta; bool start_vectors, replicas, reading; } named_fields;
bool named_fields_visit(hmc *h, named_fields which, named_field_visit *visit, void *with);

#endif
