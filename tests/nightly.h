/* nightly.h - how much a test may do: less where sanitizers make everything slower by an order of magnitude, more with
 * KILN_NIGHTLY=1. */
#ifndef KILN_TESTS_NIGHTLY_H
#define KILN_TESTS_NIGHTLY_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#ifdef __SANITIZE_ADDRESS__
enum { SHORTENED = true };
#else
enum { SHORTENED = false };
#endif

static inline bool nightly(void)
{
    const char *asked = getenv("KILN_NIGHTLY");
    return asked && strcmp(asked, "1") == 0;
}

#endif
