/* ensemble_parameters.h - DIRECTORY/parameters.yaml: what an ensemble was made with, and must go on with, unless a
 * change on the way is asked for (segments.h). */
#ifndef KILN_ENSEMBLE_ENSEMBLE_PARAMETERS_H
#define KILN_ENSEMBLE_ENSEMBLE_PARAMETERS_H

#include "src/hmc/run_input.h"

/* Written while parameters are changed (segments.h). */
#define PARAMETERS_NEXT "parameters.yaml.next"

/* DIRECTORY/parameters.000120.yaml: what made the trajectories up to 120 and no later ones; parameters.yaml for
 * INT64_MAX.  To be freed with text_free. */
text ensemble_parameters_path(const char *directory, int64_t last_trajectory);

/* The complete parameters, for a file whose output.directory is `directory`, which counts from the folder of the file.
 * The file then names the ensemble that it lies in, wherever that is moved to, and has the same bytes everywhere. */
#define ENSEMBLE_IN_ITS_FOLDER "."
#define ENSEMBLE_ONE_ABOVE ".."                      /* the file lies in a folder of the ensemble's folder */
void ensemble_parameters_text(text *out, const run_params *p, const char *directory);

/* Write them into a folder: that of an ensemble which is about to begin, over what an earlier beginning may have left,
 * or one inside it. */
bool ensemble_parameters_write(const char *folder, const run_params *p, const char *directory, failure *f);

/* False, with the lines that differ, unless `p` is what the ensemble in its folder was made with, but for what
 * is free to change; false also where that cannot be read. */
bool ensemble_parameters_agree(const run_params *p, failure *f);

/* Whether `p` may take the place of the parameters in its folder: something differs (the lines are added to
 * `changes`), and nothing that a stream cannot change; `before` is their digest.  False with the reason. */
bool ensemble_parameters_may_change(const run_params *p, text *changes, uint64_t *before, failure *f);

/* A file of parameters: what it says, the digest of that (run_params_digest), and that of its bytes.  False with the
 * reason; release in either case. */
typedef struct { run_input in; uint64_t input_digest, file_digest; } parameters_file;
bool parameters_file_read(parameters_file *file, const char *path, failure *f);
void parameters_file_free(parameters_file *file);

/* digest64 of the bytes of a file. */
bool file_digest(const char *path, uint64_t *digest, failure *f);

#endif
