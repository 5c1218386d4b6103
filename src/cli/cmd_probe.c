/* cmd_probe.c - kiln probe: links, operators, forces, energies and trajectories, to compare Kiln with other codes. */
#include "src/cli/subcommands.h"
#include "src/probe/probe.h"

int cmd_probe(int argc, char **argv)
{
    static const subcommand probes[] = {
        { "links", "write the links of a configuration, thin or smeared", probe_links },
        { "apply", "apply a Dirac operator to a vector", probe_apply },
        { "solve", "solve a linear system with a Dirac operator", probe_solve },
        { "gauge-force", "write the force of a gauge action", probe_gauge_force },
        { "force", "write the force of a monomial of an input", probe_force },
        { "energy", "print the gauge action, or all terms of an input, and the kinetic energy", probe_energy },
        { "trajectory", "integrate from given links, momenta and pseudofermions", probe_trajectory },
        { 0 }
    };
    static const subcommand_group group = {
        "kiln probe", "For comparison with other codes: fields as NumPy files, numbers as JSON.", probes
    };
    return subcommand_group_run(&group, argc, argv);
}
