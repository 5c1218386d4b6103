/* test_staggered_links.c - smeared links: against MILC and an independent implementation, free values, covariance,
 * phases, sets of links. */
#include "src/base/memory.h"
#include "src/lattice/rng.h"
#include "src/operators/smearing.h"
#include "src/operators/staggered_links.h"
#include "tests/analytic_field.h"
#include "tests/facts.h"
#include "tests/io/npy_array.h"
#include "tests/on_every_backend.h"
#include "tests/operators/golden_links.h"
#include "tests/operators/link_fields.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static staggered_links *updated(const staggered_links_params *p, const gauge *u)
{
    staggered_links *s = staggered_links_create(p, u);
    staggered_links_update(s, u);
    return s;
}

static gauge *analytic(lattice *l, place where, precision p)
{
    double *links = analytic_links(lattice_global(l), 1.2);
    gauge *u = links_on(l, where, p, links);
    memory_free(links);
    return u;
}

static bool same_bits(const gauge *a, const gauge *b)
{
    double *x = links_of(a), *y = links_of(b);
    bool same = memcmp(x, y, link_numbers(a->links.lattice) * sizeof *x) == 0;
    memory_free(y);
    memory_free(x);
    return same;
}

static double *milc_links(const char *folder, const char *name, const lattice *l)
{
    const int *n = lattice_global(l);
    size_t shape[] = { (size_t)n[3], (size_t)n[2], (size_t)n[1], (size_t)n[0], 4, 3, 3, 2 };
    char path[1024];
    failure why;
    snprintf(path, sizeof path, "%s/reference/milc/%s/%s.npy", reference_folder(), folder, name);
    double *links = npy_read(path, 8, shape, &why);
    require(links != NULL, "%s", why.why);
    return links;
}

typedef struct {
    const char *folder;
    int extents[4], epsilons;
    bool smooth;                /* the projection loses few digits: none is near a singular matrix */
    double projected;           /* what rounding may become in it, relative */
    double unitary;             /* MILC's trick for Lepage's term takes W for unitary, which it is so far */
} milc_case;

static void near_milc(const milc_case *m, const gauge *got, double factor, const char *name, double tolerance,
                      const char *where)
{
    lattice *l = got->links.lattice;
    double *want = milc_links(m->folder, name, l), *nothing = links_sum(l, want, -1, want);
    double *links = links_of(got), *scaled = links_sum(l, nothing, factor, links);
    fact_close(links_apart(l, scaled, want), 0, tolerance, "%s, MILC %s: %s, relative", where, m->folder, name);
    memory_free(scaled);
    memory_free(links);
    memory_free(nothing);
    memory_free(want);
}

static void milc(const milc_case *m, place where, precision prec)
{
    const staggered_links_params params = { .kind = STAGGERED_HISQ, .u0 = 1, .boundary = 1, .epsilons = m->epsilons,
                                            .epsilon = { 0, -0.16875 } };
    const bool wide = prec == PRECISION_DOUBLE;
    char name[64];
    snprintf(name, sizeof name, "%s, %s", place_name(where), wide ? "double" : "single");
    lattice *l = lattice_create_single(m->extents);
    double *numbers = milc_links(m->folder, "U", l), *w_numbers = milc_links(m->folder, "W", l);
    gauge *u = links_on(l, where, prec, numbers), *w = links_on(l, where, prec, w_numbers);
    gauge *x = gauge_create(l, where, prec), *n = gauge_create(l, where, prec);
    staggered_links *s = updated(&params, u);

    smearing_put_phases(x, staggered_v(s), 1, 1);
    near_milc(m, x, 1, "V", wide ? 1e-14 : 2e-6, name);
    if (wide || m->smooth) {
        double tolerance = wide ? m->projected : 2e-6;
        smearing_put_phases(x, staggered_w(s), 1, 1);
        near_milc(m, x, 1, "W", tolerance, name);
        near_milc(m, staggered_fat(s, 0), 1, "fat_eps0", tolerance, name);
        near_milc(m, staggered_naik(s), staggered_naik_coefficient(s, 0), "long_eps0", tolerance, name);
        if (m->epsilons > 1) {
            near_milc(m, staggered_fat(s, 1), 1, "fat_eps1", tolerance, name);
            near_milc(m, staggered_naik(s), staggered_naik_coefficient(s, 1), "long_eps1", tolerance, name);
        }
    }

    path_table second = staggered_second_table(&params);
    smearing *work = smearing_create(w, prec, false);
    smearing_remove_phases(w, 1, 1);
    smearing_apply(work, x, w, &second);
    smearing_put_phases(x, x, 1, 1);
    smearing_three_hops(n, w, 1);
    snprintf(name, sizeof name, "%s, %s, from MILC's W", place_name(where), wide ? "double" : "single");
    near_milc(m, x, 1, "fat_eps0", wide ? m->unitary : 2e-6, name);
    near_milc(m, n, second.naik, "long_eps0", wide ? 1e-14 : 2e-6, name);

    smearing_free(work);
    staggered_links_free(s);
    gauge_free(n);
    gauge_free(x);
    gauge_free(w);
    gauge_free(u);
    memory_free(w_numbers);
    memory_free(numbers);
    lattice_free(l);
}

