/* test_tuned_wilson.c - the hop of Wilson quarks, alone and with a clover term or a twisted mass, leaves the same bits
 * on CPU, GPU, and by the variant tuned for the GPU, also region by region: in every format, for one system and for
 * several, on lattices whose tiles stick out.  A batch of systems has the bits of each alone on every place. */
#include "src/base/memory.h"
#include "src/base/text.h"
#include "src/kernels/wilson_args.h"
#include "src/lattice/regions.h"
#include "src/lattice/rng.h"
#include "src/operators/clover_term.h"
#include "src/operators/wilson_launch.h"
#include "tests/facts.h"
#include "tests/halo/batch_state.h"
#include "tests/on_every_backend.h"

#include <stdio.h>
#include <string.h>

MAP_KERNEL_FORMATS_TUNED(wilson_hop);
MAP_KERNEL_FORMATS_TUNED(clover_inner);
MAP_KERNEL_FORMATS_TUNED(clover_outer);
MAP_KERNEL_FORMATS_TUNED(twisted_inner);
MAP_KERNEL_FORMATS_TUNED(twisted_outer);
MAP_KERNEL_FORMATS_TUNED(clover_symmetric);
MAP_KERNEL_FORMATS_TUNED(twisted_symmetric);

enum { TERMS = 3 };                                   /* of the factors: without and with twist; numbers with twist */
/* inner: on even sites by the inverse; else on odd sites. */
static const struct { const char *name; const map_kernel *kernel; int term; bool inner; } forms[] = {
    { "hop", wilson_hop, -1, false },
    { "clover, inner", clover_inner, 0, true }, { "clover, outer", clover_outer, 0, false },
    { "twisted clover, inner", twisted_inner, 1, true }, { "twisted clover, outer", twisted_outer, 1, false },
    { "twisted, inner", twisted_inner, 2, true }, { "twisted, outer", twisted_outer, 2, false },
    { "clover, symmetric", clover_symmetric, 0, false }, { "twisted clover, symmetric", twisted_symmetric, 1, false },
    { "twisted, symmetric", twisted_symmetric, 2, false },
};
enum { MARCHING_FORMS = 3, FACTORED_FORMS = 3 };      /* hop, clover inner and outer */
/* Factors of links: phases, and the weight of hops in space of an anisotropic lattice. */
static const hop_phases turning = { true, { { 0.7, 0.2 }, { 0.8, 0 }, { 0.75, -0.3 }, { 1, 0 } } };
enum { FORMS = sizeof forms / sizeof *forms, SPINOR = SLAB_GROUP * VEC_REALS };

/* Links, terms, vectors and the state at a place; the same numbers at each. */
typedef struct {
    place where;
    lattice *l;
    const batch_kind *kind;
    gauge *u;
    hop_links *links;
    clover_term *term[TERMS], *exact[TERMS];          /* exact: in double, on the same place */
    vec *in[2][BATCH_MAX_RHS], *y[2][BATCH_MAX_RHS], *out[2][BATCH_MAX_RHS];       /* of a parity */
    krylov_state *state;
} workplace;

static vec *spinor(const workplace *w, parity_set on, unsigned number)
{
    const batch_kind *k = w->kind;
    vec *v = k->format == VECTOR_NATIVE ? vec_create_slabs(w->l, on, w->where, k->precision, SLAB_GROUP)
                                        : vec_create_slabs_format(w->l, on, w->where, k->format, SLAB_GROUP);
    vec_set_gaussian(v, rng_key_for(92, 0, number, RNG_TEST), 0);
    return v;
}

static void make_terms(workplace *w, clover_term **term, vec_storage in)
{
    static const double mu[TERMS] = { 0, 0.3, 0.3 };
    for (int k = 0; k < TERMS; k++) {
        term[k] = k < 2 ? clover_term_create_for(w->l, w->where, in, CLOVER_LINEAR, 1.3)
                        : clover_term_create_number(w->l);
        clover_term_twist(term[k], mu[k]);
    }
}

