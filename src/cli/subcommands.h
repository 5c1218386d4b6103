/* subcommands.h - the subcommands of `kiln`, in the order of `kiln --help`; one line each.
 *
 * ALL_RANKS: under mpirun the command runs on all ranks, which share its lattice.  ROOT: on rank 0 alone. */
#ifndef KILN_CLI_SUBCOMMANDS_H
#define KILN_CLI_SUBCOMMANDS_H

#include "src/options/subcommand_group.h"

#include <stdbool.h>

enum { ROOT = false, ALL_RANKS = true };

#define SUBCOMMANDS(X)                                                                              \
    X(new, ROOT, "write an input for an action, a lattice spacing and a pion mass")                 \
    X(run, ALL_RANKS, "start or continue the ensemble that an input describes")                     \
    X(submit, ROOT, "write a job script that generates an ensemble, job after job")                 \
    X(check, ROOT, "validate an input; print all defaults, memory, work of a trajectory")           \
    X(plan, ALL_RANKS, "predict the memory, time and disk space of a run")                          \
    X(tune, ALL_RANKS, "choose the integrator of an input by measurement, for a target acceptance") \
    X(status, ROOT, "print progress and results of an ensemble")                                    \
    X(watch, ROOT, "follow a run on a page in the terminal")                                        \
    X(report, ROOT, "write an ensemble as one HTML page: verdict, numbers, plots")                  \
    X(audit, ALL_RANKS, "check that a stream has no gap, fork, repeated seed or silent change")     \
    X(replay, ALL_RANKS, "repeat the step at which a run failed")                                   \
    X(measure, ALL_RANKS, "measure configurations: plaquette, rectangle, Polyakov loop, ...")       \
    X(verify, ROOT, "check configurations: checksum, unitarity, plaquette, link trace")             \
    X(convert, ROOT, "convert a configuration: ILDG, SciDAC, NERSC archive, MILC v5, openQCD")      \
    X(gaugefix, ALL_RANKS, "write a configuration in Landau's or Coulomb's gauge")                  \
    X(publish, ROOT, "export an ensemble as ILDG files with QCDml documents and a manifest")        \
    X(export, ROOT, "write measurements of ensembles and of kiln measure as an HDF5 file")          \
    X(probe, ALL_RANKS, "compare with other codes: links, forces, energies, ... as NumPy files")    \
    X(rational, ROOT, "make and check rational functions for quarks, also MILC's files")            \
    X(bench, ALL_RANKS, "time kernels and solvers, and compare with the limits of the machine")     \
    X(selftest, ROOT, "test this program on this machine and device, in less than two minutes")     \
    X(version, ROOT, "print how this program was built, its libraries, and usable devices")

#define DECLARE(name, ranks, summary) subcommand_main cmd_##name;
SUBCOMMANDS(DECLARE)
#undef DECLARE

#endif
