/* probe_apply.c - kiln probe apply: a Dirac operator on a vector. */
#include "src/cli/probe/probe_quarks.h"

static int apply(json *j, probe_quarks *q, probe_vector out, probe_vector in)
{
    q->family->apply(q, out, in);
    json_real(j, "source_norm2", probe_vector_norm2(in));
    json_real(j, "norm2", probe_vector_norm2(out));
    return EXIT_OK;
}

int probe_apply(int argc, char **argv)
{
    static const probe_command command = {
        .name = "probe apply",
        .about = "Applies a Dirac operator of a configuration to a vector, and prints norms as JSON: staggered quarks\n"
                 "(hisq, asqtad, naive), domain-wall quarks or Wilson quarks.\n"
                 "`kiln probe apply --operator OP --help` has the formulas, the arrays and the options of an operator.",
        .work = apply,
    };
    return probe_command_run(&command, argc, argv);
}
