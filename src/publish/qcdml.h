/* qcdml.h - the two documents of QCDml 2.0, the metadata of the International Lattice Data Grid: of an ensemble and of
 * each of its configurations.
 *
 * ILDG Metadata Working Group, P. Coddington et al., arXiv:0710.0230 (structure); namespaces ensemble2.0, config2.0. */
#ifndef KILN_PUBLISH_QCDML_H
#define KILN_PUBLISH_QCDML_H

#include "src/publish/publish_about.h"
#include "src/hmc/run_params.h"
#include "src/io/xml_write.h"

typedef struct {
    const publish_about *about;
    const run_params *p;
    const char *parameters;             /* the whole input of the run as text */
    int configurations;
} qcdml_ensemble_facts;

/* Append the document; false with the reason where an action has no description in QCDml. */
bool qcdml_ensemble(text *out, const qcdml_ensemble_facts *e, failure *f);

typedef struct {
    const publish_about *about;
    const run_params *p;
    const char *file, *version, *time;  /* name of the ILDG file; program and time of the trajectory */
    int64_t trajectory;
    int bits;                           /* of the file */
    uint32_t cksum;                     /* of its record ildg-binary-data (posix_cksum) */
    double plaquette;
} qcdml_configuration_facts;

void qcdml_configuration(text *out, const qcdml_configuration_facts *c);

/* Append the element "action": gluons, then quarks; intermediate (Hasenbusch) masses cancel, and the number of flavors
 * of the others must be positive.  False with the reason. */
bool qcdml_action(xml_document *x, const run_params *p, failure *f);

/* The name of the algorithm, and its parameters as elements "parameter". */
const char *qcdml_algorithm_name(const run_params *p);
void qcdml_algorithm_parameters(xml_document *x, const run_params *p);

#endif