static void facts_of(double facts[LINK_FACTS], const gauge *u)
{
    lattice *l = u->links.lattice;
    double *links = links_of(u), volume = (double)lattice_volume(l);
    memset(facts, 0, LINK_FACTS * sizeof *facts);
    for (size_t k = 0; k < link_numbers(l); k++) {
        bool diagonal = k % MATRIX_REALS / 2 % 4 == 0;
        facts[0] += links[k] * links[k] / (4 * volume);
        facts[1 + k % 2] += diagonal ? links[k] / (4 * volume) : 0;
        facts[3] += links[k] * ((double)(k * 7919 % 1009) / 1009 - 0.5) / volume;
    }
    memory_free(links);
}

static void golden(place where, precision prec)
{
    lattice *l = lattice_create_single(golden_extents);
    gauge *u = analytic(l, where, prec);
    for (int row = 0; row < GOLDEN_ROWS; row++) {
        const golden_row *g = &golden_rows[row];
        const staggered_links_params params = { .kind = g->kind, .projection = g->projection, .boundary = g->boundary,
                                                .u0 = g->kind == STAGGERED_ASQTAD ? GOLDEN_U0 : 1, .epsilons = 1,
                                                .epsilon = { g->epsilon } };
        staggered_links *s = updated(&params, u);
        const gauge *got[] = { staggered_v(s), staggered_w(s), staggered_fat(s, 0), staggered_naik(s) };
        static const char *const names[] = { "V", "W", "X", "N" };
        double facts[LINK_FACTS], apart = 0;
        facts_of(facts, got[g->field]);
        for (int i = 0; i < LINK_FACTS; i++)
            apart = worse(apart, fabs(facts[i] - g->facts[i]));
        fact_close(apart, 0, prec == PRECISION_DOUBLE ? 1e-13 : 1e-6, "%s, %s: %s of %s, %s, boundary %g, epsilon %g",
                   place_name(where), prec == PRECISION_DOUBLE ? "double" : "single", names[g->field],
                   staggered_kind_names[g->kind], projection_names[g->projection], g->boundary, g->epsilon);
        staggered_links_free(s);
    }
    gauge_free(u);
    lattice_free(l);
}