static workplace begin(lattice *l, place where, const batch_kind *kind)
{
    workplace w = { .where = where, .l = l, .kind = kind };
    krylov_state host;
    failure why;
    w.u = gauge_create(l, where, PRECISION_DOUBLE);
    gauge_set_random(w.u, rng_key_for(91, 0, 0, RNG_TEST));
    w.links = hop_links_create_for(l, where, (vec_storage){ kind->format, kind->precision },
                                  (quark_boundary){ .t = -1 });
    require(hop_links_update(w.links, w.u, &why), "%s", why.why);
    make_terms(&w, w.exact, (vec_storage){ VECTOR_NATIVE, PRECISION_DOUBLE });
    make_terms(&w, w.term, (vec_storage){ kind->format, kind->precision });
    for (int k = 0; k < TERMS; k++) {
        require(clover_term_update(w.exact[k], w.u, 0.2, &why), "%s", why.why);
        clover_term_convert(w.term[k], w.exact[k]);
    }
    for (int parity = 0; parity < 2; parity++)
        for (unsigned n = 0; n < BATCH_MAX_RHS; n++) {
            const parity_set on = parity == 0 ? ON_EVEN : ON_ODD;
            w.in[parity][n] = spinor(&w, on, n);
            w.y[parity][n] = spinor(&w, on, 100 + n);
            w.out[parity][n] = spinor(&w, on, 200 + n);
        }
    batch_state_begin(&host, BATCH_MAX_RHS);
    for (int n = 0; n < BATCH_MAX_RHS; n++)
        host.system[n].shift = n == 1 ? 0 : 0.01 + 0.1 * n;
    w.state = batch_state_create(where, &host);
    return w;
}

static void end(workplace *w)
{
    for (int n = 0; n < 2 * BATCH_MAX_RHS; n++) {
        vec_free(w->in[n % 2][n / 2]);
        vec_free(w->y[n % 2][n / 2]);
        vec_free(w->out[n % 2][n / 2]);
    }
    for (int k = 0; k < TERMS; k++) {
        clover_term_free(w->term[k]);
        clover_term_free(w->exact[k]);
    }
    hop_links_free(w->links);
    gauge_free(w->u);
    batch_state_free(w->state, w->where);
}

/* What is run: a form, S or its adjoint, systems first .. first + count - 1, region by region or not, with the factors
 * `turning` or without. */
typedef struct { int form, first, count; bool dagger, regions, turns; } task;

static size_t numbers_of(const workplace *w, const task *t)
{
    return (size_t)t->count * SPINOR * (size_t)lattice_volume(w->l);
}

/* The ranges of a parity: one, or those of the regions of a lattice as if it were split in z and t. */
static int ranges_of(site_range ranges[1 + BOUNDARIES], const lattice *l, int parity, bool regions)
{
    lattice_shape shape = *lattice_shape_of(l);
    hop_regions r;
    ranges[0] = lattice_parity(l, parity);
    shape.grid[2] = shape.grid[3] = 2;
    if (!regions || !hop_regions_of(&r, &shape, parity, 1))
        return 1;
    ranges[0] = r.interior;
    memcpy(ranges + 1, r.boundary, sizeof r.boundary);
    return 1 + r.boundaries;
}

static double *outcome(workplace *w, kernel_variant variant, const task *t)
{
    const int term = forms[t->form].term, parity = forms[t->form].inner ? 0 : 1;
    double *numbers = memory_alloc(numbers_of(w, t) * sizeof *numbers, "what kernels leave");
    site_range ranges[1 + BOUNDARIES];
    const int launches = ranges_of(ranges, w->l, parity, t->regions);
    wilson_hop_args a;
    memset(&a, 0, sizeof a);
    a.b = batch_of(w->state, t->first, t->count, true);
    a.l = lattice_on(w->l, w->where);
    a.u = packed_links_view(w->links->links);
    a.boundary = w->links->boundary;
    if (t->turns)
        a.phases = turning;
    a.scale = -0.5 * w->links->links->unit;
    a.a = 1.7;
    a.dagger = t->dagger;
    a.with_shift = true;
    if (term >= 0)
        a.by = forms[t->form].inner ? clover_term_inverse(w->term[term]) : clover_term_factor(w->term[term], 0.1);
    for (int n = 0; n < t->count; n++) {
        vec *out = w->out[parity][t->first + n];
        vec_zero(out);
        a.out[n] = vec_view(out);
        a.in[n] = vec_view(w->in[1 - parity][t->first + n]);
        a.y[n] = vec_view(w->y[parity][t->first + n]);
        a.z[n] = vec_view(w->in[parity][t->first + n]);
    }
    for (int i = 0; i < launches; i++)
        run_map_variant(&forms[t->form].kernel[w->kind->format], variant, w->where, w->kind->precision, &a, ranges[i]);
    for (int n = 0; n < t->count; n++)
        vec_export(numbers + (size_t)n * SPINOR * (size_t)lattice_volume(w->l), w->out[parity][t->first + n]);
    return numbers;
}

