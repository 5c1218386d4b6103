/* wilson_rows.h - inputs of Wilson quarks for test_wilson_actions.c, and the determinants that they mean. */
#ifndef KILN_TESTS_ACTIONS_WILSON_ROWS_H
#define KILN_TESTS_ACTIONS_WILSON_ROWS_H

#include "src/operators/dirac_operator.h"

#define C_SW 1.3

#define ERRORS "errors: { refresh: 1e-13, action: 1e-13, force: 1e-13 }"
#define CLOVER "c_sw: 1.3\n"
#define EXPONENTIAL "clover: exponential\n"
#define SYMMETRIC "even_odd: symmetric\n"
#define UNEVEN "xi_0: 3.5\nnu: 1.1\n"
#define UNEVEN_CLOVER "c_s: 1.6\nc_t: 0.9\n"
#define THETA "theta: [0.4, -0.7, 1.3]\n"

/* An input, and the determinants of M that it means: masses with flavors and a twist, 0 at the end. */
enum { MASSES_MAX = 5 };
typedef struct { double mass; int flavors; dirac_twist twist; } weight;
#define UNTWISTED { 0, 0 }
typedef struct { const char *name, *yaml; weight want[MASSES_MAX]; } row;
static const row actions[] = {
    { "two flavors", "determinants: [ { mass: 0.2 } ]", { { 0.2, 2, UNTWISTED } } },
    { "one flavor", "determinants: [ { flavors: 1, mass: 0.2, " ERRORS " } ]", { { 0.2, 1, UNTWISTED } } },
    { "one flavor over a heavy one", "determinants: [ { flavors: 1, mass: 0.1, heavy: 0.7, " ERRORS " } ]",
      { { 0.1, 1, UNTWISTED }, { 0.7, -1, UNTWISTED } } },
    { "two flavors, anisotropic", UNEVEN "determinants: [ { mass: 0.2 } ]", { { 0.2, 2, UNTWISTED } } },
    { "a chain over a denominator, anisotropic",
      UNEVEN THETA "determinants: [ { mass: 0.05, hasenbusch: [ { mass: 0.3 } ], heavy: 0.8 } ]",
      { { 0.05, 2, UNTWISTED }, { 0.8, -2, UNTWISTED } } },
    { "one flavor over a heavy one, anisotropic",
      UNEVEN "determinants: [ { flavors: 1, mass: 0.1, heavy: 0.7, " ERRORS " } ]",
      { { 0.1, 1, UNTWISTED }, { 0.7, -1, UNTWISTED } } },
    { "twisted mass, anisotropic", UNEVEN "determinants: [ { mass: 0.2, mu: 0.3 } ]", { { 0.2, 2, { 0.3, 0 } } } },
    { "two flavors, anisotropic clover", UNEVEN UNEVEN_CLOVER "determinants: [ { mass: 0.2 } ]",
      { { 0.2, 2, UNTWISTED } } },
    { "a chain over a denominator, anisotropic clover, symmetric, periodic",
      UNEVEN UNEVEN_CLOVER SYMMETRIC "boundary: 0\n"
      "determinants: [ { mass: 0.05, hasenbusch: [ { mass: 0.3 } ], heavy: 0.8 } ]",
      { { 0.05, 2, UNTWISTED }, { 0.8, -2, UNTWISTED } } },
    { "one flavor over a heavy one in two fields, anisotropic exponential clover",
      UNEVEN UNEVEN_CLOVER EXPONENTIAL "determinants: [ { flavors: 1, mass: 0.1, heavy: 0.7, fields: 2, " ERRORS " } ]",
      { { 0.1, 1, UNTWISTED }, { 0.7, -1, UNTWISTED } } },
    { "twisted masses and phases in space, anisotropic exponential clover, symmetric",
      UNEVEN UNEVEN_CLOVER EXPONENTIAL SYMMETRIC THETA
      "determinants: [ { mass: 0.1, mu: 0.25, hasenbusch: [ { rho: 0.3 } ] } ]", { { 0.1, 2, { 0.25, 0 } } } },
    { "2 + 1 flavors, anisotropic clover",
      UNEVEN UNEVEN_CLOVER "determinants: [ { mass: 0.1, mu: 0.2, hasenbusch: [ { mass: 0.5 } ] }, "
      "{ flavors: 1, mass: 0.3, " ERRORS " } ]", { { 0.1, 2, { 0.2, 0 } }, { 0.3, 1, UNTWISTED } } },
    { "two flavors, clover", CLOVER "determinants: [ { mass: 0.2 } ]", { { 0.2, 2, UNTWISTED } } },
    { "a chain, clover", CLOVER "determinants: [ { mass: 0.05, hasenbusch: [ { mass: 0.2 }, { mass: 0.6 } ] } ]",
      { { 0.05, 2, UNTWISTED } } },
    { "a chain over a denominator by BiCGstab(2)",
      "method: bicgstab2\ndeterminants: [ { mass: 0.05, hasenbusch: [ { mass: 0.3 } ], heavy: 0.8 } ]",
      { { 0.05, 2, UNTWISTED }, { 0.8, -2, UNTWISTED } } },
    { "a chain by BiCGstab in mixed precision, clover",
      CLOVER "method: bicgstab\nsolver: double-single-half\n"
      "determinants: [ { mass: 0.05, hasenbusch: [ { mass: 0.2 } ] } ]", { { 0.05, 2, UNTWISTED } } },
    { "a chain over a denominator, clover, periodic",
      CLOVER "boundary: 0\ndeterminants: [ { mass: 0.05, hasenbusch: [ { mass: 0.3 } ], heavy: 0.8 } ]",
      { { 0.05, 2, UNTWISTED }, { 0.8, -2, UNTWISTED } } },
    { "one flavor, clover", CLOVER "determinants: [ { flavors: 1, mass: 0.2, " ERRORS " } ]",
      { { 0.2, 1, UNTWISTED } } },
    { "one flavor in two fields, clover",
      CLOVER "determinants: [ { flavors: 1, mass: 0.2, fields: 2, " ERRORS " } ]", { { 0.2, 1, UNTWISTED } } },
    { "one flavor over a heavy one, clover",
      CLOVER "determinants: [ { flavors: 1, mass: 0.1, heavy: 0.7, " ERRORS " } ]",
      { { 0.1, 1, UNTWISTED }, { 0.7, -1, UNTWISTED } } },
    { "2 + 1 flavors, clover",
      CLOVER "determinants: [ { flavors: 2, mass: 0.1, hasenbusch: [ { mass: 0.5 } ] }, { flavors: 1, mass: 0.3, "
      ERRORS " } ]", { { 0.1, 2, UNTWISTED }, { 0.3, 1, UNTWISTED } } },
    { "kappa in place of masses, clover",
      CLOVER "determinants: [ { kappa: 0.125, hasenbusch: [ { kappa: 0.1 } ], heavy_kappa: 0.0625 } ]",
      { { 0, 2, UNTWISTED }, { 4, -2, UNTWISTED } } },
    { "2 + 1 flavors, exponential clover",
      CLOVER EXPONENTIAL "determinants: [ { mass: -0.3, hasenbusch: [ { mass: 0.5 } ] }, { flavors: 1, mass: 0.3, "
      ERRORS " } ]", { { -0.3, 2, UNTWISTED }, { 0.3, 1, UNTWISTED } } },
    { "one flavor over a heavy one in two fields, exponential clover",
      CLOVER EXPONENTIAL "determinants: [ { flavors: 1, mass: -0.3, heavy: 1.5, fields: 2, " ERRORS " } ]",
      { { -0.3, 1, UNTWISTED }, { 1.5, -1, UNTWISTED } } },
    { "twisted mass", "determinants: [ { mass: 0.2, mu: 0.3 } ]", { { 0.2, 2, { 0.3, 0 } } } },
    { "twisted mass over a twist of odd sites",
      "determinants: [ { mass: 0.1, mu: -0.2, hasenbusch: [ { rho: 0.3 } ], heavy_rho: 0.7 } ]",
      { { 0.1, 2, { -0.2, 0 } }, { 0.1, -2, { -0.2, 0.7 } } } },
    { "a chain of twists of odd sites",
      "determinants: [ { mass: 0.1, hasenbusch: [ { rho: 0.1 }, { rho: 0.5 } ] } ]",
      { { 0.1, 2, UNTWISTED } } },
    { "a chain of twisted masses over a larger one",
      "determinants: [ { mass: 0.1, hasenbusch: [ { mu: 0.2 }, { mass: 0.3, mu: -0.3 } ], heavy: 0.4, "
      "heavy_mu: 0.5 } ]",
      { { 0.1, 2, UNTWISTED }, { 0.4, -2, { 0.5, 0 } } } },
    { "a ratio of twisted masses, clover",
      CLOVER "determinants: [ { mass: 0.1, mu: 0.1, hasenbusch: [ { mu: 0.3, rho: 0.2 } ], heavy_mu: 0.6 } ]",
      { { 0.1, 2, { 0.1, 0 } }, { 0.1, -2, { 0.6, 0 } } } },
    { "twisted mass, clover",
      CLOVER "determinants: [ { mass: 0.1, mu: 0.25, hasenbusch: [ { rho: 0.1 }, { mass: 0.4, rho: 0.4 } ] } ]",
      { { 0.1, 2, { 0.25, 0 } } } },
    { "a regulator on odd sites, clover, and a denominator with another one, by BiCGstab(2)",
      CLOVER "method: bicgstab2\ndeterminants: [ { mass: 0, rho: 0.1, hasenbusch: [ { rho: 0.2 } ], heavy: 0.3, "
      "heavy_rho: 0.05 } ]", { { 0, 2, { 0, 0.1 } }, { 0.3, -2, { 0, 0.05 } } } },
    { "twisted masses and a single flavor, exponential clover",
      CLOVER EXPONENTIAL "determinants: [ { mass: -0.3, mu: 0.4, hasenbusch: [ { rho: 0.2 }, { mass: 0.5 } ] }, "
      "{ mass: -0.3, mu: -0.1 }, { flavors: 1, mass: 0.3, " ERRORS " } ]",
      { { -0.3, 2, { 0.4, 0 } }, { -0.3, 2, { -0.1, 0 } }, { 0.3, 1, UNTWISTED } } },
    { "2 + 1 flavors with phases in space",
      THETA "determinants: [ { mass: 0.05, hasenbusch: [ { mass: 0.3 } ] }, { flavors: 1, mass: 0.3, " ERRORS " } ]",
      { { 0.05, 2, UNTWISTED }, { 0.3, 1, UNTWISTED } } },
    { "a chain by BiCGstab in mixed precision, clover, phases in space",
      CLOVER THETA "method: bicgstab\nsolver: double-single-half\n"
      "determinants: [ { mass: 0.05, hasenbusch: [ { mass: 0.2 } ] } ]", { { 0.05, 2, UNTWISTED } } },
    { "twisted mass, exponential clover, phases in space",
      CLOVER EXPONENTIAL THETA "determinants: [ { mass: -0.2, mu: 0.25, hasenbusch: [ { rho: 0.3 } ] } ]",
      { { -0.2, 2, { 0.25, 0 } } } },
    { "two flavors, clover, symmetric", CLOVER SYMMETRIC "determinants: [ { mass: 0.2 } ]",
      { { 0.2, 2, UNTWISTED } } },
    { "a chain over a denominator, clover, symmetric, periodic",
      CLOVER SYMMETRIC "boundary: 0\ndeterminants: [ { mass: 0.05, hasenbusch: [ { mass: 0.3 } ], heavy: 0.8 } ]",
      { { 0.05, 2, UNTWISTED }, { 0.8, -2, UNTWISTED } } },
    { "a chain by BiCGstab in mixed precision, clover, symmetric, phases in space",
      CLOVER SYMMETRIC THETA "method: bicgstab\nsolver: double-single-half\n"
      "determinants: [ { mass: 0.05, hasenbusch: [ { mass: 0.2 } ] } ]", { { 0.05, 2, UNTWISTED } } },
    { "2 + 1 flavors, the single one over a heavy one in two fields, clover, symmetric",
      CLOVER SYMMETRIC "determinants: [ { mass: 0.1, hasenbusch: [ { mass: 0.5 } ] }, { flavors: 1, mass: 0.3, "
      "heavy: 0.9, fields: 2, " ERRORS " } ]",
      { { 0.1, 2, UNTWISTED }, { 0.3, 1, UNTWISTED }, { 0.9, -1, UNTWISTED } } },
    { "one flavor, clover, symmetric", CLOVER SYMMETRIC "determinants: [ { flavors: 1, mass: 0.2, " ERRORS " } ]",
      { { 0.2, 1, UNTWISTED } } },
    { "2 + 1 flavors, exponential clover, symmetric",
      CLOVER EXPONENTIAL SYMMETRIC "determinants: [ { mass: -0.3, hasenbusch: [ { mass: 0.5 } ] }, "
      "{ flavors: 1, mass: 0.3, " ERRORS " } ]", { { -0.3, 2, UNTWISTED }, { 0.3, 1, UNTWISTED } } },
    { "twisted mass over a twist of odd sites, symmetric",
      SYMMETRIC "determinants: [ { mass: 0.1, mu: -0.2, hasenbusch: [ { rho: 0.3 } ], heavy_rho: 0.7 } ]",
      { { 0.1, 2, { -0.2, 0 } }, { 0.1, -2, { -0.2, 0.7 } } } },
    { "twisted mass and a chain of twists of odd sites, clover, symmetric",
      CLOVER SYMMETRIC "determinants: [ { mass: 0.1, mu: 0.25, hasenbusch: [ { rho: 0.1 }, { rho: 0.3 }, "
      "{ mass: 0.4, rho: 0.4 } ] } ]", { { 0.1, 2, { 0.25, 0 } } } },
    { "a regulator on odd sites, clover, symmetric, and a denominator with another one, by BiCGstab(2)",
      CLOVER SYMMETRIC "method: bicgstab2\ndeterminants: [ { mass: 0, rho: 0.1, hasenbusch: [ { rho: 0.2 } ], "
      "heavy: 0.3, heavy_rho: 0.05 } ]", { { 0, 2, { 0, 0.1 } }, { 0.3, -2, { 0, 0.05 } } } },
    { "twisted masses and a single flavor, exponential clover, symmetric",
      CLOVER EXPONENTIAL SYMMETRIC "determinants: [ { mass: -0.3, mu: 0.4, hasenbusch: [ { rho: 0.2 }, "
      "{ mass: 0.5 } ] }, { mass: -0.3, mu: -0.1, heavy_mu: 0.6 }, { flavors: 1, mass: 0.3, " ERRORS " } ]",
      { { -0.3, 2, { 0.4, 0 } }, { -0.3, 2, { -0.1, 0 } }, { -0.3, -2, { 0.6, 0 } }, { 0.3, 1, UNTWISTED } } },
    { "two flavors, symmetric: as asymmetric", SYMMETRIC "determinants: [ { mass: 0.2 } ]",
      { { 0.2, 2, UNTWISTED } } },
};
enum { ACTIONS = sizeof actions / sizeof actions[0] };

#endif
