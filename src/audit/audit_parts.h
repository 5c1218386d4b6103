/* audit_parts.h - the parts of an audit, in their order: each returns false where it has found a fault. */
#ifndef KILN_AUDIT_AUDIT_PARTS_H
#define KILN_AUDIT_AUDIT_PARTS_H

#include "src/audit/audit_inside.h"
#include "src/lattice/lattice.h"

bool audit_parameters(audit *a);        /* segments and their files */
void audit_measurements(audit *a);      /* notes on those whose settings change */
bool audit_record(audit *a);            /* the lines, up to the newest state */
bool audit_states(audit *a, place where);
bool audit_other_files(audit *a);

#endif
