/* selftest_numbers.c - published random numbers, and sums that do not depend on their order. */
#include "src/selftest/selftest.h"

#include "src/gauge/gauge_observables.h"
#include "src/lattice/rng.h"

#include <math.h>
#include <omp.h>
#include <string.h>

/* D. E. Shaw Research, Random123, kat_vectors: philox4x32 with 10 rounds. */
static const struct { philox_words counter; uint32_t key[2]; philox_words answer; } known[] = {
    { { { 0, 0, 0, 0 } }, { 0, 0 }, { { 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8 } } },
    { { { 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff } },
      { 0xffffffff, 0xffffffff },
      { { 0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd } } },
    { { { 0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344 } },        /* the digits of pi */
      { 0xa4093822, 0x299f31d0 },
      { { 0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1 } } },
};

void selftest_random(selftest *t)
{
    static const int extents[4] = { 8, 8, 8, 8 };
    bool same = true;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        philox_words got = philox(known[i].counter, known[i].key[0], known[i].key[1]);
        same = same && memcmp(&got, &known[i].answer, sizeof got) == 0;
    }
    if (t->where == PLACE_CPU)
        selftest_fact(t, same, "Philox 4x32-10 gives the published numbers");

    /* T is half the sum of the squares of n normal numbers: mean n/2, variance n/2. */
    selftest_fields f = selftest_fields_create(t->where, extents);
    double n = 8 * 4 * (double)lattice_volume(f.l);
    selftest_close(t, momentum_kinetic(f.p) / (n / 2), 1, 4 * sqrt(2 / n),
                   "momenta: kinetic energy is 1/2 per degree of freedom (%.0f), within 4 sigma", n);

    /* Tr U of the Haar measure has mean 0 and <(Re Tr U)^2> = 1/2. */
    gauge_set_random(f.u, rng_key_for(1, 0, 0, RNG_START_LINKS));
    link_quality_means quality = gauge_link_quality(f.u);
    selftest_close(t, quality.link_trace, 0, 4 * sqrt(0.5 / (4 * (double)lattice_volume(f.l))) / 3,
                   "hot links: mean of Re Tr U / 3 is 0, within 4 sigma");
    selftest_close(t, quality.unitarity, 0, 1e-14, "hot links are in SU(3)");
    selftest_fields_free(&f);
}

void selftest_sums(selftest *t)
{
    static const int extents[4] = { 4, 4, 6, 8 };
    int threads = omp_get_max_threads();
    selftest_fields f = selftest_fields_create(t->where, extents);
    double plaquette[4], kinetic[4];
    bool same = true;
    for (int n = 0; n < 4; n++) {
        omp_set_num_threads(n + 1);
        plaquette[n] = gauge_plaquette(f.u).average;
        kinetic[n] = momentum_kinetic(f.p);
        same = same && plaquette[n] == plaquette[0] && kinetic[n] == kinetic[0];
    }
    omp_set_num_threads(threads);
    selftest_fact(t, same, "sums are the same to the last bit with 1, 2, 3 and 4 threads");
    selftest_fields_free(&f);
}
