/* transport.c - the table of transports, and the transport that the user demands. */
#include "src/halo/transport.h"

#include "src/config/word_list.h"

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
    const int i = word_list_find_name(given, transport_names, f);
    if (i >= 0)
        *(const transport **)value = transports[i];
    return i >= 0;
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
