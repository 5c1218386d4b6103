/* state_memory_json.h - the memory of a state as a member of a JSON object. */
#ifndef KILN_IO_STATE_MEMORY_JSON_H
#define KILN_IO_STATE_MEMORY_JSON_H

#include "src/base/json.h"
#include "src/base/json_members.h"
#include "src/io/state_memory.h"

/* Write and read the member "memory" of the open object; without lists there is no member.  Numbers are read back with
 * the same bits; non-finite ones as NaN. */
void state_memory_to_json(json *j, const state_memory *m);
bool state_memory_from_json(state_memory *m, const members *object);

#endif
