/* transport.c - the table of transports, and the one that the user demands. */
#include "src/halo/transport.h"

#include "src/base/text.h"
#include "src/config/suggest.h"

#include <stdlib.h>
#include <string.h>

#define ROW(row, name) &row,
const transport *const transports[] = { TRANSPORTS(ROW) NULL };

#define NAME(row, name) name,
const char *const transport_names[] = { TRANSPORTS(NAME) NULL };

static _Thread_local const transport *wanted;

int transport_number(const transport *t)
{
    int number = 0;
    while (t && transports[number] != t)
        number++;
    return t ? number + 1 : 0;
}

const char *transport_name(const transport *t)
{
    return t ? transport_names[transport_number(t) - 1] : "the best";
}

bool transport_read(const char *given, void *value, failure *f)
{
    near_miss near = { .word = given };
    text names = { 0 }, message = { 0 };
    for (int i = 0; transport_names[i]; i++) {
        if (strcmp(given, transport_names[i]) == 0) {
            *(const transport **)value = transports[i];
            text_free(&names);
            return true;
        }
        text_add(&names, "%s%s", i > 0 ? ", " : "", transport_names[i]);
        suggest_try(&near, transport_names[i]);
    }
    suggest_report(&message, &near);
    fail(f, "\"%s\" is not one of %s%s", given, text_string(&names), text_string(&message));
    text_free(&names);
    text_free(&message);
    return false;
}

bool transport_from_environment(const transport **t, failure *f)
{
    const char *given = getenv("KILN_TRANSPORT");
    failure why;
    *t = NULL;
    return !given || !*given || transport_read(given, t, &why) || fail(f, "KILN_TRANSPORT: %s", why.why);
}

void transport_want(const transport *t)
{
    wanted = t;
}

const transport *transport_wanted(void)
{
    return wanted;
}

const transport *transport_here(void)
{
    const transport *t = wanted;
    failure why;
    if (!t)
        require(transport_from_environment(&t, &why), "%s", why.why);
    return t;
}
