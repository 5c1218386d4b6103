/* audit_parts.h - the parts of an audit, in the order of their calls; each records its faults. */
#ifndef KILN_AUDIT_AUDIT_PARTS_H
#define KILN_AUDIT_AUDIT_PARTS_H

#include "src/audit/audit_inside.h"
#include "src/lattice/lattice.h"

bool audit_parameters(audit *a);        /* segments and their files; false if nothing else can be checked */
void audit_measurements(audit *a);      /* notes on those whose settings change */
void audit_record(audit *a, const record_lines *lines);            /* `lines`: NULL, or all lines, already read */
void audit_states(audit *a, place where);
void audit_other_files(audit *a);

#endif
