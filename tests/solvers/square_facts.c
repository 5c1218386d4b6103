/* square_facts.c - solutions of a square system solved together and alone, on one rank and on two. */
#include "tests/solvers/square_facts.h"

#include "src/base/checksum.h"
#include "src/lattice/vec_mixed.h"
#include "tests/facts.h"
#include "tests/lattice/vec_sums.h"
#include "tests/on_every_backend.h"

enum { RANKS = 2 };

void separate_solves_facts(const square_request *r, const dirac_goal *goal, void (*prepare)(vec *b))
{
    square_system s;
    dirac_task task[SEPARATE_SYSTEMS];
    square_create(&s, r);
    vec *b[SEPARATE_SYSTEMS];
    for (int n = 0; n < SEPARATE_SYSTEMS; n++) {
        b[n] = vec_create_like(s.b);
        square_source(b[n], n);
        if (prepare)
            prepare(b[n]);
        task[n] = (dirac_task){ .x = vec_create_like(s.b), .b = b[n] };
        vec_zero(task[n].x);
    }
    dirac_solve_all(s.w, s.m, task, SEPARATE_SYSTEMS, goal);
    bool same = true;
    for (int n = 0; n < SEPARATE_SYSTEMS; n++) {
        vec_zero(s.x);
        const dirac_solved one = dirac_solve(s.w, s.m, s.x, b[n], goal);
        same &= one.converged && one.iterations == task[n].solved.iterations && square_distance(s.x, task[n].x) == 0;
        vec_free(task[n].x);
        vec_free(b[n]);
    }
    fact(same, "%s: many systems have the bits of separate solves", place_name(r->where));
    square_free(&s);
}

typedef struct { square_request request; square_solve *solve; uint64_t of[RANKS]; int iterations[RANKS]; } rank_task;

static int digest_solution(void *of)
{
    rank_task *t = of;
    square_system s;
    const int rank = comm_rank(comm_world());
    square_create(&s, &t->request);
    t->iterations[rank] = t->solve(&s);
    t->of[rank] = vec_digest(DIGEST64_START, s.x);
    square_free(&s);
    return 0;
}

void square_ranks_facts(const square_request *r, square_solve *solve)
{
    static const int grid[4] = { 1, 1, 1, RANKS };
    rank_task alone = { .request = *r, .solve = solve }, t = alone;
    t.request.grid = grid;
    digest_solution(&alone);
    comm_run_threads(RANKS, digest_solution, &t);
    fact(t.of[0] == alone.of[0] && t.of[1] == alone.of[0] && t.iterations[0] == alone.iterations[0],
         "%s: the same bits on %d ranks, after %d iterations", place_name(r->where), RANKS, alone.iterations[0]);
}
