/* staggered_facts.c - projections and small eigenvalues of a trajectory, summed for the record and for warnings. */
#include "src/operators/staggered_facts.h"

#include "src/base/log.h"

#include <math.h>
#include <string.h>

void staggered_facts_clear(staggered_facts *facts)
{
    memset(facts, 0, sizeof *facts);
    facts->force.first_filtered = -1;
}

/* The smaller of two numbers, where 0 means none; NaN if one of them is NaN. */
static double smaller(double a, double b)
{
    if (isnan(a) || isnan(b))
        return NAN;
    return a > 0 && b > 0 ? fmin(a, b) : fmax(a, b);
}

void staggered_facts_merge(staggered_facts *facts, projection_facts projection, force_facts force)
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

void staggered_facts_row(staggered_facts *facts, number_row *row)
{
    force_facts *force = &facts->force;
    number_row_real(row, &facts->projection.svd_links);
    number_row_real(row, &facts->projection.smallest_eigenvalue);
    number_row_real(row, &force->smallest_eigenvalue);
    for (int bin = 0; bin < EIGENVALUE_BINS; bin++)
        number_row_real(row, &force->below[bin]);
    number_row_real(row, &force->filtered);
    number_row_int64(row, &force->first_filtered);
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

void staggered_facts_report(const staggered_facts *facts, const char *name, const int global[4], json *j)
{
    json_open(j, "projection", '{');
    json_int(j, "svd_links", (int64_t)facts->projection.svd_links);
    json_real(j, "smallest_eigenvalue", facts->projection.smallest_eigenvalue);
    json_close(j);
    report_filter(&facts->force, name, global, j);
}
