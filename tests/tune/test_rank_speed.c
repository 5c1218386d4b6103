/* test_rank_speed.c - advice on the number of GPUs: against what was measured on two H100 (docs/performance.md, "Two
 * H100"), and what holds for any model of exchanges. */
#include "src/tune/rank_speed.h"
#include "tests/facts.h"
#include "tests/hmc/run_text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static rank_speed speed_of(const char *name, const char *set, int ranks, const transport *way)
{
    char path[4096];
    fault_list faults = { 0 };
    run_input in;
    const char *folder = getenv("srcdir");
    rank_speed s = { ranks, 0, NAN };
    snprintf(path, sizeof path, "%s/input/%s", folder ? folder : ".", name);
    if (run_input_read(&in, path, &(char *const){ (char *)set }, 1, &faults)) {
        s = rank_speed_find(&in.p, ranks, 0, way);
        run_input_free(&in);
    }
    fault_list_free(&faults);
    return s;
}

int main(void)
{
    /* seconds of a trajectory on one GPU, and on two by each transport */
    static const struct { const transport *way; double one, two; } small[] = {
        { &transport_peer, 0.70, 1.56 }, { &transport_nccl, 0.70, 2.38 }, { &transport_host, 0.70, 4.80 },
    };
    for (size_t i = 0; i < sizeof small / sizeof *small; i++) {
        const rank_speed s = speed_of("f211_6x6x6x6.yaml", "lattice=[8,8,8,16]", 2, small[i].way);
        const double measured = small[i].two / small[i].one;
        fact(s.fastest == 1 && rank_speed_is_low(&s) && s.ratio > measured / 1.5 && s.ratio < measured * 1.5,
             "8^3x16 by %s: %d GPU is %.1f times faster than two, %.1f were measured", transport_name(small[i].way),
             s.fastest, s.ratio, measured);
    }
    rank_speed s = speed_of("f211_6x6x6x6.yaml", "lattice=[16,16,16,16]", 2, &transport_peer);
    fact(s.fastest == 1 && rank_speed_is_low(&s) && s.ratio < 1.5, "16^4: one GPU is %.2f times faster than two, 1.12 "
         "and 1.25 were measured", s.ratio);
    s = speed_of("f211_6x6x6x6.yaml", "lattice=[24,24,24,48]", 2, &transport_peer);
    fact(s.fastest == 2 && !rank_speed_is_low(&s), "24^3x48: two GPUs are faster, as measured (2.18 s, 3.70 s)");
    s = speed_of("f211_6x6x6x6.yaml", "lattice=[16,16,16,32]", 2, &transport_peer);
    fact(s.fastest == 2 && !rank_speed_is_low(&s), "16^3x32: also there (0.65 s, 0.79 s)");
    s = speed_of("hisq_48x48x48x96.yaml", "lattice=[48,48,48,96]", 8, &transport_peer);
    fact(s.fastest == 8, "48^3x96: so are eight");
    s = speed_of("wilson_8x8x8x8.yaml", "lattice=[8,8,8,8]", 1, &transport_peer);
    fact(s.fastest == 1 && s.ratio == 1, "one GPU is as fast as itself");
    s = speed_of("quenched_8x8x8x8.yaml", "lattice=[8,8,8,8]", 2, &transport_host);
    fact(!rank_speed_is_low(&s), "without solves there is no advice");

    fact(!rank_speed_is_missed(3, 1000, NAN) && !rank_speed_is_missed(3, 0, 1e-3), "no model, or no iteration: no "
         "warning");
    fact(!rank_speed_is_missed(4.9, 10000, 1e-4) && rank_speed_is_missed(5.1, 10000, 1e-4)
         && !rank_speed_is_missed(1.9, 10, 1e-4), "solves are slow from five times the expected time on, from 2 s on");

    text words = { 0 };
    rank_speed_add_advice(&words, &(rank_speed){ 4, 2, 1.53 });
    fact(strncmp(text_string(&words), "2 GPUs are about 1.5 times faster than 4: ", 42) == 0, "%s",
         text_string(&words));
    text_free(&words);
    return facts_end();
}
