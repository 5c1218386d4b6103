/* result_unit.c - a for a_s and a_t on isotropic lattices; the anisotropy of a result. */
#include "src/measure/result_unit.h"

#include "src/base/json_members.h"

#include <assert.h>
#include <string.h>

unit_text result_unit_on(const char *unit, bool anisotropic)
{
    unit_text made = { "" };
    size_t n = 0;
    for (const char *c = unit ? unit : ""; *c; c++) {
        assert(n + 1 < sizeof made.s);
        made.s[n++] = *c;
        if (!anisotropic && (strncmp(c, "a_s", 3) == 0 || strncmp(c, "a_t", 3) == 0))
            c += 2;
    }
    return made;
}

double result_xi(yyjson_val *result)
{
    double xi;
    return json_member_real(result, "xi", &xi) ? xi : 1;
}

bool result_is_anisotropic(yyjson_val *result)
{
    double xi_0;
    return result_xi(result) != 1 || (json_member_real(result, "xi_0", &xi_0) && xi_0 != 1);
}
