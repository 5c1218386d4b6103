/* probe_spinor_files.c - files, golden parts and solutions of Wilson quarks in tests of kiln probe. */
#include "tests/probe/probe_spinor_files.h"

#include "tests/analytic_field.h"
#include "tests/io/whole_links.h"

#include <stdio.h>
#include <string.h>

const int spinor_extents[4] = { 4, 4, 6, 8 };

spinor_files spinor_files_in(scratch *s, const char *op, const char *parameters)
{
    spinor_files f = { .op = op, .parameters = parameters };
    strcpy(f.config, scratch_path(s, "config.lime"));
    strcpy(f.source, scratch_path(s, "source.npy"));
    strcpy(f.out, scratch_path(s, "out.npy"));
    return f;
}

void spinor_config(const spinor_files *f, double width)
{
    failure why;
    links_info info = { .bits = 64 };
    double *links = analytic_links(spinor_extents, width);
    memcpy(info.extents, spinor_extents, sizeof info.extents);
    if (!links_write_ildg(f->config, links, &info, true, &why))
        note("%s", why.why);
    memory_free(links);
}

double *spinor_result_of(const spinor_files *f, const char *op, const char *options)
{
    const program_output *s = program_run("probe apply --operator %s '%s' '%s' --source '%s' %s --device %s", op,
                                          f->config,
                                f->out, f->source, options, f->device);
    fact(s->status == 0, "%s: probe apply --operator %s %s", f->device, op, options);
    return array_read(f->out, SPINORS, spinor_extents);
}

double *spinor_result(const spinor_files *f, const char *options)
{
    char all[200];
    snprintf(all, sizeof all, "%s %s", f->parameters, options);
    return spinor_result_of(f, f->op, all);
}

bool spinor_is_odd(size_t at)
{
    size_t x = at / SPINOR;
    return (x % 4 + x / 4 % 4 + x / 16 % 6 + x / 96) % 2 == 1;
}

double spinor_product(const double *a, const double *b)
{
    double sum = a && b ? 0 : NAN;
    for (size_t i = 0; a && b && i < SPINOR_COUNT; i++)
        sum += a[i] * b[i];
    return sum;
}

void spinor_golden_parts(const spinor_files *f, double width, const char *name, const spinor_part_numbers *all,
                         int count)
{
    double *v = golden_array(SPINOR_SITES, 1);
    spinor_config(f, width);
    array_write(f->source, v, SPINORS, spinor_extents);
    for (int i = 0; i < count; i++) {
        char options[100], part[100];
        snprintf(options, sizeof options, "--part %s", all[i].part);
        snprintf(part, sizeof part, "%s, %s", name, all[i].part);
        double *out = spinor_result(f, options);
        golden_compare_array(out, v, SPINOR_COUNT, all[i].want, f->device, part);
        memory_free(out);
    }
    memory_free(v);
}

void spinor_relations(const spinor_files *f, const double *v, const double *m)
{
    double *mhat = spinor_result(f, "--part Mhat"), *normal = spinor_result(f, "--part normal");
    fact_close(spinor_product(v, normal) / spinor_product(mhat, mhat), 1, 1e-13,
               "%s: <v, normal v> = |Mhat v|^2 on odd sites", f->device);
    double on_even = 0;
    for (size_t at = 0; normal && mhat && at < SPINOR_COUNT; at++)
        on_even = worse(on_even, spinor_is_odd(at) ? 0 : fabs(normal[at]) + fabs(mhat[at]));
    fact(on_even == 0, "%s: Mhat and normal are zero on even sites", f->device);
    double *named = spinor_result(f, "--part M");
    fact(array_distance(m, named, SPINOR_COUNT) == 0, "%s: M is what is applied where no part is named", f->device);
    memory_free(named);
    memory_free(mhat);
    memory_free(normal);
}

void spinor_bases(const spinor_files *f, const double *v, const double *m)
{
    double *source = spinors_turned(v, SPINOR_COUNT);
    array_write(f->source, source, SPINORS, spinor_extents);
    double *rotated = spinor_result(f, "--basis nonrelativistic"), *back = spinors_turned(rotated, SPINOR_COUNT);
    fact_close(array_distance(back, m, SPINOR_COUNT), 0, 1e-13,
               "%s: in the non-relativistic basis S M psi comes from S psi", f->device);
    array_write(f->source, v, SPINORS, spinor_extents);
    memory_free(source);
    memory_free(rotated);
    memory_free(back);
}

void spinor_solution(const spinor_files *f, const char *part, const char *more, double residual)
{
    char options[200];
    double *v = array_read(f->source, SPINORS, spinor_extents), rest = 0, size = 0;
    yaml_node *tree = output_json(program_run("probe solve --operator %s '%s' '%s' --source '%s' %s --part %s %s "
                                              "--residual %g --device %s", f->op, f->config, f->out, f->source,
                                              f->parameters, part, more, residual, f->device));
    fact(json_number(tree, "true_residual") <= 1.01 * residual && json_number(tree, "iterations") > 10,
         "%s: %s x = v, %s: a small residual after iterations", f->device, part, more);
    yaml_tree_free(tree);
    spinor_files back_again = *f;
    strcpy(back_again.source, f->out);                         /* the solution is the source now */
    snprintf(options, sizeof options, "--part %s", part);
    double *back = spinor_result(&back_again, options);
    for (size_t at = 0; back && v && at < SPINOR_COUNT; at++)
        if (strcmp(part, "M") == 0 || spinor_is_odd(at)) {
            rest += (back[at] - v[at]) * (back[at] - v[at]);
            size += v[at] * v[at];
        }
    fact(back && sqrt(rest / size) <= 1.02 * residual, "%s: and %s gives v back, %s", f->device, part, more);
    memory_free(back);
    memory_free(v);
}
