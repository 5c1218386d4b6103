/* quark_monomial_facts.h - facts about any monomial of quarks: new fields, force, memory, bits. */
#ifndef KILN_TESTS_ACTIONS_QUARK_MONOMIAL_FACTS_H
#define KILN_TESTS_ACTIONS_QUARK_MONOMIAL_FACTS_H

#include "actions/monomial.h"

/* A kind with its input; `tight`: keys in front of it, residuals and errors at which a force can be differentiated. */
typedef struct { const monomial_kind *kind; const char *name, *yaml, *tight; } quark_monomial_case;

/* The action of new fields is that of their random numbers; the force is minus its derivative along p, has the weight
 * that is asked for, and turns with the gauge. */
void quark_monomial_force_facts(const quark_monomial_case *a, const gauge *u, const momentum *p);

/* Memory as planned at most, and freed. */
void quark_monomial_memory_facts(const quark_monomial_case *a, const gauge *u);

/* The same bits on CPU and GPU: *first is NULL at the first place, and memory for memory_free after it. */
void quark_monomial_bits_facts(const quark_monomial_case *a, const gauge *u, double **first);

/* All three for `count` cases on links that differ from 1 smoothly; first[count] as above. */
void quark_monomial_all_facts(const quark_monomial_case *a, int count, lattice *l, place where, double **first);

#endif
