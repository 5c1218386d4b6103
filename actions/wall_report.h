/* wall_report.h - domain-wall quarks for the record and for people: solves, memory, work. */
#ifndef KILN_ACTIONS_WALL_REPORT_H
#define KILN_ACTIONS_WALL_REPORT_H

#include "actions/monomial.h"
#include "actions/wall_params.h"

/* What the factors met since the last report, which is then forgotten: members of an open object. */
void wall_factors_report(wall_factor *factor, int count, const char *name, json *j);

/* All of it as numbers, of trajectories whose first action is behind them. */
void wall_factors_row(wall_factor *factor, int count, number_row *row);

/* Device memory that the monomial takes; the factors and that memory in words. */
size_t wall_bytes(const void *params, const lattice_shape *shape);
void wall_describe(text *lines, const void *params, const lattice_shape *shape);

/* monomial_kind.energy_errors */
void wall_energy_errors(energy_errors *e, const void *params, const lattice_shape *shape);

/* Without the iterations of its solves, which nobody knows before. */
work wall_force_work(const void *params, const lattice_shape *shape);
work wall_iteration_work(const void *params, const lattice_shape *shape);

#endif
