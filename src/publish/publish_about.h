/* publish_about.h - facts for a publication that a run does not know: authors, names, license, machine. */
#ifndef KILN_PUBLISH_PUBLISH_ABOUT_H
#define KILN_PUBLISH_PUBLISH_ABOUT_H

#include "src/config/schema.h"

typedef struct {
    char *collaboration, *project, *ensemble;
    char *alias, *reference;                                 /* "": not given */
    char *grid, *path;                                       /* mc://GRID/PATH, lfn://GRID/PATH/FILE */
    char *series;
    char *archived;                                          /* date of entry into the catalog; "": not yet */
    struct { char *name, *uri; } license;
    struct { char *name, *institution, *orcid; } participant;
    struct { char *name, *institution, *type; } machine;
    struct { char *date; } code;
    struct { char *glossary, *reference; } algorithm;        /* "": those of the algorithm of the run */
} publish_about;

extern const param_spec publish_about_specs[];

/* Append the template of such a file, with an explanation of every key. */
void publish_about_template(text *out);

/* Read and check the file, and collect all faults.  Release with publish_about_free, also after faults. */
bool publish_about_read(publish_about *about, const char *path, fault_list *faults);
void publish_about_free(publish_about *about);

/* "mc://GRID/PATH", "lfn://GRID/PATH/FILE" */
void publish_chain_uri(text *out, const publish_about *about);
void publish_lfn(text *out, const publish_about *about, const char *file);

#endif
