/* probe_solve.c - kiln probe solve: solve a linear system with a Dirac operator. */
#include "src/base/log.h"
#include "src/cli/probe/probe_quarks.h"

static int solve(json *j, probe_quarks *q, probe_vector x, probe_vector b)
{
    const probe_solution s = q->family->solve(q, x, b);
    if (q->family->solver)
        json_text(j, "solver", q->family->solver(q));
    json_bool(j, "converged", s.converged);
    if (q->family->solver)
        json_int(j, "solves", s.solves);
    json_int(j, "iterations", s.iterations);
    json_real(j, "true_residual", s.residual);
    if (s.converged)
        return EXIT_OK;
    log_line(LOG_ERROR, "the solve did not converge: true residual %.3g after %s, requested %.3g", s.residual,
             count_to_text(s.iterations, "iteration").s, q->options->residual);
    return EXIT_FAILED;
}

int probe_solve(int argc, char **argv)
{
    static const probe_command command = {
        .name = "probe solve",
        .about = "Solves a linear system with the Dirac operator of staggered (hisq, asqtad, naive), domain-wall or\n"
                 "Wilson quarks, without or with a clover term, by conjugate gradients, and prints iterations and the\n"
                 "true residual as JSON.\n"
                 "`kiln probe solve --operator OP --help` shows systems, arrays and options of an operator.",
        .solves = true,
        .work = solve,
    };
    return probe_command_run(&command, argc, argv);
}
