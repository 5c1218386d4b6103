/* sealed_line.h - lines of JSON that tell whether they still are what was written: the last member of each is the
 * digest of the text before it.
 *
 *     {"trajectory": 7, ..., "digest": "0x0123456789abcdef"}
 *
 * digest64 finds accidents; it is no signature, for whoever wants to deceive can make it anew. */
#ifndef KILN_HMC_SEALED_LINE_H
#define KILN_HMC_SEALED_LINE_H

#include "src/base/json.h"
#include "src/config/yaml.h"

/* Add the member "digest" to the object that is open, as its last one. */
void seal_add(json *j);

typedef enum { SEAL_NONE, SEAL_HOLDS, SEAL_BROKEN } seal_state;
seal_state seal_of(const char *line);                  /* with its end of line, or without */

/* A number of 64 bits as text, for most readers of JSON hold numbers as doubles. */
void sealed_word(json *j, const char *key, uint64_t value);

/* Members of a line that has been read; false, with which one, where it is not what it should be.  What is not finite
 * is written as null and read as NaN. */
bool line_word(uint64_t *value, const yaml_node *line, const char *key, failure *f);
bool line_integer(int64_t *value, const yaml_node *line, const char *key, failure *f);
bool line_bool(bool *value, const yaml_node *line, const char *key, failure *f);
bool line_real(double *value, const yaml_node *line, const char *key, failure *f);
const yaml_node *line_object(const yaml_node *line, const char *key, failure *f);      /* NULL: there is none */

#endif
