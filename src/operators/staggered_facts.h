/* staggered_facts.h - facts about smearing and its chain rule in a trajectory: projections, small eigenvalues. */
#ifndef KILN_OPERATORS_STAGGERED_FACTS_H
#define KILN_OPERATORS_STAGGERED_FACTS_H

#include "src/base/json.h"
#include "src/base/number_row.h"
#include "src/operators/staggered_force.h"

typedef struct { projection_facts projection; force_facts force; } staggered_facts;

void staggered_facts_clear(staggered_facts *facts);

/* Adds the facts that links and force have returned since their last call. */
void staggered_facts_merge(staggered_facts *facts, projection_facts projection, force_facts force);

/* Writes the facts as numbers, or reads them (base/number_row.h). */
void staggered_facts_row(staggered_facts *facts, number_row *row);

/* Writes the facts as members of an open object, and logs a warning for `name` if the force filter was used. */
void staggered_facts_report(const staggered_facts *facts, const char *name, const int global[4], json *j);

#endif
