/* xml.h - the text inside a tag: all that the records of a lattice file ask of XML. */
#ifndef KILN_IO_XML_H
#define KILN_IO_XML_H

#include <stdbool.h>
#include <stddef.h>

/* Copy the text of the first element `tag` that holds text only (attributes, a namespace prefix and
 * blanks around are allowed; comments are skipped; entities are left as they stand) into `out`.
 * False if there is none, if it is not closed, or if `out` cannot hold it. */
bool xml_text(const char *xml, const char *tag, char *out, size_t size);

/* The same as a whole number or a real; false also where the text is anything else. */
bool xml_integer(const char *xml, const char *tag, long long *value);
bool xml_real(const char *xml, const char *tag, double *value);

#endif
