/* bench_solver.h - kiln bench solver. */
#ifndef KILN_CLI_BENCH_BENCH_SOLVER_H
#define KILN_CLI_BENCH_BENCH_SOLVER_H

#include "src/options/subcommand_group.h"

subcommand_main bench_solver;

#endif
