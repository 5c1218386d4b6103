/* probe.h - the port through which other codes are compared with Kiln: NumPy files in and out.
 *
 * Matrix fields are float64 [t][z][y][x][mu = x,y,z,t][row][col][re,im]. */
#ifndef KILN_CLI_PROBE_H
#define KILN_CLI_PROBE_H

#include "actions/gauge_action.h"
#include "src/cli/cli.h"
#include "src/cli/device_choice.h"
#include "src/io/configuration.h"

typedef struct {
    gauge_params action;
    const char *momenta, *final_momenta, *input;
    option_texts sets;
    bool reunitarize;
    device_choice device;
} probe_options;

/* What all probes understand. */
#define PROBE_OPTIONS                                                                                                  \
    { .name = "reunitarize", .doc = "bring the links to SU(3) in double precision after reading\n"                     \
      "(default: as stored)", .type = OPTION_FLAG, .offset = offsetof(probe_options, reunitarize) },                   \
    DEVICE_OPTIONS(probe_options, device)

/* The configuration on the device chosen; NULL after a message on stderr. */
gauge *probe_open(const probe_options *o, const char *path, configuration_facts *facts);

/* Momenta from a file like `u`; NULL after a message on stderr. */
momentum *probe_momenta(const char *path, const gauge *u);

/* Write links or momenta; an exit status, told on stderr where it is not EXIT_OK. */
int probe_write_links(const char *path, const gauge *u);
int probe_write_momenta(const char *path, const momentum *p);

subcommand_main probe_trajectory;

#endif
