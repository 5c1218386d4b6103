/* long_record.c - the lines of a record that no program has made. */
#include "tests/report/long_record.h"

#include "tests/io/scratch.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>

static void write_monomial(FILE *file, int i, bool unusual)
{
    const bool odd = unusual && i == 500;
    fprintf(file, "\"force\": [{\"term\": \"quarks\", \"level\": 0, \"rms\": 1, \"max\": %g}], ", odd ? 9. : 2.);
    fprintf(file, "\"monomials\": {\"quarks\": {\"pseudofermions\": [{\"determinant\": \"x\", ");
    fprintf(file, "\"force\": {\"solves\": 1, \"iterations\": %d, \"residual\": %g}}], ", unusual ? i : 7,
            odd ? 1e-3 : 1e-6);
    fprintf(file, "\"force_eigenvalues\": {\"filtered\": %d}, \"spectrum\": {\"range_end\": %d}, ", odd ? 3 : 0,
            unusual && i > 300 ? 24 : 22);
    fprintf(file, "\"mixed_precision\": {\"force\": {\"switches\": %d}}}}, ", odd);
}

void long_record_write(const char *path, int lines, bool unusual)
{
    FILE *file = fopen(path, "w");
    double plaquette = 0, charge = 0;
    uint64_t seed = 11;
    for (int i = 1; i <= lines; i++) {
        const bool odd = unusual && i == 500, rejected = unusual && i >= 600 && i < 607;
        const double dh = odd ? 40 : 0.2 * (scratch_uniform(&seed) - 0.5);
        plaquette = 0.8 * plaquette + (scratch_uniform(&seed) - 0.5);
        charge = 0.95 * charge + (scratch_uniform(&seed) - 0.5);
        fprintf(file, "{\"trajectory\": %d, \"accepted\": %s, \"thermalization\": %s, ", i,
                odd || rejected ? "false" : "true", i <= LONG_THERMALIZATION ? "true" : "false");
        fprintf(file, "\"dH\": %.17g, \"exp_minus_dH\": %.17g, \"plaquette\": {\"average\": %.17g}, ", dh, exp(-dh),
                0.5 + 0.01 * plaquette + exp(-i / 2.));
        if (i % 2 == 0)
            fprintf(file, "\"measurements\": {\"flow\": {\"kind\": \"flow\", \"charge\": %.17g, \"converged\": %s}}, ",
                    charge, odd ? "false" : "true");
        write_monomial(file, i, unusual);
        if (odd)
            fprintf(file, "\"sdc_check\": {\"term\": \"quarks\", \"what\": \"force\", \"mismatches\": 1}, ");
        fprintf(file, "\"seconds\": 1, \"wall_seconds\": 2, \"timers\": [{\"name\": \"files\", \"self\": 0.5}, ");
        fprintf(file, "{\"name\": \"trajectory\", \"self\": 0.5, \"children\": [{\"name\": \"a\", \"self\": 0.25}, ");
        fprintf(file, "{\"name\": \"b\", \"self\": 0.75, \"children\": []}]}]}\n");
    }
    fclose(file);
}

void long_record_parameters(const char *path, int trajectories)
{
    FILE *file = fopen(path, "w");
    fprintf(file, "lattice: [2, 2, 2, 2]\nrandom: { seed: 1 }\nstart: { from: cold }\n"
                  "monomials:\n  - { kind: gauge, name: g, action: wilson, beta: 5.7 }\n"
                  "hmc:\n  trajectory_length: 0.5\n  levels: [{ integrator: omelyan, steps: 2, monomials: [g] }]\n"
                  "  trajectories: %d\n  thermalization: 10\noutput: { directory: there, name: x }\n", trajectories);
    fclose(file);
}
