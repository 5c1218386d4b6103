/* doublet_workplace.h - a doublet of twisted-mass quarks on a test field, for tests of its operator. */
#ifndef KILN_TESTS_OPERATORS_DOUBLET_WORKPLACE_H
#define KILN_TESTS_OPERATORS_DOUBLET_WORKPLACE_H

#include "src/operators/doublet_operator.h"
#include "tests/operators/wilson_workplace.h"

#define DOUBLET_MASS 0.3

/* Without and with a clover term, the limits of equal masses and of none, and phases in space. */
typedef struct { const char *name; clover_kind kind; double c_sw; doublet_mus mus; double theta[3]; } doublet_form;
enum { DOUBLET_FORMS = 13 };
extern const doublet_form doublet_forms[DOUBLET_FORMS];

/* An operator on links of tests/analytic_field.h, antiperiodic in t, with its matrix; vectors of two flavors.  The
 * Wilson quarks of `w` are on the same links. */
typedef struct {
    wilson_workplace w;
    doublet_operator_params params;
    dirac_operator *d;
    dirac_matrix *m;
    spinor_field v, out, work;
    vec *scratch[DIRAC_WORK_VECTORS];
    char name[96];
} doublet_workplace;
doublet_workplace doublet_begin(place where, const int extents[4], const doublet_form *f);
void doublet_end(doublet_workplace *p);

#endif
