/* publish_ensemble.h - the configurations of an ensemble to publish, and everything that is missing for it. */
#ifndef KILN_PUBLISH_PUBLISH_ENSEMBLE_H
#define KILN_PUBLISH_PUBLISH_ENSEMBLE_H

#include "src/ensemble/segments.h"
#include "src/hmc/run_input.h"
#include "src/io/links_file.h"
#include "src/publish/publish_about.h"
#include "src/report/run_folder.h"
#include "src/report/run_history.h"

/* bits: 32, 64, or 0 as stored; from: first trajectory, or 0 for the first one after thermalization. */
typedef struct {
    int64_t bits, from;
    bool so_far;                        /* accept an ensemble that is incomplete or has gaps */
    bool copies;                        /* accept configurations that are mostly copies of each other */
} publish_request;

/* A configuration of the package. */
typedef struct {
    const char *path;                   /* of the stored file; borrowed */
    text file;                          /* name in the package */
    const history_line *line;           /* of the record; borrowed */
    const run_params *p;                /* of its segment; borrowed */
    links_info info;                    /* of the stored file, later of the published one */
    uint32_t cksum;
    double change;                      /* largest change of a real number from the stored to the published file */
} published;

typedef struct {
    publish_about about;
    run_folder folder;
    run_history history;
    segments segments;
    run_input *input;                   /* one for each segment; without segments, that of the folder */
    int inputs;
    state_files files;
    int count;
    published *item;                    /* oldest first */
    fault_list missing;                 /* one line for each thing that is missing or wrong */
} publication;

/* Check everything; `about` is the path of a file (publish_about.h).  p->missing.count == 0 if nothing is missing.
 * Release with publication_free in both cases. */
void publication_inspect(publication *p, const publish_request *request, const char *about, const char *directory);
void publication_free(publication *p);

/* The parameters of the newest segment. */
const run_params *publication_params(const publication *p);

#endif
