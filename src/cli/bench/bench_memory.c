/* bench_memory.c - the vectors that each method holds in each precision, and their memory on a lattice.
 *
 * Solvers create their vectors from the same counts (solvers/dirac_vectors.h); no lattice is allocated.  For
 * comparisons with M. A. Clark et al., arXiv:0911.3191, section 5.3: reliable updates hold 4 vectors in high precision,
 * with solution and right-hand side, and 5 of conjugate gradients or 7 of BiCGstab in low precision. */
#include "src/cli/bench/bench_studies.h"
#include "src/operators/staggered_operator.h"
#include "src/solvers/dirac_vectors.h"
#include "src/solvers/solver_kinds.h"

#include <inttypes.h>

/* Solution and right-hand side of a solve. */
enum { VECTORS_OF_CALLER = 2 };

/* The operator for a method; `plan` borrows the rest. */
typedef struct { staggered_operator_params staggered; study_plan others; dirac_plan plan; } memory_operator;

static void make_operator(memory_operator *m, const solver_bench *b, solver_kind_index method)
{
    if (b->o->family == STUDY_STAGGERED) {
        m->staggered = (staggered_operator_params){ .links = *b->params };
        m->plan = staggered_operator_plan(&m->staggered);
        return;
    }
    study_operator op = solver_bench_operator(b->o, b->o->masses.of[0]);
    op.with_terms = method == SOLVER_MULTIGRID;
    study_plan_make(&m->others, &op);
    m->plan = m->others.plan;
}

static dirac_solver_spec spec_of(const bench_solver_options *o, solver_kind_index method, solver_precision in)
{
    dirac_solver_spec spec = dirac_solver_spec_of(in, 1);
    spec.kind = solver_kinds[method];
    spec.settings.multigrid = multigrid_params_settings(&o->multigrid);
    return spec;
}

/* Methods for C^+C work with every operator, those for C only if C maps a parity to itself. */
static bool is_possible(const dirac_plan *plan, const dirac_solver_spec *spec, const lattice_shape *shape, failure *why)
{
    if (spec->kind->square && !plan->kind->square)
        return fail(why, "it needs a C that maps a parity to itself, and C of %s quarks does not", plan->kind->name);
    return linear_solver_is_possible(spec->kind, &spec->settings, plan, shape, why);
}

static bool has_precision(const bench_solver_options *o, solver_precision in)
{
    const solver_stores *s = &solver_precisions[in];
    return solver_bench_has(o, s->inner) && solver_bench_has(o, s->refine);
}

typedef struct { dirac_solver_vectors vectors; size_t in_workspace, method, links, other, all; } memory_row;

static memory_row row_of(const dirac_plan *plan, const dirac_solver_spec *spec, const lattice_shape *shape)
{
    const dirac_solver_memory m = dirac_solver_memory_of(plan, shape, *spec);
    const size_t all = memory_need_sum(dirac_solver_bytes(plan, shape, *spec));
    const size_t links = m.links.lasting, method = m.method.lasting;
    return (memory_row){ dirac_solver_vectors_of(plan, *spec), m.vectors.shared, method, links,
                         all - m.vectors.shared - method - links, all };
}

static void vectors_to_json(json *j, const char *key, const int count[SOLVER_STORAGES])
{
    json_open(j, key, '{');
    for (stored_as i = STORED_DOUBLE; i < SOLVER_STORAGES; i++)
        if (count[i] > 0)
            json_int(j, stored_names[i], count[i]);
    json_close(j);
}

/* "1 double, 13 half" */
static void vectors_to_text(text *t, const int count[SOLVER_STORAGES])
{
    for (stored_as i = STORED_DOUBLE; i < SOLVER_STORAGES; i++)
        if (count[i] > 0)
            text_add(t, "%s%d %s", t->length > 0 ? ", " : "", count[i], stored_names[i]);
}

static void row_to_json(json *j, solver_kind_index method, solver_precision in, const memory_row *r, double sites)
{
    json_open(j, NULL, '{');
    json_text(j, "method", solver_kind_names[method]);
    json_text(j, "precision", solver_names[in]);
    json_int(j, "kept_vectors", r->vectors.kept);
    vectors_to_json(j, "method_vectors", r->vectors.own);
    vectors_to_json(j, "working_vectors", r->vectors.working);
    json_int(j, "vectors_bytes", (int64_t)r->in_workspace);
    json_int(j, "method_bytes", (int64_t)r->method);
    json_int(j, "links_bytes", (int64_t)r->links);
    json_int(j, "other_bytes", (int64_t)r->other);
    json_int(j, "bytes", (int64_t)r->all);
    json_real(j, "vectors_bytes_per_site", (double)r->in_workspace / sites);
    json_real(j, "bytes_per_site", (double)r->all / sites);
    json_close(j);
}