/* Unit links: staples are unit links too. */
static void free_values(place where)
{
    static const int extents[4] = { 4, 4, 2, 6 };
    lattice *l = lattice_create_single(extents);
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
    gauge_set_unit(u);
    double *unit = links_of(u);
    const struct { staggered_links_params params; double fat, naik; } cases[] = {
        { { .kind = STAGGERED_NAIVE, .u0 = 1, .epsilons = 1 }, 1, 0 },
        { { .kind = STAGGERED_ASQTAD, .u0 = 1, .epsilons = 1 }, 9.0 / 8, -1.0 / 24 },
        { { .kind = STAGGERED_HISQ, .u0 = 1, .epsilons = 1 }, 9.0 / 8, -1.0 / 24 },
        { { .kind = STAGGERED_HISQ, .u0 = 1, .epsilons = 1, .epsilon = { -0.3 } }, 9.0 / 8 - 0.3 / 8, -0.7 / 24 },
        { { .kind = STAGGERED_HISQ, .projection = PROJECTION_SU3, .u0 = 1, .epsilons = 1 }, 9.0 / 8, -1.0 / 24 },
    };
    for (int i = 0; i < 5; i++) {
        staggered_links *s = updated(&cases[i].params, u);
        gauge *x = gauge_create(l, where, PRECISION_DOUBLE);
        smearing_put_phases(x, staggered_fat(s, 0), 0, 1);
        double *links = links_of(x), *apart = links_sum(l, links, -cases[i].fat, unit);
        const char *kind = staggered_kind_names[cases[i].params.kind];
        fact_close(links_largest(l, apart), 0, 1e-15, "%s, %s, case %d: free fat links", place_name(where), kind, i);
        fact_close(staggered_naik_coefficient(s, 0), cases[i].naik, 1e-16, "%s, %s, case %d: Naik's coefficient",
                   place_name(where), kind, i);
        if (staggered_naik(s)) {
            smearing_put_phases(x, staggered_naik(s), 0, 3);
            fact_close(gauge_apart(x, unit), 0, 1e-15, "%s, %s, case %d: three free links", place_name(where), kind, i);
        }
        memory_free(apart);
        memory_free(links);
        gauge_free(x);
        staggered_links_free(s);
    }
    memory_free(unit);
    gauge_free(u);
    lattice_free(l);
}

/* X_mu(x) -> g(x) X_mu(x) g(x+mu)^+ and N_mu(x) -> g(x) N_mu(x) g(x+3mu)^+ */
static void covariance(place where, const int n[4])
{
    const staggered_links_params params = { .kind = STAGGERED_HISQ, .u0 = 1, .boundary = 0.3, .epsilons = 2,
                                            .epsilon = { 0, -0.2 } };
    lattice *l = lattice_create_single(n);
    gauge *u = analytic(l, where, PRECISION_DOUBLE);
    gauge_rotation *g = gauge_rotation_create(l, where, PRECISION_DOUBLE, rng_key_for(71, 0, 0, RNG_GAUGE_ROTATION));
    staggered_links *s = updated(&params, u), *t;
    gauge_rotate(u, g);
    t = updated(&params, u);
    const gauge *plain[] = { staggered_fat(s, 0), staggered_fat(s, 1), staggered_naik(s) };
    const gauge *turned[] = { staggered_fat(t, 0), staggered_fat(t, 1), staggered_naik(t) };
    static const char *const names[] = { "X", "X of an epsilon", "N" };
    for (int i = 0; i < 3; i++) {
        double *want = links_turned(plain[i], g, i < 2 ? 1 : 3);
        fact_close(gauge_apart(turned[i], want), 0, 4e-14, "%s, %dx%dx%dx%d: %s turns with the gauge",
                   place_name(where), n[0], n[1], n[2], n[3], names[i]);
        memory_free(want);
    }
    staggered_links_free(t);
    staggered_links_free(s);
    gauge_rotation_free(g);
    gauge_free(u);
    lattice_free(l);
}

/* Phases over `hop` sites as the conventions have them: the links to be had from unit links. */
static double *phases_by_hand(const lattice *l, double boundary, int hop)
{
    const int *n = lattice_global(l);
    double *links = any_links(l, 0);
    for (size_t k = 0; k < link_numbers(l); k++) {
        int site = (int)(k / GAUGE_REALS), mu = (int)(k % GAUGE_REALS / MATRIX_REALS), number = (int)(k % MATRIX_REALS);
        int x = site % n[0], y = site / n[0] % n[1], t = site / n[0] / n[1] / n[2];
        int minus[] = { t, t + x, t + x + y, 0 };
        double eta = minus[mu] % 2 ? -1 : 1, angle = mu == 3 ? M_PI * boundary * ((t + hop) / n[3]) : 0;
        links[k] = number % 8 == 0 ? eta * cos(angle) : number % 8 == 1 ? eta * sin(angle) : 0;
    }
    return links;
}

