/* ensemble_parameters.h - DIRECTORY/parameters.yaml: the parameters of an ensemble.  A run must have the same ones,
 * unless it begins a new segment (segments.h). */
#ifndef KILN_ENSEMBLE_ENSEMBLE_PARAMETERS_H
#define KILN_ENSEMBLE_ENSEMBLE_PARAMETERS_H

#include "src/hmc/run_input.h"

/* The new parameters while a new segment begins (segments.h). */
#define PARAMETERS_NEXT "parameters.yaml.next"

/* DIRECTORY/parameters.000120.yaml: the parameters of a segment that ends with trajectory 120; parameters.yaml for
 * INT64_MAX.  To be freed with text_free. */
text ensemble_parameters_path(const char *directory, int64_t last_trajectory);

/* The complete parameters as text, with `directory` as output.directory: ENSEMBLE_IN_ITS_FOLDER or ENSEMBLE_ONE_ABOVE
 * (run_input.h). */
void ensemble_parameters_text(text *out, const run_params *p, const char *directory);

/* Write the complete parameters to FOLDER/parameters.yaml, over the file of an interrupted beginning.  `folder`: of a
 * new ensemble, or a folder inside an ensemble. */
bool ensemble_parameters_write(const char *folder, const run_params *p, const char *directory, failure *f);

/* Whether `p` has the parameters of the ensemble in its folder; keys that are free to change do not count.  False with
 * the keys that differ, or with the reason why parameters.yaml cannot be read. */
bool ensemble_parameters_agree(const run_params *p, failure *f);

/* Whether the ensemble in the folder of `p` has the lattice of `p`; true if there is no ensemble.  False with all keys
 * that differ, not only those of the lattice. */
bool ensemble_lattice_agrees(const run_params *p, failure *f);

/* Whether a new segment with the parameters `p` can begin: some keys differ (they are added to `changes`), but none is
 * fixed for the stream; `before` is the digest of the old parameters.  False with the reason. */
bool ensemble_parameters_may_change(const run_params *p, text *changes, uint64_t *before, failure *f);

/* A file of parameters: the parameters, their digest (run_params_digest), the digest of the bytes of the file.  False
 * with the reason; release in either case. */
typedef struct { run_input in; uint64_t input_digest, file_digest; } parameters_file;
bool parameters_file_read(parameters_file *file, const char *path, failure *f);
void parameters_file_free(parameters_file *file);

/* digest64 of the bytes of a file. */
bool file_digest(const char *path, uint64_t *digest, failure *f);

#endif
