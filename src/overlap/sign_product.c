/* sign_product.c - H R(H^2) v in one precision. */
#include "src/overlap/sign_product.h"

#include "src/base/memory.h"
#include "src/solvers/solver.h"

#include <assert.h>

/* Scratch pairs.  KERNEL: of H^2; IMAGE: R(H^2) v; FORMER, NEXT: of Clenshaw's recursion. */
enum { KERNEL, IMAGE, FORMER, NEXT, SCRATCH };

struct sign_product {
    int max_iterations, poles;
    hop_links *links;
    wilson_kernel kernel;
    vec *scratch[SCRATCH];
    cg_space *space;                     /* NULL for polynomials */
    vec *x[RATIONAL_POLES], *p[RATIONAL_POLES];     /* [poles]: solution and direction for each pole */
};

static vec *create_pair(const sign_product_params *p, const gauge *u)
{
    return vec_create_slabs(u->links.lattice, ON_ODD, u->links.where, p->in, PAIR_SLABS);
}

sign_product *sign_product_create(const sign_product_params *p, const gauge *u)
{
    sign_product *s = memory_alloc(sizeof *s, "products with a sign function");
    assert(p->poles <= RATIONAL_POLES);
    s->max_iterations = p->max_iterations;
    s->poles = p->poles;
    s->links = hop_links_create_for(u->links.lattice, u->links.where, (vec_storage){ VECTOR_NATIVE, p->in },
                                    p->boundary);
    for (int i = 0; i < SCRATCH; i++)
        s->scratch[i] = create_pair(p, u);
    s->kernel = wilson_kernel_of(s->links, p->M0, s->scratch[KERNEL]);
    if (p->poles > 0)
        s->space = cg_space_create_refining(s->scratch[KERNEL], 1);
    for (int k = 0; k < p->poles; k++) {
        s->x[k] = create_pair(p, u);
        s->p[k] = create_pair(p, u);
    }
    return s;
}

void sign_product_free(sign_product *s)
{
    if (!s)
        return;
    for (int k = 0; k < RATIONAL_POLES; k++) {
        vec_free(s->x[k]);
        vec_free(s->p[k]);
    }
    cg_space_free(s->space);
    for (int i = 0; i < SCRATCH; i++)
        vec_free(s->scratch[i]);
    hop_links_free(s->links);
    memory_free(s);
}

memory_need sign_product_bytes(const sign_product_params *p, const lattice_shape *shape)
{
    const size_t pair = PAIR_SLABS * vec_bytes(shape, p->in, ON_ODD);
    memory_need need = { .lasting = (size_t)(SCRATCH + 2 * p->poles) * pair
                                    + hop_links_bytes_for(shape, (vec_storage){ VECTOR_NATIVE, p->in }) };
    if (p->poles > 0)
        need = memory_need_add(need, cg_space_refining_bytes(shape, p->in, ON_ODD, PAIR_SLABS, 1));
    return need;
}

bool sign_product_update(sign_product *s, const gauge *u, failure *why)
{
    return hop_links_update(s->links, u, why);
}

const wilson_kernel *sign_product_kernel(const sign_product *s) { return &s->kernel; }

/* IMAGE <- R(H^2) v, by partial fractions. */
static sign_work apply_fraction(sign_product *s, const sign_function *f, double error, const vec *v)
{
    const rational *r = &f->fraction;
    shifted system[RATIONAL_POLES];
    assert(r->order <= s->poles);
    for (int k = 0; k < r->order; k++)
        system[k] = (shifted){ r->pole[k], sign_function_tolerance(f, k, error) };
    const shifted_family family = { .b = v, .system = system, .count = r->order, .x = s->x, .p = s->p };
    const multishift_result solved = multishift_solve(&s->kernel.base, family, s->max_iterations, false, s->space);
    vec_combine(s->scratch[IMAGE], r->constant, v, r->residue, s->x, r->order);
    return (sign_work){ solved.iterations, solved.converged };
}

/* IMAGE <- R(H^2) v, by Clenshaw's recursion: b_j = c_j v + 2 Z b_(j+1) - b_(j+2), R = c_0/2 + Z b_1 - b_2, with
 * Z = (2 H^2 - upper^2 - lower^2) / (upper^2 - lower^2) */
static sign_work apply_polynomial(sign_product *s, const sign_function *f, double error, const vec *v)
{
    const double low = f->lower * f->lower, high = f->upper * f->upper, unit = 2 / (high - low);
    const int degree = sign_function_degree(f, error);
    vec *b = s->scratch[IMAGE], *former = s->scratch[FORMER], *next = s->scratch[NEXT];
    vec_zero(b);
    vec_zero(former);
    for (int j = degree; j >= 0; j--) {
        const double c[] = { j > 0 ? f->coefficient[j] : f->coefficient[0] / 2, -1 };
        const double twice = j > 0 ? 2 : 1;
        s->kernel.base.apply(&s->kernel.base, next, -(high + low) / 2, b);
        vec_combine(next, twice * unit, next, c, (vec *const[]){ (vec *)v, former }, 2);
        vec *oldest = former;
        former = b;
        b = next;
        next = oldest;
    }
    s->scratch[IMAGE] = b;
    s->scratch[FORMER] = former;
    s->scratch[NEXT] = next;
    return (sign_work){ degree, true };
}

sign_work sign_product_apply(vec *out, sign_product *s, const sign_function *f, double error, const vec *v)
{
    assert(out != v);
    const sign_work work = (f->method == SIGN_ZOLOTAREV ? apply_fraction : apply_polynomial)(s, f, error, v);
    wilson_kernel_hermitian(out, &s->kernel, s->scratch[IMAGE]);
    return work;
}
