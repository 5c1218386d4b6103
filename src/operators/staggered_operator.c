/* staggered_operator.c - staggered quarks as a dirac_operator. */
#include "src/operators/staggered_operator.h"

#include "src/base/memory.h"
#include "src/operators/staggered_facts.h"
#include "src/operators/staggered_low.h"

#include <assert.h>

typedef struct {
    dirac_operator base;
    staggered_operator_params params;
    staggered_links *links;
    staggered_force *force;                    /* NULL: created without force */
    staggered_low *low[VECTOR_FORMATS];        /* of the storages that are open; native: in single precision */
    staggered_facts facts;
} staggered_operator;

/* A dirac_matrix */
typedef struct { int set; } staggered_matrix;

static staggered_operator *operator_of(const dirac_operator *d)
{
    return (staggered_operator *)d;
}

static int set_of(const dirac_matrix *m)
{
    return ((const staggered_matrix *)m)->set;
}

dirac_plan staggered_operator_plan(const staggered_operator_params *p)
{
    return (dirac_plan){ .kind = &staggered_operator_kind, .params = p, .slabs = 1 };
}

static dirac_operator *create_operator(const dirac_plan *plan, const gauge *u, bool with_force)
{
    staggered_operator *d = memory_alloc(sizeof *d, "staggered quarks");
    const field *f = &u->links;
    d->base = (dirac_operator){ .kind = plan->kind, .lattice = f->lattice, .where = f->where,
                                .precision = f->precision, .slabs = plan->slabs };
    d->params = *(const staggered_operator_params *)plan->params;
    d->links = staggered_links_create(&d->params.links, u);
    if (with_force)
        d->force = staggered_force_create(&d->params.links, d->params.filter, u, d->params.chain);
    staggered_facts_clear(&d->facts);
    return &d->base;
}

static void free_operator(dirac_operator *base)
{
    staggered_operator *d = operator_of(base);
    for (int f = 0; f < VECTOR_FORMATS; f++)
        staggered_low_free(d->low[f]);
    staggered_force_free(d->force);
    staggered_links_free(d->links);
    memory_free(d);
}

static void open_vectors(dirac_operator *base, vec_storage in)
{
    staggered_operator *d = operator_of(base);
    if (!d->low[in.format])
        d->low[in.format] = staggered_low_create(d->links, in.format, in.precision);
}

static bool update_links(dirac_operator *d, const gauge *u, failure *why)
{
    (void)why;
    staggered_links_update(operator_of(d)->links, u);
    return true;
}

static dirac_matrix *matrix(const dirac_operator *d, int index)
{
    staggered_matrix *m = memory_alloc(sizeof *m, "a set of links");
    assert(index >= 0 && index < operator_of(d)->params.links.epsilons);
    m->set = index;
    return (dirac_matrix *)m;
}

/* D is antihermitian. */
static void apply_operator(vec *out, const dirac_operator *d, const dirac_matrix *m, bool dagger, const vec *in,
                  vec *const *work)
{
    (void)work;
    staggered_hop(out, operator_of(d)->links, set_of(m), in);
    if (dagger)
        vec_combine(out, -1, out, NULL, NULL, 0);
}

static linop *normal_full(const staggered_operator *d, int set, vec *const *between, int systems)
{
    staggered_normal_op *op = memory_alloc(sizeof *op, "an operator");
    *op = staggered_normal_operator(d->links, set, between[0]);
    staggered_normal_set_work(op, between, systems);
    return &op->base;
}

static linop *normal_low(staggered_low *low, int set, vec *const *between, int systems)
{
    staggered_low_op *op = memory_alloc(sizeof *op, "an operator");
    staggered_low_update(low);
    *op = staggered_low_operator(low, set, between[0]);
    staggered_low_set_work(op, between, systems);
    return &op->base;
}

static linop *normal(dirac_operator *d, vec_storage in, const dirac_matrix *m, vec *const (*work)[DIRAC_WORK_VECTORS],
                     int systems)
{
    vec *between[BATCH_MAX_RHS];
    for (int n = 0; n < systems; n++)
        between[n] = work[n][0];
    if (in.format == VECTOR_NATIVE && in.precision == d->precision)
        return normal_full(operator_of(d), set_of(m), between, systems);
    return normal_low(operator_of(d)->low[in.format], set_of(m), between, systems);
}

static void force_begin(dirac_operator *d)
{
    staggered_force_begin(operator_of(d)->force);
}

/* The term 2 c Re Y^+ dC X equals that of a pole of phi^+ r(K) phi with residue a = -c (staggered_force.h). */
static void force_add(dirac_operator *d, const dirac_matrix *m, const double *c, vec *const *x, vec *const *y,
                      int count)
{
    double a[SHIFTS_MAX];
    for (int done = 0; done < count; done += SHIFTS_MAX) {
        const int now = count - done < SHIFTS_MAX ? count - done : SHIFTS_MAX;
        for (int n = 0; n < now; n++)
            a[n] = -c[done + n];
        staggered_force_add(operator_of(d)->force, set_of(m), a, x + done, y + done, now);
    }
}

static void force_finish(dirac_operator *base, const gauge *u, momentum *p, double weight, sum_cells size)
{
    const staggered_operator *d = operator_of(base);
    staggered_force_finish(d->force, d->links, u, p, weight, size);
}

static const field *links_at(const dirac_operator *base, const dirac_matrix *m, int index, const char **name)
{
    const staggered_operator *d = operator_of(base);
    const gauge *naik = staggered_naik(d->links);
    if (index > (naik ? 1 : 0))
        return NULL;
    *name = index == 0 ? "the fat links" : "the long links";
    return index == 0 ? &staggered_fat(d->links, set_of(m))->links : &naik->links;
}

