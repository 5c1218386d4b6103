/* start_su3.h - whether the quarks of the action can use the links of the start file as they are stored. */
#ifndef KILN_HMC_START_SU3_H
#define KILN_HMC_START_SU3_H

#include "src/hmc/run_params.h"

/* Whether the first trajectory begins with the links of start.file as they are stored: start.reunitarize is false, and
 * no start sweeps update them. */
bool start_keeps_links(const run_params *p);

/* False with the reason if links that deviate from SU(3) by `deviation` stop the first trajectory: they are kept, and a
 * monomial refuses them (monomial_kind.su3_links). */
bool start_su3_accepts(const run_params *p, double deviation, failure *f);

/* The same for the links of the first time slice of the file, which it reads if a monomial may refuse them; *readable
 * <- whether that was possible, and no link is so far from SU(3) that the file is damaged. */
bool start_su3_check_file(const run_params *p, bool *readable, failure *f);

#endif
