/* publish_ensemble.h - what of an ensemble there is to publish, and all that stands in the way. */
#ifndef KILN_PUBLISH_PUBLISH_ENSEMBLE_H
#define KILN_PUBLISH_PUBLISH_ENSEMBLE_H

#include "src/ensemble/segments.h"
#include "src/hmc/run_input.h"
#include "src/io/links_file.h"
#include "src/publish/publish_about.h"
#include "src/report/run_folder.h"
#include "src/report/run_history.h"

/* What is asked for; `bits` and `from` 0: as they were kept; the first trajectory behind thermalization. */
typedef struct {
    int64_t bits, from;
    bool so_far;                        /* an ensemble that is not finished, or has gaps, will do */
} publish_request;

/* A configuration of the package. */
typedef struct {
    const char *path;                   /* where it was kept; borrowed */
    text file;                          /* its name in the package */
    const history_line *line;           /* of the record; borrowed */
    const run_params *p;                /* what made it; borrowed */
    links_info info;                    /* what the kept file says, then what the published one does */
    uint32_t cksum;
    double change;                      /* largest change of a real on the way into the package */
} published;

typedef struct {
    publish_about about;
    run_folder folder;
    run_history history;
    segments segments;
    run_input *input;                   /* of every segment; without segments one, the folder's */
    int inputs;
    state_files files;
    int count;
    published *item;                    /* oldest first */
    fault_list missing;                 /* a line for everything that is missing or wrong */
} publication;

/* Look at everything; p->missing.count == 0 if all of it is there.  Release with publication_free either way. */
void publication_inspect(publication *p, const publish_request *request, const char *about, const char *directory);
void publication_free(publication *p);

/* The parameters of the newest segment. */
const run_params *publication_params(const publication *p);

#endif
