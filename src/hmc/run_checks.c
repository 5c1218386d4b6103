/* run_checks.c - the table of checks that read several groups of an input. */
#include "src/hmc/run_checks.h"

#include "src/hmc/pure_gauge.h"
#include "src/hmc/smd.h"
#include "src/hmc/tempering.h"

const run_check run_checks[] = {
    { smd_check, "smd", "gamma", "smd: gamma" },
    { smd_start_check, "hmc", "start_action_every", "hmc.start_action_every" },
    { pure_gauge_check, "heatbath", NULL, "heatbath" },
    { pure_gauge_start_check, "start", "heatbath", "start.heatbath" },
    { tempering_check, "tempering", NULL, "tempering" },
    { 0 }
};