/* ---- plans
 *
 * Products of 3x3 matrices (198 flops) a link: a level of smearing 12 for the staples next to it, 24 and 12 for those
 * around them (kernels/fat_links.c); its chain rule 36 for the staples again, 48 for its own, 96 for the side links
 * (kernels/fat_force.c); the Naik term 2, its chain rule 6; the projection about 8, its derivative about 16.  A pair:
 * the hop (16 products with a vector, 66 flops, and 90 of sums) on half of the sites, and eight outer products
 * of 72. */
enum { SMEAR = 48, SMEAR_CHAIN = 180, NAIK = 2, NAIK_CHAIN = 6, PROJECT = 8, PROJECT_CHAIN = 16 };
#define PRODUCT_FLOPS 198.0
#define PAIR_FLOPS (0.5 * (16 * 66 + 90) + 8 * 72)

static const staggered_operator_params *params_of(const dirac_plan *plan)
{
    return plan->params;
}

/* The free massless K: hops of a momentum give 2 sin p of size 2 at most in each of four directions, and the Naik term
 * 2 (9/8 sin p - 1/24 sin 3p), 7/3 at most: 16 and 21.8. */
double staggered_expected_range(staggered_kind kind)
{
    return kind == STAGGERED_NAIVE ? 18 : 24;
}

static spectral_range range(const dirac_plan *plan, int index)
{
    (void)index;
    return (spectral_range){ 0, staggered_expected_range(params_of(plan)->links.kind) };
}

static memory_need count_bytes(const dirac_plan *plan, const lattice_shape *shape, const vec_storage *in, int count)
{
    const staggered_links_params *p = &params_of(plan)->links;
    memory_need all = staggered_links_bytes(p, shape, PRECISION_DOUBLE);
    for (int i = 0; i < count; i++)
        all.lasting += staggered_low_bytes(p, shape, in[i].format, in[i].precision);
    return all;
}

static memory_need force_need(const staggered_operator_params *p, const lattice_shape *shape)
{
    return staggered_force_bytes(&p->links, shape, p->chain, PRECISION_DOUBLE);
}

static memory_need force_bytes(const dirac_plan *plan, const lattice_shape *shape, int pairs)
{
    memory_need need = force_need(params_of(plan), shape);
    (void)pairs;
    need.shared = 0;
    return need;
}

static size_t force_end_bytes(const dirac_plan *plan, const lattice_shape *shape)
{
    return force_need(params_of(plan), shape).shared;
}

static work_count normal_work(const dirac_plan *plan, const lattice_shape *shape)
{
    return staggered_normal_work(&params_of(plan)->links, shape, PRECISION_DOUBLE);
}

/* Whether a level does more than to scale. */
static bool smears(path_table t)
{
    return t.three != 0 || t.five != 0 || t.seven != 0 || t.lepage != 0;
}

static work_count force_work(const dirac_plan *plan, const lattice_shape *shape, double pairs)
{
    const staggered_links_params *p = &params_of(plan)->links;
    const double sites = (double)lattice_local_sites(shape), links = 4 * sites;
    const double link_bytes = 18 * sizeof(double), vector_bytes = 6 * sizeof(double);
    path_table second = staggered_second_table(p);
    int levels = smears(staggered_first_table(p)) + smears(second), products = levels * (SMEAR + SMEAR_CHAIN);
    /* Fields that a level reads or writes: links in and out; in its chain rule links, h, and the thin h in and out. */
    double passes = 6.0 * levels;
    if (second.naik != 0) {
        products += NAIK + NAIK_CHAIN;
        passes += 6;
    }
    if (staggered_has_projection(p)) {
        products += PROJECT + PROJECT_CHAIN;
        passes += 5;
    }
    work_count w = { links * products * PRODUCT_FLOPS, links * passes * link_bytes };
    w.flops += pairs * sites * PAIR_FLOPS;
    w.bytes += pairs * sites * (links / sites * 2 * link_bytes + 4 * vector_bytes);   /* a hop; solutions read again */
    return w;
}

/* ---- facts about the projection and its derivative */

static void collect_facts(staggered_operator *d)
{
    staggered_facts_merge(&d->facts, staggered_projection_facts(d->links), staggered_force_facts(d->force));
}

static void facts_report(dirac_operator *base, const char *name, json *j)
{
    staggered_operator *d = operator_of(base);
    collect_facts(d);
    if (staggered_has_projection(&d->params.links))
        staggered_facts_report(&d->facts, name, lattice_global(base->lattice), j);
    staggered_facts_clear(&d->facts);
}

static void facts_row(dirac_operator *base, number_row *row)
{
    staggered_operator *d = operator_of(base);
    collect_facts(d);
    staggered_facts_row(&d->facts, row);
}

static void facts_drop(dirac_operator *d)
{
    staggered_projection_facts(operator_of(d)->links);
}

const dirac_kind staggered_operator_kind = {
    .name = "staggered",
    .home = ON_EVEN,
    .image = ON_ODD,
    .work_vectors = 1,
    .work = { ON_ODD },
    .create = create_operator,
    .free = free_operator,
    .open = open_vectors,
    .update = update_links,
    .matrix = matrix,
    .apply = apply_operator,
    .normal = normal,
    .max_rhs = SHIFTS_MAX,
    .force_begin = force_begin,
    .force_add = force_add,
    .force_finish = force_finish,
    .range = range,
    .bytes = count_bytes,
    .force_bytes = force_bytes,
    .force_end_bytes = force_end_bytes,
    .normal_work = normal_work,
    .force_work = force_work,
    .links_at = links_at,
    .facts_report = facts_report,
    .facts_row = facts_row,
    .facts_drop = facts_drop,
};
