/* milc_quarks.c - links and color vectors of MILC on its 6^4 configuration. */
#include "tests/operators/milc_quarks.h"

#include "src/base/memory.h"
#include "tests/facts.h"
#include "tests/io/npy_array.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const int milc_extents[4] = { 6, 6, 6, 6 };

const char *milc_why_not(void)
{
    return reference_folder() ? NULL : "there is no folder of reference data";
}

static const char *path_of(const char *name)
{
    static char path[1024];
    snprintf(path, sizeof path, "%s/reference/milc/f211b670.l6666/%s", reference_folder(), name);
    return path;
}

static double *array(const char *name, int dimensions, const size_t *shape)
{
    failure why;
    char file[128];
    snprintf(file, sizeof file, "%s.npy", name);
    double *a = npy_read(path_of(file), dimensions, shape, &why);
    require(a != NULL, "%s", why.why);
    return a;
}

static gauge *links(lattice *l, place where, precision p, const char *name)
{
    double *a = array(name, 8, (const size_t[]){ 6, 6, 6, 6, 4, 3, 3, 2 });
    gauge *u = gauge_create(l, where, p);
    gauge_import(u, a);
    memory_free(a);
    return u;
}

milc_links milc_links_create(lattice *l, place where, precision p)
{
    return (milc_links){ { links(l, where, p, "fat_eps0"), links(l, where, p, "fat_eps1") },
                         links(l, where, p, "long_eps0") };
}

void milc_links_free(milc_links *m)
{
    gauge_free(m->fat[0]);
    gauge_free(m->fat[1]);
    gauge_free(m->naik);
}

gauge *milc_thin_links(lattice *l, place where, precision p)
{
    return links(l, where, p, "U");
}

staggered_terms milc_terms(const milc_links *m, int set)
{
    return (staggered_terms){ m->fat[set], m->naik, set == 0 ? 1 : 1 + MILC_EPSILON };
}

vec *milc_vector(lattice *l, parity_set on, place where, precision p, const char *name)
{
    double *a = array(name, 6, (const size_t[]){ 6, 6, 6, 6, 3, 2 });
    vec *v = vec_create(l, on, where, p);
    vec_import(v, a);
    memory_free(a);
    return v;
}

milc_function milc_rational(int pseudofermion, const char *which)
{
    milc_function f = { .poles = -1 };                          /* the constant is the first residue */
    int poles = -1, number = -1;
    char line[256], key[64], residue[16], pole[16];
    FILE *file = fopen(path_of("rationals.sample.su3_rhmc_hisq_f211"), "r");
    require(file != NULL, "the rational functions of MILC cannot be opened");
    snprintf(residue, sizeof residue, "res_%s", which);
    snprintf(pole, sizeof pole, "pole_%s", which);
    while (fgets(line, sizeof line, file)) {
        double value;
        if (sscanf(line, "%63s %lf", key, &value) != 2)
            continue;
        number += strcmp(key, "naik_term_epsilon") == 0;
        if (number != pseudofermion)
            continue;
        if (strcmp(key, residue) == 0 && ++f.poles == 0)
            f.constant = value;
        else if (strcmp(key, residue) == 0)
            f.residue[f.poles - 1] = value;
        else if (strcmp(key, pole) == 0 && ++poles > 0)         /* the first belongs to the constant */
            f.pole[poles - 1] = value;
    }
    fclose(file);
    require(f.poles > 0 && f.poles == poles, "MILC's function %s of pseudofermion %d is not whole", which,
            pseudofermion);
    return f;
}

static double *numbers_of(const vec *v, size_t *count)
{
    *count = (size_t)lattice_volume(v->f.lattice) * VEC_REALS;
    double *a = memory_alloc(*count * sizeof *a, "a vector");
    vec_export(a, v);
    return a;
}

double relative_distance(const vec *a, const vec *b)
{
    size_t n;
    double *x = numbers_of(a, &n), *y = numbers_of(b, &n), difference2 = 0, norm2 = 0;
    for (size_t i = 0; i < n; i++) {
        difference2 += (x[i] - y[i]) * (x[i] - y[i]);
        norm2 += y[i] * y[i];
    }
    memory_free(x);
    memory_free(y);
    return sqrt(difference2 / norm2);
}

bool same_numbers(const vec *a, const vec *b)
{
    size_t n;
    double *x = numbers_of(a, &n), *y = numbers_of(b, &n);
    bool same = memcmp(x, y, n * sizeof *x) == 0;
    memory_free(x);
    memory_free(y);
    return same;
}
