/* test_overlap_memory.c - the memory of an overlap operator: what is allocated at its creation is what is planned. */
#include "src/lattice/place_memory.h"
#include "tests/facts.h"
#include "tests/on_every_backend.h"
#include "tests/overlap/overlap_workplace.h"

static void check_memory(place where, sign_method method, bool mixed)
{
    overlap_params p = overlap_test_params(method, 8);
    wilson_workplace w = wilson_begin_theta(where, (const int[]){ 4, 4, 4, 4 }, 1.2, p.boundary);
    p.mixed = mixed;
    const lattice_shape *shape = lattice_shape_of(w.u->links.lattice);
    const memory_need need = overlap_bytes(&p, shape);
    const size_t planned = need.lasting + need.cells, before = place_bytes_now(where);
    overlap *o = overlap_create(&p, w.u);
    const size_t taken = place_bytes_now(where) - before;
    fact(taken == planned, "%s, %s%s: %zu bytes, %zu were planned",
         place_name(where), sign_method_names[method], mixed ? ", mixed precision" : "", taken, planned);
    overlap_free(o);
    fact(place_bytes_now(where) == before, "and all are freed");
    wilson_end(&w);
}

int main(void)
{
    FOR_EVERY_PLACE(where)
        for (sign_method method = 0; method < SIGN_METHODS; method++) {
            check_memory(where, method, false);
            check_memory(where, method, true);
        }
    return facts_end();
}
