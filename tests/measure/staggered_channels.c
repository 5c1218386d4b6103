/* staggered_channels.c - sums of densities with the signs of local operators. */
#include "tests/measure/staggered_channels.h"

#include <stddef.h>

const char *const channels[CHANNELS] = { "pion", "pion_t5", "rho_i", "rho_it" };

/* By the definition of the operators gamma_S x xi_S: the sign phi of the local operator at a site, times epsilon of the
 * antiquark's propagator.  Direction i of the rho mesons is 0, 1 or 2. */
static int sign_of(int channel, int i, const int x[4])
{
    const int epsilon = (x[0] + x[1] + x[2] + x[3]) % 2 ? -1 : 1;
    const int at_t = x[3] % 2 ? -1 : 1, at_i = x[i] % 2 ? -1 : 1;
    const int phi[CHANNELS] = { epsilon, at_t, epsilon * at_i, at_i * at_t };
    return phi[channel] * epsilon;
}

/* The mean over i; signs count from the source. */
double channel_at(int channel, int t, const double *density, const int n[4], const int source[4])
{
    double sum = 0;
    int x[4];
    for (x[2] = 0; x[2] < n[2]; x[2]++)
        for (x[1] = 0; x[1] < n[1]; x[1]++)
            for (x[0] = 0; x[0] < n[0]; x[0]++) {
                const int from[4] = { (x[0] - source[0] + n[0]) % n[0], (x[1] - source[1] + n[1]) % n[1],
                                      (x[2] - source[2] + n[2]) % n[2], t };
                const size_t site = (((size_t)((t + source[3]) % n[3]) * (size_t)n[2] + (size_t)x[2]) * (size_t)n[1]
                                     + (size_t)x[1]) * (size_t)n[0] + (size_t)x[0];
                for (int i = 0; i < 3; i++)
                    sum += sign_of(channel, i, from) * density[site] / 3;
            }
    return sum;
}
