/* test_json_members.c - members of an object are what they say, or are refused with key, place and reason. */
#include "src/base/json_members.h"
#include "tests/facts.h"

#include <math.h>
#include <string.h>

static const char object[] =
    "{\"count\": 18446744073709551615, \"hex\": \"0xffffffffffffffff\", \"more\": 18446744073709551616, "
    "\"minus\": -3, \"half\": 0.5, \"least\": -4.9406564584124654e-324, \"none\": null, \"quoted\": \"0.5\", "
    "\"inf\": \"inf\", \"blank\": \" 7\", \"tail\": \"0x7x\", \"yes\": true, \"no\": false, "
    "\"list\": [1, \"-inf\", \"nan\"], \"in\": {\"x\": 2}, \"zero\": -0}";

static failure why;

static bool refused(const char *words)
{
    bool same = strcmp(why.why, words) == 0;
    if (!same)
        note("%s", why.why);
    return same;
}

static void counts_and_integers(const members *m)
{
    uint64_t n = 0;
    int64_t i = 0;
    fact(json_members_count(&n, UINT64_MAX, m, "count") && n == UINT64_MAX, "the largest count, in decimal");
    fact(json_members_count(&n, UINT64_MAX, m, "hex") && n == UINT64_MAX, "and in hexadecimal");
    fact(!json_members_count(&n, 9, m, "count")
         && refused("a file: \"count\" is 18446744073709551615, not a number from 0 to 9"),
         "one that is too large says what was expected");
    fact(!json_members_count(&n, UINT64_MAX, m, "more"), "a count of more than 64 bits is none");
    fact(!json_members_count(&n, UINT64_MAX, m, "minus"), "nor is a negative one");
    fact(!json_members_count(&n, UINT64_MAX, m, "blank") && !json_members_count(&n, UINT64_MAX, m, "tail"),
         "nor words about it");
    fact(json_members_integer(&i, m, "minus") && i == -3, "a negative integer");
    fact(!json_members_integer(&i, m, "half") && !json_members_integer(&i, m, "count"),
         "0.5 is none, nor what has 64 bits");
}

static void reals_and_truths(const members *m)
{
    double x = 1;
    bool b = false;
    fact(json_members_real(&x, m, "half") && x == 0.5, "a real");
    fact(json_members_real(&x, m, "least") && x == -4.9406564584124654e-324, "the smallest real");
    fact(json_members_real(&x, m, "none") && isnan(x), "null is read as NaN");
    fact(!json_members_real(&x, m, "quoted") && !json_members_real(&x, m, "inf") && !json_members_real(&x, m, "tail"),
         "texts are no reals");
    fact(json_members_real(&x, m, "zero") && x == 0 && signbit(x), "-0 keeps its sign");
    fact(json_members_bool(&b, m, "yes") && b && json_members_bool(&b, m, "no") && !b, "true and false");
    fact(!json_members_bool(&b, m, "half") && refused("a file: \"half\" is 0.5, not true or false"), "0.5 is neither");
}

static void lists(const members *m)
{
    double x[3];
    fact(json_members_reals(x, 3, m, "list") && x[0] == 1 && x[1] == -INFINITY && isnan(x[2]),
         "a list of numbers, some not finite");
    fact(!json_members_reals(x, 2, m, "list") && refused("a file: \"list\" has 3 numbers, not 2"), "of another length");
    fact(!json_members_reals(x, 1, m, "in") && refused("a file: \"in\" is an object, not a list of numbers"), "no "
         "list");
}

static void missing(const members *m)
{
    double x = 1;
    bool b;
    members in;
    fact(!json_members_real(&x, m, "absent") && isnan(x) && refused("a file: \"absent\" is missing"),
         "what is missing is said");
    fact(!json_members_text(m, "list") && refused("a file: \"list\" is a list, not a text"), "a list is no text");
    fact(json_members_object(&in, m, "in") && json_members_real(&x, &in, "x") && x == 2, "an object within");
    fact(!json_members_object(&in, m, "half") && !json_members_real(&x, &in, "x"),
         "a number is none, and has no members");
    fact(!json_member_list(m->object, "half") && !json_member_object(m->object, "half")
         && !json_member_real(m->object, "absent", &x) && !json_member_bool(m->object, "half", &b)
         && json_member_bool(m->object, "yes", &b), "the same for whoever does not ask for the reason");
}

int main(void)
{
    yyjson_doc *doc = json_read_string(object, "a file", &why);
    require(doc, "%s", why.why);
    const members m = { yyjson_doc_get_root(doc), "a file", &why };
    counts_and_integers(&m);
    reals_and_truths(&m);
    lists(&m);
    missing(&m);
    yyjson_doc_free(doc);
    return facts_end();
}
