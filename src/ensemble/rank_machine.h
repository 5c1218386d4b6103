/* rank_machine.h - the machine and the device of a rank, for people. */
#ifndef KILN_ENSEMBLE_RANK_MACHINE_H
#define KILN_ENSEMBLE_RANK_MACHINE_H

#include "src/lattice/field.h"

/* Of the calling rank; device: "CPU", or "GPU 0, NVIDIA H200, bus 0000:1b:00.0". */
typedef struct { char host[128], device[320]; } rank_machine;
rank_machine rank_machine_here(place where);

#endif
