/* named_fields.c - names of momenta, replicas, pseudofermions and start vectors. */
#include "src/ensemble/named_fields.h"

#include "src/ensemble/folder_files.h"

#include <stdio.h>

static bool visit_one(const evolve_term *term, int index, const char *what, field *x, named_field_visit *visit,
                      void *with)
{
    text name = field_file_name(term->name, index, what);
    const bool ok = visit(with, text_string(&name), x);
    text_free(&name);
    return ok;
}

static bool visit_term(const evolve_term *term, named_fields which, named_field_visit *visit, void *with)
{
    const char *what = NULL;
    field *x;
    bool ok = true;
    for (int i = 0; ok && !which.replicas && (x = monomial_pseudofermion(term->m, i, &what)); i++, what = NULL)
        ok = visit_one(term, i, what, x, visit, with);
    for (int i = 0; ok && which.start_vectors && (x = monomial_start_vector(term->m, i)); i++) {
        char kept[32];
        snprintf(kept, sizeof kept, "kept%d", i);
        ok = visit_one(term, i, kept, x, visit, with);
    }
    return ok;
}

bool named_fields_visit(hmc *h, named_fields which, named_field_visit *visit, void *with)
{
    bool ok = !which.momenta || visit(with, "momenta.npy", which.momenta);
    field *x;
    for (int r = 0; ok && which.replicas && (x = hmc_state_field(h, false, r)); r++) {
        char name[32];
        snprintf(name, sizeof name, "replica.%d.npy", r + 1);
        ok = visit(with, name, x);
        if (which.reading)
            hmc_put_field(h, r);
    }
    for (int t = 0; ok && t < hmc_term_count(h); t++)
        ok = visit_term(&hmc_terms(h)[t], which, visit, with);
    return ok;
}
