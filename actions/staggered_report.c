/* staggered_report.c - what staggered quarks met in a trajectory, for the record and for people. */
#include "actions/staggered_report.h"

#include "src/base/log.h"
#include "src/base/text.h"

#include <math.h>
#include <string.h>

void quark_facts_forget(quark_facts *facts)
{
    memset(facts, 0, sizeof *facts);
    facts->force.first_filtered = -1;
}

/* The smaller of two numbers that are 0 where there is none; what is no number stays. */
static double smaller(double a, double b)
{
    if (isnan(a) || isnan(b))
        return NAN;
    return a > 0 && b > 0 ? fmin(a, b) : fmax(a, b);
}

void quark_facts_meet(quark_facts *facts, projection_facts projection, force_facts force)
{
    force_facts *f = &facts->force;
    facts->projection.svd_links += projection.svd_links;
    facts->projection.smallest_eigenvalue = smaller(facts->projection.smallest_eigenvalue,
                                                    projection.smallest_eigenvalue);
    f->smallest_eigenvalue = smaller(f->smallest_eigenvalue, force.smallest_eigenvalue);
    for (int bin = 0; bin < EIGENVALUE_BINS; bin++)
        f->below[bin] += force.below[bin];
    f->filtered += force.filtered;
    if (force.first_filtered >= 0 && (f->first_filtered < 0 || force.first_filtered < f->first_filtered))
        f->first_filtered = force.first_filtered;
}

void quark_facts_row(quark_facts *facts, int pseudofermions, number_row *row)
{
    force_facts *force = &facts->force;
    for (int n = 0; n < pseudofermions; n++)
        solve_facts_row(facts->of[n], row);
    mixed_records_row(facts->mixed, row);
    number_row_real(row, &facts->projection.svd_links);
    number_row_real(row, &facts->projection.smallest_eigenvalue);
    number_row_real(row, &force->smallest_eigenvalue);
    for (int bin = 0; bin < EIGENVALUE_BINS; bin++)
        number_row_real(row, &force->below[bin]);
    number_row_real(row, &force->filtered);
    number_row_int64(row, &force->first_filtered);
    number_row_real(row, &facts->largest_found);
    number_row_real(row, &facts->largest_allowed);
    number_row_bool(row, &facts->renewed);
}

void quark_facts_add(quark_facts *facts, int field_number, int role, const multishift_result *result, int systems)
{
    solve_facts *s = &facts->of[field_number][role];
    s->solves++;
    s->iterations += result->iterations;
    s->polish += result->polish_iterations;
    for (int k = 0; k < systems; k++)
        s->residual = fmax(s->residual, result->residual[k]);
}

static void report_field(const quark_facts *facts, const staggered_plan *plan, int n, json *j)
{
    text words = { 0 };
    pseudofermion_describe(&words, plan, n);
    json_open(j, NULL, '{');
    json_text(j, "determinant", text_string(&words));
    solve_facts_report(facts->of[n], j);
    json_close(j);
    text_free(&words);
}

static void site_of_rank(int64_t rank, const int global[4], int coordinate[4])
{
    for (int mu = 0; mu < 4; mu++) {
        coordinate[mu] = (int)(rank % global[mu]);
        rank /= global[mu];
    }
}

static void report_filter(const force_facts *force, const char *name, const int global[4], json *j)
{
    static const char *const bins[EIGENVALUE_BINS] = { "1e-2", "1e-3", "1e-4", "1e-5", "1e-6" };
    json_open(j, "force_eigenvalues", '{');
    json_real(j, "smallest", force->smallest_eigenvalue);
    json_open(j, "links_below", '{');
    for (int b = 0; b < EIGENVALUE_BINS; b++)
        json_int(j, bins[b], (int64_t)force->below[b]);
    json_close(j);
    json_int(j, "filtered", (int64_t)force->filtered);
    if (force->first_filtered >= 0) {
        int c[4];
        site_of_rank(force->first_filtered, global, c);
        json_open(j, "first_filtered", '[');
        for (int mu = 0; mu < 4; mu++)
            json_int(j, NULL, c[mu]);
        json_close(j);
        log_line(LOG_WARNING, "%s: the force filter raised the eigenvalues of %.0f links (smallest of V^+V: %.3g); the "
                              "first at x, y, z, t = %d, %d, %d, %d", name, force->filtered,
                 force->smallest_eigenvalue, c[0], c[1], c[2], c[3]);
    }
    json_close(j);
}

void quark_facts_report(const quark_facts *facts, const staggered_plan *plan, const char *name, const int global[4],
                        json *j)
{
    json_open(j, "pseudofermions", '[');
    for (int n = 0; n < plan->count; n++)
        report_field(facts, plan, n, j);
    json_close(j);
    mixed_records_report(facts->mixed, name, j);
    if (staggered_has_projection(&plan->links)) {
        json_open(j, "projection", '{');
        json_int(j, "svd_links", (int64_t)facts->projection.svd_links);
        json_real(j, "smallest_eigenvalue", facts->projection.smallest_eigenvalue);
        json_close(j);
        report_filter(&facts->force, name, global, j);
    }
    json_open(j, "spectrum", '{');
    if (facts->largest_found > 0)
        json_real(j, "largest_eigenvalue", facts->largest_found);
    json_real(j, "range_end", facts->largest_allowed);
    if (facts->renewed)
        json_bool(j, "range_renewed", true);
    json_close(j);
}
