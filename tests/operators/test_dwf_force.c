/* test_dwf_force.c - the force of domain-wall quarks: derivatives and symmetries (force_facts.h). */
#include "src/base/memory.h"
#include "tests/facts.h"
#include "tests/on_every_backend.h"
#include "tests/operators/force_facts.h"

enum { SLICES = 4 };

#define SHAMIR { SLICES, 1.8, { 1, 1, 1, 1 }, { 0 } }
#define MOBIUS { SLICES, 1.4, { 1.5, 1.5, 1.5, 1.5 }, { 0.5, 0.5, 0.5, 0.5 } }
#define VARIED { SLICES, 1.8, { 0.5, 1.2, 2, 0.9 }, { 0.3, 0.8, 0.1, 0.6 } }
static const quark_action actions[] = {
    { "two flavors, Shamir", SHAMIR, 0.1, 1, { 0 }, quarks_two_flavors },
    { "two flavors, Moebius", MOBIUS, 0.1, 1, { 0 }, quarks_two_flavors },
    { "two flavors, weights that vary", VARIED, 0.07, 1, { 0 }, quarks_two_flavors },
    { "ratio, Moebius", MOBIUS, 0.1, 1, { 0 }, quarks_ratio },
    { "ratio, weights that vary", VARIED, 0.07, 0.4, { 0 }, quarks_ratio },
    { "turned ratio, weights that vary", VARIED, 0.07, 0.4, { 0 }, quarks_turned_ratio },
    { "products, weights that vary", VARIED, 0.07, 1, { 0 }, quarks_products },
    { "products, Moebius with a corner", MOBIUS, 0.1, 1, { 0, 0.6, 1. / 3 }, quarks_products },
    { "hops", SHAMIR, 0, 1, { 0 }, quarks_hops },
};
enum { ACTIONS = sizeof actions / sizeof *actions, SHOWN = 4 };

int main(void)
{
    double *first[ACTIONS] = { NULL };
    FOR_EVERY_PLACE(where)
        quark_force_facts(actions, ACTIONS, &actions[SHOWN], where, first);
    for (int n = 0; n < ACTIONS; n++)
        memory_free(first[n]);
    return facts_end();
}
