/* subcommands.h - the subcommands of `kiln`, in the order of `kiln --help`; one line each. */
#ifndef KILN_CLI_SUBCOMMANDS_H
#define KILN_CLI_SUBCOMMANDS_H

#include "src/cli/subcommand_group.h"

#define SUBCOMMANDS(X)                                                                    \
    X(run, "start or continue the ensemble that an input describes")                      \
    X(submit, "write a SLURM script that generates an ensemble, job after job")           \
    X(check, "validate an input; print all defaults, memory, work of a trajectory")       \
    X(plan, "predict the memory, time and disk space of a run")                           \
    X(tune, "choose the integrator of an input by measurement, for a target acceptance")  \
    X(status, "print progress and results of an ensemble")                                \
    X(watch, "follow a run on a page in the terminal")                                    \
    X(report, "write an ensemble as one HTML page: verdict, numbers, plots")              \
    X(audit, "check that a stream has no gap, fork, repeated seed or silent change")      \
    X(replay, "repeat the step at which a run failed")                                    \
    X(measure, "measure configurations: plaquette, rectangle, Polyakov loop, ...")        \
    X(verify, "check configurations: checksum, unitarity, plaquette, link trace")         \
    X(convert, "convert a configuration to ILDG, SciDAC, NERSC archive or MILC v5")       \
    X(publish, "export an ensemble as ILDG files with QCDml documents and a manifest")    \
    X(probe, "compare with other codes: links, forces, energies, ... as NumPy files")     \
    X(rational, "make and check rational functions for quarks, also MILC's files")        \
    X(bench, "time kernels and solvers, and compare with the limits of the machine")      \
    X(selftest, "test this program on this machine and device, in less than two minutes") \
    X(version, "print how this program was built, its libraries, and usable devices")

#define DECLARE(name, summary) subcommand_main cmd_##name;
SUBCOMMANDS(DECLARE)
#undef DECLARE

#endif
