/* cmd_probe.c - kiln probe: fields, forces, energies and trajectories for comparison with other codes. */
#include "src/cli/probe/probe.h"
#include "src/cli/subcommands.h"

int cmd_probe(int argc, char **argv)
{
    static const subcommand probes[] = {
        { "links", "the links of a configuration, thin or smeared", probe_links },
        { "apply", "a Dirac operator on a vector", probe_apply },
        { "solve", "a linear system with a Dirac operator", probe_solve },
        { "gauge-force", "the force of a gauge action", probe_gauge_force },
        { "force", "the force of a monomial of an input", probe_force },
        { "energy", "gauge action, or all terms of an input, and kinetic energy", probe_energy },
        { "trajectory", "molecular dynamics from given links, momenta and pseudofermions", probe_trajectory },
        { 0 }
    };
    static const subcommand_group group = {
        "kiln probe", "Compares Kiln with other codes: fields as NumPy files, numbers as JSON.", probes
    };
    return subcommand_group_run(&group, argc, argv);
}
