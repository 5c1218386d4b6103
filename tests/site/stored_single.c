/* stored_single.c - stored_double.c for single precision. */
#define SINGLE
#include "tests/site/stored_double.c"
