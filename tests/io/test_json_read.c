/* test_json_read.c - what the writer writes is read back with the same bits; faults are refused with their places. */
#include "src/base/json.h"
#include "src/base/json_read.h"
#include "tests/facts.h"
#include "tests/io/scratch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint64_t random_bits(uint64_t *seed)
{
    uint64_t bits = 0;
    for (int i = 0; i < 4; i++)
        bits = bits << 16 | (uint64_t)(65536 * scratch_uniform(seed));
    return bits;
}

/* Doubles of all exponents, or of the order of one. */
static double random_double(uint64_t *seed, int i)
{
    const uint64_t bits = random_bits(seed);
    double any;
    memcpy(&any, &bits, sizeof any);
    return i % 2 && isfinite(any) ? any : scratch_uniform(seed) - 0.5;
}

/* Whether the list "x" of the document has these numbers, bit for bit, and strtod agrees with the text of each. */
static bool has_numbers(const json *j, const double *x, int count)
{
    failure why = { .why = "" };
    yyjson_doc *doc = json_read_string(json_string(j), "numbers", &why);
    yyjson_val *list = yyjson_obj_get(yyjson_doc_get_root(doc), "x"), *item;
    size_t i, n;
    bool same = yyjson_arr_size(list) == (size_t)count;
    const char *s = strchr(json_string(j), '[');
    if (!doc)
        note("%s", why.why);
    yyjson_arr_foreach(list, i, n, item) {
        char *end;
        const double read = json_read_number(item), expected = strtod(s + 1, &end);
        s = end;
        if (same && (memcmp(&read, &x[i], sizeof read) != 0 || memcmp(&read, &expected, sizeof read) != 0))
            note("%a was read as %a, by strtod as %a", x[i], read, expected);
        same = same && memcmp(&read, &x[i], sizeof read) == 0 && memcmp(&read, &expected, sizeof read) == 0;
    }
    yyjson_doc_free(doc);
    return same;
}

static void numbers(void)
{
    enum { NUMBERS = 200000 };
    static double x[NUMBERS + 6] = { 0.0, -0.0, 4.9406564584124654e-324, 2.2250738585072014e-308,
                                     1.7976931348623157e308, 9007199254740993.0 };
    uint64_t seed = 7;
    json j = { 0 };
    for (int i = 0; i < NUMBERS; i++)
        x[i + 6] = random_double(&seed, i);
    json_open(&j, NULL, '{');
    json_reals(&j, "x", x, NUMBERS + 6);
    json_close(&j);
    fact(has_numbers(&j, x, NUMBERS + 6), "%d numbers are read back bit for bit, as strtod reads them", NUMBERS + 6);
    json_free(&j);
}

static void integers(void)
{
    failure why;
    yyjson_doc *doc = json_read_string("{\"a\": -9223372036854775808, \"b\": 18446744073709551615}", "x", &why);
    yyjson_val *object = yyjson_doc_get_root(doc);
    fact(yyjson_get_sint(yyjson_obj_get(object, "a")) == INT64_MIN
         && yyjson_get_uint(yyjson_obj_get(object, "b")) == UINT64_MAX, "integers of 64 bits are exact");
    yyjson_doc_free(doc);
}

static bool refuses(const char *bytes, size_t n, const char *sentence)
{
    failure why = { .why = "" };
    yyjson_doc *doc = json_read(bytes, n, "line", NULL, &why);
    const bool same = !doc && strcmp(why.why, sentence) == 0;
    if (!same)
        note("%s", doc ? bytes : why.why);
    yyjson_doc_free(doc);
    return same;
}

static void faults(void)
{
    static const struct { const char *line, *sentence; } cases[] = {
        { "", "line:1:1: empty" },
        { "[1]", "line: not an object of JSON" },
        { "{\"a\": 1", "line:1:8: unexpected end of data" },
        { "{\"a\": 1,\n \"\xc3\xa4\": x}", "line:2:7: unexpected character, expected a valid JSON value" },
        { "{\"a\": 1}{}", "line:1:9: unexpected content after document" },
        { "{\"a\": nan}", "line:1:7: invalid literal, expected a valid literal such as 'null'" },
        { "{\"a\": [1,]}", "line:1:9: trailing comma is not allowed" },
        { "{\"a\": 01}", "line:1:7: number with leading zero is not allowed" },
        { "{a: 1}", "line:1:2: unexpected character, expected a string for object key" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        fact(refuses(cases[i].line, strlen(cases[i].line), cases[i].sentence), "%s", cases[i].sentence);
}

/* An object within `depth` - 1 lists. */
static const char *nested(int depth)
{
    static char made[512];
    int n = sprintf(made, "{\"a\": ");
    for (int i = 1; i < depth; i++)
        made[n++] = '[';
    for (int i = 1; i < depth; i++)
        made[n++] = ']';
    strcpy(made + n, ", \"b\": [[]]}");
    return made;
}

static void depths(void)
{
    yyjson_doc *doc = json_read_string(nested(JSON_DEPTH_MAX), "x", NULL);
    fact(doc != NULL, "%d levels are read", JSON_DEPTH_MAX);
    fact(refuses(nested(JSON_DEPTH_MAX + 1), strlen(nested(JSON_DEPTH_MAX + 1)),
                 "line: nested deeper than 32 levels"), "but no more");
    yyjson_doc_free(doc);
}

/* Memory of one document for the next: the same values. */
static void memory(void)
{
    static const char line[] = "{\"a\": [1, 2, 3], \"b\": \"text\"}";
    yyjson_alc *kept = yyjson_alc_dyn_new();
    bool same = true;
    for (int i = 0; i < 100; i++) {
        yyjson_doc *doc = json_read(line, strlen(line) - (i % 3 == 1), "x", kept, NULL);
        same = same && (i % 3 == 1) == (doc == NULL);
        same = same && (!doc || yyjson_equals_str(yyjson_obj_get(yyjson_doc_get_root(doc), "b"), "text"));
        yyjson_doc_free(doc);
    }
    yyjson_alc_dyn_free(kept);
    fact(same, "the memory of one document serves the next, after a fault too");
}

int main(void)
{
    numbers();
    integers();
    faults();
    depths();
    memory();
    return facts_end();
}