static void add_row(solver_bench *b, solver_kind_index method, solver_precision in, const memory_row *r, double sites)
{
    text own = { 0 }, working = { 0 };
    vectors_to_text(&own, r->vectors.own);
    vectors_to_text(&working, r->vectors.working);
    text_add(&b->table, "%-9s %-19s %4d %9.1f %9.1f %9.1f %9.1f %10.1f  %-28s  %s\n", solver_kind_names[method],
             solver_names[in], r->vectors.kept, (double)r->in_workspace / sites, (double)r->method / sites,
             (double)r->links / sites, (double)r->all / sites, 1e-6 * (double)r->all, text_string(&own),
             text_string(&working));
    text_add(&b->columns, "%s %s %d \"%s\" \"%s\" %zu %zu %zu %zu\n", solver_kind_names[method], solver_names[in],
             r->vectors.kept, text_string(&own), text_string(&working), r->in_workspace, r->method, r->links, r->all);
    text_free(&working);
    text_free(&own);
    row_to_json(&b->j, method, in, r, sites);
}

static void add_method(solver_bench *b, const lattice_shape *shape, solver_kind_index method)
{
    memory_operator of;
    failure why;
    make_operator(&of, b, method);
    const dirac_solver_spec any = spec_of(b->o, method, SOLVER_DOUBLE);
    if (!is_possible(&of.plan, &any, shape, &why)) {
        text_add(&b->table, "%-9s not possible: %s\n", solver_kind_names[method], why.why);
        return;
    }
    for (solver_precision in = SOLVER_DOUBLE; in < SOLVER_ADAPTIVE; in++) {
        const dirac_solver_spec spec = spec_of(b->o, method, in);
        const memory_row r = row_of(&of.plan, &spec, shape);
        if (has_precision(b->o, in))
            add_row(b, method, in, &r, solver_sites(shape));
    }
}

/* Bytes of a vector of the operator in each storage. */
static void add_vector_bytes(solver_bench *b, const lattice_shape *shape)
{
    memory_operator of;
    make_operator(&of, b, SOLVER_CG);
    text_add(&b->table, "%s quarks on %s: bytes of a vector for each site of the lattice:",
             study_quarks_names[b->o->family], extents_to_text(shape->global).s);
    json_open(&b->j, "vector_bytes", '{');
    for (stored_as i = STORED_DOUBLE; i < SOLVER_STORAGES; i++) {
        const size_t bytes = dirac_vec_bytes(&of.plan, shape, solver_storages[i]);
        json_int(&b->j, stored_names[i], (int64_t)bytes);
        text_add(&b->table, "%s %s %g", i ? "," : "", stored_names[i], (double)bytes / solver_sites(shape));
    }
    json_close(&b->j);
}

bool bench_memory(solver_bench *b)
{
    const bench_solver_options *o = b->o;
    const lattice_shape shape = lattice_shape_single(o->extents);
    json_text(&b->j, "quarks", study_quarks_names[o->family]);
    solver_bench_wilson_to_json(&b->j, o);
    json_open(&b->j, "lattice", '[');
    for (int mu = 0; mu < 4; mu++)
        json_int(&b->j, NULL, shape.global[mu]);
    json_close(&b->j);
    add_vector_bytes(b, &shape);
    json_open(&b->j, "rows", '[');
    text_add(&b->table, "\n\n%-9s %-19s %4s %9s %9s %9s %9s %10s  %-28s  %s\n", "method", "precision", "kept",
             "vectors", "method", "links", "all", "all [MB]", "of the method", "in memory");
    text_add(&b->columns, "# method, precision, vectors kept in double, those of each storage, of the method and in "
                          "memory, bytes of vectors, of the method, of links, of all\n");
    for (solver_kind_index method = SOLVER_CG; method < SOLVER_KINDS; method++)
        if (o->method < 0 || o->method == (int)method)
            add_method(b, &shape, method);
    json_close(&b->j);
    text_add(&b->table, "\nkept: vectors in double during a solve, without solution and right-hand side, %d vectors of "
                        "the caller\nvectors to all: bytes for each site of the lattice; method: near-null vectors and "
                        "tables of multigrid;\nlinks: those that the operator reads, in double and in the storages, "
                        "with blocks of a clover term;\nall: also states of solves, and smearing where it needs more "
                        "than the vectors, in the same memory\nof the method: vectors of each storage; in memory: with "
                        "those of conjugate gradients, which continue\nif the method fails.  One storage is in use at "
                        "a time: they have the memory of that which needs most\n", VECTORS_OF_CALLER);
    return true;
}