static void phases(place where, const int n[4])
{
    static const double boundaries[] = { 0, 1, -1, 0.5, 0.3 };
    lattice *l = lattice_create_single(n);
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE), *x = gauge_create(l, where, PRECISION_DOUBLE);
    gauge_set_unit(u);
    for (int i = 0; i < 5; i++)
        for (int hop = 1; hop <= 3; hop += 2) {
            double *want = phases_by_hand(l, boundaries[i], hop);
            smearing_put_phases(x, u, boundaries[i], hop);
            fact_close(gauge_apart(x, want), 0, 6e-16, "%s, %dx%dx%dx%d: phases over %d sites, boundary %g",
                       place_name(where), n[0], n[1], n[2], n[3], hop, boundaries[i]);
            if (hop == 3) {
                smearing_three_hops(x, u, boundaries[i]);
                fact_close(gauge_apart(x, want), 0, 6e-16, "%s, %dx%dx%dx%d: of three links in a row, boundary %g",
                           place_name(where), n[0], n[1], n[2], n[3], boundaries[i]);
            }
            memory_free(want);
        }

    /* Antiperiodic links are periodic ones with other signs, to the last bit. */
    gauge *random = analytic(l, where, PRECISION_DOUBLE);
    smearing_put_phases(u, random, 1, 1);
    smearing_put_phases(x, random, 0, 1);
    double *with = links_of(u), *without = links_of(x);
    bool only_signs = true;
    for (size_t k = 0; k < link_numbers(l); k++)
        only_signs &= fabs(with[k]) == fabs(without[k]);
    fact(only_signs, "%s, %dx%dx%dx%d: an antiperiodic boundary changes signs alone", place_name(where), n[0], n[1],
         n[2], n[3]);
    memory_free(without);
    memory_free(with);
    gauge_free(random);
    gauge_free(x);
    gauge_free(u);
    lattice_free(l);
}

static void sets(place where)
{
    static const int extents[4] = { 4, 2, 4, 4 };
    staggered_links_params params = { .kind = STAGGERED_HISQ, .u0 = 1, .boundary = 1, .epsilons = 4,
                                      .epsilon = { -0.16875, 0, 0.1, -0.16875 } };
    lattice *l = lattice_create_single(extents);
    gauge *u = analytic(l, where, PRECISION_DOUBLE);
    staggered_links *all = updated(&params, u);
    for (int set = 0; set < 4; set++) {
        staggered_links_params alone = params;
        alone.epsilons = 1;
        alone.epsilon[0] = params.epsilon[set];
        staggered_links *one = updated(&alone, u);
        fact(same_bits(staggered_fat(one, 0), staggered_fat(all, set)) &&
                 same_bits(staggered_naik(one), staggered_naik(all)) &&
                 staggered_naik_coefficient(one, 0) == staggered_naik_coefficient(all, set),
             "%s: set %d of four has the links that it has alone", place_name(where), set);
        staggered_links_free(one);
    }

    uint64_t before = staggered_fat(all, 0)->version;
    staggered_links_update(all, u);
    fact(staggered_fat(all, 0)->version == before, "%s: nothing is smeared where links stay", place_name(where));
    gauge_set_unit(u);
    staggered_links_update(all, u);
    fact(staggered_fat(all, 0)->version != before, "%s: and all where they change", place_name(where));
    staggered_projection_facts(all);
    gauge_reunitarize(u);
    staggered_links_update(all, u);
    projection_facts facts = staggered_projection_facts(all);
    fact_close(facts.svd_links, 0, 0, "%s: no link of free V takes the SVD", place_name(where));
    fact_close(facts.smallest_eigenvalue, 1, 1e-14, "%s: the smallest eigenvalue of free V^+V", place_name(where));
    facts = staggered_projection_facts(all);
    fact_close(facts.smallest_eigenvalue, 0, 0, "%s: facts are of the projections since the last call",
               place_name(where));
    staggered_links_free(all);
    gauge_free(u);
    lattice_free(l);
}

