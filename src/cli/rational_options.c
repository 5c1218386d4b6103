/* rational_options.c - the options of kiln rational: lists such as 0.01x2,0.05x1. */
#include "src/cli/rational_options.h"

#include "src/config/number.h"

#include <stdio.h>
#include <string.h>

enum { ITEM = 64 };

/* Copy the item of a list at *s, without the comma, to `item`, and advance *s to the next item.  False at the end. */
static bool next_item(const char **s, char item[ITEM])
{
    if (!**s)
        return false;
    int n = (int)strcspn(*s, ",");
    snprintf(item, ITEM, "%.*s", n, *s);
    *s += n + ((*s)[n] == ',');
    return true;
}

/* fail(f, ...), followed by the hint on what to write instead, if there is one. */
static bool report_fault(failure *f, const char *item, const char *expected, text *hint)
{
    fail(f, "\"%s\" is not %s%s%s", item, expected, hint->length ? ": " : "", text_string(hint));
    text_free(hint);
    return false;
}

static bool whole_number(const char *item, int *number, int least, int most, failure *f)
{
    int64_t n;
    char expected[64];
    text hint = { 0 };
    snprintf(expected, sizeof expected, "an integer from %d to %d", least, most);
    if (!number_read_integer(item, &n, &hint) || n < least || n > most)
        return report_fault(f, item, expected, &hint);
    *number = (int)n;
    return true;
}

static bool mass_number(const char *item, double *mass, failure *f)
{
    text hint = { 0 };
    char expected[64];
    snprintf(expected, sizeof expected, "a mass, a number > 0 and <= %d", STAGGERED_MASS_MAX);
    if (!number_read_real(item, mass, &hint) || !(*mass > 0 && *mass <= STAGGERED_MASS_MAX))
        return report_fault(f, item, expected, &hint);
    return true;
}

static determinant_option *latest(determinant_options *all, failure *f)
{
    if (all->count == 0)
        fail(f, "must follow the --quarks that it belongs to");
    return all->count ? &all->item[all->count - 1] : NULL;
}

bool rational_read_quarks(const char *s, void *value, failure *f)
{
    determinant_options *all = value;
    char item[ITEM];
    if (all->count == RATIONAL_DETERMINANTS)
        return fail(f, "given more than %d times", RATIONAL_DETERMINANTS);
    determinant_option *d = &all->item[all->count++];
    *d = (determinant_option){ 0 };
    while (next_item(&s, item)) {
        if (d->quarks == RATIONAL_MASSES)
            return fail(f, "more than %d masses", RATIONAL_MASSES);
        quark_params *q = &d->quark[d->quarks++];
        char *times = strchr(item, 'x');
        int flavors = 1;
        if (times && !whole_number(times + 1, &flavors, -STAGGERED_FLAVORS_MAX, STAGGERED_FLAVORS_MAX, f))
            return false;
        q->flavors = flavors;
        if (times)
            *times = '\0';
        if (!mass_number(item, &q->mass, f))
            return false;
    }
    return d->quarks > 0 || fail(f, "an empty list of masses");
}

bool rational_read_hasenbusch(const char *s, void *value, failure *f)
{
    determinant_option *d = latest(value, f);
    char item[ITEM];
    while (d && next_item(&s, item)) {
        if (d->masses == RATIONAL_MASSES)
            return fail(f, "more than %d masses", RATIONAL_MASSES);
        if (!mass_number(item, &d->mass[d->masses++].mass, f))
            return false;
    }
    return d != NULL;
}

bool rational_read_fields(const char *s, void *value, failure *f)
{
    determinant_option *d = latest(value, f);
    char item[ITEM];
    while (d && next_item(&s, item)) {
        if (d->fields == RATIONAL_MASSES + 1)
            return fail(f, "more than %d numbers", RATIONAL_MASSES + 1);
        if (!whole_number(item, &d->field[d->fields++], 1, STAGGERED_FIELDS_MAX, f))
            return false;
    }
    return d != NULL;
}

bool rational_read_epsilon(const char *s, void *value, failure *f)
{
    determinant_option *d = latest(value, f);
    if (d)
        d->naik_epsilon = s;
    return d != NULL;
}

bool rational_options_determinants(param_list *determinants, determinant_options *all, failure *f)
{
    static char none[] = "0";
    for (int i = 0; i < all->count; i++) {
        determinant_option *d = &all->item[i];
        if (d->fields > d->masses + 1)
            return fail(f, "--fields: %d numbers, but %d mass%s of --hasenbusch make %d factor%s", d->fields, d->masses,
                        d->masses == 1 ? "" : "es", d->masses + 1, d->masses ? "s" : "");
        for (int k = 0; k < d->masses; k++)
            d->mass[k].fields = k + 1 < d->fields ? d->field[k + 1] : 1;
        all->params[i] = (determinant_params){ .quarks = { d->quarks, d->quark },
                                               .hasenbusch = { d->masses, d->mass },
                                               .fields = d->fields > 0 ? d->field[0] : 1,
                                               .naik_epsilon = d->naik_epsilon ? (char *)d->naik_epsilon : none };
    }
    *determinants = (param_list){ all->count, all->params };
    return true;
}
