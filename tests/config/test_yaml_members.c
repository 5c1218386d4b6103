/* test_yaml_members.c - members of an object are what they say, or are refused with key, place and reason. */
#include "src/config/yaml_members.h"
#include "tests/facts.h"

#include <math.h>
#include <string.h>

static const char object[] =
    "{\"count\": 18446744073709551615, \"hex\": \"0xffffffffffffffff\", \"more\": 18446744073709551616, "
    "\"minus\": -3, \"half\": 0.5, \"least\": -4.9406564584124654e-324, \"none\": null, \"quoted\": \"0.5\", "
    "\"inf\": inf, \"blank\": \" 7\", \"tail\": 7x, \"yes\": true, \"no\": false, \"list\": [1], \"in\": {\"x\": 2}}";

static failure why;

static bool says(const char *words)
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
    fact(yaml_members_count(&n, UINT64_MAX, m, "count") && n == UINT64_MAX, "the largest count, in decimal");
    fact(yaml_members_count(&n, UINT64_MAX, m, "hex") && n == UINT64_MAX, "and in hexadecimal");
    fact(!yaml_members_count(&n, 9, m, "count")
         && says("a file: \"count\" is \"18446744073709551615\", not a number from 0 to 9"),
         "one that is too large says what was expected");
    fact(!yaml_members_count(&n, UINT64_MAX, m, "more"), "a count of more than 64 bits is none");
    fact(!yaml_members_count(&n, UINT64_MAX, m, "minus"), "nor is a negative one");
    fact(!yaml_members_count(&n, UINT64_MAX, m, "blank") && !yaml_members_count(&n, UINT64_MAX, m, "tail"),
         "nor words about it");
    fact(yaml_members_integer(&i, m, "minus") && i == -3, "a negative integer");
    fact(!yaml_members_integer(&i, m, "half") && !yaml_members_integer(&i, m, "count"),
         "0.5 is none, nor what has 64 bits");
}

static void reals_and_truths(const members *m)
{
    double x = 1;
    bool b = false;
    fact(yaml_members_real(&x, m, "half") && x == 0.5, "a real");
    fact(yaml_members_real(&x, m, "least") && x == -4.9406564584124654e-324, "the smallest real");
    fact(yaml_members_real(&x, m, "none") && isnan(x), "null is read as NaN");
    fact(!yaml_members_real(&x, m, "quoted") && !yaml_members_real(&x, m, "inf") && !yaml_members_real(&x, m, "tail"),
         "quotes, inf and 7x are no reals");
    fact(yaml_members_bool(&b, m, "yes") && b && yaml_members_bool(&b, m, "no") && !b, "true and false");
    fact(!yaml_members_bool(&b, m, "half") && says("a file: \"half\" is \"0.5\", not true or false"), "0.5 is neither");
}

static void missing(const members *m)
{
    double x = 1;
    bool b;
    members in;
    fact(!yaml_members_real(&x, m, "absent") && isnan(x) && says("a file: \"absent\" is missing"),
         "what is missing is said");
    fact(!yaml_members_text(m, "list") && says("a file: \"list\" is missing"), "a list is no text");
    fact(yaml_members_object(&in, m, "in") && yaml_members_real(&x, &in, "x") && x == 2, "an object within");
    fact(!yaml_members_object(&in, m, "half") && !yaml_members_real(&x, &in, "x"),
         "a number is none, and has no members");
    fact(!yaml_member(m->object, "half", YAML_SEQUENCE) && !yaml_member(NULL, "x", YAML_SCALAR)
         && !yaml_member_real(m->object, "absent", &x) && !yaml_member_bool(m->object, "half", &b)
         && yaml_member_bool(m->object, "yes", &b), "the same for whoever does not ask for the reason");
}

int main(void)
{
    yaml_node *tree = yaml_read_string(object, "a file", &why);
    require(tree, "%s", why.why);
    const members m = { tree, "a file", &why };
    counts_and_integers(&m);
    reals_and_truths(&m);
    missing(&m);
    yaml_tree_free(tree);
    return facts_end();
}