static void same_at_every_place(precision p)
{
    const staggered_links_params params = { .kind = STAGGERED_HISQ, .u0 = 1, .boundary = 1, .epsilons = 1,
                                            .epsilon = { -0.2 } };
    lattice *l = lattice_create_single(golden_extents);
    double *x = NULL, *n = NULL;
    FOR_EVERY_PLACE(where) {
        gauge *u = analytic(l, where, p);
        staggered_links *s = updated(&params, u);
        double *fat = links_of(staggered_fat(s, 0)), *naik = links_of(staggered_naik(s));
        size_t bytes = link_numbers(l) * sizeof(double);
        if (x)
            fact(memcmp(fat, x, bytes) == 0 && memcmp(naik, n, bytes) == 0, "%s, %s: X and N have the bits of the CPU",
                 place_name(where), p == PRECISION_DOUBLE ? "double" : "single");
        memory_free(x);
        memory_free(n);
        x = fat;
        n = naik;
        staggered_links_free(s);
        gauge_free(u);
    }
    memory_free(n);
    memory_free(x);
    lattice_free(l);
}

/* The plan of memory is what is taken, but for some structs. */
static void memory(void)
{
    static const int extents[4] = { 8, 4, 4, 4 };
    lattice *l = lattice_create_single(extents);
    gauge *u = gauge_create(l, PLACE_CPU, PRECISION_SINGLE);
    for (staggered_kind kind = STAGGERED_NAIVE; kind <= STAGGERED_HISQ; kind++) {
        staggered_links_params params = { .kind = kind, .u0 = 1, .epsilons = kind == STAGGERED_HISQ ? 3 : 1 };
        size_t before = memory_bytes_now();
        staggered_links *s = staggered_links_create(&params, u);
        size_t taken = memory_bytes_now() - before;
        size_t plan = memory_need_sum(staggered_links_bytes(&params, lattice_shape_of(l), PRECISION_SINGLE));
        fact(taken >= plan && taken - plan < 4096, "%s: a plan of %zu bytes takes %zu", staggered_kind_names[kind],
             plan, taken);
        staggered_links_free(s);
        fact(memory_bytes_now() == before, "%s: and all are given back", staggered_kind_names[kind]);
    }
    gauge_free(u);
    lattice_free(l);
}

int main(void)
{
    static const milc_case cases[] = {
        { "f211b670.l6666", { 6, 6, 6, 6 }, 2, true, 1e-13, 1e-14 },
        { "l4448hot", { 4, 4, 4, 8 }, 1, false, 1e-11, 2e-12 },
    };
    static const int shapes[][4] = { { 4, 4, 6, 4 }, { 2, 4, 2, 6 }, { 4, 2, 6, 2 } };
    fact_close(naik_epsilon_of_mass(0.5), -0.151482, 5e-7, "the series of Naik's epsilon at m = 0.5");
    memory();
    same_at_every_place(PRECISION_SINGLE);
    same_at_every_place(PRECISION_DOUBLE);
    if (!reference_folder())
        skip("links of MILC", "there is no folder of reference data (KILN_SHARED)");
    FOR_EVERY_PLACE(where) {
        for (precision p = PRECISION_SINGLE; p <= PRECISION_DOUBLE; p++) {
            for (int i = 0; i < 2 && reference_folder(); i++)
                milc(&cases[i], where, p);
            golden(where, p);
        }
        free_values(where);
        for (int i = 0; i < 3; i++) {
            covariance(where, shapes[i]);
            phases(where, shapes[i]);
        }
        sets(where);
    }
    return facts_end();
}
