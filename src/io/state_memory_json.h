/* state_memory_json.h - the numbers that go with a state, as a member of an object. */
#ifndef KILN_IO_STATE_MEMORY_JSON_H
#define KILN_IO_STATE_MEMORY_JSON_H

#include "src/base/json.h"
#include "src/config/yaml.h"
#include "src/io/state_memory.h"

/* The member "memory" alone, of the object that is open: none is written where there are no lists, and a missing one
 * is read as none.  The same bits come back; what is not finite comes back as NaN. */
void state_memory_to_json(json *j, const state_memory *m);
bool state_memory_from_tree(state_memory *m, const yaml_node *object, const char *name, failure *f);

#endif
