/* xml_write.h - write an XML document element by element, with indentation and escapes.
 *
 *     xml_document x = { 0 };
 *     xml_begin(&x, "markovChain", "http://www.lqcd.org/ildg/QCDml/ensemble2.0");
 *     xml_open(&x, "size");  xml_put_int(&x, "x", 16);  xml_close(&x);
 *     xml_close(&x);
 *     ... text_string(&x.out) ...   text_free(&x.out); */
#ifndef KILN_IO_XML_WRITE_H
#define KILN_IO_XML_WRITE_H

#include "src/base/text.h"

#include <stdint.h>

enum { XML_DEPTH = 16 };
typedef struct { text out; int depth; const char *open[XML_DEPTH]; } xml_document;     /* names are borrowed */

/* The declaration and the root element, in a default namespace. */
void xml_begin(xml_document *x, const char *root, const char *name_space);

void xml_open(xml_document *x, const char *tag);
void xml_close(xml_document *x);

/* An element with a value; reals have the fewest digits from which the same bits are read back. */
void xml_put_text(xml_document *x, const char *tag, const char *value);
void xml_put_format(xml_document *x, const char *tag, const char *format, ...) PRINTF_LIKE(3, 4);
void xml_put_int(xml_document *x, const char *tag, int64_t value);
void xml_put_real(xml_document *x, const char *tag, double value);

#endif
