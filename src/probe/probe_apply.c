/* probe_apply.c - kiln probe apply: apply a Dirac operator to a vector. */
#include "src/probe/probe_quarks.h"

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
        .about = "Applies the Dirac operator of staggered (hisq, asqtad, naive), domain-wall, overlap or Wilson\n"
                 "quarks, without or with a clover term, to a vector and prints norms as JSON.\n"
                 "`kiln probe apply --operator OP --help` shows formulas, arrays and options of an operator.",
        .work = apply,
    };
    return probe_command_run(&command, argc, argv);
}
