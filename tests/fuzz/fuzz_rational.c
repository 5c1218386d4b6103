/* fuzz_rational.c - arbitrary bytes as a file of rational functions; what is read has believable numbers. */
#include "tests/fuzz/targets.h"

#include "src/rational/rational_file.h"

#include <math.h>

static void expect_function(const rational *r)
{
    expect(r->order >= 0 && r->order <= RATIONAL_POLES, "an order that fits");
    expect(r->target.count >= 0 && r->target.count <= RATIONAL_FACTORS, "as many masses as fit");
    expect(isfinite(r->constant), "a finite constant");
    for (int k = 0; k < r->order; k++)
        expect(r->pole[k] > 0 && isfinite(r->pole[k]) && isfinite(r->residue[k]), "finite residues, positive poles");
    for (int k = 1; k < r->order; k++)
        expect(r->pole[k] >= r->pole[k - 1], "ascending poles");
    for (int j = 0; j < r->target.count; j++)
        expect(r->target.factor[j].mass >= 0 && r->target.factor[j].z != 0, "masses and powers that are some");
}

bool fuzz_rational(const uint8_t *bytes, size_t n)
{
    static const rational_errors errors = { 1e-3, 1e-3, 1e-3 };
    failure f = { .why = "" };
    rational_sets sets;
    const char *path = fuzz_file(bytes, n);
    if (rational_file_read(&sets, path, &f)) {
        for (int i = 0; i < sets.count; i++) {
            expect_function(&sets.set[i].force);
            expect_function(&sets.set[i].refresh);
            expect_function(&sets.set[i].action);
            if (!rational_set_check(&sets.set[i], 0, 24, &errors, &f))
                expect(f.why[0], "a reason");
        }
        rational_sets_free(&sets);
        return true;
    }
    expect_reason(f.why, path);
    return false;
}