/* Whether a variant leaves what is expected; `want` may be of more systems. */
static bool leaves(workplace *w, kernel_variant variant, task t, const double *want)
{
    double *got = outcome(w, variant, &t);
    const bool same = memcmp(want, got, numbers_of(w, &t) * sizeof *got) == 0;
    memory_free(got);
    return same;
}

static double size_of(const double *numbers, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += numbers[i] * numbers[i];
    return sum;
}

/* Numbers of systems differ in their kernels in double alone; elsewhere an odd number and all are enough. */
static bool is_tried(const batch_kind *kind, int count)
{
    const bool in_pairs = kind->format == VECTOR_NATIVE && kind->precision == PRECISION_DOUBLE;
    return in_pairs || count == 3 || count == BATCH_MAX_RHS;
}

/* The first `count_of_forms` forms; turns: as in a task. */
static void on_lattice(const int extents[4], const batch_kind *kind, int count_of_forms, bool turns)
{
    lattice *l = lattice_create_single(extents);
    const bool has_gpu = place_is_there(PLACE_GPU);
    workplace cpu = begin(l, PLACE_CPU, kind), gpu = has_gpu ? begin(l, PLACE_GPU, kind) : (workplace){ 0 };
    char name[96];
    snprintf(name, sizeof name, "%s%s", extents_to_text(extents).s, turns ? ", factors of links" : "");
    for (int form = 0; form < count_of_forms; form++) {
        bool alone = true, portable = true, tuned = true, one = true, in_regions = true;
        for (int dagger = 0; dagger < 2; dagger++) {
            const task all = { .form = form, .count = BATCH_MAX_RHS, .dagger = dagger, .turns = turns };
            double *want = outcome(&cpu, VARIANT_PORTABLE, &all);
            const size_t each = numbers_of(&cpu, &all) / BATCH_MAX_RHS;
            alone &= size_of(want, numbers_of(&cpu, &all)) > 0;
            task regions = all;
            regions.regions = true;
            for (int n = 0; n < BATCH_MAX_RHS; n++) {
                task t = all;
                t.first = n;
                t.count = 1;
                alone &= leaves(&cpu, VARIANT_PORTABLE, t, want + (size_t)n * each);
                one = one && (!has_gpu || leaves(&gpu, VARIANT_BEST, t, want + (size_t)n * each));
            }
            if (has_gpu) {
                portable &= leaves(&gpu, VARIANT_PORTABLE, all, want);
                for (int count = 2; count <= BATCH_MAX_RHS; count++) {
                    task some = all;
                    if (!is_tried(kind, count))
                        continue;
                    some.count = regions.count = count;
                    tuned &= leaves(&gpu, VARIANT_BEST, some, want);
                    in_regions &= leaves(&gpu, VARIANT_BEST, regions, want);
                }
            }
            memory_free(want);
        }
        fact(alone, "%s, %s, %s: systems of a batch have the bits of each alone", name, kind->name,
             forms[form].name);
        if (!has_gpu)
            continue;
        fact(portable, "%s, %s, %s: the same bits on CPU and GPU", name, kind->name, forms[form].name);
        fact(tuned, "%s, %s, %s: from the tuned kernels of several systems", name, kind->name, forms[form].name);
        fact(one, "%s, %s, %s: from the tuned kernel of one system", name, kind->name, forms[form].name);
        fact(in_regions, "%s, %s, %s: and region by region", name, kind->name, forms[form].name);
    }
    end(&cpu);
    if (has_gpu)
        end(&gpu);
    lattice_free(l);
}

int main(void)
{
    static const int extents[][4] = { { 2, 4, 4, 4 }, { 4, 6, 10, 8 }, { 6, 12, 4, 4 }, { 16, 8, 6, 4 },
                                     { 12, 18, 4, 6 } };
    const unsigned lattices = place_is_there(PLACE_GPU) ? sizeof extents / sizeof *extents : 2;
    for (unsigned i = 0; i < lattices; i++)
        for (int k = 0; k < BATCH_KINDS; k++)
            for (int turns = 0; turns < 2; turns++)
                on_lattice(extents[i], &batch_kinds[k], turns && i > 1 ? FACTORED_FORMS : FORMS, turns);
    /* Of one parity, 224 sites along x and y and 8 slices in z: enough for the kernel that marches along t.  So many
     * sites take long on the CPU. */
    for (int k = 0; k < BATCH_KINDS && place_is_there(PLACE_GPU); k++)
        if (batch_kinds[k].format == VECTOR_INT20)
            on_lattice((const int[]){ 28, 16, 8, 66 }, &batch_kinds[k], MARCHING_FORMS, false);
    return facts_end();
}
