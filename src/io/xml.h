/* xml.h - the text inside a tag: all of XML that reading a lattice file needs. */
#ifndef KILN_IO_XML_H
#define KILN_IO_XML_H

#include <stdbool.h>
#include <stddef.h>

/* Copy the text of the first element `tag` that has only text (attributes, a namespace prefix and surrounding blanks
 * are allowed; comments are skipped, CDATA sections are text; entities are copied unchanged) into `out`.  False if
 * there is none, if it is not closed, or if `out` is too small. */
bool xml_text(const char *xml, const char *tag, char *out, size_t size);

/* The same as a whole number or a real; false also where the text is anything else. */
bool xml_integer(const char *xml, const char *tag, long long *value);
bool xml_real(const char *xml, const char *tag, double *value);

#endif
