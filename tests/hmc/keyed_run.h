/* keyed_run.h - a run of pure gauge links whose random numbers are to be those of keys that a test assembles itself.
 *
 *     key   {seed, low and high word}, {trajectory, stream << 16 | purpose}          (src/site/philox.h)
 *
 * All words of the keys differ from zero, so that a program that drops one of them draws other numbers. */
#ifndef KILN_TESTS_HMC_KEYED_RUN_H
#define KILN_TESTS_HMC_KEYED_RUN_H

#include "src/gauge/momentum.h"
#include "src/hmc/run_input.h"
#include "src/site/philox.h"
#include "tests/io/scratch.h"

#define SEED 0x1234567889abcdef
#define STREAM 0xa0b1
#define NUMBER 0xc0000005

/* With the seed and the stream of the run. */
rng_key keyed_run_key(uint32_t trajectory, uint32_t purpose);

/* u: random links; expected: the same, for the test to update.  An ensemble may be written to s.folder/e, as c. */
typedef struct { scratch s; run_input in; lattice *l; gauge *u, *expected; } keyed_run;

/* Of 4^4 sites, with the action of Wilson, named `first`, at beta 3; keys: what follows this term in the input, other
 * terms first. */
keyed_run keyed_run_create(place where, const char *keys);
void keyed_run_free(keyed_run *x);

/* Of momenta that are drawn with this key. */
double keyed_run_kinetic(const keyed_run *x, rng_key key);

#endif
