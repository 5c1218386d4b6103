/* rational_options.c - lists such as 0.01x2,0.05x1. */
#include "src/cli/rational_options.h"

#include "src/config/number.h"

#include <stdio.h>
#include <string.h>

enum { ITEM = 64 };

/* The item of a list at *s, without the comma, into `item`; *s to the next one.  False at the end. */
static bool next_item(const char **s, char item[ITEM])
{
    if (!**s)
        return false;
    int n = (int)strcspn(*s, ",");
    snprintf(item, ITEM, "%.*s", n, *s);
    *s += n + ((*s)[n] == ',');
    return true;
}

/* fail(f, ...) with what to write instead behind it, where that is known. */
static bool told(failure *f, const char *item, const char *expected, text *hint)
{
    fail(f, "\"%s\" is not %s%s%s", item, expected, hint->length ? ": " : "", text_string(hint));
    text_free(hint);
    return false;
}

static bool whole_number(const char *item, int *number, failure *f)
{
    const int64_t most = 1000;
    int64_t n;
    text hint = { 0 };
    if (!number_read_integer(item, &n, &hint) || n < 1 || n > most)
        return told(f, item, "a whole number from 1 to 1000", &hint);
    *number = (int)n;
    return true;
}

static bool mass_number(const char *item, double *mass, failure *f)
{
    text hint = { 0 };
    if (!number_read_real(item, mass, &hint) || !(*mass > 0))
        return told(f, item, "a mass, a positive number", &hint);
    return true;
}

static determinant *latest(determinants *all, failure *f)
{
    if (all->count == 0)
        fail(f, "belongs to the --quarks before it, but there are none");
    return all->count ? &all->item[all->count - 1] : NULL;
}

bool rational_read_quarks(const char *s, void *value, failure *f)
{
    determinants *all = value;
    char item[ITEM];
    if (all->count == RATIONAL_DETERMINANTS)
        return fail(f, "given more than %d times", RATIONAL_DETERMINANTS);
    determinant *d = &all->item[all->count++];
    *d = (determinant){ 0 };
    while (next_item(&s, item)) {
        if (d->quarks == RATIONAL_MASSES)
            return fail(f, "more than %d masses", RATIONAL_MASSES);
        mass_flavors *q = &d->quark[d->quarks++];
        char *times = strchr(item, 'x');
        q->flavors = 1;
        if (times && !whole_number(times + 1, &q->flavors, f))
            return false;
        if (times)
            *times = '\0';
        if (!mass_number(item, &q->mass, f))
            return false;
    }
    return d->quarks > 0 || fail(f, "an empty list of masses");
}

bool rational_read_hasenbusch(const char *s, void *value, failure *f)
{
    determinant *d = latest(value, f);
    char item[ITEM];
    while (d && next_item(&s, item)) {
        if (d->masses == RATIONAL_MASSES)
            return fail(f, "more than %d masses", RATIONAL_MASSES);
        if (!mass_number(item, &d->mass[d->masses], f))
            return false;
        if (d->masses > 0 && !(d->mass[d->masses] > d->mass[d->masses - 1]))
            return fail(f, "the masses are to ascend, but %s is not above %g", item, d->mass[d->masses - 1]);
        d->masses++;
    }
    return d != NULL;
}

bool rational_read_fields(const char *s, void *value, failure *f)
{
    determinant *d = latest(value, f);
    char item[ITEM];
    while (d && next_item(&s, item)) {
        if (d->fields == RATIONAL_MASSES + 1)
            return fail(f, "more than %d numbers", RATIONAL_MASSES + 1);
        if (!whole_number(item, &d->field[d->fields++], f))
            return false;
    }
    return d != NULL;
}

bool rational_read_epsilon(const char *s, void *value, failure *f)
{
    determinant *d = latest(value, f);
    text hint = { 0 };
    return d && (number_read_real(s, &d->naik_epsilon, &hint) || told(f, s, "a number", &hint));
}

int determinant_factor(mass_flavors *factor, int *roots, const determinant *d, int index)
{
    int count = 0, flavors = 0;
    for (int j = 0; j < d->quarks; j++)
        flavors += d->quark[j].flavors;
    for (int j = 0; index == 0 && j < d->quarks; j++)
        factor[count++] = d->quark[j];
    if (index > 0)
        factor[count++] = (mass_flavors){ d->mass[index - 1], flavors };
    if (index < d->masses)
        factor[count++] = (mass_flavors){ d->mass[index], -flavors };
    *roots = index < d->fields ? d->field[index] : 1;
    return count;
}
