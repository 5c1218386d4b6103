/* staggered_facts.h - what smearing and its chain rule met in a trajectory: projections, small eigenvalues. */
#ifndef KILN_OPERATORS_STAGGERED_FACTS_H
#define KILN_OPERATORS_STAGGERED_FACTS_H

#include "src/base/json.h"
#include "src/base/number_row.h"
#include "src/operators/staggered_force.h"

typedef struct { projection_facts projection; force_facts force; } staggered_facts;

void staggered_facts_forget(staggered_facts *facts);

/* What links and force met since they were asked last, added to what is there. */
void staggered_facts_meet(staggered_facts *facts, projection_facts projection, force_facts force);

/* As numbers (src/base/number_row.h). */
void staggered_facts_row(staggered_facts *facts, number_row *row);

/* As members of an open object, and a warning in the log of `name` where the force filter was at work. */
void staggered_facts_report(const staggered_facts *facts, const char *name, const int global[4], json *j);

#endif
