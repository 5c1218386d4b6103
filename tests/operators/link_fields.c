/* link_fields.c - complex matrices on links, for tests of smearing; the arithmetic is the host's. */
#include "tests/operators/link_fields.h"

#include "src/base/memory.h"
#include "tests/facts.h"

#include <complex.h>
#include <math.h>
#include <stdint.h>

size_t link_numbers(const lattice *l)
{
    return (size_t)lattice_volume(l) * GAUGE_REALS;
}

static double *numbers(const lattice *l)
{
    return memory_alloc(link_numbers(l) * sizeof(double), "links of a test");
}

double *any_links(const lattice *l, int seed)
{
    double *a = numbers(l);
    for (size_t i = 0; i < link_numbers(l); i++) {
        uint64_t z = ((uint64_t)i + ((uint64_t)seed << 40) + 1) * 0x9E3779B97F4A7C15u;
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
        z = (z ^ z >> 27) * 0x94D049BB133111EBu;
        z ^= z >> 31;
        a[i] = 2 * ((double)(z >> 11) / 9007199254740992.0) - 1;
    }
    return a;
}

double *links_sum(const lattice *l, const double *a, double f, const double *b)
{
    double *sum = numbers(l);
    for (size_t i = 0; i < link_numbers(l); i++)
        sum[i] = a[i] + f * b[i];
    return sum;
}

double *links_of(const gauge *u)
{
    double *links = numbers(u->links.lattice);
    gauge_export(links, u);
    return links;
}

gauge *links_on(lattice *l, place where, precision p, const double *links)
{
    gauge *u = gauge_create(l, where, p);
    gauge_import(u, links);
    return u;
}

double *links_turned(const gauge *links, const gauge_rotation *g, int hop)
{
    lattice *l = links->links.lattice;
    const int *n = lattice_global(l);
    double complex *turned = (double complex *)links_of(links);
    double complex *rotation = memory_alloc((size_t)lattice_volume(l) * MATRIX_REALS * sizeof(double), "a rotation");
    field_export((double *)rotation, &g->f);
    for (int link = 0; link < 4 * (int)lattice_volume(l); link++) {
        int site = link / 4, mu = link % 4, stride = mu == 0 ? 1 : mu == 1 ? n[0] : mu == 2 ? n[0] * n[1]
                                                                                          : n[0] * n[1] * n[2];
        int c = site / stride % n[mu], end = site + ((c + hop) % n[mu] - c) * stride;
        double complex *m = turned + 9 * link, *a = rotation + 9 * site, *b = rotation + 9 * end, product[9] = { 0 };
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                for (int k = 0; k < 9; k++)
                    product[3 * i + j] += a[3 * i + k / 3] * m[k] * conj(b[3 * j + k % 3]);
        for (int k = 0; k < 9; k++)
            m[k] = product[k];
    }
    memory_free(rotation);
    return (double *)turned;
}

double links_product(const lattice *l, const double *a, const double *b)
{
    double sum = 0;
    for (size_t i = 0; i < link_numbers(l); i++)
        sum += a[i] * b[i];
    return sum;
}

double links_largest(const lattice *l, const double *a)
{
    double largest = 0;
    for (size_t i = 0; i < link_numbers(l); i++)
        largest = worse(largest, fabs(a[i]));
    return largest;
}

double links_apart(const lattice *l, const double *a, const double *b)
{
    double *difference = links_sum(l, a, -1, b), apart = links_largest(l, difference) / links_largest(l, b);
    bool number = isfinite(links_product(l, a, a));
    memory_free(difference);
    return number ? apart : NAN;
}

double gauge_apart(const gauge *a, const double *b)
{
    double *links = links_of(a), apart = links_apart(a->links.lattice, links, b);
    memory_free(links);
    return apart;
}
