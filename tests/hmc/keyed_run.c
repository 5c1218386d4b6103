/* keyed_run.c - the input, the links and the keys of such a run. */
#include "tests/hmc/keyed_run.h"

#include "src/lattice/rng.h"
#include "tests/facts.h"
#include "tests/hmc/run_text.h"

/* %s: the keys that differ from case to case; the folder. */
#define INPUT                                                     \
    "lattice: [4, 4, 4, 4]\n"                                     \
    "random: { seed: %" PRId64 ", stream: %d }\n"                 \
    "monomials:\n"                                                \
    "  - { kind: gauge, name: first, action: wilson, beta: 3 }\n" \
    "%s\n"                                                        \
    "output: { directory: \"%s/e\", name: c, configuration_every: 1 }\n"

rng_key keyed_run_key(uint32_t trajectory, uint32_t purpose)
{
    return (rng_key){ { (uint32_t)SEED, (uint32_t)(SEED >> 32) }, { trajectory, (uint32_t)STREAM << 16 | purpose } };
}

keyed_run keyed_run_create(place where, const char *keys)
{
    keyed_run x = { .s = scratch_create() };
    run_from_text(&x.in, INPUT, (int64_t)SEED, STREAM, keys, x.s.folder);
    x.l = lattice_create_single(x.in.p.extents);
    x.u = gauge_create(x.l, where, PRECISION_DOUBLE);
    x.expected = gauge_create(x.l, where, PRECISION_DOUBLE);
    gauge_set_random(x.u, keyed_run_key(1, RNG_TEST));
    gauge_copy(x.expected, x.u);
    return x;
}

void keyed_run_free(keyed_run *x)
{
    char command[400];
    gauge_free(x->expected);
    gauge_free(x->u);
    lattice_free(x->l);
    run_input_free(&x->in);
    snprintf(command, sizeof command, "rm -rf '%s'", x->s.folder);
    require(system(command) == 0, "%s cannot be removed", x->s.folder);
}

double keyed_run_kinetic(const keyed_run *x, rng_key key)
{
    momentum *p = momentum_create(x->l, x->u->links.where, PRECISION_DOUBLE);
    momentum_set_gaussian(p, key);
    double kinetic = momentum_kinetic(p);
    momentum_free(p);
    return kinetic;
}
