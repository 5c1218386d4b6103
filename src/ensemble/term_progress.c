/* term_progress.c - the progress of the terms in a trajectory, written to JSON and read from it. */
#include "src/ensemble/term_progress.h"

#include "src/base/json_members.h"

void term_progress_to_json(json *j, const hmc *h)
{
    json_open(j, "progress", '{');
    for (int t = 0; t < hmc_term_count(h); t++) {
        number_row row = { 0 };
        monomial_progress(hmc_terms(h)[t].m, &row);
        json_open(j, hmc_terms(h)[t].name, '[');
        for (int64_t i = 0; i < row.count; i++)
            json_real_exact(j, NULL, row.value[i]);
        json_close(j);
        number_row_free(&row);
    }
    json_close(j);
}

term_progress term_progress_now(const hmc *h)
{
    term_progress p = { 0 };
    for (int t = 0; t < hmc_term_count(h); t++)
        monomial_progress(hmc_terms(h)[t].m, &p.of[t]);
    return p;
}

void term_progress_put(const hmc *h, term_progress *p)
{
    for (int t = 0; t < hmc_term_count(h); t++) {
        number_row_rewind(&p->of[t]);
        monomial_progress(hmc_terms(h)[t].m, &p->of[t]);
    }
}

void term_progress_free(const hmc *h, term_progress *p)
{
    for (int t = 0; t < hmc_term_count(h); t++)
        number_row_free(&p->of[t]);
}

bool term_progress_from_json(const hmc *h, const members *m)
{
    members all;
    if (!json_members_object(&all, m, "progress"))
        return false;
    term_progress p = term_progress_now(h);             /* only for the number of values, which is constant */
    bool ok = true;
    for (int t = 0; ok && t < hmc_term_count(h); t++)
        ok = json_members_reals(p.of[t].value, p.of[t].count, &all, hmc_terms(h)[t].name);
    if (ok)
        term_progress_put(h, &p);
    term_progress_free(h, &p);
    return ok;
}
