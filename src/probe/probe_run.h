/* probe_run.h - shared by the probes with --input: the terms of an input on fields from files. */
#ifndef KILN_PROBE_PROBE_RUN_H
#define KILN_PROBE_PROBE_RUN_H

#include "src/hmc/hmc.h"
#include "src/hmc/run_input.h"
#include "src/options/run_options.h"
#include "src/probe/probe.h"

#define INPUT_OPTION(needed)                                                                                           \
    { .name = "input", .value = "INPUT.yaml", .doc = "an input of kiln run: monomials and hmc",                        \
      .type = OPTION_TEXT, .path = PATH_READ, .offset = offsetof(probe_options, input), .required = needed }

#define PSEUDOFERMION_OPTION                                                                                           \
    { .name = "pseudofermion", .value = "PHI.npy", .doc = "a pseudofermion field; once for each field, in the order\n" \
      "of the input", .type = OPTION_TEXTS, .path = PATH_READ, .offset = offsetof(probe_options, pseudofermions) },    \
    BASIS_OPTION

#define PSEUDOFERMION_SHAPES                                                                                           \
    "arrays over all sites, of staggered quarks " VECTOR_SHAPE ",\n"                                                   \
    "of domain-wall quarks and, with one slice, Wilson quarks " SPINOR_SHAPE

typedef struct {
    run_input in;
    const char *path;                 /* of the configuration, borrowed */
    configuration_facts facts;
    gauge *u;
    momentum *p;                      /* of --momenta; without, zero */
    hmc *h;
} probe_run;

/* Open --input, --momenta and the configuration at `path`; collective, as are the functions below.  GO_ON (then call
 * probe_run_close), or an exit status after messages on stderr. */
int probe_run_open(probe_run *r, const probe_options *o, const char *path);
void probe_run_close(probe_run *r);

/* Read the files of --pseudofermion into the fields of `count` terms, from term `first` on, and prepare these terms for
 * the links.  GO_ON, or an exit status after messages. */
int probe_run_prepare(probe_run *r, const usage *words, const probe_options *o, int first, int count);

/* Append the members "H", "kinetic" (both only with_momenta), one for each term, and "plaquette" to an open object. */
void probe_energies_to_json(json *j, const probe_run *r, const hmc_energies *e, bool with_momenta, double plaquette);

/* Append "monomials", the report of each of `count` terms. */
void probe_reports_to_json(json *j, const probe_run *r, int first, int count);

/* A message on stderr; EXIT_FAILED. */
int probe_run_failure(const probe_run *r, const hmc_failure *problem);

#endif
