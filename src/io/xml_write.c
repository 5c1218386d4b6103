/* xml_write.c - write XML elements with indentation. */
#include "src/io/xml_write.h"

#include "src/base/utf8.h"
#include "src/config/number.h"

#include <assert.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

static void indent(xml_document *x)
{
    text_add(&x->out, "%*s", 2 * x->depth, "");
}

/* Characters that XML 1.0 does not allow; carriage return, which readers change; DEL, which XML discourages. */
static bool is_no_xml(uint32_t c)
{
    return (c < 0x20 && c != '\n' && c != '\t') || c == 0x7f || c == 0xfffe || c == 0xffff;
}

/* Escapes markup; the characters above, and bytes that are not UTF-8, become question marks. */
static void add_escaped(text *out, const char *value)
{
    uint32_t c;
    for (int n; *value; value += n > 0 ? n : 1) {
        n = utf8_character(&c, value);
        if (n == 0 || is_no_xml(c))
            text_add(out, "?");
        else if (c == '&')
            text_add(out, "&amp;");
        else if (c == '<')
            text_add(out, "&lt;");
        else if (c == '>')
            text_add(out, "&gt;");
        else
            text_add_bytes(out, value, (size_t)n);
    }
}

static void push(xml_document *x, const char *tag)
{
    assert(x->depth < XML_DEPTH);
    x->open[x->depth++] = tag;
}

void xml_begin(xml_document *x, const char *root, const char *name_space)
{
    text_add(&x->out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<%s xmlns=\"%s\">\n", root, name_space);
    push(x, root);
}

void xml_open(xml_document *x, const char *tag)
{
    indent(x);
    text_add(&x->out, "<%s>\n", tag);
    push(x, tag);
}

void xml_close(xml_document *x)
{
    assert(x->depth > 0);
    x->depth--;
    indent(x);
    text_add(&x->out, "</%s>\n", x->open[x->depth]);
}

void xml_put_text(xml_document *x, const char *tag, const char *value)
{
    indent(x);
    text_add(&x->out, "<%s>", tag);
    add_escaped(&x->out, value);
    text_add(&x->out, "</%s>\n", tag);
}

void xml_put_format(xml_document *x, const char *tag, const char *format, ...)
{
    char value[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(value, sizeof value, format, arguments);
    va_end(arguments);
    xml_put_text(x, tag, value);
}

void xml_put_int(xml_document *x, const char *tag, int64_t value)
{
    xml_put_format(x, tag, "%" PRId64, value);
}

void xml_put_real(xml_document *x, const char *tag, double value)
{
    text digits = { 0 };
    number_add_real(&digits, value);
    xml_put_text(x, tag, text_string(&digits));
    text_free(&digits);
}
