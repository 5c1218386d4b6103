/* rational_file.c - write rational functions to a file in the format of MILC (rational_file.h). */
#include "src/rational/rational_file.h"

#include "src/config/number.h"
#include "src/io/safe_file.h"

/* The number in unused places: the list of poles has one place for the constant, and lists of masses have at least
 * MILC_FACTORS places. */
#define PLACE 99.9

/* "m_MD 0.01 0.05 0.2 99.9": member 'y', 'z' or 'm'. */
static void add_list(text *out, const char *function, char member, const power_product *f)
{
    text_add(out, "%c_%s", member, function);
    for (int j = 0; j < MILC_FACTORS || j < f->count; j++) {
        const mass_power nothing = { PLACE, 0, f->count > 0 ? f->factor[0].z : 1 };
        const mass_power *p = j < f->count ? &f->factor[j] : &nothing;
        text_add(out, " ");
        if (member == 'm')
            number_add_real(out, p->mass);
        else
            text_add(out, "%d", member == 'y' ? p->y : p->z);
    }
    text_add(out, "\n");
}

static bool add_function(text *out, const char *function, const rational *r, failure *why)
{
    if (r->target.count > MILC_FACTORS)
        return fail(why, "a function with %d masses: the format of MILC allows at most %d", r->target.count,
                    MILC_FACTORS);
    text_add(out, "\n# Approximating the function ");
    power_product_describe(out, &r->target);
    text_add(out, "\n# Approximation bounds are [");
    number_add_real(out, r->lower);
    text_add(out, ",");
    number_add_real(out, r->upper);
    text_add(out, "], error = %.6e\n", r->error);
    add_list(out, function, 'y', &r->target);
    add_list(out, function, 'z', &r->target);
    add_list(out, function, 'm', &r->target);
    text_add(out, "order_%s %d\n\nres_%s %.17g\n", function, r->order, function, r->constant);
    for (int k = 0; k < r->order; k++)
        text_add(out, "res_%s %.17g\n", function, r->residue[k]);
    text_add(out, "\npole_%s %g\n", function, PLACE);
    for (int k = 0; k < r->order; k++)
        text_add(out, "pole_%s %.17g\n", function, r->pole[k]);
    return true;
}

bool rational_file_write(const char *path, const rational_set *set, int count, bool replace, failure *why)
{
    text out = { 0 };
    bool ok = true;
    text_add(&out, "n_pseudo %d\n", count);
    for (int i = 0; ok && i < count; i++) {
        text_add(&out, "\nnaik_term_epsilon ");
        number_add_real(&out, set[i].naik_epsilon);
        text_add(&out, "\n");
        ok = add_function(&out, "MD", &set[i].force, why) && add_function(&out, "GR", &set[i].refresh, why)
             && add_function(&out, "FA", &set[i].action, why);
    }
    ok = ok && safe_file_write_text(path, text_string(&out), replace, why);
    text_free(&out);
    return ok;
}
