/* measured.h - a measurement as a user requests it: keys of the input, and the object of the record. */
#ifndef KILN_TESTS_MEASURE_MEASURED_H
#define KILN_TESTS_MEASURE_MEASURED_H

#include "src/config/yaml.h"
#include "src/gauge/gauge.h"
#include "src/measure/measurement.h"

/* Measures after trajectory 3 of seed 7; `keys` is what stands in { } in the list of measurements.  The tree has one
 * member, the name of the measurement; yaml_tree_free. */
yaml_node *measured(const gauge *u, const char *keys);
yaml_node *measured_with_seed(const gauge *u, const char *keys, int seed);

/* A member of the measurement "name", or of its mass number `index`; NULL, and NaN as a number, where there is none. */
const yaml_node *measured_member(const yaml_node *tree, const char *key);
const yaml_node *measured_of_mass(const yaml_node *tree, int index, const char *key);
double measured_number(const yaml_node *node);
double measured_real(const yaml_node *tree, int index, const char *key);               /* of a mass */
double measured_item(const yaml_node *tree, int index, const char *key, int item);     /* of a list of a mass */

double measured_pair_item(const yaml_node *tree, int index, const char *key, int item);  /* the same of a pair */

/* The object "modes" of the first mass, or of the first set of staggered links; the number of its eigenvalues, 0
 * without one. */
const yaml_node *measured_modes(const yaml_node *tree);
int measured_modes_count(const yaml_node *tree);

/* `digest` (DIGEST64_START at first) with all scalars of a tree, as they are written. */
uint64_t measured_digest(const yaml_node *node, uint64_t digest);

/* A fact: the checks of an input refuse these keys on this lattice, and say why. */
void measurement_refused(const measurement_kind *kind, const int on[4], const char *keys, const char *why);

#endif
