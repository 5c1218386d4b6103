/* selftest.h - facts that must hold on this machine, with these compilers and this device.
 *
 * A part is a function that reports facts about one place; each part has a line of the table in selftest.c. */
#ifndef KILN_SELFTEST_SELFTEST_H
#define KILN_SELFTEST_SELFTEST_H

#include "actions/gauge_action.h"
#include "src/base/json.h"
#include "src/gauge/gauge.h"

typedef struct {
    place where;           /* the place that the current part tests */
    bool as_json;
    json j;
    int passed, failed;
} selftest;

/* Run the parts that test this place. */
void selftest_run(selftest *t, place where);

/* Where there is no GPU: print which parts need one. */
void selftest_report_skipped(const selftest *t);

void selftest_fact(selftest *t, bool ok, const char *sentence, ...) PRINTF_LIKE(3, 4);

/* The fact |got - want| <= tolerance; prints the numbers. */
void selftest_close(selftest *t, double got, double want, double tolerance, const char *sentence, ...)
    PRINTF_LIKE(5, 6);

typedef void selftest_part(selftest *t);
selftest_part selftest_random, selftest_sums, selftest_gauge, selftest_force, selftest_dynamics, selftest_quarks;
selftest_part selftest_same_as_cpu;            /* for a GPU */

/* The fields of the parts: links between cold and hot, and momenta, at t->where. */
typedef struct { lattice *l; gauge *u; momentum *p; } selftest_fields;
selftest_fields selftest_fields_create(place where, const int extents[4]);
void selftest_fields_free(selftest_fields *f);

/* Valid parameters of action number `action`. */
gauge_params selftest_action(int action, double beta);

/* The force of an action in a new field. */
momentum *selftest_force_of(const gauge_params *action, const gauge *u);

/* sum Re Tr P^+F; P is unchanged except for rounding. */
double selftest_inner_product(momentum *p, const momentum *f);

#endif
