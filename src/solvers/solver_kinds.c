/* solver_kinds.c - the table of methods. */
#include "src/solvers/solver_kinds.h"

#include <stddef.h>

#define POINTER(index, name, kind) [index] = &kind,
#define NAME(index, name, kind) [index] = name,

const solver_kind *const solver_kinds[SOLVER_KINDS] = { SOLVER_KIND_ROWS(POINTER) };
const char *const solver_kind_names[] = { SOLVER_KIND_ROWS(NAME) NULL };
