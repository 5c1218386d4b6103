/* item_label.h - the label that distinguishes an item of a list in a result: "(0.05)" of a mass. */
#ifndef KILN_REPORT_ITEM_LABEL_H
#define KILN_REPORT_ITEM_LABEL_H

#include "src/base/text.h"
#include "src/measure/result_member.h"

/* The label of item number `index` of the list of a result.  No two items of a list have the same label, and it depends
 * on this list alone.  "" for an item without the keys of the label, if it is the only one. */
text item_label(const result_group *g, yyjson_val *list, size_t index);

#endif
