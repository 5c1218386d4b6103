/* transport.c - read transports. */
#include "src/halo/transport.h"

#include "src/config/word_list.h"

#include <stdlib.h>
#include <string.h>

/* Of those that can be asked for, TRANSPORT_PEER first. */
const char *const transport_names[] = { "peer", "nccl", "host", NULL };

static _Thread_local transport wanted;

const char *transport_name(transport t)
{
    return t == TRANSPORT_BEST ? "the best" : transport_names[t - TRANSPORT_PEER];
}

bool transport_read(const char *given, void *value, failure *f)
{
    const int i = word_list_find_name(given, transport_names, f);
    if (i >= 0)
        *(transport *)value = (transport)(TRANSPORT_PEER + i);
    return i >= 0;
}

bool transport_from_environment(transport *t, failure *f)
{
    const char *given = getenv("KILN_TRANSPORT");
    failure why;
    *t = TRANSPORT_BEST;
    return !given || !*given || transport_read(given, t, &why) || fail(f, "KILN_TRANSPORT: %s", why.why);
}

void transport_want(transport t)
{
    wanted = t;
}

transport transport_wanted(void)
{
    return wanted;
}

transport transport_here(void)
{
    transport t = wanted;
    failure why;
    if (t == TRANSPORT_BEST)
        require(transport_from_environment(&t, &why), "%s", why.why);
    return t;
}
