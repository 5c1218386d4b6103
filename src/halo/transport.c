/* transport.c - read transports. */
#include "src/halo/transport.h"

#include "src/config/suggest.h"

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
    near_miss near = { .word = given };
    text message = { 0 };
    for (int i = 0; transport_names[i]; i++) {
        if (strcmp(given, transport_names[i]) == 0) {
            *(transport *)value = (transport)(TRANSPORT_PEER + i);
            return true;
        }
        suggest_try(&near, transport_names[i]);
    }
    suggest_report(&message, &near);
    fail(f, "\"%s\" is not one of peer, nccl, host%s", given, text_string(&message));
    text_free(&message);
    return false;
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
