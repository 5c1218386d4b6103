/* json.c - write JSON. */
#include "src/base/json.h"

#include "src/base/utf8.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Characters that YAML readers, which can also read JSON, refuse or treat as line breaks. */
static bool needs_escape(uint32_t c)
{
    return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x2028 || c == 0x2029 || c == 0xfeff || c == 0xfffe
           || c == 0xffff;
}

static void add_quoted(text *t, const char *s)
{
    uint32_t c;
    text_add(t, "\"");
    while (*s) {
        int n = utf8_character(&c, s);
        if (n == 0 || (c >= UTF8_BYTE + 0x80 && c <= UTF8_BYTE + 0xff)) {
            n = n > 0 ? n : 1;
            for (int i = 0; i < n; i++)
                text_add(t, "\\u%04x", UTF8_BYTE + (unsigned char)s[i]);
        } else if (c == '"' || c == '\\') {
            text_add(t, "\\%c", (char)c);
        } else if (needs_escape(c)) {
            text_add(t, "\\u%04x", (unsigned)c);
        } else {
            text_add_bytes(t, s, (size_t)n);
        }
        s += n;
    }
    text_add(t, "\"");
}

static void begin_value(json *j, const char *key)
{
    if (j->depth > 0 && j->filled[j->depth - 1])
        text_add(&j->out, ", ");
    if (j->depth > 0)
        j->filled[j->depth - 1] = true;
    if (key) {
        add_quoted(&j->out, key);
        text_add(&j->out, ": ");
    }
}

void json_open(json *j, const char *key, char bracket)
{
    assert(j->depth < JSON_DEPTH && (bracket == '{' || bracket == '['));
    begin_value(j, key);
    text_add(&j->out, "%c", bracket);
    j->closers[j->depth] = bracket == '{' ? '}' : ']';
    j->filled[j->depth] = false;
    j->depth++;
}

void json_close(json *j)
{
    assert(j->depth > 0);
    j->depth--;
    text_add(&j->out, "%c", j->closers[j->depth]);
}

void json_real(json *j, const char *key, double value)
{
    begin_value(j, key);
    if (isfinite(value))
        text_add(&j->out, "%.17g", value);
    else
        text_add(&j->out, "null");
}

void json_real_exact(json *j, const char *key, double value)
{
    if (isfinite(value))
        json_real(j, key, value);
    else
        json_text(j, key, isnan(value) ? "nan" : value > 0 ? "inf" : "-inf");
}

void json_reals(json *j, const char *key, const double *value, int count)
{
    json_open(j, key, '[');
    for (int i = 0; i < count; i++)
        json_real(j, NULL, value[i]);
    json_close(j);
}

void json_int(json *j, const char *key, int64_t value)
{
    begin_value(j, key);
    text_add(&j->out, "%" PRId64, value);
}

void json_bool(json *j, const char *key, bool value)
{
    begin_value(j, key);
    text_add(&j->out, "%s", value ? "true" : "false");
}

void json_text(json *j, const char *key, const char *value)
{
    begin_value(j, key);
    if (value)
        add_quoted(&j->out, value);
    else
        text_add(&j->out, "null");
}

void json_hex(json *j, const char *key, uint64_t value)
{
    char word[24];
    snprintf(word, sizeof word, "0x%016" PRIx64, value);
    json_text(j, key, word);
}

void json_insert(json *j, const char *key, const json *written)
{
    assert(written->depth == 0);
    begin_value(j, key);
    text_add_bytes(&j->out, written->out.s, written->out.length);
}

const char *json_string(const json *j)
{
    return text_string(&j->out);
}

void json_free(json *j)
{
    text_free(&j->out);
    *j = (json){ 0 };
}
