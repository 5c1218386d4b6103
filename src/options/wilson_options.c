/* wilson_options.c - the mass of Wilson quarks on a command line: --mass or --kappa. */
#include "src/options/wilson_options.h"

bool wilson_mass_options_fit(const wilson_mass_input *m, failure *f)
{
    if (m->given.mass && m->given.kappa)
        return fail(f, "--mass %g and --kappa %g both give the bare mass; give one of them", m->mass, m->kappa);
    return wilson_mass_is_given_once(m) || fail(f, "--mass M or --kappa K is missing");
}

void wilson_mass_options_to_json(json *j, const wilson_mass_input *m)
{
    json_real(j, "mass", wilson_bare_mass(m));
    if (m->given.kappa)
        json_real(j, "kappa", m->kappa);
}
