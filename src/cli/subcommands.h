/* subcommands.h - what `kiln` can do, in the order in which `kiln --help` shows it; one line each. */
#ifndef KILN_CLI_SUBCOMMANDS_H
#define KILN_CLI_SUBCOMMANDS_H

#include "src/cli/subcommand_group.h"

#define SUBCOMMANDS(X)                                                                    \
    X(run, "start or continue the ensemble that an input describes")                      \
    X(submit, "a script for SLURM that makes an ensemble, job after job")                 \
    X(check, "validate an input: all defaults, memory, work of a trajectory")             \
    X(plan, "what a run will take: memory, time by a short probe, disk; what would fit")  \
    X(tune, "the integrator of an input, chosen by measurement for a target acceptance")  \
    X(status, "how an ensemble fares: acceptance, <exp(-dH)>, plaquette, time")           \
    X(watch, "a page in the terminal that follows a run")                                 \
    X(report, "an ensemble as one page in HTML: verdict, numbers, plots")                 \
    X(audit, "prove that a stream has no gap, fork, repeated seed or silent change")      \
    X(replay, "repeat the step at which a run could not go on")                           \
    X(measure, "observables of configurations: plaquette, rectangle, Polyakov loop, ...") \
    X(verify, "check configurations: checksum, unitarity, plaquette, link trace")         \
    X(convert, "a configuration in another format: ILDG, SciDAC, NERSC archive, MILC v5") \
    X(publish, "an ensemble as ILDG files with QCDml documents and a manifest")           \
    X(probe, "links, forces, energies, trajectories as NumPy files, to compare codes")    \
    X(rational, "rational functions for quarks: poles, residues, errors, MILC's files")   \
    X(bench, "how fast the kernels are here, beside how fast they could be")              \
    X(selftest, "is everything right on this machine and device; under two minutes")      \
    X(version, "how this program was built, its libraries, and the devices it sees")

#define DECLARE(name, summary) subcommand_main cmd_##name;
SUBCOMMANDS(DECLARE)
#undef DECLARE

#endif
