/* dwf_ward.c - the residual mass of domain-wall quarks by the axial Ward identity. */
#include "src/measure/dwf_ward.h"

#include <math.h>

ward_terms ward_terms_of(const quark_line *line)
{
    const spinor_field eta = line->source, q = line->quark;
    return (ward_terms){ vec_dot(eta.even, q.even).re + vec_dot(eta.odd, q.odd).re,
                         vec_norm2(q.even) + vec_norm2(q.odd) };
}

/* The residual mass without source number `but`; -1: from all sources. */
static double residual_mass_without(const ward_terms *terms, int count, double mass, int but)
{
    double source_quark = 0, quark2 = 0;
    for (int n = 0; n < count; n++)
        if (n != but) {
            source_quark += terms[n].source_quark;
            quark2 += terms[n].quark2;
        }
    return source_quark / quark2 - mass;
}

double ward_residual_mass(const ward_terms *terms, int count, double mass)
{
    return residual_mass_without(terms, count, mass, -1);
}

double ward_residual_mass_error(const ward_terms *terms, int count, double mass)
{
    const double all = ward_residual_mass(terms, count, mass);
    double scatter = 0;
    for (int n = 0; n < count; n++) {
        const double without = count > 1 ? residual_mass_without(terms, count, mass, n) - all : NAN;
        scatter += without * without;
    }
    return sqrt(scatter * (count - 1) / count);
}
